"""Answers that cannot be sent at once: each arrives, and once."""

from __future__ import annotations

from typing import Any

import pytest

from cranfield.web.judging.models import Event, Slot
from tests.web.browser.conftest import Visitors
from tests.web.browser.pages import heading, hears, recorded, said, sent, type_keys, waiting
from tests.web.judging.making import make_assessor, make_project

pytestmark = pytest.mark.slow

LOST = "Failed to load resource: net::ERR"


def test_offline_for_a_while(visitors: Visitors) -> None:
    visitors.expect(LOST)
    project = make_project(topics=1, documents=8)
    page = visitors.judge(make_assessor(project, "ann"), project)
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    page.locator("#connection", has_text="Offline.").wait_for()
    type_keys(page, "2", "1", "0")
    page.locator("#connection", has_text="Offline, 3 answers wait.").wait_for()
    assert heading(page) == "About q1-d00004"
    assert recorded(project) == []
    page.context.set_offline(False)
    sent(page)
    page.locator("#connection").wait_for(state="hidden")
    assert [row[:3] for row in recorded(project)] == [
        ("q1-d00001", "grade", 2), ("q1-d00002", "grade", 1), ("q1-d00003", "grade", 0),
    ]  # fmt: skip
    type_keys(page, "2", "2", "2")
    assert heading(page) == "About q1-d00007", "and documents come again"


def test_a_reload_in_the_middle(visitors: Visitors) -> None:
    visitors.expect(LOST)
    project = make_project(topics=1, documents=5)
    page = visitors.judge(make_assessor(project, "ann"), project)
    page.route("**/answers", lambda route: route.abort())
    type_keys(page, "2", "u", "z")
    assert heading(page) == "About q1-d00002"
    assert waiting(page) == 3
    page.reload()
    page.locator("#documents .document").wait_for()
    assert heading(page) == "About q1-d00002", "what was answered does not come again, though nobody knows of it yet"
    page.unroute("**/answers")
    sent(page)
    assert [row[:2] for row in recorded(project)] == [
        ("q1-d00001", "grade"), ("q1-d00002", "unsure"), ("q1-d00002", "withdraw"),
    ]  # fmt: skip


def test_an_answer_of_the_server_that_is_lost(visitors: Visitors) -> None:
    visitors.expect(LOST)
    project = make_project(topics=1, documents=5)
    page = visitors.judge(make_assessor(project, "ann"), project)
    bodies: list[Any] = []

    def deliver_and_lose(route: Any) -> None:
        bodies.append(route.request.post_data_json)
        route.fetch()
        route.abort()

    page.route("**/answers", deliver_and_lose)
    type_keys(page, "2")
    page.locator("#connection", has_text="Offline, 1 answer waits.").wait_for()
    assert [row[0] for row in recorded(project)] == ["q1-d00001"], "recorded, but the browser cannot know"
    page.unroute("**/answers")
    sent(page)
    assert len(recorded(project)) == 1
    assert Slot.objects.filter(done_at__isnull=False).count() == 1


def test_a_server_that_is_busy(visitors: Visitors) -> None:
    visitors.expect("503")
    project = make_project(topics=1, documents=5)
    page = visitors.judge(make_assessor(project, "ann"), project)
    busy = {"status": 503, "body": '{"error": "the database is busy; try again"}', "headers": {"Retry-After": "1"}}
    page.route("**/answers", lambda route: route.fulfill(**busy))
    type_keys(page, "2")
    page.locator("#connection", has_text="The server is busy, 1 answer waits.").wait_for()
    page.unroute("**/answers")
    sent(page)
    assert len(recorded(project)) == 1


def test_whoever_is_logged_out_is_told(visitors: Visitors) -> None:
    project = make_project(topics=1, documents=5)
    ann, bob = make_assessor(project, "ann"), make_assessor(project, "bob")
    page = visitors.judge(ann, project)
    page.wait_for_load_state("networkidle")
    page.context.clear_cookies(name="cranfield_session")
    type_keys(page, "2")
    hears(page, "You are logged out, 1 answer waits.")
    type_keys(page, "1")
    line = page.locator("#connection", has_text="You are logged out, 2 answers wait.")
    line.wait_for()
    assert (
        line.get_by_role("link", name="Log in").get_attribute("href") == f"/login/?next=/projects/{project.pk}/judge/"
    )

    visitors.expect("409")
    visitors.log_in(page.context, bob)
    page.evaluate("() => dispatchEvent(new Event('online'))")
    page.locator("#connection", has_text="Somebody else has logged in here, 2 answers wait.").wait_for()
    assert recorded(project) == [], "the answers of the first are not the second's"

    visitors.log_in(page.context, ann)
    page.reload()
    sent(page)
    assert set(Event.objects.values_list("assessor", flat=True)) == {ann.pk}
    assert len(recorded(project)) == 2


