"""A manager at work: a project from uploads, the preview of its guideline, progress that keeps up, pages on a phone."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from cranfield.web.accounts.invitations import join
from cranfield.web.accounts.models import User
from cranfield.web.judging.handing_out import hand_out
from cranfield.web.judging.recording import record
from cranfield.web.projects.changed_documents import bring_again
from cranfield.web.projects.models import Project
from tests.web.browser.conftest import PHONE, Visitors
from tests.web.browser.soups import make_soups
from tests.web.browser.test_pictures import FOLDER, SMALL
from tests.web.judging.making import answer, make_assessor
from tests.web.projects.material import collection

pytestmark = pytest.mark.slow

PAGES = {
    "project-new": (),
    "project": ("project",),
    "project-members": ("project",),
    "project-documents": ("project",),
    "project-document": ("project", "item"),
    "project-pool": ("project",),
    "project-again": ("project",),
    "project-settings": ("project",),
    "project-scale": ("project",),
    "project-invitations": ("project",),
}
UNNAMED = """() => [...document.querySelectorAll("main input:not([type=hidden]), main select, main textarea")]
    .filter((one) => !one.labels.length && !one.ariaLabel).map((one) => one.outerHTML)"""


def managed() -> tuple[Project, User]:
    """A project in the middle of its work."""
    project = make_soups()
    manager = make_assessor(project, "maria", role="manager")
    version = project.scales.get().version
    for number, group in enumerate(("expert", "user", "user"), 1):
        somebody = User.objects.create(username=f"person{number}")
        join(project, somebody, role="assessor", group=group)
        slots = hand_out(project, somebody, 4)
        record(project, somebody, [answer(slot, grade=1, scale=version) for slot in slots[:-number]])
    bring_again(project, collection())
    return project, manager


def address(name: str, project: Project) -> str:
    parts = {"project": project.pk, "item": project.items.order_by("pk")[0].pk}
    return reverse(name, args=[parts[part] for part in PAGES[name]])


@pytest.mark.parametrize("settings", [{}, {"viewport": PHONE, "color_scheme": "dark"}], ids=["desk", "phone"])
def test_every_page_fits_and_names_its_fields(visitors: Visitors, settings: dict[str, Any]) -> None:
    project, manager = managed()
    page = visitors.page(manager, "/", **settings)
    width = page.viewport_size["width"]
    for name in PAGES:
        page.goto(address(name, project))
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
        assert page.evaluate(UNNAMED) == [], name


def test_a_project_from_uploads(visitors: Visitors) -> None:
    manager = User.objects.create(username="boss", is_administrator=True)
    page = visitors.page(manager, reverse("home"))
    page.get_by_role("link", name="New project").click()
    page.get_by_label("Name:", exact=True).fill("Soups")
    for label, name, content in (
        ("or upload a pool", "pool.txt", "q1 d1\nq1 d2\n"),
        ("or upload documents", "docs.jsonl", '{"id": "d1", "text": "Boil it."}\n{"id": "d2", "text": "Bake it."}\n'),
        ("or upload topics", "topics.tsv", "q1\thot soup\n"),
    ):
        page.get_by_label(label).set_input_files({"name": name, "mimeType": "text/plain", "buffer": content.encode()})
    page.get_by_label("Guideline:").fill("Judge **by itself**.")
    page.locator(".preview strong", has_text="by itself").wait_for()
    page.get_by_role("button", name="Make the project").click()
    page.get_by_text("2 to judge: 2 new documents, 1 new topics").wait_for()
    page.get_by_role("link", name="Overview").click()
    page.get_by_text("0 of 2 judgments are there").wait_for()


def test_a_button_that_is_pressed_twice(visitors: Visitors) -> None:
    project, manager = managed()
    page = visitors.page(manager, address("project-invitations", project))
    sent: list[Any] = []

    def hold(route: Any) -> None:
        sent.append(route)

    page.route("**/invitations/", hold)
    twice = "(one) => { one.click(); setTimeout(() => one.click(), 100); }"
    page.get_by_role("button", name="Make a link").evaluate(twice)
    page.wait_for_timeout(400)
    assert len(sent) == 1
    sent[0].continue_()
    page.get_by_label("Link").wait_for()
    assert project.invitations.count() == 1


def test_progress_keeps_up_without_a_reload(visitors: Visitors) -> None:
    project, manager = managed()
    context = visitors.context(manager)
    page = context.new_page()
    page.clock.install()
    page.goto(address("project", project))
    said = page.locator(".whole")
    before = int(re.findall(r"\d+", said.inner_text())[0])
    page.get_by_text("By day, in numbers").click()
    page.get_by_role("heading", name="Progress").click()
    page.evaluate("document.activeElement.blur()")
    somebody = User.objects.get(username="person1")
    slot = hand_out(project, somebody, 1)[0]
    record(project, somebody, [answer(slot, grade=2, scale=project.scales.get().version)])
    page.clock.run_for(11_000)
    page.locator(".whole strong", has_text=str(before + 1)).wait_for()
    assert page.locator("#by-day").get_attribute("open") is not None


def test_picture_of_managing(visitors: Visitors, tmp_path: Path) -> None:
    """The picture of docs/judging/managing.md: `CRANFIELD_PICTURES=1` writes it anew."""
    project, manager = managed()
    page = visitors.page(manager, address("project", project), viewport={**SMALL, "height": 900})
    folder = FOLDER if os.environ.get("CRANFIELD_PICTURES") == "1" else tmp_path
    page.screenshot(path=folder / "managing.png", caret="hide")
    assert (FOLDER / "managing.png").is_file(), "the page shows it"
