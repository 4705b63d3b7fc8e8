"""Opening a task, changing it, and making a pool of its runs."""

from __future__ import annotations

import gzip
import hashlib
import io
from typing import Any, cast

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse

from cranfield.formats.pools import read_pool
from cranfield.web.accounts.models import AuditEntry
from cranfield.web.tasks.material import document_names, hidden_qrels
from cranfield.web.tasks.models import Task
from tests.web.tasks.making import BAD, GOOD, Contest, qrels_text

WISHES = {
    "description": "Find soups.",
    "deadline": "2030-05-01T12:30",
    "most": 3,
    "depth": 10,
    "measures": "ndcg@5, AP",
}


def send(contest: Contest, **more: Any) -> HttpResponse:
    response = contest.client(contest.organiser).post(contest.address("task-settings"), {**WISHES, **more})
    return cast(HttpResponse, response)


def test_a_task_is_opened_and_participants_see_it(contest: Contest) -> None:
    Task.objects.all().delete()
    contest.project.hidden_qrels = False
    contest.project.save()
    assert send(contest).status_code == 302
    task = Task.objects.get()
    assert (task.most, task.depth, task.measures) == (3, 10, ["nDCG@5", "AP"])
    assert task.deadline.isoformat() == "2030-05-01T12:30:00+00:00"
    contest.project.refresh_from_db()
    assert contest.project.hidden_qrels
    assert AuditEntry.objects.filter(what="task opened", project=contest.project).exists()
    page = contest.client(contest.ann).get(contest.address("task")).content.decode()
    assert "2030-05-01 12:30 UTC" in page
    assert "Find soups." in page


def test_files_stay_until_they_are_taken_away(contest: Contest) -> None:
    send(contest, qrels_file=SimpleUploadedFile("q", qrels_text()), documents_file=SimpleUploadedFile("d", b"a\nb\n"))
    send(contest, most=4)
    task = Task.objects.get()
    assert document_names(task) == {b"a", b"b"}
    assert hidden_qrels(task)["q1"]["q1-d00001"] == 2
    send(contest, no_qrels="on", no_documents="on")
    task = Task.objects.get()
    assert (task.qrels, task.documents) == (None, None)


def test_the_audit_says_what_was_there_before_and_is_since(contest: Contest) -> None:
    """Hashes of the files as they are without gzip, by hashlib."""
    send(contest, documents_file=SimpleUploadedFile("d", b"a\nb\n"))
    send(contest, documents_file=SimpleUploadedFile("d", gzip.compress(b"a\nc\n")), most=4)
    send(contest, no_documents="on", most=4)
    *_, second, third = AuditEntry.objects.filter(what="task changed").order_by("at")
    one, other = (hashlib.sha256(text).hexdigest() for text in (b"a\nb\n", b"a\nc\n"))
    assert second.details == {
        "documents_sha256": {"before": one, "after": other},
        "most": {"before": 3, "after": 4},
    }
    assert third.details == {"documents_sha256": {"before": other, "after": ""}}


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"measures": "nDGC"}, "unknown measure"),
        ({"deadline": "soon"}, "Enter a valid date/time"),
        ({"most": 0}, "greater than or equal to 1"),
        ({"qrels_file": SimpleUploadedFile("my.qrels", b"q1 0 d1 soup\n")}, "my.qrels"),
        ({"qrels_file": SimpleUploadedFile("my.qrels", b"other 0 d1 1\n")}, "none of its topics (other)"),
        ({"qrels_file": SimpleUploadedFile("my.qrels", b"q1 a d1 1\nq1 b d1 0\n")}, "judged more than once"),
    ],
)
def test_what_cannot_be_is_refused_in_words(contest: Contest, wish: dict[str, Any], words: str) -> None:
    before = Task.objects.values().get()
    response = send(contest, **wish)
    assert response.status_code == 400
    assert words in response.content.decode()
    assert Task.objects.values().get() == before


def test_a_project_without_topics_has_no_task(contest: Contest) -> None:
    Task.objects.all().delete()
    contest.project.items.all().delete()
    contest.project.topics.all().delete()
    response = send(contest)
    assert response.status_code == 400
    assert "no topics yet" in response.content.decode()
    assert not Task.objects.exists()


def test_a_pool_of_the_runs_has_the_first_documents_of_each(contest: Contest) -> None:
    contest.hand_in(contest.ann, GOOD, "same")
    contest.hand_in(contest.bob, BAD, "same")
    response = contest.client(contest.organiser).post(contest.address("task-pool"), {"depth": 1, "file": 1})
    pool = read_pool(io.BytesIO(response.content))
    assert {topic: set(pool[topic]) for topic in pool.topics} == {
        "q1": {"q1-d00001", "q1-d00002"},
        "q2": {"q2-d00004", "q2-d00001"},
    }
    assert sorted(run["name"] for run in pool.recipe[0]["runs"]) == ["1-same", "2-same"]


def test_documents_of_the_runs_come_to_be_judged(contest: Contest) -> None:
    """The two that are new get a text from the upload; what was there stays, and no topic changes."""
    contest.hand_in(contest.ann, {"q1": ["new-1", "q1-d00001"], "q2": ["new-2"]}, "one")
    before = set(contest.project.items.values_list("pk", "place", "topic__name", "document__name"))
    contest.project.topics_sha256 = "a" * 64
    contest.project.save()
    documents = SimpleUploadedFile(
        "more.jsonl", b'{"_id": "new-1", "text": "Stir."}\n{"_id": "new-2", "text": "Serve."}\n'
    )
    address, organiser = contest.address("task-pool"), contest.client(contest.organiser)
    response = organiser.post(address, {"depth": 2, "documents_file": documents})
    assert response.status_code == 302, response.content.decode()
    after = set(contest.project.items.values_list("pk", "place", "topic__name", "document__name"))
    assert before < after
    assert {(topic, name) for _, _, topic, name in after - before} == {("q1", "new-1"), ("q2", "new-2")}
    contest.project.refresh_from_db()
    assert contest.project.topics_sha256 == "a" * 64
    assert contest.project.recipe[-1]["runs"][0]["name"] == "1-one"


def test_a_document_without_a_text_is_named(contest: Contest) -> None:
    contest.hand_in(contest.ann, {"q1": ["nowhere"]}, "one")
    documents = SimpleUploadedFile("more.jsonl", b'{"_id": "new-1", "text": "Stir."}\n')
    address, organiser = contest.address("task-pool"), contest.client(contest.organiser)
    response = organiser.post(address, {"depth": 2, "documents_file": documents})
    assert response.status_code == 400
    assert "nowhere" in response.content.decode()
    assert contest.project.items.count() == 8


def test_without_runs_there_is_no_pool(contest: Contest) -> None:
    response = contest.client(contest.organiser).post(contest.address("task-pool"), {"depth": 1, "file": 1})
    assert response.status_code == 400
    assert "no run stands" in response.content.decode()
