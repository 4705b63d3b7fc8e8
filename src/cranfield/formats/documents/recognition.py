"""Which format a file is in."""

from __future__ import annotations

from cranfield.data.values import shown
from cranfield.errors import DataError
from cranfield.formats import module as module_of_kind
from cranfield.formats.documents import FORMATS, module
from cranfield.formats.documents.members import suffix
from cranfield.formats.files import Source

_STRANGERS = {
    b"%PDF-": "a PDF",
    b"BZh": "packed with bzip2",
    b"\xfd7zX": "packed with xz",
    b"7z\xbc\xaf": "packed with 7-Zip",
    b"\x1f\x9d": "packed with compress",
}
_BY_ENDING = ("jsonl", "tsv", "csv", "parquet")
"""What a file among others is taken to be for its ending."""
_BY_CONTENT = ("parquet", "trec", "smart", "jsonl", "html")
"""What it is taken to be for its beginning; a text could look like a table by chance."""
_ADVICE = {
    b"[": " A JSON array is made into lines by: jq -c '.[]'",
    b"{": " A JSON object must be on one line; jq -c makes it so.",
}


def recognise(source: Source) -> str:
    """The format of a file that is all there is."""
    head = source.head()
    if not head.strip():
        raise DataError(f"{source.name}: the file is empty")
    found = next((name for name in FORMATS if module(name).recognise(head)), None)
    if found is not None:
        return found
    refuse_stranger(source.name, head)
    for kind, called in (("qrels", "judgments"), ("run", "a run")):
        if module_of_kind("trec", kind).LAYOUT.fits(head):
            raise DataError(f"{source.name}: this looks like {called}, not like documents")
    first = head.strip().split(b"\n", 1)[0][:40]
    raise DataError(
        f"{source.name}: these are documents in no format known here; the file begins with {shown(first)}."
        f"{_ADVICE.get(first[:1], '')} Expected one of: "
        + "; ".join(module(name).DESCRIPTION for name in FORMATS)
        + ". A file that is one document is read with --documents-format text (in Python format='text')."
    )


def recognise_member(source: Source, path: str) -> str:
    """The format of a file among others; if it is in none that can be told from a text, it is a text."""
    head, ending = source.head(), suffix(path)
    by_ending = (name for name in _BY_ENDING if ending in module(name).SUFFIXES)
    by_content = (name for name in _BY_CONTENT if module(name).recognise(head))
    found = next(by_ending, None) or next(by_content, None)
    if found is None:
        refuse_stranger(source.name, head)
        if ending == ".json" and head.lstrip()[:1] in _ADVICE:
            raise DataError(f"{source.name}: this is JSON, and not one object on a line.{_ADVICE[head.lstrip()[:1]]}")
    return found or "text"


def refuse_stranger(name: str, head: bytes) -> None:
    """An error if this is no text."""
    what = next((what for magic, what in _STRANGERS.items() if head.startswith(magic)), None)
    if what is not None:
        raise DataError(f"{name}: this is {what}, which is not read here. Make text of it first.")
    if b"\0" in head:
        raise DataError(f"{name}: this is not a text file, and in no binary format that is known here")
