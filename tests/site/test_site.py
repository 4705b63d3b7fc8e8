"""The site has what the pages have, and nothing that comes from elsewhere."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from tools.site.formulas import fence
from tools.site.hooks import folder_nav

ROOT = Path(__file__).parent.parent.parent
DOCS = ROOT / "docs"
COUNTED = {"code", "em", "h1", "h2", "h3", "img", "li", "pre", "strong", "table", "td", "th"}


class Elements(HTMLParser):
    """Counts elements, and notes what is loaded: of all the text, or of what is inside one element."""

    def __init__(self, text: str, inside: str = "") -> None:
        super().__init__()
        self.counts, self.loaded = Counter[str](), list[str]()
        self._inside, self._counting = inside, not inside
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        if self._counting and tag in COUNTED:
            self.counts[tag] += 1
        self._counting = self._counting or tag == self._inside
        if tag in ("script", "img", "iframe", "link"):
            self.loaded += [value for name in ("src", "href") if (value := given.get(name))]

    def handle_endtag(self, tag: str) -> None:
        if tag == self._inside:
            self._counting = False


def shown_pages(site: Path) -> Iterator[tuple[Path, str]]:
    """Each page of docs/, and what became of it."""
    for page in sorted(DOCS.rglob("*.md")):
        place = page.relative_to(DOCS)
        yield (
            page,
            (site / place.with_name("index.html" if page.name == "README.md" else f"{page.stem}.html")).read_text(),
        )


def test_pages_have_on_the_site_what_they_have_on_github(site: Path) -> None:
    """Oracle: markdown-it, which follows CommonMark, as GitHub does; formulas and marks of alerts left out."""
    parser = MarkdownIt("commonmark").enable("table")
    differing = {}
    for page, shown in shown_pages(site):
        text = re.sub(r"^```math\n.*?^```$|^> \[!\w+\]$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
        expected, found = Elements(parser.render(text)).counts, Elements(shown, inside="article").counts
        if expected != found:
            differing[page.name] = {tag: (expected[tag], found[tag]) for tag in COUNTED if expected[tag] != found[tag]}
    assert not differing


def test_every_formula_is_typeset(site: Path) -> None:
    for page, shown in shown_pages(site):
        assert shown.count("<math ") == page.read_text().count("```math\n"), page.name
        # What the converter does not know it shows as it is written.
        assert not re.search(r"<m[a-z]+>\\", shown), page.name


def test_a_formula_becomes_what_it_says() -> None:
    fraction = "<mfrac><mrow><mn>1</mn></mrow><mrow><mi>R</mi></mrow></mfrac>"
    assert fraction in fence(r"\frac{1}{R}", "math", "formula", {}, None)


def test_nothing_is_loaded_from_a_network(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 200
    loaded = {address for page in pages for address in Elements(page.read_text()).loaded}
    assert not [address for address in loaded if re.match(r"(\w+:)?//", address)]
    for style in site.rglob("*.css"):
        assert not re.search(r"@import|url\(['\"]?(https?:)?//", style.read_text()), style.name


def test_files_outside_docs_are_pages_too(site: Path) -> None:
    measure = (site / "measures" / "nDCG.html").read_text()
    assert 'href="../source/src/cranfield/measures/dcg.py.html"' in measure
    assert "normalised_discounted_cumulative_gain" in (site / "source/src/cranfield/measures/dcg.py.html").read_text()
    assert "toy_server.py" in (site / "source" / "examples" / "recipes.html").read_text()
    assert "Rooms import downwards only" in (site / "source" / "ARCHITECTURE.html").read_text()


def test_alerts_are_boxes(site: Path) -> None:
    assert '<div class="admonition warning">' in (site / "measures" / "nDCG.html").read_text()
    assert not [page for page, shown in shown_pages(site) if "[!" in re.sub("<code>.*?</code>", "", shown)]


@pytest.mark.parametrize("folder", ["decisions", "engines", "measures", "statistics"])
def test_a_folder_in_the_menu_has_each_of_its_pages_once(folder: str) -> None:
    def pages(nav: object) -> Iterator[str]:
        match nav:
            case str():
                yield nav
            case dict():
                for below in nav.values():
                    yield from pages(below)
            case list():
                for one in nav:
                    yield from pages(one)

    listed = list(pages(folder_nav(f"{folder}/")))
    assert sorted(listed) == sorted(f"{folder}/{page.name}" for page in (DOCS / folder).glob("*.md"))


def test_measures_are_grouped_as_their_page_groups_them() -> None:
    front, *groups = folder_nav("measures/")
    assert front == "measures/README.md"
    headings = re.findall(r"^## (.+)$", (DOCS / "measures" / "README.md").read_text(), re.MULTILINE)
    assert [next(iter(group)) for group in groups if isinstance(group, dict)] == headings
