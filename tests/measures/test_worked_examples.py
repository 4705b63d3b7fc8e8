"""Examples of ranked, binary measures worked by hand in lecture notes, with the numbers printed there."""

from __future__ import annotations

import numpy as np
import pytest

import cranfield as cf
from cranfield.measures import Measure, evaluate_one, parse
from cranfield.measures.f_measure import weighted_harmonic_mean


def ranks(*relevant: int, depth: int = 10) -> list[int]:
    return [int(rank in relevant) for rank in range(1, depth + 1)]


def evaluated(measures: str | list[str], rankings: dict[str, list[int]]) -> cf.RunEvaluation:
    """The evaluation of a run whose rankings are given by the relevance at each rank."""
    qrels = {query: {f"d{rank}": grade for rank, grade in enumerate(grades)} for query, grades in rankings.items()}
    run = {query: {f"d{rank}": -float(rank) for rank in range(len(grades))} for query, grades in rankings.items()}
    result: cf.RunEvaluation = cf.evaluate(qrels, run, measures)
    return result


FIRST, SECOND, THIRD = (1, 3, 6, 9, 10), (2, 5, 6, 7), (2, 3, 4, 5, 6)
TWO_QUERIES = {"first": ranks(*FIRST), "second": ranks(2, 5, 7)}


@pytest.mark.parametrize(
    ("relevant", "expected"), [(FIRST, 0.6222), (SECOND, 0.3943), (THIRD, 0.7100), ((1, 2, 3, 4, 5), 1.0)]
)
def test_average_precision_of_five_relevant_documents(relevant: tuple[int, ...], expected: float) -> None:
    missed = [1] * (5 - len(relevant))
    assert evaluate_one("AP@10", ranks(*relevant), unretrieved=missed) == expected


def test_average_precision_divides_by_all_relevant_documents() -> None:
    # (1/2 + 2/5 + 3/6 + 4/7) is 1.9714: over the five relevant .3943, over the four found .4929
    assert evaluate_one("AP(denominator=found)@10", ranks(*SECOND), unretrieved=[1]) == 0.4929


def test_mean_average_precision_of_two_queries() -> None:
    result = evaluated(["AP", "GMAP"], TWO_QUERIES)
    assert result.per_query["first"]["AP"] == pytest.approx(0.62, abs=5e-3)
    assert result.per_query["second"]["AP"] == pytest.approx(0.44, abs=5e-3)
    assert result.mean["MAP"] == pytest.approx(0.53, abs=5e-3)
    assert result.mean["GMAP"] == pytest.approx(0.5249, abs=5e-5)  # the root of .62222 x .44286


def test_the_mean_of_precision_over_ten_ranks_is_not_average_precision() -> None:
    result = evaluated("MeanP@10", TWO_QUERIES)
    assert result["MeanP@10"] == pytest.approx({"first": 0.5315, "second": 0.3254}, abs=5e-5)


def test_precision_at_six() -> None:
    assert evaluate_one("P@6", ranks(1, 2, 4, 6, 13, depth=13)) == pytest.approx(4 / 6, abs=5e-5)


# Rankings 1 and 2 of one of the notes: relevance at ten ranks, then recall and precision at each as printed there.
PRINTED = [
    (
        "1011110001",
        [0.17, 0.17, 0.33, 0.5, 0.67, 0.83, 0.83, 0.83, 0.83, 1.0],
        [1.0, 0.5, 0.67, 0.75, 0.8, 0.83, 0.71, 0.63, 0.56, 0.6],
    ),
    (
        "0100111011",
        [0.0, 0.17, 0.17, 0.17, 0.33, 0.5, 0.67, 0.67, 0.83, 1.0],
        [0.0, 0.5, 0.33, 0.25, 0.4, 0.5, 0.57, 0.5, 0.56, 0.6],
    ),
]


def at_every_rank(name: str, judgments: str) -> list[float]:
    grades = [int(bit) for bit in judgments]
    measures: list[Measure] = parse(f"{name}@1..10")
    return [evaluate_one(measure, grades) for measure in measures]


@pytest.mark.parametrize(("judgments", "recall", "precision"), PRINTED)
def test_precision_and_recall_at_every_rank(judgments: str, recall: list[float], precision: list[float]) -> None:
    # .625 is printed as .63, hence more than half of the last digit.
    assert at_every_rank("R", judgments) == pytest.approx(recall, abs=5.1e-3)
    assert at_every_rank("P", judgments) == pytest.approx(precision, abs=5.1e-3)


