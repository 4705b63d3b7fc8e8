"""A log that is open for questions: its tables as Ibis expressions, whatever engine answers them."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from cranfield.errors import DataError, MissingExtraError, UsageError, did_you_mean
from cranfield.logs.duck import bounds
from cranfield.logs.folder import LogFolder, LogRecord
from cranfield.logs.tables import MADE_UP, SAID, TABLES, a_day

if TYPE_CHECKING:
    import ibis
    import pyarrow as pa


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

    Analyses are written once in Ibis. Here DuckDB answers them inside this process.
    """

    def __init__(self, path: str | os.PathLike[str], part: Part | None = None) -> None:
        self.folder = LogFolder(path)
        self.part = part or Part()

    @cached_property
    def record(self) -> LogRecord:
        found = self.folder.read()
        if not found.tables:
            raise DataError(f"{self.folder.path}: the import of this log did not end: import its files again")
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
        return self._backend.to_pyarrow(expression)

    def keep(self, expression: ibis.Table) -> ibis.Table:
        """The same, worked out once by the engine, which keeps it: for what several questions are put to."""
        kept: ibis.Table = self._backend.create_table(f"kept_{uuid4().hex}", expression, temp=True)
        return kept

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
        # The day is a column of the files too; that of the folders would be taken for a date.
        opened = {name: self._backend.read_parquet(str(self._files(name)), hive_partitioning=False) for name in TABLES}
        if self.part.application is not None:
            self._check(self.part.application, opened)
        return opened

    def _check(self, application: str, opened: dict[str, ibis.Table]) -> None:
        """That there is such an application in the log."""
        said = opened["queries"].select("application").union(opened["events"].select("application"), distinct=True)
        known = sorted(name for name in self.run(said)["application"].to_pylist() if name is not None)
        if not known:
            raise UsageError(f"{self.folder.path}: the log does not say which application logged it")
        if application not in known:
            hint = did_you_mean(application, known)
            raise UsageError(
                f"{self.folder.path}: there is no application {application!r}{hint} There are: {', '.join(known)}"
            )

    def _files(self, name: str) -> Path:
        return self.folder.table(name, self.record) / "*" / "*.parquet"

    @cached_property
    def _backend(self) -> Any:
        try:
            import ibis
        except ImportError:
            raise MissingExtraError("query logs", "logs") from None
        # DuckDB makes the folder when something does not fit in memory, and removes it in the end.
        return ibis.duckdb.connect(**bounds(Path(tempfile.gettempdir()) / f"cranfield-log-{uuid4().hex}"))
