"""`cranfield pool bias`."""

from __future__ import annotations

import click

from cranfield.cli.completion import FILE, complete_measure
from cranfield.cli.options import (
    digits_option,
    formats_option,
    level_option,
    qrels_format_option,
    run_format_option,
)
from cranfield.cli.pool.missing_options import groups_option, pool_depth_option
from cranfield.cli.progress import showing_progress
from cranfield.cli.runs_to_evaluate import split_option, to_evaluate
from cranfield.cli.sections import Section, show_sections, table_option
from cranfield.measures import Measure
from cranfield.pooling.missing.bias import DEFAULT_MEASURES, LeftOut, PoolBias, Summary, pool_bias


@click.command(
    "bias",
    context_settings={"max_content_width": 120},
    epilog="Example: cranfield pool bias qrels.txt *.run -k 10 -m nDCG@10 -m AP --groups neural=dense",
)
@click.argument("qrels", required=False, metavar="[QRELS]", type=FILE)
@click.argument("runs", nargs=-1, metavar="[RUN]...", type=FILE)
@click.option(
    "-m",
    "measures",
    multiple=True,
    metavar="MEASURE",
    shell_complete=complete_measure,
    help=f"A measure, in any spelling; may be repeated.  [default: {', '.join(DEFAULT_MEASURES)}, or the workspace's]",
)
@pool_depth_option
@groups_option
@level_option
@click.option("-M", "cutoff", type=click.IntRange(1), help="Measures look at the first M documents of each topic only.")
@table_option(("runs", "summary"), "runs")
@split_option
@formats_option
@qrels_format_option
@run_format_option
@digits_option
def command(
    qrels: str | None,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    depth: int,
    groups: tuple[str, ...],
    level: float,
    cutoff: int | None,
    wanted: str | None,
    split: str | None,
    layout: str | None,
    qrels_format: str | None,
    input_format: str | None,
    digits: int,
) -> None:
    """Say how each run would fare had it not been pooled.

    Leave one run out: the documents that no other run has among its first -k become unjudged, and all runs are
    evaluated anew. How much a run loses, and how many ranks, is what a new system has to fear that is judged by what
    others found (Zobel 1998). With --groups the runs of a group are left out together: runs of one team cover each
    other.

    Judged documents that no run has among its first -k stay judged. tau is Kendall's, between the orders of all runs
    with and without the run's own documents. In a workspace runs and judgments are its own.
    """
    asked = to_evaluate(qrels, runs, measures, split=split)
    chosen = asked.measures or DEFAULT_MEASURES
    with showing_progress():
        found = pool_bias(
            asked.qrels,
            asked.scored(),
            chosen,
            depth=depth,
            groups=groups,
            level=level,
            cutoff=cutoff,
            qrels_format=qrels_format,
            run_format=input_format,
        )
    asked.looked(chosen)
    show_sections(
        _sections(found),
        layout,
        wanted,
        usual=("runs",),
        whole=found.to_dict(),
        notes=[*map(_sentence, found.summaries), *found.notes],
        digits=digits,
    )


def _sections(found: PoolBias) -> dict[str, Section]:
    grouped = found.groups.several
    columns = [name for name in LeftOut._fields if grouped or name != "group"]

    def row(measure: Measure, one: LeftOut) -> list[object]:
        return [str(measure), *(getattr(one, name) for name in columns)]

    rows = [row(measure, one) for measure in found.measures for one in found.rows(measure)]
    return {
        "runs": Section(["measure", *columns], rows, left=3 if grouped else 2),
        "summary": Section(Summary._fields, found.summaries),
    }


def _sentence(one: Summary) -> str:
    moved = (
        f"{one.runs_moved} would change ranks, by {one.most_ranks} at most" if one.runs_moved else "all keep their rank"
    )
    return (
        f"{one.measure}: not pooled, a run would change by {one.mean_change:.4f} on the mean "
        f"({one.mean_percent:.1f} %), at most by {one.largest_change:+.4f} ({one.largest_run}); {moved}."
    )
