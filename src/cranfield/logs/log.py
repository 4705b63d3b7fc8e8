"""A log that is open for questions: its tables as Ibis expressions, whatever engine answers them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from cranfield.errors import DataError, UsageError, did_you_mean
from cranfield.logs.duck_engine import DuckEngine
from cranfield.logs.folder import RECORD, LogRecord, read_record
from cranfield.logs.tables import MADE_UP, SAID, TABLES, a_day

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

    def __post_init__(self) -> None:
        for day in (self.since, self.until):
            if day is not None:
                a_day(day)


class Log:
    """The tables of a log; every analysis takes one, and puts its questions to `run`.

    Analyses are written once in Ibis. DuckDB answers them inside this process, unless another engine is given.
    """

    def __init__(self, path: str | os.PathLike[str], part: Part | None = None, *, engine: Engine | None = None) -> None:
        self.path = os.fspath(path)
        self.part = part or Part()
        self.engine = engine or DuckEngine()

    @cached_property
    def record(self) -> LogRecord:
        found = read_record(self.path, self.engine.text(f"{self.path}/{RECORD}"))
        if not found.tables:
            raise DataError(f"{self.path}: the import of this log did not end: import its files again")
        return found

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

    def run(self, expression: ibis.Expr) -> pa.Table:
        """What an expression over the tables comes to."""
        return self.engine.run(expression)

    def keep(self, expression: ibis.Table) -> ibis.Table:
        """The same, worked out once by the engine, which keeps it: for what several questions are put to."""
        return self.engine.keep(expression)

    def _table(self, name: str) -> ibis.Table:
        table = self._opened[name]
        if self.part.since is not None:
            table = table.filter(table.day >= self.part.since)
        if self.part.until is not None:
            table = table.filter(table.day <= self.part.until)
        if self.part.application is not None:
            table = table.filter(table.application == self.part.application)
        return table if self.part.bots else table.filter(~table.bot)

    @cached_property
    def _opened(self) -> dict[str, ibis.Table]:
        tables = f"{self.path}/{self.record.tables}"
        opened = {name: self.engine.table(name, f"{tables}/{name}") for name in TABLES}
        if self.part.application is not None:
            self._check(self.part.application, opened)
        return opened

    def _check(self, application: str, opened: dict[str, ibis.Table]) -> None:
        """That there is such an application in the log."""
        said = opened["queries"].select("application").union(opened["events"].select("application"), distinct=True)
        known = sorted(name for name in self.run(said)["application"].to_pylist() if name is not None)
        if not known:
            raise UsageError(f"{self.path}: the log does not say which application logged it")
        if application not in known:
            hint = did_you_mean(application, known)
            raise UsageError(
                f"{self.path}: there is no application {application!r}{hint} There are: {', '.join(known)}"
            )