def test_what_is_refused_is_said_and_comes_again(visitors: Visitors) -> None:
    project = make_project(topics=1, documents=5)
    page = visitors.judge(make_assessor(project, "ann"), project)
    page.route(
        "**/answers",
        lambda route: route.continue_(post_data=route.request.post_data.replace('"scale":"', '"scale":"un')),
    )
    type_keys(page, "2")
    page.locator("#notices li", has_text="Not recorded: About q1-d00001. scale is 'un").wait_for()
    assert waiting(page) == 0
    page.unroute("**/answers")
    type_keys(page, "z")
    assert said(page) == "There is nothing to take back."
    page.reload()
    page.locator("#documents .document").wait_for()
    assert heading(page) == "About q1-d00001"
    assert page.locator("#notices li").count() == 1, "until it has been read"


def test_two_tabs(visitors: Visitors) -> None:
    visitors.expect(LOST)
    project = make_project(topics=1, documents=9)
    one = visitors.judge(make_assessor(project, "ann"), project)
    two = one.context.new_page()
    two.goto(one.url)
    two.locator("#documents .document").wait_for()
    assert heading(one) != heading(two)
    one.context.set_offline(True)
    for page in (one, two, one):
        page.bring_to_front()
        type_keys(page, "1")
        assert heading(one) != heading(two)
    for page in (one, two):
        page.locator("#connection", has_text="3 answers wait.").wait_for()
    one.context.set_offline(False)
    sent(one)
    for page in (one, two):
        page.locator("#connection").wait_for(state="hidden")
    for _ in range(6):
        for page in (one, two):
            page.bring_to_front()
            if page.locator("#documents").is_visible():
                type_keys(page, "2")
    sent(one)
    names = [row[0] for row in recorded(project)]
    assert sorted(names) == [f"q1-d{number:05}" for number in range(1, 10)]
    for page in (one, two):
        page.locator("#calm h1").wait_for()


def test_a_tab_that_is_closed_leaves_its_answers_to_another(visitors: Visitors) -> None:
    visitors.expect(LOST)
    project = make_project(topics=1, documents=5)
    one = visitors.judge(make_assessor(project, "ann"), project)
    two = one.context.new_page()
    two.goto(one.url)
    two.locator("#documents .document").wait_for()
    one.context.set_offline(True)
    one.bring_to_front()
    type_keys(one, "1")
    one.close()
    two.context.set_offline(False)
    sent(two)
    assert len(recorded(project)) == 1


def test_a_browser_that_keeps_nothing(visitors: Visitors) -> None:
    project = make_project(topics=1, documents=2)
    page = visitors.judge(make_assessor(project, "ann"), project)
    page.evaluate(
        "() => { Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') } }"
    )
    type_keys(page, "2")
    assert said(page).startswith("Not recorded: this browser keeps nothing.")
    assert heading(page) == "About q1-d00001"


def test_an_answer_on_which_the_server_fails_holds_no_other_back(visitors: Visitors) -> None:
    visitors.expect("500")
    project = make_project(topics=1, documents=5)
    page = visitors.judge(make_assessor(project, "ann"), project)
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    visitors.expect(LOST)
    type_keys(page, "u", "2", "1")

    def fail(route: Any) -> None:
        route.fulfill(status=500) if '"unsure"' in route.request.post_data else route.continue_()

    page.route("**/answers", fail)
    page.context.set_offline(False)
    page.locator("#connection", has_text="The server has failed").wait_for()
    page.locator("#connection", has_text="1 answer waits.").wait_for()
    type_keys(page, "0")
    page.wait_for_function("() => Object.keys(localStorage).filter(key => key.includes('.answer.')).length === 1")
    page.locator("#connection", has_text="1 answer waits.").wait_for()
    assert [row[2] for row in recorded(project)] == [2, 1, 0]
    page.unroute("**/answers")
    page.evaluate("() => dispatchEvent(new Event('online'))")
    sent(page)
    assert [row[1] for row in recorded(project)][-1] == "unsure"
