"""Files with labels of several judges: every layout, and every mistake with its line."""

from __future__ import annotations

import gzip
import io
from collections import Counter
from pathlib import Path

import pytest

from cranfield.data.judge_labels import JudgeLabels
from cranfield.errors import DataError, FormatError, UsageError
from cranfield.formats.judge_labels import read_judge_labels


def named(content: str | bytes, name: str = "f") -> io.BytesIO:
    file = io.BytesIO(content.encode() if isinstance(content, str) else content)
    file.name = name
    return file


def rows(labels: JudgeLabels) -> list[tuple[str, ...]]:
    """([topic,] item, judge, label), in the order of the labels."""
    columns = labels.to_columns()
    names = (["topic"] if labels.topics is not None else []) + ["task", "worker", "label"]
    return [
        tuple(cell.decode() for cell in row) for row in zip(*(columns[name].tolist() for name in names), strict=True)
    ]


TASKS = [("t1", "ann", "yes"), ("t1", "bob", "no"), ("t2", "ann", "yes")]
JUDGED = [("q1", "d1", "ann", "2"), ("q1", "d1", "bob", "0"), ("q1", "d2", "bob", "1")]


@pytest.mark.parametrize(
    "content",
    [
        "t1 ann yes\nt1 bob no\nt2 ann yes\n",
        "t2\tann\tyes\r\nt1\tbob\tno\r\n\r\nt1\tann\tyes",
        "t1,ann,yes\nt1,bob,no\nt2,ann,yes\n",
        "task,worker,label\nt1,ann,yes\nt1,bob,no\nt2,ann,yes\n",
        "Label\tTask\tWorker\tseconds\nyes\tt1\tann\t7\nno\tt1\tbob\t9\nyes\tt2\tann\t5\n",
        "WorkerId,item,answer\nann,t1,yes\nbob,t1,no\nann,t2,yes\n",
        "item,ann,bob\nt1,yes,no\nt2,yes,\n",
        "\ufefftask,worker,label\nt1,ann,yes\nt1,bob,no\nt2,ann,yes\n",
        'task,worker,label\n"t1",ann,"yes"\nt1,bob,no\nt2,ann,yes\n',
    ],
)
def test_labels_of_tasks(content: str) -> None:
    labels = read_judge_labels(named(content))
    assert rows(labels) == TASKS


@pytest.mark.parametrize(
    "content",
    [
        "q1 ann d1 2\nq1 bob d1 0\nq1 bob d2 1\nq1 ann d2 -1\n",
        "query,docid,ann,bob\nq1,d1,2,0\nq1,d2,,1\n",
        "query,docid,bob,ann\nq1,d2, 1, \nq1,d1,0,2\n",
        "query_id,doc_id,assessor,relevance\nq1,d1,ann,2\nq1,d1,bob,0\nq1,d2,bob,1\n",
        '{"query_id": "q1", "doc_id": "d1", "assessor": "ann", "relevance": 2}\n'
        '{"query_id": "q1", "doc_id": "d1", "assessor": "bob", "relevance": 0}\n'
        '{"query_id": "q1", "doc_id": "d2", "assessor": "bob", "relevance": 1}\n',
    ],
)
def test_labels_by_topic(content: str) -> None:
    assert rows(read_judge_labels(named(content))) == JUDGED


def test_a_book_of_quepid() -> None:
    """Cells that begin with - = + @ have a space before them, so that spreadsheets leave them alone."""
    book = 'query,docid,Doug Turnbull, @ann,Unknown\n -4 degrees,d 1,3.0,2,\n"milk, oat",d2,,0,1\n'
    labels = read_judge_labels(named(book))
    assert labels.judges == ("@ann", "Doug Turnbull", "Unknown")
    assert rows(labels) == [
        ("-4 degrees", "d 1", "@ann", "2"),
        ("-4 degrees", "d 1", "Doug Turnbull", "3.0"),
        ("milk, oat", "d2", "@ann", "0"),
        ("milk, oat", "d2", "Unknown", "1"),
    ]
    assert labels.categories().names == ("0", "1", "2", "3")


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("q1 0 d1 2\nq1 0 d2 -1\n", "q1 0 d1 0\nq1 0 d2 1\n", JUDGED),
        ("query-id\tcorpus-id\tscore\nq1\td1\t2\n", '{"q1": {"d1": 0, "d2": 1}}', JUDGED),
        ("t1 yes\nt2 yes\n", "item,label\nt1,no\n", TASKS),
    ],
)
def test_a_file_for_each_judge(tmp_path: Path, first: str, second: str, expected: list[tuple[str, ...]]) -> None:
    (tmp_path / "ann.qrels").write_text(first)
    (tmp_path / "bob.txt.gz").write_bytes(gzip.compress(second.encode()))
    labels = read_judge_labels(tmp_path / "bob.txt.gz", tmp_path / "ann.qrels")
    assert rows(labels) == expected


