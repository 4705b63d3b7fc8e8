"""One phrasing, several needs: entropies by hand, groups of documents that are clicked together."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from cranfield.logs.log import Log
from cranfield.logs.needs import _interval, spreads
from tests.logs.small_world import Page, log_of

CARS, CATS = ("car1", "car2"), ("cat1",)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    """Of 16 people who ask for a jaguar 8 click two cars each, 8 a cat, one of them twice; bread is clicked twice."""
    pages = [Page(f"q{n:02}", f"u{n}", "jaguar", 4000 * n, (*CARS, *CATS), CARS if n % 2 else CATS) for n in range(16)]
    pages += [Page("again", "u0", "jaguar", 70_000, (*CARS, *CATS), CATS)]
    pages += [Page(f"b{n}", f"u{n}", "bread", 80_000 + n, ("loaf",), ("loaf",)) for n in range(2)]
    return log_of(tmp_path_factory.mktemp("log"), pages)


def test_the_entropy_of_clicks(log: Log) -> None:
    found = spreads(log)
    (jaguar,) = found.queries
    # 8 clicks on each of three documents, each person once: log2(3), and (3 - 1) / (2 x 24 x ln 2) for small numbers.
    assert (jaguar.text, jaguar.clicks, jaguar.documents) == ("jaguar", 24, 3)
    assert jaguar.entropy == pytest.approx(math.log2(3) + 2 / (48 * math.log(2)))
    assert jaguar.interval.lower < math.log2(3) < jaguar.interval.upper
    assert (found.told, found.abstained) == (1, 1)


def test_documents_clicked_together(log: Log) -> None:
    (jaguar,) = spreads(log).queries
    assert [(group.documents, group.clicks) for group in jaguar.groups] == [(CARS, 16), (CATS, 8)]
    assert [group.share for group in jaguar.groups] == pytest.approx([2 / 3, 1 / 3])


def test_one_document_for_all(log: Log) -> None:
    found = {row.text: row for row in spreads(log, enough=2).queries}
    assert (found["bread"].entropy, found["bread"].interval.upper) == (0.0, 0.0)
    assert [row.text for row in spreads(log, enough=2, named=1).queries] == ["jaguar"]


def test_nothing_was_clicked(tmp_path: Path) -> None:
    found = spreads(log_of(tmp_path, [Page("q1", "u1", "soup", 0, ("a",), ())]))
    assert (found.queries, found.told, found.abstained) == ((), 0, 0)


@pytest.mark.parametrize("shares", [(0.5, 0.5), (0.7, 0.2, 0.1), (0.4, 0.2, 0.1, 0.1, 0.1, 0.1)])
def test_intervals_hold_the_truth_about_as_often_as_they_say(shares: tuple[float, ...]) -> None:
    draws = np.random.default_rng(11)
    truth = -sum(share * math.log2(share) for share in shares)
    held = 0
    for _ in range(100):
        counts = draws.multinomial(60, shares).tolist()
        interval = _interval({f"d{at}": number for at, number in enumerate(counts) if number}, 0.95, draws)
        held += interval.lower <= truth <= interval.upper
    assert held >= 87  # 95 of 100 but for chance: less than 88 has a probability of .002
