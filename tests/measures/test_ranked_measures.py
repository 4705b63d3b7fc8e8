"""Measures of rankings by binary relevance, beside other libraries on random rankings."""

from __future__ import annotations

from typing import Any, NamedTuple

import ir_measures
import numpy as np
import pytest
from cwl.ruler.measures.cwl_ap import APCWLMetric
from cwl.ruler.ranking import Ranking
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from sklearn import metrics

from cranfield.data.rankings import Rankings
from cranfield.measures import parse_one

EXACT = 1e-9


class Case(NamedTuple):
    """A ranking, by the grade at each rank (None: unjudged), and the grades of the judged documents it missed."""

    grades: list[int | None]
    missed: list[int]

    @property
    def relevant(self) -> list[bool]:
        return [grade is not None and grade >= 1 for grade in self.grades]

    @property
    def total(self) -> int:
        """R, the number of relevant documents."""
        return sum(self.relevant) + sum(grade >= 1 for grade in self.missed)


def ours(name: str, case: Case) -> float:
    return float(parse_one(name).compute(Rankings.from_grades(case.grades, unretrieved=case.missed))[0])


rankings = st.builds(
    Case,
    st.lists(st.sampled_from([None, 0, 0, 1, 2]), min_size=1, max_size=25),
    st.lists(st.sampled_from([0, 1, 2]), max_size=6),
)
cutoffs = st.integers(1, 30)


# ir_measures 0.4.3


def theirs(measures: list[Any], case: Case) -> dict[str, float]:
    """What ir_measures gives; measures it leaves out where nothing relevant is retrieved are absent."""
    found = {f"d{rank}": grade for rank, grade in enumerate(case.grades) if grade is not None}
    qrels = {"q": found | {f"missed{number}": grade for number, grade in enumerate(case.missed)}}
    run = {"q": {f"d{rank}": 1000.0 - rank for rank in range(len(case.grades))}}
    return {str(value.measure): value.value for value in ir_measures.iter_calc(measures, qrels, run)}


@settings(max_examples=60)
@given(rankings, cutoffs)
def test_the_common_measures_agree_with_ir_measures(case: Case, k: int) -> None:
    assume(case.total > 0)
    names = [f"P@{k}", f"R@{k}", f"Success@{k}", "AP", f"AP@{k}", "RR", f"RR@{k}", "Rprec", "Bpref", f"Judged@{k}"]
    expected = theirs([ir_measures.parse_measure(name) for name in names], case)
    assert {name: ours(name, case) for name in names} == pytest.approx(expected, abs=EXACT)


@settings(max_examples=60)
@given(rankings, cutoffs)
def test_mean_precision_is_the_mean_of_precisions(case: Case, k: int) -> None:
    assume(case.total > 0)
    precisions = theirs([ir_measures.P @ i for i in range(1, k + 1)], case)
    assert ours(f"MeanP@{k}", case) == pytest.approx(sum(precisions.values()) / k, abs=EXACT)


def test_mean_precision_far_down_a_list() -> None:
    # Oracle: the definition, with the precision at every one of 100 000 ranks added up.
    at = [3, 41, 500, 90_000]
    grades = [int(rank in at) for rank in range(1, 90_001)]
    found = np.cumsum([*grades, *[0] * 10_000])
    expected = np.mean(found / np.arange(1, 100_001))
    assert ours("MeanP@100000", Case(list(grades), [])) == pytest.approx(expected, rel=1e-12)


def test_mean_precision_at_a_depth_nobody_adds_up_to() -> None:
    # (1 + 1/2 + ... + 1/k) / k with k = 10^12 is (ln k + 0.5772) / k
    expected = (12 * np.log(10) + np.euler_gamma) / 1e12
    assert ours("MeanP@1000000000000", Case([1], [])) == pytest.approx(expected, rel=1e-12)


@settings(max_examples=60)
@given(rankings, cutoffs)
def test_average_precision_by_the_lower_of_k_and_r(case: Case, k: int) -> None:
    assume(case.total > 0)
    by_r = theirs([ir_measures.AP @ k], case)[f"AP@{k}"]
    expected = by_r * case.total / min(k, case.total)
    assert ours(f"AP(denominator=min-k-R)@{k}", case) == pytest.approx(expected, abs=EXACT)


@settings(max_examples=60)
@given(rankings)
def test_auc_over_the_retrieved_is_what_ir_measures_calls_accuracy(case: Case) -> None:
    assume(any(case.relevant) and not all(case.relevant))  # it divides by their numbers
    expected = theirs([ir_measures.Accuracy], case)["Accuracy"]
    assert ours("AUC(over=retrieved)", case) == pytest.approx(expected, abs=EXACT)


