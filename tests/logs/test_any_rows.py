"""Whatever a row says, it is kept or rejected, and never ends an import."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.logs.importing import Ways, import_files
from cranfield.logs.staging.columns import TARGETS
from tests.logs.making import event, query, shown, write

WAYS = Ways(salt="pepper")
NUMBERS = st.sampled_from([0, -1, 1.5, 1e300, 2**63, 10**18 * 9 + 10**18, -(2**70), 1772323200, "1e5", "NaN", "inf"])
TIMES = st.sampled_from(
    ["infinity", "-infinity", "epoch", "now", "today", "12:00", "2026-02-30", "2026-13-01T00:00:00Z", "2026-03-01T25:00Z",
     "2026-03-01T00:00:00+99:00", "2026-03-01T00:00:00+05:75", "20260301", "03/01/2026", "290000-01-01", "2026-03-01 Europe/Nowhere", "9999999999999999999", "1772323200"]
)  # fmt: skip
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TIMES | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["index", "object_id", "x"]), inner, max_size=2)
    ),
    max_leaves=4,
)
ATTRIBUTES = st.fixed_dictionaries(
    {},
    optional={
        "object": VALUES
        | st.fixed_dictionaries({}, optional={"object_id": VALUES, "price": VALUES, "object_detail": VALUES}),
        "position": VALUES | st.fixed_dictionaries({"ordinal": VALUES}),
        "dwell_time": VALUES,
        "result_count": VALUES,
        "session_id": VALUES,
    },
)
UBI = st.fixed_dictionaries(
    {},
    optional={
        "action_name": VALUES | st.sampled_from(["click", "impression"]),
        "timestamp": VALUES | st.just("2026-03-01T00:00:00Z"),
        "query_id": VALUES | st.just("q1"),
        "user_query": VALUES,
        "client_id": VALUES,
        "query_response_hit_ids": VALUES,
        "query_attributes": VALUES,
        "event_attributes": VALUES | ATTRIBUTES,
        "application": VALUES,
    },
)


@settings(max_examples=3)
@given(rows=st.lists(UBI, min_size=20, max_size=40))
def test_ubi(rows: list[dict[str, Any]]) -> None:
    check([query("q1", "soup"), *shown("q1", ["d1"]), *rows], WAYS)


@settings(max_examples=3)
@given(rows=st.lists(st.dictionaries(st.sampled_from(list(TARGETS)), VALUES), min_size=20, max_size=40))
def test_tables(rows: list[dict[str, Any]]) -> None:
    check([{"time": 1772323200, "query": "soup", "query_id": "q1"}, *rows], Ways("table", salt="pepper"))


@settings(max_examples=2)
@given(rows=st.lists(st.lists(VALUES | st.sampled_from(["Q", "C"]), max_size=7), min_size=20, max_size=40))
@pytest.mark.parametrize(
    ("format", "good"),
    [
        ("yandex", "1\t0\tQ\tsoup\t0\td1"),
        ("aol", "1\tsoup\t2006-03-01 07:17:12"),
        ("lists", '1\tsoup\t["d1"]\t[0]\t[1]'),
    ],
)
def test_cells(format: str, good: str, rows: list[list[Any]]) -> None:
    lines = ["\t".join(cell if isinstance(cell, str) else json.dumps(cell) for cell in row) for row in rows]
    check([good, *(line.replace("\n", " ").replace("\r", " ") for line in lines)], Ways(format, salt="pepper"))


def check(rows: list[Any], ways: Ways) -> None:
    with tempfile.TemporaryDirectory() as folder:
        source = write(Path(folder) / "source", rows)
        content = [line for line in source.read_bytes().split(b"\n") if line.strip(b" \t\r")]
        ways = Ways(ways.format, salt=ways.salt, rank_base={"": 1})
        (found,) = import_files([source], Path(folder) / "log", ways).added
        assert found.read == len(content)
        assert found.read == found.rows_kept + sum(found.rejected.values())


def test_wrong_times_are_rejected(tmp_path: Path) -> None:
    wrong = TIMES.elements[:-1]  # type: ignore[attr-defined]
    clicks = [event("click", "q1", time, 1, 3, timestamp=time) for time in wrong]
    (found,) = import_files([write(tmp_path / "source", [query("q1", "soup"), *clicks])], tmp_path / "log", WAYS).added
    assert found.kept == {"query": 1}
    assert sum(count for reason, count in found.rejected.items() if reason.startswith("timestamp ")) == len(wrong)
