"""Scoring runs against judgments."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, overload

import numpy as np

from cranfield.data.costs import Costs
from cranfield.data.frames import as_qrels, as_run
from cranfield.data.preference_counts import count_preferences
from cranfield.data.preferences import Preferences
from cranfield.data.qrels import Qrels
from cranfield.data.rankings import Rankings
from cranfield.data.run import Run
from cranfield.data.strings import Bools, Floats, Strings, decode
from cranfield.data.subtopics import SubtopicRankings, Subtopics
from cranfield.errors import CoverageError, DataError, FormatError, UsageError
from cranfield.evaluation.coverage import Coverage
from cranfield.evaluation.inputs import check_depth, is_file, is_several, run_names, source_name
from cranfield.evaluation.measure_warnings import warnings_of
from cranfield.evaluation.parallel import fork_map
from cranfield.evaluation.result import Evaluation, RunEvaluation
from cranfield.evaluation.streaming import rank_file, rank_run
from cranfield.formats import iter_records, read_preferences, read_qrels, read_run
from cranfield.formats.costs import read_costs
from cranfield.formats.intents import read_intents
from cranfield.measures import Measure, parse_all
from cranfield.measures.judgment_groups import GroupedRankings
from cranfield.measures.parameters import NOT_NEGATIVE
from cranfield.measures.profiles import Profile
from cranfield.measures.profiles import profile as find_profile

DEFAULT_MEASURES = ("nDCG@10", "AP", "RR", "P@10", "R@1000", "Judged@10")
RELEVANCE = {"qrels": "qrels", "qrels_jg": "groups", "prefs": "preferences", "qrels_prefs": "preferences"}
"""The kinds of relevance information, by trec_eval's names, and what measures each can give."""

