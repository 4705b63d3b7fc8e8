"""How long searches took by the rank of what they found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import kendalltau

from cranfield.logs.behaviour import behaviour
from cranfield.logs.durations import AtRank, DurationsByRank, tau_of_counts
from cranfield.logs.importing import Ways, import_files
from cranfield.logs.log import Log
from tests.logs.making import event, make_log, query, shown


def searched(name: str, begin: float, *clicks: tuple[str, int, float]) -> list[Any]:
    """A query, its list, and clicks on documents at ranks so many seconds later."""
    return [
        query(name, "soup", begin),
        *shown(name, ["a", "b", "c"], begin),
        *(event("click", name, document, rank, begin + seconds) for document, rank, seconds in clicks),
    ]


def test_of_searches_with_one_document_clicked(tmp_path: Path) -> None:
    """By hand: at rank 1 after 2, 4 and 6 seconds, the last the second click on it; at rank 2 after 8. The fifth has
    two documents clicked, and the clicks of the sixth and seventh have no time of their own and no place. Of 3 pairs
    of other ranks all agree, no times tie: tau-b is 3 / sqrt(3 x 6)."""
    rows = [
        *searched("q1", 0, ("a", 1, 2)),
        *searched("q2", 4000, ("a", 1, 4)),
        *searched("q3", 8000, ("a", 1, 1), ("a", 1, 6)),
        *searched("q4", 12_000, ("b", 2, 8)),
        *searched("q5", 16_000, ("a", 1, 3), ("c", 3, 99)),
        *searched("q6", 20_000, ("c", 3, 0.05)),
        query("q7", "tea", 24_000),
        event("click", "q7", "z", None, 24_005),
    ]
    found = behaviour(make_log(tmp_path, rows)).durations
    assert found.ranks == (AtRank(1, 3, (3.0, 4.0, 5.0)), AtRank(2, 1, (8.0, 8.0, 8.0)))
    assert found.tau == pytest.approx(3 / 18**0.5, rel=1e-12)


def test_without_two_ranks_or_times_there_is_no_tau(tmp_path: Path) -> None:
    found = behaviour(make_log(tmp_path, searched("q1", 0, ("a", 1, 2)))).durations
    assert found == DurationsByRank((AtRank(1, 1, (2.0, 2.0, 2.0)),), None)


def test_nothing_of_times_that_are_made_up(tmp_path: Path) -> None:
    """A list with 0 and 1 says what was clicked, and not when."""
    source = tmp_path / "lists.tsv"
    source.write_text('s1\tsoup\t0\t["a", "b"]\t[1, 1]\t[1, 0]\n')
    import_files([source], tmp_path / "log", Ways(format="lists", salt="pepper"))
    assert behaviour(Log(tmp_path / "log")).durations == DurationsByRank((), None)


@pytest.mark.parametrize("seed", range(20))
def test_tau_is_that_of_scipy(seed: int) -> None:
    chance = np.random.default_rng(seed)
    one, other = chance.integers(0, 5, 40), chance.integers(0, 7, 40)
    pairs, number = np.unique(np.column_stack([one, other]), axis=0, return_counts=True)
    expected = float(kendalltau(one, other).statistic)
    assert tau_of_counts(pairs[:, 0], pairs[:, 1], number) == pytest.approx(expected, rel=1e-12)
