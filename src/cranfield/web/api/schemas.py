"""The shapes of what the interface takes and gives, as JSON Schema: shown in the description, held to by `fitting`."""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]

LONGEST_TEXT = 1_000_000
MOST_AT_ONCE = 1000
"""Entries of a page, or of a body."""


def text(description: str, most: int = LONGEST_TEXT, least: int = 0) -> Schema:
    schema: Schema = {"type": "string", "description": description, "maxLength": most, "pattern": r"^[^\u0000]*$"}
    return schema | ({"minLength": least} if least else {})


def name(description: str, most: int) -> Schema:
    """What files of judgments have between spaces."""
    return {
        "type": "string",
        "description": f"{description}, without white space",
        "minLength": 1,
        "maxLength": most,
        "pattern": r"^[^\s\u0000-\u001f\u007f-\u009f]+$",
    }


def whole(description: str, least: int = 0, most: int = 2**31 - 1) -> Schema:
    return {"type": "integer", "description": description, "minimum": least, "maximum": most}


def one_of(description: str, *values: str) -> Schema:
    return {"type": "string", "description": description, "enum": list(values)}


def or_null(schema: Schema) -> Schema:
    kind = schema["type"]
    return {**schema, "type": [*([kind] if isinstance(kind, str) else kind), "null"]}


def time(description: str) -> Schema:
    """Of a year that every calendar and database has."""
    return {"type": "string", "format": "date-time", "description": description, "pattern": "^[12]"}


def uuid(description: str) -> Schema:
    return {"type": "string", "format": "uuid", "description": description}


def shape(description: str, required: dict[str, Schema], optional: dict[str, Schema] | None = None) -> Schema:
    """An object with these fields and no others."""
    return {
        "type": "object",
        "description": description,
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


def list_of(items: Schema, most: int | None = None, least: int = 0) -> Schema:
    schema: Schema = {"type": "array", "items": items}
    return schema | ({"maxItems": most} if most is not None else {}) | ({"minItems": least} if least else {})


BOOLEAN: Schema = {"type": "boolean"}
NUMBER: Schema = {"type": "number"}
ANYTHING: Schema = {"type": "object"}

TOPIC = name("The identifier of a topic", 200)
DOCUMENT = name("The identifier of a document", 500)

AFTER = {**whole("Only what has a greater number; 0 is the beginning", most=2**63 - 1), "default": 0}
LIMIT = {**whole("How many at most", least=1, most=MOST_AT_ONCE), "default": 100}

PROBLEM = {
    "type": "object",
    "description": "What is wrong (RFC 9457)",
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "errors": list_of(
            {
                "type": "object",
                "properties": {"where": {"type": "string"}, "detail": {"type": "string"}},
                "required": ["where", "detail"],
            }
        ),
    },
    "required": ["type", "title", "status", "detail"],
}
