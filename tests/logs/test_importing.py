"""Every row is kept or rejected with its reason, each file is imported once, and what is killed leaves nothing behind."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from cranfield.errors import DataError, FormatError, UsageError
from cranfield.logs.folder import LogFolder
from cranfield.logs.importing import Ways, import_files
from cranfield.logs.log import Log, Part
from cranfield.logs.settling import Rules
from tests.logs.making import event, make_log, query, shown, write

WAYS = Ways(salt="pepper")


def test_rows_are_kept_or_rejected_each_with_its_reason(tmp_path: Path) -> None:
    good = [query("q1", "Soup"), *shown("q1", ["d1", "d2"]), event("click", "q1", "d2", 2, 3)]
    bad = {
        '{"user_query": "cut off': "not JSON",
        '{"query_id": "q1"}': "neither action_name nor user_query",
        '{"action_name": "click"}': "no timestamp",
        '{"action_name": "click", "timestamp": "yesterday"}': "timestamp cannot be read",
        '{"action_name": "click", "timestamp": 4102444800000}': "timestamp before 1990 or after 2100",  # 2100-01-01
        '{"action_name": "impression", "timestamp": 1772323200000}': "impression without query_id",
        '{"action_name": "impression", "timestamp": 1772323200000, "query_id": "q1"}': "impression without object_id",
    }
    source = write(tmp_path / "source.ndjson", [*good, "", *bad])
    with source.open("ab") as out:
        out.write(b'{"user_query": "caf\xe9"}\n')
    found = import_files([source], tmp_path / "log", WAYS, Rules()).added[0]
    assert (found.read, found.rows_kept) == (len(good) + len(bad) + 1, len(good))
    assert found.rejected == dict.fromkeys([*bad.values(), "not UTF-8"], 1)
    side_file = next((tmp_path / "log" / "rejected").iterdir()).read_text().splitlines()
    rows = {row["raw"]: (row["line"], row["reason"]) for row in map(json.loads, side_file)}
    for place, (line, reason) in enumerate(bad.items(), len(good) + 2):
        assert rows[line] == (place, reason)


def test_times_in_every_form_are_the_same_time(tmp_path: Path) -> None:
    forms = [
        *(1772323200, "1772323200.0", 1772323200000, 1772323200000000, 1772323200000000000),
        *(
            "1772323200000.0",
            "2026-03-01T00:00:00z",
            "2026-03-01T00:00:00Z",
            "2026-03-01T01:00:00+01:00",
            "2026-03-01 00:00:00",
            "2026-02-28T19:00:00.000-0500",
        ),
    ]
    rows = [query(f"q{number}", "soup", timestamp=form) for number, form in enumerate(forms)]
    log = make_log(tmp_path, rows, Part(bots=True))
    assert log.run(log.queries.time_ms).to_pylist() == [1772323200000] * len(forms)


def test_times_without_a_zone_are_in_the_zone_that_is_named(tmp_path: Path) -> None:
    source = write(tmp_path / "source.ndjson", [query("q1", "soup", timestamp="2026-03-01 00:00:00")])
    import_files([source], tmp_path / "log", Ways(time_zone="Europe/Berlin", salt="pepper"), Rules())
    log = Log(tmp_path / "log")
    assert log.run(log.queries.time_ms).to_pylist() == [1772323200000 - 3600_000]  # an hour before midnight in UTC


def test_the_same_file_is_not_imported_twice(tmp_path: Path) -> None:
    source = write(tmp_path / "source.ndjson", [query("q1", "soup")])
    import_files([source], tmp_path / "log", WAYS, Rules())
    renamed = source.rename(tmp_path / "renamed.ndjson")
    again = import_files([renamed], tmp_path / "log", WAYS, Rules())
    assert (again.added, again.known, again.record.rows["queries"]) == ((), (str(renamed),), 1)


def test_a_file_that_has_grown_adds_what_is_new(tmp_path: Path) -> None:
    """The last line was being written when the file was imported first."""
    rows = [json.dumps(row) for row in (query("q1", "soup"), event("click", "q1", "d1", 1, 2), query("q2", "bread", 9))]
    source = tmp_path / "source.ndjson"
    source.write_text("\n".join(rows)[:-20])
    first = import_files([source], tmp_path / "log", WAYS)
    assert (first.added[0].rejected, first.record.rows["queries"]) == ({"not JSON": 1}, 1)
    grown = import_files([write(source, rows)], tmp_path / "log", WAYS)
    assert (grown.added[0].rejected, grown.record.rows["queries"], grown.record.rows["events"]) == ({}, 2, 1)
    assert grown.record.notes["said more than once"] == 2


def test_gzip_of_several_members_is_read_whole_and_one_that_is_cut_off_not_at_all(tmp_path: Path) -> None:
    one, two = (gzip.compress(json.dumps(query(name, "soup")).encode() + b"\n") for name in ("q1", "q2"))
    whole, cut = tmp_path / "whole.gz", tmp_path / "cut.gz"
    whole.write_bytes(one + two)
    cut.write_bytes(one + two[:-9])
    assert import_files([whole], tmp_path / "log", WAYS).record.rows["queries"] == 2
    with pytest.raises(FormatError, match="the compressed data is damaged or ends early"):
        import_files([cut], tmp_path / "log", WAYS)
    assert len(LogFolder(tmp_path / "log").read().sources) == 1


def test_the_same_rows_in_another_file_count_once(tmp_path: Path) -> None:
    rows = [query("q1", "soup"), *shown("q1", ["d1"]), event("click", "q1", "d1", 1, 2)]
    one = write(tmp_path / "one.ndjson", rows)
    two = tmp_path / "two.ndjson.gz"
    two.write_bytes(gzip.compress(b"".join(json.dumps(row).encode() + b"\n" for row in [*rows, query("q2", "bread")])))
    found = import_files([one, two], tmp_path / "log", WAYS, Rules()).record
    assert found.rows == {"queries": 2, "impressions": 1, "events": 1}
    assert found.notes["said more than once"] == 3


def test_clicks_in_a_later_file_meet_the_query(tmp_path: Path) -> None:
    one = write(tmp_path / "one.ndjson", [query("q1", "soup"), *shown("q1", ["d1", "d2"])])
    two = write(tmp_path / "two.ndjson", [event("click", "q1", "d2", 2, 5)])
    import_files([one], tmp_path / "log", WAYS, Rules())
    import_files([two], tmp_path / "log", WAYS, Rules())
    log = Log(tmp_path / "log")
    assert log.run(log.impressions.order_by("rank").clicks).to_pylist() == [0, 1]
    assert log.run(log.queries.first_click_ms).to_pylist() == [5000]


@pytest.mark.parametrize("base", [0, 1])
def test_the_first_rank_is_found_out(tmp_path: Path, base: int) -> None:
    rows = [event("impression", "q1", f"d{place}", place + base, 0) for place in range(3)]
    log = make_log(tmp_path, [query("q1", "soup"), *rows])
    assert log.run(log.impressions.order_by("rank").document_id).to_pylist() == ["d0", "d1", "d2"]
    assert log.run(log.impressions["rank"].min()).as_py() == 1


def test_ranks_from_0_and_1_in_one_file_are_refused_with_a_choice(tmp_path: Path) -> None:
    rows = [
        *(query(name, "soup", application=name) for name in ("shop", "blog")),
        event("impression", "shop", "d1", 0, 0, application="shop"),
        event("impression", "blog", "d1", 1, 0, application="blog"),
    ]
    source = write(tmp_path / "source.ndjson", rows)
    with pytest.raises(DataError, match="--rank-base blog=1 --rank-base shop=0"):
        import_files([source], tmp_path / "log", WAYS, Rules())
    with pytest.raises(DataError, match="for all; no application in it is called 'Shop'"):
        import_files([source], tmp_path / "log", Ways(rank_base={"Shop": 0}, salt="pepper"), Rules())
    import_files([source], tmp_path / "log", Ways(rank_base={"blog": 1, "shop": 0}, salt="pepper"), Rules())
    log = Log(tmp_path / "log")
    assert log.run(log.impressions["rank"]).to_pylist() == [1, 1]


def test_lists_from_0_and_1_in_one_application_are_refused(tmp_path: Path) -> None:
    rows = [event("impression", f"q{base}", "d1", base, 0) for base in (0, 1)]
    source = write(tmp_path / "source.ndjson", [query("q0", "soup"), query("q1", "soup"), *rows])
    with pytest.raises(DataError, match=r"1 lists begin with rank 0, and 1 with rank 1: .* --rank-base 0"):
        import_files([source], tmp_path / "log", WAYS, Rules())
    assert not LogFolder(tmp_path / "log").exists


def test_clicks_from_0_and_1_are_told_by_the_lists_of_their_queries(tmp_path: Path) -> None:
    """Every other query counts from 0: whichever is taken for right, the other half is one rank off."""
    rows = []
    for number in range(4):
        rows.append(query(f"q{number}", "soup", query_response_hit_ids=["d1", "d2", "d3"]))
        rows.append(event("click", f"q{number}", "d3", 2 + number % 2, 3))
    with pytest.raises(DataError, match=r"2 clicks begin with 0, and those of 2 with 1.*--rank-base 0 or 1"):
        import_files([write(tmp_path / "mixed.ndjson", rows)], tmp_path / "log", WAYS)
    assert not (tmp_path / "log").exists()
    source = write(tmp_path / "source.ndjson", rows[:2])
    assert import_files([source], tmp_path / "log", WAYS).added[0].rank_base == {"": 0}  # though none is at 0


def test_ranks_of_a_file_that_is_there_can_be_counted_anew(tmp_path: Path) -> None:
    log = make_log(tmp_path, [query("q1", "soup"), event("click", "q1", "d1", 1, 3)])
    assert log.run(log.events["rank"]).to_pylist() == [1]
    zero = Ways(rank_base={"": 0}, salt="pepper")
    again = import_files([tmp_path / "source.ndjson"], tmp_path / "log", zero)
    assert (again.added, again.known, again.recounted) == ((), again.recounted, (str(tmp_path / "source.ndjson"),))
    anew = Log(tmp_path / "log")
    assert anew.run(anew.events["rank"]).to_pylist() == [2]
    assert import_files([tmp_path / "source.ndjson"], tmp_path / "log", WAYS).recounted == ()


def test_one_bad_file_of_several_says_what_became_of_the_others(tmp_path: Path) -> None:
    good = write(tmp_path / "good.ndjson", [query("q1", "soup")])
    bad = write(tmp_path / "bad.ndjson", ["soup"])
    with pytest.raises(DataError, match="file 1 of 2, none of the 2 files was imported: leave it out"):
        import_files([bad, good], tmp_path / "log", WAYS)
    with pytest.raises(DataError, match="file 2 of 2, those before it were read"):
        import_files([good, bad], tmp_path / "log", WAYS)
    ended = import_files([good], tmp_path / "log", WAYS)
    assert (ended.went_on, ended.known, ended.record.rows["queries"]) == (True, (str(good),), 1)
    assert not import_files([good], tmp_path / "log", WAYS).went_on


def test_a_folder_of_other_things_stays_as_it_is(tmp_path: Path) -> None:
    source, folder = write(tmp_path / "source.ndjson", [query("q1", "soup")]), tmp_path / "papers"
    folder.mkdir()
    (folder / ".hidden").touch()
    (folder / "notes.txt").write_text("mine")
    with pytest.raises(UsageError, match=r"other things in it, such as 'notes.txt', and is no log; name a new"):
        import_files([source], folder, WAYS)
    assert {place.name for place in folder.iterdir()} == {".hidden", "notes.txt"}
    (folder / "notes.txt").unlink()
    assert import_files([source], folder, WAYS).record.rows["queries"] == 1


def test_several_rows_of_one_query_are_counted(tmp_path: Path) -> None:
    log = make_log(tmp_path, [query("q1", "printer toner"), query("q1", "printe", 1), query("q1", "print", 2)])
    assert log.run(log.queries.text).to_pylist() == ["printer toner"]
    what = "more rows of queries that are there by their query_id, of which the first words count"
    assert log.record.notes[what] == 2


def test_people_are_known_by_hashes_that_need_the_salt(tmp_path: Path) -> None:
    row = query("q1", "soup", user_id="ann@example.org", session_id="s-77")
    log = make_log(tmp_path, [row])
    told = b"".join(file.read_bytes() for file in (tmp_path / "log").rglob("*") if file.is_file())
    assert b"ann@example.org" not in told
    assert b"s-77" not in told
    (tmp_path / "other").mkdir()
    source = write(tmp_path / "other" / "source.ndjson", [row])
    import_files([source], tmp_path / "other" / "log", Ways(salt="cinnamon"), Rules())
    other = Log(tmp_path / "other" / "log")
    assert log.run(log.queries.user_id).to_pylist() != other.run(other.queries.user_id).to_pylist()


def test_rare_queries_are_left_out(tmp_path: Path) -> None:
    rows = [query(f"q{place}", "soup", client_id=f"user{place}") for place in range(3)]
    log = make_log(tmp_path, [*rows, query("q9", "my own name", client_id="ann")], anonymity=3)
    assert log.run(log.queries.text).to_pylist() == ["soup"] * 3


def test_queries_that_come_faster_than_people_type_are_those_of_bots(tmp_path: Path) -> None:
    rows = [query(f"q{place}", "soup", place, client_id="robot") for place in range(5)]
    rows += [query(f"p{place}", "soup", 60 * place, client_id="ann") for place in range(5)]
    # Within a minute, though not one by the clock; and a session, where no user is known.
    rows += [query(f"r{place}", "soup", 50 + 5 * place, client_id="late") for place in range(5)]
    rows += [query(f"s{place}", "soup", place, client_id=None, session_id="one") for place in range(5)]
    log = make_log(tmp_path, rows, bot_queries=4)
    assert set(log.run(log.queries.query_id).to_pylist()) == {f"p{place}" for place in range(5)}
    assert log.record.notes["queries of bots"] == 15


def test_queries_that_no_table_can_have_are_counted(tmp_path: Path) -> None:
    """Without a time there is no day to put them to; one of them has the time of its click."""
    rows = [{"query_id": name, "user_query": "soup", "client_id": "ann"} for name in ("q1", "q2", "q3")]
    log = make_log(tmp_path, [*rows, event("click", "q1", "d1", 1, 2), query("q4", "bread")])
    assert log.record.rows["queries"] == 2
    assert log.record.notes["queries without a time, which are in no table"] == 2


def test_sessions_are_those_of_the_source_or_end_after_silence(tmp_path: Path) -> None:
    rows = [query(f"q{minute}", "soup", 60 * minute) for minute in (0, 10, 45, 74, 110)]
    rows += [query(f"s{place}", "soup", 3600 * place, session_id="one", client_id="bob") for place in range(2)]
    log = make_log(tmp_path, rows)
    sessions = log.run(log.queries.order_by("query_id").select("query_id", "session_id")).to_pylist()
    found: dict[str, set[str]] = {}
    for row in sessions:
        found.setdefault(row["session_id"], set()).add(row["query_id"])
    # 35 and 36 minutes of silence end a session, 10 and 29 do not.
    assert sorted(map(sorted, found.values())) == [["q0", "q10"], ["q110"], ["q45", "q74"], ["s0", "s1"]]


def test_clicks_without_a_query_and_on_what_was_not_shown_are_counted(tmp_path: Path) -> None:
    rows = [
        query("q1", "soup", 10),
        *shown("q1", ["d1"], 10),
        event("click", "q1", "d9", 1, 12),
        event("click", None, "d1", 1, 13),
        event("click", "gone", "d1", 1, 14),
        event("click", "q1", "d1", 1, 5),
    ]
    notes = make_log(tmp_path, rows).record.notes
    assert notes["clicks on documents that were not shown"] == 1
    assert notes["clicks without a query"] == 2
    assert notes["events of a query that is not there"] == 1
    assert notes["events before their query"] == 1


def test_texts_are_normalised_once(tmp_path: Path) -> None:
    log = make_log(tmp_path, [query("q1", "  Cafe\u0301\t au   LAIT ")])
    assert log.run(log.queries.text).to_pylist() == ["caf\u00e9 au lait"]


def test_a_file_without_a_row_that_can_be_used_is_an_error(tmp_path: Path) -> None:
    source = write(tmp_path / "source.ndjson", ["AnonID\tQuery", "1\tsoup"])
    with pytest.raises(DataError, match=r"rows can be used \(2 not JSON; UBI is one JSON .*\): is it ubi\?"):
        import_files([source], tmp_path / "log", WAYS, Rules())


def test_what_is_no_log_is_said_to_be_none(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="this is no log: there is no such folder"):
        _ = Log(tmp_path / "nowhere").record


def test_chorus(real_data: Path, tmp_path: Path) -> None:
    """Counted by a few lines of Python over the file: 3,921 documents behind 3,921 lines that name their index."""
    source = real_data / "ubi_chorus" / "ubi_queries_events.ndjson"
    lines = [json.loads(line) for line in source.read_text().splitlines()]
    content = [line for line in lines if "index" not in line]
    assert (len(lines), len(content)) == (7842, 3921)
    found = import_files([source], tmp_path / "log", Ways(rank_base={"": 0}, salt="pepper"), Rules())
    one = found.added[0]
    assert (one.read, one.rows_kept, sum(one.rejected.values())) == (3921, 3915, 6)
    queries = [row for row in content if "action_name" not in row]
    asked = [row for row in queries if (row.get("user_query") or "").strip()]
    impressions = sum(row.get("action_name") == "impression" for row in content)
    assert one.kept == {"event": 3448 - impressions, "impression": impressions, "query": len(asked)}
    assert found.record.rows["queries"] == len({row["query_id"] for row in asked})
