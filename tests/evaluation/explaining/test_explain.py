"""Explanations: derived from what measures compute, so that the two cannot part."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path
from typing import Any

import pytest

import cranfield as cf
from cranfield.data.working import Step
from cranfield.errors import CranfieldError, DataError, UsageError
from cranfield.measures import REGISTRY, Measure, parse_one
from cranfield.measures.profiles import PROFILES
from tests.measures.material import Case, all_cases, given, material_of, variants

# What holds for every measure


class Number(float):
    """A float with which Python's own arithmetic gives 0 for a division by 0: the oracle for formulas."""

    def __add__(self, other: float) -> Number:
        return Number(float(self) + float(other))

    def __sub__(self, other: float) -> Number:
        return Number(float(self) - float(other))

    def __rsub__(self, other: float) -> Number:
        return Number(float(other) - float(self))

    def __mul__(self, other: float) -> Number:
        return Number(float(self) * float(other))

    def __truediv__(self, other: float) -> Number:
        return Number(float(self) / float(other) if float(other) else 0.0)

    def __rtruediv__(self, other: float) -> Number:
        return Number(other) / self

    def __pow__(self, other: float) -> Number:  # type: ignore[override]
        return Number(float(self) ** float(other))

    def __rpow__(self, other: float) -> Number:  # type: ignore[override]
        return Number(float(other) ** float(self))

    def __neg__(self) -> Number:
        return Number(-float(self))

    __radd__, __rmul__ = __add__, __mul__


FUNCTIONS: dict[str, Any] = {
    "__builtins__": {},
    "min": min,
    "max": max,
    "ln": lambda x: Number(math.log(x)),
    "log2": lambda x: Number(math.log2(x)),
    "exp": lambda x: Number(math.exp(x)),
    "sqrt": lambda x: Number(math.sqrt(x)),
}


def close(one: float, other: float, tolerance: float = 1e-12) -> bool:
    return math.isclose(one, other, rel_tol=tolerance, abs_tol=tolerance)


def check(explanation: cf.Explanation, evaluated: Any) -> None:
    """That the arithmetic gives the value, from the columns through every step to the last."""
    assert explanation.value == evaluated
    if isinstance(evaluated, str):
        return
    name = explanation.measure.name
    assert explanation.steps, f"{name} writes down no steps: see `Rankings.sum`, `count`, `step` and data/working.py"
    known: dict[str, float] = {}
    for step in explanation.steps:
        if all(map(math.isfinite, [*step.inputs.values(), *known.values()])):
            assert close(recomputed(explanation, step, known), step.value), f"{name}: {step}"
        known[step.name] = step.value
    assert close(explanation.steps[-1].value, evaluated), f"{name}: the last step is {explanation.steps[-1]}"
    if math.isfinite(evaluated):
        parts = [row.share for row in explanation.rows if row.share is not None]
        assert explanation.others == 0
        assert close(math.fsum(parts) + explanation.rest, evaluated, 1e-9), name


def recomputed(explanation: cf.Explanation, step: Step, known: dict[str, float]) -> float:
    """A step worked out anew: the sum of its column, or its formula by Python's own arithmetic."""
    if step.column and step.of_ideal:
        return math.fsum(explanation.ideal[step.column])
    if step.column:
        cells = [row.cells[step.column] for row in explanation.rows if step.column in row.cells]
        return math.fsum(cell for cell in cells if isinstance(cell, float))
    names = {name: Number(value) for name, value in (known | dict(step.inputs)).items()}
    return float(eval(step.formula, FUNCTIONS, names))


def can_be_asked(measure: Measure) -> Measure:
    """The measure, with a cutoff if it is endless without."""
    try:
        measure.check_parameters()
    except CranfieldError:
        return measure @ 5
    return measure


