"""Tables of every kind say the same; what cannot be read says where and why."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from cranfield.errors import DataError, FormatError, UsageError
from cranfield.logs.folder import LogFolder
from cranfield.logs.staging.columns import Columns, parse_columns
from tests.logs.making import BEGIN, imported, tables, write

CELLS = [
    {"id": "q1", "who": "ann", "when": "2026-03-01T00:00:00Z", "words": 'Soup, "hot"', "doc": "", "at": "", "did": ""},
    {"id": "q1", "who": "ann", "when": "2026-03-01T00:00:00Z", "words": "", "doc": "d1", "at": "1", "did": ""},
    {"id": "q1", "who": "ann", "when": "2026-03-01T00:00:03Z", "words": "", "doc": "d1", "at": "1", "did": "click"},
]
MAPPING = "query_id=id,user=who,time=when,query=words,document=doc,rank=at,action=did"


def csv(path: Path, separator: str = ",") -> Path:
    quoted = (lambda cell: '"' + cell.replace('"', '""') + '"') if separator != "\t" else str
    rows = [list(CELLS[0]), *(list(row.values()) for row in CELLS)]
    path.write_text("".join(separator.join(map(quoted, row)) + "\r\n" for row in rows))
    return path


def parquet(path: Path) -> Path:
    import pyarrow as pa
    import pyarrow.parquet

    columns = {name: [row[name] or None for row in CELLS] for name in CELLS[0]}
    columns["at"] = [int(place) if place else None for place in columns["at"]]  # type: ignore[misc]
    table = pa.table(columns)
    times = pa.array([BEGIN, BEGIN, BEGIN + 3000], pa.timestamp("ms", "UTC"))
    pyarrow.parquet.write_table(table.set_column(2, "when", times), path)
    return path


def json_lines(path: Path) -> Path:
    return write(path, [{**row, "inside": {"words": row["words"]}} for row in CELLS])


@pytest.mark.parametrize(
    ("make", "name", "mapping", "packed"),
    [
        (csv, "table.csv", MAPPING, False),
        (lambda path: csv(path, ";"), "table.csv", MAPPING, True),
        (lambda path: csv(path, "\t"), "table.tsv", MAPPING, False),
        (parquet, "table.parquet", MAPPING, False),
        (parquet, "table.parquet", MAPPING, True),
        (json_lines, "table.jsonl", MAPPING.replace("query=words", "query=inside.words"), True),
    ],
)
def test_tables_of_every_kind_say_the_same(tmp_path: Path, make: Any, name: str, mapping: str, packed: bool) -> None:
    source = make(tmp_path / name)
    if packed:
        source.write_bytes(gzip.compress(source.read_bytes()))
    found = imported(source, tmp_path / "log", format="table", columns=parse_columns(mapping))
    assert (found.read, found.kept) == (3, {"query": 1, "impression": 1, "event": 1})
    (asked,), (seen,), (done,) = tables(tmp_path / "log").values()
    assert (asked["text"], asked["time_ms"], asked["clicks"], asked["first_click_ms"]) == (
        'soup, "hot"',
        BEGIN,
        1,
        3000,
    )
    assert (seen["document_id"], seen["rank"], seen["clicks"]) == ("d1", 1, 1)
    assert (done["action"], done["query_id"], done["rank"]) == ("click", "q1", 1)


def test_every_column_can_be_mapped_or_be_a_text_for_all(tmp_path: Path) -> None:
    source = write(
        tmp_path / "table.jsonl",
        [
            {"a": "q1", "b": "s1", "c": "u1", "d": BEGIN, "e": "Soup", "f": 7, "g": ["d1", "d2"], "h": "query"},
            {"a": "q1", "b": "s1", "c": "u1", "d": BEGIN + 1000, "h": "event", "i": "d2", "j": 2, "l": 1500, "m": 9.5},
        ],
    )
    said = """
