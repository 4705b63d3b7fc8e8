"""Judgments out of a log of which all clicks are counted by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from cranfield.data.topics import Topic, Topics
from cranfield.errors import DataError, UsageError
from cranfield.formats import read_qrels
from cranfield.logs.evidence import evidence
from cranfield.logs.inferring import COLUMNS, infer_qrels
from cranfield.logs.log import Log
from tests.logs.made_up import simulated
from tests.logs.making import event, make_log, query, shown


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    """80 lists of three documents: the soup is clicked 40 times at rank 1 and 20 times at rank 2, the bread never; the
    cake, always last, 12 times; and once a list of one document more."""
    rows = []
    for number in range(80):
        name, begin = f"q{number}", 100 * number
        documents = ["soup", "bread", "cake"] if number < 40 else ["bread", "soup", "cake"]
        rows += [query(name, "dinner", begin), *shown(name, documents, begin)]
        if number < 60:
            rows += [event("click", name, "soup", documents.index("soup") + 1, begin + 1)]
        if number % 5 == 0 and number < 60:
            rows += [event("click", name, "cake", 3, begin + 2)]
    rows += [query("other", "lunch", 9000), *shown("other", ["rare"], 9000)]
    return make_log(tmp_path_factory.mktemp("log"), rows, bot_queries=1000)


def test_grades_by_the_interval(log: Log) -> None:
    """Click-through at rank 1 is 40/81, at rank 2 20/80, at rank 3 12/80. The soup had 60 clicks, of which 40 · 40/81 +
    40 · 20/80 = 29.75 were to be expected, the bread none of as many, the cake 12 of 12."""
    found = infer_qrels(log)
    assert found.qrels().to_dict() == {"q1": {"bread": 0, "cake": 1, "soup": 2}}
    assert found.evidence.value.tolist() == pytest.approx([0, 1, 60 / (40 * 40 / 81 + 10)])
    assert found.thin == 1  # shown once
    assert [topic.query() for topic in found.topics.values()] == ["dinner"]  # nothing is judged for lunch


def test_grades_by_thresholds(log: Log) -> None:
    """The values are 0, 1 and 2.02."""
    grades = {
        at: infer_qrels(log, rule="thresholds", at=at).grade.tolist() for at in ((0.5, 1.0, 2.0), (1.5,), (1.0, 3.0))
    }
    assert grades == {(0.5, 1.0, 2.0): [0, 2, 3], (1.5,): [0, 0, 1], (1.0, 3.0): [0, 1, 1]}


def test_the_file_is_read_as_judgments_and_keeps_the_rest(log: Log, tmp_path: Path) -> None:
    found = infer_qrels(log, topics=Topics([Topic("7", {"title": "Dinner"})]))
    for form in ("tsv", "trec", "beir"):
        found.write(tmp_path / form, form)
        assert read_qrels(tmp_path / form).to_dict() == {"7": {"bread": 0, "cake": 1, "soup": 2}}
    lines = [line.split("\t") for line in (tmp_path / "tsv").read_text().splitlines()]
    assert tuple(lines[0]) == COLUMNS
    assert lines[3][:3] == ["7", "soup", "2"]
    assert lines[3][-2:] == ["80", "60"]
    # Garwood's interval of 60 clicks is 45.79 to 77.23 (scipy 1.17, chi2.ppf), over 29.75.
    assert [float(cell) for cell in lines[3][3:6]] == pytest.approx([2.0166, 1.5389, 2.5958], abs=2e-4)


def test_documents_with_white_space_stand_in_the_table_but_not_in_trec(tmp_path: Path) -> None:
    rows = [query("q", "dinner"), *shown("q", ["hot soup", "tab\tbread"]), event("click", "q", "hot soup", 1, 1)]
    found = infer_qrels(make_log(tmp_path, rows), enough=1)
    found.write(tmp_path / "inferred.tsv")
    assert set(read_qrels(tmp_path / "inferred.tsv").to_dict()["q1"]) == {"hot soup"}  # rank 2 was never clicked
    with pytest.raises(DataError, match="white space"):
        found.write(tmp_path / "inferred.txt", "trec")


@pytest.mark.parametrize("source", ["pbm", "dbn"])
def test_click_models_have_the_same_scale(source: str, tmp_path: Path) -> None:
    """Where all documents look the same to users, all are worth 1."""
    simulated(tmp_path / "log", users="pbm", sessions=3000, days=1, attractiveness={0: 0.4}, spread=0.0, shuffled=0.5)
    found = evidence(Log(tmp_path / "log"), source, enough=50)
    known = found.known
    weight = found.shown[known]
    assert known.sum() > 30
    assert (found.value[known] * weight).sum() / weight.sum() == pytest.approx(1, abs=0.05)
    assert ((found.lower[known] <= 1) & (found.upper[known] >= 1)).mean() > 0.7


def test_what_cannot_be_inferred(log: Log) -> None:
    with pytest.raises(DataError, match="no document was shown 100 times"):
        infer_qrels(log, enough=100)
    with pytest.raises(UsageError, match=r"nothing called 'ceoc' to infer from\. Did you mean coec"):
        infer_qrels(log, "ceoc")
    with pytest.raises(UsageError, match="unknown rule 'guess': expected interval or thresholds"):
        infer_qrels(log, rule="guess")
    for at in ((), (2.0, 1.0), (-1.0,), (float("nan"),)):
        with pytest.raises(UsageError, match="expected numbers above 0, the lowest first"):
            infer_qrels(log, rule="thresholds", at=at)