def some_cases(material: str, chance: random.Random, number: int) -> list[Case]:
    """Some of all small rankings of a material, of those that have documents and, if they matter, two subtopics."""

    def fits(case: Case) -> bool:
        subtopics = {by for one in (*case.ranks, *case.missed) if isinstance(one, dict) for by in one}
        return bool(case.ranks) and (material != "subtopics" or len(subtopics) > 1)

    return chance.sample(list(filter(fits, all_cases(material))), number)


@pytest.mark.parametrize("name", REGISTRY)
def test_every_measure_can_be_explained(name: str) -> None:
    chance = random.Random(name)
    for measure in map(can_be_asked, variants(name)):
        material = material_of(measure)
        assert material is not None
        for case in some_cases(material, chance, 2):
            qrels, run, options = given(material, case)
            evaluated = cf.evaluate(qrels, run, measure, **options)[measure]["q"]
            check(cf.explain(qrels, run, measure, "q", **options), evaluated)


@pytest.mark.parametrize("name", [name for name, definition in REGISTRY.items() if definition.needs == "qrels"])
def test_long_rankings_can_be_explained(name: str) -> None:
    chance = random.Random(name)
    grades = (None, -1, 0, 0, 1, 1, 2)
    for measure in map(can_be_asked, variants(name)[:6]):
        material = material_of(measure)
        assert material is not None
        case = Case(tuple(chance.choices(grades[: 5 if material == "binary" else 7], k=40)), (1, 0, 1))
        if material == "binary":
            case = Case(tuple(grade if grade != -1 else 0 for grade in case.ranks), case.missed)
        qrels, run, options = given(material, case)
        evaluated = cf.evaluate(qrels, run, measure, **options)[measure]["q"]
        check(cf.explain(qrels, run, measure, "q", **options), evaluated)


@pytest.mark.parametrize("name", [name for name, definition in REGISTRY.items() if definition.aggregate != "none"])
def test_differences_of_documents_add_up_to_the_difference(name: str) -> None:
    chance = random.Random(name)
    measure = can_be_asked(variants(name)[0])
    material = material_of(measure)
    assert material is not None
    for case in some_cases(material, chance, 3):
        qrels, run, options = given(material, case)
        order = [f"d{place:02}" for place in range(len(case.ranks) + len(case.missed))]
        other = {"q": {document: chance.random() for document in chance.sample(order, len(order) - 1) or order}}
        found = cf.explain(qrels, run, measure, "q", against=other, **options)
        values = [cf.evaluate(qrels, one, measure, **options)[measure]["q"] for one in (run, other)]
        assert (found.run.value, found.against.value) == tuple(values)
        together = math.fsum(one.difference for one in found.documents) + found.rest
        assert close(together, values[0] - values[1], 1e-9), measure


def test_the_measure_that_is_explained_is_the_one_asked_for() -> None:
    # By hand: grades 2, 1 of level 2 give P@2 = 1/2; of level 1 it is 2/2.
    qrels, run = {"q": {"a": 2, "b": 1}}, {"q": {"a": 2.0, "b": 1.0}}
    assert cf.explain(qrels, run, "P@2", "q", level=2).value == 0.5
    assert cf.explain(qrels, run, "P@2", "q").value == 1.0
    assert cf.explain(qrels, {"q": {"x": 3.0, "a": 2.0}}, "AP", "q", judged_only=True).value == 0.5
    assert cf.explain(qrels, run, "P@2", "q", depth=1).value == 0.5


@pytest.mark.real_data
@pytest.mark.parametrize("measure", ["nDCG@10", "AP", "RR", "RBP", "Bpref", "ERR", "SetF", "Compat"])
def test_values_of_a_real_run(real_data: Path, measure: str) -> None:
    folder = real_data / "trec_covid_r1"
    qrels, run = folder / "qrels-rnd1.txt", folder / "runs" / "BERT.gz"
    evaluated = cf.evaluate(qrels, run, measure, profile="trec_eval-9")[measure]
    for query in ("1", "12", "30"):
        explanation = cf.explain(qrels, run, measure, query, profile="trec_eval-9")
        assert explanation.value == evaluated[query]
        shares = math.fsum(row.share for row in explanation.rows if row.share is not None)
        assert close(shares + explanation.rest + explanation.others, evaluated[query], 1e-9)


