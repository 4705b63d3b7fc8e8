"""Precision, recall and F over thresholds of the score: a panel for each run."""

from __future__ import annotations

import numpy as np

from cranfield.curves.score_thresholds import ThresholdCurve, ThresholdCurves
from cranfield.errors import DataError, UsageError
from cranfield.report.captions import caption, coverage_notes, settings_notes
from cranfield.report.drawing import MOST_ROWS, AnyChart, alt, plain
from cranfield.report.lines import Axis, Line, lines
from cranfield.report.systems import Systems
from cranfield.report.theme import HEIGHT, WIDTH, on

MOST_PANELS = 12


def thresholds(curves: ThresholdCurves) -> AnyChart:
    """What each run returns if every document counts that scores at least so much: means over topics."""
    runs = list(curves.runs.values())
    if len(runs) > MOST_PANELS:
        raise UsageError(
            f"{len(runs)} runs do not fit in a drawing, as each has scores of its own; name {MOST_PANELS} or fewer"
        )
    for run in runs:
        if not len(run.thresholds):
            raise DataError(f"{run.name}: no document of a judged topic is retrieved, so there is no threshold")
    size = (WIDTH, HEIGHT) if len(runs) == 1 else (280, 200)
    panels = [
        _panel(run, size, MOST_ROWS // len(runs), number, titled=len(runs) > 1) for number, run in enumerate(runs)
    ]
    title = f"Precision, recall and F over score thresholds: {runs[0].name if len(runs) == 1 else f'{len(runs)} runs'}"
    notes = [
        "means over topics; one threshold for all of them says something only if scores mean the same for every topic",
        *settings_notes(curves.about.profile, curves.about.settings),
        *coverage_notes(curves.about.coverage),
    ]
    if len(runs) == 1:
        return on(panels[0].properties(title=caption(title, notes)), "light")
    return on(alt.concat(*panels, columns=2).properties(title=caption(title, notes)), "light")


def _panel(run: ThresholdCurve, size: tuple[float, float], most: int, number: int, *, titled: bool) -> alt.LayerChart:
    rising = run.thresholds[::-1]
    rates = {
        "precision": run.macro_precision[::-1], "recall": run.macro_recall[::-1], f"F{run.beta:g}": run.macro_f[::-1],
    }  # fmt: skip
    systems = Systems(tuple(rates), tuple(rates), what="mean of")
    low, high = float(rising[0]), float(rising[-1])
    x = Axis("score threshold", low, high if high > low else low + 1.0, format=".6~g")
    top = max(float(np.max(values)) for values in rates.values())
    y = Axis("value", 0.0, 1.0 if top > 0.5 or not top else float(np.ceil(top * 20) / 20))
    found = {name: Line(rising, values) for name, values in rates.items()}
    panel = lines(found, systems, x, y, width=size[0], height=size[1], most=most, name=f"lines{number}")
    return (
        panel.properties(title=alt.TitleParams(text=plain(run.name), fontSize=12, offset=6, limit=size[0]))
        if titled
        else panel
    )
