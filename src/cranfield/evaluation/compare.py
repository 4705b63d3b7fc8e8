"""Comparing runs with a baseline."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from inspect import signature
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from cranfield.data.strings import Floats, Ints
from cranfield.errors import CoverageError, UsageError, did_you_mean
from cranfield.evaluation.common_topics import no_common_topics
from cranfield.evaluation.compared import Compared, Finding, scores_to_test, why_not_tested
from cranfield.evaluation.comparison import Comparison
from cranfield.evaluation.evaluator import Evaluator, Measures
from cranfield.evaluation.gate import check_requirements
from cranfield.evaluation.judgments_given import RELEVANCE
from cranfield.evaluation.requirements import ALL_TOPICS, Requirement, parse_requirement
from cranfield.evaluation.result import Evaluation, RunEvaluation
from cranfield.evaluation.runs_to_compare import RunsToCompare
from cranfield.evaluation.score_matrix import score_matrix
from cranfield.evaluation.significance import Question, Significance
from cranfield.evaluation.slices import Slices, slice_differences
from cranfield.measures import Measure, parse_all
from cranfield.measures.profiles import Profile
from cranfield.stats.many_systems.anova import TwoWayAnova, two_way_anova
from cranfield.stats.many_systems.corrections import Adjusted
from cranfield.stats.many_systems.tukey import Tukey, randomised_tukey_hsd
from cranfield.stats.significance.assumptions import check_assumptions
from cranfield.stats.significance.bayesian import bayesian_t_test
from cranfield.stats.significance.differences import Differences
from cranfield.stats.significance.outcome import Outcome

Evaluating = Callable[..., Any]
"""What makes an evaluator of judgments, measures and options: `Evaluator`, or one that works elsewhere."""
DEFAULT_MEASURES = ("nDCG@10", "AP", "Judged@10")
_DEFAULTS = {
    "qrels": DEFAULT_MEASURES,
    "groups": ("AP_avgjg", "P_avgjg@10"),
    "preferences": ("prefs_simp", "prefs_pair"),
}


def compare(
    qrels: Any,
    baseline: Any,
    runs: Any,
    measures: Measures | None = None,
    *,
    tests: str | Iterable[str] = "t",
    alternative: Question = "two-sided",
    correction: str = "holm",
    alpha: float = 0.05,
    resamples: int = 10_000,
    seed: int = 0,
    change: str | Sequence[str] | None = None,
    all_pairs: bool = False,
    tukey: bool = False,
    check: bool = False,
    rope: float | None = None,
    slices: Any = None,
    requirements: str | Iterable[str | Requirement] = (),
    family: Callable[[Evaluation], int] | None = None,
    profile: str | Profile = "cranfield",
    evaluator: Evaluating = Evaluator,
    **options: Any,
) -> Comparison:
    """Compare one run, or several in a list or a dict by name, with a baseline, topic by topic.

    Judgments and runs have any shape that `evaluate` takes, the baseline may be `{name: run}`, and `options` are those
    of `Evaluator`. Topics are matched by their identifiers. What becomes of a judged topic that a run lacks is said by
    the profile: it counts as 0, the topic is left out, or it is an error. A difference is run minus baseline. Without
    `measures` those of the requirements are compared, or else nDCG@10, AP and Judged@10.

    `tests` are `t`, `wilcoxon`, `sign`, `randomisation` (or `permutation`) and `bootstrap`; the first is the one that
    sentences and intervals are from. `alternative` asks whether the run is different (`two-sided`), `better` or
    `worse`. `correction` is `holm`, `bonferroni`, `bh` (Benjamini and Hochberg) or `none`, over the family of all
    measures and runs compared here, for each test by itself. `alpha` is the level of significance, and 1 - alpha that
    of intervals. `resamples` and `seed` are for tests with random numbers. `change` says what was changed, in words,
    for all runs or for each. `all_pairs` compares every run with every other, and `tukey` all systems at once, by
    analysis of variance and by the randomised Tukey HSD. `check` looks at what the tests assume, without acting on it.
    `rope` adds a Bayesian reading: how probable it is that a run is better, or worse, by more than that.

    `requirements` are lines such as `nDCG@10 drop <= 0.01` (see docs/gate.md), checked on all topics and in each of the
    `slices`: a file, or `{slice: [topic, ...]}`. `family` is told what was evaluated, and says how many comparisons
    there are in all, where others were made than are made here: p-values are corrected for all of them. `evaluator`
    makes what scores the runs, where that is not to be done in this process.

    >>> qrels = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}}
    >>> old = {"q1": {"x": 3, "y": 2, "a": 1}, "q2": {"x": 2, "b": 1}, "q3": {"c": 1}}
    >>> new = {"q1": {"x": 2, "a": 1}, "q2": {"b": 1}, "q3": {"c": 1}}
    >>> found = compare(qrels, old, {"new": new}, "RR")["RR", "new"]  # 1/2 - 1/3, 1 - 1/2, 1 - 1
    >>> round(found.baseline_mean, 4), round(found.mean, 4), round(found.difference, 4)
    (0.6111, 0.8333, 0.2222)
    >>> found.wins, found.equal, found.losses, found.gained(1)
    (2, 1, 0, [('q2', 0.5)])
    >>> print(found.sentence)
    RR: undecided; on these topics new is better than baseline by .222; over all topics of this kind it may be anything
    from .410 worse to .855 better (95 % interval); a difference at least this large, either way, would be seen 27 times
    in 100 if the two were equal (paired t-test, p = .270).
    """
    _check_options(options)
    side_by_side = RunsToCompare.of(baseline, runs)
    names, changes = side_by_side.names, side_by_side.changes(change)
    named = tests if isinstance(tests, str) else tuple(tests)
    significance = Significance.of(named, alternative, correction, alpha, resamples, seed)
    lines = [requirements] if isinstance(requirements, str) else requirements
    required = [parse_requirement(line) if isinstance(line, str) else line for line in lines]
    if measures is None and not required:
        measures = _DEFAULTS[RELEVANCE.get(options.get("relevance", "qrels"), "qrels")]
    wanted = [] if measures is None else parse_all([measures] if isinstance(measures, (str, Measure)) else measures)
    scoring = evaluator(qrels, [*wanted, *(one.measure for one in required)], profile=profile, **options)
    required = list(dict.fromkeys(replace(one, measure=scoring.adapt(one.measure)) for one in required))
    compared, not_compared = _comparable(scoring.measures)
    sliced = None if slices is None else Slices.of(slices, scoring.qrels.queries)
    _check_slices(required, sliced)
    evaluation = scoring.evaluate_all(side_by_side.runs, names=names)
    pairs = [_match(first, second) for first, second in _pairs(evaluation, all_pairs)]
    if family is not None:
        significance = replace(significance, comparisons=family(evaluation))
    rows, adjusted = _compare(pairs, compared, significance)
    rows = tuple(_read(row, check, rope, significance.level) for row in rows)
    against = [row for row in rows if row.baseline == names[0]]
    return Comparison(
        evaluation=evaluation,
        baseline=names[0],
        measures=compared,
        rows=rows,
        significance=significance,
        family=_family(compared, len(pairs), names[0], all_pairs, significance.comparisons),
        adjusted=adjusted,
        not_compared=not_compared,
        all_pairs=all_pairs,
        change=changes,
        tukey=_all_at_once(evaluation, compared, significance) if tukey else {},
        slices=sliced,
        by_slice=slice_differences(against, sliced, significance.level) if sliced else (),
        verdicts=check_requirements(required, against, sliced, significance),
        baseline_again=side_by_side.baseline_again,
    )


class _Pair(NamedTuple):
    """Two runs, the topics they share, and where these stand in each."""

    baseline: RunEvaluation
    run: RunEvaluation
    topics: tuple[str, ...]
    in_baseline: Ints
    in_run: Ints
    left_out: tuple[str, ...]


def _pairs(evaluation: Evaluation, all_pairs: bool) -> Iterator[tuple[RunEvaluation, RunEvaluation]]:
    runs = list(evaluation.values())
    return combinations(runs, 2) if all_pairs else ((runs[0], run) for run in runs[1:])


def _match(baseline: RunEvaluation, run: RunEvaluation) -> _Pair:
    """Topics by their identifiers: those that both have, in the order of the baseline."""
    place = {topic: row for row, topic in enumerate(run.queries)}
    shared = [(row, place[topic]) for row, topic in enumerate(baseline.queries) if topic in place]
    if not shared:
        raise no_common_topics({one.name: one.queries for one in (baseline, run)}, run.profile)
    in_baseline, in_run = np.array(shared).T
    topics = tuple(baseline.queries[row] for row in in_baseline.tolist())
    either = dict.fromkeys((*baseline.queries, *run.queries))
    left_out = tuple(either.keys() - set(topics)) if len(either) > len(topics) else ()
    return _Pair(baseline, run, topics, in_baseline, in_run, tuple(sorted(left_out)))


def _compare(
    pairs: Sequence[_Pair], measures: Sequence[Measure], significance: Significance
) -> tuple[tuple[Compared, ...], dict[str, Adjusted]]:
    """Every measure of every pair. What has the same topics and the same question is tested in one go."""
    keys = [(measure, pair) for measure in measures for pair in pairs]
    scores = [_scores(measure, pair) for measure, pair in keys]
    together: dict[tuple[tuple[str, ...], bool | None], list[int]] = {}
    for at, (measure, pair) in enumerate(keys):
        direction = None if why_not_tested(measure) else measure.more_is_better
        together.setdefault((pair.topics, direction), []).append(at)
    outcomes: dict[int, dict[str, Outcome]] = {}
    counts: dict[int, tuple[int, int, int]] = {}
    for (_, more_is_better), columns in together.items():
        new, old = (
            np.column_stack([scores_to_test(keys[at][0], scores[at][side]) for at in columns]) for side in (1, 0)
        )
        differences = Differences.between(new, old)
        tested = {} if more_is_better is None else significance.run(differences, more_is_better=more_is_better)
        for column, at in enumerate(columns):
            outcomes[at] = {name: many[column] for name, many in tested.items()}
            wins, zeros, losses = differences.wins, differences.zeros, differences.losses
            counts[at] = int(wins[column]), int(zeros[column]), int(losses[column])
    family = [at for at in range(len(keys)) if outcomes[at]]
    adjusted = {
        name: significance.adjust(np.array([outcomes[at][name].p for at in family])) for name in significance.tests
    }
    place = {at: number for number, at in enumerate(family)}
    rows = []
    for at, (measure, pair) in enumerate(keys):
        tests = {
            name: Finding(
                outcome,
                float(adjusted[name].adjusted[place[at]]),
                significance.correction,
                adjusted[name].comparisons,
                significance.alpha,
            )
            for name, outcome in outcomes[at].items()
        }
        old_scores, new_scores = scores[at]
        names = pair.run.name, pair.baseline.name
        reason = why_not_tested(measure)
        rows.append(
            Compared(measure, *names, pair.topics, new_scores, old_scores, pair.left_out, *counts[at], tests, reason)
        )
    return tuple(rows), adjusted


def _read(row: Compared, check: bool, rope: float | None, level: float) -> Compared:
    """The comparison with what else was asked for, where a test means something."""
    if row.first is None:
        return row
    new, old = (scores_to_test(row.measure, scores) for scores in (row.scores, row.baseline_scores))
    assumptions = check_assumptions(new, old) if check else None
    if rope is None or row.is_geometric:
        return replace(row, assumptions=assumptions)
    better, worse = (new, old) if row.measure.more_is_better else (old, new)
    return replace(row, assumptions=assumptions, posterior=bayesian_t_test(better, worse, rope, level=level))


def _scores(measure: Measure, pair: _Pair) -> tuple[Floats, Floats]:
    """Of the baseline and of the run, on the topics they share."""
    old, new = pair.baseline.columns[measure], pair.run.columns[measure]
    assert isinstance(old, np.ndarray)
    assert isinstance(new, np.ndarray)
    return old[pair.in_baseline], new[pair.in_run]


def _all_at_once(
    evaluation: Evaluation, measures: Sequence[Measure], significance: Significance
) -> dict[Measure, tuple[TwoWayAnova, Tukey]]:
    """Analysis of variance and Tukey's test over all systems, on the topics that all of them have."""
    found = {}
    for measure in measures:
        if not why_not_tested(measure):
            matrix = score_matrix(evaluation, measure)
            if not matrix.topics:
                raise CoverageError(f"{', '.join(matrix.runs)} have no topic in common: leave out --tukey (tukey=)")
            together = randomised_tukey_hsd(
                matrix.by_run, level=significance.level, permutations=significance.resamples, seed=significance.seed
            )
            found[measure] = two_way_anova(matrix.by_run), together
    return found


