"""Which topics the queries of a log are, and where those that are made of them go."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from cranfield.cli.completion import FILE
from cranfield.cli.logs.workers_output import FOLDER, written_by_workers
from cranfield.data.topics import Topics
from cranfield.errors import UsageError
from cranfield.logs.spark_topics import SparkTopics
from cranfield.logs.topic_texts import TopicTexts

topics_option = click.option(
    "--topics",
    type=FILE,
    metavar="TOPICS",
    callback=lambda context, parameter, value: None if value is None else _read(value),
    help="Topics whose words were searched for; others are left out.  [default: each query is one: q1, q2, ...]",
)


def new_topics_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """--topics, and --topics-out for those that are made; the command gets `topics` and `topics_out`, of which one is
    there."""

    @wraps(command)
    def checked(output: str, topics: Topics | None, topics_out: str | None, **options: Any) -> Any:
        if topics is not None and topics_out is not None:
            raise UsageError("--topics-out is for topics that are made; with --topics there are some")
        if topics is None and topics_out is None:
            if output == "-":
                raise UsageError("-o -: where are topics to be written? Give --topics-out, or --topics that are there")
            ending = FOLDER if written_by_workers(options["log"], output) else ".tsv"
            topics_out = f"{os.path.splitext(output)[0]}.topics{ending}"
        return command(output=output, topics=topics, topics_out=topics_out, **options)

    where = "Where topics that are made are written.  [default: beside the other file, as NAME.topics.tsv]"
    return topics_option(click.option("--topics-out", type=FILE, metavar="FILE", help=where)(checked))


def topic_notes(
    matched: TopicTexts | SparkTopics, given: bool, path: str | None, *, silent: str = "the log says nothing"
) -> list[str]:
    """What is to be said about topics, and of those that nothing was found for."""
    if not given:
        return [f"{path}: {matched.number:,} topics, the words of each query"]
    notes = []
    if matched.silent:
        notes.append(f"of {matched.silent:,} of {matched.number:,} topics {silent}")
    if matched.strangers:
        notes.append(f"{matched.strangers:,} other queries of the log are none of these topics")
    return notes


def _read(path: str) -> Topics:
    from cranfield.formats.topics import read_topics

    return read_topics(path)
