"""What Python shows of an evaluation: the means in a table, and what is to be said below it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cranfield.evaluation.result import Evaluation

MOST_SIDE_BY_SIDE = 6
"""With more runs than that, a table has them in rows and measures in columns."""


def as_text(evaluation: Evaluation) -> str:
    """Lines for a terminal."""
    rows = _rows(evaluation)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join([row[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True))])
        for row in rows
    ]
    return "\n".join([*lines, *_notes(evaluation)])


def as_html(evaluation: Evaluation) -> str:
    """A table for a notebook."""
    import html

    def line(cells: list[str], tag: str) -> str:
        sides = ["left", *["right"] * (len(cells) - 1)]
        inside = zip(sides, map(html.escape, cells), strict=True)
        return "".join(f'<{tag} style="text-align:{side}">{cell}</{tag}>' for side, cell in inside)

    first, *others = _rows(evaluation)
    head, body = line(first, "th"), "".join(f"<tr>{line(row, 'td')}</tr>" for row in others)
    notes = "<br>".join(map(html.escape, _notes(evaluation)))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table><small>{notes}</small>"


def _rows(evaluation: Evaluation) -> list[list[str]]:
    """The means in cells, under a header: measures down, or runs down if there are many."""
    names = [str(measure) for measure in evaluation.measures if measure.definition.aggregate != "none"]
    if len(evaluation) > MOST_SIDE_BY_SIDE:
        runs = [[name, *(f"{run.mean[m]:.4f}" for m in names)] for name, run in evaluation.items()]
        return [["run", *names], *runs]
    measures = [[m, *(f"{run.mean[m]:.4f}" for run in evaluation.values())] for m in names]
    return [["measure", *evaluation], *measures]


def _notes(evaluation: Evaluation) -> list[str]:
    left_open = [*_residual_notes(evaluation), *_tie_notes(evaluation)]
    said = [*evaluation.coverage_sentences(), *left_open, *evaluation.measure_notes()]
    return [f"{names}: {sentence}" for names, sentence in said]


def _tie_notes(evaluation: Evaluation) -> Iterator[tuple[str, str]]:
    """Between what values means lie over all orders of tied documents."""
    for name, run in evaluation.items():
        means = {measure: spread.mean for measure, spread in run.ties.items() if spread.topics_affected}
        if run.ties:
            open_ = ", ".join(f"{m} {mean['min']:.4f} to {mean['max']:.4f}" for m, mean in means.items())
            yield name, f"over all orders of tied documents: {open_ or 'the same'}"


def _residual_notes(evaluation: Evaluation) -> Iterator[tuple[str, str]]:
    """Between what values means could lie if unjudged documents were judged."""
    for name, run in evaluation.items():
        known = {measure: one for measure, one in run.residuals.items() if one.low is not None}
        if known:
            open_ = ", ".join(f"{m} {one.mean_low:.4f} to {one.mean_high:.4f}" for m, one in known.items())
            unjudged = next(iter(known.values())).unjudged_documents
            yield name, f"if the {unjudged} unjudged documents were judged: {open_}"
