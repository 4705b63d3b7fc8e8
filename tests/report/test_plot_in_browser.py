"""A plot opened in a browser: it draws, asks for nothing, and keeps names as text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cranfield.report import plot, write_chart
from cranfield.report.kinds import KINDS
from cranfield.report.theme import COLOURS
from tests.report.material import made_up, odd

DRAWN = ".cranfield-drawing svg.marks"


def ground(page: Any) -> str:
    return str(page.evaluate("getComputedStyle(document.querySelector('.cranfield-drawing svg')).backgroundColor"))


def rgb(colour: str) -> str:
    return "rgb({}, {}, {})".format(*(int(colour[at : at + 2], 16) for at in (1, 3, 5)))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_draws_names_as_text(kind: str, tmp_path: Path, open_page: Any) -> None:
    qrels, runs = odd()
    some = dict(list(runs.items())[: KINDS[kind].most_runs or len(runs)])
    chart = plot(kind) if kind == "discount" else plot(kind, qrels, some)
    write_chart(chart, tmp_path / "plot.html")
    page = open_page(tmp_path / "plot.html")
    box = page.locator(DRAWN).bounding_box()
    assert box["width"] > 200
    assert box["height"] > 40
    assert page.locator("script").count() == 2  # Vega, and the specification
    assert page.locator("img").count() == 0
    assert page.title() == chart.title.text[0] or page.title().startswith(chart.title.text[0])
    marks = page.locator(f"{DRAWN} [role='graphics-symbol'], {DRAWN} [role='graphics-object'] path")
    assert marks.count() > 0


def test_a_tooltip_says_what_a_point_is(tmp_path: Path, open_page: Any) -> None:
    name = "<img src=x onerror=alert(1)>"
    chart = plot("per-topic", {name: {"a": 1}}, {"A": {name: {"a": 1}}, "B": {name: {"x": 2, "a": 1}}}, "RR")
    write_chart(chart, tmp_path / "plot.html")
    page = open_page(tmp_path / "plot.html")
    page.locator(f"{DRAWN} path[aria-roledescription='point']").last.hover()
    shown = page.locator("#vg-tooltip-element.visible")
    shown.wait_for()
    assert name in shown.inner_text()
    assert page.locator("img").count() == 0


def test_light_and_dark_follow_the_reader(tmp_path: Path, open_page: Any) -> None:
    qrels, runs = made_up(3, 4)
    write_chart(plot("cutoff", qrels, runs), tmp_path / "plot.html")
    page = open_page(tmp_path / "plot.html", scheme="dark")
    assert ground(page) == rgb(COLOURS["dark"]["paper"])
    page.emulate_media(color_scheme="light")
    page.wait_for_function("document.querySelector('.cranfield-drawing').dataset.ground === 'light'")
    page.wait_for_selector(DRAWN)
    assert ground(page) == rgb(COLOURS["light"]["paper"])


def test_paper_is_white(tmp_path: Path, open_page: Any) -> None:
    qrels, runs = made_up(3, 4)
    write_chart(plot("cutoff", qrels, runs), tmp_path / "plot.html")
    page = open_page(tmp_path / "plot.html", scheme="dark")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.wait_for_selector(DRAWN)
    assert ground(page) == rgb(COLOURS["light"]["paper"])
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    page.wait_for_selector(DRAWN)
    assert ground(page) == rgb(COLOURS["dark"]["paper"])


def test_a_theme_may_be_fixed(tmp_path: Path, open_page: Any) -> None:
    qrels, runs = made_up(3, 4)
    write_chart(plot("cutoff", qrels, runs), tmp_path / "plot.html", theme="dark")
    assert ground(open_page(tmp_path / "plot.html", scheme="light")) == rgb(COLOURS["dark"]["paper"])


def test_it_fits_on_a_phone(tmp_path: Path, open_page: Any) -> None:
    qrels, runs = made_up(60, 10)
    write_chart(plot("recall-precision", qrels, runs), tmp_path / "plot.html")
    page = open_page(tmp_path / "plot.html", width=360, height=640)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.locator(DRAWN).bounding_box()["width"] <= 360
