"""Options that say how documents and topics are read, where their content does not."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import click

from cranfield.formats.collections.reading import Ways
from cranfield.formats.documents import FORMATS as DOCUMENT_FORMATS
from cranfield.formats.documents import IDS
from cranfield.formats.topics import FORMATS as TOPIC_FORMATS

_OPTIONS = {
    "documents_format": click.option(
        "--documents-format",
        type=click.Choice(list(DOCUMENT_FORMATS)),
        help="The format of the documents, if the guess is wrong.",
    ),
    "topics_format": click.option(
        "--topics-format",
        type=click.Choice(list(TOPIC_FORMATS)),
        help="The format of the topics, if the guess is wrong.",
    ),
    "encoding": click.option(
        "--encoding", metavar="NAME", help="The encoding of documents and topics.  [default: utf-8]"
    ),
    "ids": click.option(
        "--ids",
        type=click.Choice(IDS),
        default=IDS[0],
        show_default=True,
        help="What documents are called that are files of their own: the name without its ending, or the path.",
    ),
}


def reading_options(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A command with those of the options that have these names; it gets what they said in one argument, `ways`."""

    def with_options(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def called(**given: Any) -> Any:
            ways: Ways = {name: given.pop(name) for name in names}  # type: ignore[assignment]
            return command(ways=ways, **given)

        for name in reversed(names):
            called = _OPTIONS[name](called)
        return called

    return with_options


encoding_option = _OPTIONS["encoding"]
documents_reading = reading_options("documents_format", "encoding", "ids")
topics_reading = reading_options("topics_format", "encoding")
collection_reading = reading_options("documents_format", "topics_format", "encoding", "ids")
