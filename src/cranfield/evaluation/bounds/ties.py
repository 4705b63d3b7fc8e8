"""The values of measures over all orders of tied documents: expected, lowest and highest.

The measure itself, of rankings in which tied documents share their ranks, is its expected value where `TieForm.shares`
says so. The ends of the range are the values with the documents of each tie best first and worst first, where the
measure has such an order. What these do not give is found by trying: all orders of a topic if they are few, otherwise
some that are drawn. Then an expected value has a standard error, and the ends are those that were seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from cranfield.data.preference_counts import rank_for_preferences
from cranfield.data.preferences import Preferences
from cranfield.data.rankings import Rankings
from cranfield.data.run import Run
from cranfield.data.strings import Bools, Floats, Ints, Strings
from cranfield.data.tied_documents import TiedDocuments
from cranfield.evaluation.bounds.alike_topics import alike_topics
from cranfield.evaluation.bounds.tie_draws import streams
from cranfield.evaluation.bounds.tie_search import Search, Spread
from cranfield.evaluation.bounds.tie_spread import TieSpread
from cranfield.evaluation.bounds.tie_views import GroupView, PlainView, PreferenceView, SubtopicView, View
from cranfield.measures import Measure

if TYPE_CHECKING:
    from cranfield.evaluation.evaluator import Evaluator

_CELLS = 1 << 20
"""Topics whose tied documents may stand at so many ranks are worked on together."""


def spread_over_ties(
    evaluator: Evaluator, values: Mapping[Measure, Floats], given: Rankings | Run
) -> dict[Measure, TieSpread]:
    """What ties leave open of the values of an evaluation.

    `given` is the run, or where plain judgments are all that measures need its rankings, not yet cut and with ties.
    """
    qrels, single = evaluator.qrels, evaluator.profile.single_precision
    views: dict[str, View] = {}
    if isinstance(given, Rankings):
        rankings = given
        if evaluator.subtopics is not None:
            views["subtopics"] = SubtopicView(evaluator.subtopics)
        views["qrels"] = views["anything"] = PlainView()
    elif isinstance(qrels, Preferences):
        rankings = rank_for_preferences(qrels, given, single=single, keep_ties=True)
        views["preferences"] = views["anything"] = PreferenceView(qrels)
    else:
        grouped = GroupView(qrels, judged_only=evaluator.judged_only)
        rankings = Rankings.join(grouped.judged_by_anyone, given, single=single, keep_ties=True)
        views["groups"] = views["anything"] = grouped
    rankings = replace(rankings, recall_rounding=evaluator.profile.recall_rounding)
    found: dict[Measure, TieSpread] = {}
    for needs, view in views.items():
        some = {measure: column for measure, column in values.items() if measure.definition.needs == needs}
        if some:
            found |= tie_spreads(rankings, some, view, depth=evaluator.depth, seed=evaluator.seed)
    return {measure: found[measure] for measure in values}


def tie_spreads(
    rankings: Rankings, values: Mapping[Measure, Floats], view: View, *, depth: int | None, seed: int
) -> dict[Measure, TieSpread]:
    """What ties leave open of the values of measures, from rankings (not yet cut at the depth) with their ties."""
    costly = [measure for measure in values if rankings.costs is not None and measure.looks_at_costs]
    others = [measure for measure in values if measure not in costly]
    found: dict[Measure, TieSpread] = {}
    for measures, by_form in ((others, True), (costly, False)):
        if measures:
            kinds = view.kind(rankings)
            tied = TiedDocuments.of(rankings, kinds, depth) if by_form else TiedDocuments.every(rankings, depth)
            spread = _spread(tied, measures, view, depth=depth, seed=seed, by_form=by_form)
            found |= {m: _result(m, values[m], tied.queries, spread[m], rankings, depth) for m in measures}
    return {measure: found[measure] for measure in values}


def _spread(
    tied: TiedDocuments, measures: Sequence[Measure], view: View, *, depth: int | None, seed: int, by_form: bool
) -> dict[Measure, Spread]:
    """For each measure what was found for the queries whose order is open."""
    if not view.separable:
        names = Strings.from_list(tied.rankings.qrels.query_ids).hash64()
        whole = Search(tied, streams(seed, names), view, depth, by_form).find(measures)
        return {measure: spread.take(tied.queries) for measure, spread in whole.items()}
    alike = alike_topics(tied, tied.queries)
    random = streams(seed, alike.mark)
    parts = [
        Search(tied.only(some), random[some], view, depth, by_form).find(measures)
        for some in _portions(tied, alike.example)
    ]
    return {measure: Spread.joined([part[measure] for part in parts]).take(alike.which) for measure in measures}


def _portions(tied: TiedDocuments, queries: Ints) -> Iterator[Ints]:
    """The queries in portions that are not too much for the memory."""
    kinds = np.bincount(tied.tie, weights=np.diff(tied.kind, prepend=-1) != 0, minlength=len(tied.ties)) + 1
    cells = np.bincount(tied.ties.query, weights=tied.ties.size * kinds, minlength=len(tied.rankings))[queries]
    portion = (np.cumsum(cells) // _CELLS).astype(np.int64)
    for number in np.unique(portion).tolist():
        yield queries[portion == number]


def _result(
    measure: Measure, value: Floats, queries: Ints, spread: Spread, rankings: Rankings, depth: int | None
) -> TieSpread:
    """What was found for some queries, and for the others the value they have."""
    expected, low, high = value.copy(), value.copy(), value.copy()
    low[queries] = np.minimum(spread.low, value[queries])
    high[queries] = np.maximum(spread.high, value[queries])
    expected[queries] = np.clip(spread.expected, low[queries], high[queries])
    error, method = np.zeros(len(value)), np.zeros(len(value), dtype=np.int64)
    certified = np.ones(len(value), dtype=np.bool_)
    error[queries], method[queries], certified[queries] = spread.error, spread.method, spread.certified
    across = _across(measure, rankings, depth)
    return TieSpread(measure, value, expected, error, low, high, method, certified, rankings.tied > 0, across)


def _across(measure: Measure, rankings: Rankings, depth: int | None) -> Bools:
    """Which queries have a tie across the cutoff of a measure, or across the depth."""
    across = np.zeros(len(rankings), dtype=np.bool_)
    cutoff = measure.parameters.get("cutoff")
    closed_up = rankings.condensed() if measure.parameters.get("judged_only") else rankings
    for ties, end in ((rankings.ties, depth), (closed_up.ties, cutoff)):
        if ties is not None and end is not None:
            across[ties.query[ties.across(end)]] = True
    return across
