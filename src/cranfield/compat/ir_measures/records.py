"""The tuples that go in and come out: judgments, scored documents, values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from cranfield.compat.ir_measures.deprecation import warn_deprecated

if TYPE_CHECKING:
    from cranfield.compat.ir_measures.measure import Measure


class Qrel(NamedTuple):
    """A judgment; `iteration` is the subtopic, for measures of diversity."""

    query_id: str
    doc_id: str
    relevance: int
    iteration: str = "0"


class ScoredDoc(NamedTuple):
    """A document that was returned for a query, and its score."""

    query_id: str
    doc_id: str
    score: float


class Metric(NamedTuple):
    """The value of a measure for one query."""

    query_id: str
    measure: Measure
    value: float


class CwlMetric(NamedTuple):
    """The value of a user model for one query, its expected utility, and what else is expected of its reader."""

    query_id: str
    measure: Measure
    value: float
    expected_total_utility: float
    expected_cost: float
    expected_total_cost: float
    expected_items: float


class CalcResults(NamedTuple):
    """The mean (or sum) of each measure, and the value of each for each query."""

    aggregated: Any
    per_query: list[Metric | CwlMetric]


class GenericQrel(Qrel):
    """The old name of `Qrel`."""

    def __new__(cls, *values: Any, **named: Any) -> GenericQrel:
        warn_deprecated("GenericQrel", "Qrel")
        return super().__new__(cls, *values, **named)


class GenericScoredDoc(ScoredDoc):
    """The old name of `ScoredDoc`."""

    def __new__(cls, *values: Any, **named: Any) -> GenericScoredDoc:
        warn_deprecated("GenericScoredDoc", "ScoredDoc")
        return super().__new__(cls, *values, **named)
