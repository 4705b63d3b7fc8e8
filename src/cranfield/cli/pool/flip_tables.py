"""What could flip a comparison, as tables."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator

import click

from cranfield.cli.tables import render, wrapped, write_lines
from cranfield.pooling.flip.result import Flip, OpenDocument, TopicBounds

_LISTED = 10
"""How many documents a table has, if nobody says and there is something left to find out."""


def show(found: Flip, layout: str, *, by_query: bool, most: int | None, digits: int) -> None:
    """On standard output; where that has only numbers, the verdict on standard error."""
    if layout == "json":
        whole = found.to_dict(by_topic=by_query, most=most)
        click.echo(json.dumps(whole, indent=2, ensure_ascii=True, allow_nan=False))
        return
    if layout == "tsv":
        for name, run in found.evaluation.items():
            if run.coverage.incomplete:
                click.echo(f"cranfield: {name}: {run.coverage.sentence()}", err=True)
        for sentence in found.sentences():
            click.echo(f"cranfield: {sentence}", err=True)
        write_lines(_topic_lines(found) if by_query else _document_lines(found, most))
        return
    usual = 0 if found.settled else _LISTED
    write_lines(_tables(found, by_query, usual if most is None else most, digits))


def _document_lines(found: Flip, most: int | None) -> Iterator[str]:
    yield "\t".join(OpenDocument._fields)
    for one in found.documents[:most]:
        yield "\t".join("" if value is None else str(value) for value in one)


def _topic_lines(found: Flip) -> Iterator[str]:
    yield "\t".join(TopicBounds._fields)
    for one in found.by_topic:
        yield "\t".join(map(str, one))


def _tables(found: Flip, by_query: bool, most: int, digits: int) -> Iterator[str]:
    for sentence in found.sentences():
        yield from wrapped(sentence)
    for name, run in found.evaluation.items():
        if run.coverage.incomplete:
            yield from wrapped(f"{name}: {run.coverage.sentence()}")
    if by_query:
        rows = [
            [one.topic, *(_cell(value, digits) for value in one[1:6]), one.how, str(one.unjudged), one.verdict]
            for one in found.by_topic
        ]
        yield ""
        yield render(["topic", *found.names, "difference", "low", "high", "how", "unjudged", found.names[0]], rows)
    listed = found.documents[:most]
    if listed:
        yield ""
        yield render(
            ["topic", "document", *(f"in {name}" for name in found.names), "effect", "chance", "expected"],
            [_document(one, digits) for one in listed],
            left=2,
        )
        left = len(found.documents) - len(listed)
        if left:
            yield f"and {left} more"


def _document(one: OpenDocument, digits: int) -> list[str]:
    ranks = ["-" if rank is None else str(rank) for rank in (one.first_rank, one.second_rank)]
    signed = [f"{value:+z.{digits + 2}f}" for value in (one.effect, one.expected)]
    return [one.topic, one.document, *ranks, signed[0], f"{one.chance:.2f}", signed[1]]


def _cell(value: float, digits: int) -> str:
    return f"{value:z.{digits}f}" if math.isfinite(value) else "-"
