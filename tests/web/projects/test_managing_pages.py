"""Overview, people, settings, scale, documents, asking again: what managers see and do."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from cranfield.data.pool import Pool
from cranfield.errors import UsageError
from cranfield.web.accounts.models import AuditEntry, User
from cranfield.web.judging.handing_out import hand_out
from cranfield.web.judging.models import Slot
from cranfield.web.judging.recording import record
from cranfield.web.projects.changed_documents import bring_again
from cranfield.web.projects.creating import create_project
from cranfield.web.projects.models import Project
from cranfield.web.projects.overview import overview
from tests.web.judging.making import answer, make_assessor
from tests.web.projects.material import POOL, TOPICS, collection, soups

pytestmark = pytest.mark.django_db


@pytest.fixture
def maria(client: Client) -> User:
    user = User.objects.create(username="maria")
    client.force_login(user)
    return user


@pytest.fixture
def project(maria: User) -> Project:
    return soups(by=maria)


@pytest.fixture
def ann(project: Project) -> User:
    return make_assessor(project, "ann")


@pytest.fixture
def at(project: Project) -> str:
    return f"/projects/{project.pk}/"


def judge(project: Project, who: User, count: int, grade: int = 1) -> list[Slot]:
    slots = hand_out(project, who, count)
    record(project, who, [answer(slot, grade=grade, scale=project.scales.last().version) for slot in slots])  # type: ignore[union-attr]
    return slots


def test_who_changed_what(client: Client, at: str) -> None:
    page = client.get(f"{at}audit/")
    assert (page.status_code, "items: 5" in page.text) == (200, True)


def test_a_field_called_items(client: Client, project: Project, at: str) -> None:
    item = project.items.first()
    assert item is not None
    item.document.fields = {"items": 12}
    item.document.save()
    for address in (f"{at}documents/{item.pk}/", f"{at}review/adjudication/{item.pk}/"):
        page = client.get(address)
        assert (page.status_code, "12" in page.text) == (200, True)


def test_what_was_taken_back_is_no_judgment_of_the_day(project: Project, ann: User) -> None:
    slot = judge(project, ann, 2)[0]
    given = slot.events.get()
    record(project, ann, [answer(slot, "withdraw", scale=given.scale.version, supersedes=str(given.uuid))])
    assert (overview(project).done, [number for _, number in overview(project).days]) == (1, [1])


def test_the_overview_counts_judgments(client: Client, project: Project, ann: User, at: str) -> None:
    judge(project, ann, 2)
    hand_out(project, ann, 2)
    found = overview(project)
    assert (found.done, found.wanted, found.held) == (2, 5, 2)
    assert [(one.topic.name, one.done, one.wanted, one.held) for one in found.topics] == [
        ("q2", 2, 2, 0),
        ("q1", 0, 3, 2),
    ]
    assert [(one.membership.pseudonym, one.done, one.held) for one in found.assessors] == [("p-ann", 2, 2)]
    assert [number for _, number in found.days] == [2]
    page = client.get(at).text
    assert "<strong>2</strong> of 5 judgments are there, 2 are being made." in page
    assert "<svg" in page
    assert "<html" not in client.get(f"{at}progress/").text


def test_a_skip_and_a_withdrawn_document_are_not_wanted_twice(project: Project, ann: User) -> None:
    slot = hand_out(project, ann, 1)[0]
    record(project, ann, [answer(slot, "skip", scale=project.scales.get().version)])
    assert (overview(project).done, overview(project).wanted) == (0, 5)
    project.items.filter(document__name="d4").update(withdrawn=True)
    assert overview(project).wanted == 4


def test_who_is_removed_is_out_and_what_they_hold_is_free(client: Client, project: Project, ann: User, at: str) -> None:
    bob = make_assessor(project, "bob")
    hand_out(project, ann, 5)
    member = project.memberships.get(user=ann)
    asked = client.post(f"{at}people/{member.pk}/", {"do": "remove"})
    assert "Remove p-ann?" in asked.text
    assert project.memberships.get(user=ann).left_at is None
    response = client.post(f"{at}people/{member.pk}/", {"do": "remove", "sure": "yes"}, follow=True)
    assert "p-ann is no longer in the project; 5 documents became free." in response.text
    assert "p-ann" in response.text
    assert len(hand_out(project, bob, 5)) == 5
    others = Client()
    others.force_login(ann)
    assert others.get(f"{at}judge/").status_code == 404
    assert AuditEntry.objects.get(what="member removed").details == {"member": "p-ann", "role": "assessor", "freed": 5}


def test_groups_releasing_and_handing_over(client: Client, project: Project, ann: User, at: str) -> None:
    bob = make_assessor(project, "bob")
    hand_out(project, ann, 3)
    address = f"{at}people/{project.memberships.get(user=ann).pk}/"
    client.post(address, {"do": "group", "group": " expert "})
    assert project.memberships.get(user=ann).group == "expert"
    moved = client.post(address, {"do": "reassign", "to": "p-bob"}, follow=True)
    assert "3 documents went to p-bob, 0 became free." in moved.text
    assert Slot.objects.filter(assessor=bob).count() == 3
    hand_out(project, ann, 1)
    assert "1 documents became free." in client.post(address, {"do": "release"}, follow=True).text
    for wrong in ({"do": "reassign", "to": "p-zoe"}, {"do": "dance"}, {"do": "reassign", "to": "p-ann"}):
        assert client.post(address, wrong).status_code == 400


def test_roles_are_changed(client: Client, project: Project, maria: User, ann: User, at: str) -> None:
    member = project.memberships.get(user=ann)
    address = f"{at}people/{member.pk}/"
    assert "<option selected>assessor</option>" in client.get(f"{at}people/").text
    assert "manager2 is manager now." in client.post(address, {"do": "role", "role": "manager"}, follow=True).text
    member.refresh_from_db()
    assert (member.role, member.pseudonym) == ("manager", "manager2"), "nothing was judged under the old one"
    noted = AuditEntry.objects.get(what="role changed").details
    assert noted["before"] == {"role": "assessor", "member": "p-ann"}
    assert noted["after"] == {"role": "manager", "member": "manager2"}
    own = client.post(f"{at}people/{project.memberships.get(user=maria).pk}/", {"do": "role", "role": "assessor"})
    assert own["Location"] == "/", "who no longer manages does not see the page"
    assert client.get(f"{at}people/").status_code == 404


def test_who_judged_keeps_the_pseudonym(client: Client, project: Project, ann: User, at: str) -> None:
    judge(project, ann, 2)
    hand_out(project, ann, 2)
    address = f"{at}people/{project.memberships.get(user=ann).pk}/"
    changed = client.post(address, {"do": "role", "role": "participant"}, follow=True)
    assert "p-ann is participant now. 2 documents became free." in changed.text
    assert project.memberships.get(user=ann).role == "participant"
    assert client.post(address, {"do": "role", "role": "king"}).status_code == 400
    project.memberships.filter(user=ann).update(left_at=timezone.now())
    assert "p-ann has left the project" in client.post(address, {"do": "role", "role": "manager"}).text


def test_the_last_manager_stays_one(client: Client, project: Project, maria: User, at: str) -> None:
    member = project.memberships.get(user=maria)
    refused = client.post(f"{at}people/{member.pk}/", {"do": "role", "role": "assessor"})
    assert (refused.status_code, "invite another manager first" in refused.text) == (400, True)
    member.refresh_from_db()
    assert member.role == "manager"


def test_somebody_has_to_manage(client: Client, project: Project, maria: User, at: str) -> None:
    address = f"{at}people/{project.memberships.get(user=maria).pk}/"
    sure = {"do": "remove", "sure": "yes"}
    for wanted in ({"do": "remove"}, sure):
        refused = client.post(address, wanted)
        assert (refused.status_code, "invite another manager first" in refused.text) == (400, True)
    chief = Client()
    chief.force_login(User.objects.create(username="chief", is_administrator=True))
    assert chief.post(address, sure).status_code == 400, "nor does an administrator leave a project alone"
    make_assessor(project, "mona", role="manager")
    assert client.post(address, sure)["Location"] == "/"
    assert client.get(at).status_code == 404


SETTINGS = {
    "name": "Stews",
    "order": "random",
    "gold_every": 5,
    "repeat_share": 0.1,
    "lease_minutes": 10,
    "break_minutes": 20,
}


def test_settings_are_kept_and_noted(client: Client, project: Project, at: str) -> None:
    fields = SETTINGS
    client.post(f"{at}settings/", fields)
    project.refresh_from_db()
    assert (project.name, project.order, project.lease_minutes) == ("Stews", "random", 10)
    assert AuditEntry.objects.get(what="settings changed").details["name"] == {"before": "Soups", "after": "Stews"}
    bad = client.post(f"{at}settings/", {**fields, "lease_minutes": 0, "name": "Salads"})
    assert (bad.status_code, "Expected at least 1." in bad.text) == (400, True)
    project.refresh_from_db()
    assert project.name == "Stews"


def test_overlap_is_raised_and_the_project_closed_and_opened(
    client: Client, project: Project, ann: User, at: str
) -> None:
    higher = client.post(f"{at}settings/", {**SETTINGS, "overlap": 2, "share": 1}, follow=True)
    assert "Kept. 5 more judgments are wanted." in higher.text
    lower = client.post(f"{at}settings/", {**SETTINGS, "name": "Salads", "overlap": 1, "share": 1})
    assert (lower.status_code, "can only be raised" in lower.text) == (400, True)
    project.refresh_from_db()
    assert (project.name, project.overlap) == ("Stews", 2), "all of it is kept, or nothing"
    client.post(f"{at}settings/open/", {"do": "close"})
    assert hand_out(Project.objects.get(), ann, 1) == []
    client.post(f"{at}settings/open/", {"do": "reopen"})
    assert len(hand_out(Project.objects.get(), ann, 1)) == 1


def test_a_new_version_of_the_scale_leaves_the_old_one(client: Client, project: Project, ann: User, at: str) -> None:
    judge(project, ann, 2)
    before = list(project.scales.values())
    rows = {"grade-TOTAL_FORMS": 2, "grade-INITIAL_FORMS": 0, "guideline": "Now *stricter*."}
    rows |= {"grade-0-value": 1, "grade-0-name": "yes", "grade-1-value": 0, "grade-1-name": "no"}
    page = client.post(f"{at}settings/scale/", rows, follow=True).text
    assert "Version 2 is what one judges by from now on." in page
    assert "<p>Now <em>stricter</em>.</p>" in page
    assert "2 judgments by 1 assessor" in page
    assert list(project.scales.values())[:1] == before
    again = client.post(f"{at}settings/scale/", rows)
    assert (again.status_code, "nothing in the scale has changed" in again.text) == (400, True)
    twice = client.post(f"{at}settings/scale/", {**rows, "grade-1-value": 1})
    assert (twice.status_code, "two grades with the value 1" in twice.text) == (400, True)


def test_documents_are_found_by_words_topic_and_state(client: Client, project: Project, ann: User, at: str) -> None:
    judge(project, ann, 1)  # d1 for q2
    project.items.filter(document__name="d3").update(withdrawn=True)

    def found(**asked: str) -> list[tuple[str, str]]:
        items = client.get(f"{at}documents/", asked).context["page"].object_list
        return [(item.topic.name, item.document.name) for item in items]

    assert found() == [("q2", "d1"), ("q2", "d4"), ("q1", "d3"), ("q1", "d1"), ("q1", "d2")]
    assert found(topic="q1", words="SOUP 2") == [("q1", "d2")]
    assert found(state="done") == [("q2", "d1")]
    assert found(state="open") == [("q2", "d4"), ("q1", "d1"), ("q1", "d2")]
    assert found(state="withdrawn") == [("q1", "d3")]
    assert found(words="nothing of the kind") == []
    assert "1 of 1" in client.get(f"{at}documents/").text


def test_a_document_with_its_judgments_is_withdrawn_and_put_back(
    client: Client, project: Project, ann: User, at: str
) -> None:
    slot = judge(project, ann, 1, grade=3)[0]
    address = f"{at}documents/{slot.item_id}/"
    page = client.get(address).text
    assert "p-ann" in page
    assert "<p>Boil it for 1 hours.</p>" in page
    client.post(address, {"do": "withdraw"})
    assert project.items.get(withdrawn=True).pk == slot.item_id
    client.post(address, {"do": "put back"})
    assert not project.items.filter(withdrawn=True).exists()
    assert AuditEntry.objects.filter(what__startswith="document ").count() == 2


def test_asking_again_for_old_judgments(client: Client, project: Project, ann: User, at: str) -> None:
    judge(project, ann, 2)
    tomorrow = timezone.now().date() + timedelta(days=1)
    page = client.post(f"{at}again/", {"before": tomorrow}, follow=True).text
    assert "2 judgments are asked for again" in page
    assert len(hand_out(project, ann, 2)) == 2
    assert client.post(f"{at}again/", {"before": "soon"}).status_code == 400


def test_changed_documents_are_flagged_and_judged_by_the_new_text(
    client: Client, project: Project, ann: User, at: str
) -> None:
    judge(project, ann, 5)
    lines = b'{"id": "d1", "text": "Fry it <script>now()</script>."}\n'
    compared = client.post(
        f"{at}again/compare/", {"documents_file": SimpleUploadedFile("docs.jsonl", lines)}, follow=True
    )
    assert "1 changed after they were judged" in compared.text
    assert "<strong>1</strong> document changed after being judged." in client.get(at).text
    item = project.items.filter(document__name="d1").first()
    assert item is not None
    page = client.get(f"{at}documents/{item.pk}/").text
    assert "Fry it ." in page
    assert "now()" not in page
    none = client.post(f"{at}again/texts/", {})
    assert (none.status_code, "choose at least one document" in none.text) == (400, True)
    taken = client.post(f"{at}again/texts/", {"document": "d1"}, follow=True)
    assert "2 judgments are asked for again." in taken.text  # for q1, and for q2
    assert "changed after being judged" not in client.get(at).text
    broken = client.post(f"{at}again/compare/", {"documents_file": SimpleUploadedFile("docs.jsonl", lines + b"{\n")})
    assert (broken.status_code, "docs.jsonl:2" in broken.text) == (400, True)


def test_the_overview_asks_as_often_for_many_topics_as_for_few(
    project: Project, django_assert_max_num_queries: object
) -> None:
    bring_again(project, collection())
    with django_assert_max_num_queries(12):  # type: ignore[operator]
        overview(project)


def test_home_says_how_far_an_assessor_is(client: Client, project: Project, ann: User) -> None:
    judge(project, ann, 2)
    client.force_login(ann)
    assert "2 of 5 judged" in client.get("/").text
    assert "New project" not in client.get("/").text


@pytest.mark.parametrize("name", ["Soups\r\nSet-Cookie: x", "Soups\tand stews", "Soups\x1b[31m", "Soups\u2028stews"])
def test_a_name_has_no_line_ends(client: Client, project: Project, at: str, name: str) -> None:
    answer = client.post(f"{at}settings/", {**SETTINGS, "name": name})
    assert (answer.status_code, "no line ends" in answer.text) == (400, True)
    assert Project.objects.get(pk=project.pk).name == "Soups"
    with pytest.raises(UsageError, match="name: A name has no line ends"):
        create_project(name, pool=Pool.from_dict(POOL), topics=TOPICS, collection=collection())
