"""TIME: articles on world affairs from the magazine, 1963.

It comes as one file for each article, or in three files: TIME.ALL, TIME.QUE and TIME.REL. Articles go by their position
there, which is the name of the file; the number behind `*TEXT` is another, with gaps.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cranfield.data.documents import Document
from cranfield.data.qrels import Qrels
from cranfield.data.strings import decode
from cranfield.data.topics import Topic, Topics
from cranfield.errors import FormatError
from cranfield.formats import read_qrels
from cranfield.formats.collections.layouts import Layout
from cranfield.formats.documents import iter_documents
from cranfield.formats.files import open_source
from cranfield.formats.topics import read_topics as read_any_topics

_HEADER = re.compile(r"\*TEXT[ \t]+(\d+)[ \t]+(\S+)[ \t]+PAGE[ \t]+(\d+)")


def iter_articles(path: Path) -> Iterator[Document]:
    """The articles, from files of their own or from the one file."""
    if path.name.startswith("TIME.ALL"):
        for place, (_, header, text) in enumerate(_sections(path, "*TEXT"), 1):
            yield Document(str(place), _fields(f"{header}\n{text}"))
        return
    for name, fields in iter_documents(path, format="text"):
        yield Document(name, _fields(fields.get("text", "")))


def _fields(content: str) -> dict[str, Any]:
    header = _HEADER.match(content)
    text = {"text": "\n".join(line for line in content[header.end() if header else 0 :].split("\n") if line.strip())}
    return {**text, "date": header[2], "page": int(header[3])} if header else text


def read_topics(path: Path) -> Topics:
    """Topics on numbered lines, or below `*FIND` and their number."""
    if not path.name.startswith("TIME.QUE"):
        return read_any_topics(path)
    return Topics(
        (
            Topic(header.removeprefix("*FIND").strip(), {"text": " ".join(text.split())})
            for _, header, text in _sections(path, "*FIND")
        ),
        name=path.name,
    )


def read_judgments(path: Path) -> Qrels:
    """Judgments in TREC's format, or lines of a query and all documents that are relevant to it."""
    if not path.name.endswith(".REL"):
        return read_qrels(path)
    rows: list[tuple[str, str, int]] = []
    with open_source(path) as source:
        for number, line in enumerate(source.stream, 1):
            words = decode(line).split()
            if not all(word.isdigit() for word in words):
                reason = "expected a query and the documents relevant to it, all of them numbers"
                raise FormatError(reason, source=source.name, line=number)
            rows += [(words[0], document, 1) for document in words[1:]]
    return Qrels.from_tuples(rows, name=path.name)


def _sections(path: Path, mark: str) -> Iterator[tuple[int, str, str]]:
    """What stands below each line with the mark: the number of the line, the line, and the text."""
    with open_source(path) as source:
        begun, header, text = 0, "", list[str]()
        for number, line in enumerate(map(decode, source.stream), 1):
            if line.startswith((mark, "*STOP")):
                if begun:
                    yield begun, header, "".join(text).strip()
                begun, header, text = number * line.startswith(mark), line.strip(), []
            else:
                text.append(line)
        if begun:
            yield begun, header, "".join(text).strip()


LAYOUT = Layout(
    title="TIME",
    domain="world affairs",
    documents=("time*.tar*", "TIME.ALL*"),
    topics=("preguntas*", "topics*", "TIME.QUE*"),
    qrels=("*trec_eval*.txt", "qrels*", "TIME.REL", "*.REL"),
    iter_documents=iter_articles,
    read_topics=read_topics,
    read_qrels=read_judgments,
    notes=(
        "The judgments list relevant documents only.",
        "Three judgments (topics 15, 23, 26) are of documents 424 and 425, which are not among the 423: nothing "
        "that is relevant to topic 23 can be found.",
    ),
)
