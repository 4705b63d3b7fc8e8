"""A bundle comes out the same, byte for byte, whenever the project is the same, wherever it is opened."""

from __future__ import annotations

import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.apps import apps

from cranfield.data.collection import Collection
from cranfield.data.pool import Pool
from cranfield.data.topics import Topic, Topics
from cranfield.errors import CranfieldError
from cranfield.formats.collections.opening import open_collection
from cranfield.formats.judging_bundle import verify_bundle
from cranfield.web.accounts.models import User
from cranfield.web.backup.portable import kept_models
from cranfield.web.exchange.bundle_rows import TABLES
from cranfield.web.exchange.bundling import write_bundle
from cranfield.web.exchange.importing import COUNT, carry_out
from cranfield.web.exchange.restoring import restore_bundle
from cranfield.web.judging.models import Decision, Event, SearchQuery
from cranfield.web.judging.recording import record
from cranfield.web.judging.slots import add_slots, take
from cranfield.web.projects.creating import create_project
from cranfield.web.projects.models import Item, Membership, Project
from tests.web.exchange.making import given, taken_out
from tests.web.installation import Installation, postgres_database
from tests.web.judging.making import add_items, answer, make_assessor, make_project


@pytest.fixture
def project(db: None) -> Project:
    """Judged, corrected, skipped, withdrawn, imported, adjudicated, searched; with gold, and somebody in the middle."""
    project = make_project(topics=2, documents=4, wanted=2, repeat_share=1.0, description="Wie heiß? ☕")
    ann, bob = make_assessor(project, "ann"), make_assessor(project, "bob")
    make_assessor(project, "mia", role=Membership.Role.MANAGER)
    add_items(project, project.topics.get(name="q1"), 1, origin="gold", gold_grade=2.0)
    for number, item in enumerate(project.items.filter(topic__name="q1", origin="pool")):
        for assessor in (ann, bob):
            slot = take(item, assessor)
            assert slot is not None
            record(project, assessor, [answer(slot, grade=number % 3)])
            record(project, assessor, [answer(slot, grade=(number + assessor.pk) % 3, reason="on second thoughts")])
    first = project.items.filter(topic__name="q2")[0]
    slot = take(first, ann)
    assert slot is not None
    skipped = answer(slot, "skip")
    record(project, ann, [skipped, answer(slot, "withdraw", supersedes=skipped["uuid"]), answer(slot, "note")])
    carry_out(project, given("q2 cem q2-d00002 1\nq2 dan q2-d00002 2\nq2 eve q2-d00002 2\n"), surplus=COUNT)
    differs = project.items.get(document__name="q1-d00002")
    by = User.objects.create(username="administrator", is_administrator=True)
    Decision.objects.create(item=differs, decided_by=by, grade=0, reason="it is soup", events=[], at=_moment(7))
    Decision.objects.create(
        item=differs, decided_by=ann, grade=2, reason="it is not", events=[], at=_moment(8), scale=project.scales.get()
    )
    SearchQuery.objects.create(project=project, topic=first.topic, assessor=ann, text="broth", found=3, new=1)
    return project


def _moment(day: int) -> datetime:
    return datetime(2026, 3, day, 9, 30, 0, 123456, tzinfo=UTC)


def forget() -> None:
    """As in another installation, nothing is there: rows that are only ever added go too."""
    for model in kept_models():
        model._default_manager.all()._raw_delete("default")


def test_the_same_project_gives_the_same_bytes(project: Project, tmp_path: Path) -> None:
    for name in ("one.zip", "two.zip"):
        write_bundle(project, tmp_path / name)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


def test_a_project_from_a_bundle_gives_the_same_bundle(project: Project, tmp_path: Path) -> None:
    write_bundle(project, tmp_path / "one.zip")
    before = {what: taken_out(project, what) for what in ("qrels", "qrels_jg", "events")}
    forget()
    again = restore_bundle(tmp_path / "one.zip")
    assert {what: taken_out(again, what) for what in before} == before
    write_bundle(again, tmp_path / "two.zip")
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    assert not User.objects.filter(is_active=True).exists()
    assert again.pk == project.pk


def test_every_table_of_a_project_is_in_it() -> None:
    """One that is added later has to be put into the bundle, or it would be lost."""
    tables = {model for label in ("projects", "judging") for model in apps.get_app_config(label).get_models()}
    assert tables == {Project, *(model for model, _ in TABLES.values())}


