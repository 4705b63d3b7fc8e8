"""The description of the interface (OpenAPI 3.1), made from the table that requests are routed by."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import cranfield
from cranfield.web.api.operations import JSON, Operation
from cranfield.web.api.problems import MEDIA_TYPE
from cranfield.web.api.schemas import PROBLEM, uuid

_ABOUT = """Pools, labels and exports of one project, for programs.

Every request but the one for this description shows a token in the header `Authorization: Bearer TOKEN`. Managers make
tokens on the page of their project; a token is good for one project, and for reading alone unless it says more. For
what is not of that project there is 404."""
_PROBLEMS = {
    400: "The body is no JSON, or a parameter of the address is not as described",
    401: "There is no token, or it is not good",
    404: "There is nothing here for this token",
    405: "The method is not for this address",
    409: "It does not go with what the project has",
    429: "Too many requests with tokens that are not good",
    503: "The database is busy; try again",
}
_OF_WRITING = {
    403: "The token is for reading alone",
    413: "The body is too long",
    415: "The body is not of a type that is taken",
    422: "The body is not as described",
}


def describe(operations: Iterable[Operation]) -> dict[str, Any]:
    """The whole description."""
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        paths.setdefault(f"/api/{operation.path}", {})[operation.method.lower()] = _operation(operation)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Cranfield: judging", "version": cranfield.__version__, "description": _ABOUT},
        "servers": [{"url": "/"}],
        "security": [{"token": []}],
        "paths": {"/api/openapi.json": {"get": _OF_ITSELF}, **paths},
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": {"Problem": PROBLEM},
            "responses": {"Problem": {"description": "What is wrong", "content": _problem_content()}},
        },
    }


def _operation(operation: Operation) -> dict[str, Any]:
    problems = _PROBLEMS | (_OF_WRITING if operation.writes else {})
    content = {
        kind: {"schema": operation.result if kind == JSON else {"type": "string"}} for kind in operation.media_types
    }
    described: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.summary,
        "responses": {
            "200": {"description": operation.summary, "content": content},
            **{str(status): {"description": said} for status, said in operation.statuses.items() if status < 400},
            **{
                str(status): {"description": said, "content": _problem_content()}
                for status, said in sorted({**problems, **operation.statuses}.items())
                if status >= 400
            },
        },
    }
    if operation.said:
        described["description"] = operation.said
    parts = {**({"project": uuid("The project")} if "{project}" in operation.path else {}), **operation.parts}
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": schema} for name, schema in parts.items()
    ] + [{"name": name, "in": "query", "schema": schema} for name, schema in operation.parameters.items()]
    if parameters:
        described["parameters"] = parameters
    if operation.body is not None:
        described["requestBody"] = {"required": True, "content": {JSON: {"schema": operation.body}}}
    return described


def _problem_content() -> dict[str, Any]:
    return {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}


_OF_ITSELF: dict[str, Any] = {
    "operationId": "description",
    "summary": "This description",
    "security": [],
    "responses": {
        "200": {"description": "This description", "content": {JSON: {"schema": {"type": "object"}}}},
        "405": {"description": "The method is not for this address", "content": _problem_content()},
    },
}
