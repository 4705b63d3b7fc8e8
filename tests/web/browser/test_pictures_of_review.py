"""The pictures of docs/judging/reviewing.md: `CRANFIELD_PICTURES=1 pytest -m slow` on this file writes them anew."""

from __future__ import annotations

import os
import random
import struct
from pathlib import Path

import pytest
from django.urls import reverse

from cranfield.web.judging.models import Slot
from cranfield.web.projects.models import Project
from tests.web.browser.conftest import Visitors
from tests.web.browser.soups import make_soups
from tests.web.browser.test_pictures import FOLDER
from tests.web.review.making import judged, make_manager, make_people

SIZE = {"width": 1024, "height": 1000}


def judged_soups() -> Project:
    """Three people on twelve documents; the first two mostly agree."""
    project = make_soups()
    Slot.objects.all().delete()
    people = make_people(project, ann="expert", bob="expert", cem="user")
    draw = random.Random(3)
    for minute, item in enumerate(project.items.all()):
        for at, user in enumerate(people):
            grade = minute % 4 if draw.random() > (0.15, 0.2, 0.45)[at] else draw.choice((0, 1, 2, 3))
            reason = "What is cooked is not said." if grade == 1 else ""
            judged(item, user, grade, minutes=minute, reason=reason)
    return project


@pytest.mark.slow
@pytest.mark.parametrize("name", ["agreement", "adjudicating"])
def test_pictures(name: str, visitors: Visitors, tmp_path: Path) -> None:
    project = judged_soups()
    start = reverse("review-agreement" if name == "agreement" else "adjudication", args=[project.pk])
    page = visitors.page(make_manager(project), start, viewport=SIZE)
    if name == "adjudicating":
        page.get_by_role("link", name="Decide the first").click()
        page.locator("h1").click()
        page.keyboard.press("2")
    folder = FOLDER if os.environ.get("CRANFIELD_PICTURES") == "1" else tmp_path
    page.screenshot(path=folder / f"{name}.png", caret="hide")
    picture = (folder / f"{name}.png").read_bytes()
    assert struct.unpack(">II", picture[16:24]) == (SIZE["width"], SIZE["height"])
    assert (FOLDER / f"{name}.png").is_file(), "the page shows it"
