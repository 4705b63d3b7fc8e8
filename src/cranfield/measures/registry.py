"""How a measure is written, and what a measure is: a value with a name and parameters.

A measure is a function over `Rankings` with the decorator `@measure`. Its signature says which parameters it takes, its
docstring what it means; help, documentation, names and checks all follow from these.
"""

from __future__ import annotations

import importlib
import inspect
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np

from cranfield.data.qrels import Qrels
from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats
from cranfield.errors import DataError, ParameterError
from cranfield.measures.completion import WAYS, Completion, Holes, way_of
from cranfield.measures.parameters import ALL_VALUES, VALUES, Choice, Flag, Kind
from cranfield.measures.tie_forms import TieForm

Aggregate = Literal["mean", "sum", "geometric", "variance", "error", "none"]
Needs = Literal["qrels", "subtopics", "groups", "preferences", "anything"]
Sampling = Literal["none", "unjudged", "pool", "strata", "chances"]
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
    sampling: Sampling = "none"
    """What it makes of judgments of a sample: it takes them for complete, or passes over what is not judged; or it is
    an estimate from the whole pool (judged or not), from strata, or from strata or inclusion probabilities."""
    required: tuple[str, ...] = ()
    """Parameters without which the measure means nothing, besides the one that `@` sets."""
    alternatives: tuple[str, ...] = ()
    """Parameters of which only one may be given."""
    only_with: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    """Parameters that say nothing unless another one, or one of several others, has one of these values."""
    check: Callable[[Qrels, Mapping[str, Any]], str | None] | None = None
    """Says what the judgments lack for the measure with these parameters, in words that follow its name."""
    aggregate: Aggregate = "mean"
    """How the values of the queries become one."""
    without_run: bool = False
    """Whether the value follows from the judgments alone."""
    counts: bool = False
    """Whether values are whole numbers."""
    more_is_better: bool | None = True
    """Whether a higher value speaks for the run; False if a lower one does, None if neither."""
    bounds: tuple[float, float] = (0.0, 1.0)
    """The lowest and the highest value there can be, of the measure itself where `value` can ask for another."""
    perfect: bool = True
    """Whether all judged documents, best first, reach the better bound, if one of them is relevant."""
    improves: bool = True
    """Whether exchanging a document with a better one right below it never makes the value worse."""
    fills_up: bool = False
    """Whether a list shorter than the cutoff counts as filled up with documents that are not relevant."""
    shown: tuple[str, ...] = ()
    """Parameters on which there is no agreement, so that the name always shows them."""
    reader: Callable[..., Any] | None = None
    """The `Reader` behind a measure that is a user model, from the same arguments; such a measure has a `value`."""
    own_value: str = "EU"
    """Which value of its reader the measure itself is."""
    endless: tuple[str, ...] = ()
    """Values of its reader that are infinite, for some ranking, without a cutoff."""
    costly: bool = False
    """Whether what documents cost decides how far its reader gets."""
    without_costs: str = ""
    """What is to be said of its parameters where no costs are given, so that every document costs 1."""
    warning: str = ""
    """What is to be said wherever a value is shown, in words that follow the name and a colon."""
    ties: TieForm = field(default_factory=TieForm)
    """What is known of its values over all orders of tied documents."""
    completion: Completion = ""
    """How the smallest and the largest of its values are found over all grades that unjudged documents could have."""
    cites: tuple[str, ...] = ()

    @cached_property
    def parameters(self) -> dict[str, Parameter]:
        hints = typing.get_type_hints(self.function, include_extras=True)
        found = {}
        for name, parameter in inspect.signature(self.function).parameters.items():
            if parameter.kind is inspect.Parameter.KEYWORD_ONLY:
                found[name] = Parameter(name, typing.get_args(hints[name])[1], parameter.default)
        if self.needs in ("qrels", "subtopics"):
            found["judged_only"] = Parameter("judged_only", Flag(), False)
        if self.reader is not None:
            found["value"] = Parameter("value", Choice((*VALUES, ALL_VALUES)), self.own_value)
        return found

    @property
    def holes(self) -> Holes:
        """How well these two are known, unless parameters say otherwise: see `completion.knowledge`."""
        return WAYS[way_of(self.completion, {name: p.default for name, p in self.parameters.items()})]

    def needed_for(self, name: str) -> str:
        """In words, what a parameter that says nothing by itself needs."""
        return " or ".join(f"{other}={value}" for other, values in self.only_with[name].items() for value in values)

    @property
    def meaning(self) -> str:
        """The first paragraph of the docstring."""
        return inspect.cleandoc(self.function.__doc__ or "").split("\n\n")[0].replace("\n", " ")

    def ask(self, rankings: Rankings, parameters: Mapping[str, Any]) -> Any:
        """The reader with these parameters, who remembers what was asked before."""
        assert self.reader is not None
        known, key = rankings.readers, (self.name, *parameters.items())
        if key not in known:
            known[key] = self.reader(rankings, **parameters)
        return known[key]

    def __call__(self, **parameters: Any) -> Measure:
        return Measure(self.name)(**parameters)


