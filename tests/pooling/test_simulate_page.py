"""The table of docs/pooling/simulate.md: orders of judging replayed over TREC-COVID round 1."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cranfield.pooling.orders.named import ORDERS
from cranfield.pooling.simulation import simulate_orders

PAGE = Path(__file__).parents[2] / "docs" / "pooling" / "simulate.md"
NUMBER = r"([\d.]+)(?: %)?"


def rows() -> dict[str, list[float]]:
    """Share found, tau by AP and tau by nDCG@10, after 20, 50 and 100 judgments per topic."""
    line = re.compile(r"^\| `([\w-]+)` \| " + r" \| ".join([NUMBER] * 9) + r" \|$", re.MULTILINE)
    return {name: [float(value) for value in values] for name, *values in line.findall(PAGE.read_text())}


def test_every_order_is_on_the_page() -> None:
    assert rows().keys() == ORDERS.keys() - {"pool", "active"}
    assert all(f"`{name}`" in PAGE.read_text() for name in ORDERS)


@pytest.mark.slow
@pytest.mark.real_data
def test_the_page_says_what_happens(real_data: Path) -> None:
    folder = real_data / "trec_covid_r1"
    runs = sorted((folder / "runs").iterdir())
    by_ap, by_ndcg = (
        simulate_orders(
            folder / "qrels-rnd1.txt", runs, budgets=[20, 50, 100], depth=None, judged_only=True, measure=measure
        )
        for measure in ("AP", "nDCG@10")
    )
    assert (by_ap.all_relevant, by_ap.topics, by_ap.judgments.tolist()) == (2352, 30, [600, 1500, 3000])
    for order, values in rows().items():
        at = by_ap.orders.index(order)
        for column in range(3):
            share, ap, ndcg = values[3 * column : 3 * column + 3]
            assert 100 * by_ap.share(by_ap.relevant[at, :, column].mean()) == pytest.approx(share, abs=0.06), order
            assert by_ap.tau[at, :, column].mean() == pytest.approx(ap, abs=0.006), order
            assert by_ndcg.tau[at, :, column].mean() == pytest.approx(ndcg, abs=0.006), order
