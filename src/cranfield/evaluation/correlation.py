"""How alike systems are ordered: by two measures, by two sets of judgments, by two sets of topics, by two tables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from cranfield.errors import UsageError
from cranfield.evaluation.common_topics import no_common_topics
from cranfield.evaluation.correlated import Correlated, Correlations, Swap
from cranfield.evaluation.coverage import some
from cranfield.evaluation.evaluator import Evaluator, Measures
from cranfield.evaluation.inputs import is_several
from cranfield.evaluation.score_matrix import ScoreMatrix, missing_notes, score_matrices
from cranfield.evaluation.slices import Slices
from cranfield.evaluation.system_rankings import SystemRanking, file_label, in_common, of_matrix, of_tables
from cranfield.stats.arguments import within
from cranfield.stats.correlation.swaps import system_swaps
from cranfield.stats.correlation.system_correlation import (
    DEFAULT_COEFFICIENTS,
    RESAMPLES,
    SystemCorrelation,
    coefficient_names,
    correlate_systems,
)

DEFAULT_MEASURES = ("nDCG@10", "AP")

Pairs = list[tuple[SystemRanking, SystemRanking]]


def correlate(
    qrels: Any,
    runs: Any,
    measures: Measures = DEFAULT_MEASURES,
    *,
    other_qrels: Any = (),
    slices: Any = None,
    coefficients: str | Iterable[str] = DEFAULT_COEFFICIENTS,
    p: float = 0.9,
    alpha: float = 0.05,
    resamples: int = RESAMPLES,
    seed: int = 0,
    **options: Any,
) -> Correlations:
    """How alike runs are ordered by each two of the measures.

    With `other_qrels` (judgments, or several in a list or a dict by name) it is how alike they are ordered by the same
    measure with each two of the judgments, on the topics that all judgments have, if there are any. With `slices` (a
    file, or `{slice: [topic, ...]}`) it is how alike they are ordered by the same measure on each two slices of topics.

    Judgments and runs have any shape that `evaluate` takes, and `options` are those of `Evaluator`. `coefficients`,
    `p`, `resamples` and `seed` are explained at `stats.correlate_systems`, which finds the values and their intervals
    of level 1 - alpha. Where less is better, systems with less come first. Swaps are pairs of systems in opposite
    orders, tested at the level `alpha` (see `stats.system_swaps`).

    >>> qrels = {"q1": {"a": 1, "b": 1, "c": 0}, "q2": {"d": 1, "e": 0}}
    >>> runs = {
    ...     "early": {"q1": {"a": 3, "c": 2, "b": 1}, "q2": {"d": 2, "e": 1}},
    ...     "late": {"q1": {"c": 3, "a": 2, "b": 1}, "q2": {"e": 2, "d": 1}},
    ...     "wide": {"q1": {"c": 3, "a": 2, "b": 1}, "q2": {"d": 2, "e": 1}},
    ... }
    >>> found = correlate(qrels, runs, ["P@1", "AP"])[0]  # P@1: 1, 0, .5; AP: .917, .542, .792
    >>> found.value("tau_b"), found.swaps
    (1.0, ())
    """
    if not is_several(runs):
        raise UsageError("systems are put in order: expected several runs, in a list or in a dict by name, found one")
    judgments = _by_name(qrels, other_qrels)
    if slices is not None and len(judgments) > 1:
        raise UsageError("rankings are compared by judgments (--qrels) or by slices of topics (--slices), not by both")
    evaluators = {name: Evaluator(judged, measures, **options) for name, judged in judgments.items()}
    first = next(iter(evaluators.values()))
    if len(first.measures) < 2 and len(judgments) < 2 and slices is None:
        raise UsageError(
            f"{first.measures[0]} alone puts systems in one order: name a second measure (-m), other judgments "
            f"(--qrels, other_qrels=) or slices of topics (--slices, slices=)"
        )
    sliced = None if slices is None else Slices.of(slices, first.qrels.queries)
    several = runs.values() if isinstance(runs, Mapping) else runs
    names = list(runs) if isinstance(runs, Mapping) else None
    evaluations = {name: one.evaluate_all(list(several), names=names) for name, one in evaluators.items()}
    matrices = {name: score_matrices(evaluation) for name, evaluation in evaluations.items()}
    for name, evaluation in evaluations.items():
        if not matrices[name][0].topics:
            raise no_common_topics({run.name: run.queries for run in evaluation.values()}, first.profile.name)
    notes = [note for evaluation in evaluations.values() for note in missing_notes(evaluation)]
    notes += next(iter(evaluations.values())).depth_notes()
    if sliced is not None:
        pairs = _by_slice(next(iter(matrices.values())), sliced, notes)
    elif len(matrices) > 1:
        pairs = _by_judgments(matrices, notes)
    else:
        rankings = [of_matrix(matrix, str(matrix.measure)) for matrix in next(iter(matrices.values()))]
        pairs = list(combinations(rankings, 2))
    return _correlate(pairs, notes, coefficients, p=p, alpha=alpha, resamples=resamples, seed=seed)


def correlate_scores(
    *tables: Any,
    coefficients: str | Iterable[str] = DEFAULT_COEFFICIENTS,
    p: float = 0.9,
    alpha: float = 0.05,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Correlations:
    """How alike systems are ordered by each two tables of their scores.

    A table is a file (see `formats.score_table` for the layouts, of which one has several tables), or a dict of tables
    by name: `{system: score}`, `{system: {topic: score}}`, `{system: [score, ...]}`, or numbers as topics x systems.
    Several may come in a list. Higher scores are better. Systems are matched by name, and so are topics; topics without
    names are matched by their numbers if both tables have as many. The rest is as for `correlate`.

    >>> scores = {"AP": {"bm25": 0.3, "dense": 0.2, "fusion": 0.4}, "RR": {"bm25": 0.5, "dense": 0.6, "fusion": 0.7}}
    >>> found = correlate_scores(scores)[0]
    >>> round(found.value("tau_b"), 4), [(swap.better, swap.worse) for swap in found.swaps]
    (0.3333, [('bm25', 'dense')])
    """
    given = [what for table in tables for what in (table if isinstance(table, (list, tuple)) else [table])]
    rankings, left_out = in_common(of_tables(given)) if given else ([], ())
    if len(rankings) < 2:
        found = f"{rankings[0].label} alone puts" if rankings else "no table puts"
        raise UsageError(
            f"{found} systems in one order: give a second table of scores, or a column for a second measure"
        )
    notes = []
    if left_out:
        systems = f"{len(left_out)} system{'s' * (len(left_out) != 1)}"
        notes.append(f"{systems} without a score in every table ({some(left_out)}: left out)")
    if any(ranking.numbered for ranking in rankings):
        notes.append("topics without names are matched by their numbers")
    pairs = list(combinations(rankings, 2))
    return _correlate(pairs, notes, coefficients, p=p, alpha=alpha, resamples=resamples, seed=seed)


def _correlate(
    pairs: Pairs,
    notes: Sequence[str],
    coefficients: str | Iterable[str],
    *,
    p: float,
    alpha: float,
    resamples: int,
    seed: int,
) -> Correlations:
    wanted = coefficient_names([coefficients] if isinstance(coefficients, str) else coefficients)
    within("alpha", alpha, 0, 1)
    told: dict[str, Any] = {"p": p, "level": round(1 - alpha, 12), "resamples": resamples, "seed": seed}
    found = []
    for first, second in pairs:
        values = correlate_systems(first.upward, second.upward, wanted, topics=_topics(first, second), **told)
        found.append(_with_swaps(first, second, values, alpha))
    rankings = {id(ranking): ranking for pair in pairs for ranking in pair}
    settings = {"coefficients": list(wanted), "p": p, "alpha": alpha, "resamples": resamples, "seed": seed}
    return Correlations(tuple(rankings.values()), found, notes, settings)


def _with_swaps(
    first: SystemRanking, second: SystemRanking, values: Mapping[str, SystemCorrelation], alpha: float
) -> Correlated:
    found = system_swaps(first.upward, second.upward, alpha=alpha)
    listed = []
    for row, (a, b) in enumerate(zip(found.better.tolist(), found.worse.tolist(), strict=True)):
        better, worse = first.systems[a], first.systems[b]
        p_first, p_second = _known(found.p_first[row]), _known(found.p_second[row])
        listed.append(
            Swap(
                better=better,
                worse=worse,
                difference_first=float(found.difference_first[row]) * (1 if first.more_is_better else -1),
                difference_second=float(found.difference_second[row]) * (1 if second.more_is_better else -1),
                places_first=(first.places[better], first.places[worse]),
                places_second=(second.places[better], second.places[worse]),
                p_first=p_first,
                p_second=p_second,
                significant_first=None if p_first is None else p_first < alpha,
                significant_second=None if p_second is None else p_second < alpha,
            )
        )
    return Correlated(first, second, values, tuple(listed), found.alike, found.tied, alpha)


def _known(p: float) -> float | None:
    return None if math.isnan(p) else float(p)


def _topics(first: SystemRanking, second: SystemRanking) -> tuple[list[Any], list[Any]] | None:
    """The names of the topics, by which the two are matched; numbers match numbers if there are as many."""
    if first.topics is None or second.topics is None:
        return None
    alike = not (first.numbered or second.numbered)
    if first.numbered and second.numbered:
        alike = len(first.topics) == len(second.topics)
    return list(first.topics), [topic if alike else (topic,) for topic in second.topics]


def _by_judgments(matrices: Mapping[str, Sequence[ScoreMatrix]], notes: list[str]) -> Pairs:
    """The same measure with each two judgments, on the topics of all of them if there are any."""
    topics = [of[0].topics for of in matrices.values()]
    common = sorted(set(topics[0]).intersection(*topics[1:]))
    alone = tuple(sorted(set().union(*topics).difference(common)))
    if not common:
        notes.append("there is no topic that all judgments have: these are different sets of topics")
    elif alone:
        notes.append(f"topics: {len(common)} in all judgments, {len(alone)} not in all ({some(alone)}: left out)")
    pairs: Pairs = []
    for of_a_measure in zip(*matrices.values(), strict=True):
        rankings = [
            of_matrix(one, f"{one.measure} by {name}") for name, one in zip(matrices, of_a_measure, strict=True)
        ]
        pairs += combinations([ranking.on_topics(common) for ranking in rankings] if common else rankings, 2)
    return pairs


def _by_slice(matrices: Sequence[ScoreMatrix], slices: Slices, notes: list[str]) -> Pairs:
    """The same measure on each two slices of topics."""
    notes.append(slices.sentence())
    pairs: Pairs = []
    for matrix in matrices:
        whole = of_matrix(matrix, str(matrix.measure))
        parts = [
            replace(whole.on_topics(topics), label=f"{matrix.measure} on {name}")
            for name, topics in slices.topics.items()
            if set(topics).intersection(matrix.topics)
        ]
        if len(parts) < 2:
            raise UsageError(
                "topics of one slice put systems in one order: expected two slices or more with judged topics"
            )
        pairs += combinations(parts, 2)
    return pairs


def _by_name(qrels: Any, others: Any) -> dict[str, Any]:
    """All judgments by name: as a dict says, by their files, or numbered."""
    several = list(others.values() if isinstance(others, Mapping) else others) if is_several(others) else [others]
    names = [file_label(what, number) for number, what in enumerate([qrels, *several], 1)]
    if is_several(others) and isinstance(others, Mapping):
        names[1:] = map(str, others)
    if len(set(names)) < len(names):
        names = [f"{name} ({number})" for number, name in enumerate(names, 1)]
    return dict(zip(names, [qrels, *several], strict=True))
