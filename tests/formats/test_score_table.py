"""Tables of scores, however they are laid out."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from cranfield.errors import DataError, FormatError
from cranfield.formats.score_table import ScoreTable, is_score_table, read_score_tables


def read(text: str) -> list[ScoreTable]:
    return read_score_tables(io.StringIO(text))


@pytest.mark.parametrize(
    "text",
    ["system,score\na,0.5\nb,1e-3\n", "a,0.5\nb,1e-3\n", "run\tvalue\r\na\t0.5\r\nb\t1e-3\r\n", "a 0.5\nb 1e-3"],
)
def test_a_score_for_each_system(text: str) -> None:
    (table,) = read(text)
    assert (table.systems, table.topics, table.measure) == (["a", "b"], None, None)
    assert table.scores.tolist() == [0.5, 0.001]


def test_a_column_for_each_measure() -> None:
    first, second = read("P@10,system,AP\n0.5,a,0.25\n0.75,b,0.125\n")
    assert (first.measure, first.scores.tolist()) == ("P@10", [0.5, 0.75])
    assert (second.measure, second.scores.tolist()) == ("AP", [0.25, 0.125])
    assert first.systems == second.systems == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "topics", "numbered"),
    [
        ("a,b\n1,2\n3,4\n", ["1", "2"], True),
        ("topic,a,b\n401,1,2\n402,3,4\n", ["401", "402"], False),
        ("query-id\ta\tb\n401\t1\t2\n402\t3\t4\n", ["401", "402"], False),
        (",a,b\n401,1,2\n402,3,4\n", ["401", "402"], False),
        ("what,a,b\nq1,1,2\nq2,3,4\n", ["q1", "q2"], False),
    ],
)
def test_topics_by_systems(text: str, topics: list[str], numbered: bool) -> None:
    (table,) = read(text)
    assert (table.systems, table.topics, table.numbered) == (["a", "b"], topics, numbered)
    assert table.scores.tolist() == [[1, 2], [3, 4]]


def test_systems_that_are_called_like_numbers() -> None:
    assert read("topic,1,2\nq1,0.1,0.2\n")[0].systems == ["1", "2"]


def test_one_score_a_line() -> None:
    text = "run\tmeasure\tquery\tvalue\na\tAP\tq1\t1\na\tAP\tq2\t2\na\tAP\tall\t1.5\nb\tAP\tq2\t4\nb\tAP\tq1\t3\nb\tAP\tall\t3.5\n"
    (table,) = read(text)
    assert (table.measure, table.systems, table.topics) == ("AP", ["a", "b"], ["q1", "q2"])
    assert table.scores.tolist() == [[1, 3], [2, 4]]
    only_means = "\n".join(line for line in text.splitlines() if "q1" not in line and "q2" not in line)
    (table,) = read(only_means)
    assert (table.topics, table.scores.tolist()) == (None, [1.5, 3.5])
    without_topics = read("system,metric,score\na,AP,1\na,RR,2\nb,AP,3\nb,RR,4\n")
    assert [(one.measure, one.topics, one.scores.tolist()) for one in without_topics] == [
        ("AP", None, [1, 3]),
        ("RR", None, [2, 4]),
    ]


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("", DataError, "the file is empty"),
        ("a,b\n", DataError, "the file names its columns and has no scores"),
        ("system\na\n", DataError, "systems have no scores; expected scores of systems: 'system,score'"),
        ("1,2,3\n4,5,6\n", FormatError, ":1: expected scores of systems: .*; found '1,2,3'"),
        ("a,0.5\nb\n", FormatError, ":2: expected 2 cells, found 1"),
        ("a,0.5\nb,nan\n", FormatError, ":2: column 2: 'nan' is not a score. Every system needs a number for every topic"),
        ("topic,a,b\nq1,1,\n", FormatError, ":2: column 'b': the score is missing"),
        ("a,0.5\na,0.6\n", FormatError, ":2: there is a second system 'a'. Rename one"),
        ("topic,a,a\nq1,1,2\n", FormatError, ":1: there is a second system 'a'"),
        ("topic,a,b\nq1,1,2\nq1,1,2\n", FormatError, ":3: there is a second topic 'q1'"),
        ("topic,a,\nq1,1,2\n", FormatError, ":1: a system has no name"),
        ("system,topic,score\na,q1,1\na,q1,2\n", FormatError, ":3: system 'a' has a score for topic 'q1' already"),
        ("system,topic,score\na,q1,1\nb,q2,2\n", DataError, "system 'a' has no score for topic 'q2', which others have"),
        ("system,topic,AP\na,q1,1\n", DataError, "no column for the score; give it one named score"),
        ("a,b\n1\x00,2\n", DataError, "this is not a text file"),
    ],
)  # fmt: skip
def test_wrong_input(text: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        read(text)


@pytest.mark.parametrize(
    ("head", "scores"),
    [
        (b"system,score\na,1\n", True),
        (b"a,0.5\nb,1\n", True),
        (b"run\tmeasure\tquery\tvalue\na\tAP\tq1\t1\n", True),
        (b"run1,run2\r\n0.1,0.2\r\n", True),
        (b"\ntopic,run1\n401,0.2\n", True),
        (b"401 0 FT911-3 1\n", False),
        (b"401 Q0 FT911-3 1 0.5 run\n", False),
        (b"q1\tQ0\td1\t1\t0.5\trun\n", False),
        (b"query-id\tcorpus-id\tscore\nq1\td1\t1\n", False),
        (b"query_id,doc_id,score,system\nq1,d1,1,a\n", False),
        (b'{"q1": {"d1": 1}}', False),
        (b"PAR1\x00\x01", False),
        (b"", False),
    ],
)
def test_telling_scores_from_judgments(head: bytes, scores: bool) -> None:
    assert is_score_table(head) == scores


@pytest.mark.real_data
def test_real_tables(real_data: Path) -> None:
    # Counts by wc and by the header, as data/README.md has them: 61 to 103 systems, 50 topics (web2010: 48)
    counts = {"adhoc5_ap": (50, 61), "adhoc6_p10": (50, 74), "adhoc7_rr": (50, 103), "web2010_err20": (48, 88)}
    for name, shape in counts.items():
        (table,) = read_score_tables(real_data / "topic_score_matrices" / f"{name}.csv")
        assert table.scores.shape == shape
        assert table.systems == [f"run{number}" for number in range(1, shape[1] + 1)]
        assert table.numbered
    (table,) = read_score_tables(real_data / "topic_score_matrices" / "adhoc6_ap.csv")
    assert table.scores[0, [0, 1, 11]].tolist() == [0.0113, 0.0434, 0.0001]  # the last is written 1e-04


@pytest.mark.real_data
def test_real_judgments_are_no_scores(real_data: Path) -> None:
    judgments = [*real_data.glob("*/*qrels*"), *real_data.glob("*/runs/*"), *real_data.glob("prels/*")]
    files = [path for path in judgments if path.is_file()]
    assert len(files) > 20
    assert not [path for path in files if is_score_table(path.read_bytes()[:65536])]
