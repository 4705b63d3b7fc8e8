"""What people do, counted by hand beside each number, and by a loop in the test."""

from __future__ import annotations

import statistics
from pathlib import Path

import pytest

from cranfield.errors import DataError
from cranfield.logs.behaviour import Behaviour, behaviour
from cranfield.logs.cohorts import Cohort
from cranfield.logs.importing import Ways, import_files
from cranfield.logs.log import Log, Part
from tests.logs.making import event, make_log, query, shown
from tests.logs.small_world import log_of, pages_at_random

DAY = 86_400


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Behaviour:
    """A search that ends well, one that is given up, one with nothing to click, one of which nothing is known."""
    rows = [
        query("q1", "hot soup", 0),
        *shown("q1", ["a", "b"], 0),
        event("click", "q1", "b", 2, 10),
        event("click", "q1", "a", 1, 50),
        event("purchase", "q1", "a", 1, 90),
        query("q2", "soup", 4000),
        *shown("q2", ["a", "b"], 4000),
        query("q3", "cold soup", 4060, query_response_hit_ids=[]),
        query("q4", "bread", 9000, client_id="bob"),
    ]
    return behaviour(make_log(tmp_path_factory.mktemp("log"), rows))


def test_clicked_and_abandoned_are_of_what_was_shown(found: Behaviour) -> None:
    assert found.share("queries with a click")[1:4] == (1, 2, 0.5)  # q1 of q1 and q2
    assert found.share("queries abandoned")[1:4] == (1, 2, 0.5)  # q2; q3 had nothing to click, q4 is not known
    assert found.share("clicks at rank 1")[1:4] == (1, 2, 0.5)
    assert any("of 1 of 4 queries the log does not say what was shown" in note for note in found.notes)
    assert any("1 queries had nothing to click" in note for note in found.notes)


def test_reciprocal_rank_of_the_highest_click(found: Behaviour) -> None:
    assert (found.reciprocal_rank, found.ranked) == (0.5, 2)  # 1 / 1 of q1, 0 of q2
    # 0.5 +- 1.96 sd / sqrt(2), where sd of 1 and 0 is sqrt(0.5): cut at 0 and 1.
    assert found.reciprocal_rank_interval == (0.0, 1.0)


def seconds(found: Behaviour, name: str) -> list[float]:
    return next(list(one.quantiles or ()) for one in found.spreads if one.name == name)


def test_seconds(found: Behaviour) -> None:
    assert seconds(found, "to the first click") == [10] * 4
    assert seconds(found, "of a search, from the query to its last click") == [50] * 4
    assert seconds(found, "of the session to its first success") == [90] * 4


def test_dwell_is_until_the_next_thing(found: Behaviour) -> None:
    # 40 s each: from the first click to the second, from the second to the purchase.
    assert found.share("satisfied clicks")[1:4] == (2, 2, 1.0)


def test_who_says_it_anew(found: Behaviour) -> None:
    assert found.share("queries said anew")[1:4] == (1, 4, 0.25)  # soup, then cold soup; hot soup was an hour before


def test_sessions_that_ended_well(found: Behaviour) -> None:
    assert found.share("sessions that ended well")[1:4] == (1, 3, 1 / 3)


def test_a_log_that_records_no_success_says_nothing_of_it(tmp_path: Path) -> None:
    found = behaviour(make_log(tmp_path, [query("q1", "soup"), *shown("q1", ["a"])]))
    assert found.share("sessions that ended well").value is None
    assert (
        "nothing in the log is called purchase or add_to_cart: it does not say which sessions ended well" in found.notes
    )
    assert found.reciprocal_rank_interval is None  # one query has no spread


def test_a_success_before_the_first_query_is_none_of_the_search(tmp_path: Path) -> None:
    rows = [
        event("purchase", None, "a", None, 0, session_id="s1"),
        query("q1", "soup", 10, session_id="s1"),
        query("q2", "tea", 900, session_id="s2"),
        event("purchase", "q2", "b", None, 960, session_id="s2"),
    ]
    found = behaviour(make_log(tmp_path, rows))
    assert found.share("sessions that ended well")[1:3] == (1, 2)
    assert seconds(found, "of the session to its first success") == [60] * 4


