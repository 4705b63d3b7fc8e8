"""Failure analysis: which topics fail, which traits they share, and which documents every run missed."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from cranfield.data.frames import as_run
from cranfield.data.qrels import Qrels
from cranfield.data.strings import Bools, Floats, Ints, decode
from cranfield.errors import CoverageError, UsageError
from cranfield.evaluation.common_topics import no_common_topics
from cranfield.evaluation.evaluator import Evaluator
from cranfield.evaluation.failure_analysis import (
    UNJUDGED,
    FailureAnalysis,
    MissedDocument,
    TopicAcrossRuns,
    Trait,
)
from cranfield.evaluation.inputs import is_file
from cranfield.evaluation.named_runs import named_runs, read_again
from cranfield.evaluation.parallel import fork_map
from cranfield.evaluation.result import Evaluation
from cranfield.evaluation.streaming import rank_file, rank_run
from cranfield.formats.texts import read_texts
from cranfield.measures import Measure
from cranfield.measures.parameters import CUTOFF
from cranfield.measures.profiles import Profile
from cranfield.stats.fisher_exact import fisher_exact_greater
from cranfield.stats.many_systems.corrections import holm

DEFAULT_MEASURE = "nDCG@10"
TOP = 10
MISSED_BELOW = 100
_NOWHERE = np.iinfo(np.int64).max
_NEGLIGIBLE = 12
"""Means that are the same to so many decimals are the same: the rest is the computer's arithmetic."""


def failures(
    qrels: Any,
    runs: Any,
    measure: str | Measure = DEFAULT_MEASURE,
    *,
    topics: Any = None,
    encoding: str | None = None,
    top: int = TOP,
    missed_below: int = MISSED_BELOW,
    profile: str | Profile = "cranfield",
    **options: Any,
) -> FailureAnalysis:
    """Say where one or several runs fail: the hardest topics, those on which runs disagree, and what was missed.

    Topics are ordered by the mean of the measure over the runs; the hardest quarter is compared with the others: few
    relevant documents, a long query, unjudged documents among the first `top`, runs that have nothing for it. `topics`
    are their texts, by identifier or in a file (in UTF-8, or in this `encoding`). A relevant document is missed if no
    run has it among its first `missed_below`. `options` are those of `Evaluator`. Topics without relevant documents are
    left out.

    >>> qrels = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1, "d": 1}}
    >>> run = {"q1": {"a": 1}, "q2": {"x": 2, "b": 1}, "q3": {"x": 3, "y": 2, "c": 1}}
    >>> found = failures(qrels, run, "RR")  # 1, 1/2 and 1/3
    >>> [(topic.topic, round(topic.mean, 4)) for topic in found.hardest]
    [('q3', 0.3333)]
    >>> [(one.topic, one.document) for one in found.missed]
    [('q3', 'd')]
    """
    given = read_again(named_runs(runs), options.get("run_format"))
    evaluator = Evaluator(qrels, measure, profile=profile, **options)
    if len(evaluator.measures) > 1:
        raise UsageError(f"failures are looked at by one measure, found {', '.join(map(str, evaluator.measures))}")
    evaluation = evaluator.evaluate_all(list(given.values()), names=list(given))
    places = judged_places(evaluator, given, top=top)
    texts = {} if topics is None else topics
    if is_file(topics):
        texts = read_texts(topics, set(evaluator.qrels.queries), encoding=encoding)
    return analyse_failures(evaluator, evaluation, evaluator.measures[0], places, texts, top, missed_below)


class JudgedPlaces(NamedTuple):
    """Where a run has the documents of the judgments."""

    rank: Ints
    """For each judgment the rank of its document; a very high one if it is not retrieved."""
    shown: Ints
    """For each query, how many of the first documents there are."""
    judged: Ints
    """For each query, how many of these are judged."""


def judged_places(evaluator: Evaluator, runs: Mapping[str, Any], *, top: int = TOP) -> dict[str, JudgedPlaces]:
    """Where each of the runs has the documents of the judgments, ranked by score as the evaluator is told."""
    CUTOFF.accept(top, "the number of first documents (--top, top=)")
    if not isinstance(evaluator.qrels, Qrels) or evaluator.relevance != "qrels":
        raise UsageError(f"failures are looked at by plain judgments (-R qrels), not by {evaluator.relevance}")
    _ = evaluator.qrels.table  # built once, before the processes part
    tasks = [partial(_places, evaluator, run, name, top) for name, run in runs.items()]
    files = all(isinstance(run, (str, os.PathLike)) for run in runs.values())
    found = fork_map(tasks) if files and len(tasks) > 1 else [task() for task in tasks]
    return dict(zip(runs, found, strict=True))


