"""What is judged belongs together, or it is said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cranfield.data.collection import Collection, Content
from cranfield.data.documents import Document
from cranfield.data.judging_record import JudgingRecord
from cranfield.data.pool import Pool
from cranfield.data.scale import BINARY, GRADED
from cranfield.data.topics import Topic, Topics
from cranfield.errors import DataError, UsageError
from cranfield.pooling.judging_material import documents_of, refuse_other_scale, work_of
from tests.data.judging_material import event

POOL = Pool.from_dict({"1": ["b", "a"], "10": ["c"], "2": ["a"]})
DOCUMENTS = [Document(name, {"text": name}) for name in "abcd"]


def topics(*names: str) -> Topics:
    return Topics([Topic(name, {"title": name}) for name in names])


def test_topics_come_in_the_order_of_their_file() -> None:
    assert work_of(POOL, topics("2", "7", "1")) == {"2": ["a"], "1": ["b", "a"], "10": ["c"]}
    assert work_of(POOL, topics("2", "1"), ["1", "2"]) == {"2": ["a"], "1": ["b", "a"]}


def test_topics_that_are_not_there() -> None:
    with pytest.raises(UsageError, match=r"there is no topic '11' in this pool. Did you mean 1, 10\?|'11'"):
        work_of(POOL, topics("1"), ["11"])
    with pytest.raises(DataError, match=r"none of its topics \(1, 10, 2, ...\) is among those of topics"):
        work_of(POOL, topics("x"))


def test_documents_are_those_that_are_wanted() -> None:
    found = documents_of(Collection("c", lambda: iter(DOCUMENTS)), POOL, {"a", "c", "gone"})
    assert list(found) == ["a", "c"]
    with pytest.raises(DataError, match=r"none of its 1 documents \(gone, ...\) is in c. Is it a pool of another"):
        documents_of(Collection("c", lambda: iter(DOCUMENTS)), POOL, {"gone"})


@pytest.mark.parametrize("on_record", [True, False])
def test_a_pool_of_another_collection(on_record: bool) -> None:
    own = Collection("c", lambda: iter(DOCUMENTS))
    content = own.content
    collection = Collection("c", lambda: iter(DOCUMENTS), recorded=content if on_record else None)
    right, wrong = (replace(POOL, collection_sha256=sha256) for sha256 in (content.sha256, "0" * 64))
    assert list(documents_of(collection, right, {"a"})) == ["a"]
    with pytest.raises(DataError, match=r"another collection: the SHA-256 of its documents is 000000000000..., and"):
        documents_of(collection, wrong, {"a"})


def test_documents_with_their_hash_on_record_are_not_read_to_the_end() -> None:
    def broken():
        yield DOCUMENTS[0]
        raise AssertionError

    collection = Collection("c", broken, recorded=Content(4, "0" * 64))
    assert list(documents_of(collection, POOL, {"a"})) == ["a"]


def test_another_scale_than_before() -> None:
    record = JudgingRecord([event(scale=BINARY.version), event(assessor="bob", document="d2", scale="x")])
    refuse_other_scale(record, "ann", BINARY, "events")
    with pytest.raises(
        UsageError, match=rf"events: ann judged there by another scale \(version {BINARY.version}; 'gra"
    ):
        refuse_other_scale(record, "ann", GRADED, "events")
