"""Runs on their way in: what is taken, what is not, and what is said about it."""

from __future__ import annotations

import gzip
import hashlib
import json
from datetime import timedelta
from typing import cast

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.utils import timezone

from cranfield.web.accounts.models import AuditEntry
from cranfield.web.named_bytes import NamedBytes
from cranfield.web.tasks import handing_in, unpacking
from cranfield.web.tasks.material import kept_documents
from cranfield.web.tasks.models import Submission, Task
from tests.web.tasks.making import BAD, GOOD, Contest, judge_all, make_contest, run_text, upload


def send(contest: Contest, content: bytes, file_name: str = "mine.run", **data: str) -> HttpResponse:
    file = SimpleUploadedFile(file_name, content)
    response = contest.client(contest.ann).post(contest.address("task-hand-in"), {"run": file, **data})
    return cast(HttpResponse, response)


def refused(contest: Contest, content: bytes, file_name: str = "mine.run", **data: str) -> str:
    """The page that a run is refused with; nothing is kept."""
    before = Submission.objects.count()
    response = send(contest, content, file_name, **data)
    assert response.status_code == 400
    assert Submission.objects.count() == before
    return response.content.decode()


@pytest.mark.parametrize("pack", [False, True])
def test_a_run_is_kept_as_it_was_sent(contest: Contest, pack: bool) -> None:
    content = run_text(GOOD, "bm25")
    data = {"run": upload(content, pack=pack), "description": "plain bm25"}
    response = contest.client(contest.ann).post(contest.address("task-hand-in"), data, follow=True)
    [kept] = Submission.objects.all()
    assert (kept.name, kept.tag, kept.description) == ("bm25", "bm25", "plain bm25")
    assert (kept.topics, kept.documents) == (2, 6)
    assert kept.sha256 == hashlib.sha256(content).hexdigest()
    assert gzip.decompress(kept.run) == content
    assert "bm25 is taken" in response.content.decode()
    assert AuditEntry.objects.get(what="run handed in").details["sha256"] == kept.sha256
    download = contest.client(contest.ann).get(contest.address("task-submission", submission=kept.pk))
    assert download.content == content
    assert download["Content-Disposition"] == 'attachment; filename="bm25.run"'


def test_what_is_wrong_is_said_with_file_and_line(contest: Contest) -> None:
    page = refused(contest, b"q1 Q0 q1-d00001 1 9 t\nq1 Q0 q1-d00001 2 8 t\nq1 Q0 q1-d00002 3 soup t\nq1 Q0\n", "a.txt")
    assert "a.txt:2: the same document again for the same query" in page
    assert "a.txt:3: not a number that can be used" in page
    assert "a.txt:4: too few or too many fields" in page


def test_topics_that_are_not_of_the_task_are_named(contest: Contest) -> None:
    page = refused(contest, run_text({"q1": ["a"], "q7": ["b"], "q8": ["c"]}))
    assert "mine.run: 2 topics are not of this task: q7, q8" in page


def test_documents_are_held_against_the_list_if_there_is_one(contest: Contest) -> None:
    Task.objects.update(documents=kept_documents(NamedBytes(b"q1-d00001\nq1-d00002 and more\n\n", "list")))
    page = refused(contest, run_text({"q1": ["q1-d00001", "soup", "stew"]}))
    assert "2 documents are not in the list of documents: soup, stew" in page
    assert send(contest, run_text({"q1": ["q1-d00001", "q1-d00002"]})).status_code == 302
    listed = contest.client(contest.ann).get(contest.address("task-documents"))
    assert listed.content == b"q1-d00001\nq1-d00002\n"


def test_without_a_list_any_document_is_taken_be_it_in_the_pool_or_not(contest: Contest) -> None:
    """Else what is taken and what is not would say what the pool holds."""
    assert send(contest, run_text({"q1": ["never-heard-of-it"]})).status_code == 302


def test_a_list_that_is_too_long_is_refused(contest: Contest) -> None:
    Task.objects.update(depth=2)
    assert "topic q1 has 3 documents; at most 2 are taken" in refused(contest, run_text(GOOD))


