"""From pools, topics and documents to what is judged."""

from __future__ import annotations

import dataclasses
import gzip
import hashlib
import io
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from cranfield.data.collection import Content
from cranfield.data.documents import Document
from cranfield.data.judging import document_hash
from cranfield.data.pool import SAMPLED, Pool
from cranfield.data.strings import Strings
from cranfield.data.topics import Topic, Topics
from cranfield.errors import DataError, UsageError
from cranfield.formats.pools import read_pool
from cranfield.web.accounts.models import AuditEntry, User
from cranfield.web.judging.models import Slot
from cranfield.web.projects import models
from cranfield.web.projects.bringing_in import bring_in
from cranfield.web.projects.creating import create_project
from cranfield.web.projects.document_columns import document_columns
from cranfield.web.projects.models import Project
from tests.web.projects.material import POOL, TOPICS, collection, documents, order, soups

pytestmark = pytest.mark.django_db


def test_topics_come_in_the_order_of_their_file_and_documents_in_that_of_the_pool() -> None:
    project = soups()
    assert list(project.topics.values_list("name", "title", "narrative")) == [
        ("q2", "cold soup", ""),
        ("q1", "hot soup", "Not cold."),
    ]
    assert [order(project, topic) for topic in ("q1", "q2")] == [["d3", "d1", "d2"], ["d1", "d4"]]
    assert sorted(project.documents.values_list("name", flat=True)) == ["d1", "d2", "d3", "d4"]
    assert Slot.objects.filter(item__project=project).count() == 5


def test_hashes_are_those_of_the_terminal() -> None:
    """Oracle: the text that `data.documents.ContentHash` describes, hashed by hand."""
    strange = Document("d1", {"text": "so\0up \udc80", "title": "Soup", "n": 1})
    project = soups({"q1": ["d1"]}, collection=collection(strange))
    one = project.documents.get()
    content = b'["d1",{"n":1,"text":"so\\u0000up \x80","title":"Soup"}]\n'
    assert one.sha256 == hashlib.sha256(content).hexdigest() == document_hash(strange)
    assert (one.title, one.text, one.fields) == ("Soup", "so\ufffdup \ufffd", {"n": 1})


def test_a_sample_keeps_strata_and_chances_and_what_was_not_drawn() -> None:
    pool = Pool(
        (b"q1",),
        np.zeros(3, dtype=np.int32),
        Strings.from_list([b"d1", b"d2", b"d3"]),
        np.array([True, False, True]),
        np.full(3, SAMPLED, dtype=np.int32),
        np.array([0, 0, 1]),
        np.array([1, 2, 2], dtype=np.int32),
        np.array([1.0, 0.5, 0.5]),
        ({"strategy": "strata", "seed": 7},),
    )
    project, _ = create_project("Soups", pool=pool, topics=TOPICS, collection=collection())
    rows = project.items.values_list("document__name", "stratum", "probability", "method", "round")
    assert list(rows) == [("d1", 1, 1.0, "1", 0), ("d3", 2, 0.5, "1", 1)]
    assert project.recipe == [{"strategy": "strata", "seed": 7}]
    kept = read_pool(io.BytesIO(gzip.decompress(project.pools.get().content)))
    assert kept.documents.tolist() == [b"d1", b"d2", b"d3"]
    changed = dataclasses.replace(pool, probability=np.array([1.0, 1.0, 1.0]), chosen=np.array([True, True, True]))
    assert bring_in(project, changed, TOPICS, collection()).items == 1
    assert list(project.items.values_list("document__name", "probability")) == [("d1", 1.0), ("d3", 1.0), ("d2", 1.0)]
    assert project.pools.count() == 2


