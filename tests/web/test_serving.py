"""`cranfield judge` as a process: what it prints, takes, refuses, and how it stops."""

from __future__ import annotations

import os
import re
import signal
import socket
import sqlite3
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest

from tests.cli.running import run_cranfield
from tests.web.installation import Installation, Server, serving

AT = r"The judging application is at http://127\.0\.0\.1:(\d+)/"
PASSWORD = "soup of the day, twice"


@pytest.fixture
def installation(tmp_path: Path) -> Installation:
    return Installation(tmp_path / "judging")


class Browser:
    """Asks, and keeps cookies."""

    def __init__(self, server: Server, port: int | None = None, **headers: str) -> None:
        self.port = port or int(server.until(AT)[1])
        self.headers = headers
        self.cookies: SimpleCookie = SimpleCookie()

    def ask(self, path: str, form: dict[str, str] | None = None, **headers: str) -> tuple[int, dict[str, str], str]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        kept = "; ".join(f"{name}={cookie.value}" for name, cookie in self.cookies.items())
        send = {"Cookie": kept, **self.headers, **headers}
        if form is None:
            connection.request("GET", path, headers=send)
        else:
            form = {"csrfmiddlewaretoken": self.cookies["csrftoken"].value, **form}
            send["Content-Type"] = "application/x-www-form-urlencoded"
            connection.request("POST", path, urlencode(form), send)
        answer = connection.getresponse()
        body = answer.read().decode()
        for name, value in answer.getheaders():
            if name == "Set-Cookie":
                self.cookies.load(value)
        connection.close()
        return answer.status, dict(answer.getheaders()), body


def test_from_the_first_start_to_the_second(installation: Installation) -> None:
    with serving(installation) as server:
        link = server.until(r"This link makes one, once, within a day:\s+(http://127\.0\.0\.1:\d+(/join/\S+/))")
        browser = Browser(server)
        assert int(urlsplit(link[1]).port or 0) == browser.port
        assert browser.ask("/")[0] == 302
        status, headers, page = browser.ask(link[2])
        assert (status, "The first administrator" in page) == (200, True)
        assert "server" not in {name.lower() for name in headers}
        form = {"username": "anna", "password1": PASSWORD, "password2": PASSWORD}
        assert browser.ask(link[2], form)[1]["Location"] == "/"
        assert browser.ask("/audit/")[0] == 200
        style = browser.ask("/static/cranfield/style.css")
        assert (style[0], "no-store" in style[1]["Cache-Control"]) == (200, False)

        browser.ask("/login/")
        stranger = Browser(server)
        stranger.ask("/login/")
        wrong = stranger.ask("/login/", {"username": "anna", "password": "tomato, and wrong"})
        assert "do not go together" in wrong[2]
        assert stranger.ask(link[2], {**form, "csrfmiddlewaretoken": "x" * 64})[0] == 403
        assert server.stop() == 0
    assert "stopped" in server.printed
    logged = server.printed.split("Ctrl-C stops it)")[1]
    assert "a login from 127.0.0.1 failed" in logged
    assert "Forbidden" in logged
    assert not [word for word in ("tomato", PASSWORD, link[2].split("/")[2], "anna") if word in logged]

    with serving(installation) as server:
        browser.port = int(server.until(AT)[1])
        assert "This link" not in server.printed
        assert browser.ask("/account/")[0] == 200, "the session is still good"
        assert server.stop(signal.SIGINT) == 0


def test_a_server_that_is_killed_starts_again(installation: Installation) -> None:
    with serving(installation) as server:
        server.until(AT)
        server.stop(signal.SIGKILL)
    with serving(installation) as server:
        assert Browser(server).ask("/login/")[0] == 200
        assert server.stop() == 0


def test_a_port_that_is_taken_is_said(installation: Installation) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        done = run_cranfield("judge", "--port", str(port), environment=installation.environment)
    assert done.exit_code == 2
    assert f"127.0.0.1:{port} is taken: another program listens there" in done.stderr
    assert f"--port {port + 1}" in done.stderr


def test_a_workspace_has_its_judging_with_it(tmp_path: Path) -> None:
    done = run_cranfield("judge", tmp_path, "--port", "0")
    assert done.exit_code == 2
    assert f"{tmp_path}: this is no workspace: there is no cranfield.toml in it" in done.stderr


