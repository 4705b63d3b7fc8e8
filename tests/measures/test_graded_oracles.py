"""Graded measures against other tools, and against their definitions written out document by document."""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cranfield.data.rankings import Rankings
from cranfield.measures import parse_one

EXACT: dict[str, Any] = {"rel": 1e-9, "abs": 1e-9}
GMAX = 4

ranked = st.lists(st.one_of(st.none(), st.integers(0, GMAX)), min_size=2, max_size=15)
missed = st.lists(st.integers(0, GMAX), max_size=6)
cutoffs = st.integers(1, 20)


def ours(measure: str, grades: Sequence[float | None], unretrieved: Sequence[float] = ()) -> float:
    return float(parse_one(measure).compute(Rankings.from_grades(grades, unretrieved=unretrieved))[0])


# Other tools


@settings(max_examples=60)
@given(grades=st.lists(st.integers(0, GMAX), min_size=2, max_size=15), unretrieved=missed, k=cutoffs)
def test_scikit_learn(grades: list[int], unretrieved: list[int], k: int) -> None:
    # Oracle: scikit-learn's dcg_score and ndcg_score, with distinct scores because it averages over ties.
    from sklearn.metrics import dcg_score, ndcg_score

    def gains(values: Sequence[int]) -> dict[str, list[float]]:
        return {"linear": list(map(float, values)), "exponential": [2.0**value - 1 for value in values]}

    scores = [[-float(rank) for rank in range(len(grades))]]
    best = sorted(grades + unretrieved, reverse=True)
    for gain, values in gains(grades).items():
        assert ours(f"DCG(gain={gain})@{k}", grades) == pytest.approx(dcg_score([values], scores, k=k), **EXACT)
        assert ours(f"nDCG(gain={gain})@{k}", grades) == pytest.approx(ndcg_score([values], scores, k=k), **EXACT)
        ideal = dcg_score([gains(best)[gain]], [[-float(rank) for rank in range(len(best))]], k=k)
        assert ours(f"IdealDCG(gain={gain})@{k}", grades, unretrieved) == pytest.approx(ideal, **EXACT)
    # What it calls the ideal is that of the documents it is shown, which is ours of the retrieved documents.
    shown = ndcg_score([gains(grades)["linear"]], scores, k=k)
    assert ours(f"nDCG(ideal=retrieved)@{k}", grades, unretrieved) == pytest.approx(shown, **EXACT)


def as_dicts(
    grades: Sequence[int | None], unretrieved: Sequence[int]
) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    judged = {f"d{rank}": grade for rank, grade in enumerate(grades) if grade is not None}
    judged |= {f"missed{at}": grade for at, grade in enumerate(unretrieved)}
    return {"1": judged}, {"1": {f"d{rank}": 100.0 - rank for rank in range(len(grades))}}


@settings(max_examples=60)
@given(grades=ranked, unretrieved=missed)
def test_pytrec_eval(grades: list[int | None], unretrieved: list[int]) -> None:
    # Oracle: pytrec_eval, which is trec_eval 9.
    import pytrec_eval

    qrels, run = as_dicts(grades, unretrieved)
    assume(qrels["1"])
    measures = {"ndcg": "nDCG", "ndcg_rel": "nDCGrel", "Rndcg": "Rndcg", "G": "G", "binG": "BinG"}
    cut = {"ndcg_cut_5": "nDCG@5", "ndcg_cut_10": "nDCG@10"}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {*measures, "ndcg_cut.5,10"}).evaluate(run)["1"]
    for name, measure in (measures | cut).items():
        assert ours(measure, grades, unretrieved) == pytest.approx(theirs[name], **EXACT), name


@settings(max_examples=60)
@given(grades=ranked, unretrieved=missed, level=st.integers(1, 3))
def test_rndcg_at_a_level(grades: list[int | None], unretrieved: list[int], level: int) -> None:
    # Oracle: pytrec_eval, which is trec_eval 9: 0 where no document reaches the level, and else the level is nothing.
    import pytrec_eval

    import cranfield as cf

    qrels, run = as_dicts(grades, unretrieved)
    assume(qrels["1"] and run["1"])
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"Rndcg"}, relevance_level=level).evaluate(run)["1"]["Rndcg"]
    for profile in ("trec_eval-9", "trec_eval-10"):
        (value,) = cf.evaluate(qrels, run, "Rndcg", profile=profile, level=level).mean.values()
        assert value == pytest.approx(theirs, **EXACT)


