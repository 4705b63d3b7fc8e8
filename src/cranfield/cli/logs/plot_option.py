"""`--plot FILE` of commands about a log: the name is looked at before any work, the drawing made after it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from cranfield.cli.completion import FILE

if TYPE_CHECKING:
    from cranfield.report.drawing import AnyChart

Command = TypeVar("Command", bound=Callable[..., Any])


def plot_option(what: str, more: tuple[str, ...] = ()) -> Callable[[Command], Command]:
    """Draw this; endings that the command writes itself are in `more`."""

    def known(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
        if value is not None:
            from cranfield.report.export import format_of

            format_of(value, more)
        return value

    endings = ", ".join(("html", "svg", "png", "pdf", *more))
    return click.option(
        "--plot", metavar="FILE", type=FILE, callback=known, help=f"Draw {what}: {endings} or json, by its ending."
    )


def write_plot(chart: AnyChart, file: str) -> None:
    from cranfield.report.export import write_chart

    write_chart(chart, file)
