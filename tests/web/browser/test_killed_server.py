"""The server is killed while somebody judges, and started again: nothing is lost, and nothing counts twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.web.browser.pages import sent, type_keys, waiting
from tests.web.load.installation import Installation


@pytest.mark.slow
def test_killed_in_the_middle(browser: Any, tmp_path: Path) -> None:
    installation = Installation(tmp_path)
    installation.migrate()
    made = installation.ask("make", 1, 1, 12, 1, 30)
    context = browser.new_context()
    site = f"http://127.0.0.1:{installation.port}"
    cookies = (pair.split("=", 1) for pair in made["cookies"][0].split("; "))
    context.add_cookies([{"name": name, "value": value, "url": site} for name, value in cookies])
    try:
        installation.start()
        page = context.new_page()
        page.goto(f"{site}/projects/{made['project']}/judge/")
        page.locator("#documents .document").wait_for()
        type_keys(page, "2", "1", "0")
        installation.kill()
        type_keys(page, "2", "1")
        page.locator("#connection", has_text="Offline").wait_for()
        assert 2 <= waiting(page) <= 5
        installation.start()
        sent(page)
        type_keys(page, "2", "1")
        sent(page)
        page.locator("#connection").wait_for(state="hidden")
    finally:
        context.close()
        installation.kill()
    counted = installation.ask("count")
    assert len(counted["events"]) == counted["judged"] == 7
    assert counted["late"] == []
