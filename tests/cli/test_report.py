"""`cranfield report`."""

from __future__ import annotations

import contextlib
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner

from cranfield.cli.main import cli
from cranfield.formats.files import telling_progress
from tests.cli.running import run_cranfield, run_in_terminal
from tests.report.html.material import DEMO

FILES = ("qrels.txt", "keyword.run", "semantic.run")


def test_a_report_with_everything_is_opened_in_the_browser(tmp_path: Path) -> None:
    (tmp_path / "topics.tsv").write_text("quick-pasta\tpasta in a hurry\n")
    (tmp_path / "titles.jsonl").write_text('{"_id": "lasagne", "title": "Lasagne al forno"}\n')
    browser, opened = tmp_path / "browser", tmp_path / "opened"
    browser.write_text(f'#!/bin/sh\necho "$1" > "{opened}"\n')
    browser.chmod(browser.stat().st_mode | stat.S_IXUSR)
    page = tmp_path / "a report.html"
    done = run_cranfield(
        "report", *FILES, "-o", page, "-m", "AP", "--baseline", "semantic", "--title", "Two of them", "--alpha", "0.1",
        "--topics", tmp_path / "topics.tsv", "--documents", tmp_path / "titles.jsonl", "--tables", tmp_path / "tables",
        "--open", cwd=DEMO, environment={"BROWSER": f"{browser} %s"},
    )  # fmt: skip
    assert done.exit_code == 0, done.stderr
    assert done.stdout == b""
    told, address = done.stderr.splitlines()
    assert told.startswith(f"{page}: ")
    assert address == page.as_uri()
    text = page.read_text()
    for words in ("<h1>Two of them</h1>", "pasta in a hurry", "Lasagne al forno", "--baseline semantic", "alpha 0.1"):
        assert words in text
    assert (tmp_path / "tables" / "results.tex").is_file()
    assert opened.read_text().strip() == page.as_uri()


def test_a_terminal_sees_how_far_it_is(tmp_path: Path) -> None:
    shown = run_in_terminal("report", *FILES, "-o", str(tmp_path / "report.html"), cwd=DEMO)
    assert "] " in shown
    assert "reading judgments" in shown
    assert "drawing: " in shown
    assert shown.endswith(
        "report.html: semantic has the better nDCG@10, .918 against .680 of keyword, but that may be chance.\n"
        f"{(tmp_path / 'report.html').as_uri()}\n"
    )


@pytest.mark.parametrize("library", ["altair", "jinja2"])
def test_without_the_extra(tmp_path: Path, library: str) -> None:
    (tmp_path / f"{library}.py").write_text("raise ImportError")
    done = run_cranfield("report", *FILES, "-o", "-", cwd=DEMO, environment={"PYTHONPATH": str(tmp_path)})
    assert done.exit_code == 2
    assert "needs an optional library: pip install 'cranfield[report]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_standard_output_alone() -> None:
    """A bar that is there already, as that of `cranfield update`, hears nothing of the files that are read."""
    told: list[str] = []
    with contextlib.chdir(DEMO), telling_progress(lambda name, share: told.append(name)):
        done = CliRunner().invoke(cli, ["report", *FILES, "-o", "-"])
    assert done.stdout.startswith("<!DOCTYPE html>")
    assert done.stdout.endswith("</html>\n")
    assert (done.stderr, told) == ("", [])


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ((), 2, "Missing option '-o'"),
        (("-o", "a"), 2, "cranfield: a: a report is a page, whose name ends in .html or .htm; this one has no ending."),
        (("-o", "a.htlm"), 2, "Did you mean a.html?"),
        (("-o", "a.pdf"), 2, "For paper, open the page in a browser and print it"),
        (("-o", "no/report.html"), 2, "cranfield: no/report.html: cannot be written: there is no folder 'no'"),
        (("-o", "-", "--open"), 2, "cranfield: --open needs a file to open"),
        (("-o", "-", "--baseline", "none"), 2, "cranfield: the baseline 'none' is neither one of the runs nor a file"),
        (("-o", "-", "-m", "nDGC@10"), 2, "Did you mean nDCG"),
        (("-o", "-", "-R", "prefs"), 2, "cranfield: a report is made from plain judgments (-R qrels), not from prefs"),
        (("-o", "-", "--topics", "keyword.run"), 1, "keyword.run: this looks like a run, not like documents"),
        (("-o", "-", "--test", "chi"), 2, "Invalid value for '--test'"),
    ],
)
def test_wrong_input_gives_a_line_and_an_exit_code(arguments: tuple[str, ...], code: int, words: str) -> None:
    done = run_cranfield("report", *FILES, *arguments, cwd=DEMO)
    assert words in done.stderr
    assert done.exit_code == code
    assert done.stdout == b""
    assert "Traceback" not in done.stderr
