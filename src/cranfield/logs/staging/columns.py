"""Which column of a table says what: a mapping, checked before anything is read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from cranfield.errors import DataError, UsageError, did_you_mean


class Target(NamedTuple):
    """What a column can be mapped to."""

    record: str
    """The column of the records that it becomes."""
    meaning: str


TARGETS = {
    "kind": Target("kind", "query, impression or event; without it, rows with an action are events, other rows with a "
                   "document impressions, and the rest queries"),
    "query_id": Target("query_id", "The query as it was put once"),
    "session": Target("session", "The session, which is hashed"),
    "user": Target("user", "The user, who is hashed"),
    "application": Target("application", "Where it was searched"),
    "time": Target("time_ms", "When: seconds to nanoseconds since 1970, or as ISO 8601 writes it"),
    "query": Target("text", "The words of the query"),
    "results": Target("results", "How many results there were"),
    "hits": Target("hits", "The documents shown, best first: an array, or texts with blanks between them"),
    "action": Target("action", "What was done: click, purchase, …"),
    "document": Target("document_id", "To which document, or which was shown"),
    "rank": Target("ordinal", "Where it was shown, from 0 or 1"),
    "listing": Target("listing", "What kind of listing"),
    "dwell_ms": Target("dwell_ms", "How long the user stayed, in milliseconds"),
    "value": Target("value", "What it was worth"),
}  # fmt: skip
"""By the names that a mapping has."""
_SAME = {target.record: name for name, target in TARGETS.items()} | {"user_id": "user", "session_id": "session"}
"""Columns that need no mapping, because they are called as ours."""
KINDS = ("query", "impression", "event")


@dataclass(frozen=True)
class Columns:
    """By the names of `TARGETS`: the column of each, and texts that hold for all rows."""

    named: Mapping[str, str] = field(default_factory=dict)
    fixed: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in (*self.named, *self.fixed):
            if name not in TARGETS:
                raise UsageError(
                    f"columns: {name!r} is nothing that a log has{did_you_mean(name, TARGETS)} There are "
                    f"{', '.join(TARGETS)}"
                )
        if "kind" in self.fixed and self.fixed["kind"] not in KINDS:
            raise UsageError(f"columns: kind is {self.fixed['kind']!r}; expected {', '.join(KINDS)}")

    def found_in(self, names: Iterable[str] | None, source: str) -> Columns:
        """The mapping of a file with these columns, where those called as ours need none; an error if it lacks some.

        Names are None where rows may differ in what they have.
        """
        if names is None:
            complete = self if self.named else Columns({name: name for name in TARGETS}, self.fixed)
        else:
            there = list(names)
            same = {_SAME.get(name, name): name for name in there if _SAME.get(name, name) in TARGETS}
            complete = Columns({**same, **self.named}, self.fixed)
            for name, column in self.named.items():
                if column not in there:
                    raise DataError(
                        f"{source}: there is no column {column!r} for {name}{did_you_mean(column, there)} "
                        f"Its columns are {', '.join(there)}"
                    )
        given = {*complete.named, *complete.fixed}
        if "time" not in given or not given & {"query", "query_id"}:
            has = "" if names is None else f" has the columns {', '.join(names)}, and"
            raise DataError(
                f"{source}:{has} needs one for time, and one for query or query_id: say which they are, as --columns "
                "time=ts,query=q; the first row of a file of text has their names"
            )
        return complete


def parse_columns(said: str) -> Columns:
    """Columns as `query=q,time=ts,kind:=event` says them, or the TOML file of that name.

    >>> parse_columns("query=q,time=ts,action:=click").fixed
    {'action': 'click'}
    """
    if said.endswith(".toml"):
        return _from_file(said)
    named, fixed = dict[str, str](), dict[str, str]()
    for part in said.split(","):
        name, separator, column = part.partition("=")
        if not separator or not name.strip() or not column.strip():
            raise UsageError(
                f"--columns {part!r}: expected NAME=COLUMN, NAME:=TEXT for a text that all rows have, or a TOML file"
            )
        (fixed if name.endswith(":") else named)[name.rstrip(":").strip()] = column.strip()
    return Columns(named, fixed)


def _from_file(path: str | os.PathLike[str]) -> Columns:
    import tomllib

    try:
        content = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"{path}: there is no such file") from None
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from None
    named, fixed = content.pop("columns", {}), content.pop("fixed", {})
    if content or not all(isinstance(value, str) for part in (named, fixed) for value in part.values()):
        raise UsageError(f'{path}: expected the tables [columns] and [fixed], with lines such as query = "q"')
    return Columns(named, fixed)
