"""Collections in numbers, and whether their parts fit. Every expected number is counted by hand."""

from __future__ import annotations

import pytest

from cranfield.data.collection import Collection
from cranfield.data.documents import Document
from cranfield.data.qrels import Qrels
from cranfield.data.topics import Topic, Topics
from cranfield.data.words import count_words, words
from cranfield.errors import ParameterError, UsageError
from cranfield.evaluation.collection_checks import check_collection
from cranfield.evaluation.collection_statistics import JudgmentStatistics, Lengths, collection_statistics
from cranfield.evaluation.topic_sampling import sample_topics

DOCUMENTS = [
    Document("d1", {"title": "Soup", "text": "Boil water, with salt."}),
    Document("d2", {"title": "Bread", "text": "Bake flour; water & yeast - café.", "year": 1962}),
    Document("d3", {"text": ""}),
    Document("d4", {"image": "https://example.org/a.png"}),
]
TOPICS = Topics(
    [
        Topic("q1", {"title": "Boil WATER", "description": "How is water boiled?"}),
        Topic("q2", {"title": "zabaglione with eggs"}),
        Topic("q3", {"title": "fry"}),
        Topic("q4", {"title": "..."}),
    ]
)
QRELS = Qrels.from_dict({"q1": {"d1": 2, "d2": 0}, "q2": {"d2": 1, "d9": -1}, "q9": {"d1": 0}})
KITCHEN = Collection("kitchen", lambda: iter(DOCUMENTS), TOPICS, QRELS)


def test_words() -> None:
    assert words("The DDC's 18th-edition_1 (ÉTÉ)") == ["the", "ddc", "s", "18th", "edition", "1", "été"]
    assert count_words("a.b, c") == 3


def test_documents() -> None:
    found = collection_statistics(KITCHEN).documents
    # d1: 1 + 4, d2: 1 + 5, d3: 0, d4: https, example, org, a, png
    assert (found.count, found.words) == (4, Lengths(4, (5 + 6 + 0 + 5) / 4, 5.0))
    assert found.fields == {
        "title": Lengths(2, 1.0, 1.0),
        "text": Lengths(3, (4 + 5 + 0) / 3, 4.0),
        "image": Lengths(1, 5.0, 5.0),
    }
    assert found.bytes == len("SoupBoil water, with salt.BreadBake flour; water & yeast - café.") + 1 + 25


def test_topics_and_judgments() -> None:
    found = collection_statistics(KITCHEN)
    assert found.topics is not None
    assert found.topics.count == 4
    assert found.topics.query == Lengths(4, (2 + 3 + 1 + 0) / 4, 1.5)
    assert found.topics.fields["description"] == Lengths(1, 4.0, 4.0)
    assert found.judgments == JudgmentStatistics(
        count=5,
        negative=1,
        topics=3,
        per_topic=5 / 3,
        relevant=2,
        relevant_per_topic=2 / 3,
        grades={"-1": 1, "0": 2, "1": 1, "2": 1},
        graded=True,
    )


def test_what_is_not_there_is_not_counted() -> None:
    found = collection_statistics(Collection("bare", lambda: iter([])))
    assert (found.topics, found.judgments) == (None, None)
    assert found.documents.words == Lengths(0, 0.0, 0.0)
    binary = Collection("binary", lambda: iter([]), qrels=Qrels.from_dict({"q": {"a": 0, "b": 1, "c": -2}}))
    judged = collection_statistics(binary).judgments
    assert judged is not None
    assert not judged.graded


def test_what_does_not_fit() -> None:
    found = check_collection(KITCHEN)
    assert found.unknown_words == {"q2": ("zabaglione", "eggs"), "q3": ("fry",)}
    assert found.foreign == ("q3",)
    assert found.empty == ("q4",)
    assert found.unjudged == ("q3", "q4")
    assert found.nothing_relevant == ("q9",)
    assert found.absent_topics == ("q9",)
    assert found.absent_documents == ("d9",)


def test_nothing_to_check() -> None:
    with pytest.raises(UsageError, match="kitchen: it has neither topics nor judgments that could be checked"):
        check_collection(Collection("kitchen", lambda: iter(DOCUMENTS)))


def test_topics_are_drawn_as_often_as_they_are_asked() -> None:
    counts = {"a b": 60, "c": 30, "d": 9, "e": 1}
    first = [sample_topics(counts, 1, seed=seed).topics["1"].query() for seed in range(2000)]
    for query, count in counts.items():
        # Oracle: a share p of 2000 draws is off by four standard errors once in 16,000 times.
        share = count / 100
        assert abs(first.count(query) / 2000 - share) < 4 * (share * (1 - share) / 2000) ** 0.5


def test_a_sample_does_not_depend_on_the_order_of_the_log() -> None:
    counts = {f"query {number}": number % 7 + 1 for number in range(50)}
    turned = dict(reversed(counts.items()))
    one, other = sample_topics(counts, 10, seed=3), sample_topics(turned, 10, seed=3)
    assert one.topics.sha256 == other.topics.sha256
    assert len(set(one.topics.queries().values())) == 10
    assert sample_topics(counts, 10, seed=4).topics.sha256 != one.topics.sha256


def test_what_the_log_is_like() -> None:
    sample = sample_topics({"hot soup": 3, "bread": 1}, 2)
    # (3 * 2 + 1 * 1) / 4 words; one query in four was asked once
    assert sample.log == (4, 2, 1.75, 0.25)
    assert sample.sample == (2, 2, 1.5, 0.5)
    assert {topic.query(): topic.fields["asked"] for topic in sample.topics.values()} == {"hot soup": 3, "bread": 1}


@pytest.mark.parametrize("size", [0, -1, 3])
def test_impossible_sizes(size: int) -> None:
    with pytest.raises(ParameterError, match=f"{size} topics cannot be drawn from 2 different queries"):
        sample_topics({"a": 1, "b": 1}, size)
