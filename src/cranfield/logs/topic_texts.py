"""From the words of queries in a log to topics, and back."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from cranfield.data.strings import Ints
from cranfield.data.topics import Topic, Topics
from cranfield.errors import DataError
from cranfield.logs.duck import connection
from cranfield.logs.log import Log
from cranfield.logs.shared_names import Names


@dataclass(frozen=True, eq=False)
class TopicTexts:
    """Which rows of a table of queries belong to which topics."""

    row: Ints
    """Of the table, in the order of topics; a row stands here as often as there are topics with its words."""
    topic: Names
    """Of each of these rows."""
    topics: Topics
    silent: int
    """Topics about which the table says nothing."""
    strangers: int
    """Texts of the table that no topic has."""

    @property
    def number(self) -> int:
        """Of topics."""
        return len(self.topics)

    def only(self, names: Iterable[str]) -> TopicTexts:
        """The same with only these topics; rows stay."""
        wanted = set(names)
        topics = (topic for topic in self.topics.values() if topic.id in wanted)
        return replace(self, topics=Topics(topics, name=self.topics.name))


def topic_texts(text: Names, topics: Topics | None = None) -> TopicTexts:
    """The topics that have these texts as their words, whatever case and white space they are written with.

    Without topics every text becomes one: q1, q2 and so on, in the order of their words.
    """
    rows: dict[str, list[int]] = {}
    for row, words in enumerate(text.tolist()):
        if words is not None:
            rows.setdefault(words, []).append(row)
    if topics is None:
        topics = Topics(Topic(f"q{at}", {"text": words}) for at, words in enumerate(sorted(rows), 1))
        words_of = {topic.id: str(topic.fields["text"]) for topic in topics.values()}
    else:
        said = topics.queries()
        words_of = dict(zip(said, normalised(list(said.values())), strict=True))
        if rows and not set(words_of.values()) & rows.keys():
            raise DataError(
                f"{topics.name}: none of these {len(topics)} topics has words that were searched for in the log, such "
                f"as {next(iter(rows))!r}: are these its topics?"
            )
    found = [(row, topic) for topic, words in words_of.items() for row in rows.get(words, ())]
    return TopicTexts(
        np.array([row for row, _ in found], dtype=np.int64),
        np.array([topic for _, topic in found], dtype=np.object_),
        topics,
        silent=sum(words not in rows for words in words_of.values()),
        strangers=len(rows.keys() - set(words_of.values())),
    )


def called_by_words(log: Log, names: Sequence[str], source: str) -> Topics | None:
    """Topics that are called by their words, if any of these names was searched for in a log."""
    texts, words = log.texts, sorted(set(normalised(names)))
    if not log.run(texts.filter(texts.text.isin(words)).count()).as_py():
        return None
    return Topics((Topic(name, {"text": name}) for name in names), name=source)


def normalised(texts: Sequence[str]) -> list[str]:
    """Texts as an import writes them.

    >>> normalised(["  Hot   SOUP ", ""])
    ['hot soup', '']
    """
    import pyarrow as pa

    with tempfile.TemporaryDirectory() as folder, connection(Path(folder) / "spill") as base:
        base.register("said", pa.table({"place": range(len(texts)), "text": pa.array(texts, pa.string())}))
        found = base.execute("SELECT normalised(text) FROM said ORDER BY place").fetchall()
    return [text or "" for (text,) in found]
