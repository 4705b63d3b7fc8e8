"""What every command about a log is told: which log, which part of it, and what reads it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from cranfield.cli.completion import FILE
from cranfield.cli.engine_options import EngineOptions, engine_options
from cranfield.errors import UsageError
from cranfield.logs import tables
from cranfield.logs.duck_engine import DuckEngine
from cranfield.logs.engine import Engine
from cranfield.logs.log import Log, Part


def a_day(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """The value, if it is a day such as 2026-03-01, or nothing."""
    try:
        return None if value is None else tables.a_day(value)
    except UsageError as error:
        raise click.BadParameter(str(error)) from None


def log_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The argument LOG, the options that choose a part of it, and those that say where it is read; the command gets a
    `log` that is open."""

    @wraps(command)
    def opened(
        log: str,
        since: str | None,
        until: str | None,
        application: str | None,
        bots: bool,
        engine: EngineOptions,
        **options: Any,
    ) -> Any:
        part = Part(since, until, application, bots)
        return command(log=Log(log, part, engine=log_engine(engine)), **options)

    told = engine_options(DuckEngine.name)(opened)
    for option in (
        click.option("--bots", is_flag=True, help="With users that searched faster than people do."),
        click.option(
            "--application", metavar="NAME", help="Only what this application logged; a wrong name lists all."
        ),
        click.option("--until", callback=a_day, metavar="DAY", help="The last day that counts, as 2026-03-31."),
        click.option("--since", callback=a_day, metavar="DAY", help="The first day that counts, as 2026-03-01."),
        click.argument("log", metavar="LOG", type=FILE),
    ):
        told = option(told)
    return told


def log_engine(chosen: EngineOptions) -> Engine:
    """What reads a log: DuckDB here, or Spark on a cluster."""
    if not chosen.on_spark:
        return DuckEngine()
    from cranfield.logs.spark_engine import SparkEngine

    return SparkEngine(chosen.cluster)
