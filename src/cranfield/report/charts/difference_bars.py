"""Differences by topic: sorted bars of a run minus the baseline, with what the test says about them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from cranfield.errors import UsageError
from cranfield.evaluation.compared import Compared
from cranfield.evaluation.comparison import Comparison
from cranfield.evaluation.identical_runs import identical_notes
from cranfield.measures import Measure
from cranfield.report.axes import MOST_BARS, bar_width, topic_axis
from cranfield.report.captions import caption, count, coverage_notes, settings_notes
from cranfield.report.drawing import MOST_ROWS, AnyChart, alt, encoded, layered, plain, table
from cranfield.report.findings import direction_notes, finding, rows_of, signed, topic_verdicts, verdicts
from cranfield.report.theme import colour, on
from cranfield.report.thinning import spread
from cranfield.stats import wording

MOST_PANELS = 60


def difference(comparison: Comparison, measure: str | Measure | None = None) -> AnyChart:
    """What each topic gains and loses, sorted; where several runs are compared, a small panel for each.

    Differences are run minus baseline. The measure is the first of the comparison, unless it is named.
    """
    rows = rows_of(comparison, measure)
    first = next(iter(comparison.evaluation.values()))
    made = settings_notes(first.profile, first.settings)
    alike = identical_notes(comparison.evaluation, [(row.baseline, row.run) for row in rows])
    if len(rows) == 1:
        (row,) = rows
        coverage = {name: comparison.evaluation[name].coverage for name in (row.baseline, row.run)}
        title = f"{row.measure} by topic: {row.run} minus {row.baseline}, {count(len(row.topics), 'topic')}"
        notes = [*alike, *finding(row), *direction_notes(row.measure), *made, *coverage_notes(coverage)]
        chart = _bars(row, bar_width(len(row.topics)), 300)
        return on(chart.properties(title=caption(title, notes)), "light")
    if len(rows) > MOST_PANELS:
        raise UsageError(
            f"differences of {len(rows)} runs from {comparison.baseline} do not fit in a drawing: name {MOST_PANELS} "
            f"or fewer. `cranfield plot matrix` shows all pairs of many runs."
        )
    return _panels(comparison, rows, [*alike, *made])


def _sorted(row: Compared) -> list[dict[str, Any]]:
    """What is known of each topic, the highest difference first."""
    topics = zip(
        row.topics, row.by_topic.values(), row.scores.tolist(), row.baseline_scores.tolist(), topic_verdicts(row),
        strict=True,
    )  # fmt: skip
    names = ("topic", "difference", "run", "baseline", "verdict")
    known = [dict(zip(names, values, strict=True)) for values in topics]
    return sorted(known, key=lambda one: (-one["difference"], one["topic"]))


def _bars(
    row: Compared,
    width: float,
    height: float,
    *,
    most: int = MOST_BARS,
    domain: list[float] | None = None,
    titled: bool = True,
) -> alt.LayerChart:
    known = _sorted(row)
    shown = [known[at] for at in spread(len(known), most).tolist()]
    scale = alt.Scale(domain=domain) if domain else alt.Scale()
    label = f"difference in {plain(str(row.measure))}" if titled else "difference"
    below = f"{count(len(row.topics), 'topic')}, sorted by difference" if titled else None
    bars = encoded(
        alt.Chart(table(shown)).mark_bar(),
        x=topic_axis(below, row.topics, len(shown), labelled=titled),
        y=alt.Y("difference:Q", title=label, scale=scale),
        color=_verdict_colour(row),
        tooltip=[
            alt.Tooltip("topic:N"),
            alt.Tooltip("difference:Q", format="+.4f"),
            alt.Tooltip("run:Q", title="run", format=".4f"),
            alt.Tooltip("baseline:Q", format=".4f"),
        ],
    )
    zero = alt.Chart(table([{"at": 0}])).mark_rule(color=colour("ink")).encode(y="at:Q")
    layers = [*_interval(row, alt.Y("lower:Q", title=label, scale=scale)), bars, zero]
    if not row.is_geometric:
        layers += _mean(row, named=titled)
    return layered(*layers).properties(width=width, height=height)


def _interval(row: Compared, y: alt.Y) -> list[alt.Chart]:
    """A band for the interval of the mean difference, if it has one with two ends."""
    interval = row.interval
    if interval is None or row.is_geometric or not np.isfinite([interval.lower, interval.upper]).all():
        return []
    edges = table([{"lower": interval.lower, "upper": interval.upper}])
    return [encoded(alt.Chart(edges).mark_rect(color=colour("soft"), opacity=0.18), y=y, y2="upper:Q")]


def _mean(row: Compared, *, named: bool) -> list[alt.Chart]:
    """A line at the mean of the differences, named where there is room to the right of it."""
    mean = float(np.mean(list(row.by_topic.values())))
    line = alt.Chart(table([{"at": mean, "text": f"mean {signed(mean)}"}]))
    rule = line.mark_rule(color=colour("ink"), strokeDash=[5, 3]).encode(y="at:Q")
    if not named:
        return [rule]
    return [rule, line.mark_text(align="left").encode(x=alt.value(alt.ExprRef("width + 5")), y="at:Q", text="text:N")]


def _verdict_colour(row: Compared) -> alt.Color:
    high, same, low = verdicts(row)
    better = high != "worse"
    hues = ["better", "rest", "worse"] if better else ["worse", "rest", "better"]
    scale = alt.Scale(domain=[high, same, low], range=[colour(hue) for hue in hues])
    return alt.Color("verdict:N", title="run is", scale=scale, legend=None)


def _panels(comparison: Comparison, rows: Sequence[Compared], made: list[str]) -> AnyChart:
    columns, width, height = (2, 270, 150) if len(rows) <= 6 else (3, 190, 110)
    most = min(width, MOST_ROWS // len(rows))
    values = [value for row in rows for value in row.by_topic.values()]
    domain = [min(0.0, *values), max(0.0, *values)]
    rows = sorted(rows, key=lambda row: (-row.difference, row.run))
    charts = []
    for row in rows:
        star = "*" if row.significant else ""
        p = "" if row.first is None or row.first.outcome.undefined else f", {wording.p_value(row.first.adjusted)}{star}"
        words = f"{signed(row.difference)}{p}; {row.higher}/{row.equal}/{row.lower}"
        above = alt.TitleParams(
            text=plain(row.run), subtitle=words, fontSize=12, subtitleFontSize=11, limit=width, offset=4
        )
        charts.append(_bars(row, width, height, most=most, domain=domain, titled=False).properties(title=above))
    measure, topics = rows[0].measure, {len(row.topics) for row in rows}
    of = count(max(topics), "topic") if len(topics) == 1 else f"{min(topics)} to {max(topics)} topics"
    whole = columns * width + 60
    notes = [
        f"topics sorted by difference; above each panel: mean difference (grey: its interval), p "
        f"{_correction(comparison)} (* below {comparison.significance.alpha:g}), topics higher/equal/lower",
        *direction_notes(measure),
        *made,
    ]
    title = f"{measure} by topic: {len(rows)} runs minus {comparison.baseline}, {of}"
    return on(alt.concat(*charts, columns=columns).properties(title=caption(title, notes, width=whole)), "light")


def _correction(comparison: Comparison) -> str:
    correction, number = comparison.significance.correction, comparison.comparisons
    return f"({count(number, 'comparison')}, " + (
        "not corrected)" if correction == "none" else f"{correction} correction)"
    )