def test_each_kind_of_success_is_told_where_there_are_several(tmp_path: Path, found: Behaviour) -> None:
    rows = [
        query("q1", "soup", 0, session_id="s1"),
        event("add_to_cart", "q1", "a", 1, 30, session_id="s1"),
        event("purchase", "q1", "a", 1, 90, session_id="s1"),
        query("q2", "tea", 900, session_id="s2"),
        event("add_to_cart", "q2", "b", 1, 910, session_id="s2"),
        query("q3", "rye", 1800, session_id="s3"),
    ]
    several = behaviour(make_log(tmp_path, rows))
    assert several.share("sessions that ended well")[1:3] == (2, 3)
    assert several.share("sessions with purchase")[1:3] == (1, 3)  # s1
    assert several.share("sessions with add_to_cart")[1:3] == (2, 3)  # s1 and s2
    assert seconds(several, "of the session to its first purchase") == [90] * 4
    assert seconds(several, "of the session to its first add_to_cart") == [15, 20, 25, 28]  # between 10 and 30
    assert not [one.name for one in found.shares if one.name.startswith("sessions with")]  # purchases only


def test_a_log_that_does_not_say_what_was_shown_says_the_rest(tmp_path: Path) -> None:
    found = behaviour(make_log(tmp_path, [query("q1", "soup"), query("q2", "hot soup", 60)]))
    assert found.share("queries abandoned").value is None
    assert found.reciprocal_rank is None
    assert found.share("queries said anew")[1:3] == (1, 2)


def test_clicks_at_unknown_ranks_are_not_taken_for_none(tmp_path: Path) -> None:
    rows = [
        query("q1", "soup", 0, query_response_hit_ids=["a", "b"]),
        event("click", "q1", "c", None, 5),
        query("q2", "soup", 4000, query_response_hit_ids=["a", "b"]),
        event("click", "q2", "b", 2, 4005),
    ]
    found = behaviour(make_log(tmp_path, rows))
    assert found.share("queries with a click")[1:3] == (2, 2)
    assert (found.reciprocal_rank, found.ranked) == (0.5, 1)


def test_two_documents_at_rank_1_are_one_list(tmp_path: Path) -> None:
    first = [event("impression", "q1", document, 1, 0) for document in ("a", "b")]
    found = behaviour(make_log(tmp_path, [query("q1", "soup"), *first, event("click", "q1", "b", 1, 5)]))
    assert found.share("clicks at rank 1")[1:3] == (1, 1)


def test_cohorts_are_followed_through_whole_weeks_only(tmp_path: Path) -> None:
    """The log has 17 days: two whole weeks, and three days of a third."""
    days = {"ann": (0, 8, 16), "bob": (1,), "cid": (9, 15), "dan": (16,)}
    rows = [
        query(f"{user}-{day}", "soup", day * DAY + 3600, client_id=user) for user, each in days.items() for day in each
    ]
    found = behaviour(make_log(tmp_path, rows))
    # Weeks begin on the first day of the log, at midnight. Cid and Ann came in the third week, which has not ended.
    assert found.cohorts == (
        Cohort("2026-03-01", 2, (1,)),
        Cohort("2026-03-08", 1, ()),
        Cohort("2026-03-15", 1, ()),
    )


def test_nobody_is_known(tmp_path: Path) -> None:
    assert behaviour(make_log(tmp_path, [query("q1", "soup", client_id=None, session_id="s")])).cohorts == ()


def test_no_queries(tmp_path: Path) -> None:
    log = make_log(tmp_path, [query("q1", "soup")])
    with pytest.raises(DataError, match="no queries in this part"):
        behaviour(Log(log.path, Part(until="2020-01-01")))


def test_against_a_loop(tmp_path: Path) -> None:
    pages = pages_at_random(3)
    found = behaviour(log_of(tmp_path, pages))
    clicked = [page for page in pages if page.clicked]
    assert found.share("queries with a click")[1:3] == (len(clicked), len(pages))
    assert found.share("clicks at rank 1").part == sum(page.documents[0] in page.clicked for page in pages)
    ranks = [min((1 + page.documents.index(one) for one in page.clicked), default=None) for page in pages]
    values = [0.0 if rank is None else 1 / rank for rank in ranks]
    assert found.reciprocal_rank == pytest.approx(statistics.fmean(values))
    reach = 1.96 * statistics.stdev(values) / len(values) ** 0.5
    low, high = statistics.fmean(values) - reach, statistics.fmean(values) + reach
    assert found.reciprocal_rank_interval == pytest.approx((low, high))
    anew, last = 0, dict[str, tuple[int, str]]()
    for page in pages:
        seconds, text = last.get(page.user, (-(10**9), ""))
        anew += page.seconds - seconds <= 300 and text != page.text and bool({*text.split()} & {*page.text.split()})
        last[page.user] = (page.seconds, page.text)
    assert found.share("queries said anew")[1:3] == (anew, len(pages))


