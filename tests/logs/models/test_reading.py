"""A log is reduced to its different pages, where it lies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cranfield.errors import DataError, ParameterError
from cranfield.logs.log import Log
from cranfield.logs.models.pages import Pages
from cranfield.logs.models.reading import LogPages, read_pages
from tests.logs.made_up import simulated
from tests.logs.making import event, make_log, query

Page = tuple[str, tuple[str | None, ...], tuple[bool, ...]]


def rows() -> Iterator[Any]:
    """soup: twice the same page and click, once without, once in another order; bread: once, of one document."""
    pages = [
        ("soup", ["d1", "d2"], [2]),
        ("soup", ["d1", "d2"], [2, 2]),
        ("soup", ["d1", "d2"], []),
        ("soup", ["d2", "d1", "d3"], [1, 3]),
        ("bread", ["d1"], [1]),
    ]
    for number, (text, documents, clicks) in enumerate(pages):
        yield query(f"q{number}", text, 100 * number, query_response_hit_ids=documents, client_id=f"user-{number}")
        for at, rank in enumerate(clicks):
            yield event("click", f"q{number}", documents[rank - 1], rank, 100 * number + at + 1)


def as_counted(found: LogPages, pages: Pages) -> Counter[Page]:
    """By text, documents and clicks, how often."""
    counted: Counter[Page] = Counter()
    for pair, clicked, views in zip(pages.pair.tolist(), pages.clicked.tolist(), pages.views.tolist(), strict=True):
        text = {found.texts[found.pair_text[each]] for each in pair if each >= 0}
        documents = tuple(None if each < 0 else found.documents[found.pair_document[each]] for each in pair)
        counted[text.pop(), documents, tuple(clicked)] += int(views)
    return counted


def test_pages_that_are_alike_are_counted(tmp_path: Path) -> None:
    found = read_pages(make_log(tmp_path, rows()), depth=3)
    assert as_counted(found, found.training) == {
        ("soup", ("d1", "d2", None), (False, True, False)): 2,
        ("soup", ("d1", "d2", None), (False, False, False)): 1,
        ("soup", ("d2", "d1", "d3"), (True, False, True)): 1,
        ("bread", ("d1", None, None), (True, False, False)): 1,
    }
    assert not len(found.held_out.views)
    assert found.training.pairs == 4  # three documents of soup, one of bread


def test_ranks_below_the_depth_are_not_looked_at(tmp_path: Path) -> None:
    found = read_pages(make_log(tmp_path, rows()), depth=1)
    assert as_counted(found, found.training) == {
        ("soup", ("d1",), (False,)): 3,
        ("soup", ("d2",), (True,)): 1,
        ("bread", ("d1",), (True,)): 1,
    }


def test_rare_queries_can_be_left_out(tmp_path: Path) -> None:
    found = read_pages(make_log(tmp_path, rows()), depth=1, least_views=2)
    assert found.texts == ["soup"]
    with pytest.raises(DataError, match="was put 9 times: click models need impressions"):
        read_pages(Log(tmp_path / "log"), least_views=9)


def test_sessions_are_held_out_whole_and_always_the_same(tmp_path: Path) -> None:
    simulated(tmp_path / "log", sessions=1500, days=1)
    log = Log(tmp_path / "log")
    few, many, whole = (read_pages(log, held_out=share) for share in (0.2, 0.5, 0.0))
    total = as_counted(whole, whole.training)
    for part, share in ((few, 0.2), (many, 0.5)):
        held, kept = as_counted(part, part.held_out), as_counted(part, part.training)
        assert held + kept == total
        assert held.total() / total.total() == pytest.approx(share, abs=0.05)
    assert as_counted(few, few.held_out) <= as_counted(many, many.held_out)  # which hold out more of the same


def test_impossible_wishes_are_refused(tmp_path: Path) -> None:
    log = make_log(tmp_path, rows())
    with pytest.raises(ParameterError, match="depth 61: expected 1 to 60"):
        read_pages(log, depth=61)
    with pytest.raises(ParameterError, match="held out 1: expected a share from 0 and below 1"):
        read_pages(log, held_out=1)
