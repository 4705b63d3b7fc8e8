"""Judging with the keyboard alone."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from cranfield.web.judging.models import Event
from cranfield.web.projects.models import Project
from tests.web.browser.conftest import Visitors
from tests.web.browser.pages import heading, hears, recorded, said, sent, shows, type_keys
from tests.web.browser.soups import make_soups
from tests.web.judging.making import make_assessor, make_project


def test_every_key(visitors: Visitors) -> None:
    project = make_project(topics=1, documents=5)
    page = visitors.judge(make_assessor(project, "ann"), project)
    assert heading(page) == "About q1-d00001"
    type_keys(page, "2")
    assert heading(page) == "About q1-d00002"
    assert said(page) == "About q1-d00001: 2 highly relevant. Now: About q1-d00002."
    type_keys(page, "u", "s")
    assert page.locator("#ask").is_visible()
    page.keyboard.press("Enter")
    assert page.locator("#ask").is_visible(), "a reason is required"
    page.keyboard.type("in Norwegian")
    page.keyboard.press("Enter")
    hears(page, "About q1-d00003: skipped (in Norwegian).")
    assert heading(page) == "About q1-d00004"
    type_keys(page, "n")
    page.keyboard.type("as q1-d00001")
    page.keyboard.press("Enter")
    hears(page, "The note is kept.")
    type_keys(page, "1", "z")
    assert heading(page) == "About q1-d00004"
    type_keys(page, "b")
    assert heading(page) == "About q1-d00003"
    assert page.locator(".standing").text_content() == "Your answer: skipped (in Norwegian). Another one replaces it."
    type_keys(page, "b", "b", "0")
    assert heading(page) == "About q1-d00004", "from the past back to what is to be judged"
    type_keys(page, "b", "f", "1")
    assert heading(page) == "About q1-d00005"
    type_keys(page, "0")
    page.get_by_role("heading", name="Nothing is left for you.").wait_for()
    assert not any(page.locator(part).is_visible() for part in ("#topic", "#documents", "#answers"))
    sent(page)
    assert recorded(project) == [
        ("q1-d00001", "grade", 2, ""),
        ("q1-d00002", "unsure", None, ""),
        ("q1-d00003", "skip", None, "in Norwegian"),
        ("q1-d00004", "note", None, "as q1-d00001"),
        ("q1-d00004", "grade", 1, ""),
        ("q1-d00004", "withdraw", None, ""),
        ("q1-d00001", "grade", 0, ""),
        ("q1-d00004", "grade", 1, ""),
        ("q1-d00005", "grade", 0, ""),
    ]
    events = list(Event.objects.all())
    assert events[5].supersedes == events[4]
    assert events[6].supersedes == events[0]
    assert all(event.slot is not None and event.shown_at for event in events if event.action != "withdraw")
    assert all(0 < (event.active_ms or 0) < 60_000 for event in events if event.action == "grade")


def test_the_next_document_does_not_wait_for_the_server(visitors: Visitors) -> None:
    project = make_project(topics=1, documents=5)
    page = visitors.judge(make_assessor(project, "ann"), project)
    held: list[Any] = []
    page.route("**/answers", lambda route: held.append(route))
    type_keys(page, "2")
    assert heading(page) == "About q1-d00002"
    type_keys(page, "1", "0")
    assert heading(page) == "About q1-d00004"
    page.wait_for_function("() => true")
    assert len(held) == 1, "one request at a time"
    assert recorded(project) == []
    page.unroute("**/answers")  # which also lets go of what was held
    sent(page)
    assert [row[:3:2] for row in recorded(project)] == [("q1-d00001", 2), ("q1-d00002", 1), ("q1-d00003", 0)]


def test_a_key_that_is_held_judges_once(visitors: Visitors) -> None:
    project = make_project(topics=1, documents=5)
    page = visitors.judge(make_assessor(project, "ann"), project)
    page.wait_for_timeout(200)
    for _ in range(5):
        page.keyboard.down("2")
        page.wait_for_timeout(200)
    assert said(page) == "A key that is held down counts once."
    page.keyboard.up("2")
    page.locator("#grades button").first.dblclick()
    sent(page)
    assert [row[0] for row in recorded(project)] == ["q1-d00001", "q1-d00002"]


@pytest.mark.slow
def test_what_nobody_can_have_read_gets_no_grade(visitors: Visitors) -> None:
    project = make_project(topics=1, documents=5)
    page = visitors.judge(make_assessor(project, "ann"), project)
    page.wait_for_timeout(200)
    page.evaluate("""() => { for (const key of "21") document.body.dispatchEvent(
        new KeyboardEvent("keydown", { key, bubbles: true })); }""")
    page.wait_for_timeout(100)
    sent(page)
    assert [row[0] for row in recorded(project)] == ["q1-d00001"]


@pytest.mark.slow
def test_names_and_numbers_are_marked_whole(visitors: Visitors) -> None:
    project = make_project(topics=1, documents=1)
    project.topics.update(title="C++ R&D 3.5 x soups")
    project.documents.update(title="d1", text="C++ and C by R&D, version 3.5 not 13.5 or 3x5: x, not xylophone. Soup!")
    page = visitors.judge(make_assessor(project, "ann"), project)
    assert page.locator("#documents .text mark").all_text_contents() == ["C++", "R&D", "3.5", "x", "Soup"]


@pytest.mark.slow
def test_own_words_are_marked_and_kept(visitors: Visitors) -> None:
    project = make_project(topics=1, documents=2)
    page = visitors.judge(make_assessor(project, "ann"), project)
    assert page.locator("mark").count() == 0
    type_keys(page, "/")
    page.keyboard.type("boiling <b>")
    page.keyboard.press("Enter")
    page.locator("mark").wait_for()
    assert page.locator("mark").all_text_contents() == ["Boil"]
    page.reload()
    page.locator("mark").wait_for()
    assert page.locator("mark").all_text_contents() == ["Boil"]


@pytest.mark.slow
def test_keys_can_be_turned_off_and_windows_take_none(visitors: Visitors) -> None:
    project = make_project(topics=1, documents=3)
    page = visitors.judge(make_assessor(project, "ann"), project)
    type_keys(page, "g", "2")
    assert page.get_by_role("dialog", name="How to judge").is_visible()
    page.keyboard.press("Escape")
    type_keys(page, "?", "2")
    page.get_by_label("Single keys judge").uncheck()
    page.keyboard.press("Escape")
    type_keys(page, "2", "u")
    page.keyboard.press("Control+1")
    assert heading(page) == "About q1-d00001"
    page.get_by_role("button", name="2 highly relevant").click()
    shows(page, "About q1-d00002")
    sent(page)
    assert len(recorded(project)) == 1


@pytest.mark.slow
def test_a_long_document_is_paged(visitors: Visitors) -> None:
    project = make_project(topics=1, documents=1)
    project.documents.update(text="A line of soup.\n\n" * 300)
    page = visitors.judge(make_assessor(project, "ann"), project)
    top = "() => document.getElementById('documents').scrollTop"
    type_keys(page, " ")
    first = page.evaluate(top)
    assert first > 300
    type_keys(page, "j")
    assert first < page.evaluate(top) < first + 100
    type_keys(page, "k", "-")
    assert page.evaluate(top) == 0
    type_keys(page, "w")
    assert not page.locator("#topic").is_visible()


@pytest.mark.slow
def test_a_closed_project_is_calm(visitors: Visitors) -> None:
    project = make_project(topics=1, documents=3)
    page = visitors.judge(make_assessor(project, "ann"), project)
    Project.objects.update(closed_at=timezone.now())
    type_keys(page, "2")
    page.locator("#notices li").wait_for()
    assert "Too late" in page.locator("#notices").text_content()
    assert "the project was closed" in page.locator("#notices").text_content()
    page.reload()
    page.locator("#notices li", has_text="Too late: About q1-d00001.").wait_for()
    page.get_by_role("button", name="Dismiss").click()
    assert page.locator("#notices li").count() == 0
    page.reload()
    page.get_by_role("heading", name="The project is closed.").wait_for()
    assert Event.objects.get().slot is None


@pytest.mark.slow
def test_a_scale_that_changes_meanwhile(visitors: Visitors) -> None:
    project = make_project(topics=1, documents=4)
    page = visitors.judge(make_assessor(project, "ann"), project)
    content = [
        {"value": value, "name": name, "definition": "", "key": key}
        for value, name, key in ((1, "yes", "y"), (0, "no", "x"))
    ]
    project.scales.create(number=2, version="ba9876543210", content=content)
    type_keys(page, "2")
    page.locator("#scale-changed").wait_for()
    page.locator("#notices", has_text="recorded by the scale that was on screen; it has changed since").wait_for()
    type_keys(page, "2", "y")
    sent(page)
    assert [row[2] for row in recorded(project)] == [2, 1], "the key of the old scale does nothing"
    assert list(Event.objects.values_list("scale__number", flat=True)) == [1, 2]


@pytest.mark.slow
def test_other_keyboards(visitors: Visitors) -> None:
    project = make_project(topics=1, documents=4)
    page = visitors.judge(make_assessor(project, "ann"), project)
    press = "event => document.body.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, ...event }))"
    for event in (
        {"key": "é", "code": "Digit2"},  # French, without Shift
        {"key": "U", "code": "KeyU"},  # Caps Lock
        {"key": "@", "code": "Digit2", "shiftKey": True},  # American, with Shift: nothing
        {"key": "Dead", "code": "Digit1", "ctrlKey": True},
        {"key": "0", "code": "Numpad0"},
    ):
        type_keys(page)
        page.wait_for_timeout(200)
        page.evaluate(press, event)
    type_keys(page)
    sent(page)
    assert [row[1:3] for row in recorded(project)] == [("grade", 2), ("unsure", None), ("grade", 0)]


@pytest.mark.slow
def test_what_was_done_on_another_day(visitors: Visitors) -> None:
    project = make_project(topics=1, documents=4)
    page = visitors.judge(make_assessor(project, "ann"), project)
    type_keys(page, "2", "1")
    sent(page)
    page.reload()
    page.wait_for_load_state("networkidle")
    type_keys(page, "b")
    assert page.locator(".standing").text_content() == "Your answer: 1 relevant. Another one replaces it."
    type_keys(page, "z", "z")
    assert heading(page) == "About q1-d00001"
    type_keys(page, "z")
    assert said(page) == "There is nothing to take back."
    type_keys(page, "0", "0")
    shows(page, "About q1-d00003")
    sent(page)
    assert [row[:3] for row in recorded(project)][2:] == [
        ("q1-d00002", "withdraw", None),
        ("q1-d00001", "withdraw", None),
        ("q1-d00001", "grade", 0),
        ("q1-d00002", "grade", 0),
    ]


def test_a_mouse_at_rest_gives_the_same_grade(visitors: Visitors) -> None:
    """Neither long titles in what is said nor another topic move the grades."""
    project = make_soups()
    project.documents.filter(name__in=["d2", "d4"]).update(title="A title that goes on and on " * 4)
    page = visitors.judge(make_assessor(project, "ann"), project)
    places = set()
    for _ in range(8):  # the second topic begins after six
        box = page.locator("#grades button").nth(1).bounding_box()
        assert box is not None
        places.add((box["x"], box["y"]))
        before = heading(page)
        type_keys(page, "2")
        page.wait_for_function(
            "old => document.querySelector('#documents :is(h1, h2)').textContent !== old", arg=before
        )
    assert len(places) == 1


def test_a_note_that_was_not_saved_is_there_again(visitors: Visitors) -> None:
    project = make_project(topics=1, documents=2)
    page = visitors.judge(make_assessor(project, "ann"), project)
    type_keys(page, "n")
    page.keyboard.type("half a thought")
    page.keyboard.press("Escape")
    type_keys(page, "n")
    assert page.locator("#ask-words").input_value() == "half a thought"
