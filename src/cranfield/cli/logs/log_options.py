"""What every command about a log is told: which log, and which part of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from cranfield.cli.completion import FILE
from cranfield.logs.log import Log, Part

_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def a_day(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """The value, if it is a day such as 2026-03-01, or nothing."""
    if value is not None and not _DAY.fullmatch(value):
        raise click.BadParameter(f"{value!r} is no day; expected one such as 2026-03-01")
    return value


def log_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The argument LOG and the options that choose a part of it; the command gets a `log` that is open."""

    @wraps(command)
    def opened(
        log: str, since: str | None, until: str | None, application: str | None, bots: bool, **options: Any
    ) -> Any:
        return command(log=Log(log, Part(since, until, application, bots)), **options)

    for option in (
        click.option("--bots", is_flag=True, help="With users that searched faster than people do."),
        click.option("--application", metavar="NAME", help="Only what this application logged."),
        click.option("--until", callback=a_day, metavar="DAY", help="The last day that counts, as 2026-03-31."),
        click.option("--since", callback=a_day, metavar="DAY", help="The first day that counts, as 2026-03-01."),
        click.argument("log", metavar="LOG", type=FILE),
    ):
        opened = option(opened)
    return opened
