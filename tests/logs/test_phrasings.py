"""Phrasings of one need: similarities by hand and by a loop over all pairs."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from pathlib import Path

import pytest

from cranfield.errors import ParameterError
from cranfield.logs.log import Log
from cranfield.logs.phrasings import phrasings
from cranfield.logs.stars import stars
from tests.logs.small_world import Page, log_of, pages_at_random


def clicked(text: str, *documents: str) -> list[Page]:
    """A query that was put once for each document, which was clicked."""
    return [
        Page(f"{text}-{at}", f"u{at}", text, 100 * at + len(text), (document,), (document,))
        for at, document in enumerate(documents)
    ]


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    pages = [
        *clicked("sofa", "a", "a", "b"),
        *clicked("couch", "a", "b"),
        *clicked("red sofa", "b", "c", "c"),
        *clicked("sofa red", "c"),
        *clicked("bread", "d", "d"),
        *clicked("loaf", "d"),
    ]
    return log_of(tmp_path_factory.mktemp("log"), pages)


def test_groups_by_hand(log: Log) -> None:
    found = phrasings(log)
    assert [(need.head, need.times, [row.text for row in need.phrasings]) for need in found.needs] == [
        ("sofa", 5, ["sofa", "couch"]),
        ("red sofa", 4, ["red sofa", "sofa red"]),
    ]
    # Clicks of sofa: a 2, b 1; of couch: a 1, b 1; no word in common.
    cosine = 3 / math.sqrt(5 * 2)
    couch = found.needs[0].phrasings[1]
    assert couch.clicks == pytest.approx(cosine)
    assert couch.similarity == pytest.approx(0.7 * cosine)
    assert couch.words == 0.0
    # Sofa and {red, sofa}: b 1, c 3: 0.7 / sqrt(5 x 10) + 0.3 / 2 = .249; loaf has one click, which is too few.
    assert (found.texts, found.grouped, found.judged, found.left_out) == (6, 4, 4, 0)


def test_words_join_where_less_likeness_will_do(log: Log) -> None:
    found = phrasings(log, alike=0.24)
    # The words red and sofa were put 4 times, sofa 3 times; couch is like sofa, but 0.7 / sqrt(10 x 2) is less than .24.
    (need,) = found.needs
    assert [row.text for row in need.phrasings] == ["red sofa", "sofa red", "sofa"]
    assert [row.words for row in need.phrasings] == [1.0, 1.0, 0.5]
    assert need.phrasings[2].similarity == pytest.approx(0.7 / math.sqrt(50) + 0.3 / 2)


def test_one_click_is_too_little_unless_it_is_said_to_do(log: Log) -> None:
    heads = [need.head for need in phrasings(log, enough=1).needs]
    assert "bread" in heads


def test_documents_clicked_for_everything_say_nothing(log: Log) -> None:
    found = phrasings(log, most_shared=2)
    # b is clicked for sofa, couch and red sofa: left are a 2 and a 1, of which couch now has too few.
    assert found.left_out == 1
    assert [need.head for need in found.needs] == ["red sofa"]


@pytest.mark.parametrize("alike", [0.3, 0.6])
def test_against_all_pairs(tmp_path: Path, alike: float) -> None:
    pages = pages_at_random(5, count=200)
    found = phrasings(log_of(tmp_path, pages), alike=alike)
    vectors, times = dict[frozenset[str], Counter[str]](), Counter[frozenset[str]]()
    for page in pages:
        words = frozenset(page.text.split())
        vectors.setdefault(words, Counter()).update(page.clicked)
        times[words] += 1

    def similarity(one: frozenset[str], other: frozenset[str]) -> float:
        a, b = vectors[one], vectors[other]
        dot = sum(a[document] * b[document] for document in a)
        lengths = math.sqrt(sum(n * n for n in a.values()) * sum(n * n for n in b.values()))
        return 0.7 * dot / lengths + 0.3 * len(one & other) / len(one | other) if dot else 0.0

    def name(words: frozenset[str]) -> str:
        return " ".join(sorted(words))

    pairs = [
        (name(one), name(other)) for one, other in itertools.combinations(vectors, 2) if similarity(one, other) >= alike
    ]
    expected = set()
    for members in stars({name(words): number for words, number in times.items()}, pairs).values():
        texts = {page.text for page in pages if name(frozenset(page.text.split())) in members}
        if len(texts) > 1:
            expected.add(frozenset(texts))
    assert expected
    assert {frozenset(row.text for row in need.phrasings) for need in found.needs} == expected


def test_no_chain_leads_away_from_the_head() -> None:
    chain = [("a", "b"), ("b", "c"), ("c", "d")]
    assert stars({"a": 4, "b": 3, "c": 2, "d": 1}, chain) == {"a": ["a", "b"], "c": ["c", "d"]}


def test_shares_are_from_0_to_1(log: Log) -> None:
    with pytest.raises(ParameterError, match="alike"):
        phrasings(log, alike=1.5)
