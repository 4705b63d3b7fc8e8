"""`cranfield convert`."""

from __future__ import annotations

import inspect

import click

from cranfield.cli.completion import FILE, complete_format, format_names
from cranfield.cli.progress import showing_progress
from cranfield.formats.conversion import convert
from cranfield.formats.guessing import KINDS


@click.command("convert", epilog="Example: cranfield convert bm25.run.gz bm25.parquet")
@click.argument("source", type=FILE, metavar="IN")
@click.argument("target", type=FILE, metavar="OUT")
@click.option(
    "--kind",
    type=click.Choice(["auto", *KINDS]),
    default="auto",
    show_default=True,
    help="What the file holds.",
)
@click.option(
    "--input-format", metavar="NAME", shell_complete=complete_format, help="The format of IN, if the guess is wrong."
)
@click.option(
    "--output-format",
    metavar="NAME",
    shell_complete=complete_format,
    help="The format of OUT, if its name does not say.",
)
def command(source: str, target: str, kind: str, input_format: str | None, output_format: str | None) -> None:
    """Convert qrels, runs and preferences between formats.

    The format of IN is recognised by its content; that of OUT follows from its name: .json, .jsonl, .csv, .tsv and
    .parquet, and TREC's for any other; .gz and .zst are packed. - is standard input or output. What the new format
    has no place for is said on standard error.
    """
    with showing_progress():
        done = convert(source, target, kind=kind, input_format=input_format, output_format=output_format)
    if done.lost:
        click.echo(f"cranfield: {target}: {done.output_format} has no place for: {', '.join(done.lost)}", err=True)
    for remark in done.assumed:
        click.echo(f"cranfield: {target}: {remark}", err=True)


command.help = f"{inspect.cleandoc(command.help or '')}\n\nFormats: {', '.join(format_names())}."