@pytest.mark.skipif(shutil.which("perl") is None, reason="gdeval is a Perl script")
@settings(max_examples=15)
@given(grades=ranked, unretrieved=missed, k=cutoffs)
def test_gdeval(grades: list[int | None], unretrieved: list[int], k: int) -> None:
    # Oracle: gdeval 1.2a as ir_measures runs it, which prints five places.
    import ir_measures

    qrels, run = as_dicts(grades, unretrieved)
    assume(any(grade > 0 for grade in qrels["1"].values()))
    err, ndcg = ir_measures.ERR @ k, ir_measures.nDCG(dcg="exp-log2") @ k
    evaluator = ir_measures.gdeval.evaluator([err, ndcg], qrels)
    theirs = {metric.measure: metric.value for metric in evaluator.iter_calc(run)}
    assert ours(f"ERR@{k}", grades, unretrieved) == pytest.approx(theirs[err], abs=5.001e-6)
    assert ours(f"nDCG(gain=exponential)@{k}", grades, unretrieved) == pytest.approx(theirs[ndcg], abs=5.001e-6)


# Definitions

Discount = Callable[[int], float]
DISCOUNTS: dict[str, Discount] = {
    "discount=log": lambda i: math.log2(i) if i >= 2 else 1.0,
    "discount=log,base=3.5": lambda i: math.log(i) / math.log(3.5) if i >= 3.5 else 1.0,
    "base=10": lambda i: math.log10(i + 1) if i + 1 >= 10 else 1.0,
    "discount=zipf": float,
    "discount=none": lambda i: 1.0,
}


@pytest.mark.parametrize("parameters", DISCOUNTS)
@settings(max_examples=40)
@given(grades=ranked, unretrieved=missed, k=cutoffs)
def test_discounts(parameters: str, grades: list[int | None], unretrieved: list[int], k: int) -> None:
    def dcg(gains: Sequence[float]) -> float:
        return sum(gain / DISCOUNTS[parameters](i) for i, gain in enumerate(gains[:k], 1))

    found = [grade or 0 for grade in grades]
    best = dcg(sorted(found + unretrieved, reverse=True))
    best_of_found = dcg(sorted(found, reverse=True))
    best_as_long = dcg(sorted(found + unretrieved, reverse=True)[: len(grades)])
    assert ours(f"DCG({parameters})@{k}", grades, unretrieved) == pytest.approx(dcg(found), **EXACT)
    for ideal, value in (("judged", best), ("retrieved", best_of_found), ("shortened", best_as_long)):
        name = f"({parameters},ideal={ideal})@{k}"
        assert ours("IdealDCG" + name, grades, unretrieved) == pytest.approx(value, **EXACT)
        assert ours("nDCG" + name, grades, unretrieved) == pytest.approx(dcg(found) / value if value else 0, **EXACT)


GAINS: dict[str, Callable[[float], float]] = {
    "gain=linear": float,
    "gain=exponential": lambda grade: 2.0**grade - 1,
    "gain=linear,gains=1:0;2:2.5;3:7;4:8": lambda grade: {0: 0.0, 1: 0.0, 2: 2.5, 3: 7.0, 4: 8.0}[int(grade)],
}


@pytest.mark.parametrize("parameters", GAINS)
@settings(max_examples=40)
@given(grades=ranked, unretrieved=missed, k=cutoffs)
def test_err(parameters: str, grades: list[int | None], unretrieved: list[int], k: int) -> None:
    gain = GAINS[parameters]

    def err(values: Sequence[float | None]) -> float:
        going_on, total = 1.0, 0.0
        for rank, grade in enumerate(values[:k], 1):
            stop = gain(grade or 0) / (gain(GMAX) + 1)
            total += going_on * stop / rank
            going_on *= 1 - stop
        return total

    value, best = err(grades), err(sorted([g or 0 for g in grades] + unretrieved, reverse=True))
    assert ours(f"ERR({parameters})@{k}", grades, unretrieved) == pytest.approx(value, **EXACT)
    assert ours(f"nERR({parameters})@{k}", grades, unretrieved) == pytest.approx(value / best if best else 0, **EXACT)