@pytest.mark.parametrize(
    ("url", "code", "said"),
    [
        (
            "postgres://anna:very-secret@127.0.0.1:{port}/judging",
            1,
            "the database judging at 127.0.0.1:{port} cannot be used",
        ),
        ("mysql://anna:very-secret@127.0.0.1/judging", 2, "DATABASE_URL: expected postgres://"),
    ],
)
def test_a_database_that_is_not_there_is_said(installation: Installation, url: str, code: int, said: str) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    done = run_cranfield(
        "judge", "--port", "0", environment={**installation.environment, "DATABASE_URL": url.replace("{port}", port)}
    )
    assert done.exit_code == code
    assert said.replace("{port}", port) in done.stderr
    assert "Traceback" not in done.stderr
    assert "very-secret" not in done.stderr


def test_a_file_that_is_no_database_is_said(installation: Installation) -> None:
    installation.folder.mkdir()
    (installation.folder / "judging.sqlite3").write_text("soup " * 1000)
    done = run_cranfield("judge", "--port", "0", environment=installation.environment)
    assert done.exit_code == 1
    assert "judging.sqlite3 cannot be used: file is not a database" in done.stderr


def test_without_its_libraries_it_says_what_to_install(installation: Installation, tmp_path: Path) -> None:
    """A package of the same name that cannot be imported stands for one that is not there."""
    (tmp_path / "waitress.py").write_text("raise ImportError")
    done = run_cranfield("judge", environment={**installation.environment, "PYTHONPATH": str(tmp_path)})
    assert done.exit_code == 2
    assert "the judging application needs an optional library: pip install 'cranfield[web]'" in done.stderr


def test_behind_tls(installation: Installation) -> None:
    """As docs/judging/deployment.md has it: the proxy says that it speaks TLS, and for whom."""
    behind = {"CRANFIELD_TLS": "1", "CRANFIELD_HOSTS": "judging.example.org"}
    with serving(installation, **behind) as server:
        link = server.until(r"https://judging\.example\.org(/join/\S+/)")[1]
        port = _port(server)
        proxied = {"Host": "judging.example.org", "X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.7"}
        plain = Browser(server, port, Host="judging.example.org").ask("/login/")
        assert (plain[0], plain[1]["Location"]) == (301, "https://judging.example.org/login/")
        assert Browser(server, port, Host="evil.example").ask("/login/")[0] == 400
        browser = Browser(server, port, **proxied, Referer="https://judging.example.org/")
        status, headers, _ = browser.ask(link)
        assert status == 200
        assert headers["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains; preload"
        browser.ask(link, {"username": "anna", "password1": PASSWORD, "password2": PASSWORD})
        for name in ("cranfield_session", "csrftoken"):
            assert browser.cookies[name]["secure"]
            assert browser.cookies[name]["samesite"] == "Lax"
            assert browser.cookies[name]["path"] == "/"
            assert not browser.cookies[name]["domain"]
        assert browser.cookies["cranfield_session"]["httponly"]
        stranger = Browser(server, port, **proxied, Referer="https://judging.example.org/")
        stranger.ask("/login/")
        stranger.ask("/login/", {"username": "anna", "password": "wrong"})
        forged = Browser(server, port, **proxied, Referer="https://evil.example/")
        forged.ask("/login/")
        assert forged.ask("/login/", {"username": "anna", "password": PASSWORD})[0] == 403
        server.stop()
    assert "a login from 203.0.113.7 failed" in server.printed, "the client's address, not the proxy's"


def _port(server: Server) -> int:
    """The port that a process listens to, which it does not print where a proxy stands before it."""
    server.until("Ctrl-C stops it")
    inodes = {
        match[1]
        for handle in Path(f"/proc/{server.process.pid}/fd").iterdir()
        if (match := re.fullmatch(r"socket:\[(\d+)\]", os.readlink(handle)))
    }
    lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
    (port,) = {
        int(fields[1].rpartition(":")[2], 16)
        for fields in map(str.split, lines)
        if fields[9] in inodes and fields[3] == "0A"
    }
    return port


def test_an_interrupted_first_start_is_taken_up_again(installation: Installation) -> None:
    with serving(installation) as server:
        database = installation.folder / "judging.sqlite3"
        while not database.exists() and server.process.poll() is None:
            pass
        server.stop(signal.SIGKILL)
    with serving(installation) as server:
        assert Browser(server).ask("/login/")[0] == 200
        server.stop()
    with sqlite3.connect(database) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()
