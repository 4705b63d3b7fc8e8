"""The options that say how the sources of a log are put together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any

import click

from cranfield.logs.settling import Rules


def rules_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command gets `rules`, which makes of the rules of a log those that are wanted."""

    @wraps(command)
    def chosen(
        gap_minutes: float | None,
        bot_queries: int | None,
        click_actions: tuple[str, ...],
        anonymity: int | None,
        **options: Any,
    ) -> Any:
        said = {
            "gap_minutes": gap_minutes,
            "bot_queries": bot_queries,
            "click_actions": click_actions or None,
            "anonymity": anonymity,
        }
        given = {name: value for name, value in said.items() if value is not None}
        return command(rules=lambda rules: replace(rules, **given), **options)

    usual = Rules()
    for option in (
        click.option(
            "--anonymity",
            type=int,
            metavar="K",
            help="Remove queries that fewer than K users put, for good.  [default: as before, or none]",
        ),
        click.option(
            "--click-action",
            "click_actions",
            multiple=True,
            metavar="NAME",
            help="What is a click on a result; may be repeated.  [default: as before, or "
            f"{', '.join(usual.click_actions)}]",
        ),
        click.option(
            "--bot-queries",
            type=int,
            metavar="N",
            help=f"Who puts more queries within 60 seconds is a bot.  [default: as before, or {usual.bot_queries}]",
        ),
        click.option(
            "--gap",
            "gap_minutes",
            type=float,
            metavar="MINUTES",
            help=f"How much silence ends a session.  [default: as before, or {usual.gap_minutes:g}]",
        ),
    ):
        chosen = option(chosen)
    return chosen