@pytest.mark.slow
def test_from_sqlite_to_postgres(project: Project, tmp_path: Path) -> None:
    one, two = str(tmp_path / "one.zip"), str(tmp_path / "two.zip")
    write_bundle(project, one)
    with postgres_database() as url:
        for step in (("migrate",), ("project", "restore", one), ("project", "bundle", str(project.pk), two)):
            (done,) = Installation(tmp_path / "judging", url).several(step)
            assert done.exit_code == 0, done.stderr
    assert Path(one).read_bytes() == Path(two).read_bytes()


def test_people_go_on_judging_in_it(project: Project, tmp_path: Path) -> None:
    write_bundle(project, tmp_path / "one.zip")
    forget()
    again = restore_bundle(tmp_path / "one.zip")
    dee = make_assessor(again, "dee")
    slot = take(again.items.get(document__name="q2-d00004"), dee)
    assert slot is not None
    assert record(again, dee, [answer(slot)])[0].status == "recorded"


def test_a_bundle_is_verified_by_its_events_alone(project: Project, tmp_path: Path) -> None:
    write_bundle(project, tmp_path / "one.zip")
    found = verify_bundle(tmp_path / "one.zip")
    assert found.events == Event.objects.filter(project=project).count()
    # Four of q1 by ann and bob, one of q2 by cem, dan and eve; one of them was decided.
    assert (found.judgments, found.decided, found.assessors) == (5, 1, 5)


def test_not_twice_into_one_installation(project: Project, tmp_path: Path) -> None:
    write_bundle(project, tmp_path / "one.zip")
    with pytest.raises(CranfieldError, match="in this installation already"):
        restore_bundle(tmp_path / "one.zip")


def test_without_texts_the_collection_has_to_have_them(db: None, tmp_path: Path) -> None:
    def collection(text: str) -> Collection:
        file = tmp_path / "documents.jsonl"
        file.write_text(f'{{"_id": "d1", "title": "Soup", "text": "{text}"}}\n{{"_id": "d2", "text": "Bread"}}\n')
        return open_collection(file)

    topics = Topics([Topic("1", {"title": "soup"})])
    project, _ = create_project(
        "Soups", pool=Pool.from_dict({"1": ["d2", "d1"]}), topics=topics, collection=collection("Boil it.")
    )
    carry_out(project, given("1 0 d1 1\n"))
    write_bundle(project, tmp_path / "one.zip", texts=False)
    assert b"Boil" not in (tmp_path / "one.zip").read_bytes()
    forget()
    with pytest.raises(CranfieldError, match="name the collection that has them"):
        restore_bundle(tmp_path / "one.zip")
    with pytest.raises(CranfieldError, match="'d1' is not the one that was judged"):
        restore_bundle(tmp_path / "one.zip", collection=collection("Freeze it."))
    assert not Project.objects.exists()
    again = restore_bundle(tmp_path / "one.zip", collection=collection("Boil it."))
    assert again.documents.get(name="d1").text == "Boil it."
    write_bundle(again, tmp_path / "two.zip", texts=False)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


def test_a_member_that_was_changed_is_refused(project: Project, tmp_path: Path) -> None:
    write_bundle(project, tmp_path / "one.zip")
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        members = {member: archive.read(member) for member in archive.namelist()}
    members["answers.jsonl"] = members["answers.jsonl"].replace(b'"action": "grade"', b'"action": "grabe"')
    with zipfile.ZipFile(tmp_path / "two.zip", "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    forget()
    for call in (verify_bundle, restore_bundle):
        with pytest.raises(CranfieldError, match=r"answers\.jsonl is not as it was written"):
            call(tmp_path / "two.zip")
    assert not Project.objects.exists()


def test_preferences_between_two_documents(db: None, tmp_path: Path) -> None:
    project = make_project(topics=1, documents=2, mode=Project.Mode.PAIRS)
    left, right = project.documents.order_by("name")
    topic = project.topics.get()
    pair = Item.objects.create(project=project, topic=topic, document=left, other=right, place=3)
    add_slots([pair])
    ann = make_assessor(project, "ann")
    slot = take(pair, ann)
    assert slot is not None
    assert record(project, ann, [answer(slot, preferred="left")])[0].status == "recorded"
    write_bundle(project, tmp_path / "one.zip")
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        assert len(archive.read("preferences.txt").splitlines()) == 2
    forget()
    write_bundle(restore_bundle(tmp_path / "one.zip"), tmp_path / "two.zip")
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


def test_a_name_that_no_project_may_have_is_refused(project: Project, tmp_path: Path) -> None:
    Project.objects.filter(pk=project.pk).update(name="Soups\r\nand stews")
    write_bundle(Project.objects.get(pk=project.pk), tmp_path / "one.zip")
    forget()
    with pytest.raises(CranfieldError, match="A name has no line ends"):
        restore_bundle(tmp_path / "one.zip")
