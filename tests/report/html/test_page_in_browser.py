"""The report as a reader has it: in a browser, from disk, without a network."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from cranfield import evaluate
from cranfield.report import write_report
from tests.browser import DRAWN, OpenPage
from tests.report.html.material import IMAGE, KEYWORD, QRELS, SCRIPT, SEMANTIC, judgments, ranking, runs


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "demo.html"
    write_report(QRELS, [KEYWORD, SEMANTIC], path)
    return path


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Nine runs with topic texts and document titles."""
    path = tmp_path_factory.mktemp("report") / "many.html"
    texts = {f"q{i}": f"what is number {i}" for i in range(1, 31)}
    titles = {f"d{j}": f"The title of document {j}" for j in range(12)}
    write_report(judgments(30), runs(9, topics=30), path, topics=texts, documents=titles)
    return path


@pytest.fixture(scope="module")
def of_runs(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], Path]:
    """Gives the report of so many runs."""
    folder = tmp_path_factory.mktemp("report")

    @cache
    def written(number: int) -> Path:
        path = folder / f"{number}.html"
        write_report(judgments(30), runs(number, topics=30), path)
        return path

    return written


def column(page: Any, table: str, number: int) -> list[str]:
    """The texts of a column, as far as rows are shown; the first has the number 1."""
    cells = page.locator(f"{table} tbody tr:not([hidden]) > :nth-child({number})")
    return [text.strip() for text in cells.all_inner_texts()]


# What is there


def test_everything_is_there_in_order(demo: Path, open_page: OpenPage) -> None:
    page = open_page(demo)
    assert page.title() == "semantic against keyword – Cranfield report"
    assert page.locator("main h2").all_inner_texts() == [
        *("Summary", "Results", "Plots", "Topics", "Failures", "Data quality", "Provenance")
    ]
    for link in page.locator("nav a").all():
        assert page.locator(link.get_attribute("href")).count() == 1
    # Oracle: `cranfield evaluate` on these files, as the README shows it.
    assert column(page, "#results-table", 1) == ["semantic", "keyword baseline"]
    assert [text.split()[0] for text in column(page, "#results-table", 2)] == ["0.9183", "0.6796"]
    assert "0.8995" in column(page, "#results-table", 3)[0]


def test_charts_are_drawn_and_have_words(demo: Path, open_page: OpenPage) -> None:
    page = open_page(demo)
    assert page.locator(".cranfield-drawing svg.marks").count() == 6
    for plot in page.locator(".plot").all():
        assert plot.locator(".words p").count() >= 1
        assert len(plot.locator("[role=img]").first.get_attribute("aria-label")) > 20


def test_headings_and_landmarks(many: Path, open_page: OpenPage) -> None:
    page = open_page(many)
    levels = page.evaluate("[...document.querySelectorAll('h1,h2,h3,h4')].map(h => Number(h.tagName[1]))")
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert [page.locator(mark).count() for mark in ("main", "nav[aria-label]", "body > header", "body > footer")] == [
        1
    ] * 4
    assert page.locator("html").get_attribute("lang") == "en"
    nameless = "[...document.querySelectorAll('input, select')].filter(e => !e.labels.length).length"
    assert page.evaluate(nameless) == 0
    regions = "[...document.querySelectorAll('[role=region]')].filter(e => !(e.ariaLabel || e.getAttribute('aria-labelledby'))).length"
    assert page.evaluate(regions) == 0


# Sorting and filtering


def test_tables_are_sorted_by_keyboard(many: Path, open_page: OpenPage) -> None:
    page = open_page(many)
    head = page.locator("#results-table thead th").nth(2)
    before = [float(text.split()[0]) for text in column(page, "#results-table", 3)]
    assert head.get_attribute("aria-sort") is None
    head.locator("button").focus()
    page.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") == "descending"
    assert [float(text.split()[0]) for text in column(page, "#results-table", 3)] == sorted(before, reverse=True)
    page.keyboard.press("Space")
    assert head.get_attribute("aria-sort") == "ascending"
    assert [float(text.split()[0]) for text in column(page, "#results-table", 3)] == sorted(before)
    assert page.locator("#results-table th[aria-sort]").count() == 1