# cwl_eval 1.0.12


@settings(max_examples=60)
@given(rankings)
def test_average_precision_by_what_is_found_is_the_ap_of_cwl_eval(case: Case) -> None:
    assume(any(case.relevant))
    gains = np.array(case.relevant, dtype=np.float64)
    expected = APCWLMetric().measure(Ranking("q", gains, np.ones(len(gains)), max_n=len(gains)))
    assert ours("AP(denominator=found)", case) == pytest.approx(expected, abs=EXACT)


# scikit-learn


class Labelled(NamedTuple):
    """Documents as scikit-learn sees them: whether each is relevant, and its score; 0 for those not retrieved."""

    relevant: list[bool]
    score: list[float]


def judged(case: Case) -> Labelled:
    rows = [(grade >= 1, 1.0 / rank) for rank, grade in enumerate(case.grades, 1) if grade is not None]
    return Labelled(*map(list, zip(*rows, *((grade >= 1, 0.0) for grade in case.missed), strict=True)))


def collection(case: Case, size: int) -> Labelled:
    others = size - len(case.grades) - len(case.missed)
    relevant = [*case.relevant, *(grade >= 1 for grade in case.missed), *[False] * others]
    return Labelled(
        relevant, [*(1.0 / rank for rank in range(1, len(case.grades) + 1)), *[0.0] * (size - len(case.grades))]
    )


def equal_error_rate(documents: Labelled) -> float:
    """Where the ROC curve of scikit-learn, joined by straight lines, has FPR + TPR = 1."""
    fpr, tpr, _ = metrics.roc_curve(documents.relevant, documents.score, drop_intermediate=False)
    return float(np.interp(1.0, fpr + tpr, fpr))


def has_both(case: Case) -> bool:
    grades = [grade for grade in [*case.grades, *case.missed] if grade is not None]
    return any(grade >= 1 for grade in grades) and any(grade < 1 for grade in grades)


@settings(max_examples=100)
@given(rankings)
@example(Case([0], [1]))
@example(Case([None], [0, 1]))
def test_auc_and_eer_of_the_judged_documents(case: Case) -> None:
    assume(has_both(case))
    documents = judged(case)
    assert ours("AUC", case) == pytest.approx(metrics.roc_auc_score(documents.relevant, documents.score), abs=EXACT)
    assert ours("EER", case) == pytest.approx(equal_error_rate(documents), abs=EXACT)


@settings(max_examples=100)
@given(rankings, st.integers(0, 40))
def test_auc_and_eer_of_a_collection(case: Case, others: int) -> None:
    size = len(case.grades) + len(case.missed) + others
    documents = collection(case, size)
    assume(any(documents.relevant) and not all(documents.relevant))
    expected = metrics.roc_auc_score(documents.relevant, documents.score)
    assert ours(f"AUC(documents={size})", case) == pytest.approx(expected, abs=EXACT)
    assert ours(f"EER(documents={size})", case) == pytest.approx(equal_error_rate(documents), abs=EXACT)


@settings(max_examples=60)
@given(rankings)
def test_eer_of_the_retrieved_documents(case: Case) -> None:
    assume(any(case.relevant) and not all(case.relevant))
    documents = collection(Case(case.grades, []), len(case.grades))
    assert ours("EER(over=retrieved)", case) == pytest.approx(equal_error_rate(documents), abs=EXACT)


@settings(max_examples=60)
@given(rankings)
def test_average_precision_of_a_complete_ranking(case: Case) -> None:
    assume(any(case.relevant))
    scores = [1.0 / rank for rank in range(1, len(case.grades) + 1)]
    expected = metrics.average_precision_score(case.relevant, scores)
    assert ours("AP", Case(case.grades, [])) == pytest.approx(expected, abs=EXACT)


@settings(max_examples=60)
@given(rankings)
def test_the_interpolated_break_even_point(case: Case) -> None:
    # Oracle: the points of scikit-learn's curve, of which the one with the highest lower coordinate is where the
    # interpolated curve crosses the diagonal. What is not retrieved comes one by one, relevant documents last.
    assume(any(case.relevant))
    missed = sum(grade >= 1 for grade in case.missed)
    relevant = [*case.relevant, *[False] * 1000, *[True] * missed]
    precision, recall, _ = metrics.precision_recall_curve(relevant, 1.0 / np.arange(1, len(relevant) + 1))
    retrieved = recall <= sum(case.relevant) / case.total
    expected = np.minimum(precision, recall)[retrieved].max()
    assert ours("BreakEven(curve=interpolated)", case) == pytest.approx(expected, abs=EXACT)


