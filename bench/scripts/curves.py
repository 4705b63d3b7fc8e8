"""Time the numbers of curves on a run in memory, beside scikit-learn: QRELS RUN REPEATS.

Prints for each work and tool one line of seconds, one number for each repetition; tools take turns. Ours looks up the
documents each time; scikit-learn gets its labels ready made. What it takes for all queries is reckoned from some.
"""

import sys
import warnings
from collections.abc import Callable
from time import perf_counter

import numpy as np
from sklearn.metrics import precision_recall_curve, roc_auc_score, roc_curve

import cranfield as cf
from cranfield.data.rankings import Rankings

QUERIES_TIMED = 500
DOCUMENTS = 8_841_823

warnings.simplefilter("ignore")  # of queries without a relevant document, of which scikit-learn makes no curve


def main() -> None:
    """All works, each tool in turn."""
    qrels, run, repeats = cf.read_qrels(sys.argv[1]), cf.read_run(sys.argv[2]), int(sys.argv[3])
    labels, scores, pooled = _labels(qrels, run)
    share = len(labels) / QUERIES_TIMED
    works: dict[tuple[str, str], tuple[Callable[[], object], float]] = {
        ("each topic", "cranfield"): (lambda: _curves(qrels, run), 1),
        ("each topic", "scikit-learn"): (lambda: _scikit_learn(labels[:QUERIES_TIMED], scores), share),
        ("all kinds", "cranfield"): (lambda: _all_curves(qrels, run), 1),
        ("all kinds", "scikit-learn"): (lambda: _scikit_learn(labels[:QUERIES_TIMED], scores), share),
        ("thresholds", "cranfield"): (lambda: cf.curves.thresholds(qrels, run, over="retrieved"), 1),
        ("thresholds", "scikit-learn"): (lambda: _pooled(*pooled), 1),
    }
    _check(qrels, run, labels, scores)
    seconds: dict[tuple[str, str], list[float]] = {work: [] for work in works}
    for _ in range(repeats):
        for work, (call, times) in works.items():
            start = perf_counter()
            call()
            seconds[work].append((perf_counter() - start) * times)
    for (work, tool), values in seconds.items():
        print(work, tool, *(f"{value:.6f}" for value in values), sep="\t")


def _labels(qrels: cf.Qrels, run: cf.Run) -> tuple[list[np.ndarray], list[np.ndarray], tuple[np.ndarray, np.ndarray]]:
    """Of each query of the run, whether each document is relevant, and its score; and all of them in one."""
    rankings = Rankings.join(qrels, run)
    relevant = np.zeros(len(run), dtype=np.bool_)
    begin = {query: int(run.offset[at]) for query, at in run.position.items()}
    first = np.array([begin.get(query, 0) for query in qrels.query_ids])
    relevant[first[rankings.query] + rankings.rank - 1] = rankings.grade >= 1
    edges = run.offset[1:-1]
    return np.split(relevant, edges), np.split(run.score, edges), (relevant, run.score)


def _curves(qrels: cf.Qrels, run: cf.Run) -> cf.curves.JoinedRuns:
    """P, R and F of every query at every rank, interpolated precision, ROC curves of every query; and the means."""
    joined = cf.curves.join(qrels, run)
    _ = cf.curves.by_rank(joined)["run"].scores
    cf.curves.recall_precision(joined)
    _ = cf.curves.roc(joined, over="retrieved")["run"].corners
    return joined


def _all_curves(qrels: cf.Qrels, run: cf.Run) -> None:
    """The same, and the other curves: means of gains and of AP at every rank, and the ROC hull."""
    joined = _curves(qrels, run)
    cf.curves.gain(joined)
    cf.curves.cutoff(joined, measures="AP")
    cf.curves.hull(joined, documents=DOCUMENTS)


def _scikit_learn(labels: list[np.ndarray], scores: list[np.ndarray]) -> None:
    for relevant, score in zip(labels, scores, strict=False):
        precision_recall_curve(relevant, score)
        roc_curve(relevant, score)


def _pooled(relevant: np.ndarray, score: np.ndarray) -> None:
    precision_recall_curve(relevant, score)
    roc_curve(relevant, score)


def _check(qrels: cf.Qrels, run: cf.Run, labels: list[np.ndarray], scores: list[np.ndarray]) -> None:
    """Stop if ours and scikit-learn's differ on the queries that are timed."""
    roc, by_rank = cf.curves.roc(qrels, run, over="retrieved")["run"], cf.curves.by_rank(qrels, run)["run"]
    areas = dict(zip(roc.queries, roc.auc, strict=True))
    for name, relevant, score in zip(run.queries[:QUERIES_TIMED], labels, scores, strict=False):
        if relevant.any() and not relevant.all():
            precision, _, _ = precision_recall_curve(relevant, score)
            ours, *_ = by_rank.of(name).values()
            if not np.allclose(ours[: len(score)], precision[:-1][::-1]):
                sys.exit(f"precision of query {name} differs from scikit-learn's")
            if not np.isclose(areas[name], roc_auc_score(relevant, score)):
                sys.exit(f"the area under the ROC curve of query {name} differs from scikit-learn's")


main()