def _places(evaluator: Evaluator, run: Any, name: str, top: int) -> JudgedPlaces:
    assert isinstance(evaluator.qrels, Qrels)
    single = evaluator.profile.single_precision
    if is_file(run):
        ranked = rank_file(run, evaluator.qrels, single=single, input_format=evaluator.run_format, split=False)
    else:
        ranked = rank_run(as_run(run, name=name), evaluator.qrels, single=single)
    rankings = evaluator.prepare(ranked.rankings)
    if evaluator.judged_only:
        rankings = rankings.condensed()
    rank = np.full(len(evaluator.qrels), _NOWHERE)
    rank[rankings.judgment] = rankings.rank
    first = (rankings.rank <= top) & (rankings.grade >= 0)
    judged = np.bincount(rankings.query[first], minlength=len(rankings))
    return JudgedPlaces(rank, np.minimum(rankings.retrieved, top), judged)


def analyse_failures(
    evaluator: Evaluator,
    evaluation: Evaluation,
    measure: Measure,
    places: Mapping[str, JudgedPlaces],
    texts: Mapping[str, str],
    top: int = TOP,
    missed_below: int = MISSED_BELOW,
) -> FailureAnalysis:
    """The same of runs that have been evaluated, by one of the measures."""
    CUTOFF.accept(missed_below, "the number of documents (--missed-below, missed_below=)")
    qrels = evaluator.qrels
    assert isinstance(qrels, Qrels)
    if measure.more_is_better is None or measure.definition.aggregate == "none" or measure.definition.without_run:
        raise UsageError(f"{measure}: no topic fails by it, because neither more nor less of it is better")
    values, left_out = _values(evaluation, measure, qrels, evaluator.level)
    rows = np.array([qrels.queries.index(topic) for topic in values], dtype=np.int64)
    scores = np.array(list(values.values()))
    names = tuple(evaluation)
    better = scores if measure.more_is_better else -scores
    mean = better.mean(axis=1)
    order = np.argsort(mean.round(_NEGLIGIBLE), kind="stable")
    hard = _hardest(mean)
    relevant = qrels.count(float(evaluator.level))[rows]
    shown = np.sum([place.shown for place in places.values()], axis=0)[rows]
    judged = np.sum([place.judged for place in places.values()], axis=0)[rows]
    unjudged = 1.0 - np.divide(judged, shown, out=np.ones(len(rows)), where=shown > 0)
    lacking = np.array([sum(topic in run.coverage.missing for run in evaluation.values()) for topic in values])
    words = [len(texts[topic].split()) if topic in texts else None for topic in values]
    having = _traits(relevant, words, unjudged, lacking, top)
    topics = []
    for at in order.tolist():
        topic = list(values)[at]
        worst, best = (_those_with(better[at], end) for end in (better[at].min(), better[at].max()))
        topics.append(
            TopicAcrossRuns(
                topic=topic,
                mean=float(scores[at].mean()),
                spread=float(scores[at].std(ddof=1)) if len(names) > 1 else None,
                worst=float(scores[at, worst[0]]),
                worst_run=names[worst[0]] if len(worst) == 1 else None,
                at_worst=len(worst),
                best=float(scores[at, best[0]]),
                best_run=names[best[0]] if len(best) == 1 else None,
                at_best=len(best),
                relevant=int(relevant[at]),
                unjudged=float(unjudged[at]),
                lacking=int(lacking[at]),
                text=texts.get(topic),
                words=words[at],
                hard=bool(hard[at]),
                traits=tuple(name for name, (_, has) in having.items() if has[at]),
            )
        )
    return FailureAnalysis(
        measure=measure,
        runs=names,
        topics=tuple(topics),
        left_out=left_out,
        traits=_told(having, hard, [list(values)[at] for at in order.tolist()], order),
        missed=_missed(qrels, places, rows, float(evaluator.level), missed_below),
        relevant_documents=int(relevant.sum()),
        top=top,
        missed_below=missed_below,
        profile=evaluator.profile.name,
        settings=evaluator.settings,
    )


