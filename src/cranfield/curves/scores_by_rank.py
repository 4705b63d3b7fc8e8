"""Scores against the cutoff: any measure that has one; precision, recall and F at every rank; gains by rank."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np

from cranfield.curves.bands import band_options, bands_of_means, check_bands
from cranfield.curves.every_cutoff import EveryCutoff, has_form
from cranfield.curves.inputs import JoinedRuns, join_runs
from cranfield.curves.rank_curves import RankCurve, RankCurves
from cranfield.curves.result import About
from cranfield.data.strings import Bools, Floats, Ints
from cranfield.errors import UsageError
from cranfield.evaluation.evaluator import Evaluator, Measures
from cranfield.evaluation.named_runs import named_runs
from cranfield.evaluation.result import RunEvaluation
from cranfield.measures import Measure, parse, parse_one
from cranfield.measures.parameters import CUTOFF
from cranfield.measures.profiles import profile as find_profile

MILESTONES = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50, 70, 100, 150, 200, 300, 500, 700, 1000)
"""Where a measure is evaluated that is not known at all cutoffs at once, unless other cutoffs are given."""
_JOINED = {"profile", "level", "depth", "judged_only", "complete", "qrels_format", "run_format"}
"""The options with which runs can be looked up once for all cutoffs."""


def cutoff(
    qrels: Any,
    runs: Any = None,
    measures: Measures = "nDCG",
    *,
    cutoffs: Iterable[int] | None = None,
    bands: str | Iterable[str] = (),
    **options: Any,
) -> RankCurves:
    """The score of measures against the cutoff: what each run has reached after so many documents.

    Measures are named without a cutoff, or with one that is not looked at. Without `cutoffs` it is every rank to the
    end of the longest list; where a measure has to be evaluated once for each cutoff (most do not), or bands are asked
    for, ranks that lie further apart the deeper they are. `bands` are `ties` (the mean, whatever order tied documents
    had) and `unjudged` (whatever grades documents would get that are not judged). `options` are those of `evaluate`.
    Instead of judgments and runs, what `join` returned will do.

    >>> curve = cutoff({"q1": {"d1": 1, "d2": 1}}, {"q1": {"d1": 3, "d9": 2, "d2": 1}}, "AP")
    >>> curve["run"].mean[curve.measures[0]].round(4).tolist()  # 1/2, 1/2, (1 + 2/3)/2
    [0.5, 0.5, 0.8333]
    """
    wanted = _without_cutoff(measures)
    return _curves("cutoff", qrels, runs, wanted, cutoffs, check_bands(bands), options)


def by_rank(
    qrels: Any,
    runs: Any = None,
    *,
    beta: float = 1,
    cutoffs: Iterable[int] | None = None,
    bands: str | Iterable[str] = (),
    **options: Any,
) -> RankCurves:
    """Precision, recall and F at every rank, of each query and on average; `beta` is the weight of recall in F.

    A list shorter than a rank is filled up with documents that are not relevant, and so is one that is missing. A query
    without relevant documents has recall 0. Other things are as in `cutoff`.

    >>> run = {"q1": {"d1": 3, "d9": 2, "d2": 1}}
    >>> curve = by_rank({"q1": {"d1": 1, "d2": 1}}, run)["run"]
    >>> {str(measure): values.round(4).tolist() for measure, values in curve.of("q1").items()}
    {'P': [1.0, 0.5, 0.6667], 'R': [0.5, 0.5, 1.0], 'F': [0.6667, 0.5, 0.8]}
    """
    wanted = [Measure("P"), Measure("R"), Measure("F")(beta=beta)]
    return _curves("by-rank", qrels, runs, wanted, cutoffs, check_bands(bands), options)


def gain(
    qrels: Any,
    runs: Any = None,
    measure: str | Measure = "nDCG",
    *,
    cutoffs: Iterable[int] | None = None,
    bands: str | Iterable[str] = (),
    **options: Any,
) -> RankCurves:
    """Gain by rank: CG and DCG beside those of the best possible ranking, and nDCG.

    `measure` is nDCG with the parameters that say what gains and discounts are, as in
    `nDCG(gain=exponential,discount=log)`; the other curves have the same. Other things are as in `cutoff`.

    >>> run = {"q1": {"d1": 3, "d2": 2, "d3": 1}}
    >>> curve = gain({"q1": {"d1": 3, "d2": 2, "d3": 3}}, run, "nDCG(discount=log)")["run"]
    >>> for measure, values in curve.of("q1").items():  # of the best ranking: 3, 3, 2
    ...     print(measure, values.round(4).tolist())
    CG [3.0, 5.0, 8.0]
    IdealDCG(discount=none) [3.0, 6.0, 8.0]
    DCG(discount=log) [3.0, 5.0, 6.8928]
    IdealDCG(discount=log) [3.0, 6.0, 7.2619]
    nDCG(discount=log) [1.0, 0.8333, 0.9492]
    """
    chosen = find_profile(options.get("profile", "cranfield")).adapt(parse_one(measure))
    if chosen.name != "nDCG":
        raise UsageError(
            f"gain curves are those of nDCG with its parameters, as in nDCG(gain=exponential), not {chosen}"
        )
    said = {name: value for name, value in chosen.given if name != "cutoff"}
    of_gain = {name: value for name, value in said.items() if name in ("gain", "gains", "judged_only")}
    of_discount = {name: value for name, value in said.items() if name != "ideal"}
    of_ideal = {name: value for name, value in said.items() if name not in ("discount", "base")}
    wanted = [
        Measure("CG")(**of_gain),
        Measure("IdealDCG")(**of_ideal, discount="none"),
        Measure("DCG")(**of_discount),
        Measure("IdealDCG")(**said),
        Measure("nDCG")(**said),
    ]
    return _curves("gain", qrels, runs, list(dict.fromkeys(wanted)), cutoffs, check_bands(bands), options)


def _without_cutoff(measures: Measures) -> list[Measure]:
    """The measures a curve is of; an error if one has no cutoff."""
    named = [measures] if isinstance(measures, (str, Measure)) else list(measures)
    found: dict[Measure, None] = {}
    for text in named:
        for measure in [text] if isinstance(text, Measure) else parse(text):
            if "cutoff" not in measure.definition.parameters:
                raise UsageError(f"{measure.name} has no cutoff, so there is no curve of it against the cutoff")
            given = tuple((name, value) for name, value in measure.given if name != "cutoff")
            found[Measure(measure.name, given, measure.named - {"cutoff"})] = None
    if not found:
        raise UsageError("no measure is named")
    return list(found)


def _curves(
    kind: str,
    qrels: Any,
    runs: Any,
    measures: Sequence[Measure],
    cutoffs: Iterable[int] | None,
    bands: tuple[str, ...],
    options: dict[str, Any],
) -> RankCurves:
    chosen = None if cutoffs is None else _check_cutoffs(cutoffs)
    if isinstance(qrels, JoinedRuns):
        lacking = next((measure for measure in measures if not has_form(measure)), None)
        if bands or lacking is not None:
            what = "bands" if bands else f"{lacking} at each cutoff"
            raise UsageError(f"{what}: this takes an evaluation; hand in judgments and runs, not what `join` returned")
        return _at_once(kind, qrels, runs, measures, chosen, options)
    rules = find_profile(options.get("profile", "cranfield"))
    at_once = not bands and options.keys() <= _JOINED and all(map(has_form, measures))
    if at_once and rules.plain and not rules.no_others:
        return _at_once(kind, qrels, runs, measures, chosen, options)
    return _one_by_one(kind, qrels, runs, measures, chosen, bands, options)


def _check_cutoffs(cutoffs: Iterable[int]) -> Ints:
    checked = sorted({CUTOFF.accept(one, "a cutoff") for one in cutoffs})
    if not checked:
        raise UsageError("no cutoff is given")
    return np.array(checked, dtype=np.int64)


def _at_once(
    kind: str, qrels: Any, runs: Any, measures: Sequence[Measure], cutoffs: Ints | None, options: dict[str, Any]
) -> RankCurves:
    """All cutoffs in one pass over the rankings of each run."""
    at_one = [measure(cutoff=1) for measure in measures]
    joined = join_runs(qrels, runs, at_one, **options)
    adapted = [measure(cutoff=None) for measure in joined.adapted(at_one)]
    if cutoffs is None:
        deepest = max(int(one.rankings.retrieved.max(initial=0)) for one in joined.runs)
        cutoffs = np.arange(1, max(deepest, 1) + 1)
    found = {}
    for one in joined.runs:
        values = EveryCutoff(adapted, one.rankings, cutoffs)
        means = dict(zip(measures, values.means(one.counted.astype(np.float64)), strict=True))
        found[one.name] = RankCurve(one.name, one.queries, means, partial(_scores, values, measures, one.counted))
    return RankCurves(kind, joined.about(), tuple(measures), cutoffs, found)


def _scores(values: EveryCutoff, measures: Sequence[Measure], counted: Bools) -> dict[Measure, Floats]:
    """The scores of the queries that count."""
    found = values.scores()
    return dict(zip(measures, found if counted.all() else [one[counted] for one in found], strict=True))


def _one_by_one(
    kind: str,
    qrels: Any,
    runs: Any,
    measures: Sequence[Measure],
    cutoffs: Ints | None,
    bands: tuple[str, ...],
    options: dict[str, Any],
) -> RankCurves:
    """An evaluation by every measure at every cutoff."""
    ranks = np.array(MILESTONES, dtype=np.int64) if cutoffs is None else cutoffs
    at_each = {measure: [measure(cutoff=rank) for rank in ranks.tolist()] for measure in measures}
    every = [one for several in at_each.values() for one in several]
    evaluator = Evaluator(qrels, every, **options, **band_options(bands))
    named = named_runs(runs)
    evaluation = evaluator.evaluate_all(list(named.values()), names=list(named))
    if cutoffs is None:
        # A milestone below the end of every list shows that nothing more comes; one is enough.
        deepest = max(run.coverage.most_documents for run in evaluation.values())
        ranks = ranks[: int(np.searchsorted(ranks, deepest)) + 1]
    found, why = {}, []
    for run in evaluation.values():
        scores, means, edges = {}, {}, {}
        for measure, several in at_each.items():
            adapted = [evaluator.adapt(one) for one in several[: len(ranks)]]
            scores[measure] = _columns(run, adapted)
            means[measure] = np.array([run.mean[str(one)] for one in adapted])
            edges[measure], reasons = bands_of_means(run, adapted, bands)
            why += reasons
        found[run.name] = RankCurve(run.name, run.queries, means, partial(dict, scores), edges if bands else {})
    return RankCurves(kind, About.of(evaluation), tuple(measures), ranks, found, tuple(dict.fromkeys(why)))


def _columns(run: RunEvaluation, measures: Sequence[Measure]) -> Floats:
    columns = [run.columns[measure] for measure in measures]
    if any(isinstance(column, list) for column in columns):
        raise UsageError(f"{measures[0].name} is text and has no curve")
    return np.column_stack([np.asarray(column) for column in columns])
