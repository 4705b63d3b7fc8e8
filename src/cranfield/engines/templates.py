"""Texts with places such as `{{query}}` that are filled for each request."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from cranfield.engines.fields import encodable
from cranfield.errors import ParameterError, did_you_mean

_PLACE = re.compile(r"\{\{\s*(\w*)\s*\}\}")
_STRING_OR_K = re.compile(r'"(?:[^"\\]|\\.)*"|\{\{\s*k\s*\}\}')
_PROBE = '"\\\n\x00é{{k}}'
"""A query that breaks what is not escaped."""


class Template:
    """A text that is filled with a query and k, each escaped for where it stands.

    >>> Template("url", "/search?q={{query}}&n={{k}}", quoted).fill(query="R&D", k=5)
    '/search?q=R%26D&n=5'
    >>> Template("url", "/search?q={{qwery}}", quoted)
    Traceback (most recent call last):
    ...
    cranfield.errors.ParameterError: url has a place {{qwery}}. Did you mean query? Places are {{query}}, {{k}}
    """

    def __init__(
        self, parameter: str, text: str, escape: Callable[[str], str], places: Sequence[str] = ("query", "k")
    ) -> None:
        self.text = text
        parts = _PLACE.split(text)
        self._texts, self.places = parts[::2], parts[1::2]
        self._escape = escape
        for place in self.places:
            if place not in places:
                known = ", ".join(f"{{{{{name}}}}}" for name in places)
                raise ParameterError(
                    f"{parameter} has a place {{{{{place}}}}}{did_you_mean(place, places)} Places are {known}"
                )

    def fill(self, **values: str | int) -> str:
        """The text with the values in their places."""
        escaped = {name: self._escape(str(value)) for name, value in values.items()}
        filled = [self._texts[0]]
        for place, text in zip(self.places, self._texts[1:], strict=True):
            filled += escaped[place], text
        return "".join(filled)


def quoted(text: str) -> str:
    """A text as part of a URL."""
    return quote(text, safe="", errors="replace")


def _within_json(text: str) -> str:
    return json.dumps(encodable(text))[1:-1]


def json_template(parameter: str, given: str | Mapping[str, Any]) -> Template:
    """A template for a JSON text, which stays JSON whatever the query is.

    A table is a template too; a value that is nothing but `{{k}}` becomes a number.

    >>> json_template("body", '{"match": "{{query}}", "size": {{k}}}').fill(query='5" pipe', k=10)
    '{"match": "5\\\\" pipe", "size": 10}'
    >>> json_template("body", {"match": "{{query}}", "size": "{{k}}"}).fill(query="pipe", k=10)
    '{"match": "pipe", "size": 10}'
    >>> json_template("body", '{"match": {{query}}}')
    Traceback (most recent call last):
    ...
    cranfield.errors.ParameterError: body is not JSON once {{query}} is filled in (Expecting value at character 10). Is
    {{query}} within quotation marks?
    """
    text = given if isinstance(given, str) else re.sub(r'"(\{\{\s*k\s*\}\})"', r"\1", json.dumps(given))
    template = Template(parameter, text, _within_json)
    if "query" not in template.places:
        raise ParameterError(f"{parameter} has no place for the query: write {{{{query}}}} where it belongs")
    try:
        json.loads(template.fill(query=_PROBE, k=1))
    except json.JSONDecodeError as error:
        raise ParameterError(
            f"{parameter} is not JSON once {{{{query}}}} is filled in ({error.msg} at character {error.pos}). "
            "Is {{query}} within quotation marks?"
        ) from None
    return template


def table_of(parameter: str, text: str) -> dict[str, Any]:
    """What a JSON template says, as a table in which `{{k}}` is a text wherever it stands.

    >>> table_of("query", '{"match": "{{query}}", "size": {{k}}}')
    {'match': '{{query}}', 'size': '{{k}}'}
    """
    json_template(parameter, text)
    table = json.loads(_STRING_OR_K.sub(lambda found: found[0] if found[0][0] == '"' else f'"{found[0]}"', text))
    if not isinstance(table, dict):
        raise ParameterError(f"{parameter} is to be a JSON object, {{...}}")
    return table
