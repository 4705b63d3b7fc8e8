"""Write docs/cli.md from the help of every command. `--check` only says whether it is up to date."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from cranfield.cli.main import COMMANDS, cli

PAGE = Path(__file__).parent.parent / "docs" / "cli.md"


def page() -> str:
    """The text of the page."""
    parts = ["# Commands\n\nMade from the commands' own help by `python tools/cli_reference.py`.\n"]
    root = click.Context(cli, info_name="cranfield", **{**cli.context_settings, "terminal_width": 100})
    parts.append(_section("cranfield", cli.get_help(root)))
    for name in COMMANDS:
        command = cli.get_command(root, name)
        assert command is not None
        parts.extend(_sections(command, name, root))
    return "\n".join(parts)


def _sections(command: click.Command, name: str, parent: click.Context) -> Iterator[str]:
    """The command, and those below it."""
    context = click.Context(command, info_name=name, parent=parent, terminal_width=100)
    yield _section(context.command_path, command.get_help(context))
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            one = command.get_command(context, below)
            assert one is not None
            yield from _sections(one, below, context)


def _section(title: str, text: str) -> str:
    return f"## {title}\n\n```\n{text}\n```\n"


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(0 if PAGE.read_text() == page() else f"{PAGE.name} is out of date: python tools/cli_reference.py")
    PAGE.write_text(page())
