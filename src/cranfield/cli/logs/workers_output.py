"""What the workers of a cluster write, and where they write down what they know in between."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from cranfield.errors import UsageError
from cranfield.logs.log import Log
from cranfield.logs.spark_engine import SparkEngine

FOLDER = ".parquet"
"""How the name of a folder ends that workers write."""


def written_by_workers(log: Log, output: str | None) -> SparkEngine | None:
    """The engine whose workers are to write; None if the result comes here."""
    folder = output is not None and output.endswith(FOLDER)
    return log.engine if folder and isinstance(log.engine, SparkEngine) else None


def scratch_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """--scratch; the command gets `scratch`, and a `log` that is on Spark if it is given."""

    @wraps(command)
    def checked(log: Log, scratch: str | None, **options: Any) -> Any:
        if scratch is not None and not isinstance(log.engine, SparkEngine):
            raise UsageError("--scratch is for Spark: add --engine spark")
        return command(log=log, scratch=scratch, **options)

    return click.option(
        "--scratch",
        metavar="FOLDER",
        help="Of Spark: where workers write down what they know after some steps, and all see it.  [default: beside "
        "the log]",
    )(checked)
