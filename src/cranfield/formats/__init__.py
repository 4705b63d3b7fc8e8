"""Reading and writing qrels, runs and preferences: one file per format, recognised by content.

A format is a module that is registered in `FORMATS` below and has

- `NAME`, `DESCRIPTION`, and `SUFFIXES` of the file names that ask for it when writing;
- `recognise(head)`: whether a file that begins like this is in the format;
- `iter_records(source, shape, on_problem)`: the records in pieces, and to `on_problem` whatever is wrong;
- `read_qrels(source, name=...)`, `write_qrels(qrels, out)` and the like for the kinds it is registered for; a module
  for all kinds may have one `write(columns, kind, out)` instead;
- `HOLDS`: which of the columns that not every format has this one keeps;
- `UNIT`: what its places count, if not lines.
"""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any

from cranfield.data.preferences import Preferences
from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.data.shapes import SHAPES
from cranfield.data.strings import decode
from cranfield.errors import AnotherKindError, DataError, FormatError, UsageError, did_you_mean
from cranfield.formats.files import Readable, Source, open_source
from cranfield.formats.lines import Layout, iter_fields

FORMATS = {
    "qrels": {
        "trec": "trec_qrels",
        "letor": "letor",
        "parquet": "parquet",
        "label-studio": "label_studio",
        "opensearch": "opensearch_judgments",
        "json": "json_document",
        "jsonl": "json_lines",
        "strata": "strata",
        "prels": "prels",
        "beir": "beir",
        "tsv": "tab_separated",
        "quepid": "quepid",
        "quepid-book": "quepid_book",
        "csv": "comma_separated",
    },
    "run": {
        "trec": "trec_run",
        "parquet": "parquet",
        "json": "json_document",
        "jsonl": "json_lines",
        "msmarco": "msmarco",
        "tsv": "tab_separated",
        "csv": "comma_separated",
    },
    "preferences": {
        "trec": "trec_prefs",
        "parquet": "parquet",
        "json": "json_document",
        "jsonl": "json_lines",
        "pairs": "preference_pairs",
        "tsv": "tab_separated",
        "csv": "comma_separated",
    },
}
"""For each kind of content, its formats and their modules, in the order in which they are tried."""

_PLAIN_SUFFIXES = frozenset(
    {
        *(".csv", ".dat", ".eval", ".input", ".json", ".jsonl", ".ndjson", ".out", ".parquet", ".pq", ".prefs"),
        *(".prels", ".qrel", ".qrels", ".res", ".results", ".run", ".runs", ".test", ".toml", ".top", ".trec", ".tsv"),
        *(".txt", ".xml"),
    }
)
"""Endings that say what a file is, and not which."""
_OTHER_PACKERS = {b"BZh": "bzip2", b"\xfd7zX": "xz", b"PK\x03\x04": "zip", b"7z\xbc\xaf": "7-Zip"}
_CANNOT_WRITE = frozenset({".7z", ".bz2", ".xls", ".xlsx", ".xz", ".zip"})


def read_qrels(what: Readable, *, format: str | None = None, name: str | None = None) -> Qrels:
    """Judgments from a path, `-` for standard input, or a file object.

    The format is recognised by content unless `format` names it; gzip and zstd are unpacked.

    >>> import io
    >>> read_qrels(io.StringIO("q1 0 d1 2\\nq1 0 d2 0\\n"))["q1"]
    {'d1': 2, 'd2': 0}
    """
    qrels: Qrels = _read("qrels", what, format, name)
    return qrels


def read_run(what: Readable, *, format: str | None = None, name: str | None = None, ranks: bool = False) -> Run:
    """A run from a path, `-` for standard input, or a file object; see `read_qrels`.

    With `ranks` the rank column of a TREC file is kept too (`Run.given_rank`), though scores decide.

    >>> import io
    >>> read_run(io.StringIO("q1 Q0 d1 1 0.5 tag\\nq1 Q0 d2 2 0.25 tag\\n"))["q1"]
    {'d1': 0.5, 'd2': 0.25}
    """
    run: Run = _read("run", what, format, name, ranks=ranks)
    return run


def read_preferences(what: Readable, *, format: str | None = None, name: str | None = None) -> Preferences:
    """Preferences from a path, `-` for standard input, or a file object; see `read_qrels`.

    >>> import io
    >>> list(read_preferences(io.StringIO("q1 d1 d2 d1\\n")).rows())
    [('q1', '1', '0', 'd1', 1), ('q1', '1', '0', 'd2', 0)]
    """
    preferences: Preferences = _read("preferences", what, format, name)
    return preferences


