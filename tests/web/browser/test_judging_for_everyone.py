"""On a phone, in the dark, and for people who listen to the page."""

from __future__ import annotations

from typing import Any

import pytest
from django.db.models import Value
from django.db.models.functions import Concat

from cranfield.web.projects.models import Project
from tests.web.browser.conftest import PHONE, SMALL_PHONE, Visitors
from tests.web.browser.pages import hears, recorded, said, sent, shows, type_keys
from tests.web.browser.soups import make_soups
from tests.web.judging.making import make_assessor

pytestmark = pytest.mark.slow

THUMB = 44
"""CSS pixels: the target size of WCAG 2.2, success criterion 2.5.5."""

CONTRASTS = """() => {
  const light = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3).map(Number).map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const colour = getComputedStyle(one).backgroundColor;
      if (!/^rgba\\(.*, 0\\)$/.test(colour)) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const found = [];
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!own || !element.checkVisibility() || element.closest(".skip, script, noscript")) continue;
    const [a, b] = [light(getComputedStyle(element).color), light(ground(element))];
    found.push([(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), element.textContent.slice(0, 40)]);
  }
  return found;
}"""
"""Contrast of every text with its ground, by the formula of WCAG 2.2."""


def check_contrast(page: Any) -> None:
    found = page.evaluate(CONTRASTS)
    assert len(found) > 20
    assert [one for one in found if one[0] < 4.5] == []


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_on_a_phone(scheme: str, visitors: Visitors) -> None:
    project = make_soups()
    settings = {"viewport": PHONE, "has_touch": True, "is_mobile": True, "color_scheme": scheme}
    page = visitors.judge(make_assessor(project, "ann"), project, **settings)
    assert page.evaluate("() => document.documentElement.scrollWidth") == 360
    assert page.evaluate("() => document.documentElement.scrollHeight") <= PHONE["height"], "nothing hides below"
    buttons = page.locator("#answers button:visible")
    assert buttons.count() == 13
    for box in [button.bounding_box() for button in buttons.all()]:
        assert min(box["width"], box["height"]) >= THUMB
        assert 0 <= box["x"] <= box["x"] + box["width"] <= 360
        assert box["y"] + box["height"] <= PHONE["height"]
    assert page.locator("#documents").bounding_box()["height"] > 150
    assert "vegetable soup in winter" in page.locator("#topic").inner_text()
    assert "One could stop searching" not in page.locator("#grades").inner_text()
    check_contrast(page)
    page.locator("#progress button").tap()
    page.locator("#progress-of-topics").wait_for()
    for cell in page.locator("#progress-of-topics thead th").all():
        box = cell.bounding_box()
        assert box["x"] + box["width"] <= 360, "all columns fit"
    page.keyboard.press("Escape")
    page.wait_for_timeout(200)
    page.get_by_role("button", name="3 highly relevant").tap()
    shows(page, "Menu of the harbour inn")
    page.wait_for_timeout(200)
    page.get_by_role("button", name="Skip").tap()
    page.get_by_role("textbox", name="Why do you skip it?").fill("in Norwegian")
    page.get_by_role("button", name="Save").tap()
    shows(page, "What keeps in a cellar")
    sent(page)
    assert [row[:2] for row in recorded(project)] == [("d1", "grade"), ("d2", "skip")]


def test_on_a_small_phone_the_text_of_a_document_with_a_long_title_is_in_view(visitors: Visitors) -> None:
    project = make_soups()
    title = "A report of what was cooked, eaten and left over at the harbour inn in the long winter " * 4
    project.documents.update(title=title, name=Concat("name", Value("-long" * 20)))
    project.topics.update(title="vegetable soup in winter " * 8)
    settings = {"viewport": SMALL_PHONE, "has_touch": True, "is_mobile": True}
    page = visitors.judge(make_assessor(project, "ann"), project, **settings)
    assert page.evaluate("() => document.documentElement.scrollWidth") == SMALL_PHONE["width"]
    assert page.evaluate("() => document.documentElement.scrollHeight") <= SMALL_PHONE["height"]
    pane, text = page.locator("#documents").bounding_box(), page.locator("#documents .text").bounding_box()
    assert page.locator("#answers").bounding_box()["height"] < 180
    assert pane["y"] + pane["height"] - text["y"] > 80, "three lines of it, without scrolling"
    buttons = page.locator("#answers button:visible")
    assert [button.inner_text().split()[0] for button in buttons.all()][4:] == [
        "Unsure",
        "Skip",
        "Note",
        "Undo",
        "More",
    ]
    for box in [button.bounding_box() for button in buttons.all()]:
        assert min(box["width"], box["height"]) >= THUMB
    assert page.get_by_role("button", name="Guideline").count() == 0
    page.get_by_role("button", name="More").tap()
    page.get_by_role("button", name="Guideline").tap()
    page.locator("#guideline").wait_for()
    page.keyboard.press("Escape")
    page.locator("#documents h1").tap()
    assert page.locator("#documents h1").bounding_box()["height"] > 100, "the whole title"


