"""What caches would save on a log: hits, milliseconds and peaks by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from cranfield.errors import DataError, ParameterError, UsageError
from cranfield.logs.caching import Costs, caching, read_requests
from cranfield.logs.log import Log, Part
from tests.logs.making import make_log, query
from tests.logs.small_world import log_of, pages_at_random

DAY = 86_400


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    """soup, bread, soup, soup of ann and bob; the last on another day."""
    asked = [("soup", "ann", 0), ("bread", "ann", 10), ("soup", "bob", 20), ("soup", "ann", DAY + 30)]
    rows = [query(f"q{at}", text, when, client_id=who) for at, (text, who, when) in enumerate(asked)]
    return make_log(tmp_path_factory.mktemp("log"), rows)


def test_queries_are_read_in_their_order_over_days(log: Log) -> None:
    found = read_requests(log)
    assert found.text.tolist() == [0, 1, 0, 0]
    assert found.user.tolist() == [0, 0, 1, 0]
    assert (found.time_ms - found.time_ms[0]).tolist() == [0, 10_000, 20_000, (DAY + 30) * 1000]


def test_hits_of_every_policy(log: Log) -> None:
    found = caching(log, sizes=(1, 2), kept_seconds=(20, DAY), costs=Costs(engine_ms=100, cache_ms=2))
    hits = {(row.policy, row.size, row.kept_seconds): row.hits for row in found.results}
    assert hits == {
        ("lru", 1, None): 1,  # the last soup
        ("lru", 2, None): 2,
        ("lfu", 1, None): 1,
        ("lfu", 2, None): 2,
        ("best", 1, None): 2,  # it does not take in bread
        ("best", 2, None): 2,
        ("personal", 1, None): 0,  # ann: soup, bread, soup
        ("personal", 2, None): 1,
        ("ttl", None, 20): 1,  # 20 seconds after it was fetched
        ("ttl", None, DAY): 1,  # but not a day and 30 seconds
        ("unlimited", None, None): 2,
    }
    assert (found.lru_sizes, found.lru_rates) == ((1, 2), (0.25, 0.5))


def test_latency_and_load(log: Log) -> None:
    (found,) = caching(log, ["unlimited"], costs=Costs(engine_ms=100, cache_ms=2)).results
    assert found.hit_rate == 2 / 4
    assert found.latency_ms == 2 + 100 * 2 / 4
    assert found.saved_hours == pytest.approx(2 * 0.1 / 3600)
    assert found.peak_minute == 2  # soup and bread, in the first minute
    assert caching(log, ["lru"]).peak_minute == 3


def test_personal_caches_against_a_loop(tmp_path: Path) -> None:
    pages = pages_at_random(3)
    log = log_of(tmp_path, pages)
    for size in (1, 2, 4):
        kept, hits = dict[str, list[str]](), 0
        for page in pages:
            own = kept.setdefault(page.user, [])
            hits += page.text in own
            kept[page.user] = [*(text for text in own if text != page.text), page.text][-size:]
        (found,) = caching(log, ["personal"], sizes=[size]).results
        assert found.hits == hits


def test_a_log_that_does_not_say_who_asked(tmp_path: Path) -> None:
    log = make_log(tmp_path, [query("q1", "soup", client_id=None), query("q2", "soup", 5, client_id=None)])
    found = caching(log, ["personal", "unlimited"])
    assert [(row.policy, row.hits) for row in found.results] == [("unlimited", 1)]
    assert found.left_out == ("personal: the log does not say who asked",)


def test_mistakes_are_said(log: Log) -> None:
    with pytest.raises(UsageError, match="Did you mean"):
        caching(log, ["lro"])
    with pytest.raises(ParameterError, match="room for 1"):
        caching(log, sizes=[0])
    with pytest.raises(DataError, match="no queries in this part"):
        caching(Log(log.path, Part(since="2031-01-01")))
