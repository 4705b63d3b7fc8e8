from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from cranfield.errors import UsageError
from cranfield.web.accounts.models import AuditEntry, User
from cranfield.web.judging.judgments import judgments
from cranfield.web.judging.models import Decision
from cranfield.web.projects.models import Document, Item, Project
from cranfield.web.review.queue import Wanted, queue
from tests.web.review.making import add_gold, judged, make_manager, make_people


@pytest.fixture
def items(project: Project) -> list[Item]:
    """Eight documents: grades 0 and 2; 1 and 2; 1 and 1; unsure and 1; two skips; 0, 1 and 1; one grade; none."""
    ann, bob, cem = make_people(project, ann="expert", bob="", cem="")
    items = list(project.items.all())
    for item, grades in zip(
        items, [(0, 2), (1, 2), (1, 1), (None, 1), ("skip", "skip"), (0, 1, 1), (2,)], strict=False
    ):
        for user, grade in zip((ann, bob, cem), grades, strict=False):
            if grade == "skip":
                judged(item, user, action="skip", reason="in Norwegian")
            else:
                judged(item, user, grade, reason=f"so says {grade}")  # type: ignore[arg-type]
    for gold in add_gold(project, 2):
        judged(gold, ann, 0)
        judged(gold, bob, 2)
    return items


def listed(project: Project, **wanted: Any) -> list[int]:
    found = queue(project, Wanted(**wanted))
    return [found.numbers[one.place] for one in found.places]


def send(client: Client, item: Item, *, grade: str = "1.0", reason: str = "It is about soup.", **more: str) -> Any:
    """Open the page of a document, and decide."""
    address = reverse("adjudicate", args=[item.project_id, item.pk])
    return client.post(address, {**hidden(client.get(address)), "grade": grade, "reason": reason, **more})


def hidden(response: Any) -> dict[str, str]:
    form = response.context["form"]
    return {name: str(form[name].value()) for name in ("decision", "events", "scale")}


class TestQueue:
    def test_the_largest_difference_comes_first(self, project: Project, items: list[Item]) -> None:
        assert listed(project) == [items[0].pk, items[1].pk, items[5].pk]
        assert listed(project, distance=1.0) == [items[0].pk]

    def test_by_topic(self, project: Project, items: list[Item]) -> None:
        assert listed(project, topic="q2") == [items[5].pk]
        assert listed(project, order="topic") == [items[0].pk, items[1].pk, items[5].pk]

    def test_other_kinds(self, project: Project, items: list[Item]) -> None:
        assert listed(project, kind="unsure") == [items[3].pk]
        assert listed(project, kind="skipped") == [items[4].pk]
        Document.objects.filter(pk=items[2].document_id).update(changed_sha256="f" * 64)
        assert listed(project, kind="changed") == [items[2].pk]

    def test_what_is_decided_leaves_it_until_it_is_judged_again(
        self, manager: Client, project: Project, items: list[Item]
    ) -> None:
        assert send(manager, items[0]).status_code == 302
        assert listed(project) == [items[1].pk, items[5].pk]
        assert listed(project, kind="decided") == [items[0].pk]
        judged(items[0], User.objects.get(username="cem"), 2)
        assert listed(project)[0] == items[0].pk

    def test_the_page(self, manager: Client, project: Project, items: list[Item]) -> None:
        response = manager.get(reverse("adjudication", args=[project.pk]), {"kind": "differ", "distance": "1"})
        assert [one.place[1] for one, _ in response.context["rows"]] == [items[0].document.name]
        text = response.content.decode()
        assert f"/review/adjudication/{items[0].pk}/?kind=differ&amp;distance=1" in text
        assert {key: count for key, _, count in response.context["counts"]}["unsure"] == 1

    def test_nothing_to_decide(self, manager: Client, project: Project) -> None:
        text = manager.get(reverse("adjudication", args=[project.pk])).content.decode()
        assert "There is no such document" in text

    def test_what_is_no_choice_is_left_out(self, manager: Client, project: Project, items: list[Item]) -> None:
        response = manager.get(
            reverse("adjudication", args=[project.pk]), {"kind": "x", "distance": "x", "topic": "x", "page": "x"}
        )
        assert len(response.context["rows"]) == 3


