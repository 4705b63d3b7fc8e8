"""Requests that are wrong in every way: each is told what is wrong, in words, and none is an error of the server."""

from __future__ import annotations

import pytest
from django.test import Client

from cranfield.web.accounts.tokens import make_token
from cranfield.web.api import bodies
from cranfield.web.projects.models import Project
from tests.web.api.conftest import Program

DOCUMENT = '{"documents": [{"topic": "q1", "document": "new", "text": %s}]}'


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        (" ", 400, "Expecting value"),
        ("{", 400, "line 1"),
        ('{"documents": NaN}', 400, "NaN is no number"),
        ('{"documents": -Infinity}', 400, "-Infinity is no number"),
        ('{"documents": 1e999}', 400, "1e999 is too large a number"),
        ('{"documents": %s}' % ("9" * 5000), 400, "a number of too many digits"),
        ("[" * 100_000, 400, "nested too deeply"),
        ('{"documents": [], "documents": []}', 400, "'documents' is there twice"),
        (b"\xff\xfe", 400, "no text in UTF-8"),
        ("[]", 422, "expected an object"),
        ("{}", 422, "documents is missing"),
        ('{"documents": []}', 422, "found 0 entries; expected 1 to 1000"),
        ('{"documents": [1]}', 422, "/documents/0: found 1; expected an object"),
        (DOCUMENT % 7, 422, "/documents/0/text: found 7; expected a text"),
        (DOCUMENT % '"\\u0000"', 422, "/documents/0/text"),
        (DOCUMENT % '"\\ud800"', 422, "/documents/0/text"),
        ('{"documents": [{"topic": "q1", "document": "d", "txt": ""}]}', 422, "no field 'txt'. Did you mean text?"),
        ('{"documents": [{"topic": "q1", "document": "d", "fields": {"text": ""}}]}', 422, "title and text have places"),
        ('{"documents": [{"topic": "q1", "document": "d", "fields": {"n": 9%s}}]}' % ("9" * 400), 200, ""),
    ],
)  # fmt: skip
def test_bodies(program: Program, body: str | bytes, status: int, said: str) -> None:
    response = program.post("/pool", body)
    assert response.status_code == status, response.content
    if status != 200:
        assert response["Content-Type"] == "application/problem+json"
        assert response.json()["status"] == status
        assert said in response.json()["detail"]


def test_all_mistakes_of_a_body_are_told(program: Program) -> None:
    problem = program.post("/pool", {"documents": [{"topic": "q1", "document": " "}, {"topic": ""}]}).json()
    assert [(one["where"], one["detail"].partition(";")[0]) for one in problem["errors"]] == [
        ("/documents/0/document", "found ' '"),
        ("/documents/1", "document is missing"),
        ("/documents/1/topic", "found 0 characters"),
    ]


@pytest.mark.parametrize("kind", ["text/plain", "", "application/x-www-form-urlencoded", "application/jsonx"])
def test_other_kinds_of_body_are_not_taken(program: Program, kind: str) -> None:
    response = program.post("/pool", "{}", content_type=kind)
    assert response.status_code == 415
    assert "expected Content-Type: application/json" in response.json()["detail"]


def test_json_with_a_charset_is_json(program: Program) -> None:
    body = '{"documents": [{"topic": "q1", "document": "q1-d00001"}]}'
    assert program.post("/pool", body, content_type="Application/JSON; charset=utf-8").status_code == 200


def test_a_body_that_is_too_long(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "MOST_BYTES", 100)
    assert program.post("/pool", " " * 100).status_code == 400
    response = program.post("/pool", " " * 101)
    assert response.status_code == 413
    assert "at most 100 bytes" in response.json()["detail"]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("limit=0", "limit: found 0; expected a number from 1 to 1000"),
        ("limit=1001", "limit: found 1001"),
        ("limit=ten", "limit: found 'ten'; expected a whole number"),
        ("limit=\u0661", "limit: found '\u0661'"),
        ("limit=", "limit: found ''"),
        ("after=-1", "after: found -1"),
        ("after=99999999999999999999", "after: found 99999999999999999999"),
        ("after=9223372036854775808", "after: found 9223372036854775808"),
        ("limit=1&limit=2", "limit: is there more than once"),
        ("state=opne", "Did you mean open?"),
        ("content=yes", "content: found 'yes'; expected true or false"),
        ("limmit=1", "limmit: there is no such parameter. Did you mean limit?"),
        ("topic=%00", "topic: found '\\x00'"),
    ],
)
def test_parameters(program: Program, query: str, said: str) -> None:
    response = program.client.get(f"/api/projects/{program.project.pk}/pool?{query}")
    assert response.status_code == 400
    assert said in response.json()["detail"]


def test_methods(program: Program) -> None:
    path = f"/api/projects/{program.project.pk}/pool"
    for method in ("PUT", "DELETE", "PATCH", "TRACE", "SOUP"):
        response = program.client.generic(method, path)
        assert response.status_code == 405
        assert response["Allow"] == "GET, HEAD, OPTIONS, POST"
    assert program.client.post("/api/openapi.json").status_code == 405
    for address, allowed in ((path, "GET, HEAD, OPTIONS, POST"), ("/api/openapi.json", "GET, HEAD, OPTIONS")):
        options = program.client.options(address)
        assert (options.status_code, options["Allow"], options.content) == (204, allowed, b"")
        head = program.client.head(address)
        assert (head.status_code, head.content) == (200, b"")


def test_addresses_that_are_not_there(program: Program) -> None:
    for path in ("/api/", "/api/soup", "/api/projects/", "/api/projects/1", f"/api/projects/{program.project.pk}/soup"):
        response = program.client.get(path)
        assert response.status_code == 404, path
        assert response["Content-Type"] == "application/problem+json"
    assert program.get("/exports/soup").status_code == 404


def test_a_token_that_may_not_write_is_told_before_its_body_is_read(project: Project) -> None:
    _, secret = make_token(project, None, "reader")
    client = Client(headers={"authorization": f"bearer  {secret} "})
    response = client.post(f"/api/projects/{project.pk}/pool", "{", content_type="application/json")
    assert response.status_code == 403
    assert "for reading alone" in response.json()["detail"]