def test_the_smallest_p_comes_first(many: Path, open_page: OpenPage) -> None:
    page = open_page(many)
    table = page.locator("#results details table").first
    head = table.locator("thead th", has_text=re.compile("^p$"))
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    at = table.locator("thead th").all_inner_texts().index("p") + 1
    cells = table.locator(f"tbody tr > :nth-child({at})")
    values = [float(cell.get_attribute("data-value")) for cell in cells.all()]
    assert values == sorted(values)
    assert len(values) == 8


def test_every_table_is_sorted_by_its_heads(many: Path, open_page: OpenPage) -> None:
    page = open_page(many)
    assert page.locator("main table").count() == page.locator("main table.sortable").count()
    heads = page.locator("#provenance table thead th")
    heads.first.locator("button").click()
    assert heads.first.get_attribute("aria-sort") == "ascending"


def test_names_are_sorted_as_names(many: Path, open_page: OpenPage) -> None:
    page = open_page(many)
    page.locator("#results-table thead th button").first.click()
    names = [text.split()[0] for text in column(page, "#results-table", 1)]
    assert names == [f"run{number}" for number in range(1, 10)]
    assert column(page, "#topic-table", 1) == [f"q{number}" for number in range(1, 31)]


def test_topics_are_found_by_name_and_text(many: Path, open_page: OpenPage) -> None:
    page = open_page(many)
    page.locator("#topic-filter").fill("NUMBER 7")
    assert column(page, "#topic-table", 1) == ["q7"]
    assert page.locator("#topic-count").inner_text() == "1 of 30 topics"
    page.locator("#topic-filter").fill("")
    assert page.locator("#topic-count").inner_text() == "30 topics"
    page.locator("#topic-kind").select_option("worse")
    differences = [float(text) for text in column(page, "#topic-table", 6)]
    assert differences
    assert max(differences) < 0


def test_another_run_and_another_measure(many: Path, open_page: OpenPage) -> None:
    page = open_page(many)
    page.locator("#left-run").select_option(label="run3")
    page.locator("#right-run").select_option(label="run5")
    page.locator("#topic-measure").select_option(label="AP")
    assert page.locator("#left-head").inner_text() == "run3"
    # Oracle: `evaluate` for single runs, and the difference by hand.
    first, second = (evaluate(judgments(30), ranking(seed, topics=30), "AP")["AP"] for seed in (3, 5))
    topics = [f"q{number}" for number in range(1, 31)]
    assert column(page, "#topic-table", 4) == [f"{first[topic]:.4f}" for topic in topics]
    shown = [float(text) for text in column(page, "#topic-table", 6)]
    assert shown == pytest.approx([second[topic] - first[topic] for topic in topics], abs=6e-5)


# Two rankings side by side


def test_a_topic_shows_both_rankings(demo: Path, open_page: OpenPage) -> None:
    page = open_page(demo)
    assert page.locator("#drill").is_hidden()
    page.locator("#topic-table a", has_text="sourdough-bread").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#drill")).to_be_visible()
    expect(page.locator("#drill-heading")).to_have_text("sourdough-bread")
    assert page.evaluate("document.activeElement.id") == "drill-heading"
    lists = page.locator("#rankings ol")
    # Oracle: keyword.run and semantic.run, read by eye, and qrels.txt.
    rows = [[" ".join(text.split()) for text in lists.nth(at).locator("li").all_inner_texts()] for at in (0, 1)]
    assert rows[0][0] == "1 2 relevant sourdough-loaf"
    assert rows[0][1] == "2 0 not relevant banana-bread gone not retrieved by the other run"
    assert rows[1][1] == "2 1 relevant rye-bread ▲ from 5 up from rank 5"
    assert rows[1][3] == "4 1 relevant overnight-focaccia new not retrieved by the other run"
    assert rows[1][6] == "7 ? not judged ciabatta new not retrieved by the other run"
    moved = page.locator("#rankings path")
    both = {row.split(" relevant ")[-1] for row in rows[0]} & {row.split(" relevant ")[-1] for row in rows[1]}
    assert moved.count() >= len(both)
    assert page.locator("#rankings path.up").count() == 3
    assert page.locator("#rankings path.down").count() == 1
    assert "with the rank in the other" in page.locator("#drill .key").inner_text()
    assert "cranfield explain nDCG@10" in page.locator("#drill-note code").inner_text()


