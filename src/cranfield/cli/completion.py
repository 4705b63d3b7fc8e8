"""`cranfield completion`."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

SHELLS = ("bash", "zsh", "fish")


@click.command("completion", epilog="Example: cranfield completion bash >> ~/.bashrc")
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def command(context: click.Context, shell: str) -> None:
    """Print the script that completes commands and options in your shell.

    bash: add it to ~/.bashrc. zsh: add it to ~/.zshrc. fish: write it to ~/.config/fish/completions/cranfield.fish.
    """
    chosen = get_completion_class(shell)
    assert chosen is not None, "click knows these shells"
    root = context.find_root()
    click.echo(chosen(root.command, {}, "cranfield", "_CRANFIELD_COMPLETE").source())
