"""Click-through, click deviation and clicks over expected clicks, by the arithmetic beside each number."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from cranfield.errors import DataError, UsageError
from cranfield.logs.clicks import click_deviation, clicks_by_listing, clicks_by_rank, shares_of
from cranfield.logs.log import Log, Part
from tests.logs.making import event, make_log, query, shown


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    """Four lists of a soup and a bread: the soup is clicked wherever it is, the bread once, at rank 1."""
    rows = []
    for number, (documents, clicked) in enumerate(
        (
            (["soup", "bread"], "soup"),
            (["bread", "soup"], "soup"),
            (["soup", "bread"], ""),
            (["bread", "soup"], "bread"),
        )
    ):
        name = f"q{number}"
        rows += [query(name, "dinner", number), *shown(name, documents, number)]
        rows += [event("click", name, clicked, documents.index(clicked) + 1, number + 0.5)] if clicked else []
    return make_log(tmp_path_factory.mktemp("log"), rows)


def test_click_through_by_rank(log: Log) -> None:
    found = clicks_by_rank(log)
    assert found.rank.tolist() == [1, 2]
    assert found.shown.tolist() == [4, 4]
    assert found.clicked.tolist() == [2, 1]  # rank 1: soup in the first list, bread in the last; rank 2: soup
    assert found.expected.tolist() == [0.5, 0.25]
    # Wilson's interval of 2 of 4: 0.1500, 0.8500 (Brown, Cai and DasGupta 2001, formula 4).
    assert (found.interval.lower[0].round(4), found.interval.upper[0].round(4)) == (0.15, 0.85)


def test_deviation_and_clicks_over_expected_clicks(log: Log) -> None:
    found = click_deviation(log, enough=1)
    assert found.document.tolist() == ["bread", "soup"]
    assert found.clicked.tolist() == [1, 2]
    assert found.expected.tolist() == [1.5, 1.5]  # each was shown twice at rank 1 and twice at rank 2
    assert found.coec.tolist() == pytest.approx([1 / 1.5, 2 / 1.5])
    assert found.deviation.tolist() == pytest.approx([1 / 4 - 1.5 / 4, 2 / 4 - 1.5 / 4])


def test_deviation_at_each_rank(log: Log) -> None:
    found = click_deviation(log, each_rank=True, enough=1)
    by_place = dict(zip(zip(found.document, found.rank.tolist(), strict=True), found.deviation.tolist(), strict=True))
    # O(d, p) - E(p): bread was clicked once of two times at rank 1, never at rank 2; soup once of two times at both.
    assert by_place == pytest.approx({("bread", 1): 0.0, ("bread", 2): -0.25, ("soup", 1): 0.0, ("soup", 2): 0.25})


def test_of_what_was_shown_rarely_nothing_is_said(log: Log) -> None:
    found = click_deviation(log, enough=5)
    assert np.isnan(found.coec).all()
    assert np.isnan(found.deviation).all()
    assert np.isnan(found.coec_interval.lower).all()


def test_a_log_that_does_not_say_what_was_shown(tmp_path: Path) -> None:
    log = make_log(tmp_path, [query("q1", "soup")])
    for analysis in (clicks_by_rank, clicks_by_listing, click_deviation):
        with pytest.raises(DataError, match="does not say which documents were shown"):
            analysis(log)


def test_a_part_that_has_no_queries(log: Log) -> None:
    for analysis in (clicks_by_rank, clicks_by_listing, click_deviation):
        with pytest.raises(DataError, match="no queries in this part"):
            analysis(Log(log.path, Part(since="2027-01-01")))


def test_more_documents_at_a_rank_than_queries_are_noted(log: Log, tmp_path: Path) -> None:
    assert clicks_by_rank(log).notes == []
    found = clicks_by_rank(make_log(tmp_path, [query("q", "soup"), *shown("q", ["a"]), *shown("q", ["b"], 1)]))
    assert found.notes[0].startswith("2 documents were shown at rank 1 for 1 query: some have several")


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Log:
    """Two lists of an ad, two products and something of no kind: 4 clicks, on the ad twice, a product, and that."""
    rows = []
    for name, clicked in (("q1", ("x", "a")), ("q2", ("x", "n"))):
        documents = {"x": "ad", "a": "product", "b": "product", "n": None}
        rows.append(query(name, "soup", 60 * (name == "q2")))
        for rank, (document, kind) in enumerate(documents.items(), 1):
            for action in ("impression", *(["click"] if document in clicked else [])):
                done = event(action, name, document, rank, 10 + 60 * (name == "q2"))
                if kind is not None:
                    done["event_attributes"]["object"]["object_id_type"] = kind
                rows.append(done)
    return make_log(tmp_path_factory.mktemp("shop"), rows)


def test_clicks_by_kind_of_listing(shop: Log) -> None:
    found = clicks_by_listing(shop)
    assert found.listing.tolist() == ["ad", None, "product"]
    assert (found.shown.tolist(), found.clicked.tolist()) == ([2, 2, 4], [2, 1, 1])
    assert found.of_clicks.tolist() == [0.5, 0.25, 0.25]
    # Wilson's interval of all of 2: from 2 / (2 + 1.96²) to 1.
    assert (found.interval.lower[0], found.interval.upper[0]) == (pytest.approx(2 / (2 + 1.959964**2)), 1.0)


def test_how_clicks_are_shared_between_ranks(shop: Log) -> None:
    assert clicks_by_rank(shop).of_clicks.tolist() == [0.5, 0.25, 0.0, 0.25]
    assert clicks_by_rank(shop, listing="product").of_clicks.tolist() == [1.0, 0.0]
    assert np.isnan(shares_of(np.array([0, 0]))).all()


def test_a_kind_of_listing_that_is_not_there(shop: Log, log: Log) -> None:
    with pytest.raises(UsageError, match=r"no listings of the kind 'adz'. Did you mean ad\? There are: ad, product"):
        clicks_by_rank(shop, listing="adz")
    with pytest.raises(UsageError, match="does not say which kind listings are of"):
        clicks_by_rank(log, listing="ad")
