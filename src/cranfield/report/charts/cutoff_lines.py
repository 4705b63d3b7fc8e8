"""Scores against the cutoff: what runs have reached after so many documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from cranfield.curves.rank_curves import RankCurves
from cranfield.errors import UsageError
from cranfield.measures import Measure, parse_one
from cranfield.report.axes import round_end
from cranfield.report.captions import band_notes, caption, coverage_notes, mean_of, settings_notes
from cranfield.report.drawing import MOST_ROWS, AnyChart, alt, layered
from cranfield.report.lines import Axis, Line, banded, lines, reference
from cranfield.report.systems import Systems
from cranfield.report.theme import HEIGHT, WIDTH, on
from cranfield.report.thinning import thin

MOST_PANELS = 6
RANK = 10
"""Where runs are put in order, to say which are the best."""


def cutoff(
    curves: RankCurves,
    measure: str | Measure | None = None,
    *,
    band: str | None = None,
    highlight: str | Iterable[str] = (),
    linear: bool = False,
) -> AnyChart:
    """The mean of a measure after each number of documents, one line for each run.

    Of curves of several measures there is a panel for each, unless one is named; the best possible gain is a line
    beside the gain. Ranks are on a logarithmic axis, as the first matter most, unless it is to be `linear`. `band` says
    which of the bands is drawn, the first unless it is named.
    """
    ideals = {one: ideal for one in curves.measures if (ideal := _ideal_of(curves, one)) is not None}
    panelled = [one for one in curves.measures if one not in ideals.values()]
    wanted = panelled if measure is None else [_named(curves, measure)]
    if len(wanted) > MOST_PANELS:
        raise UsageError(f"{len(wanted)} measures do not fit in a drawing; name {MOST_PANELS} or fewer")
    if band is not None and band not in curves.bands:
        raise UsageError(f"there is no band {band!r} here; there are: {', '.join(curves.bands) or 'none'}")
    shown = band or next(iter(curves.bands), None)
    first = wanted[0]
    at = max(int(np.searchsorted(curves.cutoffs, RANK, side="right")) - 1, 0)
    there = {name: float(run.mean[first][at]) for name, run in curves.runs.items()}
    systems = Systems.of(there, more_is_better=first.more_is_better, highlight=highlight)
    size = (WIDTH, HEIGHT) if len(wanted) == 1 else (260, 200)
    most = MOST_ROWS // len(wanted)
    panels = [
        _panel(curves, one, ideals.get(one), systems, shown, size, most, logarithmic=not linear, number=number)
        for number, one in enumerate(wanted)
    ]
    over = mean_of(len(run.queries) for run in curves.runs.values())
    title = f"{_listed(wanted)} by cutoff, {over}"
    notes = [
        *(["dashed: the best possible ranking"] if any(one in ideals for one in wanted) else []),
        *systems.notes(f"{first} at rank {curves.cutoffs[at]}"),
        *band_notes(shown, banded(systems), len(curves.runs)),
        *curves.open_ended,
        *settings_notes(curves.about.profile, curves.about.settings),
        *coverage_notes(curves.about.coverage),
    ]
    if len(wanted) == 1:
        return on(panels[0].properties(title=caption(title, notes)), "light")
    named = [
        panel.properties(title=alt.TitleParams(text=str(one), fontSize=12, offset=6))
        for panel, one in zip(panels, wanted, strict=True)
    ]
    return on(alt.concat(*named, columns=2).properties(title=caption(title, notes)), "light")


def _listed(measures: Sequence[Measure]) -> str:
    *names, last = map(str, measures)
    return f"{', '.join(names)} and {last}" if names else last


def _named(curves: RankCurves, measure: str | Measure) -> Measure:
    wanted = str(parse_one(measure)) if not isinstance(measure, Measure) else str(measure)
    for one in curves.measures:
        if str(one) == wanted:
            return one
    raise UsageError(f"there is no curve of {wanted}; there are curves of {', '.join(map(str, curves.measures))}")


def _ideal_of(curves: RankCurves, measure: Measure) -> Measure | None:
    """The curve of the best possible ranking that goes with one of gain, if it is the same for all runs."""
    discount = {"CG": "none", "DCG": measure.parameters.get("discount")}.get(measure.name)
    for one in curves.measures:
        if one.name == "IdealDCG" and one.parameters["discount"] == discount:
            first, *others = (run.mean[one] for run in curves.runs.values())
            return one if all(np.allclose(first, other) for other in others) else None
    return None


def _panel(
    curves: RankCurves,
    measure: Measure,
    ideal: Measure | None,
    systems: Systems,
    band: str | None,
    size: tuple[float, float],
    most: int,
    *,
    logarithmic: bool,
    number: int,
) -> alt.LayerChart:
    ranks = curves.cutoffs.astype(np.float64)
    found = {}
    for name, run in curves.runs.items():
        edges = run.bands.get(measure, {}).get(band or "")
        found[name] = Line(ranks, run.mean[measure], *(edges or (None, None)))
    best = np.zeros(1) if ideal is None else next(iter(curves.runs.values())).mean[ideal]
    values = [part for line in found.values() for part in line[1:] if part is not None]
    low = min(float(part.min(initial=0.0)) for part in values)
    high = max(float(part.max(initial=0.0)) for part in (*values, best))
    last = float(max(ranks[-1], 2.0))
    x = Axis("cutoff (rank)", 1.0, last, logarithmic=logarithmic, format="d", few=size[0] < WIDTH and last > 200)
    # Where panels stand side by side, each axis ends with a label: so their titles are at the same height.
    end = high * 1.03 if size[0] == WIDTH else round_end(high) if high else 1.0
    y = Axis(str(measure), low, end or 1.0)
    panel = lines(found, systems, x, y, width=size[0], height=size[1], most=most, name=f"lines{number}")
    if ideal is None:
        return panel
    kept = thin(x.places(ranks), y.places(best))
    points = list(zip(ranks[kept].tolist(), best[kept].tolist(), strict=True))
    return layered(reference(points, x, y), panel).properties(width=size[0], height=size[1])
