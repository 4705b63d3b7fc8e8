"""What a test reads from the assessor's page, and what it does there."""

from __future__ import annotations

from typing import Any

from cranfield.web.judging.models import Event
from cranfield.web.projects.models import Project

READABLE = 170
"""Milliseconds after which a document counts as seen."""

STILL = "() => document.getElementById('documents')?.ariaBusy !== 'true'"
"""That no document is on its way to the screen."""


def heading(page: Any) -> str:
    text: str = page.locator("#documents .document").first.locator("h1, h2").inner_text()
    return text


def said(page: Any) -> str:
    text: str = page.locator("#said").text_content()
    return text


def shows(page: Any, title: str) -> None:
    """Returns when a document is on screen."""
    page.locator("#documents .document").get_by_role("heading", name=title).first.wait_for()


def hears(page: Any, text: str) -> None:
    """Returns when the page has said it."""
    page.locator("#said", has_text=text).wait_for()


def type_keys(page: Any, *keys: str) -> None:
    """One after the other, as slowly as somebody who reads."""
    for key in keys:
        page.wait_for_function(STILL)
        page.wait_for_timeout(READABLE)
        page.keyboard.press(key)
    page.wait_for_function(STILL)


def waiting(page: Any) -> int:
    """How many answers are in the browser's storage."""
    count: int = page.evaluate("() => Object.keys(localStorage).filter(key => key.includes('.answer.')).length")
    return count


def sent(page: Any) -> None:
    """Returns when the server has all answers."""
    page.wait_for_function("() => !Object.keys(localStorage).some(key => key.includes('.answer.'))")


def recorded(project: Project) -> list[tuple[str, str, float | None, str]]:
    """What is in the database, in the order in which it was written."""
    events = Event.objects.filter(project=project).order_by("number")
    return list(events.values_list("item__document__name", "action", "grade", "reason"))