PROFILE_MEASURES = ["AP@10", "nDCG@10", "nDCG@20", "RR", "P@5", "ERR@20", "SetF", "Bpref", "BPM", "alpha_nDCG@5"]


@pytest.mark.parametrize("profile", PROFILES)
def test_values_by_the_rules_of_each_profile(tmp_path: Path, profile: str) -> None:
    chance = random.Random(profile)
    documents = [f"d{number}" for number in range(12)]
    tried = 0
    for measure in PROFILE_MEASURES * 3:
        qrels: list[tuple[str | int, ...]] = [("q", document, chance.choice([0, 1, 2])) for document in documents[1:9]]
        if measure.startswith("alpha"):
            qrels = [("q", subtopic, *row[1:]) for row in qrels for subtopic in ("1", "2")]
        else:
            qrels.append(("q", "d0", 1))
        scores = [(document, chance.choice(["1", "2", "3", "1.00000001"])) for document in chance.sample(documents, 9)]
        lines = [f"q Q0 {document} {rank} {score} tag" for rank, (document, score) in enumerate(scores, 1)]
        (tmp_path / "run.txt").write_text("\n".join(["other Q0 d1 1 1 tag", *lines]))
        try:
            evaluated = cf.evaluate(qrels, tmp_path / "run.txt", measure, profile=profile).per_query["q"]
        except UsageError:
            continue  # the tool does not have it
        (value,) = evaluated.values()
        explanation = cf.explain(qrels, tmp_path / "run.txt", measure, "q", profile=profile)
        assert explanation.value == value
        parts = [row.share for row in explanation.rows if row.share is not None]
        assert close(math.fsum(parts) + explanation.rest + explanation.others, value, 1e-9)
        tried += 1
    assert tried


def test_all_orders_of_ties_are_not_one_explanation() -> None:
    with pytest.raises(UsageError, match="an explanation about one of them"):
        cf.explain(QRELS, RUN, "AP", "q", ties="expected")


# Shares


def shares(explanation: cf.Explanation) -> dict[str, float]:
    return {row.document: row.share for row in explanation.rows if row.share}


def test_shares_of_average_precision() -> None:
    # The example of the lecture notes: relevant at 1, 3, 6, 9, 10 of 5, so each adds its precision over 5.
    explanation = cf.explain_one("AP", [1, 0, 1, 0, 0, 1, 0, 0, 1, 1])
    expected = {"d1": 1 / 5, "d3": 2 / 3 / 5, "d6": 3 / 6 / 5, "d9": 4 / 9 / 5, "d10": 5 / 10 / 5}
    assert shares(explanation) == pytest.approx(expected, rel=1e-12)
    assert (explanation.shares, explanation.rest) == ("sum", 0)


def test_shares_of_gain_below_an_ideal_list() -> None:
    # By hand: 2/1 and 1/2 of an ideal 3/1 + 2/log2(3) + 1/2.
    ideal = 3 + 2 / math.log2(3) + 0.5
    explanation = cf.explain_one("nDCG@3", [2, None, 1], unretrieved=[3])
    assert shares(explanation) == pytest.approx({"d1": 2 / ideal, "d3": 0.5 / ideal}, rel=1e-12)
    assert explanation.ideal["gain"] == (3.0, 2.0, 1.0)
    assert [row.cells["discount"] for row in explanation.rows] == [1, math.log2(3), 2]  # unjudged documents too


def test_what_is_there_without_any_document_is_the_rest() -> None:
    # By hand: F1 = 2 · 2 / (4 + 3), so that E = 1 - 4/7, of which each relevant document takes 2/7.
    explanation = cf.explain_one("SetE", [1, 0, 1, 0], unretrieved=[1])
    assert shares(explanation) == pytest.approx({"d1": -2 / 7, "d3": -2 / 7})
    assert explanation.rest == 1


