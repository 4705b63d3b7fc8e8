"""Sessions as in Yandex' challenges."""

from __future__ import annotations

from pathlib import Path

import pytest

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
