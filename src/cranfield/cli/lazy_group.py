"""A group of commands that are imported when they are asked for."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import click

from cranfield.errors import did_you_mean

Commands = Mapping[str, tuple[str, str]]
"""Name, module (which has a click command `command`), and one line for the overview."""


class LazyGroup(click.Group):
    """A group whose commands are in modules of their own."""

    def __init__(self, *args: Any, commands_of: Commands, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._modules = commands_of

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._modules:
            return None
        command: click.Command = importlib.import_module(self._modules[cmd_name][0]).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in self._modules and not name.startswith("-") and not ctx.resilient_parsing:
            hint = did_you_mean(name, self._modules)
            if name == "help":
                wanted = [word for word in args[1:2] if word in self._modules]
                hint = f". Write '{' '.join([ctx.command_path, *wanted, '--help'])}'."
            ctx.fail(f"No such command {name!r}{hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in self._modules.items()])
