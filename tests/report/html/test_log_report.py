"""The report on a log: what is named, what is left out and why, and the page as a browser has it."""

from __future__ import annotations

from pathlib import Path

import pytest

from cranfield.errors import DataError, UsageError
from cranfield.logs.log import Log, Part
from cranfield.report.html.log_report import SECTIONS, LogReport, write_log_report
from cranfield.report.html.log_sections import LogTable
from tests.browser import OpenPage
from tests.logs.made_up import simulated
from tests.logs.making import event, imported, make_log, query, shown, write

SCRIPT = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, LogReport]:
    """Three people ask for the same, one for something of their own."""
    rows = []
    for number, user in enumerate(("ann", "bob", "cid")):
        who = {"client_id": user}
        for turn, text in enumerate((SCRIPT, "hot soup")):
            name, at = f"q{number}-{turn}", 1000 * number + 60 * turn
            rows += [query(name, text, at, **who), *shown(name, ["a", "b"], at, **who)]
            rows += [event("click", name, "a", 1, at + 5, **who)]
    rows += [query("own", "my own illness", 9000), *shown("own", ["secret"], 9000)]
    rows += [query("then", "my own illness again", 9060), *shown("then", ["secret"], 9060)]
    folder = tmp_path_factory.mktemp("log")
    page = folder / "report.html"
    return page, write_log_report(make_log(folder, rows), page)


def test_every_section_is_there_or_says_why(small: tuple[Path, LogReport]) -> None:
    page, written = small
    assert [section.name for section in written.sections] == [*SECTIONS, "sources"]
    assert list(written.missing) == ["models", "judgments"]
    assert "documents that were shown have 6 clicks" in written.missing["models"]
    assert "Nothing can be said: " in page.read_text()
    # 3 x 2 + 2 queries of three users (the one who asks for something of their own is Ann), 6 of 8 with a click.
    assert (
        written.headline == "8 queries by 3 users from 2026-03-01 to 2026-03-01; 75 % of them were followed by a click."
    )


def test_times_that_are_made_up_are_left_out(tmp_path: Path) -> None:
    rows = [f'{user}\t{text}\t["a", "b"]\t[1, 0]' for user in ("s1", "s2") for text in ("soup", "tea", "soup")]
    imported(write(tmp_path / "rows", rows), tmp_path / "log", format="lists")
    written = write_log_report(Log(tmp_path / "log"), tmp_path / "report.html")
    assert written.headline == "6 queries by 2 users; 100 % of them were followed by a click."
    text = (tmp_path / "report.html").read_text()
    assert "The log does not say when anything happened (lists): its times are made up" in text
    assert "2000-01" not in repr([(one.words, one.tables, one.notes) for one in written.sections])
    sections = {section.name: section for section in written.sections}
    assert (sections["traffic"].figures, sections["again"].figures) == ((), ())
    assert "ttl" not in {row[0] for row in sections["caches"].tables[0].rows}


def test_queries_of_one_person_are_never_named(small: tuple[Path, LogReport]) -> None:
    text = small[0].read_text()
    assert "hot soup" in text
    assert "illness" not in text


def test_the_way_of_one_person_is_not_shown(tmp_path: Path) -> None:
    """Two people put both queries, but only one of them put one after the other."""
    times = {"ann": {"soup": 0, "tea": 60}, "bob": {"soup": 9000, "tea": 90_000}}
    rows = [
        query(f"{user}-{text}", text, at, client_id=user) for user, each in times.items() for text, at in each.items()
    ]
    others = [name for name in SECTIONS if name != "anew"]
    log = make_log(tmp_path, rows)
    section = write_log_report(log, tmp_path / "r.html", without=others).sections[0]
    assert section.words[1] == "Queries that were followed by another of the same session within 5 minutes: 1"
    assert (len(section.figures), [table.title for table in section.tables]) == (0, ["Kinds of change"])
    section = write_log_report(log, tmp_path / "r.html", without=others, least_people=1).sections[0]
    assert list(section.tables[1].rows) == [("soup", "tea", "other", 1, 1)]


def test_texts_of_users_are_no_code(small: tuple[Path, LogReport]) -> None:
    text = small[0].read_text()
    assert SCRIPT not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text


