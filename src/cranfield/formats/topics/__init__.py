"""Reading and writing topics: one file per format, recognised by content.

A format is a module that is registered in `FORMATS` below and has

- `NAME` and `DESCRIPTION`, and `SUFFIXES` of the file names that ask for it when writing;
- `recognise(head)`: whether a file that begins like this is in the format;
- `iter_topics(source)`: the topics, each with the line it begins at;
- `write(topics, out)`, if it can be written.

Fields have the names of `data.topics.TEXT_FIELDS` where a format has others for them.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator
from types import ModuleType

from cranfield.data.strings import encode
from cranfield.data.topics import Topic, Topics
from cranfield.data.values import shown
from cranfield.errors import DataError, FormatError, UsageError, did_you_mean
from cranfield.formats import ir_datasets, run_name
from cranfield.formats import module as module_of_kind
from cranfield.formats.documents.encodings import in_its_own_encoding, in_utf8, known_encoding
from cranfield.formats.files import HEAD, Readable, Source, open_source
from cranfield.formats.lines import Layout, iter_fields

FORMATS = {
    "toml": "toml_tables",
    "jsonl": "json_lines",
    "trec": "trec",
    "smart": "smart",
    "csv": "comma_separated",
    "tsv": "tab_separated",
    "numbered": "numbered_lines",
}
"""The formats and their modules, in the order in which they are tried."""

_SECOND_COLUMN = (b"0", b"Q0")

Found = Iterator[tuple[int, Topic]]
"""Topics, each with the line it begins at."""


def read_topics(
    what: Readable, *, format: str | None = None, encoding: str | None = None, name: str | None = None
) -> Topics:
    """Topics from a path, `-` for standard input, a file object, or `ir_datasets:NAME`.

    The format is recognised by content unless `format` names it; gzip and zstd are unpacked. Text is UTF-8 unless
    `encoding` names another, or an XML declaration does.

    >>> import io
    >>> topics = read_topics(
    ...     io.StringIO("<top>\\n<num> Number: 301\\n<title> Organized Crime\\n<desc> Who?\\n</top>\\n")
    ... )
    >>> dict(topics["301"].fields)
    {'title': 'Organized Crime', 'description': 'Who?'}
    >>> read_topics(io.StringIO("q1\\tquick pasta\\nq2\\tvegetable soup\\n"))["q2"].query()
    'vegetable soup'
    """
    if isinstance(what, str) and what.startswith(ir_datasets.PREFIX):
        return ir_datasets.read_topics(what)
    with open_source(what) as source:
        topics: dict[str, tuple[int, Topic]] = {}
        for line, topic in iter_topics(source, format=format, encoding=encoding):
            if topic.id in topics:
                raise FormatError(
                    f"topic {shown(encode(topic.id))} is there twice (first at line {topics[topic.id][0]}). "
                    "Keep one of them.",
                    source=source.name,
                    line=line,
                )
            topics[topic.id] = line, topic
        if not topics:
            raise DataError(f"{source.name}: there is no topic in it")
    return Topics((topic for _, topic in topics.values()), name=name or run_name(what))


def iter_topics(source: Source, *, format: str | None = None, encoding: str | None = None) -> Found:
    """The topics of an open file, each with the line it begins at."""
    if encoding is not None:
        source = in_utf8(source, known_encoding(encoding))
    head = source.head()  # which also passes over a byte-order mark
    chosen = _recognise(source.name, head) if format is None else module(format)
    if encoding is None and chosen.NAME == "trec":
        source = in_its_own_encoding(source)
    topics: Found = chosen.iter_topics(source)
    return topics


def write_topics(topics: Topics, path: str | os.PathLike[str], *, format: str | None = None) -> None:
    """Write topics; the format follows from the name of the file unless `format` names it."""
    from cranfield.formats.writing import writing

    chosen = module(format or _format_of_name(path))
    if not hasattr(chosen, "write"):
        can = [name for name in FORMATS if hasattr(module(name), "write")]
        raise UsageError(f"topics are not written in the format {format!r}. There are: {', '.join(can)}")
    with writing(path) as out:
        chosen.write(topics, out)


def module(format: str) -> ModuleType:
    """The module of a format."""
    if format not in FORMATS:
        raise UsageError(
            f"unknown topics format {format!r}{did_you_mean(format, FORMATS)} There are: {', '.join(FORMATS)}"
        )
    return importlib.import_module(f"cranfield.formats.topics.{FORMATS[format]}")


def _format_of_name(path: str | os.PathLike[str]) -> str:
    """The format that a file name asks for."""
    name = os.fspath(path).lower()
    for suffix in (".gz", ".zst", ".zstd"):
        name = name.removesuffix(suffix)
    return next((format for format in FORMATS if name.endswith(module(format).SUFFIXES)), "trec")


def _recognise(source: str, head: bytes) -> ModuleType:
    if not head.strip():
        raise DataError(f"{source}: the file is empty; expected topics")
    for kind, called in (("qrels", "judgments"), ("run", "a run")):
        if _holds_only(module_of_kind("trec", kind).LAYOUT, head):
            raise DataError(
                f"{source}: this looks like {called}, not like topics. If these are topics, name their format, such as "
                "--topics-format tsv (in cranfield.toml topics_format = \"tsv\" in [reading], in Python format='tsv')."
            )
    for name in FORMATS:
        candidate = module(name)
        if candidate.recognise(head):
            return candidate
    first = head.strip().split(b"\n", 1)[0][:40]
    raise DataError(
        f"{source}: these are topics in no format known here; the file begins with {shown(first)}. "
        f"Expected one of: {'; '.join(module(name).DESCRIPTION for name in FORMATS)}"
    )


def _holds_only(layout: Layout, head: bytes) -> bool:
    """Whether every line is laid out like this, with what TREC's files have in the second column.

    Of a query such as `1998 fifa cup 4` that is not so: a query may well end in a number.
    """
    whole = head[: head.rfind(b"\n")] if len(head) == HEAD else head
    lines = [fields for _, fields in iter_fields(whole)]
    return bool(lines) and all(layout.problem(line) is None and line[1] in _SECOND_COLUMN for line in lines)
