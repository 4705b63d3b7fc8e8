"""The mean of each run, with what other topics, unjudged documents and ties could make of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from cranfield.errors import UsageError
from cranfield.evaluation.result import Evaluation
from cranfield.measures import Measure, parse_one
from cranfield.report.captions import caption, count, coverage_notes, settings_notes
from cranfield.report.drawing import AnyChart, alt, encoded, layered, plain, table
from cranfield.report.findings import direction_notes
from cranfield.report.systems import Systems
from cranfield.report.theme import WIDTH, colour, if_narrow, on

MOST_RUNS = 100
"""With more runs than that, only the best are drawn, and those that are highlighted."""
MOST_PANELS = 6


def means(
    evaluation: Evaluation,
    measure: str | Measure | Sequence[str | Measure] | None = None,
    *,
    highlight: str | Iterable[str] = (),
) -> AnyChart:
    """A diamond for the mean of each run, the best first, and bars for what is open about it.

    The interval over topics is there if the measure has one; what unjudged documents and ties leave open is there if
    the evaluation was asked for it (`intervals=`, `residuals=`, `ties=`). The measure is the first, unless it is named;
    several are panels, with the runs in the order of the first of them.
    """
    named = (
        [evaluation.measures[0]] if measure is None else [measure] if isinstance(measure, str | Measure) else measure
    )
    wanted = [_named(evaluation, one) for one in named]
    if len(wanted) > MOST_PANELS:
        raise UsageError(f"{len(wanted)} measures do not fit in a drawing; name {MOST_PANELS} or fewer")
    for one in wanted:
        if one.definition.aggregate == "none":
            raise UsageError(f"{one} is text and has no mean")
    scores = {name: float(run.mean[str(wanted[0])]) for name, run in evaluation.items()}
    systems = Systems.of(scores, more_is_better=wanted[0].more_is_better, highlight=highlight)
    chosen = systems.named if systems.chosen else ()
    best = systems.names[:MOST_RUNS]
    names = [name for name in systems.names if name in best or name in chosen]
    panels = [_Panel.of(evaluation, one, names, chosen) for one in wanted]
    there = [part for part in _PARTS if any(part in panel.there for panel in panels)]
    first = next(iter(evaluation.values()))
    topics = {len(run.queries) for run in evaluation.values()}
    of = count(max(topics), "topic") if len(topics) == 1 else f"{min(topics)} to {max(topics)} topics"
    notes = [
        *(_PARTS[part] for part in there),
        *([f"runs in the order of {wanted[0]}"] if len(wanted) > 1 else []),
        *([f"the best {len(best)} of {len(systems.names)} runs are drawn"] if len(names) < len(systems.names) else []),
        *_direction_notes(wanted),
        *settings_notes(first.profile, first.settings),
        *coverage_notes({name: run.coverage for name, run in evaluation.items()}),
    ]
    what = panels[0].label if len(wanted) == 1 else "Means"
    title = f"{what[0].upper()}{what[1:]}: {count(len(systems.names), 'run')}, {of}"
    if len(wanted) == 1:
        return on(panels[0].drawn(WIDTH - 40).properties(title=caption(title, notes)), "light")
    drawn = [
        panel.drawn(_PANEL_WIDTH, titled=False).properties(
            title=alt.TitleParams(text=plain(panel.label), fontSize=12, offset=6)
        )
        for panel in panels
    ]
    whole = caption(title, notes, width=2 * _PANEL_WIDTH + 260)
    return on(alt.concat(*drawn, columns=2).properties(title=whole), "light")


def _direction_notes(measures: Sequence[Measure]) -> list[str]:
    """What is to be said where more is not better, and of which panels if not of all."""
    found: dict[str, list[str]] = {}
    for one in measures:
        for note in direction_notes(one):
            found.setdefault(note, []).append(str(one))
    return [note if len(of) == len(measures) else f"{', '.join(of)}: {note}" for note, of in found.items()]


class _Panel(NamedTuple):
    """The means of some runs by one measure."""

    label: str
    measure: Measure
    rows: list[dict[str, Any]]
    there: list[str]
    """What is open about the means."""

    @classmethod
    def of(cls, evaluation: Evaluation, measure: Measure, names: Sequence[str], chosen: Sequence[str]) -> _Panel:
        rows = [_row(evaluation, name, measure, name in chosen) for name in names]
        there = [part for part in _PARTS if any(row[f"{part}_low"] != row[f"{part}_high"] for row in rows)]
        return cls(f"{_WORDS.get(measure.definition.aggregate, 'mean')} {measure}", measure, rows, there)

    def drawn(self, width: float, *, titled: bool = True) -> alt.LayerChart:
        order = [plain(row["run"]) for row in self.rows]
        axis = alt.Axis(labelLimit=if_narrow(110, 220), ticks=False, domain=False, labelPadding=8)
        y = alt.Y("run:N", title=None, sort=order, scale=alt.Scale(domain=order), axis=axis)
        data, scale = table(self.rows), _scale(self.rows, self.measure)
        along: dict[str, Any] = {
            "title": plain(self.label) if titled else None,
            "scale": scale,
            "axis": alt.Axis(tickCount=8 if titled else 5),
        }
        layers = [_bar(data, part, y, alt.X(f"{part}_low:Q", **along)) for part in self.there]
        hues = alt.Scale(domain=["other", "chosen"], range=[colour("ink"), colour("hue2")])
        diamonds = alt.Chart(data).mark_point(shape="diamond", filled=True, size=70, opacity=1)
        layers.append(
            diamonds.encode(
                x=alt.X("mean:Q", **along),
                y=y,
                color=alt.Color("hue:N", scale=hues, legend=None),
                tooltip=_tooltip(self.there),
            )
        )
        step = 24.0 if len(order) <= 30 else 14.0
        return layered(*layers).properties(width=width, height=alt.Step(step))


_PANEL_WIDTH = 260
_WORDS = {"sum": "sum of", "geometric": "geometric mean"}
"""What becomes of the values of all topics, where it is no mean."""
_PARTS = {
    "unjudged": "wide bar: what unjudged documents leave open",
    "ties": "narrow bar: what tied scores leave open",
    "topics": "line: 95 % interval over topics",
}
"""What may be open about a mean, and how it is drawn; from the back to the front."""


def _named(evaluation: Evaluation, measure: str | Measure) -> Measure:
    wanted = str(parse_one(measure))
    for one in evaluation.measures:
        if str(one) == wanted:
            return one
    raise UsageError(f"there is no value of {wanted}; there are values of {', '.join(map(str, evaluation.measures))}")


def _row(evaluation: Evaluation, name: str, measure: Measure, chosen: bool) -> dict[str, Any]:
    found = evaluation[name].intervals()[measure]
    row: dict[str, Any] = {"run": name, "mean": found.mean, "hue": "chosen" if chosen else "other"}
    for part, opening in (("topics", found.topics), ("unjudged", found.unjudged), ("ties", found.ties)):
        known = opening is not None and np.isfinite([opening.lower, opening.upper]).all()
        row[f"{part}_low"] = opening.lower if opening is not None and known else None
        row[f"{part}_high"] = opening.upper if opening is not None and known else None
    return row


def _scale(rows: Sequence[Mapping[str, Any]], measure: Measure) -> alt.Scale:
    """An axis that has all of it, but for where no mean can be: intervals over topics may reach there."""
    ends = [row[name] for row in rows for name in row if name not in ("run", "hue") and row[name] is not None]
    low, high = min(ends), max(ends)
    if low < 0 <= min(row["mean"] for row in rows):
        low = 0.0
    high = min(high, measure.bounds[1])
    return alt.Scale(domain=[low, high if high > low else low + 1.0], zero=False, nice=True)


def _bar(data: alt.InlineData, part: str, y: alt.Y, x: alt.X) -> alt.Chart:
    look: dict[str, Any] = {
        "unjudged": {"strokeWidth": 10, "color": colour("better_faint")},
        "ties": {"strokeWidth": 6, "color": colour("better")},
        "topics": {"strokeWidth": 1.5, "color": colour("ink")},
    }[part]
    return encoded(alt.Chart(data).mark_rule(clip=True, **look), x=x, x2=f"{part}_high:Q", y=y)


def _tooltip(there: list[str]) -> list[alt.Tooltip]:
    edges = [
        (f"{part}_{end}:Q", f"{part}: {word}") for part in there for end, word in (("low", "from"), ("high", "to"))
    ]
    tips = [alt.Tooltip("run:N"), alt.Tooltip("mean:Q", format=".4f")]
    return tips + [alt.Tooltip(field, title=title, format=".4f") for field, title in edges]
