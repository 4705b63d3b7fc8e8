"""Files of costs, as people write them."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from cranfield.errors import DataError, FormatError
from cranfield.formats.costs import read_costs
from tests.cli.running import run_cranfield

TWO = {b"d1": 30.0, b"d2": 12.5}


@pytest.mark.parametrize(
    "text",
    [
        "d1 30\nd2 12.5\n",
        "d1\t30\nd2\t12.5",
        "# seconds\nd1 30\n\nd2 12.5\n",
        "d1,30\nd2,12.5\n",
        "d1, 30\r\nd2, 12.5\r\n",
        "doc_id,cost\nd1,30\nd2,12.5\n",
        "doc_id cost\nd1 30\nd2 12.5\n",
        "\ufeffdoc_id\tcost\nd1\t30\nd2\t12.5\n",
    ],
)
def test_costs_of_documents(text: str) -> None:
    costs = read_costs(io.StringIO(text))
    assert dict(zip(costs.documents.tolist(), costs.cost.tolist(), strict=True)) == TWO
    assert costs.position is None


@pytest.mark.parametrize("text", ["q1 d1 30\nq2 d1 12.5\n", "query,document,cost\nq1,d1,30\nq2,d1,12.5\n"])
def test_costs_by_query(text: str) -> None:
    costs = read_costs(io.StringIO(text))
    assert costs.documents.tolist() == [b"d1", b"d1"]
    assert costs.cost.tolist() == [30, 12.5]
    assert costs.position == {b"q1": 0, b"q2": 1}


def test_a_comma_may_be_part_of_a_name() -> None:
    assert read_costs(io.StringIO("d,1 30\nd,2 12.5\n")).documents.tolist() == [b"d,1", b"d,2"]


def test_a_file_of_more_than_one_block() -> None:
    rows = 120_000
    text = "doc_id,cost\n" + "".join(f"document-{number},{number}\n" for number in range(rows))
    costs = read_costs(io.StringIO(text))
    assert len(costs) == rows
    assert costs.documents[rows - 1] == b"document-%d" % (rows - 1)
    assert costs.cost[rows - 1] == rows - 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("d1 30\nd2 much\n", r"file object:2: cost 'much' is not a number"),
        ("doc_id,cost\nd1,30\nd2,\n", r"file object:3: expected 2 fields \(document cost\), found 1"),
        ("d1 30\nd2 -1\n", r"file object:2: document 'd2' costs -1; a cost is at least 0"),
        ("d1 30\nd1 31\n", r"file object:2: document 'd1' has two costs \(first at line 1\). Keep one of them."),
        ("d1\nd2\n", r"file object:1: expected 2 fields \(document cost\), found 1"),
        ("d1 3,5\n", r"file object:1: cost '3,5' is not a number"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_costs(io.StringIO(text))


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n"])
def test_nothing_in_it(text: str) -> None:
    with pytest.raises(DataError, match="file object: the file has no records; expected lines of document cost"):
        read_costs(io.StringIO(text))


def test_on_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("q1 0 d1 1\n")
    (tmp_path / "run").write_text("q1 Q0 d2 1 2 t\nq1 Q0 d1 2 1 t\n")
    (tmp_path / "costs").write_text("d2 2\n")
    command = ["evaluate", "qrels", "run", "-m", "TBG(halflife=1,value=ETU)", "--costs", "costs"]
    done = run_cranfield(*command, "--default-cost", "1", cwd=tmp_path)
    assert done.text.splitlines()[1] == "run\tTBG(halflife=1,value=ETU)\tall\t0.25"  # 2^-2
    done = run_cranfield(*command, cwd=tmp_path)
    assert done.exit_code != 0
    assert "costs: no cost for 1 of the 2 documents that run returns, such as 'd1' for query 'q1'" in done.stderr
