"""The hidden judgments stay hidden, and nobody reaches what is another's."""

from __future__ import annotations

import gzip
import io
import uuid
import zipfile

import pytest
from django.http import HttpResponseBase
from django.test import Client

from cranfield.web.tasks.models import Submission, Task
from tests.web.judging.making import make_assessor
from tests.web.tasks.making import BAD, GOOD, GRADES, Contest, judge_all, make_contest, qrels_text, run_text, upload

GETS = ("task", "task-topics", "task-documents", "task-hand-in")


def content(response: HttpResponseBase) -> str:
    streamed = getattr(response, "streaming_content", None)
    return (b"".join(streamed) if streamed else response.content).decode("utf-8", "replace")  # type: ignore[attr-defined]


@pytest.mark.parametrize("uploaded", [False, True])
def test_no_answer_that_a_participant_gets_has_a_judgment(contest: Contest, uploaded: bool) -> None:
    """Every page, file and refusal that Bob gets, before and after a release, where only Ann retrieved anything.

    The judged documents that Bob did not name himself are nowhere, and neither are their grades.
    """
    contest.hand_in(contest.ann, GOOD, "good")
    if uploaded:
        Task.objects.update(qrels=gzip.compress(qrels_text()))
    else:
        judge_all(contest)
    bob = contest.client(contest.bob)
    own = {"q1": ["other-1", "other-2"], "q2": ["other-3"]}
    answers = [content(bob.get(contest.address(name))) for name in GETS]
    submission = contest.hand_in(contest.bob, own, "own")
    answers.append(content(bob.get(contest.address("task-submission", submission=submission.pk))))
    wrong = b"q1 Q0 other-1 1 9 t\nq1 Q0 other-1 2 8 t\nq9 Q0 other 3 soup t\n"
    for broken in (wrong, run_text({"q9": ["x"]}), run_text(own, "own"), b""):
        answers.append(content(bob.post(contest.address("task-hand-in"), {"run": upload(broken)})))
    for audience, per_topic in (("own", True), ("all", True), ("all", False)):
        release = contest.release(audience=audience, per_topic=per_topic)
        answers.append(content(bob.get(contest.address("task-release", release=release.pk))))
        answers += [content(bob.get(contest.address(name))) for name in GETS]
        assert release.qrels_sha256 not in "".join(answers)
    for name in GRADES:
        assert not any(name in answer for answer in answers), name
    for line in qrels_text().decode().splitlines():
        assert not any(line in answer for answer in answers), line


def test_a_document_that_is_judged_and_one_that_is_not_are_taken_alike(contest: Contest) -> None:
    """What is said of a run does not depend on judgments or the pool."""
    judge_all(contest)
    told = []
    for name in ("q1-d00001", "nowhere"):
        response = contest.client(contest.ann).post(
            contest.address("task-hand-in"), {"run": upload(run_text({"q1": [name]}, "same"))}, follow=True
        )
        told.append([str(message) for message in response.context["messages"]])
        Submission.objects.all().delete()
    assert told[0] == told[1]


def test_organisers_pages_do_not_exist_for_participants_and_assessors(contest: Contest) -> None:
    submission = contest.hand_in(contest.bob, GOOD, "good")
    judge_all(contest)
    release = contest.release()
    assessor = make_assessor(contest.project, "assessor")
    addresses = [
        contest.address(name) for name in ("task-settings", "task-submissions", "task-pool", "task-release-new")
    ]
    for name in ("task-release-show", "task-release-withdraw"):
        addresses.append(contest.address(name, release=release.pk))
    for who in (contest.ann, assessor):
        client = contest.client(who)
        for address in addresses:
            assert {client.get(address).status_code, client.post(address).status_code} <= {404, 405}, address
    others = [contest.address("task-submission", submission=submission.pk), contest.address("task")]
    assert [contest.client(assessor).get(address).status_code for address in others] == [404, 404]


def test_forged_ids_lead_nowhere(contest: Contest) -> None:
    his = contest.hand_in(contest.bob, GOOD, "good")
    judge_all(contest)
    release = contest.release(audience="all")
    ann = contest.client(contest.ann)
    for submission in (his.pk, uuid.uuid4()):
        assert ann.get(contest.address("task-submission", submission=submission)).status_code == 404
        assert ann.post(contest.address("task-withdraw", submission=submission)).status_code == 404
    his.refresh_from_db()
    assert his.withdrawn_at is None
    assert ann.get(contest.address("task-release", release=release.pk + 1)).status_code == 404
    other = make_contest(people="other-")
    stranger = other.client(other.ann)
    for name, parts in (("task-submission", {"submission": his.pk}), ("task-release", {"release": release.pk})):
        assert stranger.get(other.address(name, **parts)).status_code == 404
        assert stranger.get(contest.address(name, **parts)).status_code == 404


def test_before_a_task_is_opened_there_is_nothing_to_have(contest: Contest) -> None:
    Task.objects.all().delete()
    ann = contest.client(contest.ann)
    assert "not opened the task yet" in content(ann.get(contest.address("task")))
    assert ann.get(contest.address("task-topics")).status_code == 404
    assert ann.post(contest.address("task-hand-in"), {"run": upload(run_text(GOOD))}).status_code == 404
    assert contest.client(contest.organiser).get(contest.address("task")).status_code == 302


def test_who_has_left_sees_nothing(contest: Contest) -> None:
    contest.project.memberships.filter(user=contest.ann).update(left_at="2026-01-01T00:00Z")
    assert contest.client(contest.ann).get(contest.address("task")).status_code == 404


def test_organisers_have_every_run(contest: Contest) -> None:
    contest.hand_in(contest.ann, GOOD, "same")
    contest.hand_in(contest.bob, BAD, "same")
    response = contest.client(contest.organiser).get(contest.address("task-submissions"))
    archive = zipfile.ZipFile(io.BytesIO(b"".join(response.streaming_content)))  # type: ignore[attr-defined]
    assert archive.testzip() is None
    assert {name: gzip.decompress(archive.read(name)) for name in archive.namelist()} == {
        "p-ann/same.run.gz": run_text(GOOD, "same"),
        "p-bob/same.run.gz": run_text(BAD, "same"),
    }
    page = content(contest.client(contest.organiser).get(contest.address("task")))
    assert "p-ann" in page
    assert "p-bob" in page


def test_whoever_is_not_logged_in_is_sent_to_the_login(contest: Contest) -> None:
    assert Client().get(contest.address("task"))["Location"].startswith("/login/")
