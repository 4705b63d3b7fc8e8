"""The surface that tuning searched: what is drawn is what was found."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest

from cranfield.experiments.parameter_space import ParameterSpace
from cranfield.experiments.tuned import Trial, Tuning
from cranfield.measures import parse_one
from cranfield.report.charts import surface
from cranfield.report.drawing import MOST_ROWS
from cranfield.report.export import chart_bytes
from cranfield.report.theme import WIDTH
from tests.report.material import tables, words

SPACES = {
    "one": (["k1=0.5..2.0"], "tpe"),
    "one by steps": (["k1=0.5..2.0:0.5"], "grid"),
    "one of words": (["variant=lucene,atire"], "grid"),
    "two": (["k1=0.5..2.0", "b=0.0..1.0"], "tpe"),
    "two on a grid": (["k1=0.5..2.0", "variant=lucene,atire"], "grid"),
    "two logarithmic": (["mu=1..1000:log", "b=0.0..1.0"], "random"),
    "four": (["k1=0.5..2.0", "b=0.0..1.0", "variant=lucene,atire", "constructor=true,false"], "tpe"),
}


def tuning(given: list[str], method: str, measure: str = "AP", trials: int = 16) -> Tuning:
    """Trials whose scores are those of their numbers, the last the highest."""
    space = ParameterSpace.of(given)
    tried = tuple(
        Trial(number, values, {"train": 0.5, "validation": number / 100})
        for number, values in enumerate(space.grid(trials), 1)
    )
    best = tried[0 if measure == "EER" else -1]
    return Tuning(
        "bm25", parse_one(measure), space, method, 0, tried, best, "validation", {"validation": 4}, None, 16, 1
    )


def values(chart: Any) -> list[dict[str, Any]]:
    """The data of a chart, which all its panels share."""
    (data,) = tables(chart)
    return data


@pytest.mark.parametrize("case", SPACES)
def test_every_trial_is_drawn_with_its_score_and_the_best_is_marked(case: str) -> None:
    given, method = SPACES[case]
    found = tuning(given, method)
    chart = surface(found)
    rows = values(chart)
    assert sorted(row["score"] for row in rows) == [trial.scores["validation"] for trial in found.trials]
    assert [row["trial"] for row in rows if row["best"]] == [len(found.trials)]
    assert [row["share"] for row in rows if row["best"]] == [1.0]
    assert words(chart).startswith(f"bm25: AP on 4 validation topics, {len(found.trials)} trials best: ")
    assert "no test topic was looked at" in words(chart)
    ElementTree.fromstring(chart_bytes(chart, "svg"))


def test_where_less_is_better_the_lowest_is_strong() -> None:
    rows = values(surface(tuning(["k1=0.5..2.0:0.5", "b=0.0,1.0"], "grid", "EER")))
    assert {row["trial"]: row["share"] for row in rows if row["share"] in (0, 1)} == {1: 1.0, 8: 0.0}


def test_tiles_take_the_width_there_is_however_few_they_are() -> None:
    for columns in (3, 7):
        chart = surface(tuning([f"k1=1..{columns}:1", "b=0.0,1.0"], "grid", trials=2 * columns)).to_dict()
        assert chart["width"]["step"] * columns == pytest.approx(WIDTH)


def test_of_too_many_trials_the_best_are_drawn() -> None:
    found = tuning(["k1=0.5..2.0"], "random", trials=MOST_ROWS + 7)
    chart = surface(found)
    assert len(values(chart)) == MOST_ROWS
    assert f"the best {MOST_ROWS} are drawn" in words(chart)


def test_one_trial_and_equal_scores_are_drawn() -> None:
    for given in (["b=0.5"], ["b=0.5", "k1=1.2"]):
        ElementTree.fromstring(chart_bytes(surface(tuning(given, "grid")), "svg"))
