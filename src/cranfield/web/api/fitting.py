"""Whether a value fits a schema: those parts of JSON Schema that the description of the interface uses.

The schemas are the ones that the description shows, so what it promises and what is taken cannot part.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from cranfield.errors import did_you_mean
from cranfield.web.api.problems import Mistake

Schema = Mapping[str, Any]

_TIME = re.compile(r"[0-9]{4}(-[0-9]{2}){2}[Tt][0-9]{2}(:[0-9]{2}){2}(\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})")
"""As RFC 3339 has it."""

_TYPES: dict[str, tuple[Callable[[Any], bool], str]] = {
    "object": (lambda value: isinstance(value, dict), "an object"),
    "array": (lambda value: isinstance(value, list), "a list"),
    "string": (lambda value: isinstance(value, str), "a text"),
    "integer": (lambda value: _is_number(value) and value == int(value), "a whole number"),
    "number": (lambda value: _is_number(value), "a number"),
    "boolean": (lambda value: isinstance(value, bool), "true or false"),
    "null": (lambda value: value is None, "null"),
}


def mistakes_in(value: Any, schema: Schema, where: str = "") -> Iterator[Mistake]:
    """What does not fit, the first of each part.

    >>> [mistake] = mistakes_in({"n": "1"}, {"type": "object", "properties": {"n": {"type": "integer"}}})
    >>> mistake.where, mistake.said
    ('/n', "found '1'; expected a whole number")
    """
    if "oneOf" in schema:
        yield from _in_one_of(value, schema, where)
        return
    kinds = [schema["type"]] if isinstance(schema.get("type"), str) else list(schema.get("type", ()))
    if kinds and not any(_TYPES[kind][0](value) for kind in kinds):
        yield Mistake(where, f"found {_shown(value)}; expected {' or '.join(_TYPES[kind][1] for kind in kinds)}")
    elif "enum" in schema and value not in schema["enum"]:
        known = [str(one) for one in schema["enum"]]
        yield Mistake(where, f"found {_shown(value)}{did_you_mean(str(value), known)} There are: {', '.join(known)}")
    elif isinstance(value, dict):
        yield from _in_object(value, schema, where)
    elif isinstance(value, list):
        yield from _in_list(value, schema, where)
    elif isinstance(value, str):
        yield from _in_text(value, schema, where)
    elif _is_number(value):
        yield from _in_number(value, schema, where)


def _in_one_of(value: Any, schema: Schema, where: str) -> Iterator[Mistake]:
    """Which of several shapes an object has, the discriminator says: a field with one of the values of that shape."""
    field = schema["discriminator"]["propertyName"]
    choices = {known: shape for shape in schema["oneOf"] for known in shape["properties"][field]["enum"]}
    chosen = {"type": "object", "required": [field], "properties": {field: {"type": "string", "enum": list(choices)}}}
    found = list(mistakes_in(value, chosen, where))
    yield from found or mistakes_in(value, choices[value[field]], where)


def _in_object(value: dict[str, Any], schema: Schema, where: str) -> Iterator[Mistake]:
    properties, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    for name in schema.get("required", ()):
        if name not in value:
            yield Mistake(where, f"{name} is missing")
    if len(value) > schema.get("maxProperties", len(value)):
        yield Mistake(where, f"found {len(value)} fields; at most {schema['maxProperties']} are taken")
    for name, content in value.items():
        there = f"{where}/{_escaped(name)}"
        if name in properties:
            yield from mistakes_in(content, properties[name], there)
        elif others is False:
            yield Mistake(there, f"there is no field {name!r:.80}{did_you_mean(name, properties)}")
        else:
            if "propertyNames" in schema:
                yield from mistakes_in(name, schema["propertyNames"], there)
            if isinstance(others, Mapping):
                yield from mistakes_in(content, others, there)


def _in_list(value: Sequence[Any], schema: Schema, where: str) -> Iterator[Mistake]:
    least, most = schema.get("minItems", 0), schema.get("maxItems", len(value))
    if not least <= len(value) <= most:
        yield Mistake(where, f"found {len(value)} entries; expected {least} to {schema.get('maxItems', 'any number')}")
        return
    for number, one in enumerate(value):
        yield from mistakes_in(one, schema.get("items", {}), f"{where}/{number}")


def _in_text(value: str, schema: Schema, where: str) -> Iterator[Mistake]:
    least, most = schema.get("minLength", 0), schema.get("maxLength", len(value))
    if not least <= len(value) <= most:
        yield Mistake(where, f"found {len(value):,} characters; expected {least} to {schema.get('maxLength', 'any')}")
    elif not _is_unicode(value) or ("pattern" in schema and not _matches(schema["pattern"], value)):
        expected = schema.get("description", "a text in Unicode")
        yield Mistake(where, f"found {_shown(value)}; expected {expected[0].lower()}{expected[1:]}")
    elif "format" in schema and not _FORMATS[schema["format"]](value):
        yield Mistake(where, f"found {_shown(value)}; expected {_EXPECTED[schema['format']]}")


def _in_number(value: float, schema: Schema, where: str) -> Iterator[Mistake]:
    if value < schema.get("minimum", value) or value > schema.get("maximum", value):
        limits = [f"{word} {schema[key]}" for word, key in (("from", "minimum"), ("to", "maximum")) if key in schema]
        yield Mistake(where, f"found {_shown(value)}; expected a number {' '.join(limits)}")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_unicode(value: str) -> bool:
    """Half of a surrogate pair is no character, though JSON can say it."""
    return not any("\ud800" <= character <= "\udfff" for character in value)


def _matches(pattern: str, value: str) -> bool:
    """As JSON Schema has it, where `$` is the very end."""
    return re.search(re.sub(r"\$\Z", r"\\Z", pattern), value) is not None


def _is_uuid(value: str) -> bool:
    try:
        return str(uuid.UUID(value)) == value.lower()
    except ValueError:
        return False


def _is_time(value: str) -> bool:
    try:
        return _TIME.fullmatch(value) is not None and bool(datetime.fromisoformat(value.upper()).astimezone(UTC))
    except (ValueError, OverflowError):
        return False


_FORMATS: dict[str, Callable[[str], bool]] = {"uuid": _is_uuid, "date-time": _is_time}
_EXPECTED = {"uuid": "a UUID", "date-time": "a time such as 2026-03-01T09:30:00Z"}


def _shown(value: Any) -> str:
    return "null" if value is None else f"{value!r:.60}"


def _escaped(name: str) -> str:
    """A name as JSON pointers have it (RFC 6901)."""
    return name[:80].replace("~", "~0").replace("/", "~1")
