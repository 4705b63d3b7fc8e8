"""One query by itself: its judgments and its ranking, and what a measure makes of them, also if they were different."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from itertools import groupby
from typing import Any

import numpy as np

from cranfield.data.columns import Columns, stack
from cranfield.data.preferences import Preferences
from cranfield.data.qrels import Qrels
from cranfield.data.rankings import Rankings
from cranfield.data.run import Run, as_single
from cranfield.data.strings import Numbered, Strings, decode
from cranfield.data.subtopics import SubtopicRankings
from cranfield.errors import DataError, UsageError
from cranfield.evaluation.evaluator import Evaluator
from cranfield.evaluation.judgments_given import refusal
from cranfield.evaluation.ruled_run import as_ruled
from cranfield.measures import Measure
from cranfield.measures.profiles import Profile, Ties

NOT_JUDGED = -1.0
"""The grade of a document that is not judged, where every document has one."""

_SLIP = 0.85
"""How alike two identifiers are that may be meant for each other: most look alike anyway."""
_BY = {"subtopics": "grades by subtopic", "groups": "grades by assessor"}

Value = float | str
Grade = float | str


@dataclass(frozen=True, eq=False)
class OneQuery:
    """The judgments and the ranking of a single query, as an evaluator and its only measure see them."""

    evaluator: Evaluator
    run: Run
    grades: Mapping[bytes, Grade]
    """What is shown as the grade of each judged document: the grades by subtopic or assessor in a text."""
    labels: Mapping[bytes, str]
    """What documents are called, where that is not their identifier."""

    @property
    def measure(self) -> Measure:
        return self.evaluator.measures[0]

    @property
    def rules(self) -> Profile:
        """What the profile says for the measure."""
        return self.evaluator.rules[self.measure]

    @property
    def order_of_ties(self) -> Ties:
        """In what order documents of the same score stand."""
        if self.evaluator.relevance == "qrels":
            return self.rules.ties
        return "document-up" if isinstance(self.evaluator.qrels, Preferences) else "document-down"

    @property
    def computed(self) -> Measure:
        """The measure that is computed, where the profile changes its meaning."""
        return as_ruled(self.measure, self.rules)

    @property
    def query(self) -> bytes:
        return self.evaluator.qrels.query_ids[0]

    def label(self, document: bytes) -> str:
        """What a document is called."""
        return self.labels.get(document) or decode(document)

    def is_good(self, document: bytes) -> bool:
        """Whether it is judged, and not with the lowest grade."""
        grade = self.grades.get(document, 0.0)
        return isinstance(grade, str) or grade > 0

    # What the measure sees

    @cached_property
    def data(self) -> Any:
        """What the measure is computed from."""
        return _seen(self.evaluator, self.run)

    @cached_property
    def data_of_all(self) -> Any:
        """The same where every document that is retrieved counts as judged, with the grade -1: not judged after all.

        Most measures make no difference between that and a document that is absent from the judgments.
        """
        evaluator = copy(self.evaluator)
        assert isinstance(evaluator.qrels, Qrels)
        evaluator.qrels = self._all_documents(evaluator.qrels)
        if evaluator.subtopics is not None:
            evaluator.subtopics = copy(evaluator.subtopics)
            evaluator.subtopics.qrels = evaluator.qrels
        return _seen(evaluator, self.run)

    def _all_documents(self, qrels: Qrels) -> Qrels:
        """The judgments and, below them, retrieved documents that are not judged (by an assessor)."""
        by_assessor = self.evaluator.relevance == "qrels_jg"
        parts = []
        for assessor in qrels.iteration_ids if by_assessor else (b"0",):
            judged = qrels.of_iteration(assessor) if by_assessor else qrels
            known = set(judged.documents.tolist())
            new = [document for document in self.run.documents.tolist() if document not in known]
            for documents, grade in ((judged.documents.tolist(), judged.grade), (new, np.full(len(new), NOT_JUDGED))):
                ids = {"query_id": [self.query], "doc_id": documents, "iteration": [assessor]}
                rows = {name: _repeated(column, len(documents)) for name, column in ids.items()}
                parts.append(Columns(rows, {"relevance": grade}))
        return Qrels.from_columns(stack(parts), name=qrels.name)

    @cached_property
    def exact(self) -> Value:
        """What the measure is for this query, not rounded."""
        value = self.computed.compute(self.data)[0]
        return value if isinstance(value, str) else float(value)

    @property
    def value(self) -> Value:
        """What the measure is for this query."""
        places = self.rules.topic_places
        return self.exact if isinstance(self.exact, str) or places is None else round(self.exact, places)

    # The ranking

    @cached_property
    def _ranked(self) -> list[bytes]:
        run, evaluator = self.run, copy(self.evaluator)
        ids = {"query_id": _repeated([self.query], len(run)), "doc_id": run.documents}
        everything = Qrels.from_columns(Columns(ids, {"relevance": np.ones(len(run))}))
        if evaluator.relevance == "qrels":
            evaluator.qrels, evaluator.subtopics, evaluator.costs, evaluator.depth = everything, None, None, None
            ranked = _seen(evaluator, run)
        else:
            ascending = self.order_of_ties == "document-up"
            ranked = Rankings.join(everything, run, single=self._single, ties_ascending=ascending)
        return everything.documents.take(ranked.judgment).tolist()

    @property
    def _single(self) -> bool:
        """Whether scores are compared as 32-bit floats."""
        plain = self.evaluator.relevance != "qrels"
        return self.evaluator.profile.single_precision if plain else self.rules.single_precision

    @property
    def documents(self) -> list[bytes]:
        """The documents that are looked at, best first."""
        return self._ranked[: self.evaluator.depth]

    @cached_property
    def ties(self) -> list[tuple[int, int]]:
        """The first and the last rank of documents that share a score."""
        if self.order_of_ties == "rank":
            return []
        score = as_single(self.run.score) if self._single else self.run.score
        by_document = dict(zip(self.run.documents.tolist(), score.tolist(), strict=True))
        ranks, ties = iter(range(1, len(self.documents) + 1)), []
        for _, group in groupby(self.documents, by_document.__getitem__):
            tied = [next(ranks) for _ in group]
            if len(tied) > 1:
                ties.append((tied[0], tied[-1]))
        return ties

    # If things were different

    def first(self, documents: int) -> OneQuery:
        """The first so many documents alone."""
        evaluator = copy(self.evaluator)
        evaluator.depth = documents
        return replace(self, evaluator=evaluator)

    def without(self, document: bytes) -> OneQuery:
        """Without one of the documents retrieved; those below it move up."""
        return self._ranking([one for one in self._ranked if one != document])

    def swapped(self, one: int, other: int) -> OneQuery:
        """With the documents at two ranks exchanged."""
        documents = list(self._ranked)
        for rank in (one, other):
            if not 1 <= rank <= len(documents):
                there_are = f"{len(documents)} document{'s' * (len(documents) != 1)}"
                raise UsageError(f"--swap (swap=): rank {rank} is outside the list, which has {there_are}")
        if one == other:
            raise UsageError(f"--swap (swap=): {one} and {other} are the same rank; name two")
        documents[one - 1], documents[other - 1] = documents[other - 1], documents[one - 1]
        return self._ranking(documents)

    def _ranking(self, documents: list[bytes]) -> OneQuery:
        alone = Numbered([self.query], np.zeros(len(documents), dtype=np.int32))
        score = -np.arange(len(documents), dtype=np.float64)
        run = Run(alone, Strings.from_list(documents), score, name=self.run.name, tag=self.run.tag, rank=1.0 - score)
        return replace(self, run=run)

    def judged(self, document: str, grade: float, beside: Sequence[bytes] = ()) -> OneQuery:
        """With another grade for a document that is retrieved or judged; a negative one: not judged.

        `beside` are documents that can be judged too, such as those of another run.
        """
        qrels = self.evaluator.qrels
        if not isinstance(qrels, Qrels) or self.evaluator.relevance != "qrels" or self.evaluator.subtopics is not None:
            raise UsageError(
                f"--judge (judge=) changes the one grade that a document has, and {self.measure} is computed from "
                f"{_BY.get(self.measure.definition.needs, 'preferences')}. Change the judgments themselves, or look at "
                f"--swap (swap=)."
            )
        there = {self.label(one): one for one in (*qrels.documents.tolist(), *self.documents, *beside)}
        if document not in there:
            raise UsageError(
                f"--judge (judge=): document {document!r} is neither retrieved nor judged for query "
                f"{decode(self.query)!r}{_near(document, there)}"
            )
        evaluator = copy(self.evaluator)
        evaluator.qrels = _with_grade(qrels, there[document], grade)
        said = f"--judge (judge=) {document}={grade:g}"
        refused = refusal(evaluator.qrels, self.rules)
        if refused is not None:
            raise UsageError(f"{said}: {refused}")
        if evaluator.profile.offer(self.measure).checked:
            try:
                self.measure.check_judgments(evaluator.qrels, said)
            except DataError as error:
                raise UsageError(str(error)) from None
        return replace(self, evaluator=evaluator, grades={**self.grades, there[document]: grade})


def _near(document: str, known: Iterable[str]) -> str:
    """A sentence that offers identifiers that differ by a slip of the finger, or a full stop."""
    near = get_close_matches(document, list(known), n=3, cutoff=_SLIP)
    return f". Did you mean {', '.join(near)}?" if near else "."


def _with_grade(qrels: Qrels, document: bytes, grade: float) -> Qrels:
    """The judgments of one query, with another grade for a document, which need not be judged yet."""
    columns = qrels.to_columns()
    judged = np.array([one == document for one in qrels.documents.tolist()], dtype=np.bool_)
    columns.numbers["relevance"] = np.where(judged, grade, qrels.grade)
    if not judged.any():
        sampled = (columns.ids.keys() | columns.numbers.keys()) - {"query_id", "doc_id", "iteration", "relevance"}
        if sampled:
            raise UsageError(
                f"--judge (judge=): document {decode(document)!r} is not part of the sample, so its grade alone does "
                f"not say what would change ({', '.join(sorted(sampled))})"
            )
        ids = {"query_id": qrels.query_ids[0], "doc_id": document, "iteration": b"0"}
        new = Columns({name: Strings.from_list([ids[name]]) for name in columns.ids}, {"relevance": np.array([grade])})
        columns = stack([columns, new])
    return Qrels.from_columns(columns, name=qrels.name)


def _seen(evaluator: Evaluator, run: Run) -> Any:
    """What the only measure of an evaluator gets to see of a run."""
    if evaluator.relevance == "qrels" and not evaluator.plain:
        ((measure, rules),) = evaluator.rules.items()
        return evaluator.ruled(run).seen(as_ruled(measure, rules), rules)
    data = evaluator.data_of(run)
    return data if evaluator.subtopics is None else SubtopicRankings(data, evaluator.subtopics)


def _repeated(column: list[bytes], length: int) -> Strings:
    """A column of this length; a single identifier is repeated."""
    if len(column) == length:
        return Strings.from_list(column)
    return Strings.from_list(column).take(np.zeros(length, dtype=np.int64))
