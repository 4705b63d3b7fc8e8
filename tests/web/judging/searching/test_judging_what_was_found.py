"""Judging what was found: like any other document, and never more than is wanted."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from cranfield.data.judging import document_hash
from cranfield.web.accounts.models import User
from cranfield.web.judging.events import events_of
from cranfield.web.judging.handing_out import hand_out
from cranfield.web.judging.judgments import judgments
from cranfield.web.judging.models import SearchQuery, Slot
from cranfield.web.judging.progress import progress
from cranfield.web.judging.recording import record
from cranfield.web.projects.models import Document, Item, Project, Topic
from tests.web.judging.making import answer, make_assessor
from tests.web.judging.searchable import KITCHEN, searchable_project
from tests.web.judging.searching.searcher import Searcher


class TestJudging:
    def test_a_document_that_was_found_is_judged_like_any_other(self, screen: Searcher, topic: Topic) -> None:
        opened = screen.open("d1")
        assert opened["state"] == "open"
        assert opened["item"]["document"]["html"] == "<p>Brown the onions. Add broth. Serve the soup hot.</p>"
        assert opened["item"]["document"]["fields"] == [["year", "1962"]]
        assert opened["item"]["document"]["sha256"] == document_hash(KITCHEN[0])
        assert screen.judge("d1", 2) == "recorded"
        item = topic.items.get(document__name="d1")
        assert (item.origin, item.place, item.wanted) == ("searched", 3, 1)
        [event] = events_of(topic.project)
        assert (event.document, event.grade) == ("d1", 2)
        assert event.assignment is not None
        assert event.assignment.startswith("searched ")
        assert judgments(topic.project).to_dict() == {"q1": {"d1": 2}}
        assert [(one.done, one.left) for one in progress(topic.project, screen.user)] == [(1, 2), (0, 2)]

    def test_ones_own_answer_is_told_and_can_be_corrected(self, screen: Searcher, topic: Topic) -> None:
        screen.judge("d1", 2)
        result = next(one for one in screen.post("search", query="onion")["results"] if one["document"] == "d1")
        assert (result["state"], result["standing"]["grade"]) == ("judged", 2)
        opened = screen.open("d1")
        assert (opened["state"], opened["item"]["standing"]["grade"]) == ("judged", 2)
        assert screen.judge("d1", 0) == "recorded"
        assert judgments(topic.project).to_dict() == {"q1": {"d1": 0}}

    def test_what_others_have_can_be_read_and_not_judged(self, screen: Searcher, topic: Topic, bob: User) -> None:
        screen.judge("d1", 2)
        other = Searcher(topic, bob)
        assert other.states()["d1"] == "enough"
        result = next(one for one in other.post("search", query="onion")["results"] if one["document"] == "d1")
        assert result["standing"] is None
        opened = other.open("d1")
        assert (opened["state"], opened["item"]["slot"], opened["item"]["standing"]) == ("enough", None, None)
        assert "Brown the onions" in opened["item"]["document"]["html"]
        assert Slot.objects.filter(item__document__name="d1").count() == 1

    def test_what_is_open_before_somebody_is_enough_for_others(self, screen: Searcher, topic: Topic, bob: User) -> None:
        screen.open("d1")
        assert Searcher(topic, bob).states()["d1"] == "enough"
        assert screen.states()["d1"] == "open"
        Slot.objects.update(leased_until=timezone.now() - timedelta(minutes=1))
        assert Searcher(topic, bob).states()["d1"] == "open"
        assert Searcher(topic, bob).judge("d1", 1) == "recorded"

    def test_overlap_is_reached_and_never_exceeded(self, db: None, kitchen: Path) -> None:
        project = searchable_project(kitchen, wanted=2)
        people = [Searcher(project.topics.get(name="q1"), make_assessor(project, f"a{one}")) for one in range(4)]
        slots = [one.open("d1")["item"]["slot"] for one in people]
        assert [slot is not None for slot in slots] == [True, True, False, False]
        assert Item.objects.get(document__name="d1").wanted == 2

    def test_others_are_given_what_was_found_where_several_judgments_are_wanted(self, db: None, kitchen: Path) -> None:
        project = searchable_project(kitchen, wanted=2)
        Searcher(project.topics.get(name="q1"), make_assessor(project, "ann")).judge("d1", 1)
        bob = make_assessor(project, "bob")
        assert "d1" in [slot.item.document.name for slot in hand_out(project, bob, 50)]

    def test_documents_of_the_pool_are_found_too(self, screen: Searcher, topic: Topic) -> None:
        document = Document.objects.create(project=topic.project, name="d1", text="Soup.", sha256="0" * 64)
        item = Item.objects.create(project=topic.project, topic=topic, document=document, place=9)
        Slot.objects.create(item=item, number=1)
        assert screen.judge("d1", 1) == "recorded"
        item.refresh_from_db()
        assert item.origin == "pool"
        assert Slot.objects.filter(item=item).count() == 1
        assert (SearchQuery.objects.get().found, SearchQuery.objects.get().new) == (3, 2)

    def test_nothing_tells_a_gold_document_from_others(self, screen: Searcher, topic: Topic, bob: User) -> None:
        document = Document.objects.create(project=topic.project, name="d1", text="Soup.", sha256="0" * 64)
        origin = Item.Origin.GOLD
        Item.objects.create(project=topic.project, topic=topic, document=document, place=9, origin=origin, gold_grade=2)
        for person in (screen, Searcher(topic, bob)):
            assert person.states()["d1"] == "open"
            assert person.judge("d1", 1) == "recorded"
            assert person.states()["d1"] == "judged"
        assert judgments(topic.project).to_dict() == {}

    def test_what_the_manager_took_out_can_only_be_read(self, screen: Searcher, topic: Topic) -> None:
        document = Document.objects.create(project=topic.project, name="d1", text="Soup.", sha256="0" * 64)
        Item.objects.create(project=topic.project, topic=topic, document=document, place=9, withdrawn=True)
        assert screen.states()["d1"] == "out"
        opened = screen.open("d1")
        assert (opened["state"], opened["item"]["slot"]) == ("out", None)

    def test_a_closed_project_is_not_searched(self, screen: Searcher, project: Project) -> None:
        Project.objects.filter(pk=project.pk).update(closed_at=timezone.now())
        for name in ("search", "search-open"):
            assert "was closed" in screen.post(name, 400, query="soup", document="d1")["error"]

    def test_nor_is_one_of_pairs(self, screen: Searcher, project: Project) -> None:
        Project.objects.filter(pk=project.pk).update(mode=Project.Mode.PAIRS)
        assert "one does not search" in screen.post("search", 400, query="soup")["error"]

    def test_only_what_one_found_oneself_for_the_topic_can_be_opened(
        self, screen: Searcher, topic: Topic, project: Project, bob: User
    ) -> None:
        """Else anything could be added to the pool; and of none is it told what is in it."""
        document = Document.objects.create(project=project, name="d4", text="Tea.", sha256="0" * 64)
        gold = {"origin": Item.Origin.GOLD, "gold_grade": 2}
        Item.objects.create(project=project, topic=topic, document=document, place=9, **gold)
        before = project.items.count()
        Searcher(topic, bob).post("search", query="tea")
        Searcher(project.topics.get(name="q2"), screen.user).post("search", query="tea")
        screen.post("search", query="soup")
        errors = [screen.post("search-open", 400, document=name)["error"] for name in ("d4", "d9", "q1-d00001")]
        assert all(error.endswith("is none that you found for this topic: search for it first") for error in errors)
        Project.objects.filter(pk=project.pk).update(engine="")
        assert "search for it first" in screen.post("search-open", 400, document="d1")["error"]
        assert project.items.count() == before

    @pytest.mark.parametrize("name", ["d9", "", None, "d1\0", "\ud800"])
    def test_a_document_that_there_is_not(self, screen: Searcher, name: object) -> None:
        assert "document" in screen.post("search-open", 400, document=name)["error"]


class TestLeaving:
    def test_what_was_only_opened_is_not_handed_to_others(self, screen: Searcher, topic: Topic, bob: User) -> None:
        screen.open("d1")
        assert screen.post("search-leave", document="d1") == {"left": True}
        for user in (bob, screen.user):
            assert "d1" not in [slot.item.document.name for slot in hand_out(topic.project, user, 50)]
        assert Searcher(topic, bob).states()["d1"] == "open"

    def test_it_can_be_opened_again(self, screen: Searcher, topic: Topic) -> None:
        screen.open("d1")
        screen.post("search-leave", document="d1")
        assert screen.judge("d1", 2) == "recorded"
        assert not topic.items.get(document__name="d1").withdrawn
        assert topic.items.get(document__name="d1").slots.count() == 1

    def test_what_was_judged_stays(self, screen: Searcher, topic: Topic) -> None:
        screen.judge("d1", 2)
        assert screen.post("search-leave", document="d1") == {"left": False}
        assert screen.states()["d1"] == "judged"

    def test_what_somebody_else_has_stays(self, db: None, kitchen: Path) -> None:
        project = searchable_project(kitchen, wanted=2)
        ann, bob = (Searcher(project.topics.get(name="q1"), make_assessor(project, name)) for name in ("ann", "bob"))
        for one in (ann, bob):
            one.open("d1")
        assert ann.post("search-leave", document="d1") == {"left": False}
        assert bob.judge("d1", 1) == "recorded"

    def test_documents_of_the_pool_stay(self, screen: Searcher, topic: Topic) -> None:
        [slot] = hand_out(topic.project, screen.user, 1)
        assert screen.post("search-leave", document=slot.item.document.name) == {"left": False}
        slot.refresh_from_db()
        assert slot.assessor == screen.user

    def test_an_answer_that_was_on_its_way_counts(self, screen: Searcher, topic: Topic) -> None:
        screen.open("d1")
        slot = Slot.objects.get(item__document__name="d1")
        screen.post("search-leave", document="d1")
        [outcome] = record(topic.project, screen.user, [answer(slot, grade=2)])
        assert outcome.status == "recorded"
        assert judgments(topic.project).to_dict() == {"q1": {"d1": 2}}