def _comparable(measures: Sequence[Measure]) -> tuple[tuple[Measure, ...], dict[str, str]]:
    """The measures that have numbers, and why the others are not compared."""
    numbers = tuple(measure for measure in measures if measure.definition.aggregate != "none")
    if not numbers:
        raise UsageError(f"{', '.join(map(str, measures))} is text and has no values to compare")
    return numbers, {str(measure): "it is text" for measure in measures if measure not in numbers}


def _family(measures: Sequence[Measure], pairs: int, baseline: str, all_pairs: bool, in_all: int | None) -> str:
    tested = sum(why_not_tested(measure) is None for measure in measures)
    of_measures = f"{tested} measure{'s' if tested != 1 else ''}"
    others = f", and {in_all - tested * pairs} looked at before" if in_all and in_all > tested * pairs else ""
    if all_pairs:
        return f"{of_measures} x {pairs} pair{'s' if pairs != 1 else ''} of runs{others}"
    return f"{of_measures} x {pairs} run{'s' if pairs != 1 else ''} against {baseline}{others}"


def _check_slices(requirements: Sequence[Requirement], slices: Slices | None) -> None:
    for requirement in requirements:
        if requirement.slice in (None, ALL_TOPICS):
            continue
        if slices is None:
            raise UsageError(
                f"requirement {requirement.text!r} is about the slice {requirement.slice!r}; --slices (slices=) says "
                f"what slices there are"
            )
        slices.check_name(requirement.slice)


def _check_options(options: Iterable[str]) -> None:
    """An error that names this function, not the evaluator, if an option is unknown."""
    known = [*signature(compare).parameters, *signature(Evaluator).parameters]
    for name in options:
        if name not in known:
            raise TypeError(f"compare() has no option {name!r}{did_you_mean(name, known)}")
