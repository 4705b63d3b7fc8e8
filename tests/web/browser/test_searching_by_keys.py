"""Searching, reformulating and judging what is found, by keyboard alone; on a phone; with the engine down."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from cranfield.data.documents import Document
from cranfield.engines.indexing import build_index
from cranfield.formats.collections import open_collection
from cranfield.formats.documents import write_documents
from cranfield.web.accounts.models import User
from cranfield.web.judging.models import SearchQuery
from cranfield.web.projects.models import Project
from tests.web.browser.conftest import PHONE, Visitors
from tests.web.browser.pages import heading, recorded, said, sent, type_keys
from tests.web.browser.test_judging_for_everyone import THUMB, check_contrast
from tests.web.judging.making import make_assessor
from tests.web.judging.searchable import searchable_project, write_kitchen

pytestmark = pytest.mark.slow


@pytest.fixture
def project(site: str, tmp_path: Path, settings: Any) -> Project:
    write_kitchen(tmp_path, "tantivy")
    settings.COLLECTION_FOLDERS = [str(tmp_path)]
    return searchable_project(tmp_path)


def search_page(visitors: Visitors, user: User, project: Project, topic: str = "q1", **settings: Any) -> Any:
    path = reverse("judge-searching", args=[project.pk, project.topics.get(name=topic).pk])
    page = visitors.page(user, path, **settings)
    page.wait_for_function("() => document.activeElement?.id === 'query'")
    return page


def search(page: Any, words: str) -> None:
    page.keyboard.type(words)
    page.keyboard.press("Enter")
    page.wait_for_function("words => document.querySelector('#count').textContent.includes(words)", arg=f"“{words}”")


def opened(page: Any, title: str) -> None:
    page.locator("#documents .document h1", has_text=title).wait_for()


def titles(page: Any) -> list[str]:
    found: list[str] = page.locator("#results .title").all_inner_texts()
    return found


def test_search_judge_reformulate(visitors: Visitors, project: Project) -> None:
    page = search_page(visitors, make_assessor(project, "ann"), project)
    search(page, "hot soup")
    assert titles(page)[:1] == ["Onion soup"]
    assert page.locator("#results mark").count() > 2
    assert "3 documents for “hot soup”." in said(page)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    opened(page, "Onion soup")
    assert page.evaluate("() => document.activeElement.tagName") == "H1"
    type_keys(page, "2")
    opened(page, titles(page)[1])
    assert said(page).startswith("Onion soup: 2 highly relevant. Now: ")
    type_keys(page, "0")
    opened(page, titles(page)[2])
    page.keyboard.press("Escape")
    assert not page.locator("#documents").is_visible()
    assert page.evaluate("() => document.activeElement.closest('#results') !== null")

    page.keyboard.press("/")
    search(page, "the water")
    assert titles(page) == ["Tea"]
    page.keyboard.press("Enter")
    opened(page, "Tea")
    assert page.locator("#documents mark").all_inner_texts() == ["water"]
    type_keys(page, "1")
    assert "That was the last of these results" in said(page)
    assert page.evaluate("() => document.activeElement.id") == "query"
    page.locator("#results .state", has_text="you: 1 relevant").wait_for()
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    type_keys(page, "z")
    opened(page, "Tea")
    assert said(page).startswith("Taken back: Tea: 1 relevant.")
    type_keys(page, "0")
    page.wait_for_function("() => document.activeElement.id === 'query'")

    page.locator("#earlier summary").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="hot soup (3 found, 3 new)").focus()
    page.keyboard.press("Enter")
    page.locator("#results .state", has_text="you: 2 highly relevant").wait_for()
    page.locator("#results li").first.get_by_role("button").focus()
    page.keyboard.press("Enter")
    page.get_by_text("Your answer: 2 highly relevant. Another one replaces it.").wait_for()
    type_keys(page, "1")
    sent(page)
    second = {"Onion soup": "d1", "Cold soup": "d2", "Bread": "d3"}[titles(page)[1]]
    assert [row[:3] for row in recorded(project)] == [
        ("d1", "grade", 2),
        (second, "grade", 0),
        ("d4", "grade", 1),
        ("d4", "withdraw", None),
        ("d4", "grade", 0),
        ("d1", "grade", 1),
    ]
    assert list(SearchQuery.objects.order_by("pk").values_list("text", flat=True)) == [
        "hot soup",
        "the water",
        "hot soup",
    ]
    left = project.items.filter(origin="searched", withdrawn=True)
    assert left.count() <= 1, "the one that was opened and left alone is nobody's"


def test_what_others_judge_is_read_and_not_judged(visitors: Visitors, project: Project) -> None:
    ann, bob = (search_page(visitors, make_assessor(project, name), project) for name in ("ann", "bob"))
    search(ann, "water")
    ann.keyboard.press("Enter")
    opened(ann, "Tea")
    type_keys(ann, "2")
    sent(ann)
    search(bob, "water")
    bob.get_by_text("already judged by enough people").wait_for()
    bob.keyboard.press("Enter")
    bob.get_by_text("You can read it").wait_for()
    assert bob.locator("#grades button:not(:disabled)").count() == 0
    type_keys(bob, "0")
    assert heading(bob) == "Tea"
    assert "highly" not in bob.locator("#found").inner_text()
    assert recorded(project) == [("d4", "grade", 2, "")]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone(scheme: str, visitors: Visitors, project: Project) -> None:
    settings: dict[str, Any] = {"viewport": PHONE, "has_touch": True, "is_mobile": True, "color_scheme": scheme}
    page = search_page(visitors, make_assessor(project, "ann"), project, **settings)
    search(page, "hot soup")
    assert page.evaluate("() => document.documentElement.scrollWidth") == 360
    check_contrast(page)
    for button in page.locator("#found button:visible").all():
        box = button.bounding_box()
        assert box["height"] >= THUMB
        assert 0 <= box["x"] <= box["x"] + box["width"] <= 360
    page.get_by_role("button", name="Onion soup").tap()
    opened(page, "Onion soup")
    assert not page.locator("#found").is_visible()
    assert page.locator("#documents").bounding_box()["height"] > 150
    assert page.evaluate("() => document.documentElement.scrollHeight") <= PHONE["height"]
    check_contrast(page)
    page.wait_for_timeout(200)
    page.get_by_role("button", name="To the results").tap()
    assert page.locator("#found").is_visible()
    page.get_by_role("button", name="Onion soup").tap()
    opened(page, "Onion soup")
    page.wait_for_timeout(200)
    page.get_by_role("button", name="2 highly relevant").tap()
    opened(page, titles(page)[1])
    sent(page)
    assert recorded(project) == [("d1", "grade", 2, "")]


def test_offline_for_a_while(visitors: Visitors, project: Project) -> None:
    visitors.expect("Failed to load resource")
    page = search_page(visitors, make_assessor(project, "ann"), project)
    search(page, "water")
    page.keyboard.press("Enter")
    opened(page, "Tea")
    page.context.set_offline(True)
    type_keys(page, "2")
    page.get_by_text("Offline, 1 answer waits.").wait_for()
    page.locator("#query").fill("bread")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('#said').textContent.includes('did not answer')")
    page.context.set_offline(False)
    sent(page)
    assert recorded(project) == [("d4", "grade", 2, "")]
    page.keyboard.press("Enter")
    page.get_by_text("1 document for “bread”.").first.wait_for()


def test_an_engine_that_is_down(visitors: Visitors, project: Project) -> None:
    visitors.expect("Failed to load resource.*400")
    Project.objects.filter(pk=project.pk).update(engine="none")
    page = search_page(visitors, make_assessor(project, "ann"), project)
    page.keyboard.type("soup")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('#said').textContent.startsWith('The search engine cannot')")
    manager = search_page(visitors, make_assessor(project, "max", "manager"), project)
    manager.keyboard.type("soup")
    manager.keyboard.press("Enter")
    manager.get_by_text("It cannot be searched: none: there is no such file or folder in").wait_for()


def test_documents_that_are_found_do_nothing(visitors: Visitors, project: Project, tmp_path: Path) -> None:
    evil = (
        '<img src=x onerror="document.title = 1"><script>document.title = 1</script><svg onload="document.title = 1">'
    )
    document = Document("evil", {"title": f"{evil} sorrel", "text": f"{evil} Sorrel {evil}"})
    write_documents([document], tmp_path / "evil.jsonl")
    build_index(open_collection(tmp_path / "evil.jsonl"), "sqlite", {}, tmp_path / "evil")
    Project.objects.filter(pk=project.pk).update(engine="evil", collection="evil.jsonl")
    page = search_page(visitors, make_assessor(project, "ann"), project)
    search(page, "sorrel <b onclick=x>")
    assert page.locator("#results .title").inner_text() == f"{evil} sorrel"
    assert page.locator("#results .snippet").inner_text() == "Sorrel"
    page.keyboard.press("Enter")
    opened(page, "sorrel")
    assert page.locator("main :is(img, script:not([type='application/json']), svg)").count() == 0
    assert page.title() == "Searching: Soups"
