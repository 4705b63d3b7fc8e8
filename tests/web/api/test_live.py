"""The interface of a server that runs: the commands of its page, requests that are made up, and what the log has of it."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.web.installation import Installation, Server, serving

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[3]
AT = r"The judging application is at (http://127\.0\.0\.1:\d+)/"


@dataclass(frozen=True)
class Live:
    """A server, the project in it, and two tokens."""

    server: Server
    address: str
    project: str
    writer: str
    reader: str


def live(folder: Path, *arguments: str, log: str = "ERROR") -> Iterator[Live]:
    """Nobody reads the log while requests come, so it has to be short."""
    at = Installation(folder / "judging")
    made = subprocess.run(
        [sys.executable, "-m", "tests.web.api.making", *arguments],
        env={**os.environ, **at.environment}, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    with serving(at, CRANFIELD_LOG=log) as server:
        yield Live(server, server.until(AT)[1], *made.stdout.split())


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Live]:
    yield from live(tmp_path)


@pytest.fixture
def that_tells_everything(tmp_path: Path) -> Iterator[Live]:
    yield from live(tmp_path, log="DEBUG")


@pytest.fixture
def with_shortest_names(tmp_path: Path) -> Iterator[Live]:
    yield from live(tmp_path, "shortest")


@pytest.mark.skipif(shutil.which("curl") is None, reason="the examples are for curl, which is not here")
def test_the_commands_of_the_page(running: Live, tmp_path: Path) -> None:
    """One after the other in one shell, each with what it prints."""
    text = (ROOT / "docs/judging/api.md").read_text()
    examples = re.findall(r"^\$ (.*(?:\n> .*)*)\n((?:(?!\$ |```).*\n)*)", text, re.MULTILINE)
    assert len(examples) > 12
    script = "".join(f"{command.replace(chr(10) + '> ', chr(10))}\necho; echo '<<<>>>'\n" for command, _ in examples)
    done = subprocess.run(
        ["bash", "-c", script],
        env={**os.environ, "ADDRESS": running.address, "TOKEN": running.writer, "no_proxy": "127.0.0.1"},
        cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = done.stdout.split("<<<>>>\n")
    checker = doctest.OutputChecker()
    for (command, expected), printed in zip(examples, found, strict=False):
        there = printed.strip("\n") + "\n" if printed.strip() else ""
        assert checker.check_output(expected, there, doctest.ELLIPSIS), f"{command}\nprinted:\n{there}"


def test_requests_that_are_made_up_find_nothing_wrong(with_shortest_names: Live, tmp_path: Path) -> None:
    """Schemathesis with all its checks; but it cannot try wrong tokens, which are slowed down: `test_tokens` does."""
    there = with_shortest_names
    (tmp_path / "schemathesis.toml").write_text(f'[parameters]\n"path.project" = "{there.project}"\n')
    done = subprocess.run(
        [
            *(sys.executable, "-m", "schemathesis.cli", "run", f"{there.address}/api/openapi.json"),
            *("--header", f"Authorization: Bearer {there.writer}", "--checks", "all"),
            *("--exclude-checks", "ignored_auth", "--phases", "examples,coverage,fuzzing", "--max-examples", "15"),
            *("--seed", "10", "--no-color", "--continue-on-failure"),
        ],
        env={**os.environ, "no_proxy": "127.0.0.1"},
        cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]
    assert re.search(r"(\d+) generated, \1 passed", done.stdout), done.stdout[-2000:]


def test_the_log_has_no_token(that_tells_everything: Live) -> None:
    from http.client import HTTPConnection
    from urllib.parse import urlsplit

    where = urlsplit(that_tells_everything.address)
    secrets = (
        that_tells_everything.writer,
        that_tells_everything.reader,
        "cranfield_made-up",
        "typed-into-the-address",
    )
    for secret in secrets[:3]:
        for path in (
            "/api/projects",
            f"/api/projects/{that_tells_everything.project}/pool",
            "/api/soup",
            f"/api/{secret}",
        ):
            for method in ("GET", "POST"):
                connection = HTTPConnection(where.hostname or "", where.port, timeout=60)
                connection.request(method, path, headers={"Authorization": f"Bearer {secret}"})
                connection.getresponse().read()
                connection.close()
    that_tells_everything.server.stop()
    assert "/api/soup" in that_tells_everything.server.printed, "the log is there"
    assert not [secret for secret in secrets if secret in that_tells_everything.server.printed]
