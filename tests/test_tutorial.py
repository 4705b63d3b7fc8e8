"""The tutorial does what it says, with the files of its example and its toy server."""

from __future__ import annotations

import doctest
import json
import re
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

import cranfield as cf
from tests.test_documentation import BLOCK, check_command

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "tutorial-your-engine.md").read_text()


@pytest.fixture
def recipes(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "examples" / "recipes", tmp_path, dirs_exist_ok=True)
    return tmp_path


@pytest.fixture
def toy_server(recipes: Path) -> Iterator[str]:
    """The server of the tutorial, on a port of its own, to which its configuration is turned."""
    command = [sys.executable, str(recipes / "toy_server.py"), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().strip()
            configuration = recipes / "toy.toml"
            configuration.write_text(configuration.read_text().replace("http://127.0.0.1:8765/search", url))
            yield url
        finally:
            process.terminate()


@pytest.mark.usefixtures("toy_server")
def test_the_commands_of_the_tutorial(recipes: Path) -> None:
    commands = [(command, shown) for command, shown, _ in re.findall(BLOCK, PAGE) if command]
    for command, shown in commands:
        check_command(command, shown, recipes)
    assert len(commands) == PAGE.count("$ cranfield")
    assert "61" in (recipes / "statistics.txt").read_text()
    assert "toy" in (recipes / "failures.txt").read_text()
    assert (recipes / "report.html").read_text().startswith("<!DOCTYPE html>")
    record = json.loads((recipes / "stemmed.run.provenance.json").read_text())
    assert (record["complete"], record["collection"]["documents"]) == (True, 61)


def test_the_answer_of_the_toy(toy_server: str) -> None:
    with urllib.request.urlopen(f"{toy_server}?q=soup&k=2") as response:
        answer = response.read().decode()
    (shown,) = re.findall(r'`({"hits": .*?})`', PAGE)
    assert doctest.OutputChecker().check_output(shown, answer, doctest.ELLIPSIS)


def test_the_tutorial_shows_the_configuration() -> None:
    (shown,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert shown == (ROOT / "examples" / "recipes" / "toy.toml").read_text()


def test_the_lines_that_the_tutorial_shows_are_in_the_files(recipes: Path) -> None:
    files = (recipes / "documents.jsonl").read_text() + (recipes / "topics.jsonl").read_text()
    shown = re.findall(r"```json\n(.*?) \.\.\.\"}\n```", PAGE)
    assert len(shown) == 2
    assert all(line in files for line in shown)
    judged = re.findall(r"^vegetable-soup 0 .*$", PAGE, re.MULTILINE)
    assert judged
    assert set(judged) <= set((recipes / "qrels.txt").read_text().splitlines())


def test_everything_that_is_judged_is_a_recipe(recipes: Path) -> None:
    known = {document.id for document in cf.iter_documents(recipes / "documents.jsonl")}
    judged = cf.read_qrels(recipes / "qrels.txt").to_dict()
    assert set(judged) == set(cf.read_topics(recipes / "topics.jsonl"))
    assert {document for grades in judged.values() for document in grades} <= known
