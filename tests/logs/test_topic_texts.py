"""From the words of queries to topics."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield.data.topics import Topic, Topics
from cranfield.errors import DataError
from cranfield.logs.shared_names import Names
from cranfield.logs.topic_texts import topic_texts


def texts(*words: str | None) -> Names:
    return np.array(words, dtype=np.object_)


def test_topics_are_found_by_their_words_however_written() -> None:
    topics = Topics(
        [Topic("7", {"title": "Hot\u00a0 SOUP"}), Topic("8", {"title": "bread"}), Topic("9", {"title": "hot soup"})]
    )
    found = topic_texts(texts("hot soup", "cake", "hot soup", None), topics)
    assert found.row.tolist() == [0, 2, 0, 2]  # two topics have the same words
    assert found.topic.tolist() == ["7", "7", "9", "9"]
    assert (found.silent, found.strangers) == (1, 1)  # bread; cake


def test_without_topics_each_text_is_one() -> None:
    found = topic_texts(texts("soup", "bread", "soup", None))
    assert {topic.id: topic.query() for topic in found.topics.values()} == {"q1": "bread", "q2": "soup"}
    assert list(zip(found.row.tolist(), found.topic.tolist(), strict=True)) == [(1, "q1"), (0, "q2"), (2, "q2")]


def test_topics_of_another_log() -> None:
    with pytest.raises(
        DataError, match="none of these 1 topics has words that were searched for in the log, such as 'soup'"
    ):
        topic_texts(texts("soup"), Topics([Topic("1", {"title": "engines"})]))
