"""The worked examples of the documentation have the numbers that the lecture notes print."""

from __future__ import annotations

from itertools import accumulate

import pytest

import cranfield as cf
from tools.worked_examples import SECTIONS, Example

EXAMPLES = [example for section in SECTIONS for example in section.examples]


def to_places(places: int, printed: list[float]) -> object:
    return pytest.approx(printed, abs=0.5001 * 10.0**-places)


# Oracle: the numbers of the lecture notes, typed into tools/worked_examples.py beside each ranking.
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.call)
def test_the_value_is_the_one_that_is_printed(example: Example) -> None:
    assert example.expected is None or [example.explained().value] == to_places(example.places, [example.expected])


def test_what_follows_from_several() -> None:
    value = {example.call: float(example.explained().value) for example in EXAMPLES}
    first, second, third = (
        value[f'cf.explain_one("RR", {ranking})'] for ranking in ("[0, 0, 1]", "[0, 1, 0]", "[1, 0, 0]")
    )
    assert (first + second + third) / 3 == pytest.approx(11 / 18)
    one = value['cf.explain_one("AP", [1, 0, 1, 0, 0, 1, 0, 0, 1, 1])']
    other = value['cf.explain_one("AP", [0, 1, 0, 0, 1, 0, 1, 0, 0, 0])']
    assert (one + other) / 2 == pytest.approx(0.53, abs=5e-3)
    assert (one * other) ** 0.5 == pytest.approx(0.5249, abs=5e-5)


@pytest.mark.parametrize(
    ("measure", "grades", "printed", "places"),
    [
        ("DCG(discount=log)@6", [3, 2, 3, 0, 1, 2], [3, 5, 6.893, 6.893, 7.323, 8.097], 3),
        (
            "DCG(discount=log)@10",
            [4, 3, 4, 2, 0, 0, 0, 1, 1, 0],
            [4.00, 7.00, 9.52, 10.52, 10.52, 10.52, 10.52, 10.86, 11.17, 11.17],
            2,
        ),
        (
            "DCG(discount=log)@10",
            [3, 2, 3, 0, 0, 1, 2, 2, 3, 0],
            [3, 5, 6.89, 6.89, 6.89, 7.28, 7.99, 8.66, 9.61, 9.61],
            2,
        ),
    ],
)
def test_gain_down_to_each_rank(measure: str, grades: list[int], printed: list[float], places: int) -> None:
    shares = [row.share or 0.0 for row in cf.explain_one(measure, grades).rows]
    assert list(accumulate(shares)) == to_places(places, printed)


@pytest.mark.parametrize(
    ("grades", "printed"),
    [
        ([4, 3, 4, 2, 0, 0, 0, 1, 1, 0], [4.00, 8.00, 9.89, 10.89, 11.32, 11.71, 11.71, 11.71, 11.71, 11.71]),
        # Printed there as 10.52 at rank 6 and 10 at rank 10.
        ([3, 2, 3, 0, 0, 1, 2, 2, 3, 0], [3, 6, 7.89, 8.89, 9.75, 10.53, 10.88, 10.88, 10.88, 10.88]),
    ],
)
def test_the_ideal_list_down_to_each_rank(grades: list[int], printed: list[float]) -> None:
    ideal = cf.explain_one("nDCG(discount=log,ideal=retrieved)@10", grades).ideal["gain / discount"]
    filled_up = [*ideal, *[0.0] * (len(grades) - len(ideal))]  # documents without gain are not in the list
    assert list(accumulate(filled_up)) == to_places(2, printed)


@pytest.mark.parametrize(
    ("ranking", "recall", "precision"),
    [
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
    ],
)
def test_precision_and_recall_at_each_rank(ranking: str, recall: list[float], precision: list[float]) -> None:
    explanation = cf.explain_one("BreakEven(curve=interpolated)", [int(bit) for bit in ranking])
    # .625 is printed as .63, hence more than half of the last digit.
    assert [row.cells["R@i"] for row in explanation.rows] == pytest.approx(recall, abs=5.1e-3)
    assert [row.cells["P@i"] for row in explanation.rows] == pytest.approx(precision, abs=5.1e-3)
