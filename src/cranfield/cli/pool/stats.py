"""`cranfield pool stats`."""

from __future__ import annotations

import os

import click

from cranfield.cli.completion import FILE
from cranfield.cli.options import formats_option, level_option, qrels_format_option, run_format_option
from cranfield.cli.pool.missing_options import pool_depth_option
from cranfield.cli.progress import showing_progress
from cranfield.cli.runs_to_evaluate import split_option, to_evaluate
from cranfield.cli.sections import Section, show_sections, table_option
from cranfield.errors import UsageError
from cranfield.formats.files import open_source
from cranfield.formats.pools import MARK, read_pool
from cranfield.pooling.build_notes import counted, named
from cranfield.pooling.missing.statistics import CUTOFFS, FEW, PoolStatistics, pool_statistics

TABLES = ("runs", "ranks", "topics", "overlap")


@click.command(
    "stats",
    context_settings={"max_content_width": 120},
    epilog="Example: cranfield pool stats qrels.txt *.run -k 10 --ranks 1,5,10,50",
)
@click.argument("files", nargs=-1, metavar="[POOL] [QRELS] [RUN]...", type=FILE)
@pool_depth_option
@click.option(
    "--ranks",
    default=",".join(map(str, CUTOFFS)),
    show_default=True,
    help="Down to which ranks judged shares are shown.",
)
@level_option
@click.option(
    "--few", type=click.IntRange(1), default=FEW, show_default=True, help="Name topics with fewer relevant documents."
)
@table_option(TABLES, "runs")
@split_option
@formats_option
@qrels_format_option
@run_format_option
def command(
    files: tuple[str, ...],
    depth: int,
    ranks: str,
    level: float,
    few: int,
    wanted: str | None,
    split: str | None,
    layout: str | None,
    qrels_format: str | None,
    input_format: str | None,
) -> None:
    """Say how much of each run is judged, and what each run alone brought in.

    \b
    runs     judged@k, the share that is judged of the first k documents; of a pool of depth -k, the documents that only
             this run has (unique), how many of these are judged and relevant; the mean overlap with the other runs
    ranks    all runs, from rank to rank: the share judged, the share relevant of these, and the documents that no run
             has further up (new)
    topics   documents in the pool, judged and relevant
    overlap  of the documents that two runs have among their first, the share that both have

    With the POOL that was judged, only what is in it counts as brought in. In a workspace runs and judgments are its
    own.
    """
    pool = files[0] if files and _is_pool(files[0]) else None
    rest = files[1:] if pool else files
    asked = to_evaluate(rest[0] if rest else None, rest[1:], (), split=split)
    with showing_progress():
        found = pool_statistics(
            asked.qrels,
            asked.scored(),
            pool=None if pool is None else read_pool(pool),
            depth=depth,
            cutoffs=_ranks(ranks),
            level=level,
            few=few,
            qrels_format=qrels_format,
            run_format=input_format,
        )
    asked.looked(["pool stats"])
    show_sections(
        _sections(found),
        layout,
        wanted,
        usual=TABLES[:2],
        whole=found.to_dict(),
        said=[_sentence(found)],
        notes=[*_few(found), *found.notes],
        digits=3,
    )


def _is_pool(path: str) -> bool:
    if not os.path.isfile(path):
        return False
    with open_source(path) as source:
        return source.head().startswith(MARK)


def _ranks(text: str) -> list[int]:
    try:
        return [int(rank) for rank in text.split(",")]
    except ValueError:
        raise UsageError(f"--ranks {text}: expected ranks with commas between them, such as 1,5,10") from None


def _sections(found: PoolStatistics) -> dict[str, Section]:
    judged = [f"judged@{rank}" for rank in found.cutoffs]
    relevant = [f"relevant@{rank}" for rank in found.cutoffs]
    names = found.judged.candidates.runs
    runs = [
        [
            run.run,
            run.topics,
            *run.judged,
            run.unique,
            run.unique_judged,
            run.unique_relevant,
            run.overlap,
            *run.relevant,
        ]
        for run in found.runs
    ]
    ranks = [
        [f"{band.first}-{band.last}" if band.first < band.last else str(band.last), *band[2:]] for band in found.ranks
    ]
    return {
        "runs": Section(
            ["run", "topics", *judged, "unique", "unique_judged", "unique_relevant", "overlap", *relevant], runs
        ),
        "ranks": Section(["ranks", "places", "judged", "relevant", "new", "new_judged", "new_relevant"], ranks),
        "topics": Section(["topic", "pool", "judged_of_pool", "judged", "relevant"], found.topics),
        "overlap": Section(
            ["run", *names], [[name, *row.tolist()] for name, row in zip(names, found.overlap, strict=True)]
        ),
    }


def _sentence(found: PoolStatistics) -> str:
    total = found.totals
    share = total["judged_of_pool"] / total["pool"] if total["pool"] else 0.0
    return (
        f"{total['runs']} runs, {total['topics']} topics; "
        f"{'a pool' if found.pool is None else 'the pool'} of {total['pool']} documents"
        f"{f' (depth {found.depth})' if found.pool is None else ''}, {100 * share:.1f} % of it judged; "
        f"{total['judged']} judged in all, {total['relevant']} of them relevant. Nearly all that the runs have is "
        f"judged down to rank {total['judged_depth']}."
    )


def _few(found: PoolStatistics) -> list[str]:
    poor = found.few_relevant
    if not poor:
        return []
    said = named([f"{topic.topic} ({topic.relevant})" for topic in poor])
    return [f"with fewer than {found.few} relevant documents: {counted(len(poor), 'topic')}: {said}"]
