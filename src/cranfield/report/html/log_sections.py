"""The sections of a report on a log: words, plots and tables, each with what it rests on."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cranfield.logs.asked import named_by_many
from cranfield.logs.log import Log
from cranfield.logs.overview import Overview, overview
from cranfield.report.drawing import plain
from cranfield.report.html.figures import ReportFigure
from cranfield.report.html.page_data import shortened
from cranfield.report.html.views import Cell

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
    """Of numbers that are neither whole nor shares."""
    shares: tuple[str, ...] = ()
    """Columns of shares, which are shown in percent."""

    @property
    def cells(self) -> list[list[Cell]]:
        """As they are shown."""
        return [
            [
                Cell(percent(value) if name in self.shares else shown(value, self.digits), _sorted_by(value))
                for name, value in zip(self.header, row, strict=True)
            ]
            for row in self.rows
        ]


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


def percent(value: float | None) -> str:
    """
    >>> percent(0.2512), percent(1.0), percent(None)
    ('25.1 %', '100.0 %', '–')
    """
    return UNKNOWN if value is None or math.isnan(value) else f"{100 * value:.1f} %"


def _sorted_by(value: Any) -> float | str | None:
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return None
    return value if isinstance(value, int | float) else plain(str(value))


def share(part: int, of: int) -> str:
    """
    >>> share(1, 4), share(0, 4), share(0, 0)
    ('25.0 % (1 of 4)', 'none of 4', 'not known (0 of 0)')
    """
    if not of:
        return "not known (0 of 0)"
    return f"{percent(part / of)} ({part:,} of {of:,})" if part else f"none of {of:,}"


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
