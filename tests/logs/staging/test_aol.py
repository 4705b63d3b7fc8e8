"""Rows as in AOL's log."""

from __future__ import annotations

from pathlib import Path

from cranfield.logs.folder import LogFolder
from tests.logs.making import imported, tables, write


def test_aol_rows_are_queries_with_or_without_a_click(tmp_path: Path) -> None:
    source = write(
        tmp_path / "aol.txt",
        [
            "AnonID\tQuery\tQueryTime\tItemRank\tClickURL",
            "142\tSoup\t2006-03-01 07:17:12",
            "142\tbread\t2006-03-01 07:18:12\t1\thttp://a",
            "142\tbread\t2006-03-01 07:18:12\t3\thttp://b",
            "142\tbread\t2006-03-01 07:18:12\t3",
            "142\t-\t2006-03-01 07:18:12\t\t",
            "142\tbread\tMarch\t\t",
            "142\tbread\t2006-03-01 07:18:12\tx\thttp://b",
        ],
    )
    found = imported(source, tmp_path / "log", format="aol")
    assert found.rejected == {
        "not 3 or 5 columns": 1, "no Query": 1, "QueryTime cannot be read": 1, "ItemRank is no rank": 1,
    }  # fmt: skip
    rows = tables(tmp_path / "log")
    assert sorted((row["text"], row["clicks"], row["first_rank"]) for row in rows["queries"]) == [
        ("bread", 2, 1),
        ("soup", 0, None),
    ]
    rejected = LogFolder(tmp_path / "log").rejected(found).read_text()
    assert "142" not in rejected
    assert "March" in rejected