@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.slow), "dark"])
def test_at_a_desk(scheme: str, visitors: Visitors) -> None:
    project = make_soups()
    page = visitors.judge(make_assessor(project, "ann"), project, color_scheme=scheme)
    grades = page.locator("#grades").inner_text()
    assert "It is about the topic and answers it whole: one could stop searching here." in grades
    for part in ("vegetable soup in winter", "keep through the winter?", "nor is what only sells one."):
        assert part in page.locator("#topic").inner_text()
    assert page.locator("#topic-title").is_visible()
    assert page.evaluate("() => document.documentElement.scrollHeight") <= 900
    assert page.locator("mark").count() > 3
    check_contrast(page)
    type_keys(page, "2", "b")
    check_contrast(page)
    page.keyboard.press("?")
    check_contrast(page)


def test_what_a_screen_reader_finds(visitors: Visitors) -> None:
    project = make_soups()
    page = visitors.judge(make_assessor(project, "ann"), project)
    page.wait_for_load_state("networkidle")
    tree = page.locator("body").aria_snapshot()
    for line in (
        "- banner:",
        "- main:",
        '- region "Topic":',
        '- region "Document":',
        '- heading "Leek and potato soup" [level=1]',
        '- region "Your answer":',
        '- group "Grades":',
        '- group "Other answers":',
        '- progressbar "Of this topic"',
        '- status: "Now: Leek and potato soup."',
    ):
        assert line in tree, f"{line}\nis not in\n{tree}"
    assert 'button "3 highly relevant It is about the topic' in tree
    type_keys(page, "3")
    assert said(page) == "Leek and potato soup: 3 highly relevant. Now: Menu of the harbour inn."
    focused = "() => document.activeElement.textContent"
    assert page.evaluate(focused) == "Menu of the harbour inn"
    type_keys(page, "s")
    assert page.evaluate("() => document.activeElement.id") == "ask-words"
    assert 'textbox "Why do you skip it?"' in page.locator("#ask").aria_snapshot()
    page.keyboard.press("Escape")
    assert page.evaluate(focused) == "Menu of the harbour inn", "back to where it was"
    for _ in range(3):
        page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.closest('#grades') !== null"), "the answers come after the text"


@pytest.mark.parametrize("width", [pytest.param(1280, marks=pytest.mark.slow), 360])
def test_pairs(width: int, visitors: Visitors) -> None:
    project = make_soups(mode=Project.Mode.PAIRS)
    page = visitors.judge(make_assessor(project, "ann"), project, viewport={"width": width, "height": 800})
    left, right = (box.bounding_box() for box in page.locator(".document").all())
    if width == 360:
        assert left["x"] == right["x"]
        assert left["y"] < right["y"]
        assert page.evaluate("() => document.documentElement.scrollWidth") == 360
    else:
        assert left["y"] == right["y"]
        assert left["x"] + left["width"] <= right["x"]
    chosen = []
    for key, place in (("ArrowLeft", 0), ("2", 1), ("0", None), ("ArrowRight", 1)):
        titles = page.locator(".document h2 span").all_inner_texts()
        assert page.locator(".document h2 kbd").all_inner_texts() == ["1", "2"]
        chosen.append(None if place is None else titles[place])
        type_keys(page, key)
        hears(page, f"{titles[0]}, and {titles[1]}: ")
    type_keys(page, "b")
    assert page.locator("#grades [aria-pressed=true]").inner_text() == "2 → Document 2 is better"
    sent(page)
    events = project.events.order_by("number").select_related("item__document", "item__other")
    preferred = {"left": "document", "right": "other"}
    found = [
        getattr(event.item, preferred[event.preferred]).title if event.preferred in preferred else None
        for event in events
    ]
    assert found == chosen
    assert all(event.grade is None for event in events)


@pytest.mark.parametrize(("width", "height"), [(320, 256), (1280, 320), (768, 1024), (2560, 1300)])
def test_windows_of_other_sizes(width: int, height: int, visitors: Visitors) -> None:
    """The first is a window of 1280 by 1024 at 400 %, as WCAG 2.2 asks for in success criterion 1.4.10."""
    project = make_soups()
    page = visitors.judge(make_assessor(project, "ann"), project, viewport={"width": width, "height": height})
    assert page.evaluate("() => document.documentElement.scrollWidth") == width
    for button in page.locator("#answers button:visible").all():
        button.scroll_into_view_if_needed()
        box = button.bounding_box()
        assert -1 < box["y"] <= box["y"] + box["height"] < height + 1
    assert page.locator("#documents").bounding_box()["height"] >= 100


def test_a_picture_and_another_direction_of_writing(visitors: Visitors) -> None:
    project = make_soups()
    dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    project.documents.update(
        image=f"data:image/png;base64,{dot}", title="\u05de\u05e8\u05e7", text="\u05de\u05e8\u05e7."
    )
    page = visitors.judge(make_assessor(project, "ann"), project)
    picture = page.get_by_role("img", name="Picture of")
    picture.wait_for()
    assert picture.evaluate("one => one.decode().then(() => one.naturalWidth)") == 1
    assert page.locator(".document .text").evaluate("one => getComputedStyle(one).direction") == "rtl"
