"""Orders of judging, replayed: relevant documents found, and how far systems are in the right order."""

from __future__ import annotations

import numpy as np

from cranfield.data.strings import Floats, Ints
from cranfield.pooling.simulation import Simulation
from cranfield.report.captions import caption, count
from cranfield.report.drawing import MOST_ROWS, AnyChart, alt
from cranfield.report.lines import Axis, Line, banded, lines
from cranfield.report.systems import Systems
from cranfield.report.theme import HEIGHT, WIDTH, on

_PANEL = 330


def judging_orders(found: Simulation) -> AnyChart:
    """The share of relevant documents that orders have found after so many judgments of each topic, and beside it
    Kendall's tau of the order of the systems with the judgments so far and with all.

    Bands are from the lowest to the highest value of the seeds. With one system there is no tau.
    """
    most = int(found.budgets[-1])
    numbers = np.arange(1, most + 1).astype(np.float64)
    shares = {
        order: _line(numbers, found.share(found.found[at].astype(np.float64))) for at, order in enumerate(found.orders)
    }
    area = {order: float(line.y.mean()) for order, line in shares.items()}
    systems = Systems.of(area, what="order")
    x = Axis("judgments per topic", 1.0, float(max(most, 2)), logarithmic=True, format="d", few=most > 200)
    several = len(found.runs) > 1
    size = {"width": _PANEL if several else WIDTH, "height": HEIGHT}
    panels = [
        lines(
            shares,
            systems,
            x,
            Axis("share of relevant documents found"),
            **size,
            most=MOST_ROWS // 2,
            name="found",
        )
    ]
    if several:
        budgets = found.budgets.astype(np.float64)
        taus = {order: _line(budgets, found.tau[at]) for at, order in enumerate(found.orders)}
        low = min(0.0, *(float(line.y.min()) for line in taus.values()))
        y = Axis(f"tau of systems by {found.measure}, with these judgments and with all", low, 1.0)
        panels.append(lines(taus, systems, x, y, **size, most=MOST_ROWS // 2, name="tau", rim=3.0))
    return on(alt.concat(*panels, columns=2).properties(title=_caption(found, systems)), "light")


def _line(x: Floats, by_seed: Floats | Ints) -> Line:
    """The mean over seeds, and from the lowest to the highest where they differ."""
    low, high = by_seed.min(axis=0), by_seed.max(axis=0)
    if np.array_equal(low, high):
        return Line(x, by_seed.mean(axis=0))
    return Line(x, by_seed.mean(axis=0), low, high)


def _caption(found: Simulation, systems: Systems) -> alt.TitleParams:
    lost = found.all_relevant - found.reachable
    bands = banded(systems)
    notes = [
        *systems.notes("the area below the curve"),
        f"mean of {count(len(found.seeds), 'seed')}"
        + (f", bands from the lowest to the highest ({', '.join(bands)})" if len(found.seeds) > 1 else ""),
        f"{count(lost, 'relevant document')} of {found.all_relevant} cannot be asked for" if lost else "",
    ]
    title = f"Orders of judging, replayed: {count(found.topics, 'topic')}, {count(len(found.runs), 'run')}"
    return caption(title, notes, width=2 * _PANEL + 160 if len(found.runs) > 1 else WIDTH + 100)
