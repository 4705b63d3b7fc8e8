"""Lists with their clicks, as research publishes them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cranfield.errors import DataError
from cranfield.logs.importing import Ways, import_files
from tests.logs.making import imported, tables, write


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
    ("format", "files"),
    [
        ("lists", {"clickmodels/click_log_sample.tsv": (3, 30, 4),
                   "tiangong_demo/train_per_query_quid.txt": (2872, 28580, 1293),
                   "tiangong_demo/valid_per_query_quid.txt": (361, 3598, 152),
                   "tiangong_demo/test_per_query_quid.txt": (363, 3606, 165)}),
        ("pyclick", {"pyclick/oneQueryTrain": (244, 2440, 297), "pyclick/oneQueryTest": (269, 2690, 295)}),
    ],
)  # fmt: skip
def test_published_lists(real_data: Path, tmp_path: Path, format: str, files: dict[str, tuple[int, int, int]]) -> None:
    """Rows, documents shown and clicks are those that another way of reading counts, in each file and in all."""
    for name, wanted in files.items():
        lists = clicked_lists((real_data / "clicks" / name).read_text(), ";" if format == "pyclick" else "\n")
        documents, clicks = (sum(len(set(shown)) for shown, _ in lists), sum(len(clicked) for _, clicked in lists))
        assert (len(lists), documents, clicks) == wanted
    found = import_files([real_data / "clicks" / name for name in files], tmp_path / "log", Ways(format, salt="pepper"))
    for source, (rows, _, clicks) in zip(found.added, files.values(), strict=True):
        assert (source.read, source.rows_kept, source.rejected) == (rows, rows, {})
        assert source.kept == {"query": rows, "event": clicks}
    assert tuple(found.record.rows[name] for name in ("queries", "impressions", "events")) == tuple(
        sum(counts) for counts in zip(*files.values(), strict=True)
    )
    assert found.record.notes["said more than once"] == 0


def test_rows_of_a_file_that_has_grown_count_once(tmp_path: Path) -> None:
    one = write(tmp_path / "one", ["q\ta,b : b;", "q\ta,b :;"])
    grown = write(tmp_path / "grown", ["q\ta,b : b;", "q\ta,b :;", "q\tb,a : a;"])
    other = write(tmp_path / "other", ["q\ta,c : c;", "q\ta,b :;"])
    ways = Ways("pyclick", salt="pepper")
    assert import_files([one, grown], tmp_path / "log", ways).record.rows["queries"] == 3
    assert import_files([other], tmp_path / "log", ways).record.rows["queries"] == 5


def test_two_lists_are_documents_and_clicks(tmp_path: Path) -> None:
    rows = ['1\tsoup\t["d1", "d2"]\t[0, 1]', '2\tsoup\t["d1", "d2"]\t["ad", "web"]\t[1, 0]']
    found = imported(write(tmp_path / "rows", rows), tmp_path / "log", format="lists")
    assert (found.rejected, found.times) == ({}, "made up")
    clicks = {(row["session_id"], row["document_id"]) for row in tables(tmp_path / "log")["events"]}
    assert sorted(document for _, document in clicks) == ["d1", "d2"]


def test_sessions_of_two_files_of_lists_are_two(tmp_path: Path) -> None:
    one = write(tmp_path / "one", ['1\tsoup\t["d1", "d2"]\t[0, 1]'])
    two = write(tmp_path / "two", ['1\tsoup\t["d3", "d4"]\t[0, 1]'])
    found = import_files([one, two], tmp_path / "log", Ways("lists", salt="pepper")).record
    assert found.rows == {"queries": 2, "impressions": 4, "events": 2}


@pytest.mark.real_data
def test_lists_in_another_layout_are_rejected_row_by_row(real_data: Path, tmp_path: Path) -> None:
    """The extended layout of clickmodels has objects where the usual one has lists."""
    source = real_data / "clicks" / "clickmodels" / "click_log_sample_extended_format.tsv"
    with pytest.raises(DataError, match=r"none of its 3 rows can be used \(3 no list of documents\): is it lists\?"):
        imported(source, tmp_path / "log", format="lists")
