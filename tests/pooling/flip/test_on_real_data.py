"""Judging in the order of `flip` decides no later than judging in depth order, and the page says so."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tools import flip_figures


@pytest.mark.slow
@pytest.mark.real_data
@pytest.mark.parametrize("name", flip_figures.REPLAYED)
def test_it_decides_no_later_than_depth_order(real_data: Path, name: str) -> None:
    # 15 comparisons of the Deep Learning track 2019; judgments are hidden, and come to light in one order or another.
    shares = flip_figures.replayed(real_data)[name]
    for order in ("certainty", "expected", "swing"):
        assert np.mean(shares[order]) <= np.mean(shares["depth"]), order


@pytest.mark.slow
@pytest.mark.real_data
def test_the_figures_of_the_page(real_data: Path) -> None:
    assert flip_figures.page(real_data) == flip_figures.PAGE.read_text(), f"run {flip_figures.COMMAND}"
