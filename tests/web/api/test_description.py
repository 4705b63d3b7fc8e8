"""The description and the addresses are made from one table: they have the same, and examples of it hold."""

from __future__ import annotations

import re
from typing import Any

import jsonschema
import pytest
from django.test import Client

from cranfield.web.api.description import describe
from cranfield.web.api.table import OPERATIONS
from cranfield.web.api.urls import urlpatterns
from tests.web.api.conftest import Program

NOT_DESCRIBED = {"", "<path:rest>"}
"""Where there is nothing."""


def test_every_address_is_described_and_every_description_has_an_address() -> None:
    routes = {str(pattern.pattern) for pattern in urlpatterns} - NOT_DESCRIBED
    described = {re.sub(r"\{(\w+)\}", r"<\1>", path).removeprefix("/api/") for path in describe(OPERATIONS)["paths"]}
    assert {re.sub(r"<\w+:", "<", route) for route in routes} == described
    assert len(routes) == len(urlpatterns) - len(NOT_DESCRIBED), "no address twice"


def test_every_method_is_described(program: Program) -> None:
    for path, methods in describe(OPERATIONS)["paths"].items():
        there = path.format(project=program.project.pk, export="qrels")
        allowed = {method.upper() for method in methods} | {"HEAD", "OPTIONS"}
        assert set(program.client.options(there)["Allow"].split(", ")) == allowed


def test_anybody_may_read_the_description(db: None) -> None:
    response = Client().get("/api/openapi.json")
    assert response.status_code == 200
    assert response.json() == describe(OPERATIONS)


def test_its_schemas_are_schemas() -> None:
    """Oracle: the meta-schema of JSON Schema 2020-12, which OpenAPI 3.1 uses."""
    found = list(schemas(describe(OPERATIONS)))
    assert len(found) > 30
    for schema in found:
        jsonschema.Draft202012Validator.check_schema(schema)


def test_names_of_operations_are_their_own() -> None:
    names = [operation.name for operation in OPERATIONS]
    assert len(names) == len(set(names))


def schemas(content: Any) -> Any:
    if isinstance(content, dict):
        if isinstance(content.get("schema"), dict):
            yield content["schema"]
        for value in content.values():
            yield from schemas(value)
    elif isinstance(content, list):
        for value in content:
            yield from schemas(value)


@pytest.mark.parametrize("operation", [one for one in OPERATIONS if not one.writes], ids=lambda one: one.name)
def test_answers_are_as_described(program: Program, operation: Any) -> None:
    """Oracle: jsonschema 4, formats included."""
    response = program.client.get(f"/api/{operation.path}".format(project=program.project.pk, export="label-studio"))
    assert response.status_code == 200
    checker = jsonschema.FormatChecker()
    jsonschema.Draft202012Validator(operation.result, format_checker=checker).validate(response.json())