class TestEvidence:
    def test_it_is_blind(self, manager: Client, items: list[Item]) -> None:
        text = manager.get(reverse("adjudicate", args=[items[0].project_id, items[0].pk])).content.decode()
        assert "Assessor A" in text
        assert "so says 2" in text
        assert not re.search(r"p-(ann|bob)|\bann\b|\bbob\b|expert", text)

    def test_the_order_is_drawn_anew_for_each_document(self, manager: Client, project: Project) -> None:
        """If ann were always the first, one would soon know who she is."""
        ann, bob = make_people(project, ann="", bob="")
        firsts = set()
        for item in project.items.all():
            judged(item, ann, 0)
            judged(item, bob, 2)
            address = reverse("adjudicate", args=[project.pk, item.pk])
            orders = [manager.get(address).context["evidence"].witnesses[0].grade for _ in range(2)]
            assert orders[0] == orders[1], "and stays as it is"
            firsts.add(orders[0])
        assert firsts == {0, 2}

    def test_notes_dates_and_what_has_changed_since(self, manager: Client, items: list[Item]) -> None:
        ann = User.objects.get(username="ann")
        slot = items[0].slots.get(assessor=ann)
        judged(items[0], ann, action="note", reason="The second half is better.", slot=slot)
        Document.objects.filter(pk=items[0].document_id).update(sha256="e" * 64)
        text = manager.get(reverse("adjudicate", args=[items[0].project_id, items[0].pk])).content.decode()
        assert "Note: The second half is better." in text
        assert "2026-03-01" in text
        assert "of another text of the document" in text

    def test_documents_can_do_nothing(self, manager: Client, items: list[Item]) -> None:
        Document.objects.filter(pk=items[0].document_id).update(
            title="<script>1</script>", text="<p onclick=x>Boil<script>alert(1)</script>", fields={"<i>": "<b>"}
        )
        text = manager.get(reverse("adjudicate", args=[items[0].project_id, items[0].pk])).content.decode()
        assert "<script>1" not in text
        assert "alert(1)" not in text
        assert "onclick" not in text
        assert "&lt;b&gt;" in text


