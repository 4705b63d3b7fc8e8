"""Take the pictures of docs/report.md: a report on the files of `cranfield demo --small`, in the system's Chromium."""

from __future__ import annotations

import shutil
import tempfile
from importlib import resources
from pathlib import Path

from playwright.sync_api import sync_playwright

from cranfield.report import write_report

FOLDER = Path(__file__).parent.parent / "docs" / "images"
_WIDTH, _HEIGHT = 1120, 860


def take() -> None:
    """Write the two pictures."""
    with (
        resources.as_file(resources.files("cranfield.cli") / "small_example") as data,
        tempfile.TemporaryDirectory() as place,
    ):
        path = Path(place) / "report.html"
        write_report(data / "qrels.txt", [data / "keyword.run", data / "semantic.run"], path)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            page = browser.new_page(viewport={"width": _WIDTH, "height": _HEIGHT})
            page.goto(path.as_uri())
            page.screenshot(path=FOLDER / "report.png")
            page.goto(f"{path.as_uri()}#topic/sourdough-bread")
            page.evaluate("document.getElementById('drill-note').hidden = true")  # it names the folder of this machine
            page.locator("#drill").screenshot(path=FOLDER / "report-topic.png")
            browser.close()


if __name__ == "__main__":
    take()
