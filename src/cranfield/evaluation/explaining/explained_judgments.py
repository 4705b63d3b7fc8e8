"""What an explanation says of judgments and parameters: what there was to find, what the ideal list is made of."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from cranfield.data.rankings import Rankings
from cranfield.data.working import Working
from cranfield.evaluation.explaining.explained_shares import needed_steps
from cranfield.evaluation.explaining.explanation import Relevant
from cranfield.evaluation.explaining.one_query import OneQuery
from cranfield.measures import Measure
from cranfield.measures.gains import gain_of

_NO_PART_OF_FORMULA = {"cutoff", "value", "denominator", "judged_only"}
"""Parameters that the name shows, or that say which formula it is."""


def parameters_of(measure: Measure) -> dict[str, float | str]:
    """What the parameters are that the formula has, also those that were not given.

    >>> parameters_of(Measure("NRBP"))
    {'alpha': 0.5, 'beta': 0.5}
    """
    definition, given = measure.definition, dict(measure.given)
    other_way = {
        name for name in definition.alternatives if name not in given and given.keys() & definition.alternatives
    }
    return {
        name: value
        for name, value in measure.parameters.items()
        if name not in _NO_PART_OF_FORMULA | other_way and measure.looks_at(name)
        if isinstance(value, int | float | str) and not isinstance(value, bool)
        if value or name != "documents"
    }


def relevant_documents(one: OneQuery, working: Working) -> Relevant | None:
    """The relevant documents if R is part of the arithmetic, or those with a gain if there is an ideal list."""
    if not isinstance(one.data, Rankings):
        return None
    rankings, rel = one.data, one.measure.parameters.get("rel")
    found = set(one.documents)
    grades = dict(zip(rankings.qrels.documents.tolist(), rankings.qrels.grade.tolist(), strict=True))
    least = rankings.level if rel is None else rel
    wanted = [document for document, grade in grades.items() if grade >= least]
    numbers = [step.inputs["R"] for step in needed_steps(working) if "R" in step.inputs]
    what = "R"
    if not numbers and "gain" in working.ideal and one.measure.parameters.get("ideal") != "retrieved":
        what, gains = "gain", _gains(one)
        wanted = [document for document, gain in gains.items() if gain > 0]
    elif not numbers or any(number != len(wanted) for number in numbers):
        return None
    missed = sorted((document for document in wanted if document not in found), key=lambda missing: -grades[missing])
    return Relevant("R" if what == "R" else "gain", len(wanted), tuple(map(one.label, missed)))


def ideal_documents(one: OneQuery, working: Working, documents: Sequence[bytes]) -> list[bytes]:
    """The documents that the ideal list is made of; those of the same gain in the order of the run."""
    if working.ideal_rows:
        return [documents[row] for row in working.ideal_rows]
    listed = working.ideal.get("gain", [])
    if not isinstance(one.data, Rankings):
        return []
    gains, rank_of = _gains(one), {document: rank for rank, document in enumerate(one.documents)}
    if one.measure.parameters.get("ideal") == "retrieved":
        gains = {document: gain for document, gain in gains.items() if document in rank_of}
    best = sorted(gains, key=lambda document: (-gains[document], rank_of.get(document, math.inf)))[: len(listed)]
    return best if [gains[document] for document in best] == listed else []


def _gains(one: OneQuery) -> dict[bytes, float]:
    """What each judged document is worth."""
    qrels, parameters = one.data.qrels, one.computed.parameters
    gain = gain_of(np.asarray(qrels.grade), parameters.get("gain", "linear"), parameters.get("gains"))
    return dict(zip(qrels.documents.tolist(), gain.tolist(), strict=True))