def write_qrels(
    qrels: Qrels, path: str | os.PathLike[str], *, format: str | None = None, queries: Sequence[str] | None = None
) -> None:
    """Write judgments; the format follows from the name of the file unless `format` names it.

    In TREC's format the queries stand in the order of `queries`, where that is given, and else in byte order.
    """
    chosen = module(format or format_of_name("qrels", path), "qrels")
    write_thing("qrels", qrels, path, chosen, **({"queries": queries} if queries and chosen.NAME == "trec" else {}))


def write_run(
    run: Run, path: str | os.PathLike[str], *, format: str | None = None, queries: Sequence[str] | None = None
) -> None:
    """Write a run; the format follows from the name of the file unless `format` names it.

    In TREC's format the queries stand in the order of `queries`, where that is given, and else in byte order.
    """
    chosen = module(format or format_of_name("run", path), "run")
    write_thing("run", run, path, chosen, **({"queries": queries} if queries and chosen.NAME == "trec" else {}))


def write_preferences(preferences: Preferences, path: str | os.PathLike[str], *, format: str | None = None) -> None:
    """Write preferences; the format follows from the name of the file unless `format` names it."""
    _write("preferences", preferences, path, format)


def run_name(what: Readable) -> str:
    """The name a file goes by: without folders, .gz and the like, and the usual endings.

    >>> run_name("runs/bm25.run.gz"), run_name("PL2c1.0")
    ('bm25', 'PL2c1.0')
    """
    path = what if isinstance(what, (str, os.PathLike)) else getattr(what, "name", "")
    if not isinstance(path, (str, os.PathLike)) or os.fspath(path) in ("-", ""):
        return "standard-input"
    name = _unpacked_name(path)
    stem, suffix = os.path.splitext(name)
    return stem if stem and suffix.lower() in _PLAIN_SUFFIXES else name


def format_of_name(kind: str, path: str | os.PathLike[str]) -> str:
    """The format that the name of a file to be written asks for.

    >>> format_of_name("run", "bm25.jsonl.gz"), format_of_name("run", "bm25.txt")
    ('jsonl', 'trec')
    """
    suffix = os.path.splitext(_unpacked_name(path))[1].lower()
    if suffix in _CANNOT_WRITE:
        raise UsageError(f"{os.fspath(path)}: {suffix} files are not written here; .gz and .zst are packed")
    for name in FORMATS[kind]:
        if suffix in getattr(module(name, kind), "SUFFIXES", ()):
            return name
    return "trec"


def module(format: str, kind: str) -> ModuleType:
    """The module that reads and writes this kind of content in this format."""
    known = FORMATS[kind]
    if format not in known:
        hint = did_you_mean(format, known)
        raise UsageError(f"unknown {kind} format {format!r}{hint} There are: {', '.join(known)}")
    return importlib.import_module(f"cranfield.formats.{known[format]}")


def recognise(kind: str, source: Source) -> ModuleType:
    """The module for the format the content is in."""
    source.recognised = True
    head = source.head()
    if not head.strip():
        raise DataError(f"{source.name}: the file is empty")
    for name in FORMATS[kind]:
        candidate = module(name, kind)
        if candidate.recognise(head):
            if name == "jsonl":
                _refuse_events(kind, source.name, head)
            if hasattr(candidate, "LAYOUT") and b"\r" in head.strip() and b"\n" not in head:
                raise DataError(f"{source.name}: its lines end in CR alone. Convert them to LF (tr '\\r' '\\n').")
            return candidate
    packer = next((packer for magic, packer in _OTHER_PACKERS.items() if head.startswith(magic)), None)
    if packer is not None:
        raise DataError(f"{source.name}: this is packed with {packer}, which is not read here. Unpack it first.")
    if b"\0" in head:
        raise DataError(f"{source.name}: this is not a text file, and no known binary {kind} format")
    if next(iter_fields(head), None) is None:
        raise DataError(f"{source.name}: the file has comments (lines that begin with #) and no records")
    with_layout = [module(name, kind) for name in FORMATS[kind] if hasattr(module(name, kind), "LAYOUT")]
    for closely in (Layout.fits_mostly, Layout.counts):
        for candidate in with_layout:
            if closely(candidate.LAYOUT, head):
                return candidate  # whose reader will say what is wrong with the first line
        _refuse_another_kind(kind, source.name, head)
    raise _unrecognised(kind, source.name, head)


