"""Rows of judgments and of runs in one table, so that what belongs together can be brought to one place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cranfield.data.arrow import bytes_to_arrow
from cranfield.data.strings import Ints, group_heads
from cranfield.errors import FormatError
from cranfield.formats.numbers import parse_numbers

if TYPE_CHECKING:
    import pyarrow as pa

    from cranfield.formats.records import Records

JUDGMENTS = -1
"""The number of a run that rows of judgments have: they stand above those of all runs."""
_FILES_APART = 44
"""A file has fewer than two to this power bytes, and rows."""


class Origin(NamedTuple):
    """The file that rows come from, and the number of the run that it belongs to."""

    run: int
    ordinal: int
    """Which of the files of the run it is."""
    file: str

    def place(self, within: int) -> int:
        """A place of a file among all of its run."""
        return (self.ordinal << _FILES_APART) + within


@dataclass(frozen=True)
class RowLayout:
    """Which columns rows have, beside those that all have: query, run, document, value (a score, or a grade), place
    in the file, and label (the tag of a run, the iteration of a judgment)."""

    places: bool = False
    """Whether it matters where every row of a run stood in its file."""
    query_order: bool = False
    """Whether it matters how queries followed."""
    ranks: bool = False
    stratum: bool = False
    method: bool = False
    probability: bool = False

    @property
    def schema(self) -> str:
        """As Spark writes it."""
        columns = ["query binary", "run int", "document binary", "value double", "place bigint", "label binary"]
        columns += [f"{name} binary" for name in ("stratum", "method") if getattr(self, name)]
        columns += ["probability double"] if self.probability else []
        return ", ".join([*columns, "given_rank double"] if self.ranks else columns)

    def batch(self, records: Records, origin: Origin, place: Ints) -> pa.RecordBatch:
        """Records of a file as rows; `place` is that of each."""
        import pyarrow as pa

        ids, values, rows = records.columns.ids, records.columns.numbers, len(records.place)
        query = ids["query_id"]
        made: dict[str, Any] = {
            "query": bytes_to_arrow(query),
            "run": np.full(rows, origin.run, dtype=np.int32),
            "document": bytes_to_arrow(ids["doc_id"]),
        }
        if origin.run == JUDGMENTS:
            made["value"] = values["relevance"]
            made["place"] = place
            made["label"] = bytes_to_arrow(ids["iteration"]) if "iteration" in ids else pa.nulls(rows, pa.binary())
        else:
            made["value"] = values["score"] if "score" in values else -values["rank"]
            unmarked = np.full(rows, not self.places)
            unmarked[rows - 1 :] = False  # the last row has the tag
            if self.query_order:
                unmarked[group_heads(query)] = False
            made["place"] = pa.array(place, mask=unmarked)
            tag = ids.get("tag")
            label: list[bytes | None] = [None] * rows
            if tag is not None and rows:
                label[-1] = tag[rows - 1]
            made["label"] = pa.array(label, pa.binary())
        for name in ("stratum", "method"):
            if getattr(self, name):
                made[name] = bytes_to_arrow(ids[name]) if name in ids else pa.nulls(rows, pa.binary())
        if self.probability:
            made["probability"] = values.get("probability", pa.nulls(rows, pa.float64()))
        if self.ranks:
            made["given_rank"] = _ranks(records, origin)
        return pa.RecordBatch.from_pydict(made)


def _ranks(records: Records, origin: Origin) -> Any:
    """The rank column of a run, a number or the text of one; nothing where there is none."""
    import pyarrow as pa

    columns = records.columns
    if origin.run == JUDGMENTS or "rank" not in (*columns.ids, *columns.numbers):
        return pa.nulls(len(records.place), pa.float64())
    if "rank" in columns.numbers:
        return columns.numbers["rank"]
    ranks, bad = parse_numbers(columns.ids["rank"])
    if len(bad):
        raise FormatError(f"rank {columns.ids['rank'][int(bad[0])]!r} is not a finite number", source=origin.file)
    return ranks
