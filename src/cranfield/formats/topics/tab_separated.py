"""Topics on lines of an identifier, a tab and a text, as MS MARCO has them; or with a header and any columns.

Quotation marks are part of the text, as they are in MS MARCO's queries.
"""

from __future__ import annotations

from typing import BinaryIO

from cranfield.data.strings import encode
from cranfield.data.topics import Topic, Topics
from cranfield.data.values import shown
from cranfield.errors import DataError, FormatError
from cranfield.formats.documents.encodings import decoded
from cranfield.formats.files import Source
from cranfield.formats.topics import Found
from cranfield.formats.topics.field_names import ID_NAMES, split_id

NAME = "tsv"
DESCRIPTION = "tsv: an identifier, a tab and a text on each line, with or without a header"
SUFFIXES = (".tsv", ".tab")


def recognise(head: bytes) -> bool:
    """A tab behind the first word; the text may be missing."""
    return b"\t" in next((line for line in head.split(b"\n") if line.strip()), b"").lstrip()


def iter_topics(source: Source) -> Found:
    """The topics line by line; without a header, tabs after the first are white space."""
    names: list[str] | None = None
    first = True
    for number, line in enumerate(source.stream, 1):
        content = decoded(line, source.name, number).rstrip("\r\n")
        if not content.strip():
            continue
        cells = content.split("\t")
        if first and header(cells):
            names = [cell.strip() for cell in cells]
        elif names is None:
            if len(cells) == 1 or not cells[0].strip():
                reason = f"expected an identifier, a tab and a text, found {shown(line.strip()[:40])}"
                raise FormatError(reason, source=source.name, line=number)
            text = " ".join(" ".join(cells[1:]).split())
            yield number, Topic(cells[0].strip(), {"text": text} if text else {})
        else:
            yield number, of_row(names, cells, source.name, number)
        first = False


def header(cells: list[str]) -> bool:
    """Whether these cells name columns: one of them is called like an identifier.

    >>> header(["qid", "query"]), header(["301", "organized crime"])
    (True, False)
    """
    return any(cell.strip().lower() in ID_NAMES for cell in cells) and all(cell.strip() for cell in cells)


def of_row(names: list[str], cells: list[str], source: str, line: int) -> Topic:
    """The topic of a row below a header."""
    if len(cells) != len(names):
        reason = f"expected {len(names)} cells ({', '.join(names)}), found {len(cells)}"
        raise FormatError(reason, source=source, line=line)
    known = [name.lower() if name.lower() in ID_NAMES else name for name in names]
    identifier, fields = split_id({name: cell.strip() for name, cell in zip(known, cells, strict=True)})
    if identifier is None:
        raise FormatError("the identifier is missing", source=source, line=line)
    return Topic(identifier, fields)


def write(topics: Topics, out: BinaryIO) -> None:
    """A line for each topic. It has room for one text: topics with more must be written in another format."""
    for topic in topics.values():
        if len(topic.fields) > 1:
            raise DataError(
                f"topic {topic.id} has the fields {', '.join(topic.fields)}; a line has room for one text. "
                "Write jsonl, trec, csv or toml instead."
            )
        if "\t" in topic.id or "\n" in topic.id:
            raise DataError(f"the identifier {topic.id!r} has a tab or line end in it. Write jsonl instead.")
        out.write(encode(f"{topic.id}\t{topic.query(tuple(topic.fields))}\n"))
