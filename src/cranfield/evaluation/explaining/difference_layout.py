"""How the difference of two runs is laid out."""

from __future__ import annotations

import math
from collections.abc import Iterator

from cranfield.evaluation.explaining.explanation import Changed, ExplainedDifference
from cranfield.evaluation.explaining.explanation_steps import step_texts
from cranfield.evaluation.explaining.layout_parts import Block, Grid, Line, change_text, fixed, grade_text, opening

_MOST_CHANGED = 20


def layout_of_difference(d: ExplainedDifference, digits: int, rows: int | str | None) -> Iterator[Block]:
    """The parts of an explained difference from top to bottom; the runs are A and B, for names may be long."""
    run, against = d.run, d.against
    values = f"{run.run} {fixed(run.value, digits)}, {against.run} {fixed(against.value, digits)}"
    yield from opening(run, f"{d.measure} of {run.query}: {values}, difference {d.difference:+.{digits}f}")
    for one in (run, against):
        if one.change is not None:
            yield Line(f"{one.run}: {change_text(one, digits)}")
    yield Line(f"A = {run.run}, B = {against.run}")
    documents = d.documents
    shown = len(documents) if rows == "all" else _MOST_CHANGED if rows is None else int(rows)
    body = [_changed(one, digits) for one in documents[:shown]]
    if documents[shown:]:
        left = math.fsum(one.difference for one in documents[shown:])
        body.append([f"({len(documents[shown:])} more)", "", f"{left:+.{digits}f}", *[""] * 4])
    if d.rest:
        body.append(["rest", "", f"{d.rest:+.{digits}f}", *[""] * 4])
    sides = [fixed(one.value, digits) for one in (run, against)]
    body.append(["all", "", f"{d.difference:+.{digits}f}", "", "", *sides])
    adds = "share" if run.shares == "sum" else "adds"
    header = ["document", run.grades, "difference", "rank A", "rank B", f"{adds} A", f"{adds} B"]
    yield Grid("", header, body, left=1)
    for side, one in (("A", run), ("B", against)):
        for text in list(step_texts(one, digits))[-1:]:
            yield Line(f"{side}: {text}", "step")
    if "rank" in (run.shares, against.shares):
        yield Line("adds: the value of the list down to the document minus that of the list above it", "legend")
    if d.rest:
        yield Line("rest: what no single document makes different", "legend")
    for side, one in (("A", run), ("B", against)):
        for note in one.notes:
            yield Line(f"{side}: {note}", "note")


def _changed(one: Changed, digits: int) -> list[str]:
    ranks = [str(rank) if rank else "-" for rank in (one.rank, one.against_rank)]
    shares = [fixed(share, digits) if share else "" for share in (one.share, one.against_share)]
    return [one.document, grade_text(one.grade), f"{one.difference:+.{digits}f}", *ranks, *shares]