class TestDeciding:
    def test_it_is_kept_with_what_lay_before_the_adjudicator(
        self, manager: Client, mia: User, project: Project, items: list[Item]
    ) -> None:
        response = send(manager, items[0], grade="2.0")
        assert response["Location"].startswith(reverse("adjudicate", args=[project.pk, items[1].pk]))
        decision = Decision.objects.get()
        assert (decision.item, decision.decided_by, decision.grade) == (items[0], mia, 2)
        assert decision.scale == project.scales.get()
        assert sorted(decision.events) == sorted(str(one) for one in items[0].events.values_list("uuid", flat=True))
        assert judgments(project)["q1"][items[0].document.name] == 2
        entry = AuditEntry.objects.get(what="decided on a document")
        assert entry.details["document"] == items[0].document.name

    def test_a_grade_of_a_scale_that_changed_meanwhile_is_not_kept(
        self, manager: Client, project: Project, items: list[Item]
    ) -> None:
        send(manager, items[0])
        address = reverse("adjudicate", args=[project.pk, items[0].pk])
        before = hidden(manager.get(address))
        first = project.scales.get()
        second = project.scales.create(number=2, version="2", content=first.content)
        response = manager.post(address, {**before, "grade": "2.0", "reason": "soup"})
        assert (response.status_code, "The scale changed in the meantime." in response.text) == (409, True)
        assert "by version 1 of the scale" in response.text
        send(manager, items[0], grade="2.0")
        assert [decision.scale for decision in Decision.objects.all()] == [first, second]

    def test_a_reason_and_a_grade_are_needed(self, manager: Client, items: list[Item]) -> None:
        for wrong, said in (
            ({"reason": "  "}, "Say why"),
            ({"grade": ""}, "Choose a grade."),
            ({"grade": "7.0"}, "7.0 is not one of the available choices"),
            ({"decision": "x"}, "Enter a whole number"),
        ):
            response = send(manager, items[0], **wrong)
            assert response.status_code == 400
            assert said in response.content.decode()
        assert not Decision.objects.exists()

    def test_a_later_decision_holds_and_the_earlier_one_stays(
        self, manager: Client, project: Project, items: list[Item]
    ) -> None:
        send(manager, items[0], grade="0.0", reason="No soup.")
        send(manager, items[0], grade="2.0", reason="There is soup on the last page.")
        assert [decision.grade for decision in Decision.objects.all()] == [0, 2]
        assert judgments(project)["q1"][items[0].document.name] == 2
        text = manager.get(reverse("adjudicate", args=[project.pk, items[0].pk])).content.decode()
        assert "No soup." in text
        assert text.index("There is soup on the last page.") < text.index("No soup.")
        with pytest.raises(UsageError, match="cannot be changed"):
            Decision.objects.all()[0].save()

    def test_two_managers_at_once(self, manager: Client, project: Project, items: list[Item]) -> None:
        address = reverse("adjudicate", args=[project.pk, items[0].pk])
        seen = hidden(manager.get(address))
        other = Client()
        other.force_login(make_manager(project, "max"))
        send(other, items[0], grade="2.0")
        said = {"grade": "0.0", "reason": "No soup."}
        response = manager.post(address, {**seen, **said})
        assert response.status_code == 409
        text = response.content.decode()
        assert "max decided this document in the meantime: 2." in text
        assert "No soup." in text, "what was written is not lost"
        assert Decision.objects.get().grade == 2
        assert manager.post(address, {**hidden(response), **said}).status_code == 302
        assert [decision.grade for decision in Decision.objects.all()] == [2, 0]

    def test_a_judgment_that_came_in_the_meantime(self, manager: Client, project: Project, items: list[Item]) -> None:
        address = reverse("adjudicate", args=[project.pk, items[0].pk])
        seen = hidden(manager.get(address))
        judged(items[0], User.objects.get(username="cem"), 2)
        response = manager.post(address, {**seen, "grade": "0.0", "reason": "No soup."})
        assert response.status_code == 409
        assert "Somebody judged this document" in response.content.decode()
        assert not Decision.objects.exists()

    def test_after_the_last_one_comes_the_list(self, manager: Client, project: Project, items: list[Item]) -> None:
        address = reverse("adjudicate", args=[project.pk, items[3].pk]) + "?kind=unsure"
        form = hidden(manager.get(address))
        response = manager.post(address, {**form, "grade": "1.0", "reason": "It is."})
        assert response["Location"] == reverse("adjudication", args=[project.pk]) + "?kind=unsure"

    def test_the_way_through_the_queue(self, manager: Client, project: Project, items: list[Item]) -> None:
        """From the second of three: before it the first, behind it the third; decided, on to the third."""
        address = reverse("adjudicate", args=[project.pk, items[1].pk])
        page = manager.get(address)
        assert (page.context["before"], page.context["behind"]) == (items[0].pk, items[5].pk)
        response = manager.post(address, {**hidden(page), "grade": "1.0", "reason": "It is."})
        assert f"/{items[5].pk}/" in response["Location"]

    def test_gold_and_documents_of_others_are_not_decided(
        self, manager: Client, project: Project, items: list[Item]
    ) -> None:
        gold = Item.objects.get(project=project, origin=Item.Origin.GOLD)
        assert manager.get(reverse("adjudicate", args=[project.pk, gold.pk])).status_code == 404