def test_they_are_named_if_one_asks_for_it(tmp_path: Path) -> None:
    log = make_log(tmp_path, [query("q1", "my own illness"), *shown("q1", ["a"])])
    others = [name for name in SECTIONS if name != "asked"]
    written = write_log_report(log, tmp_path / "r.html", least_people=1, without=others)
    assert [section.name for section in written.sections] == ["asked", "sources"]
    assert "my own illness" in (tmp_path / "r.html").read_text()
    assert "fewer than" not in (tmp_path / "r.html").read_text()


def test_the_anonymity_of_the_log_is_kept(tmp_path: Path) -> None:
    rows = [query(f"q{number}", "soup", 60 * number, client_id=f"u{number}") for number in range(3)]
    rows += [query(f"t{number}", "tea", 60 * number, client_id=f"u{number}") for number in range(4)]
    log = make_log(tmp_path, rows, anonymity=3)
    written = write_log_report(log, tmp_path / "r.html", without=[name for name in SECTIONS if name != "asked"])
    head = written.sections[0].tables[0]
    assert [row[0] for row in head.rows] == ["tea", "soup"]
    assert "fewer than 3 people" in (tmp_path / "r.html").read_text()


def test_what_is_wrong_is_said_before_the_work(tmp_path: Path) -> None:
    log = make_log(tmp_path, [query("q1", "soup")])
    with pytest.raises(UsageError, match=r"no section 'model'.*models"):
        write_log_report(log, tmp_path / "r.html", without=["model"])
    with pytest.raises(UsageError, match=r"ends in \.pdf"):
        write_log_report(log, tmp_path / "r.pdf")
    done = list[str]()
    with pytest.raises(UsageError, match=r"^/proc/r\.html: cannot be written"):  # where nobody can make a file
        write_log_report(log, "/proc/r.html", progress=lambda what, share: done.append(what))
    assert done == []
    with pytest.raises(DataError, match="no queries in this part"):
        write_log_report(Log(log.path, Part(since="2027-01-01")), tmp_path / "r.html")
    assert not (tmp_path / "r.html").exists()


def test_every_section_says_in_words_what_it_is(small: tuple[Path, LogReport]) -> None:
    assert [section.name for section in small[1].sections if not section.words] == []


def test_sources_are_named_without_their_folders(small: tuple[Path, LogReport]) -> None:
    page, written = small
    sources = written.sections[-1].tables[0]
    assert all("/" not in row[0] for row in sources.rows)
    assert str(page.parent) not in page.read_text()


def test_cells_have_their_units_and_what_they_are_sorted_by() -> None:
    rows = [("soup", 1200, 0.25, 12.345), ("tea", 0, None, float("nan"))]
    table = LogTable("Some", ("query", "times", "share", "ms"), rows, digits=1, shares=("share",))
    assert table.cells == [
        [("soup", "soup"), ("1,200", 1200), ("25.0 %", 0.25), ("12.3", 12.345)],
        [("tea", "tea"), ("0", 0), ("–", None), ("–", None)],
    ]


def test_its_tables_can_be_sorted(small: tuple[Path, LogReport], open_page: OpenPage) -> None:
    """Both queries were put three times, so they stand by name; the second click on a head turns that round."""
    page = open_page(small[0])
    table = page.locator("table[aria-labelledby=asked-table-1]")
    first = table.locator("tbody tr > :first-child")
    before = first.all_inner_texts()
    assert before == sorted(before)
    table.get_by_role("button", name="query").click()
    table.get_by_role("button", name="query").click()
    assert first.all_inner_texts() == before[::-1]
    assert table.locator("th[aria-sort=descending]").inner_text() == "query"


@pytest.mark.slow
def test_the_page_in_a_browser(tmp_path: Path, open_page: OpenPage) -> None:
    simulated(tmp_path / "log", sessions=600, days=16)
    path = tmp_path / "report.html"
    written = write_log_report(Log(tmp_path / "log"), path)
    assert written.missing == {}
    page = open_page(path)
    assert page.locator("main h2").count() == len(SECTIONS) + 2  # and the summary, and what it is made of
    for link in page.locator("nav a").all():
        assert page.locator(link.get_attribute("href")).count() == 1
    figures = sum(len(section.figures) for section in written.sections)
    assert page.locator(".cranfield-drawing svg.marks").count() == figures >= 6
    narrow = open_page(path, width=360, scheme="dark")
    assert narrow.evaluate("document.documentElement.scrollWidth") == 360
    for caption in narrow.locator("h3.caption").all():
        assert caption.evaluate("one => one.scrollWidth <= one.clientWidth")
