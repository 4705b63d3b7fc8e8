"""Tables of `cranfield.toml` written without touching the rest of it: comments and order stay."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any

from cranfield.errors import DataError
from cranfield.experiments.workspace import Workspace
from cranfield.formats.toml_lines import dotted
from cranfield.formats.writing import writing

_HEADER = re.compile(r"^\s*\[{1,2}(?P<name>[^\[\]]+)\]{1,2}\s*(?:#.*)?$")


def with_table(text: str, keys: tuple[str, ...], values: Mapping[str, Any], comment: str = "") -> str:
    """The text with a table in the place of the one it has, or at its end.

    >>> print(
    ...     with_table("name = 'soup' # hot\\n[splits]\\nseed = 1\\n\\n[search]\\nk = 10\\n", ("splits",), {"seed": 2})
    ... )
    name = 'soup' # hot
    [splits]
    seed = 2
    <BLANKLINE>
    [search]
    k = 10
    """
    name = dotted(keys)
    said = f"  # {comment}" if comment else ""
    table = [f"[{name}]{said}", *(f"{dotted([key])} = {_value(value)}" for key, value in values.items())]
    end_of_line = "\r\n" if "\r\n" in text else "\n"
    lines = text.splitlines()
    begin = next((at for at, line in enumerate(lines) if _named(line) == name), None)
    if begin is None:
        return end_of_line.join([*lines, *([""] if lines and lines[-1].strip() else []), *table, ""])
    end = next((at for at in range(begin + 1, len(lines)) if _HEADER.match(lines[at])), len(lines))
    # Empty lines and comments above the next table belong to that.
    while end > begin + 1 and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")):
        end -= 1
    return end_of_line.join([*lines[:begin], *table, *lines[end:], ""])


def write_table(workspace: Workspace, keys: tuple[str, ...], values: Mapping[str, Any], comment: str = "") -> None:
    """Write a table into the `cranfield.toml` of a workspace."""
    before = workspace.file.read_bytes().decode("utf-8")
    after = with_table(before, keys, values, comment)
    if not _has(after, keys, values):
        table = with_table("", keys, values)
        raise DataError(
            f"{workspace.file}: this cannot be put there without touching the rest; do it by hand:\n{table}"
        )
    with writing(workspace.file) as out:
        out.write(after.encode())


def _has(text: str, keys: tuple[str, ...], values: Mapping[str, Any]) -> bool:
    """Whether a text is TOML with this table: it may have had it in another form, which is not replaced."""
    try:
        there: Any = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    for key in keys:
        there = there.get(key, {})
    return bool(there == json.loads(json.dumps(values)))


def _named(line: str) -> str | None:
    header = _HEADER.match(line)
    return None if header is None else ".".join(part.strip() for part in header["name"].split("."))


def _value(value: Any) -> str:
    """A value as TOML has it, which for numbers, texts and lists of them is as JSON has it.

    >>> _value({"a": [1.5, "b"], "c": True})
    '{a = [1.5, "b"], c = true}'
    """
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{dotted([key])} = {_value(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_value, value))}]"
    return json.dumps(value, ensure_ascii=False)
