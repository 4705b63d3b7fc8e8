"""What unjudged documents leave open, held against every completion of small rankings there is."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield.errors import UsageError
from cranfield.measures import REGISTRY, Measure, parse_one
from cranfield.measures.completion import knowledge
from tests.measures.material import usual, variants
from tests.measures.test_rbp_eval import DEEPEST, OPTIONS, QUERIES, SPECS, in_every_order, printed, ties_of, to_depth

MOST_COMPLETIONS = 1100
ON_LISTS = ("corners", "precisions", "ideal_gains", "at_r", "cells", "blended", "whole_range")
"""The ways of measures to which a list has an end."""


class Case(NamedTuple):
    """A ranking by the grade at each rank (None: unjudged), and the grades of judged documents it missed."""

    ranks: tuple[float | None, ...]
    missed: tuple[float, ...]

    @property
    def holes(self) -> list[int]:
        return [rank for rank, grade in enumerate(self.ranks) if grade is None or grade < 0]

    @property
    def grades(self) -> list[float]:
        """Those that occur, 0 among them."""
        return sorted({0, *(grade for grade in (*self.ranks, *self.missed) if grade is not None and grade > 0)})

    def judged(self) -> dict[str, float]:
        names = [*(f"d{rank}" for rank in range(len(self.ranks))), *(f"m{at}" for at in range(len(self.missed)))]
        every = zip(names, (*self.ranks, *self.missed), strict=True)
        return {name: grade for name, grade in every if grade is not None} or {"other": 0}

    def run(self) -> dict[str, float]:
        return {f"d{rank}": -float(rank) for rank in range(len(self.ranks))}


@st.composite
def cases(draw: st.DrawFn, highest: int = 3, judged: int = 6, unjudged: int = 5) -> Case:
    """Rankings of so many judged and unjudged documents at most, with grades up to the highest at most."""
    top = draw(st.integers(1, highest))
    known = st.integers(0, top)
    ranks: list[float | None] = draw(st.lists(known, min_size=0, max_size=judged))
    for _ in range(draw(st.integers(1, unjudged))):
        ranks.insert(draw(st.integers(0, len(ranks))), draw(st.sampled_from([None, -1])))
    return Case(tuple(ranks), tuple(draw(st.lists(st.one_of(known, st.just(-1)), max_size=3))))


def grades_for(case: Case, measure: Measure) -> list[float]:
    """The grades that a hole may have: those that occur, 1 if none does, and up to gmax where a measure looks at that."""
    occur: list[float] = case.grades if len(case.grades) > 1 else [0, 1]
    gmax = measure.parameters.get("gmax")
    if gmax is None or not measure.looks_at("gmax"):
        return occur
    return [*(grade for grade in occur if grade < gmax), gmax]


def values_of_completions(case: Case, measure: Measure) -> Any:
    """The value of each completion: as many queries, in judgments that lack nothing."""
    fillings = list(product(grades_for(case, measure), repeat=len(case.holes)))
    judged = {
        f"q{number:04}": case.judged() | {f"d{rank}": grade for rank, grade in zip(case.holes, filling, strict=True)}
        for number, filling in enumerate(fillings)
    }
    return np.asarray(cf.evaluate(judged, dict.fromkeys(judged, case.run()), [measure]).columns[measure])


def few_enough(case: Case, measure: Measure) -> bool:
    return bool(len(grades_for(case, measure)) ** len(case.holes) <= MOST_COMPLETIONS)


def fits(case: Case, measure: Measure) -> bool:
    gmax = measure.parameters.get("gmax")
    return gmax is None or not measure.looks_at("gmax") or bool(max(case.grades) <= gmax)


def residual_of(case: Case, measure: Measure) -> Any:
    found = cf.evaluate({"q": case.judged()}, {"q": case.run()}, [measure], residuals=True)
    return found.residuals[measure], found.columns[measure]


BOUNDED = [name for name, d in REGISTRY.items() if d.needs in ("qrels", "anything") and d.completion]
ANY_HEALTH = list(HealthCheck)


def check(case: Case, measure: Measure) -> None:
    # Oracle: the public evaluation of every completion there is.
    values = values_of_completions(case, measure)
    residual, (value,) = residual_of(case, measure)
    assert residual.low[0] <= values.min() + 1e-9, measure
    assert residual.high[0] >= values.max() - 1e-9, measure
    assert residual.low[0] <= value <= residual.high[0], measure
    if residual.how == "exact":
        assert residual.low[0] == pytest.approx(values.min(), abs=1e-9), measure
        if knowledge(measure).way in ON_LISTS:
            assert residual.high[0] == pytest.approx(values.max(), abs=1e-9), measure


def check_a_variant(name: str, case: Case, data: st.DataObject) -> None:
    known = [m for m in variants(name) if knowledge(m).how != "none" and fits(case, m) and few_enough(case, m)]
    if known:
        check(case, data.draw(st.sampled_from(known)))


@pytest.mark.parametrize("name", BOUNDED)
@settings(max_examples=25, suppress_health_check=ANY_HEALTH)
@given(case=cases(), data=st.data())
def test_completions_lie_within_the_bounds_and_reach_exact_ones(name: str, case: Case, data: st.DataObject) -> None:
    check_a_variant(name, case, data)


@pytest.mark.slow
@pytest.mark.parametrize("name", BOUNDED)
@settings(max_examples=150, suppress_health_check=ANY_HEALTH)
@given(case=cases(judged=8), data=st.data())
def test_many_completions_lie_within_the_bounds(name: str, case: Case, data: st.DataObject) -> None:
    check_a_variant(name, case, data)


LONGER = [
    "AP", "AP@6", "AP(denominator=min-k-R)@5", "AP(denominator=found)@7", "YAAP", "nDCG", "nDCG@6", "nDCG(discount=log)",
    "nDCG(base=5)", "nDCG(discount=log,base=4)@9", "nDCG(discount=zipf,ideal=shortened)", "Rprec", "Rprec(multiple=0.7)",
    "IPrec@0.3", "BinG", "BreakEven(curve=interpolated)", "Q",
]  # fmt: skip


@pytest.mark.parametrize("name", LONGER)
@settings(max_examples=15, suppress_health_check=ANY_HEALTH)
@given(case=cases(highest=1, judged=9, unjudged=10))
def test_ten_unjudged_documents_of_two_grades(name: str, case: Case) -> None:
    check(case, parse_one(name))


@pytest.mark.parametrize("name", ["nDCG", "nDCG@7", "nDCG(gain=exponential)", "nDCG(discount=log,base=3)"])
@settings(max_examples=15, suppress_health_check=ANY_HEALTH)
@given(case=cases(highest=2, judged=9, unjudged=6))
def test_six_unjudged_documents_of_three_grades(name: str, case: Case) -> None:
    check(case, parse_one(name))


# By hand


def bounds(name: str, ranks: list[float | None], missed: list[float] = [], **options: Any) -> tuple[float, float]:  # noqa: B006
    case = Case(tuple(ranks), tuple(missed))
    found = cf.evaluate({"q": case.judged()}, {"q": case.run()}, name, residuals=True, **options).residuals[name]
    assert found.low is not None
    assert found.high is not None
    return float(found.low[0]), float(found.high[0])


def test_ap_is_not_best_or_worst_with_all_or_none() -> None:
    # Lowest: only the last one, (1/1 + 2/4)/2. Highest: only the one at rank 2, (1/1 + 2/2)/2.
    # With none it is 1 too, with both (1/1 + 2/2 + 3/4)/3 = .9167.
    assert bounds("AP", [1, None, 0, None]) == pytest.approx((0.75, 1))


def test_ndcg_needs_a_middle_grade() -> None:
    # 1, 2 and the hole; log2(3) = 1.58496. Grade 0: (1 + 2/1.58496) / (2 + 1/1.58496) = 2.26186/2.63093 = .85972;
    # grade 1: (2.26186 + 1/2) / (2 + 1/1.58496 + 1/2) = 2.76186/3.13093 = .88212;
    # grade 2: (2.26186 + 2/2) / (2 + 2/1.58496 + 1/2) = 3.26186/3.76186 = .86709.
    assert bounds("nDCG", [1, 2, None]) == pytest.approx((0.85972, 0.88212), abs=1e-5)


def test_documents_below_a_cutoff_count_in_r() -> None:
    # One of 1 is found; with the two below the cutoff there are 3, of which 1 is found.
    assert bounds("R@1", [1, None, None]) == pytest.approx((1 / 3, 1))


def test_documents_below_the_depth_are_not_retrieved() -> None:
    assert bounds("R@1", [1, None, None], depth=2) == pytest.approx((1 / 2, 1))


def test_a_negative_grade_is_a_hole_and_one_that_is_not_retrieved_is_not() -> None:
    assert bounds("SetP", [1, -1], [-1]) == pytest.approx((1 / 2, 1))
    assert bounds("SetR", [1, -1], [-1]) == pytest.approx((1, 1))


def test_the_highest_grade() -> None:
    assert bounds("CG", [1, None]) == (1, 2)
    assert bounds("CG", [1, None], highest_grade=3) == (1, 4)
    # 1 and 0: R = 1; gmax is the highest there can be: (2^3 - 1) / 2^3.
    assert bounds("ERR(gmax=3)@1", [None, 1], highest_grade=2) == pytest.approx((0, 7 / 8))
    assert bounds("P(rel=2)@1", [None, 1]) == (0, 0)
    assert bounds("P(rel=2)@1", [None, 1], highest_grade=2) == (0, 1)
    assert bounds("P@1", [None, 0]) == (0, 1)


def test_what_is_known_does_not_change() -> None:
    for name in BOUNDED:
        measure = usual(name)
        if knowledge(measure).how != "none" and REGISTRY[name].reader is None:
            low, high = bounds(str(measure), [1, 0, 1, 0], [1])
            assert low == pytest.approx(high, abs=1e-12), name


# User models read on below the end of a list


@pytest.mark.parametrize(
    "name", [name for name in BOUNDED if knowledge(usual(name)).way == "reading" and name != "RBP"]
)
@settings(max_examples=20, suppress_health_check=ANY_HEALTH)
@given(case=cases(highest=1), gain=st.sampled_from(["binary", "linear,gmax=1", "exponential,gmax=2"]))
def test_readers_are_best_off_if_all_that_is_read_is_best(name: str, case: Case, gain: str) -> None:
    # Oracle: the measure of a list as long as the cutoff with the best grade in every hole and below the end.
    depth = len(case.ranks) + 2
    measure = parse_one(f"{name}(gain={gain})@{depth}")
    best = max(grades_for(case, measure))
    filled = Case(
        (*(best if at in case.holes else grade for at, grade in enumerate(case.ranks)), best, best), case.missed
    )
    residual, (value,) = residual_of(case, measure)
    assert residual.low[0] == value
    assert residual.high[0] == pytest.approx(values_of_completions(filled, measure)[0], abs=1e-9)


@settings(max_examples=50)
@given(case=cases(), p=st.sampled_from([0, 0.5, 0.8, 0.95]), at=st.sampled_from(["", "@1", "@3", "@100"]))
def test_rbp_has_its_residual(case: Case, p: float, at: str) -> None:
    # Oracle: RBPResidual, a measure of its own, and the residual of the user model.
    names = [f"RBP(p={p}){at}", f"RBPResidual(p={p}){at}", f"RBP(p={p},value=residual){at}"]
    found = cf.evaluate({"q": case.judged()}, {"q": case.run()}, names, residuals=True)
    residual, (value,) = found.residuals[names[0]], found.columns[parse_one(names[0])]
    assert residual.low is not None
    assert residual.high is not None
    assert residual.low[0] == value
    for other in names[1:]:
        assert residual.high[0] - value == pytest.approx(found.mean[other], abs=1e-12)


def test_costs_decide_how_far_readers_get() -> None:
    # L = 4, costs 2 and 1: V = 1, 1/2, 1/4 and, as what is below costs 1, nothing more: (1/2) / (7/4), and at best 1.
    qrels, run = {"q": {"b": 1}}, {"q": {"a": 2, "b": 1}}
    result = cf.evaluate(qrels, run, "U(L=4)", costs={"a": 2, "b": 1}, default_cost=1, residuals=True)
    residual = result.residuals["U(L=4)"]
    assert residual.mean_low == pytest.approx((1 / 2) / (7 / 4))
    assert residual.mean_high == pytest.approx(1)


@pytest.mark.real_data
@pytest.mark.parametrize("number", range(1, SPECS + 1))
def test_rbp_eval(real_data: Path, number: int) -> None:
    # Oracle: the residuals in the .spec files of rbp_eval's tests.
    folder = real_data / "rbp_eval_test"
    lines = [line for line in (folder / f"{number}.spec").read_text().splitlines() if not line.startswith("#")]
    options = OPTIONS.parse_args(lines[0].split())
    depths, persistences = list(map(int, options.d.split(","))), list(map(float, options.p.split(",")))
    ties = ties_of(folder / options.files[1], options.r)
    least = options.b or (1 if options.B else None)
    gain = f"rel={least}" if least else f"gain=linear,gmax={1 / options.f}"
    names = [f"RBP(p={p},{gain})@{depth}" for p in persistences for depth in range(1, DEEPEST + 1)]
    evaluator = cf.Evaluator(folder / options.files[0], names, residuals=True)
    results = [evaluator(run) for run in in_every_order(ties)]

    def residual(query: str, p: float, depth: int) -> float:
        """What is open of the first documents, the tail aside."""
        name = f"RBP(p={p},{gain})@{depth}"
        row = results[0].queries.index(query)
        open_ = [one.residuals[name].high[row] - one.residuals[name].low[row] for one in results]  # type: ignore[index]
        return float(np.mean(open_)) - p**depth

    def ours(query: str, p: float, depth: int) -> float:
        return to_depth(depth, ties[query], lambda d: residual(query, p, d)) + p**depth

    found = 0
    for query, what, depth, p, expected in printed(lines[1:], depths, persistences):
        if what == "residual":
            values = [ours(one, p, depth) for one in QUERIES if query in (one, "all")]
            assert np.mean(values) == pytest.approx(expected, abs=1e-4), (query, depth, p)
            found += 1
    assert found


# Many topics


def test_topics_do_not_depend_on_each_other() -> None:
    # More ranks than are looked at together. Oracle: each topic by itself.
    random = np.random.default_rng(5)
    qrels, run = {}, {}
    for topic in range(150):
        name, size = f"q{topic:03}", int(random.integers(1, 2000))
        judged = random.choice(size + 5, min(size, 20), replace=False)
        qrels[name] = {f"d{at}": int(random.integers(-1, 3)) for at in judged}
        run[name] = {f"d{at}": -float(at) for at in range(size)}
    measures = ["AP", "AP@100", "nDCG@10", "nDCG", "R@10", "RR", "P@10", "Rprec", "BinG", "Q", "ERR", "IdealDCG@20"]
    whole = cf.evaluate(qrels, run, measures, residuals=True, highest_grade=2)
    for row in (0, 1, 70, 149):
        name = f"q{row:03}"
        alone = cf.evaluate({name: qrels[name]}, {name: run[name]}, measures, residuals=True, highest_grade=2)
        for measure in alone.measures:
            one, all_ = alone.residuals[measure].topic(0), whole.residuals[measure].topic(row)
            assert one == pytest.approx(all_, abs=1e-9), measure


QRELS = {"q1": {"d1": 1}, "q2": {"d1": 1, "d2": 0}, "q3": {"d1": 0}}
RUN = {"q1": {"d1": 2, "x": 1}, "q3": {"y": 2, "d1": 1}}


def test_topics_that_the_run_lacks_have_nothing_open() -> None:
    residual = cf.evaluate(QRELS, RUN, "P@2", residuals=True).residuals["P@2"]
    assert residual.low is not None
    assert residual.high is not None
    assert (residual.low.tolist(), residual.high.tolist()) == ([0.5, 0, 0], [1, 0, 0.5])
    assert residual.unjudged.tolist() == [1, 0, 1]
    assert residual.unjudged_documents == 2
    assert (residual.mean_low, residual.mean_high) == pytest.approx((0.5 / 3, 1.5 / 3))


def test_topics_that_a_profile_leaves_out_are_left_out() -> None:
    result = cf.evaluate(QRELS, RUN, ["P@2", "RBP"], residuals=True, profile="trec_eval-9")
    assert result.queries == ("q1", "q3")
    assert result.residuals["P@2"].mean_high == pytest.approx(1.5 / 2)
    # Nothing is known of RBP below the end of a list, and of a topic that counts as 0 everything.
    counted = cf.evaluate(QRELS, RUN, ["RBP"], residuals=True, profile="trec_eval-9", complete=True)
    assert counted.residuals["RBP"].topic(1) == {"low": 0, "high": 0}
    assert cf.evaluate(QRELS, RUN, ["RBP"], residuals=True).residuals["RBP"].topic(1) == {"low": 0, "high": 1}


def test_means_are_those_of_the_measure() -> None:
    residuals = cf.evaluate(QRELS, RUN, ["GMAP", "NumRelRet"], residuals=True).residuals
    # AP at best: 1, 0 and 1 (at rank 1); GMAP has 1e-5 for 0.
    assert residuals["GMAP"].mean_high == pytest.approx((1 * 1e-5 * 1) ** (1 / 3))
    assert (residuals["NumRelRet"].mean_low, residuals["NumRelRet"].mean_high) == (1, 3)


def test_what_a_result_says() -> None:
    result = cf.evaluate(QRELS, RUN, ["P@2", "Bpref"], residuals=True)
    assert result.to_dict()["residuals"] == {
        "unjudged_documents": 2,
        "mean": {
            "P@2": {"low": pytest.approx(0.5 / 3), "high": pytest.approx(0.5), "how": "exact"},
            "Bpref": {"low": None, "high": None, "how": "none", "why": "it passes over unjudged documents"},
        },
        "per_query": {
            "q1": {"P@2": {"low": 0.5, "high": 1}, "Bpref": {"low": None, "high": None}},
            "q2": {"P@2": {"low": 0, "high": 0}, "Bpref": {"low": None, "high": None}},
            "q3": {"P@2": {"low": 0, "high": 0.5}, "Bpref": {"low": None, "high": None}},
        },
    }
    assert "run: if the 2 unjudged documents were judged: P@2 0.1667 to 0.5000\n" in f"{result!r}\n"
    assert result.settings["highest_grade"] == 1
    plain = cf.evaluate(QRELS, RUN, ["P@2"])
    assert plain.residuals == {}
    assert "residuals" not in plain.to_dict()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"residuals": True, "judged_only": True}, "-J leaves out the unjudged documents"),
        ({"residuals": True, "relevance": "qrels_prefs", "measures": "prefs_simp"}, "not for -R qrels_prefs"),
        ({"residuals": True, "ties": "expected"}, "use --ties range"),
        ({"residuals": True, "profile": "gdeval", "measures": "nDCG@10"}, "gdeval has rules of its own"),
        ({"residuals": True, "highest_grade": 0.5}, "is 0.5, but the judgments have grade 1"),
        ({"residuals": True, "highest_grade": "a"}, "must be a number from 0 to 10\\^9, not 'a'"),
        ({"highest_grade": 2}, "add --residuals"),
    ],
)
def test_what_means_nothing_is_refused(options: dict[str, Any], message: str) -> None:
    measures = options.pop("measures", "AP")
    with pytest.raises(UsageError, match=message):
        cf.evaluate(QRELS, RUN, measures, **options)


def test_a_highest_grade_of_nothing() -> None:
    with pytest.raises(UsageError, match="is 0, and must be above 0"):
        cf.evaluate({"q3": {"d1": 0}}, RUN, "AP", residuals=True, highest_grade=0)


def test_no_topics_at_all() -> None:
    with pytest.raises(cf.errors.CoverageError):
        cf.evaluate({}, RUN, "AP", residuals=True)


def test_a_topic_that_the_run_lacks_beside_a_measure_without_bounds() -> None:
    qrels = {"q1": {"a": 1}, "q2": {"a": 1}}
    result = cf.evaluate(
        qrels, {"q1": {"a": 1}}, ["Judged@10", "P@1"], profile="trec_eval-9", complete=True, residuals=True
    )
    assert result.residuals["Judged@10"].mean_low is None
    # q1 has 1 of 1, and q2, which counts as 0, nothing that could be judged.
    assert (result.residuals["P@1"].mean_low, result.residuals["P@1"].mean_high) == (0.5, 0.5)