def deep(number: int, *, topics: int = 2, documents: int = 60) -> dict[str, dict[str, float]]:
    """Documents d0, d1, ... moved around by so many places: the first is the one with that number."""
    order = [*range(number, documents), *range(number)]
    return {f"q{topic}": {f"d{j}": 100.0 - at for at, j in enumerate(order)} for topic in range(topics)}


def test_documents_below_the_first_say_where_they_are(tmp_path: Path, open_page: OpenPage) -> None:
    path = tmp_path / "deep.html"
    qrels = {f"q{topic}": {"d3": 1, "d57": 1} for topic in range(2)}
    second = {topic: {"extra": 200.0} | scores for topic, scores in deep(40).items()}
    write_report(qrels, {"first": deep(0), "second": second}, path)
    page = open_page(path)
    page.locator("#topic-table a").first.click()
    lists = page.locator("#rankings ol")
    expect(lists).to_have_count(2)
    rows = [[" ".join(text.split()) for text in lists.nth(at).locator("li").all_inner_texts()] for at in (0, 1)]
    # By hand: first has d0 to d59; second has extra, d40 to d59, then d0, which is number 22, and so on.
    assert rows[0][0] == "1 ? not judged d0 ▼ to 22 down to rank 22"
    assert rows[0][3] == "4 1 relevant d3 ▼ to 25 down to rank 25"
    assert rows[1][0] == "1 ? not judged extra new not retrieved by the other run"
    assert rows[1][18] == "19 1 relevant d57 ▲ from 58 up from rank 58"
    assert "new, gone: not retrieved by the other run" in page.locator("#drill-note").inner_text()


def test_of_many_runs_ranks_are_known_beside_the_baseline(tmp_path: Path, open_page: OpenPage) -> None:
    path = tmp_path / "deep.html"
    runs = {f"run{number}": deep(number) for number in range(0, 44, 2)}
    write_report({"q0": {"d3": 1}, "q1": {"d3": 1}}, runs, path)
    page = open_page(path)
    page.locator("#right-run").select_option(label="run40")
    page.locator("#topic-table a").first.click()
    last = page.locator("#rankings ol").last.locator("li .change").first
    expect(last).to_contain_text("▲ from 41")
    page.locator("#left-run").select_option(label="run2")
    expect(last).to_contain_text("not in first 20")


def test_topics_one_after_the_other(demo: Path, open_page: OpenPage) -> None:
    page = open_page(demo)
    page.goto(f"{demo.as_uri()}#topic/spicy-noodles")
    expect(page.locator("#drill-heading")).to_have_text("spicy-noodles")
    page.locator("#drill-next").click()
    expect(page.locator("#drill-heading")).to_have_text("vegetable-soup")
    page.locator("#drill-next").click()
    expect(page.locator("#drill-heading")).to_have_text("dessert-without-oven")
    page.locator("#drill-previous").click()
    expect(page.locator("#drill-heading")).to_have_text("vegetable-soup")
    assert page.locator("#topic-table tr.chosen a").inner_text() == "vegetable-soup"
    page.locator("#drill-close").click()
    assert page.locator("#drill").is_hidden()
    assert page.evaluate("document.activeElement.textContent") == "vegetable-soup"
    page.locator("#failures a.topic").first.click()
    expect(page.locator("#drill")).to_be_visible()


