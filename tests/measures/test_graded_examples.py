"""Examples of graded measures worked by hand in lecture notes on evaluating search, with the numbers printed there."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from cranfield.measures import evaluate_one

# The notes discount by log2 of the rank from rank 2 on, and rank the retrieved documents for the ideal.
DCG = "DCG(discount=log)"
IDEAL = "IdealDCG(discount=log,ideal=retrieved)"
NDCG = "nDCG(discount=log,ideal=retrieved)"


def at_every_rank(measure: str, grades: Sequence[float | None], unretrieved: Sequence[float] = ()) -> list[float]:
    return [evaluate_one(f"{measure}@{rank}", grades, unretrieved=unretrieved) for rank in range(1, len(grades) + 1)]


def to_places(places: int, printed: Sequence[float]) -> object:
    return pytest.approx(printed, abs=0.5001 * 10.0**-places)


def test_six_documents() -> None:
    expected = [3, 5, 6.893, 6.893, 7.323, 8.097]
    assert at_every_rank(DCG, [3, 2, 3, 0, 1, 2]) == to_places(3, expected)


def test_ten_documents_with_grades_to_4() -> None:
    grades = [4, 3, 4, 2, 0, 0, 0, 1, 1, 0]
    dcg = [4.00, 7.00, 9.52, 10.52, 10.52, 10.52, 10.52, 10.86, 11.17, 11.17]
    ideal = [4.00, 8.00, 9.89, 10.89, 11.32, 11.71, 11.71, 11.71, 11.71, 11.71]
    ndcg = [1.00, 0.88, 0.96, 0.97, 0.93, 0.90, 0.90, 0.93, 0.95, 0.95]
    assert at_every_rank(DCG, grades) == to_places(2, dcg)
    assert at_every_rank(IDEAL, grades) == to_places(2, ideal)
    assert at_every_rank(NDCG, grades) == to_places(2, ndcg)


@pytest.mark.parametrize(
    ("answers", "dcg", "ndcg"),
    [
        ([5, 2, 3, 4, 1], [5.00, 7.00, 8.89, 10.89, 11.32], 0.9189),  # Lucknow, Patna, Bhopal, Jaipur, Dehradun
        ([5, 4, 1, 2, 3], [5.00, 9.00, 9.63, 10.63, 11.92], 0.9675),  # Lucknow, Jaipur, Dehradun, Patna, Bhopal
        ([5, 4, None, 3, 2], [5.00, 9.00, 9.00, 10.50, 11.36], 0.9219),  # Lucknow, Jaipur, another, Bhopal, Patna
    ],
)
def test_the_five_state_capitals_closest_to_kanpur(answers: list[float | None], dcg: list[float], ndcg: float) -> None:
    missed = sorted({5, 4, 3, 2, 1} - set(answers))
    assert at_every_rank(DCG, answers, missed) == to_places(2, dcg)
    ideal = at_every_rank("IdealDCG(discount=log)", answers, missed)
    assert ideal == to_places(2, [5.00, 9.00, 10.89, 11.89, 12.32])
    # All five are judged: the third method has missed Dehradun, which the ideal ranking has.
    assert evaluate_one("nDCG(discount=log)@5", answers, unretrieved=missed) == ndcg


def test_ten_documents_with_grades_to_3() -> None:
    grades = [3, 2, 3, 0, 0, 1, 2, 2, 3, 0]
    dcg = [3, 5, 6.89, 6.89, 6.89, 7.28, 7.99, 8.66, 9.61, 9.61]
    # Printed there as 10.52 at rank 6 and 10 at rank 10.
    ideal = [3, 6, 7.89, 8.89, 9.75, 10.53, 10.88, 10.88, 10.88, 10.88]
    # Printed there as 0.76 at rank 4: 6.893 / 8.893 = 0.775.
    ndcg = [1, 0.83, 0.87, 0.775, 0.71, 0.69, 0.73, 0.80, 0.88, 0.88]
    assert at_every_rank(DCG, grades) == to_places(2, dcg)
    assert at_every_rank(IDEAL, grades) == to_places(2, ideal)
    assert at_every_rank(NDCG, grades) == to_places(2, ndcg)


@pytest.mark.parametrize(("rank", "discount"), [(4, 1 / 2), (8, 1 / 3)])
def test_the_discount_at_a_rank(rank: int, discount: float) -> None:
    assert evaluate_one(DCG, [0] * (rank - 1) + [1]) == pytest.approx(discount, abs=5e-5)


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        # rel_1 + the sum of rel_i / log2(i)
        ("DCG(discount=log)", 2 + 3 + 1 / 1.58496),
        # (2^rel - 1) / log2(1 + i)
        ("DCG(gain=exponential)", 3 + 7 / 1.58496 + 1 / 2),
        # (2^rel - 1) with log2(i)
        ("DCG(gain=exponential,discount=log)", 3 + 7 + 1 / 1.58496),
        # rel / log(1 + i); the base of the logarithm cancels in nDCG
        ("DCG", 2 + 3 / 1.58496 + 1 / 2),
        # base 3: log3(1) and log3(2) are below 1, so the first two ranks count in full, and rank 3 as log3(3) = 1
        ("DCG(discount=log,base=3)", 2 + 3 + 1),
        ("DCG(base=3)", 2 + 3 + 1 / 1.26186),
        ("DCG(discount=zipf)", 2 + 3 / 2 + 1 / 3),
        ("DCG(discount=none)", 2 + 3 + 1),
        ("CG", 2 + 3 + 1),
        ("CG(gain=exponential)@2", 3 + 7),
        ("DCG(gains=1:0;2:10;3:11)@2", 10 + 11 / 1.58496),
    ],
)
def test_gains_and_discounts(measure: str, expected: float) -> None:
    # Arithmetic with log2(3) = 1.58496 and log3(4) = 1.26186.
    assert evaluate_one(measure, [2, 3, 1]) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(
    ("ideal", "expected"),
    [
        ("judged", 3 + 2 / 1.58496 + 2 / 2 + 1 / 2.32193),  # 3, 2, 2, 1
        ("retrieved", 2 + 1 / 1.58496),  # 2, 1
        ("shortened", 3 + 2 / 1.58496 + 2 / 2),  # 3, 2, 2: as many as were retrieved
    ],
)
def test_ideal_rankings(ideal: str, expected: float) -> None:
    assert evaluate_one(f"IdealDCG(ideal={ideal})@10", [1, None, 2], unretrieved=[3, 2]) == pytest.approx(
        expected, abs=1e-4
    )
    assert evaluate_one(f"nDCG(ideal={ideal})@10", [1, None, 2], unretrieved=[3, 2]) == pytest.approx(
        (1 + 2 / 2) / expected, abs=1e-4
    )


def test_err_where_stopping_is_certain_but_for_rounding() -> None:
    # s = (2^60 - 1) / 2^60, which is 1 as a floating-point number: the reader stops at rank 1, or at rank 2.
    assert evaluate_one("ERR(gmax=60)", [60, 1]) == 1
    assert evaluate_one("ERR(gmax=60)", [0, 60]) == 0.5
