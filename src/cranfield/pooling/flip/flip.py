"""Is it certain that one run is better than another, whatever the unjudged documents are?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from cranfield.data.frames import as_run
from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.errors import UsageError
from cranfield.evaluation.evaluator import Evaluator
from cranfield.evaluation.inputs import is_file, is_several, run_names
from cranfield.evaluation.provenance.origin import read_input
from cranfield.formats import read_run
from cranfield.measures import Measure, parse_all
from cranfield.measures.holes.scale import Scale
from cranfield.measures.parameters import Number, Whole
from cranfield.pooling.flip.bounds import difference_bounds, refusal
from cranfield.pooling.flip.chances import Evidence, estimate
from cranfield.pooling.flip.expected import Progress, outlook
from cranfield.pooling.flip.importance import ORDERS, Importance
from cranfield.pooling.flip.intervals import joint_interval
from cranfield.pooling.flip.result import Flip
from cranfield.pooling.flip.side_by_side import SideBySide
from cranfield.pooling.flip.ways.case import Case
from cranfield.stats.arguments import one_of

DEFAULT_MEASURE = "nDCG@10"


def flip(
    qrels: Any,
    first: Any,
    second: Any,
    measure: str | Measure = DEFAULT_MEASURE,
    *,
    evidence: Iterable[Any] = (),
    order: str = "certainty",
    simulations: int = 20,
    seed: int = 0,
    level: float = 1,
    depth: int | None = None,
    highest_grade: float | None = None,
    confidence: float = 0.95,
    qrels_format: str | None = None,
    run_format: str | None = None,
    progress: Progress | None = None,
) -> Flip:
    """Whether unjudged documents could turn a comparison round, which of them, and how many judgments would settle it.

    Judgments and runs have any shape that `evaluate` takes, a run may be `{name: run}`, and a difference is first minus
    second. Its bounds are over all grades of the documents that one of the runs returned and nobody judged, each of
    which has one grade for both runs; other documents count as not relevant. `highest_grade` is the highest grade they
    could have, where that is none of the judgments; `level` is the least grade that is relevant, `depth` how many
    documents of each list are looked at.

    How likely they are relevant is estimated from what was judged, by where the two runs and those of `evidence` have
    them. `order` says in which order they are listed: by `certainty`, `expected` effect or `swing` (see
    `cranfield.pooling.flip.importance`). `simulations` are made of what further judgments in that order would bring,
    with `seed`; none with 0. `confidence` is that of the interval.

    >>> qrels = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1}}
    >>> new = {"q1": {"a": 3, "b": 2, "x": 1}, "q2": {"c": 2, "y": 1}}
    >>> old = {"q1": {"a": 3, "b": 2, "x": 1}, "q2": {"y": 2, "c": 1}}
    >>> found = flip(qrels, {"new": new}, {"old": old}, "RR")
    >>> found.verdict, found.difference, found.mean_low, found.mean_high  # q1: 1 - 1, q2: 1 - 1/2, or 1 - 1 with y
    ('open', 0.25, 0.0, 0.25)
    >>> [(one.topic, one.document, one.effect) for one in found.documents]  # over both topics
    [('q2', 'y', -0.25)]
    """
    one_of("order (--order)", order, ORDERS)
    simulations = Whole(0).accept(simulations, "the number of simulations (--simulations, simulations=)")
    seed = Whole(0).accept(seed, "the seed (--seed, seed=)")
    confidence = Number(0.5, 0.9999).accept(confidence, "the confidence (--confidence, confidence=)")
    if not isinstance(measure, (str, Measure)):
        raise UsageError("flip looks at one measure; ask once for each")
    evaluator = Evaluator(qrels, [_one_measure(measure)], level=level, depth=depth, qrels_format=qrels_format)
    (measure,) = evaluator.measures
    judged = evaluator.qrels
    assert isinstance(judged, Qrels)
    names, runs, sha256 = _two_runs(first, second, run_format)
    evaluation = evaluator.evaluate_all(runs, names=names)
    scale = Scale.of(judged, highest_grade)
    both = SideBySide.of(judged, runs[0], runs[1], depth=evaluator.depth, level=float(evaluator.level))
    case = Case(both, measure, scale)
    bounds = difference_bounds(case)
    others = [_in_memory(run, run_format) for run in evidence]
    runs_say = Evidence.of(both, others)
    chances = estimate(both, runs_say, scale.positive)
    importance = Importance.of(case, chances, order)
    expected = None
    if simulations and len(importance.order):
        expected = outlook(
            case,
            importance.order,
            chances,
            simulations=simulations,
            seed=seed,
            level=confidence,
            progress=progress,
        )
    return Flip(
        case=case,
        names=names,
        bounds=bounds,
        interval=None if measure.definition.aggregate != "mean" else joint_interval(bounds, confidence),
        importance=importance,
        chances=chances,
        runs_say=runs_say,
        outlook=expected,
        evaluation=evaluation,
        sha256=sha256,
        settings={
            "order": order,
            "seed": seed,
            "level": float(evaluator.level),
            "depth": evaluator.depth,
            "highest_grade": scale.highest,
            "confidence": confidence,
            "evidence": len(others),
        },
    )


def _one_measure(name: str | Measure) -> Measure:
    measures = parse_all([name])
    if len(measures) != 1:
        listed = ", ".join(map(str, measures))
        raise UsageError(f"flip looks at one measure, and {name} stands for several ({listed}); name one of them")
    reason = refusal(measures[0])
    if reason:
        raise UsageError(f"{measures[0]} {reason}")
    return measures[0]


def _two_runs(first: Any, second: Any, run_format: str | None) -> tuple[tuple[str, str], list[Run], list[str | None]]:
    """What the runs are called, the runs, and the hashes of their files."""
    runs, given = [], []
    for run in (first, second):
        name = None
        if is_several(run):
            if not isinstance(run, Mapping) or len(run) != 1:
                raise UsageError(f"flip compares one run with another, found {len(run)} in place of one")
            ((name, run),) = run.items()
        runs.append(run)
        given.append(name)
    names = [name or usual for name, usual in zip(given, run_names(runs), strict=True)]
    if names[0] == names[1]:
        names[1] = f"{names[1]}-2"
    read, hashes = [], []
    for run, name in zip(runs, names, strict=True):
        one, source = read_input("run", run, partial(_in_memory, run, run_format, name), hashed=is_file(run))
        read.append(one)
        hashes.append(source.sha256)
    return (names[0], names[1]), read, hashes


def _in_memory(run: Any, run_format: str | None, name: str = "run") -> Run:
    return read_run(run, format=run_format) if is_file(run) else as_run(run, name=name)
