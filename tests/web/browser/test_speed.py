"""The tool that measures how fast the next document comes."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import pytest

from tools.judging_speed import READING, WATCH, measure

pytestmark = pytest.mark.slow

LATER = 400
PAGE = f"""<div id="documents"></div><div id="others"></div><script>
  const add = (id) => document.getElementById(id).append(document.createElement("p"));
  addEventListener("keydown", () => {{ add("others"); setTimeout(() => add("documents"), {LATER}); }});
</script>"""


def test_every_answer_is_measured_and_reading_is_not() -> None:
    """Before the other test: while that one's browser is there, the tool cannot have another."""
    before = perf_counter()
    taken = measure(5)
    whole = (perf_counter() - before) * 1000
    assert len(taken) == 5
    assert 0 < sum(taken) < whole - 5 * READING


def test_from_the_key_until_the_document_is_there(browser: Any) -> None:
    """On a page where it comes so much later; it cannot have taken longer than the page was watched."""
    page = browser.new_page()
    page.set_content(PAGE)
    page.evaluate(WATCH)
    page.wait_for_timeout(LATER)
    before = page.evaluate("performance.now()")
    page.keyboard.press("1")
    page.wait_for_function("window.taken.length === 1")
    watched = page.evaluate("performance.now()") - before
    # Browsers round times, so that pages cannot time what is not theirs.
    assert LATER - 1 <= page.evaluate("window.taken[0]") <= watched + 1
    page.close()