def test_files_of_the_same_name_go_by_their_paths(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "labels.txt").write_text("t1 yes\n")
    labels = read_judge_labels(tmp_path / "a" / "labels.txt", tmp_path / "b" / "labels.txt")
    assert [Path(judge).parts[-2] for judge in labels.judges] == ["a", "b"]
    with pytest.raises(UsageError, match="the file is given twice; each file has the labels of one judge"):
        read_judge_labels(tmp_path / "a" / "labels.txt", tmp_path / "a" / "labels.txt")


def test_identifiers_of_any_bytes() -> None:
    labels = read_judge_labels(named(b"caf\xe9 ann yes\ncaf\xe9 bob no\n"))
    assert labels.items == ("caf\udce9",)


@pytest.mark.real_data
def test_judgments_of_three_assessors(real_data: Path) -> None:
    """Oracle: the lines of trec_eval's own qrels.123, of which 912 have the grade -1, counted by Python."""
    file = real_data / "trec_eval_test" / "qrels.123"
    lines = [line.split() for line in file.read_text().splitlines()]
    judged = [line for line in lines if float(line[3]) >= 0]
    labels = read_judge_labels(file)
    assert (len(labels), labels.negative) == (len(judged), 912)
    assert Counter(labels.judges[judge] for judge in labels.judge) == Counter(judge for _, judge, _, _ in judged)
    assert Counter(labels.labels[label] for label in labels.label) == Counter(grade for *_, grade in judged)
    assert len(labels.items) == len({(query, document) for query, _, document, _ in judged})


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "f: the file is empty"),
        ("\n \n", "f: the file is empty"),
        ("task,worker,label\n", "f: the file names its columns and has no labels"),
        ("query,docid,ann\nq1,d1,\n", "f: the file names its columns and has no labels"),
        ("t1 ann yes\nt2 ann\n", "f:2: expected 3 cells (task,worker,label), found 2"),
        ("t1,ann,yes\nt2,ann,\n", "f:2: label is missing. Complete the line or leave it out."),
        ("task,judge,label\nt1,,yes\n", "f:2: judge is missing. Complete the line or leave it out."),
        ("query,docid,ann,bob\nq1,,1,2\n", "f:2: docid is missing. Complete the line or leave it out."),
        ("t1 ann yes\nt2 ann yes\nt1 ann no\n", "f:3: judge 'ann' labelled item 't1' twice: 'yes' and 'no' (first at line 1). Keep one of them."),
        ("query,docid,ann\nq1,d1,1\nq1,d1,2\n", "f:3: judge 'ann' labelled document 'd1' of topic 'q1' twice: '1' and '2' (first at line 2)."),
        ("q1 ann d1 1\nq1 ann d1 2\n", "f:2: document 'd1' is judged twice for query 'q1': grades 1 and 2 (first at line 1)."),
        ("query,docid,ann,ann\nq1,d1,1,2\n", "f: there are two columns named 'ann'. Rename one of them."),
        ("query,docid,Unknown\nq1,d1,2|3\n", "f:2: the cell of 'Unknown' holds several labels, '2|3'; expected one, or none. Keep one of them."),
        ("t1 yes\n", "f:1: expected 3 cells (task worker label), or a first line that names the columns, found 2. Judgments have 4"),
        ("a,b,c,d\n", "f:1: expected 3 cells (task worker label), or a first line that names the columns, found 4."),
        (b"a\0b c d\n", "f: this is not a text file"),
        ("a b c".encode("utf-16"), "f: this is UTF-16 text."),
        ('t1,ann,"yes\n', "f:1: unexpected end of data"),
    ],
)  # fmt: skip
def test_files_that_cannot_be_read(content: str | bytes, message: str) -> None:
    with pytest.raises((DataError, FormatError)) as caught:
        read_judge_labels(named(content))
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("t1 ann yes\n", "g:1: expected 2 cells (item label), found 3. Of several files each has the labels of one judge"),
        ("q1 a d1 1\nq1 b d1 2\n", "g: document 'd1' is judged more than once for query 'q1', under different values of the second"),
        ("", "g: the file is empty"),
        ("q1 0 d1 1\n", "labels: g has labels by topic and document, and f has labels by item alone"),
    ],
)  # fmt: skip
def test_one_of_several_files_cannot_be_read(content: str, message: str) -> None:
    with pytest.raises((DataError, FormatError)) as caught:
        read_judge_labels(named("t1 yes\n"), named(content, "g"))
    assert str(caught.value).startswith(message)


def test_no_file_at_all() -> None:
    with pytest.raises(UsageError, match="there is no file of labels to read"):
        read_judge_labels()
    with pytest.raises(UsageError, match="nowhere: there is no such file"):
        read_judge_labels("nowhere")
