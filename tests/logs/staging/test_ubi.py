"""What versions of UBI say in different ways is the same, and what cannot be is rejected."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cranfield.logs.folder import LogFolder
from tests.logs.making import event, imported, query, shown, tables, write


def test_ordinals_of_ubi_1_0_and_1_3_are_the_same(tmp_path: Path) -> None:
    def rows(new: bool) -> list[dict[str, Any]]:
        made = [query("q1", "soup"), *shown("q1", ["d1", "d2"]), event("click", "q1", "d2", 2, 3)]
        for row in made[1:]:
            place = row["event_attributes"]["position"]
            place["ordinal"] = place["ordinal"] if new else {"index": place["ordinal"]}
        return made

    for name, new in (("old", False), ("new", True)):
        imported(write(tmp_path / f"{name}.ndjson", rows(new)), tmp_path / name)
    assert tables(tmp_path / "old") == tables(tmp_path / "new")
    assert [row["rank"] for row in tables(tmp_path / "old")["events"]] == [2]


def test_numbers_that_cannot_be_are_rejected(tmp_path: Path) -> None:
    clicks = [event("click", "q1", "d1", 1, second) for second in range(5)]
    clicks[0]["event_attributes"]["position"]["ordinal"] = "third"
    clicks[1]["event_attributes"]["position"]["ordinal"] = -1
    clicks[2]["event_attributes"]["dwell_time"] = -0.5
    clicks[3]["event_attributes"]["position"]["ordinal"] = {"index": None}  # says nothing
    wrong = query("q2", "tea", query_attributes={"result_count": -1})
    found = imported(write(tmp_path / "source.ndjson", [query("q1", "soup"), *clicks, wrong]), tmp_path / "log")
    assert found.rejected == {"rank is no rank": 2, "dwell_time below 0": 1, "result_count below 0": 1}
    assert sorted(row["rank"] or 0 for row in tables(tmp_path / "log")["events"]) == [0, 1]


def test_blank_hits_are_none(tmp_path: Path) -> None:
    source = write(
        tmp_path / "source.ndjson", [query("q1", "soup", query_response_hit_ids=["d1", "", None, " ", "d2"])]
    )
    imported(source, tmp_path / "log")
    assert {(row["document_id"], row["rank"]) for row in tables(tmp_path / "log")["impressions"]} == {
        ("d1", 1),
        ("d2", 5),
    }


def test_rejected_rows_name_nobody_in_whatever_form(tmp_path: Path) -> None:
    rows: list[Any] = [
        query("q1", "soup"),
        {"client_id": "smith, zoe"},
        {"client_id": "null-zoe", "x": 1},
        {"client_id": ["a", "zoe"], "y": 2},
        {"user_id": {"name": "zoe"}},
        {"query": json.dumps({"client_id": ["zoe"]})},
        {"client_id": None, "session_id": 4711, "kept": True},
    ]
    found = imported(write(tmp_path / "source.ndjson", rows), tmp_path / "log")
    assert found.rejected == {"neither action_name nor user_query": 6}
    said = LogFolder(tmp_path / "log").rejected(found).read_text()
    assert not any(name in said for name in ("zoe", "smith", "4711"))
    assert '"client_id\\": null' in said
    assert '"kept\\": true' in said
