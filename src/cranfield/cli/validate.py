"""`cranfield validate`."""

from __future__ import annotations

import json

import click

from cranfield.cli.completion import FILE, complete_format, format_names
from cranfield.cli.progress import showing_progress
from cranfield.errors import UsageError, did_you_mean
from cranfield.formats import module, read_qrels
from cranfield.formats.guessing import KINDS
from cranfield.formats.validation import unusable, validate
from cranfield.formats.validation.findings import ERROR, Finding, Validation

SCHEMA = "cranfield.validation/1"
FEW = 5
"""How many places the table shows."""


@click.command("validate", epilog="Example: cranfield validate bm25.run dense.run.gz --qrels qrels.txt")
@click.argument("files", nargs=-1, required=True, type=FILE, metavar="FILE...")
@click.option(
    "--qrels", type=FILE, metavar="FILE", help="Also compare topics and documents of runs with these judgments."
)
@click.option(
    "--kind",
    type=click.Choice(["auto", *KINDS]),
    default="auto",
    show_default=True,
    help="What the files hold.",
)
@click.option(
    "--input-format",
    metavar="NAME",
    shell_complete=complete_format,
    help="Their format, if the guess is wrong (trec, jsonl, ...).",
)
@click.option(
    "--format", "layout", type=click.Choice(["table", "json"]), default="table", show_default=True, help="Output."
)
@click.pass_context
def command(
    context: click.Context,
    files: tuple[str, ...],
    qrels: str | None,
    kind: str,
    input_format: str | None,
    layout: str,
) -> None:
    """Say everything that is wrong with qrels, runs or preferences, with line numbers and counts.

    Errors would change a number or stop an evaluation: the exit code is 1, and 2 if no file can be opened. Warnings are
    worth knowing: the exit code is 0.
    """
    judgments = read_qrels(qrels) if qrels else None
    if input_format:
        _check_format(input_format, kind)
    reports = []
    unopened = 0
    for file in files:
        try:
            with showing_progress():
                report = validate(file, kind=kind, format=input_format, qrels=judgments)
        except UsageError as error:
            report = unusable(file, error, kind=kind, format=input_format)
            unopened += 1
        reports.append(report)
        if layout == "table":
            click.echo("\n".join(_lines(report)))
    if layout == "json":
        content = {"schema": SCHEMA, "files": [report.to_dict() for report in reports]}
        click.echo(json.dumps(content, indent=2))
    if unopened == len(files):
        context.exit(2)
    context.exit(1 if any(report.errors for report in reports) else 0)


def _check_format(name: str, kind: str) -> None:
    """Refuse at once what would be wrong for every file."""
    if kind != "auto":
        module(name, kind)
    elif name not in format_names():
        known = format_names()
        raise UsageError(f"unknown format {name!r}{did_you_mean(name, known)} There are: {', '.join(known)}")


def _lines(report: Validation) -> list[str]:
    what = {"run": "document", "qrels": "judgment", "preferences": "judgment"}.get(report.kind, "record")
    size = f"{_count(report.records, what)} for {report.queries} quer{'y' if report.queries == 1 else 'ies'}"
    lines = [f"{report.name}: {report.kind}, {report.format}: {size}" if report.records else f"{report.name}:"]
    for finding in report.findings:
        colour = "red" if finding.severity == ERROR else "yellow"
        label = click.style(f"{finding.severity:7}", fg=colour, bold=True)
        lines.append(f"  {label}  {finding.count:>8}  {finding.title}")
        lines += [f"                     {detail}" for detail in _details(finding, report.unit)]
    if "top_10" in report.facts:
        judged, shown = report.facts["top_10_judged"], report.facts["top_10"]
        share = f"{judged} of {shown} ({judged / shown:.1%})" if shown else "none"
        found, topics = report.facts["topics_found"], report.facts["topics_judged"]
        lines.append(f"  {found} of {topics} judged topics found; judged among the first 10 documents: {share}")
    lines.append(f"  {_count(report.errors, 'error')}, {_count(report.warnings, 'warning')}")
    return lines


def _details(finding: Finding, unit: str) -> list[str]:
    details = [finding.example] if finding.example else []
    if finding.places:
        plural = {"entry": "entries"}.get(unit, unit + "s")
        more = ", ..." if finding.count > len(finding.places[:FEW]) else ""
        places = ", ".join(map(str, finding.places[:FEW]))
        details.append(f"{unit if finding.count == 1 else plural} {places}{more}")
    return details


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'s' * (number != 1)}"
