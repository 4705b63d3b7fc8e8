"""What is secret, dropped or removed is in no file of a log."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cranfield.errors import UsageError
from cranfield.logs.exporting import export_ubi
from cranfield.logs.importing import Ways, import_files
from cranfield.logs.log import Log
from cranfield.logs.renewing import forget, settle_anew
from tests.logs.making import event, make_log, on_disk, query, shown, tables, write

WAYS = Ways(salt="pepper")
DAY = 86_400


def test_rare_queries_are_gone_from_disk(tmp_path: Path) -> None:
    common = [query(f"q{place}", "soup", client_id=f"user{place}") for place in range(3)]
    rare = [
        query("q8", "my own name"),
        query(None, "my own house", client_id="bob"),  # type: ignore[arg-type]
        *shown("q8", ["secret-document"]),
        event("click", "q8", "secret-document", 1, 3, user_query="my own name"),
        event("click", None, "d1", 1, 4, user_query="my own garden"),
        '{"user_query": "my own typing',
    ]
    log = make_log(tmp_path, [*common, *rare], anonymity=3)
    assert log.run(log.queries.text).to_pylist() == ["soup"] * 3
    assert log.record.removed == {"rare queries, which too few users put": 2}
    assert log.record.sources[0].rejected == {"not JSON": 1}
    said = on_disk(tmp_path / "log")
    assert "my own" not in said
    assert "secret-document" not in said
    # What is gone does not come back, and what comes later is held to the same rule.
    later = write(tmp_path / "later.ndjson", [query("q9", "my own name", client_id=f"user{place}") for place in (1, 2)])
    import_files([later], tmp_path / "log", WAYS)
    log = Log(tmp_path / "log")
    assert log.run(log.queries.text).to_pylist() == ["soup"] * 3
    assert log.record.removed == {"rare queries, which too few users put": 3}
    assert "my own" not in on_disk(tmp_path / "log")


def test_rare_queries_are_told_by_users_and_not_by_rows(tmp_path: Path) -> None:
    rows = [query(f"q{place}", "my own name", 90 * place, client_id=f"user{place % 2}") for place in range(9)]
    make_log(tmp_path, [*rows, *(query(f"p{place}", "soup", client_id=f"user{place}") for place in range(3))])
    settle_anew(tmp_path / "log", lambda rules: replace(rules, anonymity=3))
    assert [row["text"] for row in tables(tmp_path / "log")["queries"]] == ["soup"] * 3
    assert "my own" not in on_disk(tmp_path / "log")


def test_where_no_users_are_known_rare_queries_cannot_be_told(tmp_path: Path) -> None:
    source = write(tmp_path / "source.ndjson", [query("q1", "soup"), query("q2", "soup", client_id="bob")])
    import_files([source], tmp_path / "log", replace(WAYS, drop=("user",)))
    with pytest.raises(UsageError, match="no row names a user"):
        settle_anew(tmp_path / "log", lambda rules: replace(rules, anonymity=2))
    assert len(tables(tmp_path / "log")["queries"]) == 2


def test_a_log_has_one_secret(tmp_path: Path) -> None:
    one, two = (write(tmp_path / f"{name}.ndjson", [query(name, "soup")]) for name in ("one", "two"))
    import_files([one], tmp_path / "log", WAYS)
    with pytest.raises(UsageError, match="hashed with another secret, and one person would count as two"):
        import_files([two], tmp_path / "log", Ways(salt="cinnamon"))
    assert import_files([two], tmp_path / "log", WAYS).record.rows["queries"] == 2


def test_the_secret_is_in_no_file(tmp_path: Path) -> None:
    rows = [query("q1", "soup", session_id="s1"), event("click", "q1", "d1", 1, 3), {"client_id": "zoe"}, "{"]
    source = write(tmp_path / "source.ndjson", rows)
    import_files([source], tmp_path / "log", Ways(salt="very secret"))
    export_ubi(tmp_path / "log", tmp_path / "log" / "out.ndjson")
    assert not any(b"very secret" in file.read_bytes() for file in (tmp_path / "log").rglob("*") if file.is_file())
    assert not any(name in on_disk(tmp_path / "log") for name in ("very secret", '"ann"', '"s1"', "zoe"))


def test_what_is_older_is_forgotten_on_disk_too(tmp_path: Path) -> None:
    rows = [
        query("q1", "old soup"),
        event("click", "q1", "old-document", 1, 5),
        query("q2", "new soup", DAY),
        *shown("q2", ["d1"], DAY),
        {"query_id": "q3", "user_query": "timeless old"},
        {"query_id": "q2", "user_query": "new soup"},
        '{"user_query": "old and broken',
    ]
    make_log(tmp_path, rows)
    record = forget(tmp_path / "log", "2026-03-02")
    assert record.rows == {"queries": 1, "impressions": 1, "events": 0}
    assert record.removed == {"records before 2026-03-02": 3}
    said = on_disk(tmp_path / "log")
    assert not any(text in said for text in ("old soup", "old-document", "timeless", "old and broken"))
    assert '"reason": "not JSON"' in said
    broken = event("impression", "q1", None, 1, 0, user_query="old soup")
    again = write(tmp_path / "again.ndjson", [query("q1", "old soup"), broken, query("q5", "newer", 2 * DAY)])
    found = import_files([again], tmp_path / "log", WAYS)
    older = "older than 2026-03-02: the log has forgotten that time"
    assert found.added[0].rejected == {older: 1, "impression without object_id": 1}
    assert found.record.rows["queries"] == 2
    assert "old soup" not in on_disk(tmp_path / "log")
    with pytest.raises(UsageError, match="'March' is no day"):
        forget(tmp_path / "log", "March")


def test_rejected_rows_of_files_without_older_rows_are_forgotten_too(tmp_path: Path) -> None:
    make_log(tmp_path, [query("q1", "soup", DAY), event("impression", "q1", None, 1, 0, user_query="old soup")])
    assert "old soup" in on_disk(tmp_path / "log")
    forget(tmp_path / "log", "2026-03-02")
    assert "old soup" not in on_disk(tmp_path / "log")


def test_all_can_be_forgotten(tmp_path: Path) -> None:
    make_log(tmp_path, [query("q1", "soup")])
    assert forget(tmp_path / "log", "2030-01-01").rows == {"queries": 0, "impressions": 0, "events": 0}
    log = Log(tmp_path / "log")
    assert log.run(log.queries.count()).as_py() == 0


def test_columns_are_dropped(tmp_path: Path) -> None:
    rows = [
        query("q1", "my own name", session_id="s1"),
        query("q2", "My own NAME", 5),
        event("buy", "q1", "d1", 1, 7),
        "{",
    ]
    rows[2]["event_attributes"]["object"]["price"] = 12345.5
    source = write(tmp_path / "source.ndjson", rows)
    import_files([source], tmp_path / "log", replace(WAYS, drop=("text", "user", "value")))
    found = tables(tmp_path / "log")
    assert {row["user_id"] for row in found["queries"]} == {None}
    assert len({row["text"] for row in found["queries"]}) == 1
    assert [row["value"] for row in found["events"]] == [None]
    said = on_disk(tmp_path / "log")
    assert "own name" not in said
    assert '"raw"' not in said
    with pytest.raises(UsageError, match=r"'usr' cannot be dropped. Did you mean user\?"):
        import_files([source], tmp_path / "log", replace(WAYS, drop=("usr",)))
    with pytest.raises(UsageError, match="ranks cannot be counted by application where the application is dropped"):
        import_files([source], tmp_path / "log", replace(WAYS, drop=("application",), rank_base={"shop": 0}))


def test_rejected_rows_name_nobody(tmp_path: Path) -> None:
    rows: list[Any] = [
        query("q1", "soup"),
        {"client_id": "zoe", "session_id": "s-77", "user_id": 4711, "query": '{"ext": {"client_id": "zoe"}}'},
        '{"client_id": "zoe\\u0301", "user_query": "soup',
        '{"user_query": "soup", "client_id": "zo',
    ]
    source = write(tmp_path / "source.ndjson", rows)
    import_files([source], tmp_path / "log", WAYS)
    said = next((tmp_path / "log" / "rejected").iterdir()).read_text()
    assert not any(name in said for name in ("zoe", "s-77", "4711", "0301", '"zo'))
    assert said.count("soup") == 2
    import_files([source], tmp_path / "other", replace(WAYS, raw=False))
    assert "soup" not in next((tmp_path / "other" / "rejected").iterdir()).read_text()
