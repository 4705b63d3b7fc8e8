"""The report of `cranfield demo`, as a newcomer opens it."""

from __future__ import annotations

import json
import re

from playwright.sync_api import expect

from tests.browser import OpenPage
from tests.conftest import Demonstration


def test_the_report_of_the_demonstration(demonstration: Demonstration, open_page: OpenPage) -> None:
    page = open_page(demonstration.folder / "report.html")
    assert page.title() == "Which search finds its way through Python's documentation? – Cranfield report"
    assert page.locator("main h2").all_inner_texts() == [
        *("Summary", "Results", "Plots", "Topics", "Failures", "Data quality", "Provenance")
    ]
    names = page.locator("#results-table tbody tr > :nth-child(1)").all_inner_texts()
    assert {name.split()[0] for name in names} == {"bm25", "untuned", "names", "hybrid"}
    assert page.locator("#topic-table tbody tr").count() == 50


def test_topics_and_documents_have_their_words(demonstration: Demonstration, open_page: OpenPage) -> None:
    page = open_page(demonstration.folder / "report.html")
    page.goto(f"{(demonstration.folder / 'report.html').as_uri()}#topic/3")
    # Oracle: topics.toml, and the documents themselves.
    expect(page.locator("#drill-heading")).to_have_text("3: read a csv file with a header row")
    lines = (demonstration.folder / "documents.jsonl").read_text().splitlines()
    titles = {one["id"]: " ".join(one["title"].split()) for one in map(json.loads, lines)}
    first = page.locator("#rankings ol").first.locator("li").first.inner_text()
    (run,) = [
        line
        for line in (demonstration.folder / "runs" / "bm25.run").read_text().splitlines()
        if re.match(r"3 Q0 \S+ 1 ", line)
    ]
    document = run.split()[2]
    assert document in first
    assert titles[document] in first