def _values(
    evaluation: Evaluation, measure: Measure, qrels: Qrels, level: float
) -> tuple[dict[str, list[float]], dict[str, tuple[str, ...]]]:
    """The values of all runs for each topic, and which topics are left out for which reason."""
    by_run = [
        dict(zip(run.queries, np.asarray(run.columns[measure]).tolist(), strict=True)) for run in evaluation.values()
    ]
    relevant = dict(zip(qrels.queries, qrels.count(float(level)).tolist(), strict=True))
    kept: dict[str, list[float]] = {}
    left_out: dict[str, list[str]] = {"without a relevant document": [], "that some run lacks": []}
    for topic in qrels.queries:
        if not relevant[topic]:
            left_out["without a relevant document"].append(topic)
        elif not all(topic in values for values in by_run):
            left_out["that some run lacks"].append(topic)
        else:
            kept[topic] = [values[topic] for values in by_run]
    if not set.intersection(*(set(values) for values in by_run)):
        runs = list(evaluation.values())
        raise no_common_topics({run.name: run.queries for run in runs}, runs[0].profile)
    if not kept:
        raise CoverageError("no topic is left that has a relevant document and a value in every run")
    return kept, {why: tuple(topics) for why, topics in left_out.items() if topics}


def _those_with(values: Floats, value: float) -> list[int]:
    """Where a value stands among the values of all runs."""
    return np.flatnonzero(values.round(_NEGLIGIBLE) == round(value, _NEGLIGIBLE)).tolist()


def _quarter(number: int) -> int:
    return math.ceil(number / 4)


def _hardest(mean: Floats) -> Bools:
    """Which topics are the hardest quarter; those with the mean of the last of them are too, unless all are."""
    rounded = mean.round(_NEGLIGIBLE)
    hard: Bools = rounded <= np.sort(rounded)[_quarter(len(mean)) - 1]
    return hard if not hard.all() else np.zeros(len(mean), dtype=np.bool_)


def _traits(
    relevant: Ints, words: Sequence[int | None], unjudged: Floats, lacking: Ints, top: int
) -> dict[str, tuple[str, Bools]]:
    """What topics may have in common: the quarter that has least, or most, of something; not what all have."""
    at = _quarter(len(relevant)) - 1
    few = int(np.sort(relevant)[at])
    traits = {"few relevant": (f"at most {few} relevant document{'s' * (few != 1)}", relevant <= few)}
    known = [number for number in words if number is not None]
    if known:
        long = sorted(known, reverse=True)[_quarter(len(known)) - 1]
        has = np.array([number is not None and number >= long for number in words])
        traits["long query"] = (f"{long} words or more", has)
    if unjudged.any():
        most = float(np.sort(unjudged)[::-1][at])
        share = f"{most:.0%} or more" if most else "some"
        traits[UNJUDGED] = f"{share} of the first {top} documents not judged", (unjudged >= most) & (unjudged > 0)
    if lacking.any():
        traits["lacking"] = ("a run has no documents for it", lacking > 0)
    return {name: (meaning, has) for name, (meaning, has) in traits.items() if not has.all()}


def _told(
    having: Mapping[str, tuple[str, Bools]], hard: Bools, topics: Sequence[str], order: Ints
) -> tuple[Trait, ...]:
    """For each trait, whether the hardest topics have it more often than the others."""
    if not hard.any() or not having:
        return ()
    counts = {name: (int((has & hard).sum()), int(has.sum())) for name, (_, has) in having.items()}
    size, items = int(hard.sum()), len(hard)
    p = np.array([fisher_exact_greater(both, size, trait, items) for both, trait in counts.values()])
    adjusted = holm(p).adjusted
    return tuple(
        Trait(
            name=name,
            meaning=meaning,
            hard_with=counts[name][0],
            hard=size,
            others_with=counts[name][1] - counts[name][0],
            others=items - size,
            p=float(p[number]),
            adjusted=float(adjusted[number]),
            topics=tuple(topic for topic, at in zip(topics, order.tolist(), strict=True) if has[at] and hard[at]),
        )
        for number, (name, (meaning, has)) in enumerate(having.items())
    )


def _missed(
    qrels: Qrels, places: Mapping[str, JudgedPlaces], rows: Ints, level: float, missed_below: int
) -> tuple[MissedDocument, ...]:
    ranks = np.array([place.rank for place in places.values()])
    best = ranks.min(axis=0)
    chosen = np.flatnonzero((best > missed_below) & (qrels.grade >= level) & np.isin(qrels.query, rows))
    chosen = chosen[np.argsort(-qrels.grade[chosen], kind="stable")]
    names = list(places)
    found = []
    for row in chosen.tolist():
        nowhere = best[row] == _NOWHERE
        at_best = [] if nowhere else np.flatnonzero(ranks[:, row] == best[row]).tolist()
        found.append(
            MissedDocument(
                topic=qrels.queries[int(qrels.query[row])],
                document=decode(qrels.documents[row]),
                grade=float(qrels.grade[row]),
                best_rank=None if nowhere else int(best[row]),
                best_run=names[at_best[0]] if len(at_best) == 1 else None,
                at_best=len(at_best),
            )
        )
    return tuple(found)
