"""Several engines as one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cranfield.data.documents import Document
from cranfield.engines.hybrid import HybridEngine
from cranfield.errors import CranfieldError, EngineError, ParameterError, UsageError

DOCUMENTS = [Document(name, {"text": name}) for name in ("a", "b", "c", "d")]


def function(*hits: tuple[str, float]) -> dict[str, Any]:
    return {"engine": "python", "function": lambda query, k: hits}


FIRST = function(("a", 9.0), ("b", 5.0), ("c", 1.0))
SECOND = function(("b", 0.9), ("d", 0.4))


def filled(folder: Path, *parts: dict[str, Any], **parameters: Any) -> HybridEngine:
    engine = HybridEngine(folder, parts=parts, **parameters)
    engine.index(DOCUMENTS)
    return engine


def test_reciprocal_ranks_by_hand(tmp_path: Path) -> None:
    hits = filled(tmp_path, FIRST, SECOND).search("x", 10)
    assert [name for name, _ in hits] == ["b", "a", "d", "c"]
    assert [score for _, score in hits] == pytest.approx([1 / 62 + 1 / 61, 1 / 61, 1 / 62, 1 / 63])


def test_weights_by_hand(tmp_path: Path) -> None:
    hits = dict(filled(tmp_path, FIRST, {**SECOND, "weight": 3}).search("x", 10))
    assert hits["b"] == pytest.approx(1 / 62 + 3 / 61)
    assert hits["d"] == pytest.approx(3 / 62)


def test_scores_by_hand(tmp_path: Path) -> None:
    hits = filled(tmp_path, FIRST, SECOND, method="CombSUM", normalisation="min-max").search("x", 2)
    # b is half way from 1 to 9, and first of the others: .5 + 1.
    assert hits == [("b", 1.5), ("a", 1.0)]


def test_each_part_is_asked_as_deep_as_needed(tmp_path: Path) -> None:
    asked: list[int] = []

    def search(query: str, k: int) -> list[str]:
        asked.append(k)
        return ["a"]

    engine = filled(tmp_path, {"engine": "python", "function": search}, SECOND, depth=20)
    engine.search("x", 5)
    engine.search("x", 50)
    assert asked == [20, 50]


def test_a_part_that_finds_nothing_adds_nothing(tmp_path: Path) -> None:
    assert dict(filled(tmp_path, function(), SECOND).search("x", 9)) == pytest.approx({"b": 1 / 61, "d": 1 / 62})
    assert filled(tmp_path, function(), function()).search("x", 9) == []


def test_only_parts_with_files_are_indexed(tmp_path: Path) -> None:
    engine = filled(tmp_path, {"engine": "bm25"}, {"engine": "sqlite"}, SECOND)
    assert sorted(path.name for path in (tmp_path / "hybrid").iterdir() if path.is_dir()) == ["1-bm25", "2-sqlite"]
    assert engine.count() == 4
    assert [name for name, _ in engine.search("c", 10)] == ["c", "b", "d"]


def test_says_what_its_parts_are(tmp_path: Path) -> None:
    engine = HybridEngine(tmp_path, parts=[{"engine": "bm25", "k1": 2}, {"engine": "sqlite", "weight": 2}])
    described = engine.description()
    assert [(part["engine"], part["weight"]) for part in described["parameters"]["parts"]] == [
        ("bm25", 1),
        ("sqlite", 2),
    ]
    assert described["parameters"]["parts"][0]["k1"] == 2
    assert {"numpy", "sqlite"} <= described["versions"].keys()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"parts": [{"engine": "bm25"}]}, "expected two or more engines"),
        ({"parts": [{"engine": "bm25"}, {"kind": "bm25"}]}, r'parts\[2\] is .*; expected engine = "..."'),
        ({"parts": [{"engine": "bm25"}, {"engine": "bm52"}]}, "unknown engine 'bm52'. Did you mean bm25"),
        ({"parts": [{"engine": "bm25", "K1": 1}, {"engine": "bm25"}]}, "has no parameter 'K1'. Did you mean k1"),
        ({"parts": [{"engine": "bm25", "weight": "x"}, {"engine": "bm25"}]}, r"parts\[1\].weight is 'x'"),
        ({"parts": [{"engine": "bm25"}, {"engine": "sqlite"}], "method": "RFF"}, "RFF"),
        ({"parts": [{"engine": "bm25"}, {"engine": "sqlite"}], "depth": 0}, "depth is 0"),
    ],
)
def test_impossible_parameters(tmp_path: Path, parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        HybridEngine(tmp_path, **parameters)


def test_an_index_of_other_parts(tmp_path: Path) -> None:
    filled(tmp_path, {"engine": "bm25"}, {"engine": "sqlite"}).close()
    other = HybridEngine(tmp_path, parts=[{"engine": "bm25", "stem": False}, {"engine": "sqlite"}])
    with pytest.raises(ParameterError, match="was indexed with parts = "):
        other.search("a", 1)


def test_a_part_that_fails_and_one_that_repeats_itself(tmp_path: Path) -> None:
    def broken(query: str, k: int) -> None:
        raise OSError("it is down")

    with pytest.raises(EngineError, match="raised OSError: it is down"):
        filled(tmp_path, {"engine": "python", "function": broken}, SECOND).search("x", 1)
    with pytest.raises(EngineError, match="the part 1-python gave a document twice"):
        filled(tmp_path, function(("a", 1.0), ("a", 2.0)), SECOND).search("x", 1)
    with pytest.raises(CranfieldError, match="nan"):
        filled(tmp_path, function(("a", float("nan"))), SECOND).search("x", 1)