def dwells(log: Log) -> dict[str, int | None]:
    """Milliseconds that people stayed, by the document they clicked."""
    clicks = log.events.filter(log.events.action == "click").select("document_id", "dwell_ms")
    return {row["document_id"]: row["dwell_ms"] for row in log.run(clicks).to_pylist()}


def test_who_asks_again_stays_no_longer(tmp_path: Path) -> None:
    rows = [
        query("q1", "soup", 0),
        event("click", "q1", "a", 1, 10),
        query("q2", "hot soup", 15),
        event("click", "q2", "b", 1, 75),
        query("q3", "tea", 20, client_id="bob"),
    ]
    assert dwells(make_log(tmp_path, rows)) == {"a": 5000, "b": None}  # 15 - 10; nothing follows b


def test_what_is_done_with_the_same_document_is_a_part_of_the_stay(tmp_path: Path) -> None:
    rows = [
        query("q1", "soup", 0),
        event("click", "q1", "a", 1, 10),
        event("add_to_cart", "q1", "a", 1, 10.05),
        event("click", "q1", "b", 2, 45),
        event("add_to_cart", "q1", "b", 2, 50),
        event("purchase", "q1", "b", 2, 80),
    ]
    assert dwells(make_log(tmp_path, rows)) == {"a": 35_000, "b": 35_000}  # 45 - 10; 80 - 45, as nothing else follows


def test_a_query_on_a_later_clock_does_not_end_the_stay_after_its_own_click(tmp_path: Path) -> None:
    rows = [query("q1", "soup", 12), event("click", "q1", "a", 1, 10), event("purchase", "q1", "a", 1, 50)]
    assert dwells(make_log(tmp_path, rows)) == {"a": 40_000}  # to the purchase


def test_of_documents_clicked_in_one_moment_nobody_knows_which_was_read(tmp_path: Path) -> None:
    rows = [
        query("q1", "soup", 0),
        event("click", "q1", "a", 1, 10),
        event("click", "q1", "b", 2, 10),
        event("click", "q1", "c", 3, 40),
        event("add_to_cart", "q1", "c", 3, 40),  # of the same document: nothing to choose between
        event("purchase", "q1", "c", 3, 100),
    ]
    assert dwells(make_log(tmp_path, rows)) == {"a": None, "b": None, "c": 60_000}


def test_clicks_with_the_time_of_their_query_have_none_of_their_own(tmp_path: Path) -> None:
    """As in AOL's log: neither how soon people clicked is known, nor how long they stayed."""
    source = tmp_path / "aol.txt"
    source.write_text(
        "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n"
        "7\tsoup\t2006-03-01 07:17:12\t1\thttp://a\n"
        "7\ttea\t2006-03-01 07:18:12\t2\thttp://b\n"
    )
    import_files([source], tmp_path / "log", Ways("aol", salt="pepper"))
    log = Log(tmp_path / "log")
    assert dwells(log) == {"http://a": None, "http://b": None}
    found = behaviour(log)
    assert [one.number for one in found.spreads] == [0, 0, 0, 0]
    assert found.share("satisfied clicks").of == 0


def test_the_order_of_clicks_is_known_only_where_the_source_has_it(tmp_path: Path) -> None:
    """Lists with 0 and 1 say what was clicked, those of pyclick also what before what; neither says when."""
    lists, ordered = tmp_path / "lists.tsv", tmp_path / "pyclick.tsv"
    lists.write_text('s1\tsoup\t0\t["a", "b"]\t[1, 1]\t[1, 1]\n')
    ordered.write_text("soup\ta,b:b,a;\n")
    known = {}
    for source, format in ((lists, "lists"), (ordered, "pyclick")):
        import_files([source], tmp_path / format, Ways(format, salt="pepper"))
        log = Log(tmp_path / format)
        rows = log.run(log.impressions.select("document_id", "click_ms")).to_pylist()
        known[format] = {row["document_id"]: row["click_ms"] for row in rows}
        found = behaviour(log)
        assert found.share("queries with a click")[1:3] == (1, 1)
        assert [one.number for one in found.spreads] == [0, 0, 0, 0]
    assert known["lists"]["a"] == known["lists"]["b"]
    assert known["pyclick"]["b"] < known["pyclick"]["a"]
