"""CACM: titles and abstracts of the Communications of the ACM, 1958 to 1979.

It comes as pages, one for each article, or in three files in SMART's format: cacm.all, query.text, qrels.text.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path

from cranfield.data.documents import Document
from cranfield.data.qrels import Qrels
from cranfield.formats import read_qrels
from cranfield.formats.collections.judgment_lines import DOCUMENT, GRADE, QUERY, columns
from cranfield.formats.collections.layouts import Layout
from cranfield.formats.documents import iter_documents

_TAGS = re.compile(r"</?(?:html|pre)>")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_PUBLISHED = re.compile(r"(?:CACM )?[A-Z][a-z]+,? +19\d\d")
_ENTERED = re.compile(r"CA\d{6}")
_CATEGORIES = re.compile(r"[\d.,\s]+")


def iter_articles(path: Path) -> Iterator[Document]:
    """The articles, from pages or from the one file."""
    if path.name.startswith("cacm.all"):
        yield from iter_documents(path, format="smart")
        return
    for name, fields in iter_documents(path, format="text"):  # where paragraphs end says what they are
        yield Document(name, page_fields(fields.get("text", "")))


def page_fields(page: str) -> dict[str, str]:
    r"""Title, abstract, date, authors, keywords and categories; not the table of citations below.

    >>> page_fields("<pre>\nA Program\n\nIt adds.\n\nCACM May, 1961\n\nDoe, J.\n\nCA610501 JB 1978\n\n1\t5\t1\n</pre>")
    {'title': 'A Program', 'text': 'It adds.', 'source': 'CACM May, 1961', 'author': 'Doe, J.'}
    """
    paragraphs = (part.strip() for part in _BLANK_LINE.split(_TAGS.sub("", html.unescape(page))))
    title, *parts = [part for part in paragraphs if part] or [""]
    end = next((at for at, part in enumerate(parts) if _ENTERED.match(part)), len(parts))
    published = next((at for at, part in enumerate(parts[:end]) if _PUBLISHED.fullmatch(part)), end)
    source, author, *behind = [*parts[published:end], "", ""]
    fields = {
        "title": title,
        "text": "\n\n".join(parts[:published]),
        "source": source,
        "author": author,
        "keywords": "\n".join(part for part in behind if not _CATEGORIES.fullmatch(part)).strip(),
        "categories": "\n".join(part for part in behind if _CATEGORIES.fullmatch(part)),
    }
    return {name: text for name, text in fields.items() if text}


def read_judgments(path: Path) -> Qrels:
    """Judgments in TREC's format, or lines `query document 0 0` with queries such as 01.

    Those in TREC's format lack the noughts that the names of pages have: CACM-115 is the page CACM-0115.
    """
    if path.name.startswith("qrels.text"):
        listed = columns(QUERY, DOCUMENT, GRADE, "nought")(path)
        return Qrels.from_tuples(((query.lstrip("0"), document, 1) for query, _, document, _ in listed.rows()))
    return Qrels.from_tuples(
        (query, re.sub(r"(?<=CACM-)\d+$", lambda number: number[0].zfill(4), document), grade)
        for query, _, document, grade in read_qrels(path).rows()
    )


LAYOUT = Layout(
    title="CACM",
    domain="computing",
    documents=("cacm.tar*", "cacm.all*"),
    topics=("topics.cacm*", "query.text*"),
    qrels=("qrels.cacm*", "qrels.text*"),
    iter_documents=iter_articles,
    read_qrels=read_judgments,
    notes=(
        "The tables of citations are left out of the pages.",
        "Judged documents go by the names of the pages, with noughts: CACM-0115, which the judgments call CACM-115.",
        "The judgments list relevant documents only; 12 of the 64 topics are not judged.",
    ),
)
