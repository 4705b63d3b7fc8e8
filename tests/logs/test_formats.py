"""Formats of files: what each says becomes the same records; what cannot be read says where and why."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from cranfield.errors import DataError, FormatError, UsageError
from cranfield.logs.folder import LogFolder, Source
from cranfield.logs.importing import Ways, import_files
from cranfield.logs.log import Log, Part
from cranfield.logs.settling import Rules
from cranfield.logs.staging.columns import Columns, parse_columns
from tests.logs.making import BEGIN, event, query, shown, write

SALT = "pepper"
ROWS: list[dict[str, Any]] = [
    query("q1", "Soup"),
    *shown("q1", ["d1", "d2"]),
    event("click", "q1", "d2", 2, 3),
    query("q2", "Bread [white]", 60, client_id="bob"),
]


def tables(log: Path) -> dict[str, list[dict[str, Any]]]:
    """All rows of a log, in an order of their own."""
    opened = Log(log, Part(bots=True))
    found = {name: opened.run(getattr(opened, name)).to_pylist() for name in ("queries", "impressions", "events")}
    return {name: sorted(rows, key=lambda row: json.dumps(row, sort_keys=True)) for name, rows in found.items()}


def imported(source: Path, log: Path, **ways: Any) -> Source:
    return import_files([source], log, Ways(**{"salt": SALT, **ways})).added[0]


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("batch", [64, 1 << 20])
def test_an_array_says_what_lines_say(tmp_path: Path, indent: int | None, batch: int) -> None:
    imported(write(tmp_path / "lines.ndjson", ROWS), tmp_path / "lines")
    array = tmp_path / "array.json.gz"
    array.write_bytes(gzip.compress(("\ufeff " + json.dumps(ROWS, indent=indent) + "\n").encode()))
    found = imported(array, tmp_path / "array", batch=batch)
    assert (found.read, found.rows_kept) == (len(ROWS), len(ROWS))
    assert tables(tmp_path / "array") == tables(tmp_path / "lines")


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ('[{"user_query": "a"},\n {"user_query": "b" "c"}]', ":2: column 21", "expecting ',' delimiter"),
        ('[{"user_query": "a"}\n{"user_query": "b"}]', ":2: column 1", "expected a comma or ], found '{'"),
        ('[{"user_query": "a"}\n', ":2: column 1", "the file ends before the ]"),
        ('[{"user_query": "a"}]\n[]', ":2: column 1", "there is more after the ]"),
        ('[{"user_query": "a', ":1: column 17", "unterminated string"),
    ],
)
@pytest.mark.parametrize("batch", [4, 1 << 20])
def test_a_broken_array_says_where(tmp_path: Path, text: str, where: str, what: str, batch: int) -> None:
    source = tmp_path / "array.json"
    source.write_text(text)
    with pytest.raises(FormatError) as raised:
        imported(source, tmp_path / "log", batch=batch)
    assert f"{where}: the JSON array is broken here: {what}" in str(raised.value)
    assert not LogFolder(tmp_path / "log").exists


def test_elements_of_an_array_that_are_no_utf8_are_rejected_alone(tmp_path: Path) -> None:
    source = tmp_path / "array.json"
    good = json.dumps(query("q1", "soup")).encode()
    source.write_bytes(b"[" + good + b', {"user_query": "caf\xe9"}, 7]')
    found = imported(source, tmp_path / "log")
    assert found.rejected == {"not UTF-8": 1, "neither action_name nor user_query": 1}
    assert found.read == found.rows_kept + 2 == 3


def test_an_empty_array_is_said_to_be_empty(tmp_path: Path) -> None:
    source = tmp_path / "array.json"
    source.write_text(" [ ] ")
    with pytest.raises(DataError, match="it is empty"):
        imported(source, tmp_path / "log")


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
    ("make", "name", "mapping"),
    [
        (csv, "table.csv", MAPPING),
        (lambda path: csv(path, ";"), "table.csv", MAPPING),
        (lambda path: csv(path, "\t"), "table.tsv", MAPPING),
        (parquet, "table.parquet", MAPPING),
        (json_lines, "table.jsonl", MAPPING.replace("query=words", "query=inside.words")),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
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


YANDEX = ["1\t0\tQ\tsoup\t0\td1\td2", "2\t0\tQ\tbread\t0\td3", "1\t5\tQ\ttea\t0\td4", "1\t3\tC\td2", "1\t9\tC\td4",
          "2\t4\tC\td3", "3\t1\tC\td1"]  # fmt: skip


@pytest.mark.parametrize("batch", [8, 24, 1 << 20])
def test_a_click_finds_its_query_in_an_earlier_batch(tmp_path: Path, batch: int) -> None:
    """The click after 3 s belongs to the query after 0 s, though that after 5 s stands before it."""
    found = imported(write(tmp_path / "yandex.txt", YANDEX), tmp_path / "log", format="yandex", batch=batch)
    assert found.rejected == {"a click before any query": 1}
    clicked = {(row["text"], row["document_id"], row["rank"]) for row in tables(tmp_path / "log")["events"]}
    assert clicked == {("soup", "d2", 2), ("tea", "d4", 1), ("bread", "d3", 1)}


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


def clicked_lists(text: str, end: str) -> list[tuple[list[str], list[str]]]:
    """Documents and clicks of each row, by another way than SQL."""
    found = []
    for row in filter(str.strip, text.split(end)):
        cells = row.strip().split("\t")
        if end == ";":
            sides = [[one.strip() for one in side.split(",") if one.strip()] for side in cells[1].split(":")]
            found.append((sides[0], sides[1]))
        else:
            lists = [json.loads(cell) for cell in cells if cell.startswith("[")]
            documents = list(map(str, lists[0]))
            found.append(
                (documents, [one for one, times in zip(documents, lists[2], strict=False) for _ in range(times)])
            )
    return found


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("name", "format", "rows", "shown", "clicks"),
    [
        ("clickmodels/click_log_sample.tsv", "lists", 3, 30, 4),
        ("pyclick/oneQueryTrain", "pyclick", 244, 2440, 297),
        ("pyclick/oneQueryTest", "pyclick", 269, 2690, 295),
        ("tiangong_demo/train_per_query_quid.txt", "lists", 2872, 28580, 1293),
        ("tiangong_demo/valid_per_query_quid.txt", "lists", 361, 3598, 152),
        ("tiangong_demo/test_per_query_quid.txt", "lists", 363, 3606, 165),
    ],
)
def test_published_lists(
    real_data: Path, tmp_path: Path, name: str, format: str, rows: int, shown: int, clicks: int
) -> None:
    source = real_data / "clicks" / name
    lists = clicked_lists(source.read_text(), ";" if format == "pyclick" else "\n")
    counted = (len(lists), sum(len(set(documents)) for documents, _ in lists), sum(len(done) for _, done in lists))
    assert counted == (rows, shown, clicks)
    found = import_files([source], tmp_path / "log", Ways(format, salt=SALT), Rules())
    assert (found.added[0].read, found.added[0].rows_kept, found.added[0].rejected) == (rows, rows, {})
    assert found.record.rows == {"queries": rows, "impressions": shown, "events": clicks}


@pytest.mark.real_data
def test_lists_in_another_layout_are_rejected_row_by_row(real_data: Path, tmp_path: Path) -> None:
    """The extended layout of clickmodels has objects where the usual one has lists."""
    source = real_data / "clicks" / "clickmodels" / "click_log_sample_extended_format.tsv"
    with pytest.raises(DataError, match=r"none of its 3 rows can be used \(3 no list of documents\): is it lists\?"):
        imported(source, tmp_path / "log", format="lists")