[columns]
query_id = "a"
session = "b"
user = "c"
time = "d"
query = "e"
results = "f"
hits = "g"
kind = "h"
document = "i"
rank = "j"
dwell_ms = "l"
value = "m"
[fixed]
application = "shop"
action = "purchase"
"""
    (tmp_path / "columns.toml").write_text(said)
    columns = parse_columns(str(tmp_path / "columns.toml"))
    imported(source, tmp_path / "log", format="table", columns=columns)
    (asked,), seen, (done,) = tables(tmp_path / "log").values()
    assert (asked["application"], asked["results"], asked["shown"]) == ("shop", 7, 2)
    assert {(row["document_id"], row["rank"]) for row in seen} == {("d1", 1), ("d2", 2)}
    wanted = {"action": "purchase", "dwell_ms": 1500, "value": 9.5, "rank": 2, "shown": True}
    assert wanted.items() <= done.items()


def test_rows_of_a_table_are_rejected_each_with_its_reason(tmp_path: Path) -> None:
    source = tmp_path / "table.csv"
    source.write_bytes(
        b"time,query,rank,kind,user\n"
        b"2026-03-01,soup,1,query,zoe\n"
        b"2026-03-01,soup\n"
        b"yesterday,soup,1,query,zoe\n"
        b",soup,1,query,zoe\n"
        b"1970-01-01,soup,1,query,zoe\n"
        b"2026-03-01,,1,query,zoe\n"
        b"2026-03-01,soup,first,query,zoe\n"
        b"2026-03-01,soup,1,query2,zoe\n"
        b"2026-03-01,caf\xe9,1,query,zoe\n"
    )
    found = imported(source, tmp_path / "log", format="table")
    assert found.rejected == {
        "2 columns, where the first row has 5": 1,
        "time cannot be read": 1,
        "no time": 1,
        "time before 1990 or after 2100": 1,
        "query without words": 1,
        "rank is no rank": 1,
        "kind is none of query, impression, event": 1,
        "not UTF-8": 1,
    }
    assert (found.read, found.rows_kept) == (9, 1)
    rejected = [json.loads(row) for row in LogFolder(tmp_path / "log").rejected(found).read_text().splitlines()]
    assert [row["line"] for row in rejected] == list(range(3, 11))  # the names are row 1
    assert "zoe" not in json.dumps(rejected)


def test_a_parquet_file_of_another_schema_says_what_it_has_and_what_is_needed(tmp_path: Path) -> None:
    source = parquet(tmp_path / "table.parquet")
    with pytest.raises(DataError, match=r"has the columns id, who, when, words, doc, at, did, and needs one for time"):
        imported(source, tmp_path / "log", format="table")
    with pytest.raises(
        DataError, match=r"there is no column 'wen' for time. Did you mean when\? Its columns are id, who"
    ):
        imported(source, tmp_path / "log", format="table", columns=parse_columns("time=wen,query=words"))
    with pytest.raises(DataError, match="this is a Parquet file, not ubi: import it with --from table"):
        imported(source, tmp_path / "log")
    source.write_bytes(source.read_bytes()[:-9])
    with pytest.raises(FormatError, match="this Parquet file is damaged"):
        imported(source, tmp_path / "log", format="table", columns=parse_columns(MAPPING))


@pytest.mark.parametrize(
    ("said", "what"),
    [
        ("usr=who", r"'usr' is nothing that a log has. Did you mean user\?"),
        ("query", "expected NAME=COLUMN"),
        ("kind:=clicks", "kind is 'clicks'; expected query, impression, event"),
        ("nowhere.toml", "there is no such file"),
    ],
)
def test_a_mapping_that_is_wrong_says_so(said: str, what: str) -> None:
    with pytest.raises(UsageError, match=what):
        parse_columns(said)


def test_columns_may_have_any_name(tmp_path: Path) -> None:
    source = tmp_path / "table.csv"
    source.write_text('line,raw,valid"x,time\n1,soup,ann,2026-03-01\n')
    columns = Columns({"query": "raw", "query_id": "line", "user": 'valid"x'})
    imported(source, tmp_path / "log", format="table", columns=columns)
    assert [(row["text"], row["query_id"]) for row in tables(tmp_path / "log")["queries"]] == [("soup", "1")]


def test_names_of_columns_that_are_no_utf8_are_told(tmp_path: Path) -> None:
    source = tmp_path / "table.csv"
    source.write_bytes(b"p\xe9riode,query,time\n1,soup,2026-03-01\n")
    with pytest.raises(DataError, match="the names of its columns are no UTF-8"):
        imported(source, tmp_path / "log", format="table")


def test_a_quote_that_is_never_closed_takes_no_rows_away(tmp_path: Path) -> None:
    source = tmp_path / "table.csv"
    source.write_text('time,query\n2026-03-01,"two\nlines"\n2026-03-01,"soup\n2026-03-01,bread\n')
    with pytest.raises(FormatError, match="row 3 opens a quote that is never closed"):
        imported(source, tmp_path / "log", format="table")
    source.write_text('time,query\n2026-03-01,"two\nlines"\n2026-03-01,5" disk\n')
    assert imported(source, tmp_path / "log", format="table").rows_kept == 2


def test_times_may_be_fractions(tmp_path: Path) -> None:
    """As pandas writes whole numbers of a column in which some are missing."""
    source = tmp_path / "table.csv"
    source.write_text(f"time,query\n{BEGIN}.0,soup\n{BEGIN / 1000},bread\n")
    imported(source, tmp_path / "log", format="table")
    assert [row["time_ms"] for row in tables(tmp_path / "log")["queries"]] == [BEGIN, BEGIN]
