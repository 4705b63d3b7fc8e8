"""The page on which files come in and go out."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from cranfield.web.accounts.models import User
from cranfield.web.exchange.downloads import DOWNLOADS
from cranfield.web.exchange.importing import carry_out
from cranfield.web.judging.models import Event
from cranfield.web.judging.slots import add_slots
from cranfield.web.projects.models import Document, Item, Membership, Project
from tests.web.exchange.making import given
from tests.web.judging.making import make_assessor, make_project

EXTRA = ("q1 ann q1-d00001 2\n", "q1 bob q1-d00002 1\n")


@pytest.fixture
def project(db: None) -> Project:
    return make_project(topics=1, documents=3)


@pytest.fixture
def manager(project: Project) -> User:
    return make_assessor(project, "mia", role=Membership.Role.MANAGER)


@pytest.fixture
def browser(client: Client, manager: User) -> Client:
    client.force_login(manager)
    return client


def page(project: Project, *more: str) -> str:
    return f"/projects/{project.pk}/exchange/{''.join(more)}"


def send(browser: Client, project: Project, name: str, content: bytes, **more: str) -> Any:
    form: dict[str, Any] = {"assessor": "imported", "surplus": "keep", "format": "", **more}
    return browser.post(page(project), {**form, "file": SimpleUploadedFile(name, content)})


def content_of(response: Any) -> bytes:
    return b"".join(response.streaming_content)


def test_what_is_wrong_with_a_file_is_said_at_the_top(browser: Client, project: Project) -> None:
    answer = send(browser, project, "old.qrels", b"q1 0 q1-d00001 much\n")
    page = answer.content.decode()
    assert answer.status_code == 400
    top, below = page.split("Take out", 1)
    assert "Nothing was brought in." in top
    assert "old.qrels:1" in top
    assert "autofocus" in top
    assert "autofocus" not in below


def test_a_project_of_pairs_shows_preferences_and_nothing_of_grades(browser: Client, project: Project) -> None:
    Project.objects.filter(pk=project.pk).update(mode="pairs")
    shown = browser.get(page(project)).text
    assert shown.index("Preferences, TREC") < shown.index('value="documents"')
    assert "Where several assessors judged" not in shown
    assert "Label Studio" not in shown
    assert "Judgments cannot be brought in here" in shown


def test_judgments_without_decisions(browser: Client, project: Project, manager: User) -> None:
    carry_out(project, given("".join(EXTRA)))
    item = project.items.get(document__name="q1-d00001")
    item.decisions.create(decided_by=manager, grade=0, reason="No.", events=[])
    both = [
        content_of(browser.get(page(project, "download"), {"what": what, "rule": "max"})).decode().splitlines()
        for what in ("qrels", "qrels-undecided")
    ]
    assert both == [["q1 0 q1-d00001 0", "q1 0 q1-d00002 1"], ["q1 0 q1-d00001 2", "q1 0 q1-d00002 1"]]


def test_a_member_is_named_by_pseudonym_or_by_name(browser: Client, project: Project) -> None:
    make_assessor(project, "ann")
    assert '<option value="p-ann">ann</option>' in browser.get(page(project)).text
    for name in ("ann", "p-ann"):
        answer = send(browser, project, "old.qrels", b"q1 0 q1-d00001 2\n", assessor=name, merge="on")
        assert "<td>p-ann</td>" in browser.get(answer["Location"]).text


def test_a_run_is_no_file_of_judgments(browser: Client, project: Project) -> None:
    answer = send(browser, project, "best.run", b"q1 Q0 q1-d00001 1 9.5 best\n")
    assert "best.run: this looks like a run, not like judgments." in answer.text
    assert "right order" not in answer.text


def test_what_comes_in_is_shown_first(browser: Client, project: Project) -> None:
    answer = send(browser, project, "old.qrels", b"q1 0 q1-d00001 2\nq1 0 q1-d00009 1\nq7 0 q1-d00001 1\n")
    assert answer.status_code == 302
    preview = browser.get(answer["Location"]).content.decode()
    assert "Read as <b>qrels</b>: 3 judgments" in preview
    assert "q1-d00009" in preview
    assert "q7" in preview
    assert not Event.objects.exists()
    done = browser.post(answer["Location"], {"action": "carry out"}, follow=True)
    assert "old.qrels: 3 read, 1 count now, 0 are kept without counting, 2 left out" in done.content.decode()
    assert Event.objects.count() == 1
    assert browser.get(answer["Location"]).status_code == 404


def test_people_of_the_same_name_are_kept_apart(browser: Client, project: Project) -> None:
    make_assessor(project, "ann")
    answer = send(browser, project, "a.qrels_jg", b"q1 p-ann q1-d00001 2\n", prefix_of_names="old-")
    browser.post(answer["Location"], {"action": "carry out"})
    assert Event.objects.get().assessor.memberships.get().pseudonym == "old-p-ann"
    wrong = send(browser, project, "a.qrels_jg", b"q1 p-ann q1-d00001 2\n", prefix_of_names="o ld")
    assert wrong.status_code == 400


def test_a_file_can_be_discarded(browser: Client, project: Project) -> None:
    answer = send(browser, project, "old.qrels", b"q1 0 q1-d00001 2\n")
    assert "discarded" in browser.post(answer["Location"], {"action": "discard"}, follow=True).content.decode()
    assert not Event.objects.exists()
    assert browser.get(answer["Location"]).status_code == 404


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("old.qrels", b"q1 0 q1-d00001 x\n", "old.qrels:1: grade &#x27;x&#x27; is not a number"),
        ("a.csv", b"query,docid,rating\nq1,q1-d00001,2\nq1,d,high\n", "a.csv:3: rating &#x27;high&#x27; is not"),
        ("a.json", b'[{"data": {}, "annotations": []}]', "a.json: task 1: data has no query_id"),
        ("a.csv", b"query,docid,ann,ann\nq1,d,1,1\n", "a.csv:1: there are two columns named &#x27;ann&#x27;"),
        ("a.csv", "query,docid,rating\nq1,d,1\n".encode("utf-16"), "a.csv: this is UTF-16 text"),
        ("a.qrels", b"", "empty"),
        ("a.qrels", b"\x1f\x8b\x08\x00\x00", "a.qrels: this is packed; unpack it first"),
        ("picture.csv", b"\x89PNG\r\n\x1a\n\0\0", "picture.csv: this is not a text file"),
    ],
)
def test_what_cannot_be_read_is_said(browser: Client, project: Project, name: str, content: bytes, said: str) -> None:
    answer = send(browser, project, name, content)
    assert answer.status_code == 400
    assert said in answer.content.decode()
    assert not Event.objects.exists()


def test_a_file_that_is_too_large(browser: Client, project: Project, settings: Any) -> None:
    settings.JUDGMENTS_UPLOAD_MAX_SIZE = 10
    answer = send(browser, project, "old.qrels", b"q1 0 q1-d00001 2\n")
    assert answer.status_code == 400
    assert "more than is taken here" in answer.content.decode()


@pytest.mark.parametrize("what", [name for name, one in DOWNLOADS.items() if not one.sample])
def test_every_file_is_one_to_keep(what: str, browser: Client, project: Project) -> None:
    project.name = 'Soups"; rm -rf / ☕\n'
    project.save()
    carry_out(project, given("".join(EXTRA)))
    answer = browser.get(page(project, "download"), {"what": what})
    assert answer.status_code == 200
    assert answer["Content-Disposition"] == f'attachment; filename="soups-rm-rf.{DOWNLOADS[what].ending}"'
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "html" not in answer["Content-Type"]
    assert content_of(answer)


def test_the_bundle(browser: Client, project: Project) -> None:
    carry_out(project, given("".join(EXTRA)))
    answer = browser.get(page(project, "download"), {"what": "bundle"})
    assert answer["Content-Type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(content_of(answer))) as archive:
        assert archive.read("qrels_jg.txt").decode() == "".join(EXTRA)


@pytest.mark.parametrize(
    "query", [{}, {"what": "soup"}, {"what": "qrels"}, {"what": "strata"}, {"what": "qrels", "rule": "x"}]
)
def test_a_file_that_cannot_be_made(query: dict[str, str], browser: Client, project: Project) -> None:
    answer = browser.get(page(project, "download"), query)
    assert answer.status_code == 400
    assert 'class="error"' in answer.content.decode()


def test_no_cell_is_a_formula(browser: Client, project: Project) -> None:
    """What a spreadsheet would carry out: OWASP's list of characters at the beginning of a cell."""
    awkward = ["=1+1", "+1", "-d7", "@SUM(1)", "\tx", "\rx"]
    topic = project.topics.get()
    topic.title = '=HYPERLINK("http://evil.example")'
    topic.save()
    for place, name in enumerate(awkward, 10):
        document = Document.objects.create(project=project, name=name, sha256="0" * 64)
        add_slots([Item.objects.create(project=project, topic=topic, document=document, place=place)])
    rows = "\n".join(json.dumps({"query_id": "q1", "doc_id": name, "relevance": 1}) for name in awkward)
    assert carry_out(project, given(rows, assessor="=cmd")).counted == len(awkward)
    for what in ("quepid", "quepid-book"):
        content = content_of(browser.get(page(project, "download"), {"what": what}))
        cells = [cell for row in csv.reader(io.StringIO(content.decode(), newline="")) for cell in row]
        assert cells
        assert not [cell for cell in cells if cell[:1] in ("=", "+", "-", "@", "\t", "\r")]
        again = given(content)
        assert sorted({event.document for event in again.events}) == sorted(awkward)
        assert {event.topic for event in again.events} == {topic.title}


@pytest.mark.parametrize(("ticked", "name"), [({}, "p-ann-imported"), ({"merge": "on"}, "p-ann")])
def test_whose_judgments_they_become_is_shown_and_done(
    browser: Client, project: Project, ticked: dict[str, str], name: str
) -> None:
    make_assessor(project, "ann")
    sent = send(browser, project, "a.qrels_jg", b"q1 p-ann q1-d00001 2\n", **ticked)
    assert f"<td>{name}</td>" in browser.get(sent["Location"]).content.decode()
    browser.post(sent["Location"], {"action": "carry out"})
    assert Event.objects.get().assessor.memberships.get().pseudonym == name
