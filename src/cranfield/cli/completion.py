"""`cranfield completion`, and what arguments and options of other commands complete to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

SHELLS = ("bash", "zsh", "fish")

FILE = click.Path(allow_dash=True, readable=False)
"""A file for shells to complete. Whether it is there and can be read is said by who opens it."""


class KindName(click.types.StringParamType):
    """The name of one of several kinds; which there are is said where it is missing."""

    def __init__(self, kinds: Mapping[str, Any]) -> None:
        self._kinds = kinds

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        return f"There are: {', '.join(self._kinds)}"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        kinds = self._kinds.items()
        return [CompletionItem(name, help=kind.meaning) for name, kind in kinds if name.startswith(incomplete)]


def complete_measure(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names of measures and of sets of them that begin like this; if none does, those that do but for case."""
    from click.shell_completion import CompletionItem

    from cranfield.measures import REGISTRY
    from cranfield.measures.grammar import known_names

    aliases = [alias for definition in REGISTRY.values() for alias in definition.aliases]
    names = list(dict.fromkeys([*REGISTRY, *known_names(), *aliases]))
    # Shells put what all answers begin with in place of what was typed, so answers of both cases are of no use.
    found = [name for name in names if name.startswith(incomplete)]
    for candidates in (REGISTRY, names):
        found = found or [name for name in candidates if name.lower().startswith(incomplete.lower())]
    return [CompletionItem(name, help=REGISTRY[name].meaning if name in REGISTRY else None) for name in found]


def complete_format(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names of formats that begin like this."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(name) for name in format_names() if name.startswith(incomplete)]


def complete_engine(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Engines that begin like this; for others, files."""
    from click.shell_completion import CompletionItem

    from cranfield.engines import ENGINES

    found = [name for name in ENGINES if name.startswith(incomplete)]
    return [CompletionItem(name, help=ENGINES[name][2]) for name in found] or [CompletionItem(incomplete, type="file")]


def complete_fusion_method(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Ways to fuse runs that begin like this."""
    from click.shell_completion import CompletionItem

    from cranfield.engines.fusion import METHODS

    found = [name for name in METHODS if name.lower().startswith(incomplete.lower())]
    return [CompletionItem(name, help=METHODS[name].meaning) for name in found]


def format_names() -> list[str]:
    """The name of every format, whatever it holds."""
    from cranfield.formats import FORMATS

    return list(dict.fromkeys(name for formats in FORMATS.values() for name in formats))


@click.command("completion", epilog="Example: cranfield completion bash >> ~/.bashrc")
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def command(context: click.Context, shell: str) -> None:
    """Print the script that completes commands, options, measures and files in your shell.

    bash: add it to ~/.bashrc. zsh: add it to ~/.zshrc. fish: write it to ~/.config/fish/completions/cranfield.fish.
    """
    from click.shell_completion import get_completion_class

    chosen = get_completion_class(shell)
    assert chosen is not None, "click knows these shells"
    root = context.find_root()
    click.echo(chosen(root.command, {}, "cranfield", "_CRANFIELD_COMPLETE").source())
