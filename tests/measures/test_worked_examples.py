"""Examples worked by hand in lecture notes on evaluating search, with the numbers printed there."""

from __future__ import annotations

import pytest

from cranfield.measures import evaluate_one


def ranks(*relevant: int, depth: int = 10) -> list[int]:
    return [int(rank in relevant) for rank in range(1, depth + 1)]


@pytest.mark.parametrize(
    ("relevant", "total", "expected"),
    [
        ((1, 3, 6, 9, 10), 5, 0.6222),
        ((2, 5, 6, 7), 5, 0.3943),
        ((2, 3, 4, 5, 6), 5, 0.7100),
        ((1, 2, 3, 4, 5), 5, 1.0),
        ((2, 5, 7), 3, 0.4429),
    ],
)
def test_average_precision(relevant: tuple[int, ...], total: int, expected: float) -> None:
    missed = [1] * (total - len(relevant))
    assert evaluate_one("AP@10", ranks(*relevant), unretrieved=missed) == expected


def test_geometric_mean() -> None:
    # GMAP of the two lists of the notes: sqrt(.6222 x .4429) = .5249
    assert pytest.approx(0.5249, abs=5e-5) == (0.6222 * 0.4429) ** 0.5


def test_precision_at_six() -> None:
    assert evaluate_one("P@6", ranks(1, 2, 4, 6, 13, depth=13)) == pytest.approx(4 / 6, abs=5e-5)


@pytest.mark.parametrize(
    ("judgments", "average", "r_precision", "eleven_points"),
    [("1011110001", 0.7750, 5 / 6, 0.8212), ("0100111011", 0.5212, 1 / 2, 0.6000)],
)
def test_two_rankings_with_six_relevant(
    judgments: str, average: float, r_precision: float, eleven_points: float
) -> None:
    grades = [int(bit) for bit in judgments]
    missed = [1] * (6 - sum(grades))
    assert evaluate_one("AP", grades, unretrieved=missed) == pytest.approx(average, abs=5e-5)
    assert evaluate_one("Rprec", grades, unretrieved=missed) == pytest.approx(r_precision, abs=5e-5)
    assert evaluate_one("IPrecAvg", grades, unretrieved=missed) == pytest.approx(eleven_points, abs=5e-5)


def test_the_best_precision_at_20_with_8_relevant() -> None:
    assert evaluate_one("P@20", [1] * 8 + [0] * 12) == 0.4


def test_set_measures() -> None:
    # D = d1..d8, relevant {1, 5, 7}, returned {1, 3, 5, 6}
    returned, missed = [1, 0, 1, 0], [1]
    assert evaluate_one("SetR", returned, unretrieved=missed) == pytest.approx(2 / 3, abs=5e-5)
    assert evaluate_one("SetP", returned, unretrieved=missed) == 2 / 4
    assert evaluate_one("SetF", returned, unretrieved=missed) == pytest.approx(4 / 7, abs=5e-5)


def test_mean_reciprocal_rank() -> None:
    # plurals of cat, torus, virus, found at ranks 3, 2, 1
    values = [evaluate_one("RR", [0] * (rank - 1) + [1]) for rank in (3, 2, 1)]
    assert sum(values) / 3 == pytest.approx(11 / 18, abs=5e-5)
