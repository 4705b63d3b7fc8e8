"""Each rule on lists that are small enough to be read, and what is certain."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from cranfield.errors import UsageError
from cranfield.logs.log import Log
from cranfield.logs.preferences import infer_preferences
from tests.logs.making import event, make_log, query, shown

EXPECTED = {
    "skip-above": {("b", "a"), ("d", "a"), ("d", "c")},
    "last-skip-above": {("d", "a"), ("d", "c")},
    "earlier-click": {("d", "b")},
    "skip-previous": {("b", "a"), ("d", "c")},
    "skip-next": {("b", "c"), ("d", "e")},
}


@pytest.fixture(scope="module")
def rows() -> list[dict[str, object]]:
    """A list of five documents, of which b is clicked after 2 seconds and d after 5."""
    return [
        query("q1", "dinner"),
        *shown("q1", list("abcde")),
        event("click", "q1", "b", 2, 2),
        event("click", "q1", "d", 4, 5),
    ]


def lists(folder: Path, *seen: tuple[int, str, str]) -> Log:
    """A log of so many lists each, with the documents shown and those clicked."""
    rows: list[dict[str, object]] = []
    each = [(documents, clicked) for times, documents, clicked in seen for _ in range(times)]
    for number, (documents, clicked) in enumerate(each):
        name, begin = f"q{number}", 100 * number
        rows += [query(name, "dinner", begin), *shown(name, list(documents), begin)]
        rows += [event("click", name, one, documents.index(one) + 1, begin + 1) for one in clicked]
    return make_log(folder, rows)


def test_every_rule(tmp_path: Path, rows: list[dict[str, object]]) -> None:
    log = make_log(tmp_path, rows)
    for rule, expected in EXPECTED.items():
        found = infer_preferences(log, rule)
        assert set(zip(found.preferred, found.other, strict=True)) == expected, rule
        assert found.votes.tolist() == found.chances.tolist() == [1] * len(expected)
        assert not found.certain.any()  # after one list


def test_votes_are_counted_over_their_chances(tmp_path: Path) -> None:
    """b is below a in 12 lists in which one of them is clicked, and alone is clicked in 9 of them. a is below b in 10,
    in which it is clicked alone once. The list without a click says nothing."""
    log = lists(
        tmp_path, (9, "ab", "b"), (3, "ab", "a"), (1, "ab", ""), (1, "ba", "a"), (5, "ba", "b"), (4, "ba", "ab")
    )
    found = infer_preferences(log)
    assert (found.preferred.tolist(), found.other.tolist()) == (["b"], ["a"])
    assert (found.votes.tolist(), found.chances.tolist()) == ([9], [12])
    assert (found.against.tolist(), found.against_chances.tolist()) == ([1], [10])
    # Newcombe's method 10 of 9/12 - 1/10. Wilson: .4677 to .9111 and .0179 to .4042 (scipy 1.17, binomtest), so
    # .65 - √(.2823² + .3042²) = .2350 and .65 + √(.1611² + .0821²) = .8308.
    bounds = found.interval.lower[0], found.interval.upper[0]
    assert bounds == pytest.approx((0.2350, 0.8308), abs=1e-4)
    assert found.certain.tolist() == [True]
    assert not infer_preferences(log, enough=11).certain.any()  # there are ten votes


def test_of_documents_always_shown_in_one_order_nothing_is_certain(tmp_path: Path) -> None:
    """However often the lower one is clicked alone: the upper one could not have had a vote."""
    found = infer_preferences(lists(tmp_path, (30, "ab", "b"), (30, "ab", "a")))
    assert (found.votes.tolist(), found.against_chances.tolist()) == ([30], [0])
    assert np.isnan(found.interval.lower).all()
    assert (found.certain.tolist(), found.one_sided.tolist(), found.told.tolist()) == ([False], [True], [True])


def test_who_is_always_clicked_below_is_not_preferred(tmp_path: Path) -> None:
    """In both orders the lower one is clicked: 9 votes to 3, but each had all its chances."""
    found = infer_preferences(lists(tmp_path, (9, "ab", "b"), (3, "ba", "a")))
    assert (found.votes.tolist(), found.against.tolist()) == ([3], [9])  # even, so in the order of the alphabet
    assert (found.certain.tolist(), found.told.tolist()) == ([False], [False])


def test_an_unknown_rule(tmp_path: Path, rows: list[dict[str, object]]) -> None:
    with pytest.raises(UsageError, match=r"unknown rule 'skip-abov'. Did you mean"):
        infer_preferences(make_log(tmp_path, rows), "skip-abov")
