"""Exports: the files of the page for managers, and whether there is anything new."""

from __future__ import annotations

import io
import json
import uuid
import zipfile
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from cranfield.web.accounts.tokens import make_token
from cranfield.web.api.exports import EXPORTS
from cranfield.web.exchange.downloads import DOWNLOADS
from cranfield.web.judging.handing_out import hand_out
from cranfield.web.judging.models import Event, Slot
from cranfield.web.judging.recording import record
from cranfield.web.projects.models import Item
from tests.web.api.conftest import Program
from tests.web.judging.making import answer, make_assessor, make_project

NEED_A_SAMPLE = {name for name, kind in DOWNLOADS.items() if kind.sample}


@pytest.mark.parametrize("export", sorted(set(DOWNLOADS) - NEED_A_SAMPLE))
def test_the_same_as_on_the_page(program: Program, export: str) -> None:
    response = program.get(f"/exports/{export}")
    assert response.status_code == 200
    assert response.content == b"".join(DOWNLOADS[export].pieces(program.project, "majority"))
    assert response["Content-Type"] == DOWNLOADS[export].content_type
    assert response["Content-Disposition"].startswith('attachment; filename="soups.')


def test_qrels(program: Program) -> None:
    """Anna gave 1 everywhere, Bob 1, 2, 1, 2: the highest."""
    assert program.get("/exports/qrels", rule="max").content.decode().splitlines() == [
        "q1 0 q1-d00001 1",
        "q1 0 q1-d00002 2",
        "q1 0 q1-d00003 1",
        "q1 0 q1-d00004 2",
    ]


def test_the_bundle(program: Program) -> None:
    response = program.get("/exports/bundle")
    assert response["Content-Type"] == "application/zip"
    assert "manifest.json" in zipfile.ZipFile(io.BytesIO(response.content)).namelist()
    assert response.content == program.get("/exports/bundle").content


@pytest.mark.parametrize("export", sorted(NEED_A_SAMPLE))
def test_files_that_need_a_sample(program: Program, export: str) -> None:
    response = program.get(f"/exports/{export}")
    assert response.status_code == 409
    assert "chances" in response.json()["detail"]


def test_preferences(program: Program) -> None:
    """Of four pairs, the first document of the first was better, by one assessor."""
    project = program.project
    project.mode = "pairs"
    project.save()
    first, second, *_ = project.documents.order_by("name")
    topic = project.topics.get(name="q1")
    item = Item.objects.create(project=project, topic=topic, document=first, other=second, place=9)
    event: dict[str, Any] = dict(Event.objects.filter(project=project).values()[0])
    changed = {"uuid": uuid.uuid4(), "item_id": item.pk, "slot_id": None, "grade": None, "preferred": "left"}
    slot = Slot.objects.create(item=item, number=1, assessor_id=event["assessor_id"], done_at=timezone.now())
    Event.objects.create(**{**event, **changed, "number": None, "slot_id": slot.pk})
    assert program.get("/exports/preferences").content.decode().split()[:1] == ["q1"]
    assert first.name in program.get("/exports/preference-pairs").content.decode()
    [line] = program.get("/exports/preference-events").content.decode().splitlines()
    assert json.loads(line)["event"] == str(changed["uuid"])


def test_before_anything_is_judged(db: None) -> None:
    project = make_project()
    _, secret = make_token(project, None, "a program")
    program = Program(project, Client(headers={"authorization": f"Bearer {secret}"}))
    for path in ("/exports/qrels", "/exports/qrels_jg", "/agreement"):
        assert program.get(path).status_code == 409, path
    for export in ("events", "quepid", "label-studio", "bundle", "preferences"):
        assert program.get(f"/exports/{export}").status_code in (200, 409), export


@pytest.mark.parametrize("export", ["qrels", "events", "bundle"])
def test_nothing_comes_twice_while_nothing_changes(program: Program, export: str) -> None:
    path = f"/api/projects/{program.project.pk}/exports/{export}"
    etag = program.client.get(path)["ETag"]
    for given in (etag, f"W/{etag}", f'"other", {etag}', "*"):
        same = program.client.get(path, headers={"if-none-match": given})
        assert (same.status_code, same.content, same["ETag"]) == (304, b"", etag)
    assert program.client.get(path, headers={"if-none-match": '"other"'}).status_code == 200
    assert program.client.get(f"{path}?rule=max")["ETag"] != etag
    assessor = make_assessor(program.project, "cem")
    record(program.project, assessor, [answer(slot) for slot in hand_out(program.project, assessor, 1)])
    changed = program.client.get(path, headers={"if-none-match": etag})
    assert changed.status_code == 200
    assert changed["ETag"] != etag


def test_every_export_is_there() -> None:
    assert {"qrels", "qrels_jg", "events", "bundle"} <= set(EXPORTS)
