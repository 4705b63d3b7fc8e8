"""Random judgments and runs, and what scikit-learn makes of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

DOCUMENTS = tuple(f"d{number:02}" for number in range(14))


class Case(NamedTuple):
    """Judgments and a run, as dicts."""

    qrels: dict[str, dict[str, int]]
    run: dict[str, dict[str, float]]


# Rankings 1 and 2 of one of the lecture notes (six relevant documents), with recall and precision as printed there.
PRINTED = [
    (
        "1011110001",
        [0.17, 0.17, 0.33, 0.5, 0.67, 0.83, 0.83, 0.83, 0.83, 1.0],
        [1.0, 0.5, 0.67, 0.75, 0.8, 0.83, 0.71, 0.63, 0.56, 0.6],
    ),
    (
        "0100111011",
        [0.0, 0.17, 0.17, 0.17, 0.33, 0.5, 0.67, 0.67, 0.83, 1.0],
        [0.0, 0.5, 0.33, 0.25, 0.4, 0.5, 0.57, 0.5, 0.56, 0.6],
    ),
]


class Labels(NamedTuple):
    """The documents of one topic as scikit-learn wants them: whether each is relevant, and its score."""

    relevant: npt.NDArray[np.bool_]
    score: npt.NDArray[np.float64]


@st.composite
def topics(draw: st.DrawFn, *, tied: bool = False) -> tuple[dict[str, int], dict[str, float]]:
    """The judgments of a topic, and what is returned for it."""
    judged = draw(st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, 2), min_size=1))
    returned = draw(st.lists(st.sampled_from(DOCUMENTS), unique=True))
    scores = list(range(len(returned), 0, -1))
    if tied:
        scores = draw(st.lists(st.integers(1, 5), min_size=len(returned), max_size=len(returned)))
    return judged, {document: float(score) for document, score in zip(returned, scores, strict=True)}


@st.composite
def cases(draw: st.DrawFn, *, tied: bool = False) -> Case:
    """Some topics, of which at least one has documents."""
    found = draw(st.lists(topics(tied=tied), min_size=1, max_size=4))
    if not any(run for _, run in found):
        found[0] = (found[0][0], {DOCUMENTS[0]: 1.0})
    names = [f"q{number}" for number in range(len(found))]
    qrels = {name: judged for name, (judged, _) in zip(names, found, strict=True)}
    run = {name: returned for name, (_, returned) in zip(names, found, strict=True) if returned}
    return Case(qrels, run)


def labels(case: Case, topic: str, *, over: str, documents: int | None = None, level: int = 1) -> Labels:
    """The documents that count, those not retrieved with a score below all others."""
    judged, returned = case.qrels[topic], case.run.get(topic, {})
    names: list[str] = sorted(judged)
    if over != "judged":
        names = sorted({*returned}) if over == "retrieved" else sorted({*judged, *returned})
    relevant = [judged.get(name, 0) >= level for name in names]
    score = [returned.get(name, -1.0) for name in names]
    if over == "collection":
        assert documents is not None
        others = documents - len(names)
        relevant += [False] * others
        score += [-1.0] * others
    return Labels(np.array(relevant, dtype=np.bool_), np.array(score, dtype=np.float64))


def ranked(returned: dict[str, float]) -> list[str]:
    """The documents best first; of the same score, last name first."""
    return sorted(returned, key=lambda document: (returned[document], document), reverse=True)


def from_grades(*topics: list[int], unretrieved: int = 0) -> Case:
    """Topics whose documents are all judged, by the grade at each rank, and relevant ones that are missed."""
    qrels, run = {}, {}
    for number, grades in enumerate(topics, 1):
        documents = [f"d{rank:03}" for rank in range(len(grades))]
        missed = {f"missed{one}": 1 for one in range(unretrieved)}
        qrels[f"q{number}"] = dict(zip(documents, grades, strict=True)) | missed
        run[f"q{number}"] = {document: -float(rank) for rank, document in enumerate(documents)}
    return Case(qrels, run)
