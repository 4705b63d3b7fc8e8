"""What is wrong with a line of JSON, in words."""

from __future__ import annotations

from json import JSONDecodeError


def json_reason(error: JSONDecodeError) -> str:
    """What Python says of it and in which column; some of what it says ends in "at" already.

    >>> json_reason(JSONDecodeError("Invalid control character at", '{"a": "\\t"}', 7))
    'Invalid control character at column 8'
    """
    return f"{error.msg.removesuffix(' at')} at column {error.colno}"
