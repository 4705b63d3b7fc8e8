"""How the explanation of one value is laid out."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import groupby

from cranfield.evaluation.explaining.explanation import Explanation, Relevant
from cranfield.evaluation.explaining.explanation_steps import step_texts
from cranfield.evaluation.explaining.layout_parts import (
    Block,
    Grid,
    Line,
    change_text,
    fixed,
    grade_text,
    in_column,
    opening,
    value_text,
)

FIRST_RANKS = 10
MOST_BELOW = 40
_NAMED = 10


def layout_of_one(e: Explanation, digits: int, rows: int | str | None) -> Iterator[Block]:
    """The parts of an explanation from top to bottom."""
    of = f" of {e.query} in {e.run}" if e.query else ""
    yield from opening(e, f"{e.measure}{of}: {value_text(e, digits)}")
    if e.change is not None:
        yield Line(change_text(e, digits))
    if e.rows:
        yield _table(e, digits, rows)
    if e.ideal:
        yield _ideal(e, digits, rows)
    if e.relevant is not None:
        yield Line(_relevant(e.relevant), "step")
    for text in step_texts(e, digits):
        yield Line(text, "step")
    for text in _legend(e, digits, rows):
        yield Line(text, "legend")
    for note in e.notes:
        yield Line(note, "note")


def _table(e: Explanation, digits: int, rows: int | str | None) -> Grid:
    chosen = shown_documents(e, digits, rows)
    values = {column: [row.cells.get(column, "") for row in e.rows] for column in e.columns}
    show = {column: in_column(cells, digits) for column, cells in values.items()}
    last = {"sum": ["share"], "rank": ["adds", "without it"], "": []}[e.shares]

    def ends(share: float | None, without: float | None = None) -> list[str]:
        added = "" if not share else fixed(share, digits)
        return [added, "" if without in (None, e.value) else fixed(without, digits)][: len(last)]

    width = max(len("rank"), *(len(str(row.rank or "-")) + row.tied for row in e.rows))
    body: list[list[str]] = []
    for left_out, group in groupby(e.rows, lambda row: row.document not in chosen):
        several = list(group)
        if left_out:
            more = f"({len(several)} more)"
            share = math.fsum(row.share or 0.0 for row in several) + (e.others if several[-1] is e.rows[-1] else 0.0)
            body.append(["…".rjust(width), more, "", *[""] * len(e.columns), *ends(share)])
            continue
        for row in several:
            rank = f"{row.rank or '-'}{'=' if row.tied else ''}".rjust(width)
            cells = [show[column](row.cells[column]) if column in row.cells else "" for column in e.columns]
            body.append([rank, row.document, grade_text(row.grade), *cells, *ends(row.share, row.without)])
    if e.shares:
        blank = [""] * (1 + len(e.columns))
        if e.rest:
            body.append(["", "rest", *blank, *ends(e.rest)])
        body.append(["", "all", *blank, value_text(e, digits), *[""] * (len(last) - 1)])
    return Grid("", ["rank", "document", e.grades, *e.columns, *last], body, left=2)


def shown_documents(e: Explanation, digits: int, wanted: int | str | None) -> set[str]:
    """The documents that are shown: the first so many, or the first ten and those below that count most.

    A share that would look like 0 does not count, unless the value does too.
    """
    rows = e.rows
    if wanted is not None:
        return {row.document for row in (rows if wanted == "all" else rows[: int(wanted)])}
    least = 0.5 * 10.0**-digits
    if isinstance(e.value, str) or abs(e.value) < least:
        least = 0.0
    counting = [row for row in rows[FIRST_RANKS:] if row.share and abs(row.share) >= least]
    most = sorted(counting, key=lambda row: -abs(row.share or 0.0))[:MOST_BELOW]
    return {row.document for row in (*rows[:FIRST_RANKS], *most)}


def _ideal(e: Explanation, digits: int, rows: int | str | None) -> Grid:
    depth = max(map(len, e.ideal.values()))
    shown = depth if rows == "all" else min(depth, FIRST_RANKS if rows is None else int(rows))
    show = {column: in_column(values, digits) for column, values in e.ideal.items()}
    rank_of = {row.document: row.rank for row in e.rows}
    named = ["document", "in the list at"] if e.ideal_documents else []
    body = []
    for rank in range(shown):
        document = e.ideal_documents[rank] if e.ideal_documents else ""
        cells = [show[column](values[rank]) if rank < len(values) else "" for column, values in e.ideal.items()]
        body.append([str(rank + 1), *[document, str(rank_of.get(document) or "-")][: len(named)], *cells])
    if shown < depth:
        body.append([f"({depth - shown} more)", *[""] * (len(named) + len(e.ideal))])
    return Grid("The ideal list:", ["rank", *named, *e.ideal], body, left=1 + bool(named))


def _relevant(relevant: Relevant) -> str:
    """How many documents there were to find, how many were, and which were missed."""
    number, missed = relevant.number, relevant.missed
    several = "document" if number == 1 else "documents"
    what = f"R = {number} relevant {several}" if relevant.what == "R" else f"{number} {several} with a gain"
    if not number:
        return what
    if not missed:
        return f"{what}, {'all of them' if number > 1 else 'it is'} in the list"
    more = f", ... ({len(missed) - _NAMED} more)" if len(missed) > _NAMED else ""
    found = f"{relevant.found or 'none'} of them" if number > 1 else "not"
    return f"{what}, {found} in the list; missed: {', '.join(missed[:_NAMED])}{more}"


def _legend(e: Explanation, digits: int, rows: int | str | None) -> Iterator[str]:
    if e.shares == "rank":
        yield (
            "adds: the value of the list down to the document minus that of the list above it; without it: what the "
            "value would be without the document, where that differs"
        )
    if e.shares and e.rest:
        yield "rest: the value of a list in which no document counts"
    chosen = shown_documents(e, digits, rows)
    gains = e.ideal.get("gain", ())
    if e.ideal_documents and e.grades == "grade" and len(set(gains)) < len(gains):
        yield "the ideal list: documents of the same gain may stand in any order"
    if e.grades == "relevant to":
        yield "relevant to: the subtopics that the document is relevant to, each with its grade (subtopic:grade)"
    if any(row.grade is None and row.document in chosen for row in e.rows):
        yield "-: not judged"