def test_the_address_of_a_topic_leads_to_it(many: Path, browser: Any) -> None:
    """In a window that has not shown the page before: the charts above the topic are drawn after it was found."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(f"{many.as_uri()}#topic/q12")
    page.wait_for_function(DRAWN)
    heading = page.locator("#drill-heading")
    expect(heading).to_have_text("q12: what is number 12")
    expect(heading).to_be_in_viewport()
    page.close()


def test_who_scrolls_meanwhile_is_left_alone(many: Path, browser: Any) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(f"{many.as_uri()}#topic/q12", wait_until="commit")
    page.locator("#drill-heading").wait_for()
    page.evaluate("window.dispatchEvent(new Event('wheel')); window.scrollTo({ top: 0, behavior: 'instant' })")
    page.wait_for_function(DRAWN)
    expect(page.locator("h1")).to_be_in_viewport()
    page.close()


def test_a_topic_that_there_is_not(many: Path, open_page: OpenPage) -> None:
    page = open_page(many)
    message = page.locator("#topic-message")
    expect(message).to_be_hidden()
    page.evaluate("location.hash = 'topic/999'")
    expect(message).to_have_text("There is no topic 999 in this report.")
    expect(message).to_be_in_viewport()
    page.evaluate("location.hash = 'topic/q3'")
    expect(message).to_be_hidden()
    page.locator("#topic-filter").fill("nothing of that kind")
    expect(message).to_have_text("No topic matches.")
    page.locator("#topic-filter").fill("q3")
    expect(message).to_be_hidden()


def test_titles_and_texts_are_shown(many: Path, open_page: OpenPage) -> None:
    page = open_page(many)
    page.locator("#topic-table a", has_text="q12").first.click()
    expect(page.locator("#drill-heading")).to_have_text("q12: what is number 12")
    assert page.locator("#rankings .title").first.inner_text().startswith("The title of document")


# Screens and paper


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_small_screen_nothing_sticks_out(many: Path, open_page: OpenPage, scheme: str) -> None:
    page = open_page(many, width=360, height=740, scheme=scheme)
    page.locator("#topic-table a").first.click()
    expect(page.locator("#drill")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    lines = page.locator("#provenance tbody tr").first.locator("> *")
    assert {line.evaluate("one => getComputedStyle(one).borderBottomWidth") for line in lines.all()} == {"1px"}


SIZES = """() => [...document.querySelectorAll('.cranfield-chart')].map(figure => {
  const svg = figure.querySelector('svg.marks');
  return [figure.dataset.name, figure.clientWidth, Number(svg.getAttribute('width'))];
})"""
"""Of each chart its name, the room it has, and how wide it is before the style sheet makes it smaller."""
TEXTS_OUTSIDE = """() => [...document.querySelectorAll('.cranfield-chart svg.marks')].flatMap(svg => {
  const frame = svg.getBoundingClientRect();
  return [...svg.querySelectorAll('text')].filter(text => {
    const box = text.getBoundingClientRect();
    return text.textContent && (box.left < frame.left - 1 || box.right > frame.right + 1);
  }).map(text => text.textContent);
})"""


@pytest.mark.slow
@pytest.mark.parametrize("number", [2, 4, 9])
@pytest.mark.parametrize("width", [360, 1280])
def test_charts_are_drawn_for_the_room_there_is(
    number: int, width: int, of_runs: Callable[[int], Path], open_page: OpenPage
) -> None:
    page = open_page(of_runs(number), width=width)
    for name, room, drawn in page.evaluate(SIZES):
        assert drawn <= room + 1, name
        if width == 360 or name in ("cranfield-difference", "cranfield-coverage"):
            assert drawn >= 0.85 * room, name
    assert page.evaluate(TEXTS_OUTSIDE) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_panels_are_below_each_other_where_there_is_no_room(
    of_runs: Callable[[int], Path], open_page: OpenPage
) -> None:
    page = open_page(of_runs(4), width=1280)
    named = page.locator("[data-name=cranfield-difference] svg text", has_text=re.compile(r"^run[234]$"))

    def places() -> list[tuple[int, int]]:
        boxes = [named.nth(at).bounding_box() for at in range(named.count())]
        return [(round(box["x"]), round(box["y"])) for box in boxes]

    lefts, tops = zip(*places(), strict=True)
    assert (len(set(lefts)), len(set(tops))) == (3, 1)
    page.set_viewport_size({"width": 360, "height": 740})
    page.wait_for_function("document.querySelector('.cranfield-drawing').dataset.drawn.match(/ 3\\d\\d$/)")
    page.wait_for_function(
        "() => { const f = document.querySelector('.cranfield-chart');"
        " return f.querySelector('svg.marks').getAttribute('width') <= f.clientWidth + 1; }"
    )
    lefts, tops = zip(*places(), strict=True)
    assert (len(set(lefts)), len(set(tops))) == (1, 3)


CONTRASTS = """() => {
  const light = (c) => { c /= 255; return c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4; };
  const parse = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
  const luminance = ([r, g, b]) => .2126 * light(r) + .7152 * light(g) + .0722 * light(b);
  const ground = (node) => {
    for (let one = node; one; one = one.parentElement) {
      const colour = parse(getComputedStyle(one).backgroundColor);
      if (colour.length === 3 || colour[3] > .99) return colour;
    }
    return [255, 255, 255];
  };
  const low = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || parent.closest("script, style, svg, .cranfield-chart, [hidden]")) continue;
    if (!parent.checkVisibility()) continue;
    const [a, b] = [parse(getComputedStyle(parent).color), ground(parent)].map(luminance);
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < 4.5) low.push(`${ratio.toFixed(2)} ${parent.className} ${walker.currentNode.textContent.trim().slice(0, 40)}`);
  }
  return low;
}"""
"""WCAG 2.2, 1.4.3: text has a contrast of 4.5 to 1 with what is behind it."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out(demo: Path, open_page: OpenPage, scheme: str) -> None:
    page = open_page(demo, scheme=scheme)
    page.locator("#topic-table a").first.click()
    expect(page.locator("#drill")).to_be_visible()
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == {"light": "rgb(255, 255, 255)", "dark": "rgb(22, 25, 29)"}[scheme]
    assert page.evaluate(CONTRASTS) == []
    drawn = page.locator(".cranfield-drawing").first
    assert drawn.get_attribute("data-ground") == scheme


