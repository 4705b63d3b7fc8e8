"""Scores of a learned ranker: one on each line, alone or as the last of its fields."""

from __future__ import annotations

from cranfield.data.strings import Floats, Strings
from cranfield.data.values import shown
from cranfield.errors import DataError, FormatError
from cranfield.formats.files import Readable, open_source
from cranfield.formats.numbers import parse_numbers


def read_scores(what: Readable) -> Floats:
    """The scores of a file, from a path, `-` for standard input, or a file object; gzip and zstd are unpacked.

    >>> import io
    >>> read_scores(io.StringIO("0.5\\nq1 0 0.25\\n")).tolist()
    [0.5, 0.25]
    """
    with open_source(what) as source:
        lines = [(number, line.split()) for number, line in enumerate(source.stream, 1)]
        found = [(number, fields[-1]) for number, fields in lines if fields]
        if not found:
            raise DataError(f"{source.name}: there is no score in it")
        scores, bad = parse_numbers(Strings.from_list([text for _, text in found]))
        if len(bad):
            line, text = found[int(bad[0])]
            raise FormatError(f"expected a score, found {shown(text)}", source=source.name, line=line)
        return scores
