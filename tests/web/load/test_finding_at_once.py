"""The overlap of what is found by searching is never exceeded, however many find it in the same moment."""

from __future__ import annotations

import json

import pytest

from tests.web.load.finding import WANTED
from tests.web.load.installation import Installation
from tests.web.load.test_load import installation  # noqa: F401

pytestmark = pytest.mark.slow


def test_many_find_the_same_documents(
    installation: Installation,  # noqa: F811
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("kitchen")  # not in the folder of the installation, which nobody may name
    counts = json.loads(installation.run("tests.web.load.finding", str(folder)))
    assert counts["errors"] == []
    assert counts["items"] == ["d1", "d2", "d3", "d4"]
    assert counts["slots"] == [WANTED]
    assert counts["most judges"] == WANTED
    assert counts["events"] > 0