def test_a_value_that_is_no_sum_has_what_each_rank_adds() -> None:
    explanation = cf.explain_one("RR", [0, 1, 0, 1])
    assert explanation.shares == "rank"
    assert shares(explanation) == {"d2": 0.5}
    # Without d1 the first relevant one is at 1, without d2 at 3; the others below do not matter.
    assert [row.without for row in explanation.rows] == [1, 1 / 3, 0.5, 0.5]


def test_shares_of_a_mean_over_assessors() -> None:
    # By hand: ann 1/1 + 2/3 of 2, bob 1/2 of 1, each half of the mean.
    judged = [("q", "ann", "a", 1), ("q", "ann", "c", 1), ("q", "bob", "a", 0), ("q", "bob", "b", 1)]
    run = {"q": {"a": 3, "b": 2, "c": 1}}
    explanation = cf.explain(judged, run, "AP_avgjg", "q", relevance="qrels_jg")
    assert shares(explanation) == pytest.approx({"a": 1 / 2 / 2, "b": 1 / 2 / 2, "c": 2 / 3 / 2 / 2})
    assert [row.grade for row in explanation.rows] == ["ann:1 bob:0", "bob:1", "ann:1"]
    assert [(step.assessor, step.name) for step in explanation.steps] == [
        ("ann", "sum"), ("ann", "AP"), ("bob", "sum"), ("bob", "AP"), ("", "AP_avgjg"),
    ]  # fmt: skip


def test_many_documents_are_not_tried_one_by_one() -> None:
    explanation = cf.explain_one("SetJaccard", [1] + [0] * 298 + [1])
    # By hand: 2 / 300; the last document raises it from 1 / 300, and those from 21 on have no share of their own.
    assert explanation.rows[-1].share == pytest.approx(2 / 300 - 1 / 300)
    assert [row.share is None for row in explanation.rows] == [
        20 < row.rank < 300 for row in explanation.rows if row.rank
    ]
    known = math.fsum(row.share for row in explanation.rows if row.share is not None)
    assert known + explanation.rest + explanation.others == pytest.approx(2 / 300)


# What would change


QRELS = {"q": {"a": 1, "b": 0, "d": 1, "z": 2}}
RUN = {"q": {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}}


def test_documents_exchanged() -> None:
    explanation = cf.explain(QRELS, RUN, "AP", "q", swap=(2, 4))
    # Before (1/1 + 2/4) / 3, after (1/1 + 2/2) / 3.
    assert explanation.change == (("ranks 2 and 4 exchanged",), 0.5)
    assert explanation.value == pytest.approx(2 / 3)
    assert [row.document for row in explanation.rows] == ["a", "d", "c", "b"]


def test_documents_exchanged_one_after_the_other() -> None:
    explanation = cf.explain(QRELS, RUN, "AP", "q", swap=[(1, 2), (2, 3)])
    assert [row.document for row in explanation.rows] == ["b", "c", "a", "d"]


@pytest.mark.parametrize(
    ("judge", "expected"),
    [
        ({"c": 1}, (1 + 2 / 3 + 3 / 4) / 4),  # not judged before: R grows to 4
        ({"a": 0}, (1 / 4) / 2),
        ({"z": 0}, (1 + 2 / 4) / 2),  # judged and not retrieved: R falls to 2
        ({"d": -1, "b": 2}, (1 + 2 / 2) / 3),
    ],
)
def test_other_grades(judge: dict[str, float], expected: float) -> None:
    explanation = cf.explain(QRELS, RUN, "AP", "q", judge=judge)
    assert explanation.value == pytest.approx(expected, rel=1e-12)
    assert explanation.change is not None
    assert explanation.change.before == 0.5
    changed = {document: dict(QRELS["q"], **judge).get(document) for document in "abcd"}
    assert {row.document: row.grade for row in explanation.rows} == changed


