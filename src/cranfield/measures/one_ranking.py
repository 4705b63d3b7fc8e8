"""A measure of a single ranking that is written down rather than read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cranfield.data.rankings import Rankings
from cranfield.errors import UsageError
from cranfield.measures.grammar import parse_one
from cranfield.measures.registry import Measure

if TYPE_CHECKING:
    from cranfield.data.subtopics import SubtopicRankings

_OTHER_THAN_GRADES = {"groups": "qrels_jg", "preferences": "prefs"}


def evaluate_one(
    measure: str | Measure,
    grades: Sequence[Any],
    *,
    unretrieved: Sequence[Any] = (),
    intents: Mapping[Any, float] | None = None,
    strata: Sequence[str] | None = None,
    probabilities: Sequence[float] | None = None,
    costs: Sequence[float] | None = None,
) -> Any:
    """One measure of one ranking, given by the grade at each rank (None: unjudged).

    `unretrieved` are the grades of judged documents the ranking missed. Rounded to 4 places, as printed (RelString is a
    text). `strata` or `probabilities` say how the documents that have a grade were sampled, retrieved ones first.
    `costs` says what the document at each rank costs to read, where that is not 1.

    For a measure that needs subtopics a document is not a grade but the subtopics it is relevant to: a text, each
    letter a subtopic, or a dict from subtopics to grades; `intents` are the probabilities of the subtopics.

    >>> evaluate_one("RR", [0, 1])
    0.5
    >>> evaluate_one("StRecall@2", ["a", "ab", "c"])  # a and b of three
    0.6667
    """
    one = parse_one(measure)
    one.check_parameters()
    needs = one.definition.needs
    if needs in _OTHER_THAN_GRADES:
        raise UsageError(f"{one} needs more than grades; evaluate(..., relevance={_OTHER_THAN_GRADES[needs]!r}) has it")
    if not isinstance(grades, Iterable):
        raise UsageError(f"a ranking is a list with an entry for each rank, as in [1, 0, None], not {grades!r:.40}")
    rankings: Rankings | SubtopicRankings
    if needs == "subtopics":
        from cranfield.data.subtopics import SubtopicRankings

        rankings = SubtopicRankings.from_subtopics(grades, unretrieved=unretrieved, intents=intents)
    else:
        rankings = Rankings.from_grades(
            grades, unretrieved=unretrieved, strata=strata, probabilities=probabilities, costs=costs
        )
    one.check_judgments(rankings.qrels)
    (value,) = one.compute(rankings)
    return value if isinstance(value, str) else round(float(value), 4)
