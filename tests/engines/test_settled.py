"""Which parameters are settled once documents are indexed: what an engine declares, and what it does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cranfield.engines import ENGINES, engine_class, make_engine
from cranfield.engines.embedded import EmbeddedEngine
from cranfield.engines.parameters import parameter_names

HYBRID = {"parts": [{"engine": "bm25"}, {"engine": "sqlite"}]}

OTHERS: dict[str, list[tuple[str, Any]]] = {
    "bm25": [("k1", 0.9), ("b", 0.3), ("variant", "robertson"), ("idf", "atire"), ("delta", 0.5)],
    "dense": [("encode_queries", "math:sqrt"), ("batch", 8)],
    "tantivy": [("memory", 50)],
    "sqlite": [],
    "hybrid": [
        ("method", "CombSUM"),
        ("normalisation", "none"),
        ("depth", 10),
        ("parts", [{"engine": "bm25", "k1": 0.9, "weight": 2.0}, {"engine": "sqlite"}]),
    ],
}
"""For each engine that keeps its index in files, all that is free for every query, with another value."""

SETTLED: dict[str, list[tuple[str, Any]]] = {
    "bm25": [("fields", ["title"]), ("language", "german"), ("stem", False), ("stop_words", False)],
    "dense": [("fields", ["title"]), ("similarity", "dot"), ("dimensions", 2), ("language", "german")],
    "tantivy": [("fields", ["title"]), ("language", "german"), ("stem", False), ("stop_words", ["a"])],
    "sqlite": [("fields", ["title"]), ("tokenizer", "unicode61")],
    "hybrid": [("parts", [{"engine": "bm25", "stem": False}, {"engine": "sqlite"}])],
}


@pytest.mark.parametrize("kind", ENGINES)
def test_what_is_free_is_a_parameter(kind: str) -> None:
    assert engine_class(kind).free <= set(parameter_names(engine_class(kind)))


@pytest.mark.parametrize("kind", OTHERS)
def test_an_index_does_not_depend_on_what_is_free_and_does_on_the_rest(kind: str, tmp_path: Path) -> None:
    usual = HYBRID if kind == "hybrid" else {}

    def indexed_with(settings: dict[str, Any]) -> Any:
        engine = make_engine(kind, settings, folder=tmp_path)
        assert isinstance(engine, EmbeddedEngine)
        return engine._indexed_with()

    found = engine_class(kind)
    for name, value in OTHERS[kind]:
        assert indexed_with({**usual, name: value}) == indexed_with(usual), name
        assert found.settled({**usual, name: value}) == found.settled(usual), name
        assert found.complete({**usual, name: value}) != found.complete(usual), name
    for name, value in SETTLED[kind]:
        assert indexed_with({**usual, name: value}) != indexed_with(usual), name
        assert found.settled({**usual, name: value}) != found.settled(usual), name
    named = {name for name, _ in (*OTHERS[kind], *SETTLED[kind])} | ({"encode"} if kind == "dense" else set())
    assert named == set(parameter_names(found)), "every parameter is in one of the two lists above"


def test_what_is_given_as_it_is_usual_makes_no_difference() -> None:
    found = engine_class("bm25")
    assert found.complete({"k1": 1.2}) == found.complete({})
    assert found.complete({"k1": 0.9})["k1"] == 0.9


def test_engines_that_are_given_no_documents() -> None:
    assert {kind for kind in ENGINES if not engine_class(kind).indexes} == {"http", "command", "python"}
