"""How good the engines are on the classic collections: the table of docs/engines/README.md."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import bm25s
import pytest

import cranfield as cf
from cranfield.data.collection import Collection
from cranfield.engines import make_engine
from cranfield.engines.analysis import Analysis
from cranfield.engines.engine import Hits

PAGE = Path(__file__).parents[2] / "docs" / "engines" / "README.md"
COLLECTIONS = ("cranfield", "cisi", "cacm", "time")
LARGER = ("cisi", "cacm")
Engines = Mapping[str, tuple[str, Mapping[str, object]]]
BY_WORDS: Engines = {
    "tantivy": ("tantivy", {}),
    "bm25": ("bm25", {}),
    "bm25, `stem = false`": ("bm25", {"stem": False}),
    "sqlite": ("sqlite", {}),
}
BY_VECTORS: Engines = {
    "dense, `dimensions = 200`": ("dense", {"dimensions": 200}),
    "hybrid of tantivy and that": (
        "hybrid",
        {"parts": [{"engine": "tantivy"}, {"engine": "dense", "dimensions": 200}]},
    ),
}


@pytest.fixture(params=[pytest.param(name, marks=[pytest.mark.slow] if name in LARGER else []) for name in COLLECTIONS])
def collection(request: pytest.FixtureRequest, real_data: Path, tmp_path: Path) -> Collection:
    return cf.import_collection(request.param, real_data / "collections" / request.param, tmp_path / request.param)


def stated(collection: Collection, engines: Engines) -> dict[str, float]:
    lines = [re.split(r" *\| *", line)[1:-1] for line in PAGE.read_text().splitlines() if line.startswith("| ")]
    column = 1 + COLLECTIONS.index(collection.name)
    return {line[0]: float(line[column]) for line in lines if line[0] in engines}


def found(collection: Collection, engines: Engines, folder: Path) -> dict[str, float]:
    assert collection.topics is not None
    documents, queries = list(collection.documents()), collection.topics.queries()
    means = {}
    for label, (kind, settings) in engines.items():
        with make_engine(kind, settings, folder=folder / label) as engine:
            engine.index(documents)
            hits = engine.search_topics(queries, 1000) or {
                topic: engine.search(query, 1000) for topic, query in queries.items()
            }
        means[label] = mean_average_precision(collection, hits)
    return means


def mean_average_precision(collection: Collection, hits: Mapping[str, Hits]) -> float:
    assert collection.qrels is not None
    run = {topic: dict(best) for topic, best in hits.items()}
    return float(cf.evaluate(collection.qrels, run, ["AP"]).mean["AP"])


def with_bm25s(collection: Collection) -> dict[str, Hits]:
    """What bm25s 0.3.16 finds with the same words."""
    assert collection.topics is not None
    analyse = Analysis("english", stem=True, stop_words=True).analyser().analyze
    documents = list(collection.documents())
    oracle = bm25s.BM25(k1=1.2, b=0.75, method="lucene", dtype="float64")
    oracle.index([analyse(document.text()) for document in documents], show_progress=False)
    hits: dict[str, Hits] = {}
    for topic, query in collection.topics.queries().items():
        words = [word for word in analyse(query) if word in oracle.vocab_dict]
        scores = zip((document.id for document in documents), oracle.get_scores(words).tolist(), strict=True)
        best = sorted((hit for hit in scores if hit[1] > 0), key=lambda hit: hit[::-1], reverse=True)
        hits[topic] = best[:1000]
    return hits


@pytest.mark.real_data
def test_engines_that_search_by_words(collection: Collection, tmp_path: Path) -> None:
    means = found(collection, BY_WORDS, tmp_path)
    assert means["bm25"] == pytest.approx(mean_average_precision(collection, with_bm25s(collection)), abs=1e-4)
    # Tantivy knows long lengths about; SQLite has other stems and no stop words.
    assert means["tantivy"] == pytest.approx(means["bm25"], abs=0.003)
    assert means["sqlite"] == pytest.approx(means["bm25"], abs=0.01)
    assert stated(collection, BY_WORDS) == pytest.approx(means, abs=5.1e-4)


@pytest.mark.real_data
@pytest.mark.slow
def test_engines_that_search_by_vectors(collection: Collection, tmp_path: Path) -> None:
    assert stated(collection, BY_VECTORS) == pytest.approx(found(collection, BY_VECTORS, tmp_path), abs=5.1e-4)
