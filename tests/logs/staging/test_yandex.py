"""Sessions as in Yandex' challenges."""

from __future__ import annotations

from pathlib import Path

import pytest

from cranfield.logs.importing import Ways, import_files
from tests.logs.making import imported, tables, write

YANDEX = ["1\t0\tQ\tsoup\t0\td1\td2", "2\t0\tQ\tbread\t0\td3", "1\t5\tQ\ttea\t0\td4", "1\t3\tC\td2", "1\t9\tC\td4",
          "2\t4\tC\td3", "3\t1\tC\td1"]  # fmt: skip


@pytest.mark.parametrize("batch", [8, 24, 1 << 20])
def test_a_click_finds_its_query_in_an_earlier_batch(tmp_path: Path, batch: int) -> None:
    """The click after 3 s belongs to the query after 0 s, though that after 5 s stands before it."""
    found = imported(write(tmp_path / "yandex.txt", YANDEX), tmp_path / "log", format="yandex", batch=batch)
    assert found.rejected == {"a click before any query": 1}
    clicked = {(row["text"], row["document_id"], row["rank"]) for row in tables(tmp_path / "log")["events"]}
    assert clicked == {("soup", "d2", 2), ("tea", "d4", 1), ("bread", "d3", 1)}


def test_sessions_of_two_files_are_two_and_those_of_a_file_that_has_grown_are_the_same(tmp_path: Path) -> None:
    """Files count their sessions from 1, each anew."""
    rows = ["1\t0\tQ\tsoup\t0\td3\td4", "1\t5\tC\td4"]
    one = write(tmp_path / "one", ["1\t0\tQ\tsoup\t0\td1\td2", "1\t5\tC\td2"])
    two, grown = write(tmp_path / "two", rows), write(tmp_path / "grown", [*rows, "2\t0\tQ\ttea\t0\td5"])
    found = import_files([one, two, grown], tmp_path / "log", Ways("yandex", salt="pepper")).record
    assert found.rows == {"queries": 3, "impressions": 5, "events": 2}
    assert (found.notes["clicks on documents that were not shown"], found.times) == (0, "within")
    assert len({row["user_id"] for row in tables(tmp_path / "log")["queries"]}) == 3
