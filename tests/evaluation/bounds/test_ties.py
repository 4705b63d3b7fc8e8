"""What ties leave open. Oracle: every order of the tied documents evaluated by itself, with scores that all differ."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield.data.qrels import Qrels
from cranfield.evaluation.bounds.tie_search import Search
from cranfield.evaluation.bounds.tie_spread import ALL_ORDERS, CLOSED_FORM, SAMPLED, UNAFFECTED
from cranfield.measures import REGISTRY, Measure, parse_one
from tests.evaluation.bounds.tied_runs import (
    ONE_ASSESSOR,
    Topic,
    in_every_order,
    judgments,
    measures_to_try,
    over_ties,
    topics,
)

MATERIALS = {
    "qrels": ("grades", "sample"),
    "anything": ("grades",),
    "preferences": ("preferences", ONE_ASSESSOR),
}
NAMES = [name for name, definition in REGISTRY.items() if definition.aggregate != "none"]
OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"judged_only": True},
    {"depth": 2},
    {"depth": 3},
    {"depth": 3, "judged_only": True},
)


def check(found: cf.RunEvaluation, expected: list[dict[Measure, Any]]) -> None:
    assert found.ties
    for number, of_topic in enumerate(expected):
        for measure, spread in found.ties.items():
            values, said = of_topic[measure], (str(measure), number)
            assert spread.expected[number] == pytest.approx(values.mean(), rel=1e-9, abs=1e-9), said
            assert spread.certified[number], said  # orders are so few that all of them could be tried
            assert spread.minimum[number] == pytest.approx(values.min(), rel=1e-9, abs=1e-9), said
            assert spread.maximum[number] == pytest.approx(values.max(), rel=1e-9, abs=1e-9), said


def fitting(name: str, material: str, given: list[Topic]) -> list[Measure]:
    """The measure with parameters of all sorts, as far as these judgments allow it."""
    check = REGISTRY[name].check
    if check is None:
        return measures_to_try(name)
    judged = [("q", f"{number}-{d}", how) for number, topic in enumerate(given) for d, how in topic.judged]
    rows, _ = judgments(material, judged)
    qrels = rows if isinstance(rows, Qrels) else Qrels.from_tuples(rows)
    return [measure for measure in measures_to_try(name) if check(qrels, measure.parameters) is None]


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=5)
@given(data=st.data())
def test_every_measure_over_all_orders(name: str, data: st.DataObject) -> None:
    for material in MATERIALS.get(REGISTRY[name].needs, (REGISTRY[name].needs,)):
        some = data.draw(st.lists(topics(material), min_size=1, max_size=3), label=material)
        options = data.draw(st.sampled_from(OPTIONS))
        measures = fitting(name, material, some)
        if measures:
            found = over_ties(material, some, measures, **options)
            check(found, in_every_order(material, some, list(found.measures), **options))


COSTLY = [name for name, definition in REGISTRY.items() if definition.reader is not None]


@pytest.mark.parametrize("name", COSTLY)
@settings(max_examples=2)
@given(some=st.lists(topics("binary"), min_size=1, max_size=4), depth=st.sampled_from([None, 2]))
def test_what_documents_cost_moves_with_them(name: str, some: list[Topic], depth: int | None) -> None:
    measures = fitting(name, "binary", some)
    found = over_ties("binary", some, measures, with_costs=True, default_cost=1.5, depth=depth)
    check(found, in_every_order("binary", some, measures, with_costs=True, default_cost=1.5, depth=depth))


# What is claimed in advance, and what has to be tried

CLOSED = (
    *(
        "P@2",
        "R@2",
        "F@2",
        "SetF",
        "AP",
        "AP@2",
        "GMAP",
        "Rprec",
        "RR",
        "RR@2",
        "Success@2",
        "Bpref",
        "GMBpref",
        "BinG",
    ),
    *(
        "AUC",
        "nDCG@2",
        "DCG",
        "CG",
        "nDCGrel",
        "ERR@2",
        "nERR",
        "Q",
        "O",
        "RBP",
        "RBPResidual",
        "SDCG@3",
        "INSQ",
        "TBG",
    ),
    *("Judged@2", "NumRelRet", "MeanP@3", "Utility@2"),
)
TRIED = ("IPrec@0.5", "YAAP", "EER", "G", "P_measure", "P_plus", "Compat", "INST", "NERR10", "BPM", "IFT_C1", "infAP")
MIXED = Topic((0, None, 1, 2, 0, 1), (1, 4, 1), (2,))
"""No tie of these is of one kind, and all orders of it differ."""


@pytest.mark.parametrize("name", CLOSED)
def test_closed_forms_are_used(name: str) -> None:
    (spread,) = over_ties("grades", [MIXED], [parse_one(name)]).ties.values()
    assert spread.method.tolist() in ([CLOSED_FORM], [UNAFFECTED])
    assert spread.how in ("closed form", "unaffected")


@pytest.mark.parametrize("name", TRIED)
def test_orders_are_tried_where_there_is_no_closed_form(name: str) -> None:
    (spread,) = over_ties("grades", [MIXED], [parse_one(name)]).ties.values()
    assert spread.method.tolist() == [ALL_ORDERS]


# By hand


def test_expected_values_by_hand() -> None:
    """One relevant document among three with the same score, R = 1: it stands at 1, 2 and 3 with the same chance."""
    found = cf.evaluate({"q": {"b": 1}}, {"q": {"a": 1, "b": 1, "c": 1}}, ["AP", "RR", "P@1", "nDCG@2"], ties="range")
    ties = found.ties
    assert ties["AP"].expected[0] == pytest.approx((1 + 1 / 2 + 1 / 3) / 3)
    assert ties["RR"].expected[0] == pytest.approx((1 + 1 / 2 + 1 / 3) / 3)
    assert ties["P@1"].expected[0] == pytest.approx(1 / 3)
    assert ties["nDCG@2"].expected[0] == pytest.approx((1 + 1 / np.log2(3) + 0) / 3)
    assert [ties["AP"].minimum[0], ties["AP"].maximum[0]] == pytest.approx([1 / 3, 1])
    assert found["AP"] == {"q": 1 / 2}  # c, b, a: identifiers, last first
    assert [ties[m].topics_across for m in ("AP", "RR", "P@1", "nDCG@2")] == [0, 0, 1, 1]


def test_average_precision_as_mcsherry_and_najork_have_it() -> None:
    """ECIR 2008: over a tie of n documents from rank s + 1, r of them relevant, with c relevant ones above.

    (1/R) Σ_{j=1}^{n} (r/n) (c + (j - 1)(r - 1)/(n - 1) + 1) / (s + j)
    """
    grades = {"d1": 1, "d2": 0, "d3": 1, "d4": 1, "d5": 0, "d6": 1, "missed": 1}
    run = {"d1": 3, "d2": 2, "d3": 1, "d4": 1, "d5": 1, "d6": 1, "d7": 1}
    s, n, r, c, R = 2, 5, 3, 1, 5
    tie = sum((r / n) * (c + (j - 1) * (r - 1) / (n - 1) + 1) / (s + j) for j in range(1, n + 1))
    found = cf.evaluate({"q": grades}, {"q": run}, "AP", ties="expected")
    assert found.mean["AP"] == pytest.approx((1 + tie) / R)


def test_a_tie_across_the_depth() -> None:
    """Of a and b, tied, one is looked at: RR is 1 or 0, and NumRelRet 1 or 0."""
    found = cf.evaluate({"q": {"a": 1, "b": 0}}, {"q": {"a": 1, "b": 1}}, ["RR", "NumRelRet"], depth=1, ties="range")
    for spread in found.ties.values():
        assert [spread.value[0], spread.expected[0], spread.minimum[0], spread.maximum[0]] == [0, 0.5, 0, 1]
        assert spread.topics_across == 1


def test_ties_that_change_nothing() -> None:
    run = {"q": {"a": 1, "b": 1}, "r": {"a": 2, "b": 1}, "s": {"a": 1, "b": 1}}
    found = cf.evaluate({"q": {"a": 1, "b": 1}, "r": {"a": 1}, "s": {"c": 1}}, run, ["AP", "infAP"], ties="range")
    for spread in found.ties.values():
        assert (spread.topics_tied, spread.topics_affected, spread.how) == (2, 0, "unaffected")
        assert spread.certified.all()
        assert (spread.expected == spread.value).all()


def test_single_precision_ties_more_scores() -> None:
    qrels, run = {"q": {"a": 1}}, {"q": {"a": 100.0, "b": 100.00000001}}
    assert cf.evaluate(qrels, run, "RR", ties="range").ties["RR"].topics_tied == 0
    found = cf.evaluate(qrels, run, "RR", profile="trec_eval-9", ties="expected")
    assert found.mean["RR"] == pytest.approx((1 + 1 / 2) / 2)


# Where there are too many orders to try


def many_tied(topics: int = 20) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Topics with two ties of 15 documents, of which a third is not judged."""
    qrels = {f"q{t}": {f"d{n}": (n * (t + 1)) % 3 for n in range(30) if n % 3} for t in range(topics)}
    return qrels, {topic: {f"d{n}": float(n % 2) for n in range(30)} for topic in qrels}


