"""Each rule on one list that is small enough to be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from cranfield.errors import UsageError
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


def test_every_rule(tmp_path: Path, rows: list[dict[str, object]]) -> None:
    log = make_log(tmp_path, rows)
    for rule, expected in EXPECTED.items():
        found = infer_preferences(log, rule)
        assert set(zip(found.preferred, found.other, strict=True)) == expected, rule
        assert found.votes.tolist() == [1] * len(expected)


def test_votes_for_and_against(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = []
    for number, (documents, clicked) in enumerate([("ab", "b")] * 9 + [("ba", "a")]):
        name = f"q{number}"
        rows += [query(name, "dinner", 100 * number), *shown(name, list(documents), 100 * number)]
        rows += [event("click", name, clicked, 2, 100 * number + 1)]
    found = infer_preferences(make_log(tmp_path, rows))
    assert (found.preferred.tolist(), found.other.tolist()) == (["b"], ["a"])
    assert (found.votes.tolist(), found.against.tolist()) == ([9], [1])
    # Wilson's interval of 9 of 10 begins at 0.5958 (scipy.stats.binomtest(9, 10).proportion_ci(method="wilson")).
    assert found.interval.lower.round(4).tolist() == [0.5958]
    assert found.certain.tolist() == [True]


def test_few_votes_are_not_certain(tmp_path: Path, rows: list[dict[str, object]]) -> None:
    assert not infer_preferences(make_log(tmp_path, rows)).certain.any()


def test_an_unknown_rule(tmp_path: Path, rows: list[dict[str, object]]) -> None:
    with pytest.raises(UsageError, match=r"unknown rule 'skip-abov'. Did you mean"):
        infer_preferences(make_log(tmp_path, rows), "skip-abov")
