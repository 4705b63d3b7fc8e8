"""Documents whose text changed after they were judged."""

from __future__ import annotations

import pytest

from cranfield.data.judging import document_hash
from cranfield.web.accounts.models import User
from cranfield.web.judging.events import events_of
from cranfield.web.judging.handing_out import hand_out
from cranfield.web.judging.judgments import judgments
from cranfield.web.judging.recording import record
from cranfield.web.projects.changed_documents import bring_again, changed_documents, judge_by_new_text
from cranfield.web.projects.models import Project
from tests.web.judging.making import answer, make_assessor
from tests.web.projects.material import collection, documents, soups

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return soups({"q1": ["d1", "d2", "d3"]})


@pytest.fixture
def ann(project: Project) -> User:
    return make_assessor(project, "ann")


def judge(project: Project, who: User, grade: int, count: int = 1) -> None:
    scale = project.scales.get().version
    slots = hand_out(project, who, count)
    record(project, who, [answer(slot, grade=grade, scale=scale) for slot in slots])


def test_what_was_judged_is_flagged_and_stays_others_get_the_new_text(project: Project, ann: User) -> None:
    judge(project, ann, 1)
    later = collection(d1="Never boil it.", d2="Fry it.")
    found = bring_again(project, later)
    assert (found.compared, found.changed_after_judging, found.replaced, found.missing) == (3, 1, 1, 0)
    one, two, three = project.documents.order_by("name")
    assert (one.text, one.changed_sha256) == ("Boil it for 1 hours.", document_hash(documents(d1="Never boil it.")[0]))
    assert (two.text, two.changed_sha256) == ("Fry it.", "")
    assert three.changed_sha256 == ""
    assert [document.name for document in changed_documents(project)] == ["d1"]
    assert bring_again(project, later).changed_after_judging == 1
    assert bring_again(project, collection(d2="Fry it.")).changed_after_judging == 0
    assert not changed_documents(project).exists()


def test_a_document_on_screen_does_not_change_under_the_assessor(project: Project, ann: User) -> None:
    (slot,) = hand_out(project, ann, 1)
    assert bring_again(project, collection(d1="Never boil it.")).changed_after_judging == 1
    slot.item.document.refresh_from_db()
    assert slot.item.document.text == "Boil it for 1 hours."


def test_judged_by_the_new_text(project: Project, ann: User) -> None:
    manager = make_assessor(project, "maria", role="manager")
    judge(project, ann, 1, count=3)
    old = project.documents.get(name="d1")
    bring_again(project, collection(d1="Never boil it."))
    assert judge_by_new_text(project, changed_documents(project), by=manager) == 1
    new = project.documents.get(name="d1")
    assert (new.text, new.changed_sha256) == ("Never boil it.", "")
    assert new.other_texts.get().sha256 == old.sha256
    assert new.other_texts.get().text == "Boil it for 1 hours."
    judge(project, ann, 0)
    assert judgments(project).to_dict() == {"q1": {"d1": 0, "d2": 1, "d3": 1}}
    hashes = {one.document_sha256 for one in events_of(project) if one.document == "d1"}
    assert hashes == {old.sha256, new.sha256}


def test_documents_that_are_gone_are_counted(project: Project) -> None:
    assert bring_again(project, collection(*documents(2))).missing == 1
