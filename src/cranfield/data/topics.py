"""What is asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from cranfield.data.documents import ContentHash
from cranfield.errors import DataError, UsageError, did_you_mean

TEXT_FIELDS = ("title", "query", "text", "description", "narrative")
"""The usual fields of a topic; without a wish, the first of these that a topic has is its query."""


class Topic(NamedTuple):
    """An information need: its number, and fields such as title, description and narrative."""

    id: str
    fields: Mapping[str, Any]

    def query(self, fields: Sequence[str] = ()) -> str:
        """The query that these fields make, one after the other; without any, the first that says what is sought.

        >>> topic = Topic("1", {"title": "hot soup", "description": "How is soup kept hot?"})
        >>> topic.query(), topic.query(["title", "description"])
        ('hot soup', 'hot soup How is soup kept hot?')
        """
        if not fields:
            texts = (value for name in TEXT_FIELDS if isinstance(value := self.fields.get(name), str))
            return next((" ".join(text.split()) for text in texts if text.strip()), "")
        texts = (value for name in fields if isinstance(value := self.fields.get(name), str))
        return " ".join(" ".join(text.split()) for text in texts if text.strip())


class Topics(Mapping[str, Topic]):
    """Topics by identifier, in the order of their file. Frozen.

    >>> topics = Topics([Topic("1", {"title": "soup"}), Topic("2", {"title": "bread"})])
    >>> topics["2"].query(), len(topics)
    ('bread', 2)
    """

    def __init__(self, topics: Iterable[Topic], *, name: str = "topics") -> None:
        self.name = name
        self._by_id: dict[str, Topic] = {}
        for topic in topics:
            if topic.id in self._by_id:
                raise DataError(f"{name}: topic {topic.id} is there twice")
            self._by_id[topic.id] = topic

    def __getitem__(self, key: str) -> Topic:
        return self._by_id[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_id)

    def __len__(self) -> int:
        return len(self._by_id)

    def __repr__(self) -> str:
        return f"<Topics {self.name}: {len(self)} topics with {', '.join(self.field_names)}>"

    @property
    def field_names(self) -> tuple[str, ...]:
        """The fields that any topic has."""
        return tuple(dict.fromkeys(name for topic in self.values() for name in topic.fields))

    @property
    def sha256(self) -> str:
        """The hash of their content, whatever format they came in."""
        content = ContentHash()
        for topic in self.values():
            content.add(topic)
        return content.hexdigest()

    def queries(self, fields: Sequence[str] = ()) -> dict[str, str]:
        """The query of each topic (see `Topic.query`); a field that no topic has, and an empty query, are errors."""
        for name in fields:
            if name not in self.field_names:
                there = f"{did_you_mean(name, self.field_names)} There are: {', '.join(self.field_names)}"
                raise UsageError(f"no topic of {self.name} has a field {name!r}{there}")
        queries = {topic.id: topic.query(fields) for topic in self.values()}
        empty = [name for name, query in queries.items() if not query]
        if empty:
            of = f"the fields {', '.join(fields)}" if fields else "any field"
            more = f" and {len(empty) - 3} more" if len(empty) > 3 else ""
            they = "topic" if len(empty) == 1 else "topics"
            have = "has" if len(empty) == 1 else "have"
            raise DataError(f"{self.name}: {they} {', '.join(empty[:3])}{more} {have} no text in {of} to search for")
        return queries
