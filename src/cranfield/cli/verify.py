"""`cranfield verify`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

import click

from cranfield.cli.completion import FILE
from cranfield.cli.options import formats_option
from cranfield.cli.progress import showing_progress
from cranfield.cli.tables import in_bold, render, wrapped, write_lines
from cranfield.evaluation.provenance.verification import TOLERANCE, Difference, InputCheck, Verification
from cranfield.evaluation.provenance.verify import verify

DOES_NOT_HOLD = 3
MOST_SHOWN = 20
"""A table shows no more differences than that."""


@click.command(
    "verify",
    context_settings={"max_content_width": 100},
    epilog="Example: cranfield verify result.json qrels.txt bm25.run",
)
@click.argument("result", type=FILE)
@click.argument("qrels", required=False, type=FILE)
@click.argument("runs", nargs=-1, metavar="[RUN]...", type=FILE)
@click.option("--intents", metavar="FILE", type=FILE, help="The intents, if the result was made with --intents.")
@click.option("--costs", metavar="FILE", type=FILE, help="The costs, if the result was made with --costs.")
@click.option("-Z", "reference", metavar="FILE", type=FILE, help="The reference, if the result was made with -Z.")
@click.option(
    "--tolerance",
    type=float,
    default=TOLERANCE,
    show_default=True,
    help="How far a value may be off; of values above 1, as a share of the value.",
)
@click.option("--values-only", is_flag=True, help="Inputs may have changed, as long as all values come out the same.")
@formats_option
def command(
    result: str,
    qrels: str | None,
    runs: tuple[str, ...],
    intents: str | None,
    costs: str | None,
    reference: str | None,
    tolerance: float,
    values_only: bool,
    layout: str | None,
) -> int:
    """Say whether a result still holds.

    RESULT is what `cranfield evaluate --format json` wrote. Its values are made again from QRELS and RUN, with the
    measures, the settings and the profile it names. It holds if all values come out the same and the files are those it
    was made from, by their SHA-256; what they are called does not matter. Files that are not given are looked for under
    the names they had. The exit code is 3 where it does not hold.
    """
    layout = layout or ("table" if sys.stdout.isatty() else "tsv")
    with showing_progress():
        found = verify(
            result,
            qrels,
            list(runs) or None,
            intents=intents,
            costs=costs,
            reference=reference,
            tolerance=tolerance,
            values_only=values_only,
        )
    if layout == "json":
        click.echo(json.dumps(found.to_dict(), indent=2, ensure_ascii=True))
    elif layout == "tsv":
        for note in found.notes:
            click.echo(f"cranfield: {note}", err=True)
        click.echo(f"cranfield: {found.sentence}", err=True)
        write_lines(_tsv(found))
    else:
        write_lines(_tables(found))
    return 0 if found.holds else DOES_NOT_HOLD


def _tsv(found: Verification) -> Iterator[str]:
    """A line for each input and for each value that differs."""
    yield "check\trun\tquery\twhat\trecorded\tnow\tstatus"
    for check in found.inputs:
        source = check.recorded
        cells = ("input", source.run or "", "", source.role, source.sha256 or "", check.now.sha256 or "", check.status)
        yield "\t".join(cells)
    for what, version in found.versions.items():
        was = found.made_with.get(what)
        status = "unknown" if was is None else "same" if was == version else "changed"
        yield "\t".join(("version", "", "", what, was or "", version, status))
    for one in found.differences:
        yield "\t".join(("value", one.run, one.where, one.what, _cell(one.recorded), _cell(one.recomputed), "differs"))


def _tables(found: Verification) -> Iterator[str]:
    """The verdict, the inputs, the values that differ."""
    yield from map(in_bold, wrapped(found.sentence))
    if found.inputs:
        yield ""
        yield render(["input", "file", "sha256", ""], [row for check in found.inputs for row in _rows(check)], left=4)
    if found.differences:
        yield ""
        yield _differences(found.differences)
    if found.time:
        yield ""
        yield f"made {found.time}"
    for note in found.notes:
        yield from wrapped(note)


def _differences(differences: tuple[Difference, ...]) -> str:
    rows = [
        [one.run, one.where, one.what, _cell(one.recorded), _cell(one.recomputed), _off(one)]
        for one in differences[:MOST_SHOWN]
    ]
    table = render(["run", "topic", "value", "recorded", "now", "off by"], rows, left=3)
    more = len(differences) - MOST_SHOWN
    return table if more <= 0 else f"{table}\n... and {more} more; --format json has them all"


def _rows(check: InputCheck) -> Iterator[list[str]]:
    """What became of an input and, where that is not the same, what it was before."""
    unknown = "not comparable" if check.recorded.sha256 else "no hash was recorded"
    status = unknown if check.status == "unknown" else check.status
    yield [check.label, check.now.name, _hash(check.now.sha256), status]
    if check.status == "changed" or check.recorded.name != check.now.name:
        yield ["  was", check.recorded.name, _hash(check.recorded.sha256), ""]


def _hash(sha256: str | None) -> str:
    """As much of a hash as is needed to tell two apart."""
    return "-" if sha256 is None else sha256[:12]


def _off(one: Difference) -> str:
    return "-" if one.off is None else f"{one.off:+.3g}"


def _cell(value: Any) -> str:
    if isinstance(value, list):
        return f"{len(value)} topics"
    return "-" if value is None else repr(value) if isinstance(value, float) else str(value)
