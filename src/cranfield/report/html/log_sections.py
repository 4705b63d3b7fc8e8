"""The sections of a report on a log: words, plots and tables, each with what it rests on."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cranfield.logs.log import Log
from cranfield.logs.overview import Overview, named_by_many, overview
from cranfield.report.drawing import plain
from cranfield.report.html.figures import ReportFigure
from cranfield.report.html.page_data import shortened

if TYPE_CHECKING:
    from cranfield.report.drawing import AnyChart

UNKNOWN = "–"


@dataclass(frozen=True)
class LogTable:
    """One table."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[Any]]
    left: int = 1
    """How many columns are names."""
    digits: int = 3

    @property
    def cells(self) -> list[list[str]]:
        """As they are shown."""
        return [[shown(value, self.digits) for value in row] for row in self.rows]


@dataclass(frozen=True)
class LogSection:
    """What a report says about one thing."""

    name: str
    heading: str
    words: tuple[str, ...] = ()
    figures: tuple[ReportFigure, ...] = ()
    tables: tuple[LogTable, ...] = ()
    notes: tuple[str, ...] = ()


def shown(value: Any, digits: int = 3) -> str:
    """
    >>> shown(1234), shown(0.25), shown(None), shown(float("nan"))
    ('1,234', '0.250', '–', '–')
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return UNKNOWN
    if isinstance(value, float):
        return f"{value:z.{digits}f}"
    return f"{value:,}" if isinstance(value, int) else shortened(plain(str(value)))


def share(part: int, of: int) -> str:
    """
    >>> share(1, 4), share(0, 0)
    ('25.0 % (1 of 4)', 'not known (0 of 0)')
    """
    return f"{100 * part / of:.1f} % ({part:,} of {of:,})" if of else "not known (0 of 0)"


def drawn(name: str, heading: str, chart: AnyChart, *words: str) -> ReportFigure:
    """A plot, and what it says."""
    from cranfield.report.export import figure

    return ReportFigure(name, heading, figure(chart, name=f"cranfield-log-{name}"), words)


@dataclass(frozen=True, eq=False)
class LogView:
    """A log as a report looks at it: what several sections need is found out once."""

    log: Log
    least_people: int
    """Queries that fewer people put are not named."""

    @cached_property
    def overview(self) -> Overview:
        return overview(self.log, least_people=self.least_people)

    def public(self, texts: Iterable[str]) -> set[str]:
        """Those of some queries that may be named."""
        return named_by_many(self.log, texts, self.least_people)


Maker = Callable[[LogView], LogSection]
