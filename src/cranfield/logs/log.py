"""A log that is open for questions: its tables as Ibis expressions, whatever engine answers them."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.errors import DataError, UsageError, did_you_mean
from cranfield.logs.duck_engine import DuckEngine
from cranfield.logs.folder import RECORD, SIMULATED, VERSION, LogRecord, read_record
from cranfield.logs.tables import COUNTED_BY, MADE_UP, SAID, a_day

if TYPE_CHECKING:
    import ibis
    import pyarrow as pa

    from cranfield.logs.engine import Engine


@dataclass(frozen=True)
class Part:
    """Which part of a log is looked at."""

    since: str | None = None
    """The first day, as 2026-03-01."""
    until: str | None = None
    """The last day."""
    application: str | None = None
    bots: bool = False
    """Whether users that searched faster than people do are looked at too."""

    @property
    def whole(self) -> bool:
        """Whether nothing is left out but bots."""
        return self == Part()

    def __post_init__(self) -> None:
        for day in (self.since, self.until):
            if day is not None:
                a_day(day)
        if self.since is not None and self.until is not None and self.since > self.until:
            raise UsageError(f"no day is from {self.since} to {self.until}: the first is after the last")


class Log:
    """The tables of a log; every analysis takes one, and puts its questions to `run`.

    Analyses are written once in Ibis. DuckDB answers them inside this process, unless another engine is given.
    """

    def __init__(self, path: str | os.PathLike[str], part: Part | None = None, *, engine: Engine | None = None) -> None:
        self.path = os.fspath(path)
        self.part = part or Part()
        self.engine = engine or DuckEngine()
        self._tables: dict[str, ibis.Table] = {}
        self._made: dict[str, ibis.Table] = {}

    @classmethod
    def unfinished(cls, tables: Path, engine: Engine) -> Log:
        """A log that is being made, of which there are some tables and no record yet."""
        log = cls(tables, engine=engine)
        log._place = os.fspath(tables)
        return log

    @cached_property
    def record(self) -> LogRecord:
        found = read_record(self.path, self.engine.text(f"{self.path}/{RECORD}"))
        if not found.tables:
            raise DataError(f"{self.path}: the import of this log did not end: import its files again")
        if found.version != VERSION:
            made_up = any(source.format == SIMULATED for source in found.sources)
            anew = "simulate the log again" if made_up else f"`cranfield logs settle {self.path}` makes them anew"
            raise DataError(f"{self.path}: its tables were made by an older version: {anew}")
        return found

    @cached_property
    def _place(self) -> str:
        """The folder of its tables."""
        return f"{self.path}/{self.record.tables}"

    @property
    def dated(self) -> bool:
        """Whether days and times of day are those of its sources."""
        return self.record.times == SAID

    @property
    def timed(self) -> bool:
        """Whether the times between what happened in one session are those of its sources."""
        return self.record.times != MADE_UP

    @property
    def times_said(self) -> str:
        """What its times are not, in words; empty if all are those of its sources."""
        return self.record.times_said

    @property
    def queries(self) -> ibis.Table:
        """See `cranfield.logs.tables.QUERIES`."""
        return self._table("queries")

    @property
    def impressions(self) -> ibis.Table:
        """See `cranfield.logs.tables.IMPRESSIONS`."""
        return self._table("impressions")

    @property
    def events(self) -> ibis.Table:
        """See `cranfield.logs.tables.EVENTS`."""
        return self._table("events")

    @property
    def texts(self) -> ibis.Table:
        """See `cranfield.logs.tables.TEXTS`; of the whole log."""
        return self.opened("texts")

    @property
    def documents(self) -> ibis.Table:
        """See `cranfield.logs.tables.DOCUMENTS`; of the whole log."""
        return self.opened("documents")

    @property
    def counts(self) -> ibis.Table:
        """See `cranfield.logs.tables.COUNTS`: of a part of the days, each impression by itself."""
        if self.part.since is None and self.part.until is None:
            return self._table("counts")
        rows = self.impressions
        return rows.select(*COUNTED_BY, shown=1, clicked=(rows.clicks > 0).cast("int64"))

    @cached_property
    def days(self) -> list[str]:
        """Those that have queries, in order."""
        rows = self.opened("traffic") if self.part.whole else self.queries.select("day").distinct()
        return sorted(filter(None, self.run(rows)["day"].to_pylist()))

    def no_queries(self) -> DataError:
        """The error of an analysis that finds none; see `days`."""
        return DataError(f"{self.path}: there are no queries in this part of the log")

    def summary(self, name: str, made: Callable[[Log], ibis.Table]) -> ibis.Table:
        """One of `cranfield.logs.tables.SUMMARIES`: as it was written with the tables, or made of a part of the log."""
        if self.part.whole:
            return self.opened(name)
        if name not in self._made:
            self._made[name] = self.keep(made(self))
        return self._made[name]

    def run(self, expression: ibis.Expr) -> pa.Table:
        """What an expression over the tables comes to."""
        return self.engine.run(expression)

    def keep(self, expression: ibis.Table) -> ibis.Table:
        """The same, worked out once by the engine, which keeps it: for what several questions are put to."""
        return self.engine.keep(expression)

    def _table(self, name: str) -> ibis.Table:
        table = self.opened(name)
        if self.part.since is not None:
            table = table.filter(table.day >= self.part.since)
        if self.part.until is not None:
            table = table.filter(table.day <= self.part.until)
        if self.part.application is not None:
            self._check(self.part.application)
            table = table.filter(table.application == self.part.application)
        return table if self.part.bots else table.filter(~table.bot)

    def opened(self, name: str) -> ibis.Table:
        """A table of `cranfield.logs.tables.SCHEMA` as it is written, whatever part is looked at."""
        if name not in self._tables:
            self._tables[name] = self.engine.table(name, f"{self._place}/{name}")
        return self._tables[name]

    def _check(self, application: str) -> None:
        """That there is such an application in the log."""
        known = self._applications
        if not known:
            raise UsageError(f"{self.path}: the log does not say which application logged it")
        if application not in known:
            hint = did_you_mean(application, known)
            raise UsageError(
                f"{self.path}: there is no application {application!r}{hint} There are: {', '.join(known)}"
            )

    @cached_property
    def _applications(self) -> list[str]:
        said, others = (self.opened(name).select("application") for name in ("queries", "events"))
        found = self.run(said.union(others, distinct=True))["application"].to_pylist()
        return sorted(name for name in found if name is not None)
