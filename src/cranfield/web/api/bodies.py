"""Reading what a program sent: strictly, within limits, and never with a traceback."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, QueryDict, UnreadablePostError

from cranfield.errors import DataError, did_you_mean
from cranfield.web import json_bodies
from cranfield.web.api.fitting import Schema, mistakes_in
from cranfield.web.api.problems import Mistake, ProblemError

MOST_BYTES = 16 * 1024 * 1024
JSON = "application/json"


def read_json(request: HttpRequest, schema: Schema) -> Any:
    """The body as JSON that fits a schema."""
    media_type = (request.content_type or "").lower()
    if media_type != JSON:
        said = f"the body is {media_type or 'of no type that was said'}; expected Content-Type: {JSON}"
        raise ProblemError(415, said, headers={"Accept": JSON})
    value = _parsed(_bytes(request))
    found = list(mistakes_in(value, schema))
    if found:
        raise ProblemError(422, f"the body is not as described: {found[0].where or 'it'}: {found[0].said}", found)
    return value


def read_parameters(given: QueryDict, known: dict[str, Schema]) -> dict[str, Any]:
    """The parameters of an address, each as what its schema says; those not given are as the schema has them."""
    found: list[Mistake] = []
    for name in given:
        if name not in known:
            found.append(Mistake(name, f"there is no such parameter{did_you_mean(name, known)}"))
        elif len(given.getlist(name)) > 1:
            found.append(Mistake(name, "is there more than once"))
    values = {name: schema["default"] for name, schema in known.items() if "default" in schema}
    for name, schema in known.items():
        if name in given:
            values[name] = _converted(given.getlist(name)[-1], schema)
            found += mistakes_in(values[name], schema, name)
    if found:
        raise ProblemError(400, f"the parameters are not as described: {found[0].where}: {found[0].said}", found)
    return values


def _bytes(request: HttpRequest) -> bytes:
    try:
        if int(request.META.get("CONTENT_LENGTH") or 0) > MOST_BYTES:
            raise RequestDataTooBig
        return request.body
    except RequestDataTooBig:
        raise ProblemError(413, f"the body is too long: at most {MOST_BYTES:,} bytes are taken; send parts") from None
    except (UnreadablePostError, ValueError):
        raise ProblemError(400, "the body did not come whole") from None


def _parsed(content: bytes) -> Any:
    try:
        return json_bodies.read_json(content)
    except DataError as error:
        raise ProblemError(400, str(error)) from None


def _converted(text: str, schema: Schema) -> Any:
    """A parameter, which is a text in the address, as the kind of value that the schema wants, if it looks like it."""
    kind = schema.get("type")
    if kind == "integer" and text.removeprefix("-").isascii() and text.removeprefix("-").isdigit() and len(text) < 25:
        return int(text)
    if kind == "boolean" and text in {"true", "false"}:
        return text == "true"
    return text
