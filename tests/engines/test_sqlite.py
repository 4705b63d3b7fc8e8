"""What is SQLite's own."""

from __future__ import annotations

import math
import sqlite3
from pathlib import Path

import pytest

from cranfield.data.documents import Document
from cranfield.engines.sqlite import SqliteEngine
from cranfield.errors import EngineError, ParameterError


def filled(folder: Path, *texts: str, **parameters: object) -> SqliteEngine:
    engine = SqliteEngine(folder, **parameters)  # type: ignore[arg-type]
    engine.index(Document(f"d{number}", {"text": text}) for number, text in enumerate(texts, start=1))
    return engine


def test_scores_are_bm25(tmp_path: Path) -> None:
    engine = filled(tmp_path, "alpha beta", "alpha alpha gamma gamma", "delta", "beta gamma beta beta beta", "beta")
    # SQLite's manual: ln((N - n + .5)/(n + .5)) f (k1 + 1)/(f + k1 (1 - b + b l)), with k1 = 1.2 and b = .75. N = 5,
    # n = 2, f = 2, and a length of 4 where the mean is 13/5.
    K = 1.2 * (0.25 + 0.75 * 4 / (13 / 5))
    assert dict(engine.search("alpha", 10))["d2"] == pytest.approx(math.log(3.5 / 2.5) * 2 * 2.2 / (2 + K), rel=1e-12)


def test_the_weight_of_a_field(tmp_path: Path) -> None:
    engine = SqliteEngine(tmp_path, fields={"title": 10, "text": 1})
    engine.index(
        [
            Document("text", {"title": "bread", "text": "soup soup"}),
            Document("title", {"title": "soup", "text": "bread bread"}),
            *(Document(f"other{number}", {"title": "tea", "text": "cold tea"}) for number in range(3)),
        ]
    )
    assert [name for name, _ in engine.search("soup", 10)] == ["title", "text"]


@pytest.mark.parametrize(("tokenizer", "found"), [("porter", True), ("unicode61", False)])
def test_stems(tmp_path: Path, tokenizer: str, found: bool) -> None:
    assert bool(filled(tmp_path, "boiling soups", tokenizer=tokenizer).search("boiled", 10)) is found


def test_accents_do_not_matter(tmp_path: Path) -> None:
    assert filled(tmp_path, "naïve Zürich").search("naive zurich", 10)


def test_impossible_parameters(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"tokenizer is 'portr'. Did you mean porter\?"):
        SqliteEngine(tmp_path, tokenizer="portr")


def test_a_damaged_index(tmp_path: Path) -> None:
    engine = filled(tmp_path, "soup")
    engine.close()
    (tmp_path / "sqlite" / "index.sqlite").write_bytes(b"this is no database" * 100)
    with pytest.raises(EngineError, match="SQLite cannot answer: file is not a database"):
        engine.search("soup", 10)
    (tmp_path / "sqlite" / "index.sqlite").unlink()
    engine.close()
    with pytest.raises(EngineError, match=r"the index cannot be opened .*: index again"):
        engine.search("soup", 10)


def test_says_which_sqlite(tmp_path: Path) -> None:
    assert SqliteEngine(tmp_path).description()["versions"] == {"sqlite": sqlite3.sqlite_version}