def test_paper_is_white_and_has_everything(demo: Path, open_page: OpenPage) -> None:
    page = open_page(demo, scheme="dark")
    page.emulate_media(media="print")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.wait_for_function(
        "() => [...document.querySelectorAll('.cranfield-drawing')].every(d => d.dataset.ground === 'light')"
    )
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.locator("details.fold:not([open])").count() == 0
    assert page.locator("nav").is_hidden()
    assert len(page.pdf(format="A4")) > 50_000


# What users name


def test_names_with_marks_are_only_text(tmp_path: Path, open_page: OpenPage) -> None:
    path = tmp_path / "marks.html"
    qrels = {SCRIPT: {"d1": 2, IMAGE: 1, "d3": 0}, "q/2?#": {"d1": 1}}
    first = {SCRIPT: {"d1": 1.0, IMAGE: 2.0, "d3": 3.0}, "q/2?#": {"d1": 1.0}}
    second = {SCRIPT: {"d1": 1.0, IMAGE: 0.5, "d9": 3.0}, "q/2?#": {"d2": 3.0, "d1": 1.0}}
    texts, titles = {SCRIPT: IMAGE, "q/2?#": SCRIPT}, {"d1": SCRIPT, IMAGE: SCRIPT}
    write_report(
        qrels, {SCRIPT: first, IMAGE: second}, path, topics=texts, documents=titles, title=IMAGE, command=IMAGE
    )
    page = open_page(path)
    assert page.locator("h1").inner_text() == IMAGE
    for at in (0, 1):
        page.locator("#topic-table a").nth(at).click()
        expect(page.locator("#drill")).to_be_visible()
        assert page.locator("#rankings li").count() >= 2
    assert SCRIPT in page.locator("#left-run").inner_text()
    assert page.evaluate("window.harm") is None
    assert page.locator("img, body script[src]").count() == 0


def test_bytes_that_are_no_text(tmp_path: Path, open_page: OpenPage) -> None:
    path = tmp_path / "bytes.html"
    name = b"caf\xe9".decode("utf-8", "surrogateescape")
    write_report({name: {name: 1}, "q2": {"d": 1}}, {name: {name: {name: 1.0}, "q2": {"d": 1.0}}}, path)
    page = open_page(path)
    page.locator("#topic-table a").first.click()
    expect(page.locator("#rankings .name")).to_have_text("caf\ufffd")
    path.read_bytes().decode("utf-8")