@pytest.mark.parametrize("depth", [None, 20])
def test_drawn_orders_agree_with_closed_forms(depth: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawn means are within five standard errors of the exact ones, and no drawn value is outside the range."""
    measures = ["AP", "nDCG@10", "RR", "Bpref", "BinG", "ERR", "Q", "Judged@10", "P@20"]
    exact = cf.evaluate(*many_tied(), measures, depth=depth, ties="range")
    find = Search.find

    def by_trying(search: Search, measures: Any) -> Any:
        search.by_form = False
        return find(search, measures)

    monkeypatch.setattr(Search, "find", by_trying)
    drawn = cf.evaluate(*many_tied(), measures, depth=depth, ties="range")
    for measure in exact.measures:
        one, other = exact.ties[measure], drawn.ties[measure]
        assert (one.method != SAMPLED).all() or (
            depth and measure.name in ("Bpref", "BinG")
        )  # across it they are drawn
        assert (other.method == SAMPLED).all()
        assert not other.certified.any()
        assert (np.abs(one.expected - other.expected) <= 5 * np.hypot(other.error, one.error) + 1e-12).all()
        assert (other.minimum >= one.minimum - 1e-12).all() or not one.certified.all()
        assert (other.maximum <= one.maximum + 1e-12).all() or not one.certified.all()
        assert other.mean_error == pytest.approx(np.sqrt((other.error**2).sum()) / 20)


def test_what_is_drawn_depends_on_the_seed_alone() -> None:
    qrels, run = many_tied()
    first = cf.evaluate(qrels, run, ["IPrec@0.5", "G"], ties="range").ties
    again = cf.evaluate(qrels, {"q3": run["q3"]}, ["YAAP", "G", "AP"], ties="range").ties  # alone, with other measures
    other = cf.evaluate(qrels, run, "G", ties="range", seed=1).ties
    row = sorted(run).index("q3")
    assert first["G"].expected[row] == again["G"].expected[row] != other["G"].expected[row]
    assert first["G"].how == "sampled"
    assert first["G"].error[row] > 0
