"""How much a request may bring, and that the server says so before it has read it."""

from __future__ import annotations

import re
import socket
import threading
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django import forms
from django.test import override_settings
from django.urls import get_resolver, reverse
from django.urls.resolvers import URLPattern, URLResolver
from waitress.server import create_server

from cranfield.web.body_limits import FORM, limit_bodies, most_bytes

PROJECT = uuid.UUID(int=7)
UPLOADS = {
    "project-new", "project-pool", "project-gold", "project-compare", "review-what-if", "exchange", "task-hand-in",
    "task-settings", "task-pool", "task-release-new",
}  # fmt: skip
FORMS = {"ImportForm", "PoolForm", "GoldForm", "CompareForm", "TaskForm", "HandInForm"}


def names(patterns: list[URLPattern | URLResolver], above: frozenset[str] = frozenset()) -> Iterator[tuple[str, Any]]:
    """Every address, with what it wants to know."""
    for one in patterns:
        wanted = above | set(one.pattern.converters)
        if isinstance(one, URLResolver):
            yield from names(one.url_patterns, wanted)
        elif one.name:
            yield one.name, wanted


@override_settings(UPLOAD_MAX_SIZE=512 * 2**20, ANSWERS_MAX_SIZE=20 * 2**20)
def test_only_where_files_are_uploaded_may_it_be_much() -> None:
    values: dict[str, Any] = {"project": PROJECT, "upload": PROJECT, "submission": PROJECT}
    most = {}
    for name, arguments in names(get_resolver().url_patterns):
        path = reverse(name, kwargs={argument: values.get(argument, 1) for argument in arguments})
        most[name] = most_bytes(path)
        assert (most[name] == 20 * 2**20) == (path.startswith("/api/") or name == "judge-answers"), name
    assert {name for name, size in most.items() if size == 512 * 2**20} == UPLOADS
    assert {most["login"], most["join"], most["judge-search"]} == {FORM}


def test_every_form_with_a_file_is_where_it_may_be_much() -> None:
    """Who adds a form with a file adds its address."""
    import cranfield.web.exchange.forms
    import cranfield.web.projects.forms
    import cranfield.web.tasks.forms

    modules = (cranfield.web.exchange.forms, cranfield.web.projects.forms, cranfield.web.tasks.forms)
    with_files = {
        form.__name__
        for module in modules
        for form in vars(module).values()
        if isinstance(form, type) and issubclass(form, forms.Form | forms.ModelForm)
        if any(isinstance(field, forms.FileField) for field in form.base_fields.values())
    }
    assert with_files == FORMS


@pytest.fixture
def port() -> Iterator[int]:
    """A server that answers everything with how much came."""

    def application(environ: dict[str, Any], start: Any) -> list[bytes]:
        body = environ["wsgi.input"].read()
        start("200 OK", [("Content-Type", "text/plain")])
        return [b"%d" % len(body)]

    server = limit_bodies(create_server(application, host="127.0.0.1", port=0, threads=1))
    stop = threading.Event()

    def run() -> None:
        while not stop.is_set():
            server.asyncore.loop(timeout=0.05, map=server._map, count=1)

    thread = threading.Thread(target=run)
    thread.start()
    yield server.effective_port
    stop.set()
    thread.join(10)
    server.task_dispatcher.shutdown()
    server.asyncore.close_all(server._map, ignore_all=True)


def asked(port: int, path: str, head: str, body: bytes = b"") -> str:
    """The first line of the answer; so much of the body is sent, and no more."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(f"POST {path} HTTP/1.1\r\nHost: x\r\n{head}\r\nConnection: close\r\n\r\n".encode() + body)
        return connection.makefile("rb").readline().decode().strip()


def test_the_server_refuses_it_before_it_comes(port: int) -> None:
    large = f"Content-Length: {100 * 2**20}"
    assert asked(port, "/login/", large) == "HTTP/1.1 413 Request Entity Too Large"
    assert asked(port, "/login/", "Content-Length: 3", b"abc") == "HTTP/1.1 200 OK"
    assert asked(port, "/projects/new/", f"Content-Length: {600 * 2**20}").split()[1] == "413"


def test_what_comes_in_pieces_too(port: int) -> None:
    piece = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    chunked = "Transfer-Encoding: chunked"
    some = piece * (FORM // 0x10000 + 1) + b"0\r\n\r\n"
    assert asked(port, "/projects/new/", chunked, some).split()[1] == "200"
    assert asked(port, "/login/", chunked, some).split()[1] == "413"


class TestNginx:
    """The settings of nginx in the documentation, read as nginx does: the first expression that fits holds."""

    SERVER = Path(__file__).parents[2].joinpath("docs/judging/deployment.md").read_text().split("With nginx:")[1]
    PLACES = re.findall(r"location ~ (\S+) \{(.*?)\n    \}", SERVER, re.DOTALL)

    def settings_of(self, path: str) -> str:
        return next((content for expression, content in self.PLACES if re.search(expression, path)), "")

    @override_settings(UPLOAD_MAX_SIZE=512 * 2**20, ANSWERS_MAX_SIZE=20 * 2**20)
    @pytest.mark.parametrize("name", [*sorted(UPLOADS), "judge-answers", "api-openapi", "login"])
    def test_it_takes_as_much_as_the_application_does(self, name: str) -> None:
        wanted = dict(names(get_resolver().url_patterns))[name]
        path = reverse(name, kwargs={"project": PROJECT} if wanted else {})
        [megabytes] = re.findall(r"client_max_body_size (\d+)m", self.settings_of(path)) or ["2"]
        assert int(megabytes) * 2**20 == most_bytes(path)

    @pytest.mark.parametrize("path", ["/join/secret/", "/choose-password/MQ/secret/"])
    def test_links_are_in_no_log(self, path: str) -> None:
        assert "access_log off;" in self.settings_of(path)
        assert "error_log /dev/null;" in self.settings_of(path)

    def test_nor_where_people_are_sent_to_https(self) -> None:
        assert "access_log off;" in self.SERVER.split("listen 80;")[1].split("```")[0]
        assert "http_referer" not in self.SERVER
