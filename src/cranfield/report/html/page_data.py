"""What the page itself works with: the values of all topics and the first documents of all rankings, as JSON."""

from __future__ import annotations

import os
import re
import shlex
from typing import Any

import numpy as np

from cranfield.measures import Measure
from cranfield.report.drawing import plain
from cranfield.report.html.contents import ReportContents
from cranfield.report.html.shown_rankings import SHOWN, TopicRankings

LONGEST_TITLE = 120
MOST_ALL_PAIRS = 20
"""With more runs than that, deeper ranks are kept for the baseline beside each other run, not for all pairs."""
_DIGITS = 6


def page_data(contents: ReportContents) -> dict[str, Any]:
    """Short names, because they are repeated for every topic."""
    measures = shown_measures(contents)
    values = {measure: _values(contents, measure) for measure in measures}
    relevant = dict(
        zip(contents.topics, contents.judgments.count(contents.level).tolist(), strict=True),
    )
    by_topic = {one.topic: one for one in contents.rankings}
    topics = []
    for topic in in_natural_order(contents.topics):
        ranked = by_topic[topic]
        topics.append(
            {
                "id": plain(topic),
                "text": plain(contents.texts[topic]) if topic in contents.texts else None,
                "relevant": relevant[topic],
                "values": [values[measure][topic] for measure in measures],
                "documents": [_document(contents, one.document, one.grade) for one in ranked.documents],
                "lists": [list(ranking) for ranking in ranked.rankings],
                "deeper": _deeper(ranked),
                "retrieved": list(ranked.retrieved),
            }
        )
    return {
        "runs": [plain(name) for name in contents.runs],
        "baseline": 0,
        "chosen": list(contents.runs).index(chosen_run(contents)),
        "measures": [str(measure) for measure in measures],
        "measure": measures.index(contents.measure),
        "moreIsBetter": [measure.more_is_better for measure in measures],
        "shown": SHOWN,
        "allPairs": len(contents.runs) <= MOST_ALL_PAIRS,
        "level": contents.level,
        "highest": contents.highest_grade,
        "explain": _explain(contents),
        "topics": topics,
    }


def shown_measures(contents: ReportContents) -> list[Measure]:
    """The measures that have numbers."""
    return [measure for measure in contents.evaluation.measures if measure.definition.aggregate != "none"]


def chosen_run(contents: ReportContents) -> str:
    """The run that is set beside the baseline: the best other one; the only one if there is but one."""
    return next((name for name in contents.best_first if name != contents.baseline), contents.baseline)


def in_natural_order(names: tuple[str, ...]) -> list[str]:
    """Names with the numbers in them in the order of numbers.

    >>> in_natural_order(("q10", "q9", "301"))
    ['301', 'q9', 'q10']
    """

    def key(name: str) -> list[tuple[bool, int, str]]:
        parts = re.findall(r"[0-9]+|[^0-9]+", name)
        return [(not part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in parts]

    return sorted(names, key=key)


def _values(contents: ReportContents, measure: Measure) -> dict[str, list[float | None]]:
    """For each topic the value of each run; None where the profile leaves it out or it is not finite."""
    by_run = []
    for run in contents.evaluation.values():
        column = np.asarray(run.columns[measure]).tolist()
        by_run.append(dict(zip(run.queries, column, strict=True)))
    return {topic: [_rounded(values.get(topic)) for values in by_run] for topic in contents.topics}


def _rounded(value: float | None) -> float | None:
    return round(value, _DIGITS) if value is not None and np.isfinite(value) else None


def _document(contents: ReportContents, document: str, grade: float | None) -> list[Any]:
    number = int(grade) if grade is not None and grade.is_integer() else grade
    title = contents.titles.get(document)
    return [plain(document), number, *([] if title is None else [shortened(plain(title))])]


def _deeper(topic: TopicRankings) -> list[str]:
    """For each run, at what rank below its first it has the documents: numbers to the base 36, for they are many."""
    all_pairs = len(topic.rankings) <= MOST_ALL_PAIRS
    of_baseline = set(topic.rankings[0])
    said = []
    for number, (first, ranks) in enumerate(zip(topic.rankings, topic.ranks, strict=True)):
        here = set(first)
        wanted = (all_pairs or number == 0 or at in of_baseline for at in range(len(ranks)))
        words = [
            np.base_repr(rank, 36) if rank and asked and at not in here else ""
            for at, (rank, asked) in enumerate(zip(ranks, wanted, strict=True))
        ]
        said.append(",".join(words).rstrip(","))
    return said


def shortened(text: str, longest: int = LONGEST_TITLE) -> str:
    """
    >>> shortened("a long title", 7)
    'a long…'
    """
    return text if len(text) <= longest else f"{text[: longest - 1].rstrip()}…"


def _explain(contents: ReportContents) -> dict[str, Any] | None:
    """The words of the command that explains a value, where judgments and runs are files."""
    given = [contents.qrels, *contents.runs.values()]
    if not all(isinstance(one, (str, os.PathLike)) for one in given):
        return None
    qrels, *runs = (shlex.quote(plain(os.fspath(one))) for one in given)
    return {"qrels": qrels, "runs": runs}
