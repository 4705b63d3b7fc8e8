"""What it costs to read documents: lines of `document cost` or `query document cost`.

Between the fields is white space or a comma; a first line that names the columns is passed over.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cranfield.data.costs import Costs
from cranfield.data.values import shown
from cranfield.formats.files import Readable, Source, open_source
from cranfield.formats.lines import Layout, empty
from cranfield.formats.numbers import parse_number
from cranfield.formats.records import collect, iter_line_records, strict

_COMMA, _SPACE, _COMMENT = b", #"


def _check(fields: list[bytes]) -> str | None:
    return f"cost {shown(fields[-1])} is not a number" if parse_number(fields[-1]) is None else None


LAYOUT = Layout(("document", "cost"), _check)
LAYOUT_BY_QUERY = Layout(("query", "document", "cost"), _check)


@dataclass
class _Table(Source):
    """A file whose header is a comment and whose commas are spaces."""

    commas: bool = False
    header: bool = False

    def readinto(self, target: memoryview) -> int:
        got = super().readinto(target)
        text = np.frombuffer(target, dtype=np.uint8)[:got]
        if self.commas:
            text[text == _COMMA] = _SPACE
        if self.header and got:
            text[0], self.header = _COMMENT, False
        return got


def read_costs(what: Readable, *, name: str | None = None) -> Costs:
    """Costs from a path, `-` for standard input, or a file object.

    >>> import io
    >>> read_costs(io.StringIO("doc_id,cost\\nd1,30\\nd2,12.5\\n"), name="seconds")
    <Costs seconds: 2 documents>
    """
    with open_source(what) as source:
        lines = [line for line in source.head().split(b"\n") if line.strip() and not line.startswith(b"#")][:2]
        if not lines:
            raise empty(source.name, LAYOUT)
        commas = b"," in lines[0] and all(field.endswith(b",") for field in lines[0].split()[:-1])
        rows = [(line.replace(b",", b" ") if commas else line).split() for line in lines]
        ends_in_cost = [bool(row) and _check(row) is None for row in rows]
        layout = LAYOUT_BY_QUERY if len(rows[-1]) == 3 else LAYOUT
        header = ends_in_cost == [False, True]
        table = _Table(source.name, source.stream, share_read=source.share_read, commas=commas, header=header)
        ids = {name: at for at, name in enumerate(layout.names[:-1])}
        records = iter_line_records(table, layout, strict(source.name), ids=ids, numbers={"cost": len(ids)})
        costs: Costs = collect("costs", records, source.name, name or source.name)
        return costs
