"""The site as one reads it: opened from a disk, without a network, light and dark, on a desk and on a phone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser import OpenPage

PAGES = ("index.html", "measures/nDCG.html", "cli.html", "tour.html")
WIDER = "document.documentElement.scrollWidth - innerWidth"


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_fit_and_follow_the_system(site: Path, open_page: OpenPage, scheme: str, width: int) -> None:
    for name in PAGES:
        page = open_page(site / name, width=width, scheme=scheme)
        assert page.evaluate(WIDER) <= 0, name
        red, green, blue = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/[0-9.]+/g)")[:3]
        assert (sum(map(float, (red, green, blue))) > 3 * 128) == (scheme == "light"), name


def test_formulas_are_drawn(site: Path, open_page: OpenPage) -> None:
    page = open_page(site / "measures" / "nDCG.html")
    fraction, line = (page.locator(name).first.bounding_box() for name in (".formula mfrac", ".formula mi"))
    # A numerator above a denominator is higher than a letter.
    assert fraction["height"] > 1.5 * line["height"] > 0


def test_search_works_without_a_server(site: Path, open_page: OpenPage) -> None:
    page = open_page(site / "index.html")
    page.locator(".md-search__input").click()
    page.keyboard.type("reciprocal rank")
    found = page.locator(".md-search-result__item h1")
    found.first.wait_for()
    assert any("reciprocal rank" in title.lower() for title in found.all_inner_texts())