_KIND_NAMES = {"qrels": "judgments", "run": "a run", "preferences": "preferences"}
_MISTAKEN = {
    ("qrels", "run"): "Are the files in the right order (judgments first)?",
    (
        "qrels",
        "preferences",
    ): "Preferences are read with -R prefs (relevance='prefs'). If these are judgments of a sample,"
    " say so: --qrels-format strata, or prels.",
    ("run", "qrels"): "A run has lines of query Q0 document rank score tag.",
    ("preferences", "run"): "Are the files in the right order (preferences first)?",
}
"""What to do about a file of the first kind that looks like one of the second."""


def _refuse_another_kind(kind: str, name: str, head: bytes) -> None:
    """An error if a file looks like one of another kind."""
    for (wanted, other), advice in _MISTAKEN.items():
        if wanted == kind and module("trec", other).LAYOUT.fits(head):
            found = f"{name}: this looks like {_KIND_NAMES[other]}, not like {_KIND_NAMES[kind]}."
            raise AnotherKindError(found, advice)


def _refuse_events(kind: str, name: str, head: bytes) -> None:
    """An error for judging events: who reads them as records would count what was withdrawn or judged again."""
    from cranfield.formats.judging_events import holds_events

    if holds_events(head):
        raise DataError(
            f"{name}: these are events of `cranfield judge`, not {_KIND_NAMES[kind]}. `cranfield pool export POOL "
            "EVENTS -o judgments.qrels` makes judgments of them."
        )


def _unrecognised(kind: str, name: str, head: bytes) -> DataError:
    """The error for a file that is in no format of this kind: what was expected of it."""
    first = head.lstrip().split(b"\n", 1)[0].strip()
    cells = [cell.strip() for cell in re.split(rb"[,;\t|]", first)]
    if len(cells) > 1 and len(first.split()) < 3:
        found = ", ".join(decode(cell) for cell in cells)[:100]
        wanted = ", ".join(column.name for column in SHAPES[kind].columns if column.required)
        wanted += ", score" if kind == "run" else ""
        return DataError(
            f"{name}: this looks like a table with the columns {found}. Expected, with commas or tabs between them, "
            f"columns named {wanted}, or the other names for these that docs/formats.md lists."
        )
    line, problem = module("trec", kind).LAYOUT.first_problem(head)
    others = ", ".join(format for format in FORMATS[kind] if format != "trec")
    return FormatError(f"{problem} It is in none of the other formats either ({others}).", source=name, line=line)


def iter_records(kind: str, what: Readable, *, format: str | None = None) -> Iterator[tuple[Source, Any]]:
    """The records of a file in pieces, each with the lines (or rows) they come from; see `records.Records`."""
    from cranfield.formats.records import strict

    with open_source(what) as source:
        source.head()
        chosen = recognise(kind, source) if format is None else module(format, kind)
        unit = getattr(chosen, "UNIT", "line")
        for piece in chosen.iter_records(source, SHAPES[kind], strict(source.name, unit)):
            yield source, piece


def _read(kind: str, what: Readable, format: str | None, name: str | None, *, ranks: bool = False) -> Any:
    with open_source(what) as source:
        if not source.head().strip():
            raise DataError(f"{source.name}: the file is empty")
        chosen = recognise(kind, source) if format is None else module(format, kind)
        more = {"ranks": True} if ranks and chosen is module("trec", "run") else {}
        return getattr(chosen, f"read_{kind}")(source, name=name or run_name(what), **more)


def _write(kind: str, thing: Any, path: str | os.PathLike[str], format: str | None) -> None:
    write_thing(kind, thing, path, module(format or format_of_name(kind, path), kind))


def write_thing(
    kind: str, thing: Any, path: str | os.PathLike[str], chosen: ModuleType, **options: Sequence[str]
) -> None:
    """Write Qrels, a Run or Preferences in a format that is known."""
    columns = thing.to_columns()
    for name, column in columns.ids.items():
        if (column.length == 0).any():
            raise DataError(f"{thing.name}: there is an empty {SHAPES[kind][name].meaning}, which no file can hold")
    from cranfield.formats.writing import writing

    with writing(path) as out:
        if hasattr(chosen, f"write_{kind}"):
            getattr(chosen, f"write_{kind}")(thing, out, **options)
        else:
            chosen.write(columns, kind, out)


def _unpacked_name(path: str | os.PathLike[str]) -> str:
    name = os.path.basename(path)
    for suffix in (".gz", ".zst", ".zstd"):
        name = name.removesuffix(suffix)
    return name
