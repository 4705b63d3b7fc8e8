"""What a measure is in ir_measures: a value with a name and parameters, written `nDCG@10` or `P(rel=2)@5`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from cranfield.compat.ir_measures.failures import InvalidParameterError
from cranfield.compat.ir_measures.records import CalcResults, CwlMetric, Metric
from cranfield.errors import did_you_mean

if TYPE_CHECKING:
    from cranfield.compat.ir_measures.evaluator import Evaluator


class _NotProvided:
    """What a parameter is that was not given and has no default."""

    def __repr__(self) -> str:
        return "NOT_PROVIDED"


NOT_PROVIDED: Any = _NotProvided()


class ParamInfo:
    """What values a parameter takes, and which it has if nothing is said."""

    def __init__(
        self,
        dtype: type | None = None,
        required: bool = False,
        choices: Any = NOT_PROVIDED,
        default: Any = NOT_PROVIDED,
        desc: str | None = None,
    ) -> None:
        self.dtype = dtype
        self.required = required
        self.choices = choices
        self.default = default
        self.desc = desc

    def validate(self, value: Any) -> bool:
        """Whether the parameter may have this value. A whole number will do where a fraction is expected."""
        if value is NOT_PROVIDED:
            return not self.required
        kinds = (int, float) if self.dtype is float else self.dtype
        if kinds is not None and not isinstance(value, kinds):
            return False
        return self.choices is NOT_PROVIDED or value in self.choices

    def describe(self) -> str:
        """Which values it takes, in words."""
        if self.choices is not NOT_PROVIDED:
            return " or ".join(map(repr, self.choices))
        return {int: "a whole number", float: "a number", bool: "True or False"}.get(
            self.dtype or object, "another value"
        )


class Agg:
    """Makes one number of the values of all queries."""

    def add(self, value: float) -> None:
        raise NotImplementedError

    def result(self) -> float:
        raise NotImplementedError


class MeanAgg(Agg):
    """The mean; `default` where there is no query.

    >>> mean = MeanAgg()
    >>> mean.add(0.5)
    >>> mean.add(1.0)
    >>> mean.result()
    0.75
    """

    def __init__(self, default: float = float("nan")) -> None:
        self.sum = 0.0
        self.count = 0
        self.default = default

    def add(self, value: float) -> None:
        self.sum += value
        self.count += 1

    def result(self) -> float:
        return self.sum / self.count if self.count else self.default


class SumAgg(Agg):
    """The sum."""

    def __init__(self) -> None:
        self.sum: float = 0

    def add(self, value: float) -> None:
        self.sum += value

    def result(self) -> float:
        return self.sum


class Measure:
    """A measure with the parameters that were given. Hashable; its text parses back to it.

    >>> from cranfield.compat.ir_measures import P
    >>> P(rel=2) @ 5
    P(rel=2)@5
    >>> P(rel=1) @ 5 == P @ 5
    True
    """

    NAME: str | None = None
    AT_PARAM = "cutoff"
    SUPPORTED_PARAMS: Mapping[str, ParamInfo] = {}
    DEFAULT = 0.0
    """The value for a query for which nothing was returned."""

    def __init__(self, **params: Any) -> None:
        self.params = params
        self.validated = False

    def validate_params(self) -> None:
        """An error if a parameter is missing, unknown or has an impossible value."""
        if self.validated:
            return
        for name in self.params:
            if name not in self.SUPPORTED_PARAMS:
                known = ", ".join(self.SUPPORTED_PARAMS) or "none"
                hint = did_you_mean(name, self.SUPPORTED_PARAMS)
                raise InvalidParameterError(f"{self.NAME} has no parameter {name!r}{hint} Its parameters: {known}")
        for name, info in self.SUPPORTED_PARAMS.items():
            value = self.params.get(name, NOT_PROVIDED)
            if info.validate(value):
                continue
            if value is NOT_PROVIDED:
                example = f"{self.NAME}@10" if name == self.AT_PARAM else f"{self.NAME}({name}=...)"
                raise InvalidParameterError(f"{self} needs {name}, as in {example}")
            raise InvalidParameterError(f"{self}: {name} must be {info.describe()}, not {value!r}")
        self.validated = True

    def __call__(self, **params: Any) -> Measure:
        """The same measure with other parameters."""
        return type(self)(**{**self.params, **params})

    def __matmul__(self, at: Any) -> Measure:
        """The same measure at a cutoff (or at a recall level)."""
        return self(**{self.AT_PARAM: at})

    def __getitem__(self, name: str) -> Any:
        """The value of a parameter, which is its default if none was given."""
        return self.params.get(name, self.SUPPORTED_PARAMS[name].default)

    def iter_calc(self, qrels: Any, run: Any) -> Iterator[Metric | CwlMetric]:
        """The value for each query."""
        from cranfield.compat.ir_measures.providers import DefaultPipeline

        return DefaultPipeline.iter_calc([self], qrels, run)

    def calc_aggregate(self, qrels: Any, run: Any) -> float:
        """The mean over the queries, or the sum of a count."""
        from cranfield.compat.ir_measures.providers import DefaultPipeline

        return DefaultPipeline.calc_aggregate([self], qrels, run)[self]

    def calc(self, qrels: Any, run: Any) -> CalcResults:
        """Both at once."""
        from cranfield.compat.ir_measures.providers import DefaultPipeline

        both = DefaultPipeline.calc([self], qrels, run)
        return CalcResults(both.aggregated[self], both.per_query)

    def evaluator(self, qrels: Any) -> Evaluator:
        """The measure prepared for many runs."""
        from cranfield.compat.ir_measures.providers import DefaultPipeline

        return DefaultPipeline.evaluator([self], qrels)

    def aggregator(self) -> Agg:
        """What makes one number of the values of all queries."""
        return MeanAgg()

    def _shown(self) -> dict[str, str]:
        """The parameters that differ from their defaults, as the name shows them."""
        info = self.SUPPORTED_PARAMS
        return {
            name: _text(value)
            for name, value in self.params.items()
            if name != self.AT_PARAM and (name not in info or value != info[name].default)
        }

    def __repr__(self) -> str:
        inside = ",".join(f"{name}={value}" for name, value in self._shown().items())
        at = f"@{self.params[self.AT_PARAM]}" if self.AT_PARAM in self.params else ""
        return f"{self.NAME}{f'({inside})' if inside else ''}{at}"

    def __str__(self) -> str:
        return repr(self)

    def _identity(self) -> tuple[Any, ...]:
        return self.NAME, frozenset(self._shown().items()), repr(self.params.get(self.AT_PARAM))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Measure) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())


BaseMeasure = Measure


def _text(value: Any) -> str:
    """A value as the name of a measure shows it."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{key}:{gain}" for key, gain in sorted(value.items()) if key != gain) + "}"
    return repr(value)
