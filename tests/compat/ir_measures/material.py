"""Judgments and runs for comparing with ir_measures 0.4.3, and its measures by name."""

from __future__ import annotations

import logging
from typing import Any, NamedTuple

import ir_measures as original
from hypothesis import strategies as st

from cranfield.compat.ir_measures import parse_measure

logging.getLogger("ir_measures.cwl_eval").setLevel("ERROR")  # it comments on every range of grades

DOCUMENTS = [f"d{number}" for number in range(9)]
TOPICS = ["1", "2", "3", "4"]  # numbers, as gdeval wants them


class Case(NamedTuple):
    """Judgments and a run."""

    qrels: dict[str, dict[str, int]]
    run: dict[str, dict[str, float]]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Graded judgments, some pooled only, and a run without ties that may lack topics and have others.

    Every topic has a grade that is not negative, for without one pytrec_eval writes where it should not.
    """
    grades = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(-2, 4), min_size=1)
    judged = grades.filter(lambda inner: max(inner.values()) >= 0)
    qrels = draw(st.dictionaries(st.sampled_from(TOPICS), judged, min_size=1))
    run = {}
    for topic in draw(st.lists(st.sampled_from([*TOPICS, "5"]), unique=True)):
        ranking = draw(st.permutations([*DOCUMENTS, "x1", "x2"]))[: draw(st.integers(1, 9))]
        run[topic] = {document: float(100 - rank) for rank, document in enumerate(ranking)}
    return Case(qrels, run)


@st.composite
def diverse_cases(draw: st.DrawFn) -> tuple[list[tuple[str, str, int, str]], dict[str, dict[str, float]]]:
    """Judgments by subtopic as (query, document, grade, subtopic), and a run."""
    subtopics = st.dictionaries(st.sampled_from("abcd"), st.integers(0, 2), min_size=1)
    judged = st.dictionaries(st.sampled_from(DOCUMENTS), subtopics, min_size=1)
    by_topic = draw(st.dictionaries(st.sampled_from(TOPICS), judged, min_size=1))
    rows = [
        (topic, document, grade, subtopic)
        for topic, documents in by_topic.items()
        for document, grades in documents.items()
        for subtopic, grade in grades.items()
    ]
    return rows, draw(cases()).run


def theirs(name: str) -> Any:
    """The measure of ir_measures of this name; its own parser uses parts of Python that are on their way out."""
    ours = parse_measure(name)
    return getattr(original, str(ours.NAME))(**ours.params)


def per_query(values: Any) -> dict[str, float]:
    """The values of one measure by query."""
    return {metric.query_id: float(metric.value) for metric in values}
