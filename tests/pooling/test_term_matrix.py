"""What documents say, kept in a file."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from cranfield.pooling.term_matrix import TermMatrix, kept_matrix, matrix_key

TEXTS = {"d2": "soup soup bread", "d1": "Soup", "d3": ""}


def test_weights_by_hand() -> None:
    """N = 3; soup is in 2, ln(1 + 3/2), bread in 1, ln(1 + 3). In d2 soup is there twice: (1 + ln 2) ln 2.5."""
    terms = TermMatrix.of(TEXTS)
    assert terms.documents == ("d1", "d2", "d3")
    soup, bread = (1 + math.log(2)) * math.log(2.5), math.log(4)
    length = math.hypot(soup, bread)
    columns = [terms.terms.index(word) for word in ("soup", "bread")]
    expected = [[1, 0], [soup / length, bread / length], [0, 0]]
    assert terms.weights.toarray()[:, columns] == pytest.approx(np.array(expected))


def test_of_a_topic_only_what_its_documents_say_counts() -> None:
    found = TermMatrix.of(TEXTS).of_topic(["d1", "d3"], "bread and SOUP")
    assert found.documents.shape == (2, 1)
    assert found.query.shape == (1, 1)


def test_what_is_kept_is_what_was_made(tmp_path: Path) -> None:
    made = TermMatrix.of({**TEXTS, "d\udcff": "bytes that are no text"})
    made.save(tmp_path / "kept", "key")
    kept = TermMatrix.load(tmp_path / "kept", "key")
    assert kept is not None
    assert (kept.documents, kept.terms) == (made.documents, made.terms)
    assert (kept.weights != made.weights).nnz == 0
    assert kept.rarity.tolist() == made.rarity.tolist()


def test_it_is_made_once_and_again_if_it_is_of_something_else(tmp_path: Path) -> None:
    calls = []

    def texts() -> dict[str, str]:
        calls.append(1)
        return TEXTS

    place = tmp_path / "kept"
    for key in ("one", "one", "other", "other"):
        assert kept_matrix(place, key, texts).documents == ("d1", "d2", "d3")
    assert len(calls) == 2
    place.write_bytes(place.read_bytes()[:100])  # cut short
    kept_matrix(place, "other", texts)
    assert len(calls) == 3
    kept_matrix(tmp_path / "no" / "folder", "one", texts)
    kept_matrix(None, "one", texts)
    kept_matrix(place, None, texts)
    assert len(calls) == 6


def test_a_key_is_of_collection_and_documents() -> None:
    assert matrix_key("abc", ["d1", "d2"]) == matrix_key("abc", ["d2", "d1"])
    assert len({matrix_key("abc", ["d1"]), matrix_key("abd", ["d1"]), matrix_key("abc", ["d2"])}) == 3
