"""A manager decides with the keyboard alone, at a desk and on a narrow screen."""

from __future__ import annotations

import pytest
from django.urls import reverse

from cranfield.web.accounts.models import User
from cranfield.web.judging.models import Decision, Slot
from cranfield.web.projects.models import Project
from tests.web.browser.conftest import DESK, PHONE, Visitors
from tests.web.browser.soups import make_soups
from tests.web.review.making import judged, make_manager, make_people

pytestmark = pytest.mark.slow


def disagreeing() -> tuple[Project, User]:
    """Three documents on which two people differ: by 3, by 2 and by 1."""
    project = make_soups()
    Slot.objects.all().delete()
    ann, bob = make_people(project, ann="", bob="")
    for item, grades in zip(project.items.all(), ((0, 3), (1, 3), (1, 2), (2, 2)), strict=False):
        for user, grade in zip((ann, bob), grades, strict=True):
            judged(item, user, grade, reason="It says so.")
    return project, make_manager(project)


@pytest.mark.parametrize(("size", "scheme"), [(DESK, "light"), (PHONE, "dark")])
def test_through_the_queue(size: dict[str, int], scheme: str, visitors: Visitors) -> None:
    project, mia = disagreeing()
    page = visitors.page(mia, reverse("adjudication", args=[project.pk]), viewport=size, color_scheme=scheme)
    page.get_by_role("link", name="Decide the first").focus()
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Leek and potato soup").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing hangs out of the screen"
    assert "ann" not in page.locator("main").inner_text()

    page.keyboard.press("f")  # later: to the second, and back
    page.get_by_role("heading", name="Menu of the harbour inn").wait_for()
    page.keyboard.press("b")
    page.get_by_role("heading", name="Leek and potato soup").wait_for()

    page.keyboard.press("Control+Enter")
    assert not Decision.objects.exists(), "there is no decision without a grade and a reason"
    page.locator("h1").click()
    page.keyboard.press("3")
    page.keyboard.type("A winter soup; see 2 lines on.")
    page.keyboard.press("Control+Enter")
    page.get_by_role("heading", name="Menu of the harbour inn").wait_for()

    page.keyboard.press("0")
    page.keyboard.type("A menu.")
    page.keyboard.press("Escape")
    page.keyboard.press("1")  # thought better of it
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="What keeps in a cellar").wait_for()

    page.keyboard.press("r")
    page.keyboard.type("No soup.")
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    page.keyboard.press("Control+Enter")
    page.get_by_text("There is no such document").wait_for()
    assert list(Decision.objects.values_list("item__document__name", "grade", "reason")) == [
        ("d1", 3, "A winter soup; see 2 lines on."),
        ("d2", 1, "A menu."),
        ("d3", 1, "No soup."),
    ]


def test_two_managers_at_once(visitors: Visitors) -> None:
    visitors.expect("409")
    project, mia = disagreeing()
    item = project.items.all()[0]
    address = reverse("adjudicate", args=[project.pk, item.pk])
    first, second = (visitors.page(user, address) for user in (mia, make_manager(project, "max")))
    for page, grade, reason in ((second, "2", "Some of it."), (first, "3", "All of it.")):
        page.locator("h1").click()
        page.keyboard.press(grade)
        page.keyboard.type(reason)
        page.keyboard.press("Control+Enter")
        if page is second:
            page.get_by_role("heading", name="Menu of the harbour inn").wait_for()
    assert "max decided this document in the meantime: 2" in first.get_by_role("alert").inner_text()
    assert first.locator("#id_reason").input_value() == "All of it."
    assert first.get_by_label("highly relevant").is_checked()
    first.keyboard.press("Control+Enter")
    first.get_by_role("heading", name="Menu of the harbour inn").wait_for()
    assert list(Decision.objects.values_list("grade", flat=True)) == [2, 3]
