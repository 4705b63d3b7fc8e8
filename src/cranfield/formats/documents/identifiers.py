"""Which field names a document, and what can be a name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cranfield.data.shapes import folded
from cranfield.errors import FormatError

ID_NAMES = (
    *("_id", "id", "docno", "doc_id", "docid", "document_id", "document", "pid", "passage_id", "corpus_id"),
    *("item_id", "product_id", "identifier", "doc"),
)
"""The first of these that there is, is the identifier; case, and `-` for `_`, make no difference."""


def id_name(names: Iterable[str]) -> str | None:
    """The name among these that is the identifier's.

    >>> id_name(["Title", "DocNo", "text"])
    'DocNo'
    """
    known = {folded(name): name for name in names}
    return next((known[name] for name in ID_NAMES if name in known), None)


def lacks_id(names: Iterable[str]) -> str:
    """The reason why something that has these names, and no other, is no document."""
    return f"there is no identifier in it; it has {listed(names) or 'nothing'}. Expected one of {', '.join(ID_NAMES)}."


def listed(names: Iterable[str]) -> str:
    """Names one after the other on a line that is not too long, as messages show them.

    >>> listed(["id", "title\\n of the page"])
    'id, title of the page'
    """
    text = " ".join(", ".join(names).split())
    return text if len(text) <= 100 else f"{text[:97]}..."


def checked_header(names: Iterable[str], source: str, line: int | None) -> list[str]:
    """The names of the columns of a table; an error if they cannot be told apart."""
    header = [name.strip() for name in names]
    twice = next((name for name in header if not name or header.count(name) > 1), None)
    if twice is not None:
        wrong = f"two columns named {brief(twice)}" if twice else "a column without a name"
        raise FormatError(f"the header has {wrong}. Rename it.", source=source, line=line)
    return header


def as_id(value: Any, name: str) -> str:
    """A value as an identifier, or ValueError with the reason why it cannot be one.

    >>> as_id(17, "_id")
    '17'
    """
    if type(value) is int:
        return str(value)
    if not isinstance(value, str):
        raise ValueError(f"{name} {brief(value)} is neither text nor a whole number")
    if not value.strip():
        raise ValueError(f"{name} is empty")
    return value


def brief(value: Any) -> str:
    """A value as messages show it, cut if it is long."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
