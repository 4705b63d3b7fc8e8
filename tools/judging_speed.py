"""How long it takes from the key that grades a document to the next one on the screen, in a real browser.

`python -m tools.judging_speed [ANSWERS]` starts the application over an SQLite database of its own on loopback, judges
with the keyboard of Chromium, and prints what it took until the browser had painted the next document.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.web.load.installation import Installation

READING = 300
"""Milliseconds that the assessor looks at a document."""
WATCH = """() => {
  window.taken = [];
  let pressed = null;
  addEventListener("keydown", (event) => { pressed = event.timeStamp; }, true);
  new MutationObserver(() => {
    const from = pressed;
    pressed = null;
    // After the frame in which it is painted.
    if (from !== null) requestAnimationFrame(() => setTimeout(() => window.taken.push(performance.now() - from)));
  }).observe(document.getElementById("documents"), { childList: true });
}"""


def measure(answers: int) -> list[float]:
    """Milliseconds, one for each answer."""
    with tempfile.TemporaryDirectory() as folder:
        installation = Installation(Path(folder))
        installation.migrate()
        made = installation.ask("make", 1, 2, answers, 1, 30)
        installation.start()
        try:
            return _judge(installation.port, made, answers)
        finally:
            installation.kill()


def _judge(port: int, made: dict[str, Any], answers: int) -> list[float]:
    from playwright.sync_api import sync_playwright

    site = f"http://127.0.0.1:{port}"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        context = browser.new_context()
        cookies = (pair.split("=", 1) for pair in made["cookies"][0].split("; "))
        context.add_cookies([{"name": name, "value": value, "url": site} for name, value in cookies])
        page = context.new_page()
        page.goto(f"{site}/projects/{made['project']}/judge/")
        page.locator("#documents .document").wait_for()
        page.evaluate(WATCH)
        for number in range(answers):
            page.wait_for_timeout(READING)
            page.keyboard.press("012"[number % 3])
            page.wait_for_function("count => window.taken.length === count", arg=number + 1)
        taken: list[float] = page.evaluate("() => window.taken")
        browser.close()
    return taken


def main() -> None:
    taken = sorted(measure(int(sys.argv[1]) if len(sys.argv) > 1 else 100))
    print(
        f"{len(taken)} answers: median {statistics.median(taken):.0f} ms, 95 of 100 within "
        f"{taken[int(0.95 * (len(taken) - 1))]:.0f} ms, slowest {taken[-1]:.0f} ms"
    )


if __name__ == "__main__":
    main()
