"""A log that is written as UBI and imported again is the same log; only names of users and sessions are others."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from cranfield.errors import UsageError
from cranfield.logs.exporting import export_ubi
from cranfield.logs.importing import Ways, import_files
from cranfield.logs.settling import Rules
from tests.logs.making import event, query, shown, tables, write

PEOPLE = ("user_id", "session_id", "user_number", "session_number")


def there_and_back(source: Path, folder: Path, packed: str = ".gz", **ways: Any) -> tuple[Path, Path]:
    """A log of a file, and one of what it is exported to."""
    import_files([source], folder / "log", Ways(salt="pepper", **ways), Rules())
    export_ubi(folder / "log", folder / f"out.ndjson{packed}")
    import_files([folder / f"out.ndjson{packed}"], folder / "again", Ways(salt="pepper"), Rules())
    return folder / "log", folder / "again"


def assert_same(one: Path, other: Path) -> None:
    """All columns of all rows but the names of people; and these are others, one for one."""
    renamed: dict[str, Counter[tuple[Any, Any]]] = {name: Counter() for name in PEOPLE}
    here, there = tables(one), tables(other)
    for name in here:
        sides = (sorted(map(unnamed, side[name]), key=lambda row: row[0]) for side in (here, there))
        pairs = zip(*sides, strict=True)
        for (left, old), (right, new) in pairs:
            assert left == right
            for column, pair in zip(PEOPLE, zip(old, new, strict=True), strict=True):
                renamed[column][pair] += 1
    for column, pairs_seen in renamed.items():
        assert len({old for old, _ in pairs_seen}) == len({new for _, new in pairs_seen}) == len(pairs_seen), column


def unnamed(row: dict[str, Any]) -> tuple[str, tuple[Any, ...]]:
    people = tuple(row.pop(name) for name in PEOPLE)
    return json.dumps(row, sort_keys=True), people


def test_a_log_goes_round(tmp_path: Path) -> None:
    rows = [
        query("q1", "Soup", session_id="s1", application="shop", query_attributes={"result_count": 40}),
        *shown("q1", ["d2", "d1"]),
        event("item_click", "q1", "d1", 2, 3.25),
        event("purchase", "q1", "d1", 2, 9),
        query("q2", "Bread", 4000, client_id="bob", query_response_hit_ids=["d3", "d1"]),
        query("q3", "nothing", 9000, client_id="bob", query_response_hit_ids=[]),
        query("q4", "unknown", 86_399.5, client_id=None),
        event("click", None, "d7", 3, 5, user_query="lonely"),
        event("click", "q2", "d3", None, 86_500),
        event("login", "gone", None, None, 7),
    ]
    rows[3]["event_attributes"] |= {"dwell_time": 1.5}
    rows[4]["event_attributes"]["object"]["price"] = 19.99
    rows[1]["event_attributes"]["object"]["object_id_type"] = "advertisement"
    log, again = there_and_back(write(tmp_path / "source.ndjson", rows), tmp_path)
    assert len(tables(log)["queries"]) == 4
    assert {row["value"] for row in tables(log)["events"]} == {None, 19.99}
    assert_same(log, again)


@pytest.mark.real_data
def test_chorus_goes_round(real_data: Path, tmp_path: Path) -> None:
    log, again = there_and_back(real_data / "ubi_chorus" / "ubi_queries_events.ndjson", tmp_path, rank_base={"": 0})
    counts = {name: len(rows) for name, rows in tables(again).items()}
    assert counts == {"queries": 284, "impressions": 2336, "events": 1446}
    assert_same(log, again)


@pytest.mark.real_data
def test_lists_go_round(real_data: Path, tmp_path: Path) -> None:
    log, again = there_and_back(real_data / "clicks" / "pyclick" / "oneQueryTrain", tmp_path, ".zst", format="pyclick")
    assert_same(log, again)


def test_lines_are_ubi(tmp_path: Path) -> None:
    """As the schemas of UBI 1.3 name things: https://github.com/o19s/ubi."""
    source = write(tmp_path / "source.ndjson", [query("q1", "Soup"), *shown("q1", ["d1"])])
    import_files([source], tmp_path / "log", Ways(salt="pepper"), Rules())
    assert export_ubi(tmp_path / "log", tmp_path / "out.ndjson") == 2
    asked, seen = map(json.loads, (tmp_path / "out.ndjson").read_text().splitlines())
    people = {name: asked.pop(name) for name in ("client_id", "session_id")}
    assert asked == {
        "query_id": "q1",
        "user_query": "soup",
        "timestamp": "2026-03-01T00:00:00.000Z",
        "query_response_hit_ids": ["d1"],
    }
    assert people.items() <= seen.items()
    assert seen["event_attributes"] == {"object": {"object_id": "d1"}, "position": {"ordinal": 1}}


def test_what_is_no_log_is_not_exported(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="this is no log"):
        export_ubi(tmp_path / "nowhere", tmp_path / "out.ndjson")
