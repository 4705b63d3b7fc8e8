"""Queries put again, against loops, and lists in a new order by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from cranfield.errors import DataError
from cranfield.logs.personal import personal
from tests.logs.making import make_log, query
from tests.logs.small_world import Page, log_of, pages_at_random


@pytest.mark.parametrize("seed", [1, 2])
def test_against_a_loop(tmp_path: Path, seed: int) -> None:
    pages = pages_at_random(seed, users=12)
    found = personal(log_of(tmp_path, pages))
    last, history = dict[tuple[str, str], int](), dict[tuple[str, str], set[str]]()
    pauses, changes, clicked, same = [], list[tuple[str, float, float]](), 0, 0
    for page in pages:
        who = page.user, page.text
        own = history.setdefault(who, set())
        if who in last:
            pauses.append(page.seconds - last[who])
            if page.clicked:
                new = [d for d in page.documents if d in own] + [d for d in page.documents if d not in own]
                before, after = (max(1 / (order.index(d) + 1) for d in page.clicked) for order in (page.documents, new))
                changes.append((page.user, before, after))
                clicked += bool(own)
                same += bool(own & {*page.clicked})
        last[who] = page.seconds
        own |= {*page.clicked}
    repeated, users, again = found.shares
    assert (repeated.part, repeated.of) == (len(pauses), len(pages))
    assert (again.part, again.of) == (same, clicked)
    assert users.of == len({page.user for page in pages})
    limits = (60, 3600, 86_400, 604_800, 10**9)
    counted = [sum(pause <= limit for pause in pauses) for limit in limits]
    assert [row.number for row in found.pauses] == np.diff(counted, prepend=0).tolist()
    gain = found.gain
    assert gain is not None
    assert (gain.queries, gain.users) == (len(changes), len({user for user, *_ in changes}))
    assert gain.before == pytest.approx(np.mean([before for _, before, _ in changes]))
    assert gain.after == pytest.approx(np.mean([after for *_, after in changes]))
    assert gain.better == sum(after > before for _, before, after in changes)
    assert gain.worse == sum(after < before for _, before, after in changes)
    assert gain.same == gain.queries - gain.better - gain.worse


def twice(user: str, first: str, second: str) -> list[Page]:
    """Somebody who puts a query twice, and clicks one of three documents each time."""
    at = 10_000 * int(user[1:])
    return [
        Page(f"{user}a", user, "soup", at, ("a", "b", "c"), (first,)),
        Page(f"{user}b", user, "soup", at + 100, ("a", "b", "c"), (second,)),
    ]


def test_the_own_document_comes_first(tmp_path: Path) -> None:
    found = personal(log_of(tmp_path, twice("u1", "c", "c"))).gain
    assert found is not None
    assert [found.before, found.after] == pytest.approx([1 / 3, 1.0])  # c from rank 3 to rank 1
    assert (found.better, found.worse, found.interval) == (1, 0, None)


def test_another_document_is_pushed_down(tmp_path: Path) -> None:
    found = personal(log_of(tmp_path, twice("u1", "c", "b"))).gain
    assert found is not None
    assert [found.before, found.after] == pytest.approx([1 / 2, 1 / 3])  # c, a, b


def test_the_interval_is_over_users(tmp_path: Path) -> None:
    """Half of 40 users gain 1 - 1/3, half lose 1/2 - 1/3: a mean of 1/4 with a standard error of (5/12) / sqrt(40)."""
    pages = [page for n in range(40) for page in twice(f"u{n}", "c", "cb"[n % 2])]
    found = personal(log_of(tmp_path, pages)).gain
    assert found is not None
    assert found.difference == pytest.approx((2 / 3 - 1 / 6) / 2)
    assert found.interval is not None
    reach = 1.96 * (5 / 12) / 40**0.5
    assert found.interval.lower == pytest.approx(0.25 - reach, abs=0.03)
    assert found.interval.upper == pytest.approx(0.25 + reach, abs=0.03)


def test_a_log_without_users_and_one_without_lists(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    with pytest.raises(DataError, match="does not say who put its queries"):
        personal(make_log(tmp_path / "one", [query("q1", "soup", client_id=None)]))
    found = personal(make_log(tmp_path, [query("q1", "soup"), query("q2", "soup", 50)]))
    assert found.gain is None
    assert found.shares[0][1:3] == (1, 2)
    assert found.shares[2].value is None
    assert found.notes == ("no gain is given: no list that was shown for a query put again is known and has a click",)


def test_a_history_that_moves_nothing(tmp_path: Path) -> None:
    pages = [page for n in range(12) for page in twice(f"u{n}", "a", "a")]
    found = personal(log_of(tmp_path, pages))
    assert found.gain is not None
    assert found.gain.interval is None
    assert "nobody's history would have moved" in found.notes[0]
