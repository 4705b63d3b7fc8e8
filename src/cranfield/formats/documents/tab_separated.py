"""Lines of cells between tabs: identifier and text, or whatever a header names.

Cells are not quoted: `"` is a character like any other. Without a header there are two cells, or the four of MS MARCO's
documents: identifier, URL, title and text. An empty cell is no field.
"""

from __future__ import annotations

from collections.abc import Iterator

from cranfield.data.documents import Document
from cranfield.data.strings import decode
from cranfield.data.values import shown
from cranfield.errors import FormatError
from cranfield.formats.documents.encodings import decoded
from cranfield.formats.documents.identifiers import checked_header, id_name, listed
from cranfield.formats.documents.pieces import Piece
from cranfield.formats.files import Source

NAME = "tsv"
DESCRIPTION = "tsv: identifier, tab, text; or a header that names the columns"
SUFFIXES = (".tsv", ".tab")

_BY_COUNT = {2: ("id", "text"), 4: ("id", "url", "title", "text")}


def recognise(head: bytes) -> bool:
    """A header with an identifier among its names, or as many cells in all lines as the layouts without one have."""
    lines = [line.removesuffix(b"\r").split(b"\t") for line in head.split(b"\n") if line.strip()]
    if not lines or len(lines[0]) < 2:
        return False
    if id_name(map(decode, lines[0])) is not None:
        return True
    whole = lines[:-1] or lines
    counts = {len(line) for line in whole}
    if counts == {4}:
        return all(b"://" in line[1] for line in whole)
    return counts == {2} and all(line[0].strip() for line in whole)


def iter_pieces(source: Source) -> Iterator[Piece]:
    """The documents, some at a time."""
    line, names, at_id = 1, list[str](), 0
    while lines := source.readlines():
        piece = Piece(source.name, [], places := list[int]())
        for at, content in enumerate(lines, line):
            if content.isspace():
                continue
            cells = decoded(content, source.name, at).rstrip("\r\n").split("\t")
            if not names:
                names, is_header = _names(cells, source.name, at)
                at_id = names.index(id_name(names) or names[0])
                if is_header:
                    continue
            if len(cells) != len(names):
                raise _miscounted(len(cells), names, source.name, at)
            name = cells[at_id]
            if not name.strip():
                raise FormatError(f"{names[at_id]} is empty", source=source.name, line=at)
            fields = {key: cell for key, cell in zip(names, cells, strict=True) if cell}
            del fields[names[at_id]]
            piece.documents.append(Document(name, fields))
            places.append(at)
        yield piece
        line += len(lines)


def _names(cells: list[str], source: str, line: int) -> tuple[list[str], bool]:
    """What the cells are called, and whether these are their names."""
    if id_name(cells) is not None:
        return checked_header(cells, source, line), True
    if len(cells) not in _BY_COUNT:
        layouts = " or ".join(f"{count} ({', '.join(names)})" for count, names in _BY_COUNT.items())
        raise FormatError(
            f"expected a header with an identifier such as 'id', or lines of {layouts} cells between tabs, found "
            f"{len(cells)}: {shown(cells[0].encode())}",
            source=source,
            line=line,
        )
    return [*_BY_COUNT[len(cells)]], False


def _miscounted(found: int, names: list[str], source: str, line: int) -> FormatError:
    return FormatError(
        f"expected {len(names)} cells between tabs ({listed(names)}), found {found}. "
        "Quotes do not hold a cell together here; where they should, name the format csv.",
        source=source,
        line=line,
    )
