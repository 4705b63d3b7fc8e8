"""A small kitchen: documents, topics and a pool, as the library has them."""

from __future__ import annotations

from typing import Any

from cranfield.data.collection import Collection
from cranfield.data.documents import Document
from cranfield.data.pool import Pool
from cranfield.data.topics import Topic, Topics
from cranfield.web.projects.creating import create_project
from cranfield.web.projects.models import Project

TOPICS = Topics([Topic("q2", {"title": "cold soup"}), Topic("q1", {"title": "hot soup", "narrative": "Not cold."})])
POOL = {"q1": ["d3", "d1", "d2"], "q2": ["d1", "d4"]}


def documents(number: int = 9, **texts: str) -> list[Document]:
    """d1 to d9; `texts` says what some of them say."""
    return [
        Document(f"d{place}", {"title": f"Soup {place}", "text": texts.get(f"d{place}", f"Boil it for {place} hours.")})
        for place in range(1, number + 1)
    ]


def collection(*content: Document, **texts: str) -> Collection:
    return Collection("kitchen", lambda: iter(content or documents(9, **texts)))


def soups(pool: dict[str, list[str]] | None = None, **settings: Any) -> Project:
    """A project of the pool above."""
    settings = {"pool": Pool.from_dict(pool or POOL), "topics": TOPICS, "collection": collection(), **settings}
    return create_project("Soups", **settings)[0]


def order(project: Project, topic: str) -> list[str]:
    """The documents of a topic in the order in which they are judged."""
    items = project.items.filter(topic__name=topic, other=None).order_by("place")
    return list(items.values_list("document__name", flat=True))