def test_a_run_without_some_topics_is_taken_with_a_warning(contest: Contest) -> None:
    response = contest.client(contest.ann).post(
        contest.address("task-hand-in"), {"run": upload(run_text({"q2": GOOD["q2"]}))}, follow=True
    )
    assert "1 of 2 topics have no documents (q1): they count as 0." in response.content.decode()
    assert Submission.objects.get().topics == 1


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (gzip.compress(b""), "the file is empty"),
        (gzip.compress(b"q1 Q0 d 1 1 t\n")[:-9], "damaged or ends early"),
        (gzip.compress(gzip.compress(b"q1 Q0 d 1 1 t\n")), "packed once, with gzip"),
        (b"\x28\xb5\x2f\xfd....", "packed once, with gzip"),
        (b"# nothing\n", "no records"),
        (b"PK\x03\x04\0\0\0\0", "mine.run"),
        (b"q1 0 d1 1\n", "too few or too many fields"),
    ],
    ids=("nothing", "nothing packed", "cut off", "packed twice", "zstd", "comments", "zip", "qrels"),
)
def test_what_is_no_run_is_refused(contest: Contest, content: bytes, words: str) -> None:
    assert words in refused(contest, content)


@pytest.mark.parametrize("pack", [False, True])
def test_no_file_is_larger_than_it_may_be_however_well_packed(
    contest: Contest, pack: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unpacking, "MOST_BYTES", 1 << 20)
    content = b" " * (1 << 20) + run_text(GOOD)
    assert "more than 1 MB, unpacked" in refused(contest, gzip.compress(content) if pack else content)


@pytest.mark.parametrize("name", ["../../etc", "=cmd()", "a b", "ü", "x" * 81])
def test_names_are_plain(contest: Contest, name: str) -> None:
    page = refused(contest, run_text(GOOD), name=name)
    assert "letters, digits and . _ + - only" in page or "at most 80 characters" in page


def test_markup_in_names_of_files_and_topics_is_text(contest: Contest) -> None:
    page = refused(contest, b"<script>alert(1)</script> Q0 d 1 1 t\n", "<img src=x>.run")
    assert "<script>alert" not in page
    assert "<img src=x>" not in page


def test_so_many_may_stand_and_no_more(contest: Contest) -> None:
    first = contest.hand_in(contest.ann, GOOD, "one")
    contest.hand_in(contest.ann, BAD, "two")
    third = run_text({"q1": ["q1-d00001"]}, "three")
    assert "no more may stand" in refused(contest, third)
    contest.client(contest.ann).post(contest.address("task-withdraw", submission=first.pk))
    assert send(contest, third).status_code == 302
    contest.hand_in(contest.bob, GOOD, "one")


def test_those_withdrawn_are_counted_too_in_the_end(contest: Contest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handing_in, "_TRIES", 1)
    for number in range(2):
        submission = contest.hand_in(contest.ann, {"q1": [f"d{number}"]}, f"run{number}")
        contest.client(contest.ann).post(contest.address("task-withdraw", submission=submission.pk))
    assert "those withdrawn included; no more are taken" in refused(contest, run_text(GOOD))


def test_the_same_file_or_name_stands_once(contest: Contest) -> None:
    contest.hand_in(contest.ann, GOOD, "one")
    assert "this very file stands already, as one" in refused(contest, run_text(GOOD, "one"), name="other")
    assert "a run of the name one already" in refused(contest, run_text(BAD, "one"))


def test_after_the_deadline_nothing_comes_in_and_nothing_goes(contest: Contest) -> None:
    submission = contest.hand_in(contest.ann, GOOD, "one")
    contest.end()
    assert "the deadline has passed" in refused(contest, run_text(BAD))
    client = contest.client(contest.ann)
    page = client.post(contest.address("task-withdraw", submission=submission.pk), follow=True).content.decode()
    assert "what was handed in stands" in page
    submission.refresh_from_db()
    assert submission.withdrawn_at is None
    assert "Hand in a run" not in page


def test_a_run_whose_scores_were_shown_stands(contest: Contest) -> None:
    """Else somebody would look at scores, withdraw, and hand in another, as often as they like."""
    submission = contest.hand_in(contest.ann, GOOD, "one")
    judge_all(contest)
    contest.release()
    contest.client(contest.ann).post(contest.address("task-withdraw", submission=submission.pk))
    submission.refresh_from_db()
    assert submission.withdrawn_at is None


def test_topics_are_handed_out(contest: Contest) -> None:
    content = contest.client(contest.ann).get(contest.address("task-topics")).content
    first = json.loads(content.splitlines()[0])
    assert first == {"_id": "q1", "title": "Soup number 1", "description": "Which soup?"}


def test_a_task_in_the_future_and_one_that_is_over_say_so(db: None) -> None:
    past = make_contest(deadline=timezone.now() - timedelta(hours=1))
    assert "The deadline has passed:" in past.client(past.ann).get(past.address("task")).content.decode()
