"""Write the figures of docs/pooling/missing.md that come from real collections; `--check` says whether they are old.

The collections are found through $CRANFIELD_REAL_DATA. On the page a figure stands between `<!-- figure: name -->` and
`<!-- end of figure -->`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from cranfield.pooling.missing.bias import PoolBias, pool_bias
from cranfield.pooling.missing.size import pool_size
from cranfield.pooling.missing.statistics import PoolStatistics, pool_statistics
from tools.figures import made_anew, renew
from tools.statistics_figures import markdown, percent

PAGE = Path(__file__).parent.parent / "docs" / "pooling" / "missing.md"
COMMAND = "CRANFIELD_REAL_DATA=... python -m tools.missing_figures"
RANKS = (1, 5, 10, 50, 100)


class Collection(NamedTuple):
    """Judgments, runs, how deep the pool was, and from which grade on a document is relevant."""

    title: str
    qrels: str
    runs: tuple[str, ...]
    depth: int
    level: int


def covid(folder: Path) -> Collection:
    """Of the runs that were pooled, the first seven documents were judged."""
    place = folder / "trec_covid_r1"
    runs = tuple(str(run) for run in sorted((place / "runs").iterdir()))
    return Collection("TREC-COVID round 1", str(place / "qrels-rnd1.txt"), runs, 7, 1)


def passages(folder: Path) -> Collection:
    """The first ten were judged, and then what a classifier thought relevant."""
    place = folder / "dl19"
    runs = tuple(str(run) for run in sorted((place / "runs").iterdir()))
    return Collection("TREC DL 2019", str(place / "qrels.dl19-passage.txt"), runs, 10, 2)


def page(folder: Path) -> str:
    """The page with its figures made anew."""
    return made_anew(PAGE, FIGURES, folder)


def statistics(one: Collection) -> PoolStatistics:
    return pool_statistics(one.qrels, one.runs, depth=one.depth, cutoffs=RANKS, level=one.level)


def bias(one: Collection) -> PoolBias:
    return pool_bias(one.qrels, one.runs, ["nDCG@10", "P@10", "AP", "bpref"], depth=one.depth, level=one.level)


def short(run: str) -> str:
    return f"`{run.removesuffix('.top100')}`"


def judged(one: Collection) -> str:
    """How far each run is judged, and what it alone brought in."""
    rows = [
        [short(run.run), *map(percent, run.judged), run.unique, run.unique_relevant, f"{run.overlap:.2f}"]
        for run in statistics(one).runs
    ]
    header = [one.title, *(f"judged@{rank}" for rank in RANKS), "unique", "unique relevant", "overlap"]
    return markdown(header, rows)


def ranks(folder: Path) -> str:
    """What is judged and relevant from rank to rank."""
    rows = []
    for one in (covid(folder), passages(folder)):
        for band in statistics(one).ranks:
            name = f"{band.first} to {band.last}" if band.first < band.last else band.last
            shares = [percent(share) for share in (band.judged, band.relevant, band.new_judged / band.new)]
            rows.append([one.title, name, *shares[:2], band.new, shares[2], band.new_relevant])
    header = ["", "ranks", "judged", "of these relevant", "documents first seen", "judged", "known relevant"]
    return markdown(header, rows)


def not_pooled(one: Collection) -> str:
    """How each run would fare, by nDCG@10."""
    found = bias(one)
    rows = [
        [short(row.run), row.unique_relevant, f"{row.value:.4f}", f"{row.without:.4f}", row.rank, row.rank_without]
        for row in found.rows(found.measures[0])
    ]
    return markdown([one.title, "unique relevant", "nDCG@10", "not pooled", "rank", "not pooled"], rows)


def by_measure(folder: Path) -> str:
    """The same by several measures, all runs together."""
    rows = []
    for one in (covid(folder), passages(folder)):
        for found in bias(one).summaries:
            changes = [f"{found.mean_percent:.1f} %", f"{found.largest_change:+.4f}", short(found.largest_run)]
            rows.append([one.title, found.measure, *changes, found.most_ranks, f"{found.tau:.2f}"])
    header = ["", "measure", "mean change", "largest change", "of", "most ranks", "tau"]
    return markdown(header, rows)


def sizes(folder: Path) -> str:
    """How many relevant documents there are, by all methods that apply."""
    rows = []
    for one in (covid(folder), passages(folder)):
        for to in (100, 1000):
            found = pool_size(one.qrels, one.runs, depth=one.depth, to=to, level=one.level)
            for each in found.estimates:
                if each.total is None or each.total.interval is None or (each.method != "curve" and to == 1000):
                    continue
                low, high = each.total.interval.lower, each.total.interval.upper
                name = f"curve, to rank {to}" if each.method == "curve" else f"{each.method}, depth {one.depth}"
                numbers = [f"{each.total.seen:,}", f"{each.total.value:,.0f}", f"{low:,.0f} to {high:,.0f}"]
                rows.append([one.title, name, *numbers])
    return markdown(["", "method", "seen", "estimate", "95 % interval"], rows)


FIGURES: dict[str, Callable[[Path], str]] = {
    "judged_covid": lambda folder: judged(covid(folder)),
    "judged_passages": lambda folder: judged(passages(folder)),
    "ranks": ranks,
    "bias_covid": lambda folder: not_pooled(covid(folder)),
    "bias_passages": lambda folder: not_pooled(passages(folder)),
    "by_measure": by_measure,
    "sizes": sizes,
}


if __name__ == "__main__":
    sys.exit(renew([PAGE], FIGURES, COMMAND))
