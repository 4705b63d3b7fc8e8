"""Write the figures of docs/pooling/flip.md that come from a real collection; `--check` says if they are up to date.

The collection, passages of the TREC Deep Learning track 2019, is found through $CRANFIELD_REAL_DATA. On the page a
figure stands between `<!-- figure: name -->` and `<!-- end of figure -->`.
"""

from __future__ import annotations

import functools
import itertools
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import cranfield as cf
from cranfield.data.strings import Ints
from cranfield.measures import parse_one
from cranfield.measures.holes.scale import Scale
from cranfield.pooling.flip.bounds import ROUNDING, highest_difference
from cranfield.pooling.flip.chances import Evidence, estimate
from cranfield.pooling.flip.importance import ORDERS, Importance
from cranfield.pooling.flip.side_by_side import OPEN, SideBySide
from cranfield.pooling.flip.ways.case import Case
from tools.figures import made_anew, renew

PAGE = Path(__file__).parent.parent / "docs" / "pooling" / "flip.md"
COMMAND = "CRANFIELD_REAL_DATA=... python -m tools.flip_figures"
VERDICTS = ("nDCG@10", "P(rel=2)@10", "RR(rel=2)", "RBP(p=0.8,rel=2)", "AP(rel=2)", "R(rel=2)@100")
REPLAYED = ("nDCG@10", "P(rel=2)@10", "AP(rel=2)@20", "R(rel=2)@100")
KNOWN_DEPTH = 3
"""So many documents of both lists are judged when a replay begins."""
AT_ONCE = 10
"""So many documents are judged before the order is found anew."""


def page(folder: Path) -> str:
    """The page with its figures made anew."""
    return made_anew(PAGE, FIGURES, folder)


def _collection(folder: Path) -> tuple[cf.Qrels, list[cf.Run]]:
    runs = sorted((folder / "dl19" / "runs").glob("*.txt"))
    return cf.read_qrels(folder / "dl19" / "qrels.dl19-passage.txt"), [cf.read_run(run) for run in runs]


def verdicts(folder: Path) -> str:
    """How many of all pairs of runs are settled."""
    qrels, runs = _collection(folder)
    rows = []
    for name in VERDICTS:
        found = [cf.flip(qrels, one, two, name, simulations=0) for one, two in itertools.combinations(runs, 2)]
        certain = sum(one.certain for one in found)
        width = np.mean([one.mean_high - one.mean_low for one in found])
        size = np.mean([abs(one.difference) for one in found])
        exact = sum(one.how == "exact" for one in found)
        rows.append(
            [f"`{name}`", f"{certain} of {len(found)}", f"{size:.3f}", f"{width:.3f}", f"{exact} of {len(found)}"]
        )
    return _table(["measure", "certain", "mean difference", "mean width of the bounds", "exact"], rows)


def orders(folder: Path) -> str:
    """How many judgments it takes until a comparison is settled, by order."""
    rows = []
    for name, shares in replayed(folder).items():
        rows.append([f"`{name}`", *(f"{np.mean(shares[order]):.1%}" for order in ("depth", *ORDERS))])
    return _table(["measure", "depth", *ORDERS], rows)


@functools.cache
def replayed(folder: Path) -> dict[str, dict[str, list[float]]]:
    """For each measure and each order the share of the hidden judgments it took, for every pair of runs.

    Documents that were not judged are left out of the runs, so that it is known how everything turns out.
    """
    qrels, runs = _collection(folder)
    judged = qrels.to_dict()
    whole = [
        cf.Run.from_dict(
            {
                topic: {document: score for document, score in scores.items() if document in judged[topic]}
                for topic, scores in run.to_dict().items()
                if topic in judged
            }
        )
        for run in runs
    ]
    found: dict[str, dict[str, list[float]]] = {name: {order: [] for order in ("depth", *ORDERS)} for name in REPLAYED}
    for one, two in itertools.combinations(whole, 2):
        both = SideBySide.of(qrels, one, two)
        for name in REPLAYED:
            case = Case(both, parse_one(name), Scale.of(qrels))
            for order, shares in found[name].items():
                shares.append(_replay(case if case.difference.sum() > 0 else case.swapped, order))
    return found


def _replay(case: Case, order: str) -> float:
    """The share of the hidden judgments until it is certain that the first run is better."""
    truth = case.both
    ranks = [np.where(truth.rank(side) > 0, truth.rank(side), np.iinfo(np.int64).max) for side in range(2)]
    returned = (truth.first > 0) | (truth.second > 0)
    hidden = returned & (np.minimum(*ranks) > KNOWN_DEPTH)
    now, evidence, spent = case.of(truth.with_grades(hidden, OPEN)), Evidence.of(truth), 0
    while len(now.both.open) and -highest_difference(now.swapped).mean() <= ROUNDING:
        rows = now.both.open[_next(now, evidence, order)[:AT_ONCE]]
        now = now.of(now.both.with_grades(rows, truth.grade[rows]))
        spent += len(rows)
    return spent / int(hidden.sum())


def _next(case: Case, evidence: Evidence, order: str) -> Ints:
    """The open documents, as places among them, those to judge first at the beginning."""
    both, everything = case.both, np.arange(len(case.both.open))
    if order == "depth":
        rows = both.open
        ranks = [
            np.where(both.rank(side)[rows] > 0, both.rank(side)[rows], np.iinfo(np.int64).max) for side in range(2)
        ]
        return np.lexsort((everything, np.minimum(*ranks)))
    chances = estimate(both, evidence, case.scale.positive)
    found = Importance.of(case, chances, order).order
    return found if len(found) else everything


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


FIGURES = {"verdicts": verdicts, "orders": orders}

if __name__ == "__main__":
    sys.exit(renew([PAGE], FIGURES, COMMAND))
