"""JSON that somebody sent, read strictly: whatever it holds, there is a value or an error in words."""

from __future__ import annotations

import json
import math
from typing import Any

from cranfield.errors import DataError
from cranfield.formats.json_errors import json_reason


def read_json(content: bytes) -> Any:
    """The value.

    >>> read_json(b'{"n": 1, "n": 2}')
    Traceback (most recent call last):
    cranfield.errors.DataError: the body is no JSON that can be read: 'n' is there twice in one object
    """
    try:
        return json.loads(
            content.decode("utf-8"), parse_constant=_no_constant, parse_float=_finite, object_pairs_hook=_once
        )
    except UnicodeDecodeError:
        said = "it is no text in UTF-8"
    except json.JSONDecodeError as error:
        said = f"line {error.lineno}: {json_reason(error)}"
    except RecursionError:
        said = "it is nested too deeply"
    except ValueError as error:
        said = str(error) if isinstance(error, _NotTakenError) else "it has a number of too many digits"
    raise DataError(f"the body is no JSON that can be read: {said}")


class _NotTakenError(ValueError):
    """JSON that Python reads and we do not."""


def _no_constant(name: str) -> Any:
    raise _NotTakenError(f"{name} is no number")


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise _NotTakenError(f"{digits:.40} is too large a number")
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _NotTakenError(f"{twice!r:.80} is there twice in one object")
    return content