def test_which_documents_make_the_difference() -> None:
    other = {"q": {"d": 4.0, "x": 3.0, "a": 2.0}}
    found = cf.explain(QRELS, RUN, "AP", "q", against=other)
    # RUN has (1/1 + 2/4) / 3, the other one (1/1 + 2/3) / 3.
    assert found.difference == pytest.approx((1 / 2 - 2 / 3) / 3)
    a, d = sorted(found.documents, key=lambda one: one.document)
    assert (a.rank, a.against_rank, d.rank, d.against_rank) == (1, 3, 4, 1)
    assert [a.difference, d.difference] == pytest.approx([(1 - 2 / 3) / 3, (1 / 2 - 1) / 3])
    assert [one.document for one in found.documents] == ["d", "a"]  # the larger difference first
    assert (found.run.run, found.against.run) == ("run-1", "run-2")  # both have no name of their own


# What is said beside the numbers


def test_ties_are_said() -> None:
    explanation = cf.explain(QRELS, {"q": {"a": 2.0, "b": 1.0, "c": 1.0, "d": 1.0}}, "AP", "q")
    assert [row.document for row in explanation.rows] == ["a", "d", "c", "b"]
    assert [row.tied for row in explanation.rows] == [False, True, True, True]
    expected = "tied scores at ranks 2 to 4: these documents stand in descending order of their identifiers"
    assert expected in explanation.notes


def test_ties_as_the_profile_sees_them() -> None:
    run = {"q": {"a": 1.00000001, "b": 1.0, "c": 0.5}}
    whole = cf.explain(QRELS, run, "AP", "q")
    single = cf.explain(QRELS, run, "AP", "q", profile="trec_eval-9")
    assert [row.document for row in whole.rows] == ["a", "b", "c"]
    assert [row.document for row in single.rows] == ["b", "a", "c"]  # as 32-bit floats a and b tie
    assert [row.tied for row in single.rows] == [True, True, False]


def test_ranks_among_judged_documents() -> None:
    explanation = cf.explain(QRELS, RUN, "AP", "q", judged_only=True)
    assert [row.cells.get("place") for row in explanation.rows] == [1, 2, None, 3]
    assert explanation.value == pytest.approx((1 + 2 / 3) / 3)


def test_judged_documents_that_are_not_retrieved_but_count() -> None:
    explanation = cf.explain_one("statNumRel", [1, -1, 0], unretrieved=[1], strata="aaab")
    assert [(row.rank, row.document, row.share) for row in explanation.rows if row.share] == [
        (1, "d1", 1.5), (None, "d4", 1),  # one of two was judged in a, so that each stands for 3/2; b is whole
    ]  # fmt: skip


def test_what_was_missed() -> None:
    explanation = cf.explain(QRELS, RUN, "AP", "q")
    assert explanation.relevant is not None
    assert (explanation.relevant.number, explanation.relevant.found, explanation.relevant.missed) == (3, 2, ("z",))
    assert (explanation.to_dict()["relevant"], explanation.to_dict()["missed"]) == (3, ["z"])
    assert "R = 3 relevant documents, 2 of them in the list; missed: z" in repr(explanation)
    assert cf.explain(QRELS, RUN, "AP", "q", level=2).to_dict()["missed"] == ["z"]
    assert "R = 1 relevant document, not in the list; missed: z" in repr(cf.explain(QRELS, RUN, "AP", "q", level=2))
    assert "R = 2 relevant documents, all of them in the list" in repr(cf.explain_one("AP", [1, 0, 1]))
    assert "d5, d6, d7, d8, d9, d10, d11, ... (2 more)" in repr(cf.explain_one("AP", [1], unretrieved=[1] * 12))
    assert cf.explain(QRELS, RUN, "P@2", "q").relevant is None  # it does not matter how many there are


