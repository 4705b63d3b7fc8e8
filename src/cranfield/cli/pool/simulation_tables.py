"""What replayed orders of judging come to, as a table, with tabs between cells or as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from cranfield.cli.tables import render, write_lines
from cranfield.data.strings import Floats, Ints
from cranfield.pooling.simulation import Simulation

_SPREAD = ("relevant", "share", "tau", "tau_ap")


def show_simulation(found: Simulation, layout: str, digits: int) -> None:
    """For every order and budget."""
    rows = list(_rows(found))
    if layout == "json":
        about = {
            "topics": found.topics,
            "runs": list(found.runs),
            "measure": found.measure,
            "relevant": found.all_relevant,
            "reachable": found.reachable,
            "seeds": list(found.seeds),
            "notes": list(found.notes),
        }
        write_lines([json.dumps({**about, "orders": rows}, indent=2)])
    elif layout == "tsv":
        header = [
            name for name in rows[0] for name in ([name, f"{name}_low", f"{name}_high"] if _wide(name) else [name])
        ]
        lines = [[cell for name, value in row.items() for cell in _cells(name, value)] for row in rows]
        write_lines(["\t".join(line) for line in [header, *lines]])
    else:
        _show_table(found, rows, digits)


def _rows(found: Simulation) -> Iterator[dict[str, Any]]:
    for at, order in enumerate(found.orders):
        for column, budget in enumerate(found.budgets.tolist()):
            relevant = found.relevant[at, :, column]
            yield {
                "order": order,
                "budget": budget,
                "judgments": int(found.judgments[column]),
                "relevant": _spread(relevant),
                "share": _spread(found.share(relevant)),
                "tau": _spread(found.tau[at, :, column]),
                "tau_ap": _spread(found.tau_ap[at, :, column]),
                "unjudged": float(found.unjudged[at, :, column].mean()),
            }


def _spread(values: Floats | Ints) -> dict[str, float | None]:
    """Over the seeds."""
    if np.isnan(values).any():
        return dict.fromkeys(("mean", "low", "high"))
    return {"mean": float(values.mean()), "low": float(values.min()), "high": float(values.max())}


def _wide(name: str) -> bool:
    return name in _SPREAD


def _cells(name: str, value: Any) -> list[str]:
    if not _wide(name):
        return [value if isinstance(value, str) else f"{value:g}"]
    return ["" if part is None else f"{part:.6g}" for part in value.values()]


def _show_table(found: Simulation, rows: list[dict[str, Any]], digits: int) -> None:
    topics = f"{found.topics} topic{'s' * (found.topics != 1)}"
    runs = f"{len(found.runs)} run{'s' * (len(found.runs) != 1)}"
    relevant = f"{found.all_relevant} relevant documents, {found.reachable} of them can be asked for"
    write_lines([f"{topics}, {runs}; {relevant}; tau by {found.measure}"])
    for budget in found.budgets.tolist():
        of_budget = [row for row in rows if row["budget"] == budget]
        judgments = of_budget[0]["judgments"]
        header = [f"{budget} per topic, {judgments} in all", "relevant", "share", "tau", "tau_ap", "unjudged"]
        cells = [
            [
                row["order"],
                _said(row["relevant"], 0),
                f"{row['share']['mean']:.{digits}f}",
                _said(row["tau"], digits),
                _said(row["tau_ap"], digits),
                f"{row['unjudged']:.0f}",
            ]
            for row in sorted(of_budget, key=lambda row: -float(row["relevant"]["mean"]))
        ]
        write_lines(["", render(header, cells)])


def _said(value: dict[str, float | None], digits: int) -> str:
    """The mean, and where seeds differ the lowest and the highest."""
    mean, low, high = value.values()
    if mean is None or low is None or high is None or math.isnan(mean):
        return "-"
    spread = "" if low == high else f" ({low:.{digits}f}..{high:.{digits}f})"
    return f"{mean:.{digits}f}{spread}"