def test_a_list_that_is_added_is_a_round_of_its_own_and_chances_stay_right() -> None:
    """Oracle: of two documents one was drawn, at .5; the other is named, and so judged for certain: each is at 1."""
    pool = Pool(
        (b"q1",),
        np.zeros(2, dtype=np.int32),
        Strings.from_list([b"d1", b"d2"]),
        np.array([True, False]),
        np.full(2, SAMPLED, dtype=np.int32),
        np.zeros(2, dtype=np.int64),
        np.ones(2, dtype=np.int32),
        np.array([0.5, 0.5]),
        ({"strategy": "strata"},),
    )
    project, _ = create_project("Soups", pool=pool, topics=TOPICS, collection=collection())
    only_q2 = Topics([Topic("q2", {"title": "cold soup"})])
    added = Pool.from_dict({"q1": ["d2", "d1"], "q2": ["d3"]})
    assert bring_in(project, added, only_q2, collection()).items == 2
    rows = project.items.values_list("topic__name", "document__name", "probability", "round")
    assert list(rows) == [("q1", "d1", 1.0, 0), ("q1", "d2", 1.0, 1), ("q2", "d3", 1.0, 1)]
    assert [made["strategy"] for made in project.recipe] == ["strata", "added"]


def test_an_extended_pool_adds_only_what_is_new() -> None:
    project = soups(overlap=2)
    before = set(Slot.objects.values_list("handle", flat=True))
    brought = bring_in(project, Pool.from_dict({"q1": ["d3", "d1", "d2", "d9"]}), TOPICS, collection())
    assert (brought.topics, brought.documents, brought.items) == (0, 1, 1)
    assert order(project, "q1") == ["d3", "d1", "d2", "d9"]
    assert set(Slot.objects.values_list("handle", flat=True)) > before
    assert Slot.objects.count() == len(before) + 2
    assert bring_in(project, Pool.from_dict(POOL), TOPICS, collection()).items == 0


def test_documents_are_read_no_further_than_needed() -> None:
    read = []

    def watched() -> Iterator[Document]:
        for document in documents():
            read.append(document.id)
            yield document

    soups({"q1": ["d2"]}, collection=dataclasses.replace(collection(), iterate=watched))
    assert read == ["d1", "d2"]


def test_what_is_missing_is_an_error_or_left_out() -> None:
    pool = Pool.from_dict({"q1": ["d1", "d77"], "q9": ["d1"]})
    with pytest.raises(DataError, match="topics of the pool are not among those of topics: q9"):
        create_project("Soups", pool=pool, topics=TOPICS, collection=collection())
    with pytest.raises(DataError, match=r"documents of the pool are not in kitchen: d77. Name what has them"):
        create_project("Soups", pool=Pool.from_dict({"q1": ["d1", "d77"]}), topics=TOPICS, collection=collection())
    assert not Project.objects.exists()
    project, brought = create_project("Soups", pool=pool, topics=TOPICS, collection=collection(), leave_out=True)
    assert (brought.items, brought.left_out) == (1, 2)
    assert order(project, "q1") == ["d1"]
    assert str(brought).endswith("2 left out, which the topics or the collection do not have")


@pytest.mark.parametrize(
    ("pool", "topics", "said"),
    [
        ({}, TOPICS, "there is nothing to judge in the pool"),
        ({"x": ["d1"]}, TOPICS, "none of the topics of the pool"),
        ({"q1": ["e1"]}, TOPICS, r"none of the documents of the pool \(e1\) is in kitchen"),
        ({"q1": ["e1", "d1"]}, TOPICS, "documents of the pool are not in kitchen: e1"),
        (
            {"q1": ["d1"], "q" * 201: ["d1"]},
            Topics([Topic("q1", {}), Topic("q" * 201, {})]),
            "its name has 201 characters",
        ),
    ],
)
def test_pools_that_cannot_be_judged(pool: dict[str, list[str]], topics: Topics, said: str) -> None:
    with pytest.raises(DataError, match=said):
        create_project("S", pool=Pool.from_dict(pool), topics=topics, collection=collection())
    assert not Project.objects.exists()


