"""A browser that opens what was written, and complains of anything it asks for or stumbles over."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

OpenPage = Callable[..., Any]
"""Takes a path, and `width`, `scheme` (light or dark); gives the page when all of it is drawn."""

DRAWN = "() => [...document.querySelectorAll('.cranfield-drawing')].every(one => one.querySelector('svg.marks'))"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """The system's Chromium; gone with the module, for while it is there an event loop is in the thread of the tests."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        reason = "there is no Chromium on this machine (make services installs it)"
        if os.environ.get("CRANFIELD_REQUIRE_ALL") == "1":
            pytest.fail(f"{reason}, and CRANFIELD_REQUIRE_ALL=1 says that nothing may be skipped")
        pytest.skip(reason)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture
def open_page(browser: Any) -> Iterator[OpenPage]:
    """Opens a file without a network; when the test ends, nothing may have gone wrong in the page."""
    contexts: list[Any] = []
    problems: list[str] = []
    requests: list[str] = []

    def opened(path: Path, *, width: int = 1280, height: int = 900, scheme: str = "light", **more: Any) -> Any:
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce", **more
        )
        contexts.append(context)
        context.set_default_timeout(60_000)
        page = context.new_page()
        page.on(
            "console", lambda message: problems.append(message.text) if message.type in ("error", "warning") else None
        )
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(path.as_uri())
        page.wait_for_function(DRAWN)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not problems
    assert [url for url in requests if not url.startswith(("file:", "data:", "blob:"))] == []
