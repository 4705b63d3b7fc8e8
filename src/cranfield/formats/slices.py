"""Slices of topics: a table with a header, a column that names the topic, and what it is sliced by.

Where there is a column `slice`, it has the names of the slices, and further columns are ignored. Otherwise every other
column slices the topics: `language` with the cell `en` makes the slice `language=en`. A topic may have several lines;
an empty cell puts it in no slice.
"""

from __future__ import annotations

from cranfield.data.shapes import QRELS, folded
from cranfield.errors import DataError, FormatError
from cranfield.formats.cells import iter_rows
from cranfield.formats.files import Readable, open_source

_TOPIC = QRELS["query_id"].names


def read_slices(what: Readable) -> dict[str, list[str]]:
    """The topics of each slice, from a path, `-` for standard input, or a file object.

    >>> import io
    >>> read_slices(io.StringIO("query,slice\\nq1,head\\nq2,tail\\nq3,head\\n"))
    {'head': ['q1', 'q3'], 'tail': ['q2']}
    >>> read_slices(io.StringIO("query,language,length\\nq1,en,short\\nq2,de,\\n"))
    {'language=en': ['q1'], 'length=short': ['q1'], 'language=de': ['q2']}
    """
    slices: dict[str, dict[str, None]] = {}
    with open_source(what) as source:
        rows = iter_rows(source)
        _, header = next(rows, (0, []))
        names = [folded(cell) for cell in header]
        topic = next((names.index(name) for name in _TOPIC if name in names), None)
        if topic is None or len(header) < 2:
            raise DataError(
                f"{source.name}: expected a header that names a column of topics ({', '.join(_TOPIC)}) and what they "
                f"are sliced by, such as 'query,slice', found {','.join(header)[:80]!r}"
            )
        labels = {at: f"{cell}=" for at, cell in enumerate(header) if at != topic}
        if "slice" in names:
            labels = {names.index("slice"): ""}
        for line, cells in rows:
            if len(cells) != len(header):
                reason = f"expected {len(header)} cells ({','.join(header)}), found {len(cells)}"
                raise FormatError(reason, source=source.name, line=line)
            if not cells[topic]:
                raise FormatError("the topic is missing", source=source.name, line=line)
            for at, label in labels.items():
                if cells[at]:
                    slices.setdefault(label + cells[at], {})[cells[topic]] = None
        if not slices:
            raise DataError(f"{source.name}: no topic is in a slice")
    return {name: list(topics) for name, topics in slices.items()}