def test_a_pool_of_another_collection_is_refused() -> None:
    pool = dataclasses.replace(Pool.from_dict(POOL), collection_sha256="0" * 64)
    recorded = dataclasses.replace(collection(), recorded=Content(9, "1" * 64))
    for kitchen in (collection(), recorded):
        with pytest.raises(DataError, match=r"this pool is of another collection: .* is 000000000000"):
            create_project("Soups", pool=pool, topics=TOPICS, collection=kitchen)


def test_an_error_in_the_middle_leaves_nothing_behind() -> None:
    def broken() -> Iterator[Document]:
        yield documents()[0]
        raise DataError("docs.jsonl:2: this is no JSON")

    project = soups()
    rows = {model: model.objects.count() for model in (models.Document, models.Item, models.PoolFile, AuditEntry, Slot)}
    kitchen = dataclasses.replace(collection(), iterate=broken)
    with pytest.raises(DataError, match=r"docs.jsonl:2"):
        bring_in(project, Pool.from_dict({"q1": ["d8", "d9"]}), TOPICS, kitchen)
    long_name = "d" * 501
    with pytest.raises(DataError, match="its name has 501 characters"):
        bring_in(project, Pool.from_dict({"q1": [long_name]}), TOPICS, collection(Document(long_name, {"text": "x"})))
    assert {model: model.objects.count() for model in rows} == rows


def _documents(size: int) -> Iterator[Document]:
    return iter(documents(size))


def test_the_number_of_queries_does_not_grow_with_the_documents() -> None:
    numbers = []
    for size in (20, 400):
        pool = Pool.from_dict({"q1": [f"d{place}" for place in range(1, size + 1)]})
        kitchen = dataclasses.replace(collection(), iterate=partial(_documents, size))
        with CaptureQueriesContext(connection) as queries:
            create_project("Soups", pool=pool, topics=TOPICS, collection=kitchen)
        numbers.append(len(queries))
    assert numbers[1] <= numbers[0] + 12, numbers  # SQLite takes so many values at a time


def test_whoever_makes_a_project_manages_it() -> None:
    anna = User.objects.create(username="anna")
    project = soups(by=anna)
    assert project.memberships.get().role == "manager"
    assert set(AuditEntry.objects.values_list("what", flat=True)) == {"project made", "pool brought in"}


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"overlap": 0}, "overlap is 0; expected 1 to 100"),
        ({"overlap_share": 1.5}, "overlap_share is 1.5; expected a share from 0 to 1"),
        ({"repeat_share": -0.1}, "repeat_share is -0.1"),
        ({"lease_minutes": 0}, "lease_minutes is 0; expected at least 1"),
        ({"order": "best first"}, "order: Value 'best first' is not a valid choice"),
    ],
)
def test_settings_that_cannot_be(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        soups(**settings)
    assert not Project.objects.exists()


def test_pairs() -> None:
    project = soups(mode="pairs", overlap=2)
    pairs = {
        frozenset(pair) for pair in project.items.filter(topic__name="q1").values_list("document__name", "other__name")
    }
    assert pairs == {frozenset(pair) for pair in (("d1", "d2"), ("d1", "d3"), ("d2", "d3"))}
    assert Slot.objects.count() == 2 * (3 + 1)
    with pytest.raises(UsageError, match="topic q1 has one document alone"):
        soups({"q1": ["d1"]}, mode="pairs")


@pytest.mark.parametrize("address", ["http://pictures.example/1.jpg", "https://pictures.example;x/1.jpg", "1.jpg"])
def test_a_picture_that_no_page_shows_stays_a_field(address: str) -> None:
    columns = document_columns(Document("d1", {"text": "Boil it.", "image": address, "title": ["Soup", 1]}))
    assert columns["image"] == ""
    assert columns["fields"] == {"image": address, "title": ["Soup", 1]}


def test_the_first_picture_that_can_be_shown_is_the_picture() -> None:
    shown = "https://pictures.example:8443/1.jpg"
    columns = document_columns(Document("d1", {"image": "http://pictures.example/1.jpg", "thumbnail": shown}))
    assert columns["image"] == shown
    assert columns["fields"] == {"image": "http://pictures.example/1.jpg"}
