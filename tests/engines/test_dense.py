"""Vectors of any model, and the nearest of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.decomposition import TruncatedSVD

from cranfield.data.documents import Document
from cranfield.engines.dense import DenseEngine
from cranfield.engines.id_table import IdTable
from cranfield.engines.lsa import Lsa
from cranfield.engines.nearest import nearest
from cranfield.errors import DataError, EngineError, ParameterError


def counts(texts: list[str]) -> list[list[int]]:
    return [[text.count("s"), text.count("b")] for text in texts]


def filled(folder: Path, encode: Any, *texts: str, **parameters: Any) -> DenseEngine:
    engine = DenseEngine(folder, encode=encode, **parameters)
    engine.index(Document(f"d{number}", {"text": text}) for number, text in enumerate(texts, start=1))
    return engine


def test_cosines_and_products_by_hand(tmp_path: Path) -> None:
    # The query is (3, 4), the documents (1, 0) and (6, 8).
    texts = "s", "ssssss bbbbbbbb"
    cosine = filled(tmp_path / "cosine", counts, *texts).search("sss bbbb", 10)
    assert [name for name, _ in cosine] == ["d2", "d1"]
    assert [score for _, score in cosine] == pytest.approx([1, 3 / 5])
    assert filled(tmp_path / "dot", counts, *texts, similarity="dot").search("sss bbbb", 10) == [("d2", 50), ("d1", 3)]


def test_queries_can_be_encoded_differently(tmp_path: Path) -> None:
    def swapped(texts: list[str]) -> list[list[int]]:
        return [row[::-1] for row in counts(texts)]

    engine = filled(tmp_path, counts, "s", "b", encode_queries=swapped)
    assert [name for name, _ in engine.search("s", 1)] == ["d2"]


def test_texts_come_in_batches(tmp_path: Path) -> None:
    sizes = []

    def encode(texts: list[str]) -> list[list[int]]:
        sizes.append(len(texts))
        return counts(texts)

    engine = filled(tmp_path, encode, *["s"] * 10, batch=4)
    assert sizes == [4, 4, 2]
    assert engine.count() == 10


@pytest.mark.parametrize(
    ("encode", "message"),
    [
        (
            lambda texts: [[1, 2]],
            r"gave an array of shape \(1, 2\) for 2 texts; expected 2 rows of one or more numbers",
        ),
        (lambda texts: [1, 2], r"gave an array of shape \(2,\) for 2 texts"),
        (lambda texts: [[], []], r"gave an array of shape \(2, 0\) for 2 texts"),
        (lambda texts: [[1], [math.nan]], "gave numbers that are not finite for the text 'b'"),
        (lambda texts: [["x"], ["y"]], "gave list, which is no array"),
        (lambda texts: 1 / 0, "raised ZeroDivisionError: division by zero"),
    ],
)
def test_what_a_model_must_not_do(tmp_path: Path, encode: Callable[[list[str]], Any], message: str) -> None:
    with pytest.raises(EngineError, match=message):
        filled(tmp_path, encode, "s", "b")


def test_a_model_that_changes_its_mind(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"shape \(1, 3\) for 1 texts; expected 1 rows of 2 numbers"):
        filled(tmp_path, lambda texts: np.ones((len(texts), len(texts[0]))), "12", "123", batch=1)
    engine = filled(tmp_path, counts, "s", encode_queries=lambda texts: [[1, 2, 3]])
    with pytest.raises(EngineError, match=r"shape \(1, 3\) for 1 texts; expected 1 rows of 2 numbers"):
        engine.search("s", 1)


def test_impossible_parameters(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"encode is 'model'; expected module:function or file.py:function"):
        DenseEngine(tmp_path, encode="model")
    with pytest.raises(ParameterError, match="dimensions is 0; expected a whole number of at least 1"):
        DenseEngine(tmp_path, dimensions=0)


def test_no_documents(tmp_path: Path) -> None:
    for encode in ("lsa", counts):
        with pytest.raises(DataError, match="there is no document to index"):
            filled(tmp_path, encode)


def test_documents_without_any_word(tmp_path: Path) -> None:
    assert filled(tmp_path, "lsa", "", "!").search("soup", 10) == []


def test_lsa_finds_documents_that_share_no_word_with_the_query(tmp_path: Path) -> None:
    """The example of Deerwester and others (1990), table 2: c3 and c5 have no word of the query."""
    titles = {
        "c1": "human interface computer",
        "c2": "survey user computer system response time",
        "c3": "user interface system eps",
        "c4": "system human system eps",
        "c5": "user response time",
        "m1": "trees",
        "m2": "graph trees",
        "m3": "graph minors trees",
        "m4": "graph minors survey",
    }
    engine = DenseEngine(tmp_path, dimensions=2)
    engine.index(Document(name, {"text": text}) for name, text in titles.items())
    found = [name for name, _ in engine.search("human computer", 5)]
    assert sorted(found) == ["c1", "c2", "c3", "c4", "c5"]


def test_lsa_is_the_truncated_decomposition() -> None:
    """scikit-learn 1.9's, of the weighted matrix written out."""
    random = np.random.default_rng(1)
    texts = [" ".join(random.choice(list("abcdefghijklmnop"), 8)) for _ in range(30)]
    model, vectors = Lsa.fitted(texts, str.split, dimensions=5)
    words = list(model.vocabulary)
    counted = np.array([[text.split().count(word) for word in words] for text in texts])
    rarity = np.log(1 + len(texts) / (counted > 0).sum(axis=0))
    weighted = np.where(counted, 1 + np.log(np.maximum(counted, 1)), 0) * rarity
    weighted /= np.linalg.norm(weighted, axis=1, keepdims=True)
    theirs = TruncatedSVD(5, algorithm="arpack", random_state=0).fit_transform(weighted)
    assert vectors @ vectors.T == pytest.approx(theirs @ theirs.T, abs=1e-5)
    assert model.encode(texts, str.split) == pytest.approx(vectors, abs=1e-6)


