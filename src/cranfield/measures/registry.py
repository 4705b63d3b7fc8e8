"""How a measure is written, and what a measure is: a value with a name and parameters.

A measure is a function over `Rankings` with the decorator `@measure`. Its signature says which parameters it takes, its
docstring what it means; help, documentation, names and checks all follow from these.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np

from cranfield.data.qrels import Qrels
from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats
from cranfield.errors import DataError, ParameterError
from cranfield.measures.parameters import Flag, Kind

Aggregate = Literal["mean", "sum", "geometric", "none"]
Needs = Literal["qrels", "subtopics", "groups", "preferences", "anything"]
Function = TypeVar("Function", bound=Callable[..., Any])

SMALLEST_IN_GEOMETRIC_MEAN = 1e-5
_AS_OPTION = {"documents": ", or -N on the command line"}


class Parameter(NamedTuple):
    """A parameter of a measure: its name, what values it takes, and the value it has if nothing is said."""

    name: str
    kind: Kind
    default: Any

    def accept(self, value: Any, measure: str) -> Any:
        """The value as the measure uses it; ParameterError if it is impossible."""
        if value is None and self.default is None:
            return None
        return self.kind.accept(value, f"{measure}: {self.name}")


@dataclass(eq=False, repr=False)
class Definition:
    """What the registry knows about a measure."""

    name: str
    function: Callable[..., Any]
    aliases: tuple[str, ...] = ()
    at: str | None = None
    """The parameter that `@` sets."""
    at_needed: bool = False
    """Whether the measure means nothing without it."""
    defaults_at: tuple[float, ...] = ()
    """What `@` values a bare name stands for, where one is needed."""
    needs: Needs = "qrels"
    """What the measure is computed from: judgments, judgments by subtopic or by assessor, preferences, or any."""
    required: tuple[str, ...] = ()
    """Parameters without which the measure means nothing, besides the one that `@` sets."""
    check: Callable[[Qrels, Mapping[str, Any]], str | None] | None = None
    """Says what the judgments lack for the measure with these parameters, in words that follow its name."""
    aggregate: Aggregate = "mean"
    """How the values of the queries become one."""
    without_run: bool = False
    """Whether the value follows from the judgments alone."""
    counts: bool = False
    """Whether values are whole numbers."""
    more_is_better: bool = True
    """Whether a higher value speaks for the run."""
    bounds: tuple[float, float] = (0.0, 1.0)
    perfect: bool = True
    """Whether all judged documents, best first, reach the upper bound, if one of them is relevant."""
    improves: bool = True
    """Whether exchanging a document with a better one below it never makes the value worse."""
    shown: tuple[str, ...] = ()
    """Parameters on which there is no agreement, so that the name always shows them."""
    cites: tuple[str, ...] = ()

    @cached_property
    def parameters(self) -> dict[str, Parameter]:
        hints = typing.get_type_hints(self.function, include_extras=True)
        found = {}
        for name, parameter in inspect.signature(self.function).parameters.items():
            if parameter.kind is inspect.Parameter.KEYWORD_ONLY:
                found[name] = Parameter(name, typing.get_args(hints[name])[1], parameter.default)
        if self.needs == "qrels":
            found["judged_only"] = Parameter("judged_only", Flag(), False)
        return found

    @property
    def meaning(self) -> str:
        """The first paragraph of the docstring."""
        return inspect.cleandoc(self.function.__doc__ or "").split("\n\n")[0].replace("\n", " ")

    @property
    def text(self) -> str:
        """The whole docstring."""
        return inspect.cleandoc(self.function.__doc__ or "")

    def __call__(self, **parameters: Any) -> Measure:
        return Measure(self.name)(**parameters)


REGISTRY: dict[str, Definition] = {}


def measure(name: str, **traits: Any) -> Callable[[Function], Function]:
    """Register a function as the measure of this name; see `Definition` for the traits."""

    def register(function: Function) -> Function:
        REGISTRY[name] = Definition(name, function, **traits)
        return function

    return register


@dataclass(frozen=True)
class Measure:
    """A measure as a value: hashable, and its text parses back to it.

    >>> from cranfield.measures import P, parse
    >>> P(rel=2) @ 10
    P(rel=2)@10
    >>> parse("P(rel=2)@10") == [P(rel=2) @ 10]
    True
    """

    name: str
    given: tuple[tuple[str, Any], ...] = field(default=())
    """The parameters that differ from their defaults, in the order of the signature."""

    @property
    def definition(self) -> Definition:
        return REGISTRY[self.name]

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters with their values."""
        given = dict(self.given)
        return {name: given.get(name, p.default) for name, p in self.definition.parameters.items()}

    def __call__(self, **parameters: Any) -> Measure:
        """The same measure with other parameters."""
        known = self.definition.parameters
        values = dict(self.given)
        for name, value in parameters.items():
            if name not in known:
                there_are = ", ".join(known) or "none"
                raise ParameterError(f"{self.name} has no parameter {name!r}; its parameters: {there_are}")
            values[name] = known[name].accept(value, self.name)
        given = ((name, values[name]) for name in known if name in values)
        return Measure(self.name, tuple((n, v) for n, v in given if v != known[n].default))

    def __matmul__(self, at: float | str) -> Measure:
        """The same measure at a cutoff (or at a recall level): `nDCG @ 10`."""
        if self.definition.at is None:
            names = list(self.definition.parameters)
            hint = f"; its parameters are {', '.join(names)}, written {self.name}({names[0]}=...)" if names else ""
            raise ParameterError(f"{self.name} takes no cutoff, so {self.name}@{at} means nothing{hint}")
        return self(**{self.definition.at: at})

    def at_level(self, level: float) -> Measure:
        """The same measure with `level` as the least relevant grade, unless it already says one."""
        if "rel" not in self.definition.parameters or dict(self.given).get("rel") is not None or level == 1:
            return self
        return self(rel=level)

    def check_parameters(self) -> None:
        """An error if a parameter without which the measure means nothing is not given."""
        for name in self.definition.required:
            if self.parameters[name] is None:
                kind = self.definition.parameters[name].kind
                raise ParameterError(
                    f"{self.name} needs {name}, {kind.describe()}, as in {self(**{name: kind.example()})}"
                    f"{_AS_OPTION.get(name, '')}"
                )

    def check_judgments(self, qrels: Qrels) -> None:
        """An error if the judgments lack what the measure needs."""
        check = self.definition.check
        lack = check(qrels, self.parameters) if check else None
        if lack:
            raise DataError(f"{qrels.name}: {self} {lack}")

    def compute(self, data: Any) -> Any:
        """The value for each query of `Rankings` (or groups of rankings, or preference counts)."""
        parameters = self.parameters
        if parameters.pop("judged_only", False):
            data = data.condensed()
        return self.definition.function(data, **parameters)

    def aggregate(self, values: Floats, *, logarithms: bool = False) -> float:
        """One number from the values of all queries; 0 where there are none.

        `logarithms` says that the values of a geometric mean are logarithms already.
        """
        how = self.definition.aggregate
        if how == "geometric" and not logarithms:
            values = np.log(np.maximum(values, SMALLEST_IN_GEOMETRIC_MEAN))
        total = float(np.cumsum(values)[-1]) if len(values) else 0.0
        if how == "sum" or not len(values):
            return total
        mean = total / len(values)
        return float(np.exp(mean)) if how == "geometric" else mean

    def __str__(self) -> str:
        definition = self.definition
        known = definition.parameters
        values = self.parameters
        shown = [
            f"{name}={known[name].kind.show(values[name])}"
            for name in known
            if name != definition.at and (values[name] != known[name].default or name in definition.shown)
        ]
        at = values.get(definition.at) if definition.at else None
        suffix = "" if at is None else f"@{known[str(definition.at)].kind.show(at)}"
        return f"{self.name}{'(' + ','.join(shown) + ')' if shown else ''}{suffix}"

    __repr__ = __str__


def evaluate_one(measure: str | Measure, grades: Sequence[float | None], *, unretrieved: Sequence[float] = ()) -> float:
    """One measure of one ranking, given by the grade at each rank (None: unjudged).

    `unretrieved` are the grades of judged documents the ranking missed. Rounded to 4 places, as printed.

    >>> evaluate_one("RR", [0, 1])
    0.5
    """
    from cranfield.measures.grammar import parse_one

    one = parse_one(measure)
    rankings = Rankings.from_grades(grades, unretrieved=unretrieved)
    one.check_parameters()
    one.check_judgments(rankings.qrels)
    return round(float(one.compute(rankings)[0]), 4)


def ratio(numerator: Floats, denominator: Any) -> Floats:
    """numerator / denominator, 0 where the denominator is 0."""
    out = np.zeros(len(numerator))
    np.divide(numerator, denominator, out=out, where=np.asarray(denominator) != 0)
    return out