def test_the_documents_of_the_ideal_list() -> None:
    explanation = cf.explain(QRELS, RUN, "nDCG@2", "q")
    assert explanation.ideal_documents == ("z", "a")  # grade 2, and the first of those with grade 1
    assert "3 documents with a gain, 2 of them in the list; missed: z" in repr(explanation)
    assert cf.explain(QRELS, RUN, "nDCG(ideal=retrieved)", "q").ideal_documents == ("a", "d")
    assert cf.explain(QRELS, RUN, "nDCG(gains=1:5)", "q").ideal_documents == ("a", "d", "z")
    assert cf.explain(QRELS, RUN, "Compat", "q").ideal_documents == ("z", "a", "d")
    # Both c and a cover two subtopics, and c has the later name; then b covers the one that is missing.
    judged = [("q", "1", "a", 1), ("q", "2", "a", 1), ("q", "1", "c", 1), ("q", "2", "c", 1), ("q", "3", "b", 1)]
    diverse = cf.explain(judged, RUN, "alpha_nDCG@3", "q")
    assert diverse.ideal_documents == ("c", "b", "a")
    assert "subtopics are the second column of the judgments: 1, 2, 3" in diverse.notes
    assert "relevant to: the subtopics that the document is relevant to" in repr(diverse)


@pytest.mark.parametrize("measure", ["AP", "nDCG@10", "SetE", "EER", "Bpref", "RBP", "RelString"])
def test_a_topic_that_the_run_lacks(measure: str) -> None:
    qrels, run = {**QRELS, "p": {"a": 1}}, {"p": {"a": 1.0}}
    explanation = cf.explain(qrels, run, measure, "q")
    assert explanation.value == cf.evaluate(qrels, run, measure).per_query["q"][str(explanation.measure)]
    assert explanation.rows == ()
    assert explanation.notes[0].startswith("the run has nothing for topic q: it scores")
    skipped = cf.explain(qrels, run, measure, "q", profile="trec_eval-9")
    assert "left out of the mean" in skipped.notes[0]


def test_parameters_are_shown() -> None:
    shown = {
        "BPM": "T = 1, K = 10, gain = binary", "infAP": "ε = 0.00001", "SetF(alpha=0.2)": "alpha = 0.2", "SetF": "beta = 1",
    }  # fmt: skip
    for measure, text in shown.items():
        assert text in repr(cf.explain_one(measure, [1, 0]))
    assert "beta" not in cf.explain_one("SetF(alpha=0.2)", [1, 0]).parameters
    assert cf.explain_one("alpha_nDCG@5", ["a", "b"]).to_dict()["parameters"] == {"alpha": 0.5}


def test_symbols_are_explained_and_formulas_named() -> None:
    lines = repr(cf.explain_one("Bpref", [1, 0])).splitlines()
    assert "    Bpref = 1/R Σ(d relevant) (1 - min(n_d, R)/min(N, R))" in lines
    assert "where n_d counts the judged non-relevant documents above d and N all of them." in lines
    assert "RelativeP = P@k/" in repr(cf.explain_one("RelativeP@5", [1, 0]))
    assert "    AP = 1/R " in repr(cf.explain_one("AP", [1, 0]))
    assert "    RBO(A, B) = " in repr(cf.explain_one("Compat", [1, 0]))
    assert "    YAAP = ln " in repr(cf.explain_one("YAAP", [1, 0]))


def test_a_division_by_zero_is_said_to_be_one() -> None:
    assert "AP = sum / R = 0 / 0, no relevant document: 0 by definition" in repr(cf.explain_one("AP", [0, 0]))
    assert "0 / 0, no document with a gain: 0 by definition" in repr(cf.explain_one("nDCG", [0, 0]))


def test_what_would_change_in_a_difference() -> None:
    other = {"q": {"d": 4.0, "x": 3.0, "a": 2.0}}
    found = cf.explain(QRELS, RUN, "AP", "q", against=other, swap=(2, 4), judge={"x": 1})
    # R is 4: the first run has 1/1 + 2/2 after the exchange, the other one, with x, 1/1 + 2/2 + 3/3.
    assert (found.run.value, found.against.value) == (2 / 4, 3 / 4)
    assert found.run.change is not None
    assert found.run.change.what == ("ranks 2 and 4 exchanged", "x judged 1")
    assert found.against.change is not None
    assert found.against.change.what == ("x judged 1",)
    assert "run-1: Before: 0.5000; with ranks 2 and 4 exchanged, x judged 1: 0.5000" in repr(found)


