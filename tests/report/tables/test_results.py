"""The table of results: the best in bold, marks for what is significant, and the same in four formats."""

from __future__ import annotations

import csv
import io
from html.parser import HTMLParser

import pytest

import cranfield as cf
from cranfield.report.tables import results_formats
from cranfield.report.tables.results import ResultCell, ResultsTable, results_table
from tests.report.html.material import IMAGE, SCRIPT

TOPICS = [f"q{number}" for number in range(1, 9)]
QRELS = {topic: {"a": 1} for topic in TOPICS}


def found_at(*ranks: int) -> dict[str, dict[str, float]]:
    return {
        topic: {**{f"x{place}": 100.0 - place for place in range(1, rank)}, "a": 100.0 - rank}
        for topic, rank in zip(TOPICS, ranks, strict=True)
    }


OLD, GOOD, BAD = found_at(*[2] * 7, 3), found_at(1, 1, 1, 1, 1, 1, 1, 2), found_at(*[9] * 7, 5)


def table(**runs: dict[str, dict[str, float]]) -> ResultsTable:
    (baseline, first), *others = runs.items()
    comparison = cf.compare(QRELS, {baseline: first}, dict(others), ["RR", "NumRet", "SetE"])
    return results_table(comparison.evaluation, comparison)


def test_best_and_marks() -> None:
    found = table(old=OLD, good=GOOD, bad=BAD)
    # RR by hand: (7/2 + 1/3)/8, (7 + 1/2)/8, (7/9 + 1/5)/8.
    assert [row.cells[0].shown for row in found.rows] == ["0.4792", "0.9375", "0.1222"]
    assert [row.cells[0].best for row in found.rows] == [False, True, False]
    assert [row.cells[0].mark for row in found.rows] == ["", "better", "worse"]
    # More documents are neither better nor worse; a lower E is better.
    assert [row.cells[1].best or row.cells[1].mark != "" for row in found.rows] == [False] * 3
    assert [row.cells[2].best for row in found.rows] == [False, True, False]
    assert found.rows[1].cells[2].mark == "better"
    assert found.baseline == "old"


def test_what_is_shown_alike_is_best_alike() -> None:
    nearly = found_at(1, 1, 1, 1, 1, 1, 1, 2)
    assert [row.cells[0].best for row in table(old=OLD, one=GOOD, other=nearly).rows] == [False, True, True]
    assert not any(row.cells[0].best for row in table(old=OLD, again=OLD).rows)


def test_intervals_end_at_the_bounds_of_the_measure() -> None:
    ends = [(cell.interval.lower, cell.interval.upper) for cell in intervals_of(GOOD, "RR", "nDCG") if cell.interval]
    # By hand: seven times 1 and once 1 - d; the mean is 1 - d/8, its standard error d/8, and t of 7 degrees of freedom
    # 2.364624 (tables): from 1 - 3.364624 d/8 to more than 1. d is 1/2, and 1 - 1/log2(3) = .369070.
    assert [upper for _, upper in ends] == [1.0, 1.0]
    assert [lower for lower, _ in ends] == pytest.approx([0.789711, 0.844779], abs=2e-6)
    (seldom,) = intervals_of(found_at(1, *[300] * 7), "nDCG")
    assert seldom.interval is not None
    assert seldom.interval.lower == 0.0
    assert 0 < seldom.interval.upper < 1
    assert seldom.shown_interval(3).startswith("0.000 to ")


def test_gains_below_zero_are_no_bound() -> None:
    evaluation = cf.Evaluator(
        {"q1": {"a": 1, "b": 2}, "q2": {"a": 1, "b": 2}}, "DCG(gains=1:-3)", intervals="t"
    ).evaluate_all([{"q1": {"a": 2.0}, "q2": {"b": 2.0}}], names=["run"])
    table = results_table(evaluation, None, {"run": evaluation["run"].intervals()})
    interval = table.rows[0].cells[0].interval
    assert interval is not None
    assert interval.lower < -3  # the mean of -3 and 2 is -1/2, and t with one degree of freedom is 12.7


def intervals_of(run: dict[str, dict[str, float]], *measures: str) -> tuple[ResultCell, ...]:
    evaluation = cf.Evaluator(QRELS, measures, intervals="t").evaluate_all([run], names=["run"])
    return results_table(evaluation, None, {"run": evaluation["run"].intervals()}).rows[0].cells


def test_markdown() -> None:
    lines = list(results_formats.markdown(table(old=OLD, good=GOOD, bad=BAD)))
    assert lines[0] == "| run | RR | NumRet | SetE |"
    assert lines[3].startswith("| good | **0.9375**▲ | 9.0000 |")
    assert lines[-1] == (
        "Means over 8 topics; the best of each measure in bold. ▲, ▼: significantly better, worse than old (paired "
        "t-test, two-sided, alpha 0.05, holm correction for 4 comparisons)."
    )


def test_csv_has_every_number_in_full() -> None:
    rows = list(csv.DictReader(io.StringIO("\n".join(results_formats.csv(table(old=OLD, good=GOOD))))))
    assert len(rows) == 6
    good = next(row for row in rows if (row["run"], row["measure"]) == ("good", "RR"))
    assert float(good["mean"]) == 7.5 / 8
    assert (good["mark"], good["lower"]) == ("better", "")
    assert 0 < float(good["adjusted_p"]) < 0.05


class Checked(HTMLParser):
    """Counts elements, and that all of them are closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_html_is_well_formed_and_escaped() -> None:
    text = "\n".join(results_formats.html(table(**{SCRIPT: OLD, IMAGE: GOOD})))
    seen = Checked(text).seen
    assert seen.count("tr") == 3
    assert not {"script", "img"} & set(seen)
    assert "<strong>0.9375</strong>▲" in text


@pytest.mark.parametrize("name", [SCRIPT, IMAGE, "50%_a & b"])
def test_latex_is_balanced_and_escaped(name: str) -> None:
    text = "\n".join(results_formats.latex(table(**{name: OLD, "good": GOOD})))
    assert text.count("{") - text.count(r"\{") == text.count("}") - text.count(r"\}")
    assert r"good & \textbf{0.9375}$^{\uparrow}$ & 9.0000 &" in text
    assert r"\toprule" in text
    assert r"paired t-test, two-sided, alpha 0.05, holm correction for 2 comparisons" in text


def test_without_a_comparison_nothing_is_marked() -> None:
    evaluation = cf.evaluate(QRELS, {"only": GOOD}, ["RR"])
    found = results_table(evaluation, None)
    assert found.test == ""
    assert [(cell.best, cell.mark) for row in found.rows for cell in row.cells] == [(False, "")]
    assert list(results_formats.markdown(found))[-1] == "Means over 8 topics; the best of each measure in bold."