# Little or odd input


def cases() -> Iterator[Any]:
    one = {"q1": {"a": 1}}
    yield pytest.param(
        one, {"first": {"q1": {"a": 1}}, "second": {"q1": {"b": 2, "a": 1}}}, "one topic", id="one topic"
    )
    yield pytest.param(judgments(), {"same": ranking(1), "again": ranking(1)}, "one run twice", id="the same run")
    nothing = {"q1": {"x": 1.0}, "q2": {"x": 1.0}}
    yield pytest.param(
        {"q1": {"a": 1}, "q2": {"b": 1}}, {"one": nothing, "other": nothing}, "", id="nothing relevant found"
    )
    yield pytest.param(judgments(), ranking(1), "compared with nothing", id="one run")
    yield pytest.param({"q1": {"a": 1}}, {"q1": {"b": 2.0, "a": 1.0}}, "one topic", id="one run, one topic")
    yield pytest.param({"q1": {"a": 0}}, {"q1": {"a": 1.0}}, "no relevant document", id="nothing relevant")
    short = ranking(2, topics=5)
    yield pytest.param(
        judgments(), {"whole": ranking(1), "short": short}, "nothing for 1 of 6 topics", id="a topic in one run"
    )


@pytest.mark.slow
@pytest.mark.parametrize(("qrels", "given", "said"), list(cases()))
def test_odd_input_is_told_truly(qrels: Any, given: Any, said: str, tmp_path: Path, open_page: OpenPage) -> None:
    path = tmp_path / "odd.html"
    write_report(qrels, given, path)
    page = open_page(path, width=360)
    assert said in page.locator("#summary").inner_text().replace("\u00a0", " ")
    page.locator("#topic-table a").last.click()
    expect(page.locator("#drill")).to_be_visible()
    assert page.locator("#rankings li").count() >= 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.slow
def test_two_hundred_systems(tmp_path: Path, open_page: OpenPage) -> None:
    path = tmp_path / "systems.html"
    write_report(judgments(8), runs(200, topics=8), path)
    page = open_page(path)
    assert page.locator("#results-table tbody tr").count() == 200
    assert page.locator("#right-run option").count() == 200
    said = page.locator("main").inner_text().replace("\u00a0", " ")
    assert "200 runs; the table scrolls inside its frame." in said
    assert "Not drawn: 200 runs have 19900 pairs" in said  # 200 · 199 / 2
    page.locator("#right-run").select_option(label="run150")
    assert page.locator("#right-head").inner_text() == "run150"


# Real data


@pytest.mark.slow
@pytest.mark.real_data
def test_sixteen_runs_of_trec_covid(real_data: Path, tmp_path: Path, open_page: OpenPage) -> None:
    path, folder = tmp_path / "covid.html", real_data / "trec_covid_r1"
    given = sorted(folder.glob("runs/*.gz"))
    texts = folder / "topics.covid-round1.xml"
    qrels = folder / "qrels-rnd1.txt"
    options: dict[str, Any] = {"profile": "trec_eval-9", "complete": True, "depth": 1000}
    write_report(qrels, given, path, topics=texts, measures=["nDCG@10", "AP"], **options)
    assert path.stat().st_size < 2_000_000
    page = open_page(path)
    # Oracle: the leaderboard of TREC-COVID round 1 (leaderboard.csv), made by NIST with trec_eval 9, -c -M1000.
    with (folder / "leaderboard.csv").open(newline="") as file:
        official = {row["run"].strip(): (row["ndcg@10"], row["MAP"]) for row in csv.DictReader(file)}
    columns = [column(page, "#results-table", number) for number in (1, 2, 3)]
    shown = {name.split()[0]: (ndcg[:6], ap[:6]) for name, ndcg, ap in zip(*columns, strict=True)}
    assert len(shown) == 16
    assert shown == {name: official[name] for name in shown}
    page.locator("#topic-filter").fill("weather")
    page.locator("#topic-table tr:not([hidden]) a").click()
    expect(page.locator("#drill-heading")).to_have_text("2: coronavirus response to weather changes")
    assert page.locator("#rankings li").count() == 40
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280
