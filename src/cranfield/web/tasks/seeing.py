"""What somebody sees of a release: an organiser everything, a participant what was released to them and no more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cranfield.web.accounts.models import User
from cranfield.web.tasks.chart import Chart, Line
from cranfield.web.tasks.models import Release


@dataclass(frozen=True)
class Cell:
    """A mean, and where means over other topics of the kind would lie."""

    mean: float | None
    interval: tuple[float, float] | None
    letters: str = ""


@dataclass(frozen=True)
class SeenRun:
    team: str
    name: str
    own: bool
    cells: list[Cell]
    missing: int
    per_topic: list[tuple[str, list[float | None]]]


@dataclass(frozen=True)
class Difference:
    """What is to be said of differences by one measure."""

    measure: str
    critical: float | None
    level: float | None
    undefined: str


@dataclass(frozen=True)
class Seen:
    measures: list[str]
    topics: int
    runs: list[SeenRun]
    compared: bool
    """Whether runs of several people stand beside each other, best first."""
    differences: list[Difference]
    charts: list[Chart]


def seen(release: Release, viewer: User | None) -> Seen:
    """Of the scores what a participant may see; for None, an organiser, all.

    Where participants see their own runs alone, nothing depends on those of others: no rank, no number of runs, and
    no test, whose outcome is about all of them.
    """
    scores, measures = release.scores, release.measures
    compared = viewer is None or release.audience == Release.Audience.ALL
    runs: list[dict[str, Any]] = [
        run for run in scores["runs"] if compared or (viewer is not None and run["participant"] == viewer.pk)
    ]
    if compared:
        sign = 1 if measures[0] in scores["less_is_better"] else -1
        runs.sort(key=lambda run: _worst_last(run["means"].get(measures[0]), sign))
    together = scores["together"] if compared else {}
    rows = [_row(run, measures, together, viewer) for run in runs]
    return Seen(
        measures=measures,
        topics=scores["topics"],
        runs=rows,
        compared=compared,
        differences=[_difference(name, together[name]) for name in measures if together.get(name)],
        charts=[_chart(name, place, rows) for place, name in enumerate(measures)] if rows else [],
    )


def _row(run: dict[str, Any], measures: list[str], together: dict[str, Any], viewer: User | None) -> SeenRun:
    cells = [
        Cell(
            run["means"].get(name),
            tuple(run["intervals"][name]) if run["intervals"].get(name) else None,
            ((together.get(name) or {}).get("letters") or {}).get(run["submission"], ""),
        )
        for name in measures
    ]
    per_topic = [(topic, [values.get(name) for name in measures]) for topic, values in run.get("per_topic", {}).items()]
    own = viewer is not None and run["participant"] == viewer.pk
    return SeenRun(run["team"], run["name"], own, cells, run["missing"], per_topic)


def _difference(measure: str, found: dict[str, Any]) -> Difference:
    return Difference(measure, found.get("critical"), found.get("level"), found.get("undefined", ""))


def _chart(measure: str, place: int, runs: list[SeenRun]) -> Chart:
    lines = []
    for run in runs:
        cell = run.cells[place]
        if cell.mean is not None:
            lines.append(Line(f"{run.team}: {run.name}", cell.mean, cell.interval, own=run.own))
    return Chart.of(measure, lines)


def _worst_last(mean: float | None, sign: int) -> float:
    return float("inf") if mean is None else sign * mean
