"""The order in which the documents of one topic are best judged to settle a comparison, which listens to judgments."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from cranfield.data.strings import Ints, decode
from cranfield.errors import UsageError, did_you_mean
from cranfield.measures import parse_one
from cranfield.measures.holes.scale import Scale
from cranfield.pooling.flip.bounds import refusal
from cranfield.pooling.flip.chances import Evidence, estimate
from cranfield.pooling.flip.importance import Importance
from cranfield.pooling.flip.side_by_side import OPEN, SideBySide
from cranfield.pooling.flip.ways.case import Case
from cranfield.pooling.orders.material import Material


@dataclass(eq=False)
class FlipOrder:
    """A `JudgingOrder` of documents of a topic: after each judgment, effects and chances are found anew.

    Documents that neither of the two runs returned come last. Which run is likely ahead, and what is relevant, is seen
    over all topics, as they were when the order was made.

    >>> from cranfield import Run
    >>> from cranfield.pooling.candidates import Candidates
    >>> one = Run.from_dict({"q": {"a": 3, "b": 2, "c": 1}}, name="one")
    >>> two = Run.from_dict({"q": {"b": 3, "a": 2, "d": 1}}, name="two")
    >>> material = Material.of(Candidates.of([one, two]), b"q")
    >>> order = FlipOrder.of_material(material, "P@3", "one", "two")
    >>> [order.names[number] for number in order.next(4)]  # c and d decide; a and b count the same in both
    ['c', 'd', 'a', 'b']
    """

    case: Case
    rows: Ints
    """Of the documents, by number."""
    evidence: Evidence
    by: str = "certainty"
    _told: set[int] = field(default_factory=set)

    @classmethod
    def of(cls, case: Case, topic: int, by: str = "certainty", evidence: Evidence | None = None) -> FlipOrder:
        """Of the open documents of a topic, in the byte order of their names."""
        rows = case.both.open[case.both.topic[case.both.open] == topic]
        return cls(case, rows, evidence or Evidence.of(case.both), by)

    @classmethod
    def of_material(
        cls,
        material: Material,
        measure: str,
        first: str,
        second: str,
        *,
        highest_grade: float = 1.0,
        by: str = "certainty",
    ) -> FlipOrder:
        """Of all documents of a topic of which nothing is judged yet, to settle a comparison of two of the runs."""
        asked = parse_one(measure).at_level(material.level)
        reason = refusal(asked)
        if reason:
            raise UsageError(f"{asked} {reason}")
        candidates, documents = material.candidates, len(material)
        row = material.number[candidates.place_document]
        ranks = []
        for name in (first, second):
            if name not in candidates.runs:
                raise UsageError(f"there is no run {name!r} among the candidates{did_you_mean(name, candidates.runs)}")
            of_run = candidates.place_run == candidates.runs.index(name)
            column = np.zeros(documents, dtype=np.int64)
            column[row[of_run]] = candidates.place_rank[of_run]
            ranks.append(column)
        both = SideBySide(
            (material.topic,),
            np.zeros(documents, dtype=np.int32),
            material.documents,
            np.full(documents, OPEN),
            ranks[0],
            ranks[1],
            (ranks[0].max(initial=0, keepdims=True), ranks[1].max(initial=0, keepdims=True)),
            material.level,
        )
        best = np.full(documents, np.nan)
        best[material.number] = np.log(candidates.best_rank)
        support = np.bincount(row, weights=1.0 / np.log2(1.0 + candidates.place_rank), minlength=documents)
        evidence = Evidence(best, support / len(candidates.runs))
        return cls(Case(both, asked, Scale((float(highest_grade),))), np.arange(documents), evidence, by)

    @property
    def names(self) -> list[str]:
        """The documents by number."""
        return [decode(document) for document in self.case.both.documents.take(self.rows).tolist()]

    def next(self, count: int = 1) -> list[int]:
        """Numbers of documents that were not told yet, those to judge first at the beginning; [] at the end."""
        both = self.case.both
        chances = estimate(both, self.evidence, self.case.scale.positive)
        importance = Importance.of(self.case, chances, self.by)
        number = {row: at for at, row in enumerate(self.rows.tolist())}
        in_order = [number[row] for row in both.open[importance.order].tolist() if row in number]
        every = dict.fromkeys([*in_order, *range(len(self.rows))])
        return [one for one in every if one not in self._told][:count]

    def tell(self, document: int, grade: float | None) -> None:
        """A judgment of a document by its number; None if it was skipped: then it is not asked for again."""
        self._told.add(document)
        if grade is not None:
            judged = self.case.both.with_grades(self.rows[[document]], float(grade))
            self.case = self.case.of(judged)
