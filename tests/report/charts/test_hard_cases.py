"""Every kind of drawing draws something truthful of anything, or says in words why not."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest

from cranfield.errors import CranfieldError
from cranfield.report import plot
from cranfield.report.drawing import MOST_ROWS
from cranfield.report.export import chart_bytes
from cranfield.report.kinds import KINDS
from tests.report.material import ODD_NAMES, made_up, odd, tables, words

OF_RUNS = [name for name in KINDS if name != "discount"]
LINES = ("recall-precision", "roc", "cutoff", "by-rank", "gain", "coverage")
TWO = {"q1": {"a": 1, "n": 0}, "q2": {"b": 1, "n": 0}}

CASES: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "one relevant document": ({"q1": {"a": 1}}, {"A": {"q1": {"x": 2, "a": 1}}, "B": {"q1": {"a": 2}}}, {}),
    "none retrieved": (TWO, {"A": {"q1": {"x": 2}, "q2": {"x": 1}}, "B": {"q1": {"z": 2}, "q2": {"y": 1}}}, {}),
    "a single topic": ({"q1": TWO["q1"]}, {"A": {"q1": {"n": 2, "a": 1}}, "B": {"q1": {"a": 2, "n": 1}}}, {}),
    "identical runs": (TWO, {"A": {"q1": {"a": 2}, "q2": {"x": 2, "b": 1}}, "B": {"q1": {"a": 2}, "q2": {"x": 2, "b": 1}}}, {}),
    "a topic in only one run": (
        {**TWO, "q3": {"c": 1, "n": 0}},
        {"A": {"q1": {"a": 2}, "q2": {"b": 1}}, "B": {"q1": {"x": 3, "a": 2}, "q3": {"c": 1}}},
        {"profile": "trec_eval-9"},
    ),
    "a topic that one run lacks": (TWO, {"A": {"q1": {"a": 2}, "q2": {"b": 1}}, "B": {"q1": {"a": 2}}}, {}),
    "nothing relevant": ({"q1": {"a": 0, "n": 0}}, {"A": {"q1": {"a": 2}}, "B": {"q1": {"x": 2}}}, {}),
}  # fmt: skip

NOT_DRAWN = {
    ("one relevant document", "roc"): "there is no ROC curve: among the judged documents of no topic are non-relevant",
    ("nothing relevant", "roc"): "there is no ROC curve: among the judged documents of no topic are relevant ones",
    ("nothing relevant", "recall-precision"): "no topic has a relevant document .* no recall-precision curve",
}
"""What cannot be drawn, and why."""


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("kind", OF_RUNS)
def test_bad_input(case: str, kind: str, capfd: pytest.CaptureFixture[str]) -> None:
    qrels, runs, options = CASES[case]
    if (case, kind) in NOT_DRAWN:
        with pytest.raises(CranfieldError, match=NOT_DRAWN[case, kind]):
            plot(kind, qrels, runs, **options)
        return
    chart = plot(kind, qrels, runs, **options)
    ElementTree.fromstring(chart_bytes(chart, "svg"))
    assert capfd.readouterr().err == "", "Vega complains of what it is to draw"


@pytest.mark.parametrize(
    ("case", "kind", "said"),
    [
        ("a single topic", "difference", "not tested: there are fewer than two topics"),
        ("a single topic", "matrix", "some not tested: there are fewer than two topics"),
        ("a single topic", "box", "a single topic has no distribution"),
        ("a single topic", "cutoff", "nDCG by cutoff, 1 topic"),
        ("identical runs", "difference", "not tested: all differences are zero"),
        ("identical runs", "difference", "A and B are identical as far as AP shows"),
        ("identical runs", "scatter", "Is it one run twice?"),
        ("identical runs", "scatter", "better on 0 topics, equal on 2, worse on 0"),
        ("a topic in only one run", "difference", "2 topics left out that only one run has"),
        ("a topic in only one run", "per-topic", "B lacks 1 of 3 topics (q2: left out)"),
        ("a topic that one run lacks", "recall-precision", "B lacks 1 of 2 topics (q2: scored 0)"),
        ("nothing relevant", "per-topic", "nothing relevant for 1 topic (q1)"),
        ("none retrieved", "roc", "AUC .500"),
    ],
)
def test_what_is_said_about_it(case: str, kind: str, said: str) -> None:
    qrels, runs, options = CASES[case]
    chart = plot(kind, qrels, runs, **options)
    legends = " ".join(str(row.get("system", "")) for table in tables(chart) for row in table)
    assert said in words(chart) + legends


TOO_MANY = {("thresholds", 60), ("thresholds", 200), ("difference", 200)}


@pytest.fixture(scope="module", params=[2, pytest.param(60, marks=pytest.mark.slow), 200])
def many(request: pytest.FixtureRequest) -> Any:
    return made_up(request.param, 12, documents=20)


@pytest.mark.slow
@pytest.mark.parametrize("kind", OF_RUNS)
def test_few_and_many_systems(kind: str, many: Any) -> None:
    qrels, runs = many
    few = dict(list(runs.items())[:2]) if KINDS[kind].most_runs == 2 else runs
    if (kind, len(few)) in TOO_MANY:
        with pytest.raises(CranfieldError, match="do not fit in a drawing"):
            plot(kind, qrels, few)
        return
    chart = plot(kind, qrels, few)
    sizes = [len(table) for table in tables(chart)]
    assert max(sizes) <= MOST_ROWS
    if kind in LINES:
        assert sum(sizes) <= MOST_ROWS, "one drawing's lines together"


def test_what_is_not_drawn_of_many_systems_is_said() -> None:
    qrels, runs = made_up(200, 5)
    assert "in colour: the best 5 of 200 runs by mean AP" in words(plot("per-topic", qrels, runs))
    assert "the best 60 of 200 runs are drawn" in words(plot("box", qrels, runs))
    assert "the best 70 of 200 runs are drawn" in words(plot("matrix", qrels, runs))
    assert "the best 100 of 200 runs are drawn" in words(plot("means", qrels, runs))


def test_a_run_that_is_highlighted_is_drawn() -> None:
    qrels, runs = made_up(200, 5)
    worst = min(runs, key=lambda name: plot_mean(qrels, runs[name]))
    drawn = {row["run"] for table in tables(plot("box", qrels, runs, highlight=worst)) for row in table}
    assert worst in drawn
    assert len(drawn) == 61


def plot_mean(qrels: Any, run: Any) -> float:
    from cranfield import evaluate

    return float(evaluate(qrels, run, "AP").mean["AP"])


@pytest.mark.parametrize("kind", ["per-topic", "difference", "scatter", "box", "violin"])
def test_thousands_of_topics(kind: str) -> None:
    qrels, runs = made_up(2, 3000, documents=6)
    chart = plot(kind, qrels, runs, "nDCG")
    assert sum(len(table) for table in tables(chart)) <= MOST_ROWS
    assert "3000 topics" in words(chart)
    single = plot("per-topic", qrels, {"one": next(iter(runs.values()))}, "nDCG")
    assert sum(len(table) for table in tables(single)) <= MOST_ROWS


@pytest.mark.slow
@pytest.mark.parametrize("kind", OF_RUNS)
def test_odd_names(kind: str, capfd: pytest.CaptureFixture[str]) -> None:
    qrels, runs = odd()
    most = KINDS[kind].most_runs or len(runs)
    for first in range(0, len(runs), most):
        some = dict(list(runs.items())[first : first + most])
        drawing = chart_bytes(plot(kind, qrels, some), "svg")
        root = ElementTree.fromstring(drawing)
        assert not [element for element in root.iter() if element.tag.endswith(("}script", "}img", "}a"))]
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("kind", ["means", "matrix", "box"])
def test_every_odd_name_is_in_the_drawing(kind: str) -> None:
    qrels, runs = odd()
    root = ElementTree.fromstring(chart_bytes(plot(kind, qrels, runs), "svg"))
    drawn = {str(text.text).rstrip("\u200b") for text in root.iter("{http://www.w3.org/2000/svg}text")}
    for name in ODD_NAMES:
        shown = name.replace("\udce9", "\ufffd")
        assert shown in drawn or any(text.endswith("…") and shown.startswith(text[:-1]) for text in drawn), name
