"""What becomes of Cranfield's documents with the code -1 matters: the numbers of docs/decisions/0012-codes-of-cranfield.md."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import cranfield as cf
from cranfield.engines.bm25 import Bm25Engine

PAGE = Path(__file__).parents[2] / "docs" / "decisions" / "0012-codes-of-cranfield.md"


@pytest.mark.real_data
def test_the_table_of_the_decision(real_data: Path, tmp_path: Path) -> None:
    """Oracle: BM25 and AP in forty lines of plain Python without any of our code gave .3041, .4197 and .3577, and
    .3289, .7422 and .5644 for P@1, with the document first for 93 queries."""
    collection = cf.import_collection("cranfield", real_data / "collections" / "cranfield", tmp_path / "cranfield")
    assert collection.topics is not None
    assert collection.qrels is not None
    with Bm25Engine(tmp_path / "index", k1=1.2, b=0.75, fields=["title", "text"], stop_words=False) as engine:
        engine.index(collection.documents())
        run = {topic: dict(engine.search(query, 1000)) for topic, query in collection.topics.queries().items()}
    judged = collection.qrels.to_dict()
    source = {topic: min(grades, key=lambda document: grades[document]) for topic, grades in judged.items()}
    relevant = {topic: {**grades, source[topic]: 4} for topic, grades in judged.items()}
    without = {topic: {d: s for d, s in hits.items() if d != source[topic]} for topic, hits in run.items()}
    expected = [(judged, run, 0.3041, 0.3289), (relevant, run, 0.4197, 0.7422), (judged, without, 0.3577, 0.5644)]
    rows = re.findall(r"^\| [a-z].*\| (\.\d+) \| (\.\d+) \|$", PAGE.read_text(), re.MULTILINE)
    for (qrels, hits, precision, first), row in zip(expected, rows, strict=True):
        means = cf.evaluate(qrels, hits, ["AP", "P@1"]).mean
        assert (means["AP"], means["P@1"]) == pytest.approx((precision, first), abs=5e-5)
        assert tuple(map(float, row)) == pytest.approx((precision, first), abs=5.1e-4)
    assert sum(max(hits, key=lambda document: hits[document]) == source[topic] for topic, hits in run.items()) == 93
