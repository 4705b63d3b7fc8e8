"""What is known about the values of a measure over all orders of tied documents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cranfield.data.strings import Floats

if TYPE_CHECKING:
    from cranfield.data.rankings import Rankings
    from cranfield.measures.registry import Measure

Claim = bool | Callable[[Mapping[str, Any]], bool]
"""Something that is so or not, perhaps depending on the parameters."""


class TieForm(NamedTuple):
    """What a measure says about ties; what it does not say is found by trying orders."""

    shares: Claim = False
    """Whether its expected value is its value where tied documents share their ranks (`data/shared_ranks.py`): it adds
    up rows, or rows times a sum of rows above."""
    expected: Callable[..., Floats] | None = None
    """What to compute of these shared ranks, where that is not the measure itself; from the same arguments."""
    worth: Callable[..., Floats | None] | None = None
    """How much each row is worth, one without a row being worth 0, such that values lie between those where tied
    documents that are worth more come first and last; None if there is no such order. Without it grades are that order
    for a measure that `improves`."""
    across_depth: Claim = True
    """Whether all this also holds where a tie lies across the depth (-M), so that it is open which documents count."""


SHARES = TieForm(shares=True)
SHARES_WHOLE_LISTS = TieForm(shares=True, across_depth=False)


def holds(claim: Claim, parameters: Mapping[str, Any]) -> bool:
    """Whether something is so with these parameters."""
    return claim(parameters) if callable(claim) else claim


def no_matter(r: Rankings, **_: Any) -> Floats:
    """The worth of documents whose order changes nothing."""
    return np.zeros(len(r.rank))


def worth_to_reader(r: Rankings, gain: Floats, value: str) -> Floats:
    """The worth of documents to a reader who goes on the same way whatever they are, from their gain."""
    if value in ("EU", "ETU"):
        return gain
    return (r.grade >= 0).astype(np.float64) if value == "residual" else no_matter(r)


def worth_of(measure: Measure, data: Any) -> Floats | None:
    """The order of tied documents between whose ends all values of a measure lie, as `TieForm.worth` has it."""
    definition, parameters = measure.definition, measure.parameters
    parameters.pop("judged_only", None)
    if definition.ties.worth is not None:
        return definition.ties.worth(data, **parameters)
    own = parameters.get("value", definition.own_value) == definition.own_value
    if definition.needs != "qrels" or not definition.improves or measure.more_is_better is None or not own:
        return None
    return by_grade(data, parameters)


def by_grade(r: Rankings, parameters: Mapping[str, Any]) -> Floats | None:
    """Grades as the order, if what they are worth rises with them."""
    grade = np.maximum(r.grade, 0.0)
    if parameters.get("rel") == 0:  # then a document that is judged is worth more than one that is not
        grade += r.grade >= 0
    if parameters.get("gains") is None:
        return grade
    from cranfield.measures.gains import gain_of

    grades = np.unique(np.append(r.qrels.grade, [-1.0, 0.0]))
    gain = gain_of(grades, parameters.get("gain", "linear"), parameters["gains"])
    rises = (np.diff(gain) >= 0).all() and (gain[grades <= 0] == 0).all()
    return grade if rises else None
