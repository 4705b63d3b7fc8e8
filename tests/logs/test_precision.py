"""Precision by clicks, with the arithmetic beside each number."""

from __future__ import annotations

from pathlib import Path

import pytest

from cranfield.data.run import Run
from cranfield.data.topics import Topic, Topics
from cranfield.errors import DataError
from cranfield.logs.log import Log
from cranfield.logs.precision import inferred_precision
from tests.logs.making import event, make_log, query, shown

TOPICS = Topics([Topic("7", {"title": "dinner"}), Topic("8", {"title": "lunch"})])


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    """For each of two queries, 40 lists of four documents: those at ranks 1 and 3 are clicked each time at dinner, those
    at ranks 2 and 4 at lunch. So half are expected at every rank."""
    rows = []
    for number in range(40):
        for text, documents, clicked in (("dinner", "abcd", "ac"), ("lunch", "efgh", "fh")):
            name, begin = f"{text}{number}", 100 * number
            rows += [query(name, text, begin), *shown(name, list(documents), begin)]
            rows += [event("click", name, one, documents.index(one) + 1, begin + 1) for one in clicked]
    return make_log(tmp_path_factory.mktemp("log"), rows, bot_queries=1000)


def test_runs_and_what_was_shown(log: Log) -> None:
    run = Run.from_dict({"7": {"a": 4, "c": 3, "z": 2, "b": 1}, "8": {"e": 2, "f": 1}, "9": {"a": 1}}, name="new")
    as_shown, new = inferred_precision(log, [run], topics=TOPICS, depth=3)
    # As shown: a, b, c with 2 of 3 wanted, and e, f, g with 1 of 3.
    assert as_shown.by_topic == pytest.approx({"7": 2 / 3, "8": 1 / 3})
    assert as_shown.precision == pytest.approx(1 / 2)
    assert as_shown.known == 1
    # new: a and c are wanted, z is not known; e is not wanted, f is, and there is no third document.
    assert new.by_topic == pytest.approx({"7": 1, "8": 1 / 2 * 2 / 3})
    assert new.precision == pytest.approx((1 + 1 / 3) / 2)
    assert new.known == pytest.approx((2 / 3 + 1) / 2)
    assert new.least == pytest.approx((2 / 3 + 1 / 3) / 2)  # COEC 2 of 40 clicks is certain, as is 0
    assert new.most == pytest.approx((1 + 1 / 3) / 2)  # z might be wanted
    assert new.topics == 2
    assert new.interval is not None
    # Mean 2/3, values 1 and 1/3: s = .4714, t of one degree of freedom 12.706 (Student): 2/3 ± 12.706 · .4714 / √2, of
    # which shares can be from 0 to 1.
    assert (new.interval.lower, new.interval.upper) == (0.0, 1.0)
    # At a level of .2, t = tan(.2 · 90°) = .32492, for one degree of freedom is Cauchy's distribution.
    narrow = inferred_precision(log, [run], topics=TOPICS, depth=3, level=0.2)[1].interval
    assert narrow is not None
    assert (narrow.lower, narrow.upper) == pytest.approx((2 / 3 - 0.32492 / 3, 2 / 3 + 0.32492 / 3), abs=1e-4)


def test_a_threshold_of_ones_own(log: Log) -> None:
    """COEC is 2 or 0."""
    assert [one.precision for one in inferred_precision(log, depth=4, at=2.5)] == [0.0]
    assert [one.precision for one in inferred_precision(log, depth=4, at=0.0)] == [1.0]


def test_topics_of_a_run_that_the_log_does_not_have(log: Log) -> None:
    with pytest.raises(DataError, match="new: clicks say nothing of any of its documents"):
        inferred_precision(log, [Run.from_dict({"7": {"z": 1}}, name="new")], topics=TOPICS)
    with pytest.raises(DataError, match="no document was shown 100 times"):
        inferred_precision(log, enough=100)


def test_lists_that_are_shorter(tmp_path: Path) -> None:
    """A page of one document, which is clicked: half of the first two ranks."""
    rows = [query("q", "dinner"), *shown("q", ["a"]), event("click", "q", "a", 1, 1)]
    (found,) = inferred_precision(make_log(tmp_path, rows), depth=2, enough=1)
    assert (found.precision, found.most, found.known, found.interval) == (0.5, 0.5, 1.0, None)


def test_documents_at_one_rank_share_the_place(tmp_path: Path) -> None:
    """Two lists under one name: of the one place, a and b have half each, and only a is clicked."""
    rows = [query("q", "dinner"), *shown("q", ["a"]), *shown("q", ["b"], 1), event("click", "q", "a", 1, 2)]
    (found,) = inferred_precision(make_log(tmp_path, rows), depth=1, enough=1)
    assert (found.precision, found.most, found.known) == (0.5, 1.0, 1.0)
