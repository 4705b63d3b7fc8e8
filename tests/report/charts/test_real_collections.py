"""Every kind of drawing of real collections: TREC-COVID round 1 (16 runs) and the TREC Deep Learning track 2019 (6)."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from cranfield.report import plot
from cranfield.report.drawing import MOST_ROWS
from cranfield.report.export import chart_bytes
from cranfield.report.kinds import KINDS
from tests.report.material import tables, words

pytestmark = pytest.mark.real_data

COLLECTIONS = {"trec_covid_r1": ("qrels-rnd1.txt", 16, "30 topics"), "dl19": ("qrels.dl19-passage.txt", 6, "43 topics")}
LARGER = "trec_covid_r1"


@pytest.mark.slow
@pytest.mark.parametrize(
    "collection", [pytest.param(name, marks=[pytest.mark.slow] if name == LARGER else []) for name in COLLECTIONS]
)
@pytest.mark.parametrize("kind", [name for name in KINDS if name != "discount"])
def test_it_is_drawn(collection: str, kind: str, real_data: Path, capfd: pytest.CaptureFixture[str]) -> None:
    qrels, number, topics = COLLECTIONS[collection]
    runs = sorted((real_data / collection / "runs").iterdir())
    assert len(runs) == number
    some = {"scatter": 2, "thresholds": 4}.get(kind, number)
    chart = plot(kind, real_data / collection / qrels, runs[:some])
    ElementTree.fromstring(chart_bytes(chart, "svg"))
    assert capfd.readouterr().err == ""
    assert max(map(len, tables(chart))) <= MOST_ROWS
    assert topics in words(chart) or kind == "thresholds"
