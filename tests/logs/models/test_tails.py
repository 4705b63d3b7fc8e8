"""What is above last clicks is counted once, and what is alike below them together."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield.logs.models.pages import Pages
from cranfield.logs.models.tails import Counted

PAGES = Pages(
    np.array([[0, 1, 2, 3], [1, 0, 2, 3], [2, -1, 0, -1], [3, 1, 0, 2], [-1, 3, -1, 1]], dtype=np.int32),
    np.array(
        [
            [True, True, False, False],
            [False, True, False, False],
            [False, False, False, False],
            [False, False, False, True],
            [False, False, False, False],
        ]
    ),
    np.array([1.0, 2.0, 4.0, 8.0, 16.0]),
    4,
)


def test_what_is_above_the_last_click_is_counted() -> None:
    found = Counted.of(PAGES)
    assert found.clicks.tolist() == [1 + 2, 1, 8, 0]
    assert found.above.tolist() == [1 + 2 + 8, 1 + 2 + 8, 8, 8]
    assert found.clicked_above.tolist() == [1, 0, 0, 0]  # of the first page, which was clicked further down
    assert found.clicked_above_at.tolist() == [1, 0, 0, 0]
    assert found.passed == 1 * 1 + 2 * 1 + 8 * 3


def test_what_is_below_is_in_order_without_gaps() -> None:
    (tails,) = Counted.of(PAGES).tails
    found = {
        (head, rank, tuple(int(cell[row]) for cell in tails.cells if row < len(cell))): views
        for row, (head, rank, views) in enumerate(
            zip(tails.head.tolist(), tails.head_rank.tolist(), tails.views.tolist(), strict=True)
        )
    }
    assert found == {(1, 1, (2, 3)): 1, (0, 1, (2, 3)): 2, (-1, 0, (2, 0)): 4, (2, 3, ()): 8, (-1, 0, (3, 1)): 16}
    assert tails.long == 4


def test_pages_that_are_alike_from_the_last_click_on_count_together() -> None:
    pair = np.array([[0, 1, 2], [3, 1, 2]], dtype=np.int32)
    clicked = np.array([[False, True, False], [True, True, False]])
    (tails,) = Counted.of(Pages(pair, clicked, np.array([3.0, 5.0]), 4)).tails
    assert (tails.head.tolist(), tails.views.tolist()) == ([1], [8])


@pytest.mark.parametrize("ranks", [1, 3])
def test_pages_without_anything_below(ranks: int) -> None:
    pages = Pages(np.zeros((1, ranks), dtype=np.int32), np.eye(1, ranks, ranks - 1, dtype=np.bool_), np.ones(1), 1)
    (tails,) = Counted.of(pages).tails
    assert tails.cells == ()
    assert tails.long == 0
