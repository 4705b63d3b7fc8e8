"""Scoring runs against judgments."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.data.frames import as_run
from cranfield.data.preferences import Preferences
from cranfield.data.qrels import Qrels
from cranfield.data.rankings import Rankings
from cranfield.data.run import Run
from cranfield.data.strings import Bools, Strings
from cranfield.errors import UsageError
from cranfield.evaluation.coverage import Coverage
from cranfield.evaluation.inputs import check_depth, check_ties, is_file, is_several, run_names, source_name
from cranfield.evaluation.judgments_given import RELEVANCE, check_measures, read_judgments
from cranfield.evaluation.measure_warnings import warnings_of
from cranfield.evaluation.missing_topics import MissingTopics, nothing_for, zero_is_worst
from cranfield.evaluation.parallel import fork_map
from cranfield.evaluation.provenance.origin import Origin, read_input
from cranfield.evaluation.result import ByMeasure, Evaluation, RunEvaluation
from cranfield.evaluation.streaming import RankedRun, rank_file, rank_run
from cranfield.formats import read_run
from cranfield.measures import Measure, parse_all, parse_one
from cranfield.measures.parameters import NOT_NEGATIVE
from cranfield.measures.profiles import Profile
from cranfield.measures.profiles import profile as find_profile

DEFAULT_MEASURES = ("nDCG@10", "AP", "RR", "P@10", "R@1000", "Judged@10")

if TYPE_CHECKING:
    from cranfield.evaluation.bounds.residual import Residual
    from cranfield.evaluation.bounds.tie_spread import TieSpread
    from cranfield.evaluation.ruled_run import RuledRun
    from cranfield.measures.holes.scale import Scale

Measures = str | Measure | Iterable[str | Measure]


class Evaluator:
    """Judgments and measures prepared once, for many runs.

    >>> evaluator = Evaluator({"q1": {"d1": 1, "d2": 0}}, ["RR", "P@1"])
    >>> evaluator({"q1": {"d2": 0.9, "d1": 0.8}}).mean
    {'RR': 0.5, 'P@1': 0.0}
    """

    def __init__(
        self,
        qrels: Any,
        measures: Measures = DEFAULT_MEASURES,
        *,
        profile: str | Profile = "cranfield",
        level: float = 1,
        depth: int | None = None,
        judged_only: bool = False,
        complete: bool = False,
        relevance: str = "qrels",
        intents: Any = None,
        costs: Any = None,
        default_cost: float | None = None,
        ties: str = "docid",
        seed: int = 0,
        residuals: bool = False,
        highest_grade: float | None = None,
        intervals: str | None = None,
        confidence: float = 0.95,
        qrels_format: str | None = None,
        run_format: str | None = None,
        provenance: bool = False,
    ) -> None:
        """Prepare.

        `level` is the least grade that is relevant (-l), `depth` how many documents of each query are looked at (-M),
        `judged_only` drops unjudged documents before ranking (-J), `complete` counts judged topics the run lacks as 0
        (-c; the cranfield profile always does), `relevance` says what the judgments are (-R), `intents` how likely each
        subtopic is meant: a file of `query subtopic probability`, or `{query: {subtopic: probability}}` (--intents).
        `costs` says what it costs to read documents, for user models: a file of `document cost` or `query document
        cost`, or `{document: cost}` or `{query: {document: cost}}` (--costs), `default_cost` what a document costs that
        is not listed there, or that comes below the end of a list (--default-cost; there it is the mean of all costs
        otherwise).

        `ties` says what is made of tied scores: documents in order of their identifiers (`docid`), the expected value
        over all orders in place of that (`expected`), or beside it, with the lowest and the highest (`range`); either
        way `RunEvaluation.ties` has all of them. `seed` is that of the orders that are drawn where there are too many.

        `residuals` asks between what values each value could lie if the documents retrieved and not judged were judged
        (--residuals); `RunEvaluation.residuals` has the answer. `highest_grade` is the highest grade they could have,
        where that is none of the judgments (--highest-grade). `intervals` asks for all that a mean leaves open
        (--intervals): ties and residuals, as far as there are such here, and an interval over topics by Student's `t`
        or the `bootstrap`, of this `confidence`; `RunEvaluation.intervals` has them.

        `provenance` takes hashes of all that is read while it is read, and `to_dict` has them; without it results have
        them too (`provenance`), but of files alone, taken when they are first asked for.
        """
        if relevance not in RELEVANCE:
            raise UsageError(f"unknown relevance format {relevance!r}; there are: {', '.join(RELEVANCE)}")
        self.profile = find_profile(profile)
        self.provenance = provenance
        wanted = measures if isinstance(measures, Iterable) and not isinstance(measures, str) else [measures]
        if measures is DEFAULT_MEASURES:
            wanted = _usual_measures(self.profile)
        self.level = NOT_NEGATIVE.accept(level, "the least relevant grade (-l, level=)")
        self.depth = check_depth(depth)
        self.judged_only = judged_only
        self.complete = complete
        self.measures = tuple(dict.fromkeys(self.adapt(measure) for measure in parse_all(wanted)))
        if not self.measures:
            raise UsageError("no measure is named")
        self.rules = {measure: self.profile.for_measure(measure) for measure in self.measures}
        self.missing_topics = MissingTopics.of(self.rules, self.profile, complete=complete)
        self.missing = self.missing_topics.policy
        self.relevance = relevance
        self.sampling = None if intervals is None else {"intervals": intervals, "confidence": confidence}
        if intervals is not None and self.plain:
            ties, residuals = "range", relevance == "qrels" and not judged_only
        self.ties, self.seed = check_ties(ties, seed, plain=self.plain, profile=self.profile.name)
        self.run_format = run_format
        self.intents = intents
        check_measures(self.measures, relevance, intents=intents is not None)
        self.qrels, self.subtopics, self.costs, self.inputs = read_judgments(
            qrels,
            self.rules,
            profile=self.profile,
            relevance=relevance,
            format=qrels_format,
            intents=intents,
            costs=costs,
            default_cost=default_cost,
            hashed=provenance,
        )
        self.scale = self._scale(residuals, highest_grade)

    def _scale(self, residuals: bool, highest_grade: float | None) -> Scale | None:
        """The grades that unjudged documents could have, if residuals are asked for."""
        if not residuals and highest_grade is None:
            return None
        from cranfield.evaluation.bounds.residuals import scale_for

        return scale_for(self, highest_grade, asked=residuals)

    def adapt(self, measure: Measure) -> Measure:
        """The measure with what this evaluation says for all measures: the level, judged documents only, and what its
        parameters are in the tool of the profile."""
        measure = self.profile.adapt(measure.at_level(self.level))
        if self.judged_only and "judged_only" in measure.definition.parameters:
            measure = measure(judged_only=True)
        return measure

    @property
    def origin(self) -> Origin:
        """Where values that are made now come from, but for the run."""
        return Origin(self.profile, self.inputs, time.time(), self.provenance)

    def __call__(self, run: Any, *, name: str | None = None) -> RunEvaluation:
        """Evaluate one run: a path, a Run, a dict of dicts, tuples or a dataframe."""
        if is_several(run):
            raise UsageError("an evaluator is called with one run; evaluate_all takes several")
        return next(iter(self.evaluate_all([run], names=[name] if name else None).values()))

    def evaluate_all(self, runs: Sequence[Any], *, names: Sequence[str] | None = None) -> Evaluation:
        """Evaluate several runs; files are read side by side."""
        if not len(runs):
            raise UsageError("there is no run to evaluate")
        names = names or run_names(runs)
        pairs = list(zip(runs, names, strict=True))
        alone = len(pairs) == 1
        tasks = [partial(self._evaluate, run, name, alone=alone) for run, name in pairs]
        if alone or self.relevance != "qrels" or not all(isinstance(run, (str, os.PathLike)) for run in runs):
            return Evaluation(tuple(task() for task in tasks))
        assert isinstance(self.qrels, Qrels)
        _ = self.qrels.table  # built once, before the processes part
        return Evaluation(tuple(fork_map(tasks)))

    def _evaluate(self, run: Any, name: str, *, alone: bool) -> RunEvaluation:
        """One run, with where its values come from."""

        def evaluated(run: Any) -> RunEvaluation:
            if isinstance(self.qrels, Preferences):
                return self._preferences(self._in_memory(run), name)
            if self.relevance == "qrels_jg":
                return self._groups(self._in_memory(run), name)
            return self._judged(run, name, split=alone)

        record = partial(read_input, "run", hashed=self.provenance, format=self.run_format)
        if is_file(run):
            result, source = record(run, partial(evaluated, run), alone=alone)
        else:
            whole, source = record(run, partial(as_run, run, name=name))
            result = evaluated(whole)
        return replace(result, origin=self.origin.also(source))

    def _judged(self, run: Any, name: str, *, split: bool) -> RunEvaluation:
        """One run by plain judgments."""
        assert isinstance(self.qrels, Qrels)
        single = self.profile.single_precision
        if not self.plain:
            whole = self._in_memory(run)
            coverage = self._coverage(rank_run(whole, self.qrels, single=single))
            return self._finish(self.ruled(whole), self.qrels.queries, coverage, name, whole.tag)
        keep_ties = self.ties != "docid"
        if is_file(run) and self.costs is None:
            ranked = rank_file(
                run, self.qrels, single=single, input_format=self.run_format, split=split, keep_ties=keep_ties
            )
        else:
            whole = read_run(run, format=self.run_format) if is_file(run) else as_run(run, name=name)
            ranked = rank_run(whole, self.qrels, single=single, costs=self.costs, keep_ties=keep_ties)
        data, queries = self.prepare(ranked.rankings), ranked.rankings.qrels.queries
        return self._finish(data, queries, self._coverage(ranked), name, ranked.tag, given=ranked.rankings)

    def _coverage(self, ranked: RankedRun) -> Coverage:
        return Coverage.of(ranked._replace(rankings=replace(ranked.rankings, level=float(self.level))))

    @property
    def plain(self) -> bool:
        """Whether one and the same ranking serves all measures, so that a run need not be held in memory."""
        single = self.profile.single_precision
        return all(rules.plain and rules.single_precision == single for rules in self.rules.values())

    def ruled(self, run: Run) -> RuledRun:
        """A run to which each measure's own rules are applied."""
        from cranfield.evaluation.ruled_run import RuledRun

        assert isinstance(self.qrels, Qrels)
        return RuledRun(self.qrels, run, subtopics=self.subtopics, level=float(self.level), depth=self.depth)

    def _in_memory(self, run: Any) -> Run:
        ranks = any(rules.ties == "rank" for rules in self.rules.values())
        return read_run(run, format=self.run_format, ranks=ranks) if is_file(run) else as_run(run)

    def prepare(self, rankings: Rankings) -> Rankings:
        """Rankings with what this evaluation says for all runs: how levels of recall are rounded, and the depth."""
        rankings = replace(rankings, recall_rounding=self.profile.recall_rounding)
        return rankings if self.depth is None else rankings.cut(self.depth)

    def data_of(self, run: Run) -> Any:
        """What measures get to see of a run in memory: rankings, those of each assessor, or counts of preferences."""
        single = self.profile.single_precision
        if isinstance(self.qrels, Preferences):
            from cranfield.data.preference_counts import count_preferences

            return count_preferences(self.qrels, run, single=single, depth=self.depth)
        if self.relevance != "qrels_jg":
            return self.prepare(Rankings.join(self.qrels, run, single=single, costs=self.costs))
        from cranfield.measures.judgment_groups import GroupedRankings

        groups = []
        for assessor in self.qrels.iteration_ids:
            judged = self.qrels.of_iteration(assessor)
            where = np.array([self.qrels.position[query] for query in judged.query_ids], dtype=np.int64)
            rankings = self.prepare(Rankings.join(judged, run, single=single))
            groups.append((where, rankings.condensed() if self.judged_only else rankings))
        return GroupedRankings(len(self.qrels.query_ids), tuple(groups))

    def _groups(self, run: Run, name: str) -> RunEvaluation:
        assert isinstance(self.qrels, Qrels)
        coverage = Coverage.of(rank_run(run, self.qrels, single=self.profile.single_precision))
        return self._finish(self.data_of(run), self.qrels.queries, coverage, name, run.tag, given=run)

    def _preferences(self, run: Run, name: str) -> RunEvaluation:
        assert isinstance(self.qrels, Preferences)
        query = Strings.from_list(self.qrels.query_ids).take(self.qrels.query)
        documents = Qrels(query, self.qrels.documents, np.ones(len(self.qrels)), name=self.qrels.name)
        coverage = Coverage.of(rank_run(run, documents, single=False))
        return self._finish(self.data_of(run), self.qrels.queries, coverage, name, run.tag, given=run)

    def _finish(
        self,
        data: Any,
        queries: tuple[str, ...],
        coverage: Coverage,
        name: str,
        tag: str,
        *,
        given: Rankings | Run | None = None,
    ) -> RunEvaluation:
        """Compute the measures and apply what the profile says about topics the run lacks."""
        if self.missing == "skip":
            coverage = coverage._replace(missing_means="left out")
        missing = set(coverage.missing)
        found = np.array([query not in missing for query in queries], dtype=np.bool_)
        self.missing_topics.check(coverage, queries, name)
        columns: dict[Measure, Any] = {}
        kept = found if self.missing == "skip" else np.ones(len(queries), dtype=np.bool_)
        if self.relevance == "qrels" and not self.plain:
            columns = {measure: data.values(measure, rules) for measure, rules in self.rules.items()}
            kept = kept & data.counted(self.rules[self.measures[0]]._replace(missing="zero"))
        else:
            by_subtopic = None
            if self.subtopics is not None:
                from cranfield.data.subtopics import SubtopicRankings

                by_subtopic = SubtopicRankings(data, self.subtopics)
            for measure in self.measures:
                values = measure.compute(by_subtopic if measure.definition.needs == "subtopics" else data)
                if missing and not self.profile.lists_missing and zero_is_worst(measure):
                    values = nothing_for(values, ~found)
                columns[measure] = values
        ties = {} if given is None else self._over_ties(columns, given)
        residuals = self._left_open(columns, data, ~found)
        if self.ties == "expected":
            columns |= {measure: spread.expected for measure, spread in ties.items()}
        if not kept.all():
            rows = np.flatnonzero(kept)
            ties = {measure: spread.rows(rows) for measure, spread in ties.items()}
            residuals = {measure: residual.rows(rows) for measure, residual in residuals.items()}
            columns = {m: v[rows] if isinstance(v, np.ndarray) else [v[r] for r in rows] for m, v in columns.items()}
            queries = tuple(queries[row] for row in rows)
        listed = found[kept] if not self.profile.lists_missing else np.ones(int(kept.sum()), dtype=np.bool_)
        return RunEvaluation(
            name,
            tag,
            self.profile.name,
            self.measures,
            queries,
            columns,
            listed,
            coverage,
            self.settings,
            warnings=self.warnings,
            ties=ByMeasure(ties),
            residuals=ByMeasure(residuals),
        )

    def _left_open(self, columns: Mapping[Measure, Any], data: Any, missing: Bools) -> dict[Measure, Residual]:
        """What unjudged documents leave open, if that was asked for."""
        if self.scale is None:
            return {}
        from cranfield.evaluation.bounds.residuals import residuals_of

        found = residuals_of(columns, data, self.scale)
        if not missing.any() or self.profile.lists_missing:
            return found
        return {m: one.with_nothing_for(missing) if zero_is_worst(m) else one for m, one in found.items()}

    def _over_ties(self, columns: Mapping[Measure, Any], given: Rankings | Run) -> dict[Measure, TieSpread]:
        """What ties leave open, if that was asked for; text has no range."""
        if self.ties == "docid":
            return {}
        from cranfield.evaluation.bounds.ties import spread_over_ties

        values = {measure: column for measure, column in columns.items() if isinstance(column, np.ndarray)}
        return spread_over_ties(self, values, given)

    @cached_property
    def warnings(self) -> dict[Measure, tuple[str, ...]]:
        """What is to be said about some measures wherever their values are shown."""
        said = {measure: warnings_of(measure, self.qrels, self.costs) for measure in self.measures}
        return {measure: warnings for measure, warnings in said.items() if warnings}

    @property
    def settings(self) -> dict[str, Any]:
        """What this evaluation says for all measures and runs."""
        settings: dict[str, Any] = {
            "level": self.level,
            "depth": self.depth,
            "judged_only": self.judged_only,
            "complete": self.complete,
            "relevance": self.relevance,
        }
        if self.ties != "docid":
            settings |= {"ties": self.ties, "seed": self.seed}
        if self.scale is not None:
            settings |= {"residuals": True, "highest_grade": self.scale.highest}
        if self.sampling is not None:
            settings |= {**self.sampling, "seed": self.seed}
        if self.costs is not None:
            settings |= {"costs": self.costs.name, "default_cost": self.costs.default}
        return settings if self.intents is None else {**settings, "intents": source_name(self.intents, "intents")}


def _usual_measures(profile: Profile) -> list[str]:
    """The default measures, as far as the tool of a profile has them."""
    found = []
    for name in DEFAULT_MEASURES:
        with suppress(UsageError):
            profile.adapt(parse_one(name))
            found.append(name)
    if not found:
        raise UsageError(f"{profile.tool} has none of the usual measures; name one: {', '.join(profile.offers)}")
    return found