def test_only_near_names_are_offered() -> None:
    qrels, run = {"q": {"doc-12345": 1}}, {"q": {"doc-12345": 1.0, "other": 0.5}}
    with pytest.raises(UsageError, match=r"Did you mean doc-12345\?"):
        cf.explain(qrels, run, "AP", "q", judge={"doc-12354": 1})
    with pytest.raises(UsageError, match=r"for query 'q'\.$"):
        cf.explain(qrels, run, "AP", "q", judge={"nosuch": 1})


# Mistakes


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((QRELS, RUN, "AP", "p"), {}, "qrels: query 'p' is not judged; there is only q"),
        (({"topic-7": {"a": 1}}, RUN, "AP", "topc-7"), {}, "'topc-7' is not judged. Did you mean topic-7?"),
        ((QRELS, {"p": {"a": 1.0}}, "AP", "q"), {"profile": "trec_eval-10"}, "run: query 'q' has no documents"),
        (("AP", QRELS, RUN, "q"), {}, "explain takes judgments, run, measure and query.*the measure given is a dict"),
        ((cf.AP, QRELS, "AP", "q"), {}, "explain takes judgments, run, measure and query"),
        ((QRELS, RUN, "AP", "q"), {"swap": (1, 5)}, "rank 5 is outside the list, which has 4 documents"),
        ((QRELS, RUN, "AP", "q"), {"swap": (0, 1)}, "rank 0 is outside the list"),
        ((QRELS, RUN, "AP", "q"), {"swap": (2, 2)}, "2 and 2 are the same rank"),
        ((QRELS, RUN, "AP", "q"), {"swap": (1, 2, 3)}, r"expected two ranks such as \(3, 7\), or a list"),
        ((QRELS, RUN, "AP", "q"), {"swap": 3}, r"expected two ranks such as \(3, 7\), .* found 3"),
        ((QRELS, RUN, "AP", "q"), {"swap": "3,7"}, r"expected two ranks such as \(3, 7\)"),
        ((QRELS, RUN, "AP", "q"), {"swap": (1.5, 2)}, r"expected two ranks such as \(3, 7\)"),
        ((QRELS, RUN, "AP", "q"), {"judge": "d=2"}, r"expected grades by document such as \{'d9': 2\}, found 'd=2'"),
        ((QRELS, RUN, "AP", "q"), {"judge": {"a": 0.5}, "profile": "trec_eval-9"}, "a=0.5: grade 0.5 .* whole number"),
        ((QRELS, RUN, "ERR@20", "q"), {"judge": {"a": 5}, "profile": "gdeval"}, "a=5: grade 5 .* above 4"),
        ((QRELS, RUN, "ERR", "q"), {"judge": {"a": 9}}, r"--judge \(judge=\) a=9: ERR.* needs grades up to 4"),
        (
            (QRELS, RUN, "AP", "q"),
            {"judge": {"doc": 1}},
            "document 'doc' is neither retrieved nor judged for query 'q'",
        ),
        ((QRELS, RUN, "AP", "q"), {"judge": {"a": "good"}}, "--judge .judge=.: grade 'good'"),
        ((QRELS, RUN, "RelString", "q"), {"against": RUN}, "two texts have no difference"),
        ((QRELS, RUN, "P@5,10", "q"), {}, "P@5,10"),
        ((QRELS, RUN, "nDGC", "q"), {}, "Did you mean nDCG"),
        ((QRELS, RUN, "prefs_simp", "q"), {}, "needs -R prefs or -R qrels_prefs"),
        ((QRELS, RUN, "prefs_simp", "q"), {"relevance": "qrels_prefs", "judge": {"a": 1}}, "computed from preferences"),
    ],
)
def test_mistakes(arguments: tuple[Any, ...], options: dict[str, Any], message: str) -> None:
    with pytest.raises((UsageError, DataError), match=message):
        cf.explain(*arguments, **options)