class Registry(Mapping[str, Definition]):
    """The measures by name. The module that defines one is imported when it is first asked for."""

    def __init__(self) -> None:
        self._modules: dict[str, str] = {}
        self._definitions: dict[str, Definition] = {}

    def announce(self, module: str, names: Iterable[str]) -> None:
        """Say which measures a module defines."""
        self._modules.update(dict.fromkeys(names, module))

    def add(self, definition: Definition) -> None:
        """Take up what a module defines."""
        self._definitions[definition.name] = definition

    def __getitem__(self, name: str) -> Definition:
        if name not in self._definitions:
            importlib.import_module(self._modules[name])
        return self._definitions[name]

    def __contains__(self, name: object) -> bool:
        return name in self._modules

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)


REGISTRY = Registry()


def measure(name: str, **traits: Any) -> Callable[[Function], Function]:
    """Register a function as the measure of this name; see `Definition` for the traits."""

    def register(function: Function) -> Function:
        REGISTRY.add(Definition(name, function, **traits))
        return function

    return register


@dataclass(frozen=True, repr=False)
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
    named: frozenset[str] = field(default=frozenset(), compare=False)
    """The parameters that were named, also those with the default value."""

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
        folded = {name.lower(): name for name in known}
        values = dict(self.given)
        for said, value in parameters.items():
            name = folded.get(said.lower())
            if name is None:
                there_are = ", ".join(known) or "none"
                raise ParameterError(f"{self.name} has no parameter {said!r}; its parameters: {there_are}")
            values[name] = known[name].accept(value, self.name)
        if sum(values.get(name) is not None for name in self.definition.alternatives) > 1:
            raise ParameterError(f"{self.name} takes {' or '.join(self.definition.alternatives)}, not both")
        given = ((name, values[name]) for name in known if name in values)
        return Measure(self.name, tuple((n, v) for n, v in given if v != known[n].default), self.said | values.keys())

    @property
    def said(self) -> frozenset[str]:
        """The parameters of which something was said, so that nobody else is to say it.

        >>> from cranfield.measures import parse_one
        >>> sorted(parse_one("nDCG(gain=linear)@10").said), sorted(parse_one("nDCG@10").said)
        (['cutoff', 'gain'], ['cutoff'])
        """
        return self.named | dict(self.given).keys()

    def __matmul__(self, at: float | str) -> Measure:
        """The same measure at a cutoff (or at a recall level): `nDCG @ 10`."""
        if self.definition.at is None:
            names = list(self.definition.parameters)
            hint = f"; its parameters are {', '.join(names)}, written {self.name}({names[0]}=...)" if names else ""
            raise ParameterError(f"{self.name} takes no cutoff, so {self.name}@{at} means nothing{hint}")
        return self(**{self.definition.at: at})

    def at_level(self, level: float) -> Measure:
        """The same measure with `level` as the least relevant grade, unless it already says one."""
        takes_it = "rel" in self.definition.parameters and self.looks_at("rel")
        if not takes_it or dict(self.given).get("rel") is not None or level == 1:
            return self
        return self(rel=level)

    def looks_at(self, name: str) -> bool:
        """Whether a parameter says anything beside the others."""
        needed = self.definition.only_with.get(name)
        return needed is None or any(self.parameters[other] in values for other, values in needed.items())

    def check_parameters(self) -> None:
        """An error if a parameter lacks another one, or the measure lacks one without which it means nothing."""
        for name, _ in self.given:
            if not self.looks_at(name):
                as_it_is = ", ".join(f"{other}={self.parameters[other]}" for other in self.definition.only_with[name])
                needed = self.definition.needed_for(name)
                raise ParameterError(f"{self.name}: {name} needs {needed}; with {as_it_is} it changes nothing")
        for name in self.definition.required:
            if self.parameters[name] is None:
                kind = self.definition.parameters[name].kind
                raise ParameterError(
                    f"{self.name} needs {name}, {kind.describe()}, as in {self(**{name: kind.example()})}"
                    f"{_AS_OPTION.get(name, '')}"
                )
        endless = (*self.definition.endless, ALL_VALUES) if self.definition.endless else ()
        if self.parameters.get("value") in endless and self.parameters["cutoff"] is None:
            raise ParameterError(
                f"{self._text()} needs a cutoff, for a reader might go on for ever; as in {(self @ 1000)._text()}"
            )

    def check_judgments(self, qrels: Qrels, where: str = "") -> None:
        """An error if the judgments lack what the measure needs; `where` they are, if that is not their name."""
        check = self.definition.check
        lack = check(qrels, self.parameters) if check else None
        if lack:
            raise DataError(f"{where or qrels.name}: {self} {lack}")

    @property
    def looks_at_costs(self) -> bool:
        """Whether it matters what documents cost."""
        return self.definition.costly or self.parameters.get("value") in ("EC", "ETC")

    @property
    def bounds(self) -> tuple[float, float]:
        """The lowest and the highest value there can be."""
        value = self.parameters.get("value", self.definition.own_value)
        if value == self.definition.own_value:
            return self.definition.bounds
        return (-1.0, 1.0) if value == "residual" else (0.0, np.inf)

    @property
    def more_is_better(self) -> bool | None:
        """Whether a higher value speaks for the run; False if a lower one does, None if neither."""
        other = self.parameters.get("value", "EU") not in ("EU", "ETU")
        return None if other else self.definition.more_is_better

    def compute(self, data: Any) -> Any:
        """The value for each query of `Rankings` (or groups of rankings, or preference counts)."""
        parameters = self.parameters
        if parameters.pop("judged_only", False):
            data = data.condensed()
        value = parameters.pop("value", self.definition.own_value)
        if self.definition.reader is not None and value != self.definition.own_value:
            return self.definition.ask(data, parameters).value(value)
        return self.definition.function(data, **parameters)

    def aggregate(self, values: Floats, *, logarithms: bool = False) -> float:
        """One number from the values of all queries; 0 where there are none.

        `logarithms` says that the values of a geometric mean are logarithms already.
        """
        how = self.definition.aggregate
        if how == "geometric" and not logarithms:
            values = np.log(np.maximum(values, SMALLEST_IN_GEOMETRIC_MEAN))
        if how == "error":
            values = values**2
        total = float(np.cumsum(values)[-1]) if len(values) else 0.0
        if how == "sum" or not len(values):
            return total
        mean = total / len(values)
        if how in ("variance", "error"):  # of the mean of independent values
            return mean / len(values) if how == "variance" else float(np.sqrt(total)) / len(values)
        return float(np.exp(mean)) if how == "geometric" else mean

    def __str__(self) -> str:
        return self._text(self.definition.shown)

    def _text(self, always: tuple[str, ...] = ()) -> str:
        """The name with the parameters that differ from their defaults, and those that are always to be shown."""
        definition = self.definition
        known = definition.parameters
        values = self.parameters
        shown = [
            f"{name}={known[name].kind.show(values[name])}"
            for name in known
            if name != definition.at and (values[name] != known[name].default or name in always)
        ]
        at = values.get(definition.at) if definition.at else None
        suffix = "" if at is None else f"@{known[str(definition.at)].kind.show(at)}"
        return f"{self.name}{'(' + ','.join(shown) + ')' if shown else ''}{suffix}"

    __repr__ = __str__


def ratio(numerator: Floats, denominator: Any) -> Floats:
    """numerator / denominator, 0 where the denominator is 0."""
    out = np.zeros(len(numerator))
    np.divide(numerator, denominator, out=out, where=np.asarray(denominator) != 0)
    return out
