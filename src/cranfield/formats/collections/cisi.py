"""CISI: abstracts on information science."""

from __future__ import annotations

from pathlib import Path

from cranfield.data.topics import Topic, Topics
from cranfield.formats.collections.judgment_lines import DOCUMENT, GRADE, QUERY, columns
from cranfield.formats.collections.layouts import Layout
from cranfield.formats.topics import read_topics

_OF_PAPERS = {"title": "paper_title", "author": "paper_author", "source": "paper_source"}


def with_text_as_query(path: Path) -> Topics:
    """The topics; the later ones are abstracts of papers, whose title and author are no part of the question."""
    topics = read_topics(path, format="smart")
    return Topics(
        (
            Topic(topic.id, {_OF_PAPERS.get(name, name): text for name, text in topic.fields.items()})
            for topic in topics.values()
        ),
        name=topics.name,
    )


LAYOUT = Layout(
    title="CISI",
    domain="information science",
    documents=("CISI.ALL*", "cisi.all*"),
    topics=("CISI.QRY*", "cisi.qry*"),
    qrels=("CISI.REL*", "cisi.rel*"),
    read_topics=with_text_as_query,
    read_qrels=columns(QUERY, DOCUMENT, GRADE, "nought"),
    grades={0: 1},
    notes=(
        "The judgments list relevant documents only, all with the code 0; 36 of the 112 topics are not judged.",
        "55 topics are abstracts of papers; title, author and source of these are in the fields paper_title and so on.",
    ),
)