@settings(max_examples=60)
@given(rankings, cutoffs, st.floats(0.1, 5))
def test_f_of_the_first_documents_as_a_set(case: Case, k: int, beta: float) -> None:
    assume(case.total > 0)
    filled = [*case.relevant, *[False] * max(k - len(case.grades), 0)]
    truth = [*filled, *(grade >= 1 for grade in case.missed)]
    chosen = [at < k for at in range(len(truth))]
    expected = metrics.fbeta_score(truth, chosen, beta=beta, zero_division=0.0)
    assert ours(f"F(beta={beta!r})@{k}", case) == pytest.approx(expected, abs=EXACT)
    assert ours(f"F(alpha={1 / (1 + beta**2)!r})@{k}", case) == pytest.approx(expected, abs=EXACT)


@settings(max_examples=40)
@given(rankings)
def test_f_of_the_whole_list(case: Case) -> None:
    assume(case.total > 0)
    truth = [*case.relevant, *(grade >= 1 for grade in case.missed)]
    chosen = [at < len(case.grades) for at in range(len(truth))]
    assert ours("F1", case) == pytest.approx(metrics.f1_score(truth, chosen, zero_division=0.0), abs=EXACT)


# Binary preference, counted pair by pair


@settings(max_examples=100)
@given(rankings)
def test_the_forms_of_binary_preference(case: Case) -> None:
    assume(has_both(case))
    nonrelevant = sum(grade == 0 for grade in [*case.grades, *case.missed])
    above = [case.grades[:rank].count(0) for rank, relevant in enumerate(case.relevant) if relevant]
    total = case.total
    assert ours("BprefUncapped", case) == pytest.approx(sum(1 - n / total for n in above) / total, abs=EXACT)
    notes = sum(1 - min(n, total) / total for n in above) / total
    assert ours("Bpref(form=notes)", case) == pytest.approx(notes, abs=EXACT)
    in_order = sum(nonrelevant - n for n in above)
    assert ours("Bpref(form=pairs)", case) == pytest.approx(in_order / (total * nonrelevant), abs=EXACT)


@settings(max_examples=60)
@given(rankings)
def test_binary_preference_by_pairs_is_auc_where_everything_judged_is_retrieved(case: Case) -> None:
    complete = Case(case.grades, [])
    assume(has_both(complete))
    documents = judged(complete)
    expected = metrics.roc_auc_score(documents.relevant, documents.score)
    assert ours("Bpref(form=pairs)", complete) == pytest.approx(expected, abs=EXACT)


# Where the definitions say nothing


@pytest.mark.parametrize(
    ("measure", "case", "expected"),
    [
        ("AUC", Case([0, 0], [0]), 0.0),  # no relevant document: as everywhere
        ("EER", Case([0, 0], [0]), 1.0),  # the worst
        ("AUC", Case([1, 1], []), 1.0),  # nothing non-relevant, all found
        ("AUC", Case([1], [1]), 0.75),  # one found counts 1, one missed 1/2
        ("EER", Case([1, 1], []), 0.0),
        ("AUC", Case([], [1, 0]), 0.5),  # all tied
        ("EER", Case([], [1, 0]), 0.5),
        ("EER", Case([], [1]), 0.5),
        ("AUC(over=retrieved)", Case([0, None], [1]), 0.0),  # nothing relevant among the documents looked at
        ("F@5", Case([], [1]), 0.0),
        ("F", Case([], [1]), 0.0),
        ("F", Case([0], []), 0.0),
        ("BreakEven", Case([1], [1, 1]), 1 / 3),  # recall at its end: filled up to R = 3
        ("BreakEven(curve=interpolated)", Case([1], [1, 1]), 1 / 3),
        ("Bpref(form=pairs)", Case([1, None], [1]), 1 / 2),  # nothing non-relevant: found counts 1, missed 0
        ("AP(denominator=found)", Case([0], [1]), 0.0),
        ("AP(denominator=min-k-R)", Case([1, 0, 1], [1]), (1 + 2 / 3) / 3),  # without a cutoff it is R
        ("MeanP@4", Case([1], []), (1 + 1 / 2 + 1 / 3 + 1 / 4) / 4),  # a short list is filled up
    ],
)
def test_undefined_and_extreme_cases(measure: str, case: Case, expected: float) -> None:
    assert ours(measure, case) == pytest.approx(expected, abs=EXACT)


def test_negative_grades_are_unjudged() -> None:
    # A document that was pooled and not judged is passed over by default and not relevant in a collection.
    assert ours("AUC", Case([-1, 1], [0])) == 1.0
    assert ours("AUC(documents=3)", Case([-1, 1], [0])) == 0.5  # one of the two others stands above
    assert ours("Bpref(form=notes)", Case([-1, 1], [0])) == 1.0
