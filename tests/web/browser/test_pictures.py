"""The pictures of docs/judging/assessing.md: `CRANFIELD_PICTURES=1 pytest -m slow` on this file writes them anew."""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import Any

import pytest

from cranfield.web.projects.models import Project
from tests.web.browser.conftest import PHONE, Visitors
from tests.web.browser.pages import hears, type_keys
from tests.web.browser.soups import make_soups
from tests.web.judging.making import make_assessor

FOLDER = Path(__file__).parents[3] / "docs" / "judging" / "pictures"
SMALL = {"width": 1024, "height": 740}
SETTINGS: dict[str, dict[str, Any]] = {
    "desk": {"viewport": SMALL},
    "back-dark": {"viewport": SMALL, "color_scheme": "dark"},
    "phone": {"viewport": PHONE, "has_touch": True, "is_mobile": True},
    "offline": {"viewport": SMALL},
    "pairs": {"viewport": SMALL},
}


def set_the_scene(name: str, page: Any, visitors: Visitors) -> None:
    if name == "back-dark":
        type_keys(page, "2", "1", "b", "b")
    if name == "offline":
        visitors.expect("net::ERR")
        page.context.set_offline(True)
        type_keys(page, "3", "0", "1")
        page.locator("#connection", has_text="3 answers wait").wait_for()
    if name == "desk":
        type_keys(page, "3")
        hears(page, "highly relevant")


@pytest.mark.slow
@pytest.mark.parametrize("name", SETTINGS)
def test_pictures(name: str, visitors: Visitors, tmp_path: Path) -> None:
    project = make_soups(mode=Project.Mode.PAIRS if name == "pairs" else Project.Mode.GRADES)
    page = visitors.judge(make_assessor(project, "ann"), project, **SETTINGS[name])
    page.wait_for_load_state("networkidle")
    set_the_scene(name, page, visitors)
    folder = FOLDER if os.environ.get("CRANFIELD_PICTURES") == "1" else tmp_path
    folder.mkdir(exist_ok=True)
    page.screenshot(path=folder / f"{name}.png", caret="hide")
    picture = (folder / f"{name}.png").read_bytes()
    size = SETTINGS[name]["viewport"]
    assert struct.unpack(">II", picture[16:24]) == (size["width"], size["height"])
    assert (FOLDER / f"{name}.png").is_file(), "the page shows it"
