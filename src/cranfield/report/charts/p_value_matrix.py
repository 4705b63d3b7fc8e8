"""Every run against every other: who is better, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from cranfield.errors import UsageError
from cranfield.evaluation.compared import Compared
from cranfield.evaluation.comparison import Comparison
from cranfield.measures import Measure, parse_one
from cranfield.report.axes import label_angle, turned, where_figures_fit
from cranfield.report.captions import caption, count, settings_notes
from cranfield.report.drawing import AnyChart, alt, layered, plain, table
from cranfield.report.findings import direction_notes
from cranfield.report.systems import Systems
from cranfield.report.theme import colour, if_narrow, on
from cranfield.stats import wording

MOST_RUNS = 70
"""With more runs than that, only the best are drawn: a cell for each pair would be too small, and too many."""
MOST_IN_FIGURES = 16
"""Up to so many runs, cells have room for p."""
LEVELS = (0.001, 0.01, 0.05)
NOT_SURE = "not significant"
NOT_TESTED = "not tested"


def matrix(comparison: Comparison, measure: str | Measure | None = None) -> AnyChart:
    """The p-values of all pairs of runs, the best run first; the comparison is one of all pairs.

    A cell says whether the run of its row is better or worse than the run of its column, and how small p is after the
    correction for all comparisons. The measure is the first of the comparison, unless it is named.
    """
    wanted = comparison.measures[0] if measure is None else parse_one(measure)
    rows = [row for row in comparison.rows if row.measure == wanted]
    if not rows:
        raise UsageError(f"{wanted} was not compared; there are values of {', '.join(map(str, comparison.measures))}")
    if not comparison.all_pairs and len(comparison.evaluation) > 2:
        raise UsageError("a matrix of p-values needs all pairs: compare with all_pairs=True")
    means = {name: run.mean[str(wanted)] for name, run in comparison.evaluation.items()}
    names = Systems.of(means, more_is_better=wanted.more_is_better).names
    shown = names[:MOST_RUNS]
    pairs = {(row.run, row.baseline): row for row in rows}
    levels = _levels(comparison.significance.alpha)
    cells = [_cell(one, other, pairs, levels, means) for one in shown for other in shown if one != other]
    chart = _drawn(cells, shown, levels)
    first = next(iter(comparison.evaluation.values()))
    topics = {len(row.topics) for row in rows}
    of = count(max(topics), "topic") if len(topics) == 1 else f"{min(topics)} to {max(topics)} topics"
    title = f"{wanted}: each of {len(names)} runs against the others, {of}"
    notes = [
        *_test_notes(comparison, rows),
        f"runs from best to worst by mean {wanted}",
        *([f"the best {len(shown)} of {len(names)} runs are drawn"] if len(shown) < len(names) else []),
        *direction_notes(wanted),
        *settings_notes(first.profile, first.settings),
    ]
    width = _steps(len(shown))[0] * len(shown)
    return on(chart.properties(title=caption(title, notes, width=max(width + 160, 420))), "light")


def _test_notes(comparison: Comparison, rows: Sequence[Compared]) -> list[str]:
    """Which test, what correction, and why pairs have no p."""
    tested = [row.first.outcome for row in rows if row.first]
    if not tested:
        return [f"not tested: {rows[0].not_tested}"]
    correction = comparison.significance.correction
    number = count(comparison.comparisons, "comparison")
    words = f"not corrected, {number}" if correction == "none" else f"{correction} correction for {number}"
    reasons = dict.fromkeys(outcome.undefined for outcome in tested if outcome.undefined)
    return [f"{tested[0].test}, {words}", *(f"some not tested: {reason}" for reason in reasons)]


def _levels(alpha: float) -> tuple[float, ...]:
    """The levels of p that cells tell apart; the last is that of significance."""
    return (*(level for level in LEVELS if level < alpha), alpha)


def _words(levels: Sequence[float]) -> list[str]:
    better = [f"better, p < {_level(level)}" for level in levels]
    worse = [f"worse, p < {_level(level)}" for level in reversed(levels)]
    return [*better, NOT_SURE, *worse, NOT_TESTED]


def _level(level: float) -> str:
    return f"{level:g}".replace("0.", ".", 1)


def _cell(
    one: str,
    other: str,
    pairs: Mapping[tuple[str, str], Compared],
    levels: Sequence[float],
    means: Mapping[str, float],
) -> dict[str, Any]:
    """What is found about the run of a row beside that of a column."""
    forward = (one, other) in pairs
    row = pairs[one, other] if forward else pairs[other, one]
    difference = row.difference if forward else -row.difference
    found = row.first
    p = found.adjusted if found else math.nan
    cell = {
        "row": one,
        "column": other,
        "difference": difference,
        "mean": means[one],
        "p": None if math.isnan(p) else p,
    }
    if math.isnan(p):
        why = (found.outcome.undefined if found else row.not_tested) or ""
        return cell | {"verdict": NOT_TESTED, "text": "–", "said": why}
    level = next((level for level in levels if p < level), None)
    said = wording.p_value(p)
    text = said.removeprefix("p = ").removeprefix("p ")
    if level is None:
        return cell | {"verdict": NOT_SURE, "text": text, "said": said}
    word = "better" if (difference > 0) == (row.measure.more_is_better is not False) else "worse"
    return cell | {"verdict": f"{word}, p < {_level(level)}", "text": text, "said": said}


def _steps(runs: int) -> tuple[float, float]:
    """How wide and how high a cell is: the fewer runs, the larger."""
    if runs > MOST_IN_FIGURES:
        side = max(9.0, 560 / runs)
        return side, side
    return min(96.0, max(38.0, 560 / runs)), min(52.0, max(34.0, 420 / runs))


def _drawn(cells: list[dict[str, Any]], names: Sequence[str], levels: Sequence[float]) -> alt.LayerChart:
    width, height = _steps(len(names))
    words = _words(levels)
    strengths = ["", "_soft", "_faint"][: len(levels)] if len(levels) <= 3 else ["", "", "_soft", "_faint"]
    hues = [
        *(f"better{strength}" for strength in strengths), "even",
        *(f"worse{strength}" for strength in reversed(strengths)), "paper",
    ]  # fmt: skip
    order = [plain(name) for name in names]
    look: dict[str, Any] = {"labelFontSize": min(11, max(8, height - 1)), "ticks": False, "domain": False}
    angle = 0 if label_angle(order, width * len(names)) == 0 else 270
    above = alt.Axis(**look, labelLimit=170, **turned(270, angle, above=True), orient="top")
    beside = alt.Axis(**look, labelLimit=if_narrow(100, 170))
    base = alt.Chart(table(cells)).encode(
        x=alt.X("column:N", title=None, sort=order, axis=above, scale=alt.Scale(domain=order)),
        y=alt.Y("row:N", title=None, sort=order, axis=beside, scale=alt.Scale(domain=order)),
    )
    there = [word for word in words if word != NOT_TESTED or any(cell["verdict"] == word for cell in cells)]
    tiles = base.mark_rect(stroke=colour("paper"), strokeWidth=1 if height > 12 else 0.3).encode(
        color=alt.Color(
            "verdict:N",
            title="row is",
            scale=alt.Scale(domain=there, range=[colour(hue) for hue in hues[: len(there)]]),
            legend=alt.Legend(symbolType="square", symbolSize=120, symbolStrokeWidth=0),
        ),
        tooltip=[
            alt.Tooltip("row:N"),
            alt.Tooltip("column:N"),
            alt.Tooltip("difference:Q", title="row minus column", format="+.4f"),
            alt.Tooltip("said:N", title="corrected p"),
            alt.Tooltip("mean:Q", title="mean of row", format=".4f"),
        ],
    )
    chart = layered(tiles)
    if len(names) <= MOST_IN_FIGURES:
        strong = alt.FieldOneOfPredicate("verdict", [words[0], words[2 * len(levels)]])
        figures = base.mark_text(fontSize=10 if width < 50 else 12, opacity=where_figures_fit()).encode(
            text="text:N", color=alt.condition(strong, alt.value(colour("on_colour")), alt.value(colour("ink")))
        )
        chart = layered(tiles, figures)
    return chart.properties(width=alt.Step(width), height=alt.Step(height))
