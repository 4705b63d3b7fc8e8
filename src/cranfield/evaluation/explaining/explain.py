"""Explaining a value: the arithmetic that a measure wrote down while it was computed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from numbers import Integral
from typing import Any, NamedTuple, overload

import numpy as np

from cranfield.data.costs import Costs
from cranfield.data.rankings import Rankings
from cranfield.data.run import Run
from cranfield.data.strings import Numbered, Strings
from cranfield.data.subtopics import SubtopicRankings
from cranfield.data.values import numbers
from cranfield.errors import UsageError
from cranfield.evaluation.evaluator import Evaluator
from cranfield.evaluation.explaining.explained_query import explained
from cranfield.evaluation.explaining.explanation import Change, ExplainedDifference, Explanation
from cranfield.evaluation.explaining.finding_one_query import another_run, grades_text, one_query
from cranfield.evaluation.explaining.one_query import Grade, OneQuery
from cranfield.evaluation.inputs import run_names
from cranfield.measures import Measure, parse_one

Swap = tuple[int, int]


@overload
def explain(
    qrels: Any, run: Any, measure: str | Measure, query: Any, *, against: None = None, **options: Any
) -> Explanation: ...


@overload
def explain(
    qrels: Any, run: Any, measure: str | Measure, query: Any, *, against: Any, **options: Any
) -> ExplainedDifference: ...


def explain(
    qrels: Any,
    run: Any,
    measure: str | Measure,
    query: Any,
    *,
    against: Any = None,
    swap: Swap | Iterable[Swap] = (),
    judge: Mapping[str, float] | None = None,
    **options: Any,
) -> Explanation | ExplainedDifference:
    """The arithmetic behind the value of a measure for one query: each document's part in it, and the steps.

    Judgments and run are what `evaluate` takes, and so are `options`; of a large file only the lines of the query are
    looked at. `swap=(3, 7)` exchanges the documents at two ranks of the run and `judge={"d9": 2}` gives documents other
    grades first, to see what that would change. `against` another run it says which documents make the two differ; the
    other run stays as it is, and grades are those of both.

    >>> qrels, run = {"q1": {"d1": 1, "d2": 0, "d4": 1}}, {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7, "d4": 0.6}}
    >>> found = explain(qrels, run, "AP", "q1")
    >>> [row.share for row in found.rows]  # (1/1) / 2 and (2/4) / 2
    [0.5, 0.0, 0.0, 0.25]
    >>> explain(qrels, run, "AP", "q1", swap=(2, 4)).value  # (1/1 + 2/2) / 2
    1.0
    """
    _check_order(qrels, measure)
    one = one_query(measure, qrels, run, query, options)
    changes = _Changes(_pairs(swap), _grades(judge))
    if against is None:
        return changes.explained(one)
    if isinstance(one.value, str):
        raise UsageError(f"{one.measure} is text, and two texts have no difference that could be explained")
    ours, theirs = run_names([run, against])
    other = another_run(one, against)
    first = changes.explained(one, beside=other.documents)
    second = changes._replace(swaps=()).explained(other, beside=one.documents)
    return ExplainedDifference(replace(first, run=ours), replace(second, run=theirs))


class _Changes(NamedTuple):
    """What is to be different."""

    swaps: Sequence[Swap]
    grades: Mapping[str, float]

    def explained(self, one: OneQuery, beside: Sequence[bytes] = ()) -> Explanation:
        """The explanation after the changes, with the value before them; `beside` are documents of another run."""
        if not any(self):
            return explained(one)
        changed, what = one, []
        for swap in self.swaps:
            changed = changed.swapped(*swap)
            what.append("ranks {} and {} exchanged".format(*swap))
        for document, grade in self.grades.items():
            changed = changed.judged(document, grade, beside)
            what.append(f"{document} judged {grade:g}")
        return replace(explained(changed), change=Change(tuple(what), one.value))


def _check_order(qrels: Any, measure: Any) -> None:
    """An error if the measure stands where the judgments belong."""
    misplaced = not isinstance(measure, str | Measure) or (isinstance(measure, str) and os.path.isfile(measure))
    if misplaced or isinstance(qrels, Measure):
        found = f"a {type(measure).__name__}" if not isinstance(measure, str) else repr(measure)
        raise UsageError(
            f"explain takes judgments, run, measure and query, as in explain(qrels, run, 'AP', '301'); "
            f"the measure given is {found}"
        )


def _pairs(swap: Any) -> list[Swap]:
    """One pair of ranks, or several, as a list."""
    wrong = UsageError(f"--swap (swap=): expected two ranks such as (3, 7), or a list of such pairs, found {swap!r}")
    if not isinstance(swap, Iterable) or isinstance(swap, str | Mapping):
        raise wrong
    given = list(swap)
    pairs = [given] if given and not isinstance(given[0], Iterable) else given
    if any(not isinstance(pair, Sequence) or len(pair) != 2 for pair in pairs):
        raise wrong
    if any(isinstance(rank, bool) or not isinstance(rank, Integral) for pair in pairs for rank in pair):
        raise wrong
    return [(int(one), int(other)) for one, other in pairs]


def _grades(judge: Any) -> dict[str, float]:
    """The grades that documents are given, as numbers."""
    if judge is not None and not isinstance(judge, Mapping):
        raise UsageError(f"--judge (judge=): expected grades by document such as {{'d9': 2}}, found {judge!r}")
    return {
        str(document): float(numbers([grade], "grade", lambda _: "--judge (judge=)")[0])
        for document, grade in (judge or {}).items()
    }


def explain_one(
    measure: str | Measure,
    grades: Sequence[Any],
    *,
    unretrieved: Sequence[Any] = (),
    intents: Mapping[Any, float] | None = None,
    strata: Sequence[str] | None = None,
    probabilities: Sequence[float] | None = None,
    costs: Sequence[float] | None = None,
    swap: Swap | Iterable[Swap] = (),
    judge: Mapping[str, float] | None = None,
) -> Explanation:
    """The arithmetic behind one measure of one ranking that is written down: what `evaluate_one` takes, explained.

    Documents are called d1, d2 and so on in the order of rank, then in that of `unretrieved`.

    >>> found = explain_one("P@5", [1, 0, 1])
    >>> found.value, [(row.document, row.share) for row in found.rows]
    (0.4, [('d1', 0.2), ('d2', 0.0), ('d3', 0.2)])
    """
    one = parse_one(measure)
    make = _by_subtopics if one.definition.needs == "subtopics" else _by_grades
    written = make(one, list(grades), list(unretrieved), intents, strata, probabilities, costs)
    return _Changes(_pairs(swap), _grades(judge)).explained(written)


def _by_grades(
    measure: Measure,
    grades: list[Any],
    unretrieved: list[Any],
    intents: Mapping[Any, float] | None,
    strata: Sequence[str] | None,
    probabilities: Sequence[float] | None,
    costs: Sequence[float] | None,
) -> OneQuery:
    """A ranking by the grade at each rank."""
    if intents is not None:
        raise UsageError(f"intents are probabilities of subtopics, which {measure} does not look at")
    qrels = Rankings.from_grades(
        grades, unretrieved=unretrieved, strata=strata, probabilities=probabilities, costs=costs
    ).qrels
    judged = iter(qrels.documents.tolist())
    ranked = [b"rank %d" % rank if grade is None else next(judged) for rank, grade in enumerate(grades, 1)]
    cost = None if costs is None else Costs(Strings.from_list(ranked), np.array(costs, dtype=np.float64))
    evaluator = Evaluator(qrels, measure, costs=cost)
    shown = dict(zip(qrels.documents.tolist(), qrels.grade.tolist(), strict=True))
    return _written_down(evaluator, ranked, list(judged), shown)


def _by_subtopics(
    measure: Measure, grades: list[Any], unretrieved: list[Any], intents: Mapping[Any, float] | None, *_: Any
) -> OneQuery:
    """A ranking by the subtopics of the document at each rank."""
    rankings = SubtopicRankings.from_subtopics(grades, unretrieved=unretrieved, intents=intents)
    documents = [*grades, *unretrieved]
    names = [b"%09d" % (len(documents) - number) for number in range(len(documents))]
    shown: dict[bytes, Grade] = {}
    for name, document in zip(names, documents, strict=True):
        if document is not None:
            by_subtopic = document if isinstance(document, Mapping) else dict.fromkeys(document, 1)
            shown[name] = grades_text({str(by).encode(): grade for by, grade in by_subtopic.items()}, zeros=False)
    evaluator = Evaluator(rankings.judgments, measure)
    return _written_down(evaluator, names[: len(grades)], names[len(grades) :], shown)


def _written_down(
    evaluator: Evaluator, ranked: list[bytes], missed: list[bytes], grades: Mapping[bytes, Grade]
) -> OneQuery:
    score = -np.arange(len(ranked), dtype=np.float64)
    query = Numbered([b"q"], np.zeros(len(ranked), dtype=np.int32))
    labels = {document: f"d{number}" for number, document in enumerate([*ranked, *missed], 1)}
    return OneQuery(evaluator, Run(query, Strings.from_list(ranked), score), grades, labels)