@pytest.mark.parametrize("parameters", GAINS)
@pytest.mark.parametrize("least", [1, 2])
@settings(max_examples=25)
@given(grades=ranked, unretrieved=missed, k=cutoffs, beta=st.sampled_from([0, 0.5, 1, 10]))
def test_q_and_its_family(
    parameters: str, least: int, grades: list[int | None], unretrieved: list[int], k: int, beta: float
) -> None:
    # Definitions: Sakai's, as in the references of the measures.
    def gain(grade: float | None) -> float:
        return GAINS[parameters](grade) if grade is not None and grade >= least else 0.0

    everything = [grade for grade in [*grades, *unretrieved] if grade is not None]
    best = sorted(map(gain, everything), reverse=True)
    total = sum(grade >= least for grade in everything)
    blended: dict[int, float] = {}  # by rank, of the relevant documents
    precision: dict[int, float] = {}
    level: dict[int, int] = {}
    for rank, grade in enumerate(grades, 1):
        if grade is not None and grade >= least:
            count = len(level) + 1
            reached = count + beta * sum(map(gain, grades[:rank]))
            blended[rank] = reached / (rank + beta * sum(best[:rank]))
            precision[rank] = count / rank
            level[rank] = grade
    first = next(iter(level), 0)
    preferred = max(level, key=lambda rank: (level[rank], -rank), default=0)
    passed = [value for rank, value in blended.items() if rank <= preferred]

    def compare(name: str, value: float) -> None:
        at_k = f"@{k}" if name == "Q@k" else ""
        measure = name.removesuffix("@k").rstrip(")")
        opened = measure + ("," if "(" in measure else "(")
        assert ours(f"{opened}rel={least},beta={beta},{parameters}){at_k}", grades, unretrieved) == pytest.approx(
            value, **EXACT
        ), name

    compare("Q", sum(blended.values()) / total if total else 0)
    compare("Q@k", sum(v for rank, v in blended.items() if rank <= k) / min(total, k) if total else 0)
    compare("O", blended.get(first, 0))
    compare("P_measure", blended.get(preferred, 0))
    compare("P_plus", float(np.mean(passed)) if passed else 0)
    for utility, useful in (("blended-ratio", blended), ("precision", precision)):
        found = list(useful.items())
        shares = {
            "uniform": ([1.0] * len(found), float(total)),
            "graded-uniform": ([gain(level[rank]) for rank, _ in found], sum(best)),
            "rank-biased": ([0.95**at for at in range(len(found))], sum(0.95**at for at in range(total))),
        }
        for stop, (weights, all_weights) in shares.items():
            value = sum(weight * u for weight, (_, u) in zip(weights, found, strict=True))
            compare(f"NCU(stop={stop},utility={utility})", value / all_weights if all_weights else 0)


@settings(max_examples=60)
@given(grades=ranked, unretrieved=missed, k=cutoffs, p=st.sampled_from([0.5, 0.8, 0.95]))
def test_rbp(grades: list[int | None], unretrieved: list[int], k: int, p: float) -> None:
    def rbp(gain: Callable[[float], float]) -> float:
        return (1 - p) * sum(gain(grade or 0) * p**at for at, grade in enumerate(grades[:k]))

    assert ours(f"RBP(p={p})@{k}", grades) == pytest.approx(rbp(lambda grade: float(grade >= 1)), **EXACT)
    for parameters, gain in GAINS.items():
        expected = rbp(lambda grade, gain=gain: gain(grade) / gain(GMAX))  # type: ignore[misc]
        assert ours(f"RBP(p={p},gmax={GMAX},{parameters})@{k}", grades) == pytest.approx(expected, **EXACT)
    seen = grades[:k]
    unknown = p ** len(seen) + (1 - p) * sum(p**at for at, grade in enumerate(seen) if grade is None)
    assert ours(f"RBPResidual(p={p})@{k}", grades) == pytest.approx(unknown, **EXACT)
