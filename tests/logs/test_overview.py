"""What is in a log, counted by hand beside each number, and by a loop in the test."""

from __future__ import annotations

import math
import random
from collections import Counter
from pathlib import Path
from statistics import NormalDist

import pytest

from cranfield.errors import DataError
from cranfield.logs.asked import named_by_many
from cranfield.logs.log import Log, Part
from cranfield.logs.overview import Counted, overview
from tests.logs.making import event, make_log, query, shown
from tests.logs.small_world import log_of, pages_at_random

DAY = 86_400


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    """Ann has two sessions on the first day, Bob one on the third, which the second has nothing of."""
    bob = {"client_id": "bob"}
    rows = [
        query("q1", "soup", 0),
        *shown("q1", ["a", "b"], 0),
        event("click", "q1", "a", 1, 5),
        event("click", "q1", "b", 2, 60),
        query("q2", "hot soup", 120),
        *shown("q2", ["a"], 120),
        query("q3", "soup", 3 * 3600, query_response_hit_ids=[]),
        query("q4", "soup", 2 * DAY, **bob),
        *shown("q4", ["a"], 2 * DAY, **bob),
        event("click", "q4", "a", 1, 2 * DAY + 30, **bob),
        query("q5", "iced tea", 2 * DAY + 60, **bob),
    ]
    return make_log(tmp_path_factory.mktemp("log"), rows)


def test_traffic(log: Log) -> None:
    total = overview(log).total
    assert (total.queries, total.sessions, total.users, total.clicks) == (5, 3, 2, 3)
    assert total.without_click == 3  # q2, q3, q5
    assert (total.without_results, total.known_results) == (1, 4)  # q3; of q5 nobody says what was found


def test_days_without_queries_are_no_days(log: Log) -> None:
    days = overview(log).days
    assert [(one.day, one.queries, one.users) for one in days] == [("2026-03-01", 3, 1), ("2026-03-03", 2, 1)]


def test_the_share_without_results_has_its_interval(log: Log) -> None:
    found = overview(log).without_results
    # Wilson's interval of 1 of 4 at z = 1.96 (Brown, Cai and DasGupta 2001, formula 4).
    z, n, p = 1.959964, 4, 0.25
    middle, half = (
        (p + z * z / 2 / n) / (1 + z * z / n),
        z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / 4 / n**2),
    )
    assert found.lower[0] == pytest.approx(middle - half, abs=1e-6)
    assert found.upper[0] == pytest.approx(middle + half, abs=1e-6)


def test_head_and_tail(log: Log) -> None:
    found = overview(log)
    assert [(one.text, one.times, one.users) for one in found.head] == [
        ("soup", 3, 2),
        ("hot soup", 1, 1),
        ("iced tea", 1, 1),
    ]
    assert found.head[0].clicked_share == pytest.approx(2 / 3)  # q1 and q4, not q3
    assert (found.texts, found.once, found.half) == (3, 2, 1)  # soup alone is 3 of 5
    assert [one.text for one in found.fruitless] == ["soup"]


def test_sessions_last_until_the_last_thing_that_happens(log: Log) -> None:
    found = overview(log)
    assert found.session_sizes == (Counted(1, 1), Counted(2, 2))
    assert found.queries_per_session == pytest.approx(5 / 3)
    # From the first query: 120 s to q2, 0 s of q3 alone, 60 s to q5. In the middle: 60 s.
    assert found.session_minutes == pytest.approx(1.0)


def test_long_sessions_are_counted_together(tmp_path: Path) -> None:
    rows = [query(f"q{number}", "soup", 60 * number, session_id="s") for number in range(12)]
    (one,) = overview(make_log(tmp_path, rows)).session_sizes
    assert (one, one.sizes) == (Counted(10, 1), "10+")


def test_words(log: Log) -> None:
    assert overview(log).words == (Counted(1, 3), Counted(2, 2))


def test_queries_of_few_people_are_counted_but_not_named(log: Log) -> None:
    found = overview(log, least_people=2)
    assert [one.text for one in found.head] == ["soup"]
    assert found.texts == 3
    assert named_by_many(log, ["soup", "hot soup", "bread"], 2) == {"soup"}
    assert named_by_many(log, ["hot soup"], 1) == {"hot soup"}


def test_people_are_sessions_where_users_are_unknown(tmp_path: Path) -> None:
    rows = [
        query("q1", "soup", 0, client_id=None, session_id="s1"),
        query("q2", "soup", 9, client_id=None, session_id="s2"),
        query("q3", "tea", 12, client_id=None, session_id="s2"),
    ]
    log = make_log(tmp_path, rows)
    found = overview(log, least_people=2)
    assert found.total.users is None
    assert [(one.text, one.users) for one in found.head] == [("soup", None)]


def test_what_rises_does_so_beyond_chance(tmp_path: Path) -> None:
    texts = [["soup"] * 20 + ["tea"] * 2 + ["rye"] * 11, ["soup"] * 20 + ["tea"] * 20 + ["rye"] * 9 + ["new"] * 3]
    rows = [
        query(f"q{day}-{number}", text, day * DAY + 60 * number)
        for day, asked in enumerate(texts)
        for number, text in enumerate(asked)
    ]
    found = overview(make_log(tmp_path, rows))
    (tea,) = found.rising  # `new` was put less than ten times, and rye fades no more than chance would have it
    assert found.fading == ()
    ratio = (20.5 / 52.5) / (2.5 / 33.5)
    # Three queries were put ten times: each interval is one of 1 - 0.05 / 3.
    reach = math.exp(NormalDist().inv_cdf(1 - 0.05 / 6) * math.sqrt(1 / 20.5 + 1 / 2.5))
    assert (tea.text, tea.before, tea.after) == ("tea", 2, 20)
    assert (tea.ratio, tea.low, tea.high) == pytest.approx((ratio, ratio / reach, ratio * reach))


def test_one_day_cannot_rise(tmp_path: Path) -> None:
    found = overview(make_log(tmp_path, [query("q1", "soup")]))
    assert (found.rising, found.fading) == ((), ())


def test_a_part_without_queries_is_an_error(log: Log) -> None:
    with pytest.raises(DataError, match="no queries in this part"):
        overview(Log(log.path, Part(since="2027-01-01")))


def test_against_a_loop(tmp_path: Path) -> None:
    pages = pages_at_random(7)
    found = overview(log_of(tmp_path, pages), named=3)
    times = Counter(page.text for page in pages)
    assert found.total.queries == len(pages)
    assert found.total.users == len({page.user for page in pages})
    assert found.total.without_click == sum(not page.clicked for page in pages)
    assert [(one.text, one.times) for one in found.head] == sorted(times.items(), key=lambda one: (-one[1], one[0]))[:3]
    done, half = 0, 0
    for number in sorted(times.values(), reverse=True):
        if 2 * done < len(pages):
            done, half = done + number, half + 1
    assert found.half == half


def test_chance_alone_makes_nothing_rise(tmp_path: Path) -> None:
    """Two hundred queries, each put in either half by the toss of a coin: of single intervals one in twenty would miss."""
    draws = random.Random(7)
    rows = [
        query(f"q{number}-{time}", f"text {number}", draws.randrange(2) * DAY + time)
        for number in range(200)
        for time in range(20)
    ]
    found = overview(make_log(tmp_path, rows, bot_queries=10_000))
    assert (found.rising, found.fading) == ((), ())
