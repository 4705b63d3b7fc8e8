"""`cranfield pool cost`."""

from __future__ import annotations

from contextlib import suppress

import click

from cranfield.cli.completion import FILE, complete_measure
from cranfield.cli.named_runs import run_files
from cranfield.cli.options import formats_option, level_option, qrels_format_option, run_format_option
from cranfield.cli.pool.missing_options import confidence_option
from cranfield.cli.progress import showing_progress
from cranfield.cli.sections import Section, show_sections, table_option
from cranfield.cli.workspace_options import nearer
from cranfield.errors import DataError, UsageError
from cranfield.experiments import materials
from cranfield.experiments.finding import find_workspace
from cranfield.pooling.missing.cost import DEPTHS, Cost, JudgingCost, Rate, Width, judging_cost


@click.command(
    "cost",
    context_settings={"max_content_width": 120},
    epilog="Example: cranfield pool cost *.run -k 10,50,100 --documents 528155 --per-hour 60 --wage 25",
)
@click.argument("runs", nargs=-1, metavar="[RUN]...", type=FILE)
@click.option("-k", "depths", default=",".join(map(str, DEPTHS)), show_default=True, help="Depths, with commas.")
@click.option(
    "--qrels",
    metavar="FILE",
    type=FILE,
    help="What is judged already; with --width, a pilot.  [default: in a workspace, its own]",
)
@click.option(
    "--documents",
    type=click.IntRange(1),
    metavar="N",
    help="How many the collection has: count judging all of them.  [default: in a workspace, those of its collection]",
)
@click.option("--per-hour", type=float, metavar="N", help="How many documents an assessor judges in an hour.")
@click.option("--wage", type=float, metavar="M", help="What an hour costs.")
@click.option("--assessors", type=click.IntRange(1), default=1, show_default=True, help="How many judge each document.")
@click.option("--width", type=float, metavar="W", help="How wide an interval may be, from end to end.")
@click.option(
    "--of",
    type=click.Choice(["difference", "mean"]),
    default="difference",
    show_default=True,
    help="The interval of what: a difference between two runs, or the mean of one.",
)
@click.option("--sd", type=float, metavar="S", help="Standard deviation over topics; or from --qrels and the runs.")
@click.option(
    "-m",
    "measures",
    multiple=True,
    metavar="MEASURE",
    shell_complete=complete_measure,
    help="With --width: by which measure; may be repeated.  [default: nDCG@10, AP]",
)
@level_option
@confidence_option
@table_option(("depths", "widths"), "depths; with --width widths")
@formats_option
@qrels_format_option
@run_format_option
def command(
    runs: tuple[str, ...],
    depths: str,
    qrels: str | None,
    documents: int | None,
    per_hour: float | None,
    wage: float | None,
    assessors: int,
    width: float | None,
    of: str,
    sd: float | None,
    measures: tuple[str, ...],
    level: float,
    confidence: float,
    wanted: str | None,
    layout: str | None,
    qrels_format: str | None,
    input_format: str | None,
) -> None:
    """Say how many judgments a depth, or a narrow interval, would take.

    For each depth the documents that are to be judged, each once for every topic; those judged already (--qrels) are
    taken off. With --documents, what judging the whole collection would take; with --per-hour and --wage, hours and
    money.

    --width asks for topics: how many an interval takes that is expected to be so wide, and how many judgments these
    topics take at the deepest of the depths. How much scores vary from topic to topic is said by --sd, or taken from
    the runs as a pilot (--qrels). More judgments for the topics one has make a measure truer, but its interval hardly
    narrower.

    In a workspace the runs are those of its systems, unless some are named.
    """
    if measures and width is None:
        raise UsageError("-m is for --width: depths are the same for every measure")
    if sd is not None and width is None:
        raise UsageError("--sd is for --width")
    workspace = find_workspace()
    if workspace is None and not runs:
        raise click.UsageError("Missing argument 'RUN...'. Only in a workspace can it be left out.")
    if workspace is not None and documents is None:
        documents = materials.documents_content(workspace).count
    if workspace is not None and qrels is None:
        with suppress(DataError):  # before anything is judged there are no judgments
            qrels = nearer(materials.qrels(workspace))
    with showing_progress():
        found = judging_cost(
            run_files(workspace, runs, all_of_them=True),
            depths=_depths(depths),
            qrels=qrels,
            documents=documents,
            rate=Rate(per_hour, wage, assessors),
            width=width,
            of=of,
            measures=measures or ("nDCG@10", "AP"),
            sd=sd,
            level=level,
            confidence=confidence,
            qrels_format=qrels_format,
            run_format=input_format,
        )
    usual = ("widths", "depths") if width is not None else ("depths",)
    show_sections(
        _sections(found),
        layout,
        wanted,
        usual=usual,
        whole=found.to_dict(),
        notes=found.notes,
        digits=1,
    )


def _depths(text: str) -> list[int]:
    try:
        return [int(depth) for depth in text.split(",")]
    except ValueError:
        raise UsageError(f"-k {text}: expected depths with commas between them, such as 10,50,100") from None


def _sections(found: JudgingCost) -> dict[str, Section]:
    rate = found.rate
    left_out = {"hours": rate.per_hour is None, "money": rate.wage is None}
    costs = [name for name in Cost._fields if not left_out.get(name)]
    rows = [*found.depths, *([found.exhaustive] if found.exhaustive else [])]
    told = any(one.measure for one in found.widths)
    failed = any(one.why_not for one in found.widths)
    widths = [
        name
        for name in Width._fields
        if not left_out.get(name) and (name != "measure" or told) and (name != "why_not" or failed)
    ]
    return {
        "depths": Section(costs, [[getattr(one, name) for name in costs] for one in rows]),
        "widths": Section(
            widths,
            [[getattr(one, name) for name in widths] for one in found.widths],
            left=1 + told,
            digits={"wanted": 3, "sd": 3},
        ),
    }
