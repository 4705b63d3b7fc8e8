"""Time counts while somebody is at work, and whoever works long is reminded of a break."""

from __future__ import annotations

import pytest

from cranfield.web.judging.models import Event
from tests.web.browser.conftest import Visitors
from tests.web.browser.pages import sent, shows
from tests.web.judging.making import make_assessor, make_project

pytestmark = pytest.mark.slow


def test_idle_time_does_not_count_and_breaks_are_suggested(visitors: Visitors) -> None:
    project = make_project(topics=1, documents=30, break_minutes=5, lease_minutes=1000)
    context = visitors.context(make_assessor(project, "ann"))
    page = context.new_page()
    page.clock.install()
    page.goto(f"/projects/{project.pk}/judge/")
    page.locator("#documents .document").wait_for()
    page.clock.run_for(10_000)
    page.keyboard.press("j")
    page.clock.run_for(30 * 60_000)
    page.keyboard.press("2")
    sent(page)
    counted = Event.objects.get().active_ms or 0
    assert 130_000 <= counted < 135_000, "10 seconds, and two minutes of the half hour after the last key"
    for _ in range(5):
        assert not page.locator("#break").is_visible()
        page.clock.run_for(59_000)
        page.keyboard.press("j")
    page.clock.run_for(10_000)
    page.keyboard.press("j")
    page.locator("#break").wait_for()
    assert "You have been judging for 5 minutes." in page.locator("#break").inner_text()
    page.clock.run_for(1000)
    page.keyboard.press("2")
    shows(page, "About q1-d00003")  # it is in nobody's way
    page.get_by_role("button", name="Go on").click()
    assert not page.locator("#break").is_visible()
    page.clock.run_for(60_000)
    page.keyboard.press("j")
    assert not page.locator("#break").is_visible()
