"""What a learner of rankings is given, and its scores as a run: scores of systems are the features of documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from cranfield.data.features import Features
from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.data.strings import Floats, encode
from cranfield.engines.fusion.lists import SideBySide
from cranfield.engines.fusion.normalisations import NORMALISATIONS
from cranfield.errors import DataError, UsageError, did_you_mean

WAYS = tuple(name for name in NORMALISATIONS if name != "borda")
"""How scores of a topic are made comparable; Borda's points depend on what other runs have."""


def judged_features(qrels: Qrels, runs: Mapping[str, Run], *, normalisation: str = "min-max") -> Features:
    """A row for each judged document: its grade, and as feature 1, 2, ... its score in each run.

    Scores are made comparable topic by topic. A document that a run does not have for the topic lacks the feature,
    which learners take for 0. Documents with a grade below 0 are not judged, and left out.

    >>> qrels = Qrels.from_dict({"q1": {"d1": 2, "d2": 0}})
    >>> bm25, dense = Run.from_dict({"q1": {"d1": 3.0, "d2": 1.0}}), Run.from_dict({"q1": {"d2": 0.5, "d9": 0.1}})
    >>> for row in judged_features(qrels, {"bm25": bm25, "dense": dense}).rows():
    ...     print(row.document, row.grade, row.features)
    d1 2.0 {1: 1.0}
    d2 0.0 {1: 0.0, 2: 1.0}
    """
    qrels.refuse_judged_twice("a learner needs one grade: make one of them first")
    scores = _scores(runs, normalisation)
    return Features.from_rows(
        (
            (query, document, grade, _of(scores, query, document))
            for query, _, document, grade in qrels.rows()
            if grade >= 0
        ),
        name=qrels.name,
    )


def candidate_features(
    topics: Iterable[str],
    runs: Mapping[str, Run],
    *,
    normalisation: str = "min-max",
    documents: frozenset[bytes] | None = None,
) -> Features:
    """A row for each document that any run has for one of the topics, without a grade (0): what a learner ranks.

    `documents` are those that count, if not all do.
    """
    scores = _scores(runs, normalisation)
    pairs = (
        (topic, document)
        for topic in topics
        for document in sorted({document for run in scores for document in run.get(topic, ())})
        if documents is None or encode(document) in documents
    )
    return Features.from_rows((topic, document, 0, _of(scores, topic, document)) for topic, document in pairs)


def run_of_scores(features: Features, scores: Floats, *, name: str) -> Run:
    """The run that the scores of a learner make, one for each row.

    >>> features = Features.from_rows([("q1", "d1", 0, {1: 0.5}), ("q1", "d2", 0, {1: 0.1})])
    >>> run_of_scores(features, np.array([0.2, 0.7]), name="learned").to_dict()
    {'q1': {'d2': 0.7, 'd1': 0.2}}
    """
    if len(scores) != len(features):
        raise DataError(f"{features.name} has {len(features)} documents, and there are {len(scores)} scores for them")
    if not np.isfinite(scores).all():
        at = int(np.flatnonzero(~np.isfinite(scores))[0])
        raise DataError(f"the score at line {at + 1} is {scores[at]}, which is no finite number")
    return Run(features.query, features.document, np.asarray(scores, dtype=np.float64), name=name).checked()


def _scores(runs: Mapping[str, Run], normalisation: str) -> list[dict[str, dict[str, float]]]:
    """The scores of each run by topic and document, made comparable."""
    if normalisation not in WAYS:
        there = f"{did_you_mean(normalisation, WAYS)} There are: {', '.join(WAYS)}"
        raise UsageError(f"unknown normalisation {normalisation!r}{there}")
    if not runs:
        raise UsageError("there is no run whose scores could be features")
    return [_normalised(run, normalisation).to_dict() for run in runs.values()]


def _normalised(run: Run, way: str) -> Run:
    if not len(run):
        return run
    lists = SideBySide([run]).lists(slice(0, len(run.query_ids)))
    columns = run.to_columns()
    columns.numbers["score"] = NORMALISATIONS[way].apply(lists).row
    return Run.from_columns(columns, name=run.name)


def _of(scores: Iterable[Mapping[str, Mapping[str, float]]], query: str, document: str) -> dict[int, float]:
    found = ((number, run.get(query, {}).get(document)) for number, run in enumerate(scores, 1))
    return {number: score for number, score in found if score is not None}
