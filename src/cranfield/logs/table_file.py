"""Tables as files with tabs between cells."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Sequence

from cranfield.formats.writing import writing


def write_table(path: str | os.PathLike[str], header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A line for each row below the header; cells are quoted where they must be."""
    text = io.StringIO(newline="")
    out = csv.writer(text, delimiter="\t", lineterminator="\n")
    out.writerow(header)
    out.writerows(rows)
    with writing(path) as file:
        file.write(text.getvalue().encode())
