"""From drawn pages to the rows of a log's tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.data.strings import Bools, Ints
from cranfield.logs.simulation.drawing import Drawn
from cranfield.logs.simulation.world import World
from cranfield.logs.tables import NAMES, TABLES

if TYPE_CHECKING:
    import pyarrow as pa

SHUFFLED = "shuffled"
"""The application of pages in random order."""


@dataclass(frozen=True, eq=False)
class Names:
    """The texts of queries, or the documents, by their codes."""

    names: pa.Array
    number: Ints
    """Of each, from 1: its place among all different ones in order."""

    @classmethod
    def of(cls, names: Sequence[str]) -> Names:
        import pyarrow as pa

        number = {name: place for place, name in enumerate(sorted(set(names)), 1)}
        return cls(pa.array(names, pa.string()), np.array([number[name] for name in names], dtype=np.int64))

    def table(self, name: str) -> pa.Table:
        """Each once with its number, as the schema has it."""
        import pyarrow as pa

        number, first = np.unique(self.number, return_index=True)
        columns = [column.name for column in NAMES[name]]
        return pa.table([pa.array(number), self.names.take(pa.array(first))], names=columns)


class Rows:
    """The tables of some pages."""

    def __init__(self, world: World, texts: Names, documents: Names, pages: Drawn) -> None:
        import pyarrow as pa

        self.world, self.pages = world, pages
        self._texts, self._documents = texts, documents
        self._applications = pa.array([*world.systems, SHUFFLED], pa.string())
        self._ids = _named("q", pages.number)
        self._sessions = _once("s", pages.session)
        self._users = _once("u", pages.user)

    def tables(self) -> dict[str, pa.Table]:
        """All of them, by name; rows have the columns of the schema but for the day."""
        return {"queries": self.queries(), "impressions": self.impressions(), "events": self.events()}

    def queries(self) -> pa.Table:
        pages, clicked = self.pages, self.pages.clicked
        clicks, first = clicked.sum(axis=1), clicked.argmax(axis=1)
        none, page = clicks == 0, np.arange(len(first))
        last = np.where(clicked, pages.click_ms, 0).max(axis=1)
        columns = self._who(page) | {
            "time_ms": pages.time_ms,
            "results": pages.results,
            "shown": (pages.pair >= 0).sum(axis=1),
            "clicks": clicks,
            "clicked": clicks,
            "first_click_ms": (pages.click_ms[page, first], none),
            "last_click_ms": (last, none),
            "first_rank": (first + 1, none),
            "top_clicked": (clicked[:, 0], pages.pair[:, 0] < 0),
        }
        return _table("queries", columns)

    def impressions(self) -> pa.Table:
        pages = self.pages
        page, at = np.nonzero(pages.pair >= 0)
        clicked = pages.clicked[page, at]
        columns = self._who(page) | {
            "time_ms": pages.time_ms[page],
            **self._document(pages.pair[page, at]),
            "rank": at + 1,
            "listing": (at, np.ones(len(at), dtype=np.bool_)),
            "clicks": clicked.astype(np.int64),
            "click_ms": (pages.click_ms[page, at], ~clicked),
            "dwell_ms": (pages.dwell_ms[page, at], ~clicked),
        }
        return _table("impressions", columns)

    def events(self) -> pa.Table:
        import pyarrow as pa

        pages = self.pages
        click, purchase = np.nonzero(pages.clicked), np.nonzero(pages.bought)
        page, at = (np.concatenate(both) for both in zip(click, purchase, strict=True))
        buys = np.arange(len(page)) >= len(click[0])
        pair, dwell = pages.pair[page, at], pages.dwell_ms[page, at]
        price = self.world.price[self.world.pair_document[pair]]
        columns = self._who(page) | {
            "time_ms": pages.time_ms[page] + pages.click_ms[page, at] + np.where(buys, dwell, 0),
            "action": _coded(buys, pa.array(["click", "purchase"])),
            **self._document(pair),
            "rank": at + 1,
            "dwell_ms": (dwell, buys),
            "value": (price, ~buys),
            "shown": np.ones(len(page), dtype=np.bool_),
        }
        return _table("events", columns)

    def _document(self, pair: Ints) -> dict[str, Any]:
        document = self.world.pair_document[pair]
        return {
            "document_id": _coded(document, self._documents.names),
            "document_number": self._documents.number[document],
        }

    def _who(self, page: Ints) -> dict[str, Any]:
        pages = self.pages
        return {
            "query_id": _coded(page, self._ids),
            "session_id": _coded(self._sessions[1][page], self._sessions[0]),
            "user_id": _coded(self._users[1][page], self._users[0]),
            "application": _coded(pages.system[page], self._applications),
            "text": _coded(pages.text[page], self._texts.names),
            "query_number": pages.number[page],
            "session_number": pages.session[page],
            "user_number": pages.user[page],
            "text_number": self._texts.number[pages.text[page]],
            "bot": np.zeros(len(page), dtype=np.bool_),
        }


def _named(prefix: str, number: Ints) -> pa.Array:
    """Identifiers of numbers."""
    import pyarrow as pa
    import pyarrow.compute

    return pyarrow.compute.binary_join_element_wise(prefix, pa.array(number).cast(pa.string()), "")


def _once(prefix: str, number: Ints) -> tuple[pa.Array, Ints]:
    """Identifiers of numbers that are there several times: each once, and the place of each row."""
    values, place = np.unique(number, return_inverse=True)
    return _named(prefix, values), place


def _coded(code: Ints | Bools, values: pa.Array) -> pa.Array:
    """A column of values by their places, of which each is written once."""
    import pyarrow as pa

    return pa.DictionaryArray.from_arrays(pa.array(code.astype(np.int32)), values)


def _table(name: str, columns: dict[str, Any]) -> pa.Table:
    """In the order and of the types of the schema."""
    import pyarrow as pa

    kinds = {"BIGINT": pa.int64(), "INTEGER": pa.int32(), "DOUBLE": pa.float64(), "BOOLEAN": pa.bool_()}
    made = {}
    for column in TABLES[name]:
        if column.name == "day":
            continue
        content = columns[column.name]
        if isinstance(content, tuple):
            values, missing = content
            made[column.name] = pa.array(values, mask=missing).cast(kinds.get(column.kind, pa.string()))
        elif isinstance(content, np.ndarray):
            made[column.name] = pa.array(content).cast(kinds[column.kind])
        else:
            made[column.name] = content
    return pa.table(made)
