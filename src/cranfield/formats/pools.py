r"""Pools: a table with tabs, whose first line says how the pool was made, how many documents follow and their SHA-256.

It begins `# cranfield pool 1 {"documents": 2, "sha256": ...}`; then come the names of the columns, and a line for each
document. A stratum or a chance that is not known is `-`. Nothing stands beside a document that says which system
returned it, or where. Equal pools are equal files.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
from typing import Any

import numpy as np

from cranfield.data.pool import BOTH, OUTRIGHT, Pool
from cranfield.data.strings import PADDING, Bools, Codes, Floats, Ints, Strings, number
from cranfield.data.values import shown
from cranfield.errors import DataError, FormatError
from cranfield.formats.files import Readable, open_source
from cranfield.formats.numbers import parse_numbers
from cranfield.formats.text_fields import number_texts, write_lines
from cranfield.formats.writing import writing

MARK = b"# cranfield pool"
VERSION = 1
COLUMNS = (b"topic", b"document", b"chosen", b"stratum", b"probability", b"method", b"round")
_UNKNOWN = b"-"
_TAB, _NEWLINE = 9, 10


def write_pool(pool: Pool, path: str | os.PathLike[str]) -> None:
    """Write a pool; a name ending in .gz or .zst is packed, and the file takes its name only when it is complete."""
    _refuse_awkward("topic", Strings.from_list(pool.topic_ids))
    _refuse_awkward("document", pool.documents)
    rows = io.BytesIO()
    unknown = [_UNKNOWN] * len(pool.topic)
    fields: list[Strings | list[bytes]] = [
        [pool.topic_ids[topic] for topic in pool.topic.tolist()],
        pool.documents,
        _texts(pool.chosen),
        unknown if pool.stratum is None else _texts(pool.stratum),
        unknown if pool.probability is None else number_texts(pool.probability, whole=True),
        _texts(pool.method),
        _texts(pool.round),
    ]
    rows.write(b"\t".join(COLUMNS) + b"\n")
    write_lines(fields, rows, b"\t")
    about = {
        "documents": len(pool.topic),
        "sha256": hashlib.sha256(rows.getbuffer()).hexdigest(),
        "collection_sha256": pool.collection_sha256,
        "topics_sha256": pool.topics_sha256,
        "recipe": list(pool.recipe),
    }
    with writing(path) as out:
        out.write(b"%b %d %b\n" % (MARK, VERSION, json.dumps(about).encode()))
        out.write(rows.getbuffer())


def read_pool(what: Readable) -> Pool:
    """A pool from a path, `-` for standard input, or a file object; an error if it is cut short or was changed."""
    with open_source(what) as source:
        content, name = source.read(), source.name
    if not content.startswith(MARK):
        raise FormatError(
            f"this is no pool: expected a first line that begins {MARK.decode()!r}. `cranfield pool build` makes one.",
            source=name,
            line=1,
        )
    first, _, body = content.partition(b"\n")
    about = _about(first, name)
    if hashlib.sha256(body).hexdigest() != about["sha256"]:
        raise _changed(body, about["documents"], name)
    return _parsed(body, about, name).checked(name)


def _about(line: bytes, name: str) -> dict[str, Any]:
    version, _, text = line[len(MARK) :].lstrip().partition(b" ")
    if version.isdigit() and version != b"%d" % VERSION:
        reason = f"the pool has version {version.decode():.20}; this cranfield reads version {VERSION}"
        raise FormatError(reason, source=name, line=1)
    try:
        about = json.loads(text)
    except ValueError:
        raise FormatError("the first line is not whole: the file was cut short", source=name, line=1) from None
    kinds = {"documents": int, "sha256": str, "recipe": list}
    if not isinstance(about, dict) or any(not isinstance(about.get(key), kind) for key, kind in kinds.items()):
        raise FormatError(f"the first line lacks {', '.join(kinds)}", source=name, line=1)
    return about


def _changed(body: bytes, documents: int, name: str) -> DataError:
    """The error for a file that is not as it was written."""
    found = max(0, len(body.splitlines()) - 1)
    whole = body.endswith(b"\n")
    if found < documents or not whole:
        last = "" if whole or not body else ", and the last line is not whole"
        return DataError(
            f"{name}: the pool was cut short: it had {documents} documents, {found} lines are left{last}. Take a "
            "copy that is whole, or build it again: with the same runs and seed it comes out the same."
        )
    more = f"it had {documents} documents, now there are {found}" if found > documents else "some line is another"
    return DataError(
        f"{name}: the pool was changed after it was written: {more}. What it says of chances would no longer hold. "
        "Documents are added with `cranfield pool extend --add FILE`."
    )


def _parsed(body: bytes, about: dict[str, Any], name: str) -> Pool:
    text = np.frombuffer(body + PADDING, dtype=np.uint8)
    ends = np.flatnonzero((text[: len(body)] == _TAB) | (text[: len(body)] == _NEWLINE))
    header, _, _ = body.partition(b"\n")
    if tuple(header.split(b"\t")) != COLUMNS or len(ends) != len(COLUMNS) * (about["documents"] + 1):
        raise FormatError(f"expected the columns {b', '.join(COLUMNS).decode()}", source=name, line=2)
    table = ends.reshape(-1, len(COLUMNS))
    begins = np.column_stack([table[:-1, -1] + 1, table[1:, :-1] + 1])
    cells = {
        column.decode(): Strings(text, begins[:, at], table[1:, at] - begins[:, at])
        for at, column in enumerate(COLUMNS)
    }
    topics = number(cells["topic"])
    if (np.diff(topics.code) < 0).any():
        raise FormatError("topics are not in order", source=name)
    method = _whole(cells["method"], name)
    if ((method < OUTRIGHT) | (method > BOTH)).any():
        raise FormatError(f"methods are {OUTRIGHT} to {BOTH}", source=name)
    stratum, probability = (_known(cells[column], name) for column in ("stratum", "probability"))
    return Pool(
        tuple(topics.ids),
        topics.code,
        cells["document"].compact(),
        _whole(cells["chosen"], name) > 0,
        method.astype(np.int32),
        _whole(cells["round"], name),
        None if stratum is None else stratum.astype(np.int32),
        probability,
        tuple(about["recipe"]),
        about.get("collection_sha256"),
        about.get("topics_sha256"),
    )


def _texts(numbers: Bools | Codes | Ints) -> list[bytes]:
    """Small whole numbers as text."""
    known = [b"%d" % number for number in range(int(numbers.max(initial=0)) + 1)]
    return [known[number] for number in numbers.tolist()]


def _known(cells: Strings, name: str) -> Floats | None:
    """The numbers of a column, None if they are not known."""
    if len(cells) and cells[0] == _UNKNOWN:
        return None
    numbers, bad = parse_numbers(cells)
    if len(bad):
        row = int(bad[0])
        raise FormatError(f"{shown(cells[row])} is not a number", source=name, line=row + 3)
    return numbers


def _whole(cells: Strings, name: str) -> Ints:
    numbers = _known(cells, name)
    return np.zeros(len(cells), dtype=np.int64) if numbers is None else numbers.astype(np.int64)


def _refuse_awkward(what: str, column: Strings) -> None:
    """An error for an identifier that a cell of the table cannot hold."""
    own = column.compact()
    text = own.data[: int(own.length.sum())]
    at = np.flatnonzero((text == _TAB) | (text == _NEWLINE))
    rows: Codes | Ints = (
        np.searchsorted(own.start, at[:1], side="right") - 1 if len(at) else np.flatnonzero(own.length == 0)
    )
    for row in rows[:1].tolist():
        raise DataError(
            f"{what} {shown(column[row])} cannot be written in a pool: it is empty, or holds a tab or line end"
        )
