"""Searching for documents: what is shown, and what is kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from cranfield.web.accounts.models import User
from cranfield.web.judging.models import SearchQuery, Slot
from cranfield.web.projects.models import Document, Project, Topic
from tests.web.judging.making import make_assessor
from tests.web.judging.searchable import searchable_project
from tests.web.judging.searching.searcher import Searcher


class TestSearching:
    def test_what_is_found_comes_best_first_with_a_piece_of_its_text(self, screen: Searcher) -> None:
        found = screen.post("search", query="cold  soup")
        assert found["query"] == "cold soup"
        assert [result["document"] for result in found["results"]] == ["d2", "d1", "d3"]
        first = found["results"][0]
        assert first["title"] == "Cold soup"
        assert first["snippet"] == "A soup of cucumbers, served cold with dill."
        assert (first["state"], first["standing"]) == ("open", None)
        assert found["results"][2]["snippet"].endswith("Wait. Eat it with soup.")
        assert found["words"] == ["cold", "soup"]
        assert found["without_text"] == 0

    def test_queries_are_kept_and_told_again_to_who_asked_alone(
        self, screen: Searcher, topic: Topic, project: Project, bob: User
    ) -> None:
        found = [screen.post("search", query=query) for query in ("soup", "tea", "soup")][-1]
        assert [(one["text"], one["found"], one["new"]) for one in found["queries"]] == [("soup", 3, 3), ("tea", 1, 1)]
        assert [one.text for one in SearchQuery.objects.order_by("pk")] == ["soup", "tea", "soup"]
        assert Searcher(topic, bob).post("search", query="tea")["queries"][0]["found"] == 1
        other_topic = Searcher(project.topics.get(name="q2"), screen.user)
        assert [one["text"] for one in other_topic.post("search", query="bread")["queries"]] == ["bread"]

    def test_managers_have_all_queries_as_a_file(self, screen: Searcher, topic: Topic, project: Project) -> None:
        screen.post("search", query="soup")
        screen.post("search", query="tea")
        manager = Searcher(topic, make_assessor(project, "max", "manager"))
        lines = manager.client.get(reverse("judge-searches", args=[project.pk])).content.decode().splitlines()
        found = [json.loads(line) for line in lines]
        assert [(one["assessor"], one["topic"], one["query"], one["found"], one["new"]) for one in found] == [
            ("p-ann", "q1", "soup", 3, 3),
            ("p-ann", "q1", "tea", 1, 1),
        ]

    def test_to_search_makes_nothing_to_judge(self, screen: Searcher, project: Project) -> None:
        before = (project.items.count(), project.documents.count(), Slot.objects.count())
        screen.post("search", query="soup")
        assert (project.items.count(), project.documents.count(), Slot.objects.count()) == before

    def test_so_many_as_are_asked_for(self, screen: Searcher) -> None:
        assert len(screen.post("search", query="soup", n=2)["results"]) == 2

    def test_the_number_of_queries_does_not_grow_with_what_is_found(self, screen: Searcher) -> None:
        def asked() -> int:
            with CaptureQueriesContext(connection) as captured:
                screen.post("search", query="soup")
            return len(captured)

        screen.judge("d1", 1)
        asked()
        before = asked()
        for name in ("d2", "d3"):
            screen.judge(name, 1)
        assert asked() == before

    @pytest.mark.parametrize("query", ["", "   ", None, 7, "x" * 1001])
    def test_what_is_no_query_is_refused_in_words(self, screen: Searcher, query: object) -> None:
        assert "expected some words" in screen.post("search", status=400, query=query)["error"]
        assert not SearchQuery.objects.exists()

    @pytest.mark.parametrize("query", ['NOT "soups', "soup\0 \ud800", "sóup OR (", "*"])
    def test_nothing_in_a_query_does_harm(self, screen: Searcher, query: str) -> None:
        screen.post("search", query=query)

    @pytest.mark.parametrize("key", ["", "0", "x", "²", "9" * 30, None])
    def test_no_such_topic(self, screen: Searcher, key: object) -> None:
        for name in ("search", "search-open", "search-leave"):
            assert "there is none such" in screen.post(name, 400, query="soup", document="d1", topic=key)["error"]

    def test_a_topic_of_another_project_is_none(self, screen: Searcher, kitchen: Path) -> None:
        other = searchable_project(kitchen).topics.get(name="q1")
        for name in ("search", "search-open", "search-leave"):
            assert "there is none" in screen.post(name, 400, query="soup", document="d1", topic=str(other.pk))["error"]

    def test_documents_of_the_project_are_found_without_a_collection(self, kitchen: Path, db: None) -> None:
        project = searchable_project(kitchen, collection="")
        Document.objects.create(project=project, name="d2", title="As it was", text="Soup.", sha256="0" * 64)
        screen = Searcher(project.topics.get(name="q1"), make_assessor(project, "ann"))
        found = screen.post("search", query="soup")
        assert [(one["document"], one["title"]) for one in found["results"]] == [("d2", "As it was")]
        assert found["without_text"] == 2
        assert "none that you found" in screen.post("search-open", 400, document="d1")["error"]


class TestPage:
    def get(self, screen: Searcher, name: str, *more: int) -> str:
        response = screen.client.get(reverse(name, args=[screen.topic.project.pk, *more]))
        assert response.status_code == 200
        return response.content.decode()

    def test_it_has_the_topic_and_ones_own_queries(self, screen: Searcher, topic: Topic, bob: User) -> None:
        screen.post("search", query="cold soup")
        Searcher(topic, bob).post("search", query="what bob asked")
        page = self.get(screen, "judge-searching", topic.pk)
        assert "Which soup?" in page
        assert "cold soup" in page
        assert "what bob asked" not in page

    def test_it_begins_where_one_searched_last(self, screen: Searcher, project: Project) -> None:
        begin = reverse("judge-searching-begin", args=[project.pk])
        for name in ("q1", "q2"):
            screen.topic = project.topics.get(name=name)
            screen.post("search", query="soup")
            expected = reverse("judge-searching", args=[project.pk, screen.topic.pk])
            assert screen.client.get(begin)["Location"] == expected

    def test_where_nothing_can_be_searched_it_says_so(self, screen: Searcher, topic: Topic) -> None:
        projects = Project.objects.filter(pk=topic.project.pk)
        projects.update(engine="")
        assert "has no engine to search with" in self.get(screen, "judge-searching", topic.pk)
        projects.update(engine="index", mode=Project.Mode.PAIRS)
        assert "there is nothing to search for" in self.get(screen, "judge-searching", topic.pk)

    def test_the_page_of_judging_leads_there(self, screen: Searcher, project: Project) -> None:
        there = reverse("judge-searching-begin", args=[project.pk])
        assert there in self.get(screen, "judge")
        Project.objects.filter(pk=project.pk).update(engine="")
        assert there not in self.get(screen, "judge")
