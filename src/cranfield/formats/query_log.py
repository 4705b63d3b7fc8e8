"""Queries of a log: a column called `query` of a table with tabs, or lines that are queries."""

from __future__ import annotations

from collections import Counter

from cranfield.data.strings import decode
from cranfield.errors import DataError, FormatError
from cranfield.formats.files import Readable, open_source

QUERY_NAMES = ("query", "querytext", "query_text", "user_query", "search")


def read_query_counts(what: Readable) -> Counter[str]:
    """How often each query was asked; those that differ in case and white space only are one.

    >>> import io
    >>> read_query_counts(io.StringIO("user\\tQuery\\n7\\thot  soup\\n8\\tHot soup\\n")).most_common()
    [('hot soup', 2)]
    """
    counts: Counter[str] = Counter()
    with open_source(what) as source:
        source.head()
        column, width = 0, 0
        for number, line in enumerate(source.stream, 1):
            cells = decode(line.rstrip(b"\r\n")).split("\t")
            if number == 1:
                names = [cell.strip().lower() for cell in cells]
                found = [names.index(name) for name in QUERY_NAMES if name in names]
                if not found and len(cells) > 1:
                    found_names = ", ".join(cells)[:60]
                    reason = f"expected a header with a column called {', '.join(QUERY_NAMES)}, found {found_names!r}"
                    raise FormatError(reason, source=source.name, line=1)
                width = len(cells)
                if found:
                    column = found[0]
                    continue
            if len(cells) != width and any(cell.strip() for cell in cells):
                raise FormatError(f"expected {width} cells, found {len(cells)}", source=source.name, line=number)
            query = " ".join(cells[column].lower().split()) if len(cells) == width else ""
            if query:
                counts[query] += 1
        if not counts:
            raise DataError(f"{source.name}: there is no query in it")
    return counts
