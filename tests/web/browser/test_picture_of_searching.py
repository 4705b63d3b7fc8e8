"""The picture of docs/judging/searching.md: `CRANFIELD_PICTURES=1 pytest -m slow` on this file writes it anew."""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import Any

import pytest

from cranfield.data.documents import Document
from cranfield.engines.indexing import build_index
from cranfield.formats.collections import open_collection
from cranfield.formats.documents import write_documents
from tests.web.browser.conftest import Visitors
from tests.web.browser.pages import sent, type_keys
from tests.web.browser.soups import TEXTS, make_soups
from tests.web.browser.test_pictures import FOLDER, SMALL
from tests.web.browser.test_searching_by_keys import opened, search, search_page
from tests.web.judging.making import make_assessor

MORE = [
    (
        "Beetroot soup",
        "Grate the beetroot, cook it in stock with vinegar, and serve it with sour cream. Keeps for days.",
    ),
    ("Chestnut soup", "A soup for winter evenings: peeled chestnuts, an onion, stock. Half an hour, then the sieve."),
    (
        "Swede soup with bacon",
        "Of all winter vegetables swede makes the smoothest soup. Bacon on top, for those who eat it.",
    ),
]


@pytest.mark.slow
def test_picture(visitors: Visitors, tmp_path: Path, settings: Any) -> None:
    documents = [
        Document(f"{place}{number}", {"title": title, "text": text})
        for place, texts in (("d", TEXTS), ("m", MORE))
        for number, (title, text) in enumerate(texts, 1)
    ]
    write_documents(documents, tmp_path / "docs.jsonl")
    build_index(open_collection(tmp_path / "docs.jsonl"), "tantivy", {}, tmp_path / "index")
    settings.COLLECTION_FOLDERS = [str(tmp_path)]
    project = make_soups(engine=str(tmp_path / "index"), collection=str(tmp_path / "docs.jsonl"))
    page = search_page(visitors, make_assessor(project, "ann"), project, topic="1", viewport=SMALL)
    search(page, "swede bacon")
    page.keyboard.press("/")
    search(page, "winter soup")
    page.keyboard.press("Enter")
    opened(page, page.locator("#results .title").first.inner_text())
    type_keys(page, "3")
    opened(page, page.locator("#results .title").nth(1).inner_text())
    sent(page)
    folder = FOLDER if os.environ.get("CRANFIELD_PICTURES") == "1" else tmp_path
    page.screenshot(path=folder / "searching.png", caret="hide")
    picture = (folder / "searching.png").read_bytes()
    assert struct.unpack(">II", picture[16:24]) == (SMALL["width"], SMALL["height"])
    assert (FOLDER / "searching.png").is_file(), "the page shows it"