@settings(max_examples=50)
@given(seed=st.integers(0, 10_000), documents=st.integers(1, 60), k=st.integers(1, 70))
def test_the_nearest_are_the_nearest(seed: int, documents: int, k: int) -> None:
    """Against a sort of all products, in blocks of 7; small whole numbers make many ties and no rounding."""
    random = np.random.default_rng(seed)
    vectors = random.integers(-2, 3, (documents, 3)).astype(np.float32)
    queries = random.integers(-2, 3, (4, 3)).astype(np.float32)
    ids = [f"d{number}" for number in range(documents)]
    expected = [
        sorted(
            ((name, float(product)) for name, product in zip(ids, vectors @ query, strict=True)),
            key=lambda hit: hit[::-1],
        )
        for query in queries
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cranfield.engines.nearest.BLOCK", 7)
        found = nearest(vectors, queries, k, IdTable.of(ids))
    assert found == [hits[::-1][:k] if query.any() else [] for hits, query in zip(expected, queries, strict=True)]


def test_equal_vectors_have_equal_scores_wherever_they_are() -> None:
    random = np.random.default_rng(0)
    vectors = random.standard_normal((5001, 63)).astype(np.float32)
    vectors[[3, 1700, 5000]] = vectors[3]
    ids = [f"d{number:04}" for number in range(5001)]
    query = (vectors[3:4] + random.standard_normal((7, 63)) / 10).astype(np.float32)
    together = nearest(vectors, query, 3, IdTable.of(ids))
    assert [name for name, _ in together[0]] == ["d5000", "d1700", "d0003"]
    assert len({score for _, score in together[0]}) == 1
    assert together == [nearest(vectors, row[np.newaxis], 3, IdTable.of(ids))[0] for row in query]
