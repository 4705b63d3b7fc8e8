"""`cranfield pool size`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click
import numpy as np

from cranfield.cli.completion import FILE
from cranfield.cli.options import formats_option, level_option, run_format_option
from cranfield.cli.pool.judgments_given import judgments_given, judgments_told, rule_option
from cranfield.cli.pool.missing_options import confidence_option, groups_option
from cranfield.cli.progress import showing_progress
from cranfield.cli.runs_to_evaluate import split_option, to_evaluate
from cranfield.cli.sections import Section, show_sections, table_option
from cranfield.data.qrels import Qrels
from cranfield.data.strings import Ints, decode
from cranfield.formats.pools import read_pool
from cranfield.pooling.missing.size import PoolSize, pool_size
from cranfield.stats.population_size.estimate import PopulationEstimate

COLUMNS = ("seen", "estimate", "error", "low", "high")


@click.command(
    "size",
    context_settings={"max_content_width": 120},
    epilog="Example: cranfield pool size qrels.txt bm25.run dense.run hybrid.run -k 10",
)
@click.argument("judgments", required=False, metavar="[JUDGMENTS]", type=FILE)
@click.argument("runs", nargs=-1, metavar="[RUN]...", type=FILE)
@click.option("--pool", metavar="POOL", type=FILE, help="The pool that is judged: a sample, or one judged in part.")
@click.option(
    "-k",
    "depth",
    type=click.IntRange(1),
    help="How deep the runs are judged.  [default: as far down as nearly all is judged]",
)
@click.option(
    "--to", type=click.IntRange(1), help="Draw the curve out to this rank.  [default: to the end of the runs]"
)
@groups_option
@level_option
@confidence_option
@click.option("--resamples", type=click.IntRange(2), default=500, show_default=True, help="Of the curve's bootstrap.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the bootstrap.")
@rule_option
@table_option(("total", "topics"), "total")
@split_option
@formats_option
@run_format_option
def command(
    judgments: str | None,
    runs: tuple[str, ...],
    pool: str | None,
    depth: int | None,
    to: int | None,
    groups: tuple[str, ...],
    level: float,
    confidence: float,
    resamples: int,
    seed: int,
    rule: str,
    wanted: str | None,
    split: str | None,
    layout: str | None,
    input_format: str | None,
) -> None:
    """Estimate how many relevant documents there are.

    JUDGMENTS are qrels, a sample with strata or inclusion probabilities, or the events of `cranfield judge`. Every
    method that applies is asked, and says what has to be so for it to be right; what does not apply says why.

    \b
    Chapman, Lincoln-Petersen  two runs (or --groups): from how much of what one found the other found too
    Chao2                      more of them: from what one, and what two of them found
    curve                      from how relevance thins out further down the runs, or later in the judging of --pool
    sample                     from a sample of the pool, every relevant document standing for those like it

    What is seen is what the method counts from: the relevant documents among the first -k of the runs, in the sample,
    or all that are known (curve).
    """
    alone = judgments is not None and not runs
    asked = None if alone else to_evaluate(judgments, runs, (), split=split)
    files = [judgments] if asked is None else [asked.qrels]
    with showing_progress():
        graded = judgments_given([file for file in files if file is not None], rule)
        of_pool = None if pool is None else read_pool(pool)
        found = pool_size(
            graded,
            () if asked is None else asked.scored(),
            pool=of_pool,
            order=None if of_pool is None or files[0] is None else _order(graded, files[0], rule),
            groups=groups,
            depth=depth,
            to=to,
            level=level,
            confidence=confidence,
            resamples=resamples,
            seed=seed,
            run_format=input_format,
        )
    show_sections(
        _sections(found),
        layout,
        wanted,
        usual=("total",),
        whole=found.to_dict(),
        said=[f"{sum(found.known.values())} relevant documents are known, of {len(found.known)} topics."],
        notes=[*_remarks(found), *found.notes],
        digits=1,
    )


def _order(qrels: Qrels, file: str, rule: str) -> Ints | None:
    """For each judgment its turn within its topic, from 1 on, where the order of judging is known."""
    told = judgments_told([file], rule)
    turn = {(topic, document): at for topic, documents in told.items() for at, (document, _) in enumerate(documents, 1)}
    names = zip(qrels.query.tolist(), qrels.documents.tolist(), strict=True)
    return np.array([turn[qrels.queries[query], decode(document)] for query, document in names], dtype=np.int64)


def _sections(found: PoolSize) -> dict[str, Section]:
    totals = [[each.method, *_row(each.total)] for each in found.estimates]
    topics = [
        [topic, each.method, found.known.get(topic, 0), *_row(one)]
        for each in found.estimates
        for topic, one in each.topics.items()
    ]
    return {
        "total": Section(["method", *COLUMNS], totals),
        "topics": Section(["topic", "method", "known", *COLUMNS], topics, left=2),
    }


def _row(one: PopulationEstimate | None) -> Sequence[float | int | None]:
    if one is None:
        return [None] * len(COLUMNS)
    low, high = (None, None) if one.interval is None else (one.interval.lower, one.interval.upper)
    return [one.seen, one.value, one.error, low, high]


def _remarks(found: PoolSize) -> Iterator[str]:
    for each in found.estimates:
        if each.why_not:
            yield f"{each.method} does not apply: {each.why_not}."
            continue
        yield f"{each.method} assumes that {each.assumed}."
        if each.total is not None and each.total.undefined:
            yield f"{each.method}: {each.total.undefined}."
        yield from (f"{each.method}: {note}." for note in each.notes)