@pytest.mark.parametrize("judgments", ["1011110001", "0100111011"])
def test_f1_at_every_rank(judgments: str) -> None:
    # 2PR / (P + R), where P and R have found documents out of k and 6: 2 found / (k + 6)
    found = [judgments[:k].count("1") for k in range(1, 11)]
    expected = [2 * n / (k + 6) for k, n in enumerate(found, 1)]
    assert at_every_rank("F1", judgments) == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize(
    ("judgments", "average", "r_precision", "eleven_points"),
    [("1011110001", 0.7750, 5 / 6, 0.8212), ("0100111011", 0.5212, 1 / 2, 0.6000)],
)
def test_two_rankings_with_six_relevant(
    judgments: str, average: float, r_precision: float, eleven_points: float
) -> None:
    grades = [int(bit) for bit in judgments]
    assert evaluate_one("AP", grades) == pytest.approx(average, abs=5e-5)
    assert evaluate_one("Rprec", grades) == pytest.approx(r_precision, abs=5e-5)
    assert evaluate_one("BreakEven", grades) == pytest.approx(r_precision, abs=5e-5)
    assert evaluate_one("R@6", grades) == pytest.approx(r_precision, abs=5e-5)
    assert evaluate_one("IPrecAvg", grades) == pytest.approx(eleven_points, abs=5e-5)


def test_the_best_precision_at_20_with_8_relevant_documents() -> None:
    qrels = {"q": {f"d{number}": 1 for number in range(8)} | {"x": 0}}
    best = cf.best_possible(cf.Evaluator(qrels, ["P@20", "Rprec", "RelativeP@20"]))
    assert best.mean == {"P@20": 0.4, "Rprec": 1.0, "RelativeP@20": 1.0}


def test_mean_reciprocal_rank() -> None:
    # plurals of cat, torus, virus, found at ranks 3, 2, 1
    result = evaluated("MRR", {"cat": [0, 0, 1], "torus": [0, 1, 0], "virus": [1, 0, 0]})
    assert result.mean["RR"] == pytest.approx(11 / 18, abs=1e-12)


# I is judged irrelevant, R relevant, N not judged.
LETTERS = {"I": 0, "R": 1, "N": None}
BPREF = [("IRII", 2, 1 / 4), ("IRNNRI", 2, 1 / 2), ("IRNNRIRI", 3, 5 / 9)]


@pytest.mark.parametrize(("ranking", "relevant", "expected"), BPREF)
@pytest.mark.parametrize("name", ["Bpref(form=notes)", "BprefUncapped", "Bpref"])
def test_binary_preference(name: str, ranking: str, relevant: int, expected: float) -> None:
    # In these examples no n_r is above R, and min(N, R) is R, so that all three forms agree.
    missed = [1] * (relevant - ranking.count("R"))
    value = evaluate_one(name, [LETTERS[letter] for letter in ranking], unretrieved=missed)
    assert value == pytest.approx(expected, abs=5e-5)


def test_binary_preference_as_printed_can_be_negative() -> None:
    # I I I R with R = 1: 1 - 3/1; capped at R, 1 - 1/1.
    assert evaluate_one("BprefUncapped", [0, 0, 0, 1]) == -2
    assert evaluate_one("Bpref(form=notes)", [0, 0, 0, 1]) == 0


def test_the_share_of_pairs_in_order_is_another_number() -> None:
    # I R I I with R = 2: of 2 x 3 pairs the relevant document that is found wins two; divided by R it was 1/4.
    assert evaluate_one("Bpref(form=pairs)", [0, 1, 0, 0], unretrieved=[1]) == pytest.approx(2 / 6, abs=5e-5)


def test_f_of_precision_and_recall() -> None:
    precision, recall = np.array([0.57, 0.40]), np.array([0.50, 1.0])
    assert weighted_harmonic_mean(precision, recall, 1, None) == pytest.approx([0.5327, 0.5714], abs=5e-5)


def test_set_measures() -> None:
    # D = d1..d8, relevant {1, 5, 7}, returned {1, 3, 5, 6}
    returned, missed = [1, 0, 1, 0], [1]
    assert evaluate_one("SetR", returned, unretrieved=missed) == pytest.approx(2 / 3, abs=5e-5)
    assert evaluate_one("SetP", returned, unretrieved=missed) == 2 / 4
    assert evaluate_one("SetF", returned, unretrieved=missed) == pytest.approx(4 / 7, abs=5e-5)
