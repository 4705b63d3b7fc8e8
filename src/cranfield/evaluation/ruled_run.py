"""A run on which the rules of a profile can be tried: what a measure gets to see, its values, and who counts."""

from __future__ import annotations

import copy
import math
from dataclasses import replace
from typing import Any

import numpy as np

from cranfield.data.qrels import Qrels
from cranfield.data.rankings import Rankings
from cranfield.data.reranking import Order, Reranking
from cranfield.data.run import Run
from cranfield.data.strings import Bools
from cranfield.data.subtopics import SubtopicRankings, Subtopics
from cranfield.evaluation.missing_topics import nothing_for, zero_is_worst
from cranfield.measures import Measure
from cranfield.measures.profile_rules import Profile


class RuledRun:
    """A run joined with judgments. Whatever rules have in common is computed once."""

    def __init__(
        self,
        qrels: Qrels,
        run: Run,
        *,
        subtopics: Subtopics | None = None,
        level: float = 1.0,
        depth: int | None = None,
    ) -> None:
        self.qrels = qrels
        self.reranking = Reranking(qrels, run)
        self.subtopics = subtopics
        self.level = level
        self.depth = depth
        self.found: Bools = self.reranking.rankings.retrieved > 0
        """For each query, whether the run has it."""
        self._at_level: dict[float, RuledRun] = {}
        self._judgments: dict[tuple[bool, bool], Qrels] = {}
        self._rankings: dict[tuple[Any, ...], Rankings] = {}
        self._by_subtopic: dict[int, SubtopicRankings] = {}
        self._values: dict[tuple[Any, ...], Any] = {}

    def at_level(self, level: float) -> RuledRun:
        """The same where another grade is the least that counts as relevant."""
        if level not in self._at_level:
            other = self._at_level[level] = copy.copy(self)
            other.level, other._judgments = level, {}
        return self._at_level[level]

    def seen(self, measure: Measure, rules: Profile, *, order: Order | None = None) -> Rankings | SubtopicRankings:
        """What a measure gets to see by these rules; `order` puts tied documents in another order."""
        rankings = self.rankings(rules, order=order)
        if self.subtopics is None or measure.definition.needs != "subtopics":
            return rankings
        return self._by_subtopic.setdefault(id(rankings), SubtopicRankings(rankings, self.subtopics))

    def rankings(self, rules: Profile, *, order: Order | None = None) -> Rankings:
        """The rankings by these rules; the very same object where rules make no difference."""
        ties: Order = order or ("given" if rules.ties == "any" else rules.ties)
        ranked = self.reranking.ranked(ties=ties, single=rules.single_precision, drops_own=rules.drops_own)
        qrels = self._judged(rules)
        depth = min((one for one in (self.depth, rules.depth) if one is not None), default=None)
        if depth is not None and depth >= int(ranked.retrieved.max(initial=0)):
            depth = None
        above = self.reranking.above_zero if rules.unretrieved == "scored 0" else None
        key = (id(ranked), id(qrels), rules.recall_rounding, depth, id(above))
        if key not in self._rankings:
            made = replace(ranked, qrels=qrels, recall_rounding=rules.recall_rounding, unretrieved_below=above)
            self._rankings[key] = made if depth is None else made.cut(depth)
        return self._rankings[key]

    def _judged(self, rules: Profile) -> Qrels:
        """The judgments with the grades that these rules make of them; the very same where they change none."""
        grade = self.qrels.grade
        negative = rules.negative == "not relevant" and bool((grade < 0).any())
        low = rules.level_for_all and bool(((grade > 0) & (grade < self.level)).any())
        if not (negative or low):
            return self.qrels
        if (negative, low) not in self._judgments:
            changed = np.maximum(grade, 0.0) if negative else grade
            changed = np.where((changed > 0) & (changed < self.level), 0.0, changed) if low else changed
            self._judgments[negative, low] = self.qrels.with_grades(changed)
        return self._judgments[negative, low]

    def values(self, measure: Measure, rules: Profile, *, order: Order | None = None) -> Any:
        """The value of a measure for each query of the judgments."""
        measure = as_ruled(measure, rules)
        seen = self.seen(measure, rules, order=order)
        forced = not rules.lists_missing and zero_is_worst(measure) and not self.found.all()
        key = (measure, id(seen), rules.topic_places, forced)
        if key not in self._values:
            values = measure.compute(seen)
            if rules.topic_places is not None:
                values = np.array([round(value, rules.topic_places) for value in values.tolist()])
            self._values[key] = nothing_for(values, ~self.found) if forced else values
        return self._values[key]

    def counted(self, rules: Profile) -> Bools:
        """Which queries count; those that are an error are to be refused before."""
        counted = np.ones(len(self.found), dtype=np.bool_)
        if rules.missing == "skip":
            counted &= self.found
        if rules.without_relevant == "skip":
            counted &= self.qrels.count(1) > 0
        return counted

    def mean(self, measure: Measure, rules: Profile) -> float:
        """The mean over the queries that count, not rounded."""
        return measure.aggregate(self.values(measure, rules)[self.counted(rules)])


def as_ruled(measure: Measure, rules: Profile) -> Measure:
    """The measure that is computed where rules change its meaning."""
    if rules.beta_is_squared and measure.name == "SetF" and measure.parameters["alpha"] is None:
        return measure(beta=math.sqrt(measure.parameters["beta"]))
    return measure
