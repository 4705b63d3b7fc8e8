"""How the measures of the table are computed: one ranking of the run, one set of rules for all of them.

Scores are doubles, equal scores are ordered by document (last first), every judged topic counts, and one that the run
lacks counts 0.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from cranfield.compat.ir_measures.dicts import Places, places_of, rank_dicts
from cranfield.compat.ir_measures.evaluator import Evaluator
from cranfield.compat.ir_measures.inputs import as_dicts, as_qrels, as_run
from cranfield.compat.ir_measures.measure import Measure
from cranfield.compat.ir_measures.reading import RunReader
from cranfield.compat.ir_measures.records import CwlMetric, Metric
from cranfield.compat.ir_measures.translation import USER_MODELS, Grades, Here, translate
from cranfield.data.qrels import Qrels
from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats
from cranfield.data.subtopics import SubtopicRankings, Subtopics
from cranfield.evaluation.streaming import rank_file, rank_run
from cranfield.measures import Measure as OurMeasure

_RECALL_ROUNDING = "add-0.9"
"""How many documents a level of recall asks for, as in pytrec_eval."""
_OTHER_VALUES = ("ETU", "EC", "ETC", "ED")
"""What a `CwlMetric` has of a reader beside the value of the measure, in its order."""


class ListedEvaluator(Evaluator):
    """Evaluates measures of the table."""

    def __init__(self, measures: Sequence[Measure], qrels: Any) -> None:
        judged = as_qrels(qrels)
        super().__init__(measures, set(judged.queries))
        self._subtopics: Subtopics | None = None
        here = {measure: translate(measure, judged) for measure in measures}
        diverse = [measure for measure in measures if here[measure].measure.definition.needs == "subtopics"]
        if diverse or judged.judged_twice:
            self._subtopics = Subtopics(judged)
            judged = self._subtopics.qrels
        if diverse and self._subtopics is not None:
            _warn_of_single_subtopics(self._subtopics, diverse[0])
        self._here: Mapping[Measure, Here] = here
        self._qrels = judged
        self._graded: dict[Grades, Qrels] = {}

    def iter_calc(self, run: Any) -> Iterator[Metric | CwlMetric]:
        """The value of each measure for each judged query, query by query."""
        rankings = self._rank(run)
        values = {measure: self._values(measure, rankings).tolist() for measure in self.measures}
        others = {measure: self._other_values(measure, rankings) for measure in self.measures}
        found = (rankings.retrieved > 0).tolist()
        for row, query in enumerate(self._qrels.queries):
            for measure in self.measures:
                value = values[measure][row]
                if value != value:  # not a number: the query is left out
                    continue
                if found[row] and others[measure]:
                    yield CwlMetric(query, measure, value, *(other[row] for other in others[measure]))
                else:
                    yield Metric(query, measure, value)

    def calc_aggregate(self, run: Any) -> dict[Measure, float]:
        """The mean of each measure over the judged queries, or the sum of a count."""
        rankings = self._rank(run)
        means = {}
        for measure in self.measures:
            values = self._values(measure, rankings)
            aggregator = measure.aggregator()
            for value in values[~np.isnan(values)].tolist():
                aggregator.add(value)
            means[measure] = aggregator.result()
        return means

    def _rank(self, run: Any) -> Rankings:
        rankings: Rankings | None = None
        if isinstance(run, RunReader) and not run.begun and not run.is_empty():
            rankings = rank_file(run.source(), self._qrels, single=False, input_format="trec").rankings
        else:
            dicts = as_dicts(run)
            rankings = None if dicts is None else rank_dicts(dicts, self._qrels, self._places)
        if rankings is None:
            rankings = rank_run(as_run(run), self._qrels, single=False).rankings
        return replace(rankings, recall_rounding=_RECALL_ROUNDING)

    @cached_property
    def _places(self) -> Places:
        return places_of(self._qrels)

    def _values(self, measure: Measure, rankings: Rankings) -> Floats:
        """For each query, the value; not a number where there is none."""
        here = self._here[measure]
        seen = self._seen(here, rankings)
        values = self._compute(here.measure, seen)
        if not here.measure.definition.without_run:
            values = np.where(rankings.retrieved > 0, values, measure.DEFAULT)
        if here.only_found:
            values = np.where(seen.count(seen.at_least(here.measure.parameters["rel"])) > 0, values, np.nan)
        return values

    def _other_values(self, measure: Measure, rankings: Rankings) -> list[list[float]]:
        """For each query, what else is known of the reader of a user model."""
        if measure.NAME not in USER_MODELS:
            return []
        here = self._here[measure]
        seen = self._seen(here, rankings)
        return [self._compute(here.measure(value=value), seen).tolist() for value in _OTHER_VALUES]

    def _compute(self, measure: OurMeasure, rankings: Rankings) -> Floats:
        data: Rankings | SubtopicRankings = rankings
        if measure.definition.needs == "subtopics" and self._subtopics is not None:
            data = SubtopicRankings(rankings, self._subtopics)
        values: Floats = measure.compute(data)
        return values

    def _seen(self, here: Here, rankings: Rankings) -> Rankings:
        """The rankings as a measure sees them."""
        if here.grades is not None:
            rankings = replace(rankings, qrels=self._with_grades(here.grades))
        return rankings if here.depth is None else rankings.cut(here.depth)

    def _with_grades(self, grades: Grades) -> Qrels:
        if grades not in self._graded:
            self._graded[grades] = self._qrels.with_grades(grades.of(self._qrels.grade))
        return self._graded[grades]


def _warn_of_single_subtopics(subtopics: Subtopics, measure: Measure) -> None:
    if np.bincount(subtopics.query, minlength=1).max() < 2:
        warnings.warn(
            f"{measure} is for judgments by subtopic, and no query has more than one. Subtopics are the iteration of a "
            f"Qrel, the second column of a TREC file, or a column named iteration of a DataFrame.",
            stacklevel=6,
        )
