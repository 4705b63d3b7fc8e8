"""A page of HTML: its title and the text a reader sees, without scripts and styles. The name of the file names it."""

from __future__ import annotations

import html
from collections.abc import Iterator

from cranfield.data.documents import Document
from cranfield.data.strings import decode
from cranfield.formats.documents.encodings import decoded
from cranfield.formats.documents.markup import collapsed, iter_tags, separator
from cranfield.formats.documents.pieces import Piece
from cranfield.formats.files import Source

NAME = "html"
DESCRIPTION = "html: a page, named like its file"
SUFFIXES = (".html", ".htm", ".xhtml")
ONE_TO_A_FILE = True

_FIRST = frozenset({"html", "head", "body", "title", "meta"})


def recognise(head: bytes) -> bool:
    """A page begins with its type, or with the tag of the page, its head, body or title."""
    if head.lstrip()[:14].lower() == b"<!doctype html":
        return True
    tag, before = next(iter_tags(decode(head)))
    return tag in _FIRST and not before.strip()


def iter_pieces(source: Source, name: str) -> Iterator[Piece]:
    """The document of this name."""
    text = decoded(source.read(), source.name, 1)
    yield Piece(source.name, [Document(name, page_fields(text))])


def page_fields(text: str) -> dict[str, str]:
    """Title and text of a page; none of them if it has none.

    >>> page_fields("<html><title>Soup &amp; bread</title><p>Boil <b>wat</b>er.<script>x < y</script><p>Serve.</html>")
    {'title': 'Soup & bread', 'text': 'Boil water.\\nServe.'}
    """
    title: list[str] = []
    body: list[str] = []
    within = body
    for tag, before in iter_tags(text):
        within += (before, separator(tag))
        within = title if tag == "title" and not title else body
    fields = {name: collapsed(html.unescape("".join(parts))) for name, parts in (("title", title), ("text", body))}
    return {name: content for name, content in fields.items() if content}
