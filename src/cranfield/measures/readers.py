"""How a user model becomes a measure, and a look at what it says about one ranking."""

from __future__ import annotations

import functools
import inspect
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, TypeVar

import numpy as np

from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats
from cranfield.errors import ParameterError
from cranfield.measures.gains import (
    GAINS_ONLY_WITH,
    Gains,
    HighestGrade,
    gain_of,
    grades_up_to_gmax,
    highest_gain,
)
from cranfield.measures.parameters import Choice, Cutoff, Rel, Whole
from cranfield.measures.registry import REGISTRY, Measure, measure
from cranfield.measures.tie_forms import TieForm, worth_to_reader
from cranfield.measures.user_model import CWL, Reader, UserModel

Model = TypeVar("Model", bound=Callable[..., UserModel])

_GAINS: dict[str, tuple[Any, Any]] = {
    "rel": (Rel, None),
    "gain": (Annotated[str, Choice(("binary", "linear", "exponential"))], "binary"),
    "gmax": (HighestGrade, 1),
    "gains": (Gains, None),
}
"""The parameters of every user model that say what documents are worth, with their defaults."""
_LEAVES_AFTER = Annotated[int, Whole(1, most=1_000_000)]
"""The cutoff of readers who have to be followed rank by rank."""


def user_model(
    name: str, *, at: str = "cutoff", leaves_after: int | None = None, costly: bool = False, **traits: Any
) -> Callable[[Model], Model]:
    """Register the function that makes a user model from its parameters as the measure of this name.

    The measure is the expected utility of the model. To the parameters of the function come those that say what
    documents are worth, and the cutoff after which the reader leaves at the latest: `leaves_after` unless it is said.
    `costly` says that the model looks at what documents cost.
    """

    def register(model: Model) -> Model:
        cutoff_kind = Cutoff if leaves_after is None else _LEAVES_AFTER
        common = _GAINS | ({"cutoff": (cutoff_kind, leaves_after)} if at == "cutoff" else {})

        def reader(r: Rankings, **parameters: Any) -> Reader:
            of_gains = {name: parameters.pop(name) for name in _GAINS}
            cutoff = parameters.pop("cutoff", None)
            return Reader(model(**parameters), r, worth(r, **of_gains), cutoff, costly=costly)

        def is_fixed(parameters: Mapping[str, Any]) -> bool:
            """Whether the reader goes on the same way whatever the documents are."""
            return not model(**{name: parameters[name] for name in inspect.signature(model).parameters}).adaptive

        def order(r: Rankings, **parameters: Any) -> Floats | None:
            gain = worth(r, **{name: parameters[name] for name in _GAINS})
            if is_fixed(parameters):
                return worth_to_reader(r, gain, parameters["value"])
            return gain if traits.get("improves", True) and parameters["value"] == "EU" else None

        @functools.wraps(model)
        def expected_utility(r: Rankings, **parameters: Any) -> Floats:
            values: Floats = REGISTRY[name].ask(r, parameters).value("EU")
            return values

        own = list(inspect.signature(model).parameters.values())
        keyword = inspect.Parameter.KEYWORD_ONLY
        shared = [inspect.Parameter(name, keyword, default=default) for name, (_, default) in common.items()]
        expected_utility.__signature__ = inspect.Signature([*own, *shared])  # type: ignore[attr-defined]
        kinds = {name: kind for name, (kind, _) in common.items()}
        expected_utility.__annotations__ = typing.get_type_hints(model, include_extras=True) | kinds
        traits.update(at=at, check=grades_up_to_gmax, reader=reader, fills_up=at == "cutoff", costly=costly)
        traits["ties"] = TieForm(shares=is_fixed, worth=order)
        measure(name, only_with=GAINS_ONLY_WITH, **traits)(expected_utility)
        return model

    return register


def worth(
    r: Rankings, *, rel: float | None, gain: str, gmax: float, gains: tuple[tuple[float, float], ...] | None
) -> Floats:
    """What each row is worth, from 0 to 1."""
    if gain == "binary":
        return r.at_least(rel).astype(np.float64)
    return gain_of(r.grade, gain, gains) / highest_gain(gmax, gain, gains)


def cwl(
    measure: str | Measure,
    grades: Sequence[float | None],
    *,
    unretrieved: Sequence[float] = (),
    costs: Sequence[float] | None = None,
    depth: int | None = None,
) -> CWL:
    """C, W and L of a user model at each rank of one ranking, given by the grade at each rank (None: unjudged).

    C is the chance to go on from a rank to the next, W the share of all reading that a rank gets, L the chance that it
    is the last one read. `unretrieved` are the grades of judged documents the ranking missed, `costs` says what the
    document at each rank costs, `depth` how many ranks to show: those of the ranking, if nothing is said.

    >>> cwl("RBP(p=0.5)", [1, 0, 1]).W.tolist()
    [0.5, 0.25, 0.125]
    """
    from cranfield.measures.grammar import parse_one

    one = parse_one(measure)
    of_reader = one.definition.reader
    if of_reader is None:
        known = ", ".join(name for name, definition in REGISTRY.items() if definition.reader is not None)
        raise ParameterError(f"{one} has no user model with C, W and L; those that have one: {known}")
    one.check_parameters()
    rankings = Rankings.from_grades(grades, unretrieved=unretrieved, costs=costs)
    one.check_judgments(rankings.qrels)
    parameters = one.parameters
    del parameters["value"]
    if parameters.pop("judged_only"):
        rankings = rankings.condensed()
    reader: Reader = of_reader(rankings, **parameters)
    return reader.cwl(max(len(grades), 1) if depth is None else depth)