Measures = str | Measure | Iterable[str | Measure]
OneRun = str | os.PathLike[str] | Run


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
        qrels_format: str | None = None,
        run_format: str | None = None,
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
        """
        if relevance not in RELEVANCE:
            raise UsageError(f"unknown relevance format {relevance!r}; there are: {', '.join(RELEVANCE)}")
        self.profile = find_profile(profile)
        wanted = measures if isinstance(measures, Iterable) and not isinstance(measures, str) else [measures]
        self.level = NOT_NEGATIVE.accept(level, "the least relevant grade (-l, level=)")
        self.depth = check_depth(depth)
        self.judged_only = judged_only
        self.complete = complete
        self.measures = tuple(dict.fromkeys(self.adapt(measure) for measure in parse_all(wanted)))
        if not self.measures:
            raise UsageError("no measure is named")
        self.missing = self.profile.missing_if_complete if complete else self.profile.missing
        self.relevance = relevance
        self.run_format = run_format
        self.intents = intents
        self.subtopics: Subtopics | None = None
        self._check_measures()
        self.costs = self._load_costs(costs, default_cost)
        self.qrels = self._load(qrels, qrels_format)
        if isinstance(self.qrels, Qrels):
            for measure in self.measures:
                measure.check_judgments(self.qrels, source_name(qrels, self.qrels.name))

    def adapt(self, measure: Measure) -> Measure:
        """The measure with what this evaluation says for all measures: the level, and judged documents only."""
        measure = measure.at_level(self.level)
        if self.judged_only and "judged_only" in measure.definition.parameters:
            measure = measure(judged_only=True)
        return measure

    def _check_measures(self) -> None:
        for measure in self.measures:
            measure.check_parameters()
            needs = "qrels" if measure.definition.needs == "subtopics" else measure.definition.needs
            if needs not in ("anything", RELEVANCE[self.relevance]):
                fitting = " or ".join(f"-R {name}" for name, gives in RELEVANCE.items() if gives == needs)
                raise UsageError(
                    f"{measure} cannot be computed from {self.relevance!r}: it needs {fitting} "
                    f"(relevance={next(n for n, gives in RELEVANCE.items() if gives == needs)!r})"
                )
        if self.intents is not None and not any(m.definition.needs == "subtopics" for m in self.measures):
            raise UsageError(
                "--intents (intents=) says how likely subtopics are meant, and none of the measures looks at subtopics"
            )

    def _load_costs(self, costs: Any, default: float | None) -> Costs | None:
        if costs is None and default is not None:
            raise UsageError("--default-cost (default_cost=) is for documents that --costs does not list; add --costs")
        if costs is None:
            return None
        if self.relevance != "qrels" or not any(measure.looks_at_costs for measure in self.measures):
            raise UsageError(
                "--costs (costs=) says what reading costs, and none of the measures looks at that; TBG, U, BPM, IFT_C2 "
                "and value=EC or ETC do"
            )
        if is_file(costs):
            costs = read_costs(costs)
        return (costs if isinstance(costs, Costs) else Costs.from_dict(costs)).or_else(default)

    def _load(self, qrels: Any, format: str | None) -> Qrels | Preferences:
        if self.relevance == "prefs":
            if isinstance(qrels, Preferences):
                return qrels
            return read_preferences(qrels, format=format)
        judged = read_qrels(qrels, format=format) if is_file(qrels) else as_qrels(qrels)
        if self.profile.whole_grades and (judged.grade != np.floor(judged.grade)).any():
            raise _not_whole(judged, qrels, format, self.profile)
        if self.relevance == "qrels_prefs":
            return Preferences.from_qrels(judged)
        where = source_name(qrels, judged.name)
        by_subtopic = next((measure for measure in self.measures if measure.definition.needs == "subtopics"), None)
        if by_subtopic is not None:
            self.subtopics = self._by_subtopic(judged, where, by_subtopic)
            return self.subtopics.qrels
        if self.relevance == "qrels" and judged.judged_twice:
            query, document = judged.judged_twice
            raise DataError(
                f"{where}: document {document!r} is judged more than once for query {query!r}, under different "
                f"values of the second column. Are these several assessors (-R qrels_jg)? Or subtopics, for diversity "
                f"measures such as alpha_nDCG@20? Beside one of those, the others take the highest grade."
            )
        return judged

    def _by_subtopic(self, judged: Qrels, where: str, measure: Measure) -> Subtopics:
        """The judgments by subtopic; an error in the name of the measure that needs them if there are no subtopics."""
        if len(judged.iteration_ids) < 2:
            found = "are none" if judged.iteration is None else f"is only {decode(judged.iteration_ids[0])!r}"
            raise DataError(
                f"{where}: {measure} needs judgments by subtopic, and there {found}. Subtopics are named in the second "
                f"column of TREC qrels, or in a column named subtopic."
            )
        intents = read_intents(self.intents) if is_file(self.intents) else self.intents
        if not isinstance(intents, Mapping | None):
            raise UsageError(f"intents is {type(intents).__name__}, not a file or {{query: {{subtopic: probability}}}}")
        return Subtopics(judged, intents, intents_name=source_name(self.intents, "intents"))

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
        if isinstance(self.qrels, Preferences):
            return Evaluation(tuple(self._preferences(self._in_memory(run), name) for run, name in pairs))
        if self.relevance == "qrels_jg":
            return Evaluation(tuple(self._groups(self._in_memory(run), name) for run, name in pairs))
        alone = len(pairs) == 1
        tasks = [partial(self._judged, run, name, split=alone) for run, name in pairs]
        if alone or not all(isinstance(run, (str, os.PathLike)) for run in runs):
            return Evaluation(tuple(task() for task in tasks))
        _ = self.qrels.table  # built once, before the processes part
        return Evaluation(tuple(fork_map(tasks)))

    def _judged(self, run: Any, name: str, *, split: bool) -> RunEvaluation:
        """One run by plain judgments."""
        assert isinstance(self.qrels, Qrels)
        single = self.profile.single_precision
        if is_file(run) and self.costs is None:
            ranked = rank_file(run, self.qrels, single=single, input_format=self.run_format, split=split)
        else:
            whole = read_run(run, format=self.run_format) if is_file(run) else as_run(run, name=name)
            ranked = rank_run(whole, self.qrels, single=single, costs=self.costs)
        rankings = self.prepare(ranked.rankings)
        coverage = Coverage.of(ranked._replace(rankings=replace(ranked.rankings, level=float(self.level))))
        return self._finish(rankings, rankings.qrels.queries, coverage, name, ranked.tag)

    def _in_memory(self, run: Any) -> Run:
        return read_run(run, format=self.run_format) if is_file(run) else as_run(run)

    def prepare(self, rankings: Rankings) -> Rankings:
        """Rankings with what this evaluation says for all runs: how levels of recall are rounded, and the depth."""
        rankings = replace(rankings, recall_rounding=self.profile.recall_rounding)
        return rankings if self.depth is None else rankings.cut(self.depth)

    def _groups(self, run: Run, name: str) -> RunEvaluation:
        assert isinstance(self.qrels, Qrels)
        single = self.profile.single_precision
        groups = []
        for assessor in self.qrels.iteration_ids:
            judged = self.qrels.of_iteration(assessor)
            where = np.array([self.qrels.position[query] for query in judged.query_ids], dtype=np.int64)
            rankings = self.prepare(Rankings.join(judged, run, single=single))
            groups.append((where, rankings.condensed() if self.judged_only else rankings))
        grouped = GroupedRankings(len(self.qrels.query_ids), tuple(groups))
        coverage = Coverage.of(rank_run(run, self.qrels, single=single))
        return self._finish(grouped, self.qrels.queries, coverage, name, run.tag)

    def _preferences(self, run: Run, name: str) -> RunEvaluation:
        assert isinstance(self.qrels, Preferences)
        counts = count_preferences(self.qrels, run, single=self.profile.single_precision, depth=self.depth)
        query = Strings.from_list(self.qrels.query_ids).take(self.qrels.query)
        documents = Qrels(query, self.qrels.documents, np.ones(len(self.qrels)), name=self.qrels.name)
        coverage = Coverage.of(rank_run(run, documents, single=False))
        return self._finish(counts, self.qrels.queries, coverage, name, run.tag)

    def _finish(self, data: Any, queries: tuple[str, ...], coverage: Coverage, name: str, tag: str) -> RunEvaluation:
        """Compute the measures and apply what the profile says about topics the run lacks."""
        if self.missing == "skip":
            coverage = coverage._replace(missing_means="left out")
        missing = set(coverage.missing)
        found = np.array([query not in missing for query in queries], dtype=np.bool_)
        self._check_coverage(coverage, queries, name)
        columns: dict[Measure, Any] = {}
        by_subtopic = None if self.subtopics is None else SubtopicRankings(data, self.subtopics)
        for measure in self.measures:
            values = measure.compute(by_subtopic if measure.definition.needs == "subtopics" else data)
            if missing and not self.profile.lists_missing and _zero_is_worst(measure):
                values = _nothing_for(values, ~found)
            columns[measure] = values
        kept = np.ones(len(queries), dtype=np.bool_)
        if missing and self.missing == "skip":
            kept = found
            rows = np.flatnonzero(found)
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
        )

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
        if self.costs is not None:
            settings |= {"costs": self.costs.name, "default_cost": self.costs.default}
        return settings if self.intents is None else {**settings, "intents": source_name(self.intents, "intents")}

    def _check_coverage(self, coverage: Coverage, queries: tuple[str, ...], name: str) -> None:
        coverage.require_common_topics(queries, name)
        if coverage.missing and self.missing == "error":
            some = ", ".join(coverage.missing[:5])
            raise CoverageError(
                f"{name}: no documents for {len(coverage.missing)} of {coverage.judged} judged topics ({some}), where "
                f"trec_eval 10 stops. Add -c (complete=True) to count them as 0."
            )


@overload
def evaluate(
    qrels: Any, runs: OneRun, measures: Measures = ..., *, profile: str | Profile = ..., **options: Any
) -> RunEvaluation: ...


@overload
def evaluate(
    qrels: Any, runs: list[OneRun], measures: Measures = ..., *, profile: str | Profile = ..., **options: Any
) -> Evaluation: ...


@overload
def evaluate(
    qrels: Any, runs: Any, measures: Measures = ..., *, profile: str | Profile = ..., **options: Any
) -> Any: ...


def evaluate(
    qrels: Any,
    runs: Any,
    measures: Measures = DEFAULT_MEASURES,
    *,
    profile: str | Profile = "cranfield",
    **options: Any,
) -> Any:
    """Score one run (gives a `RunEvaluation`) or several, in a list or a dict by name (gives an `Evaluation`).

    Judgments and runs are paths, file objects, `Qrels` and `Run`, dicts of dicts, lists of tuples, or pandas, polars
    and Arrow tables. `options` are those of `Evaluator`.

    >>> qrels = {"q1": {"d1": 1}, "q2": {"d2": 1}}
    >>> evaluate(qrels, {"q1": {"d1": 0.9}}, "RR").mean["RR"]  # (1 + 0) / 2
    0.5
    """
    evaluator = Evaluator(qrels, measures, profile=profile, **options)
    if not is_several(runs):
        return evaluator(runs)
    if isinstance(runs, Mapping):
        return evaluator.evaluate_all(list(runs.values()), names=list(runs))
    return evaluator.evaluate_all(list(runs))


def _not_whole(qrels: Qrels, given: Any, format: str | None, profile: Profile) -> DataError:
    """The error for a grade that is a fraction, with its line where the judgments come from a file."""
    row = int(np.flatnonzero(qrels.grade != np.floor(qrels.grade))[0])
    reason = (
        f"grade {qrels.grade[row]:g} of document {decode(qrels.documents[row])!r} is not a whole number, which "
        f"{profile.name} needs. The cranfield profile takes fractions."
    )
    if isinstance(given, (str, os.PathLike)) and os.fspath(given) != "-":
        for source, piece in iter_records("qrels", given, format=format):
            odd = np.flatnonzero(piece.columns.numbers["relevance"] == qrels.grade[row])
            if len(odd):
                return FormatError(reason, source=source.name, line=int(piece.place[odd[0]]))
    return FormatError(reason, source=qrels.name)


def _zero_is_worst(measure: Measure) -> bool:
    """Whether a topic that the run lacks may count as 0; else its value is that of an empty list."""
    return not measure.definition.without_run and measure.more_is_better is not False


def _nothing_for(values: Any, missing: Bools) -> Any:
    if isinstance(values, list):
        return ["" if gone else text for text, gone in zip(values, missing.tolist(), strict=True)]
    zeroed: Floats = np.where(missing, 0.0, values)
    return zeroed