# Written down


def test_a_ranking_that_is_written_down_has_the_value_of_evaluate_one() -> None:
    for measure in ("AP", "nDCG@3", "RBP", "Bpref", "infAP"):
        for grades in ([1, 0, None, 2], [None, None], []):
            explanation = cf.explain_one(measure, grades, unretrieved=[1])
            assert round(float(explanation.value), 4) == cf.evaluate_one(measure, grades, unretrieved=[1])


def test_subtopics_written_down() -> None:
    documents: list[Any] = ["ab", None, {"a": 2, "c": 1}]
    explanation = cf.explain_one("alpha_nDCG@3", documents, unretrieved=["b"], intents={"a": 2, "b": 1, "c": 1})
    expected = cf.evaluate_one("alpha_nDCG@3", documents, unretrieved=["b"], intents={"a": 2, "b": 1, "c": 1})
    assert round(float(explanation.value), 4) == expected
    assert [row.grade for row in explanation.rows] == ["a:1 b:1", None, "a:2 c:1"]


def test_costs_written_down() -> None:
    expected = cf.evaluate_one("TBG", [1, 0, 1], costs=[10, 200, 30])
    assert round(float(cf.explain_one("TBG", [1, 0, 1], costs=[10, 200, 30]).value), 4) == expected


def test_the_text_does_the_arithmetic() -> None:
    lines = repr(cf.explain_one("AP", [1, 0, 1, 0, 0, 1, 0, 0, 1, 1])).splitlines()
    assert lines[0] == "AP: 0.6222"
    assert "sum = Σ (rel · P@i) = 1 + 0.6667 + 0.5 + 0.4444 + 0.5 = 3.1111" in lines
    assert "AP = sum / R = 3.1111 / 5 = 0.6222" in lines


def test_html_is_escaped() -> None:
    qrels, run = {"q<b>": {"<i>": 1}}, {"q<b>": {"<i>": 1.0, "a&b": 0.5}}
    shown = cf.explain(qrels, run, "AP", "q<b>")._repr_html_()
    difference = cf.explain(qrels, run, "AP", "q<b>", against={"q<b>": {"a&b": 1.0}})._repr_html_()
    for html in (shown, difference):
        assert "&lt;i&gt;" in html
        assert "<i>" not in html
    assert "a&amp;b" in shown
    assert "color" not in shown  # it takes those of the page, be it light or dark


def test_json_has_everything() -> None:
    explanation = cf.explain(QRELS, RUN, "nDCG@3", "q", swap=(1, 2))
    whole = json.loads(json.dumps(explanation.to_dict()))
    assert whole["schema"] == "cranfield.explanation/1"
    assert (whole["measure"], whole["query"], whole["value"]) == ("nDCG@3", "q", explanation.value)
    assert [row["document"] for row in whole["rows"]] == ["b", "a", "c", "d"]
    assert whole["steps"][-1]["formula"] == "DCG / IdealDCG"
    assert whole["change"]["what"] == ["ranks 1 and 2 exchanged"]
    difference = cf.explain(QRELS, RUN, "AP", "q", against={"q": {"d": 1.0}}).to_dict()
    assert difference["schema"] == "cranfield.explained-difference/1"
    total = sum(one["difference"] for one in difference["documents"]) + difference["rest"]
    assert total == pytest.approx(difference["difference"])


def test_what_is_infinite_is_null_in_json() -> None:
    explanation = cf.explain_one("RR(value=ED)@1000", [0, 0])
    assert explanation.value == 1000
    endless = cf.explain_one("RR(value=EC)", [0, 0]).to_dict()
    assert "Infinity" not in json.dumps(endless)


def test_parse_one_and_measures_as_values() -> None:
    assert cf.explain(QRELS, RUN, parse_one("P@1"), "q").measure == cf.P @ 1
