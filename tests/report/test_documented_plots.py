"""The page about plots is complete, and its pictures are those that it speaks of."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cranfield.report.kinds import KINDS
from tools import plot_images

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "docs" / "plots.md"


def test_every_kind_is_on_the_page() -> None:
    assert all(f"`{kind}`" in PAGE.read_text() for kind in KINDS)


def test_every_picture_is_shown_and_made_by_the_tool() -> None:
    shown = set(re.findall(r"\]\((?:docs/)?images/([^)]+\.svg)\)", PAGE.read_text() + (ROOT / "README.md").read_text()))
    assert shown == set(plot_images.IMAGES) == {path.name for path in plot_images.FOLDER.glob("*.svg")}


@pytest.mark.parametrize("name", plot_images.IMAGES)
def test_pictures_are_up_to_date(name: str) -> None:
    """Letters have other widths on other machines, so that it is the words that are compared."""
    root = ElementTree.parse(plot_images.FOLDER / name).getroot()
    drawn = {element.text for element in root.iter() if element.tag.endswith(("}text", "}tspan"))}
    title = plot_images.chart(name).title
    assert {*title.text, *title.subtitle} <= drawn, f"run {plot_images.COMMAND}"
