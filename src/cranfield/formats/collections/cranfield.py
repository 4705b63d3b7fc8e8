"""Cranfield 1400: abstracts on aerodynamics, and the questions of those who wrote such papers (Cleverdon, 1966).

docs/decisions/0012-codes-of-cranfield.md has why judgments are read as they are.
"""

from __future__ import annotations

from pathlib import Path

from cranfield.data.topics import Topic, Topics
from cranfield.formats.collections.judgment_lines import DOCUMENT, GRADE, QUERY, columns
from cranfield.formats.collections.layouts import Layout
from cranfield.formats.topics import read_topics

SOURCE_DOCUMENT = -1


def by_position(path: Path) -> Topics:
    """The topics numbered from 1 on: the judgments count them and do not use the numbers in the file."""
    topics = read_topics(path, format="smart")
    return Topics(
        (
            Topic(str(place), {**topic.fields, "file_number": int(topic.id)})
            for place, topic in enumerate(topics.values(), 1)
        ),
        name=topics.name,
    )


LAYOUT = Layout(
    title="Cranfield",
    domain="aerodynamics",
    documents=("cran.all.1400*", "cran.all*", "CRAN.ALL*"),
    topics=("cran.qry*", "CRAN.QRY*"),
    qrels=("cranqrel", "cranqrel.txt", "cranqrel.gz"),
    read_topics=by_position,
    read_qrels=columns(QUERY, DOCUMENT, GRADE),
    grades={1: 4, 2: 3, 3: 2, 4: 1, SOURCE_DOCUMENT: -1},
    notes=(
        "Topics go by their position, 1 to 225, as in the judgments; file_number is the number in the file.",
        "The codes of the judgments, 1 (a complete answer) to 4 (of minimum interest), are the grades 4 to 1.",
        "Each topic has one document with the code -1, which nobody explains; it looks like the paper whose author "
        "asked. It stays -1, that is, not judged.",
    ),
)
