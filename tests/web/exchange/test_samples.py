"""Of a pool that is a sample, what estimates need goes out with the judgments."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield.data.collection import Collection
from cranfield.data.documents import Document
from cranfield.data.pool import Pool
from cranfield.data.strings import Strings
from cranfield.data.topics import Topic, Topics
from cranfield.errors import CranfieldError
from cranfield.web.exchange.importing import carry_out
from cranfield.web.projects.creating import create_project
from tests.web.exchange.making import given, taken_out
from tests.web.judging.making import make_project


def test_strata_and_prels(db: None) -> None:
    """By hand: of the stratum 1 one of two documents was drawn, and judged: its chance is a half."""
    pool = Pool(
        (b"1",),
        np.zeros(3, dtype=np.int32),
        Strings.from_list([b"a", b"b", b"c"]),
        np.array([True, True, False]),
        np.array([0, 1, 1], dtype=np.int32),
        np.zeros(3, dtype=np.int64),
        np.array([0, 1, 1], dtype=np.int32),
        np.array([1.0, 0.5, 0.5]),
    )
    project, _ = create_project(
        "Soups",
        pool=pool,
        topics=Topics([Topic("1", {"title": "soup"})]),
        collection=Collection("kitchen", lambda: (Document(name, {"text": name}) for name in "abc")),
    )
    carry_out(project, given("1 0 a 2\n1 0 b 0\n"))
    assert taken_out(project, "strata") == b"1 0 a 0 2\n1 0 b 1 0\n1 0 c 1 -1\n"
    assert taken_out(project, "prels") == b"1 a 2 0 1\n1 b 0 1 0.5\n"


def test_without_a_pool_there_are_none(db: None) -> None:
    project = make_project(topics=1, documents=1)
    with pytest.raises(CranfieldError, match="no pool was brought into this project as a whole"):
        taken_out(project, "strata")
