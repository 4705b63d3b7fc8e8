"""Scales of relevance in TOML.

A file has `version = 1`, a `name`, `[[grades]]` with `value`, `name`, `definition` and `key` (without a wish, the digit
of the value), and how to judge in Markdown: as the text `guideline`, or in a file beside it, `guideline_file`.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NoReturn

from cranfield.data.scale import SCALES, Grade, Scale
from cranfield.errors import DataError, FormatError, UsageError, did_you_mean
from cranfield.formats.toml_lines import TomlLines, dotted, error_line

VERSION = 1
KEYS = ("version", "name", "grades", "guideline", "guideline_file")
GRADE_KEYS = ("value", "name", "definition", "key")


def read_scale(what: str | os.PathLike[str]) -> Scale:
    """The scale in a TOML file, or one of those that need none: binary, graded.

    >>> read_scale("binary").grades[0].definition
    'You would use some of it in a report on the topic.'
    """
    name = os.fspath(what)
    if name in SCALES:
        return SCALES[name]
    path = Path(what)
    try:
        text = path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        near = did_you_mean(name, SCALES)
        raise UsageError(f"{name}: there is no such file, and no scale of that name{near} {_THERE_ARE}") from None
    except OSError as error:
        raise UsageError(f"{name}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise FormatError("this is no text in UTF-8; expected TOML with [[grades]]", source=name) from None
    return parse_scale(text, name, folder=path.parent)


_THERE_ARE = f"There are: {', '.join(SCALES)}; or name a TOML file that describes one"


def parse_scale(text: str, source: str = "scale.toml", *, folder: Path | None = None) -> Scale:
    """The scale that a TOML text describes; `folder` is where the file of its guideline is looked for."""
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise FormatError(f"this is no TOML: {error}", source=source, line=error_line(error)) from None
    return _Reader(content, TomlLines(text), source, folder).scale()


class _Reader:
    """One file, and what to say of it."""

    def __init__(self, content: Mapping[str, Any], lines: TomlLines, source: str, folder: Path | None) -> None:
        self.content, self.lines, self.source, self.folder = content, lines, source, folder

    def scale(self) -> Scale:
        self.check_keys((), self.content, KEYS)
        if self.content.get("version") != VERSION:
            self.fail(("version",), f"is {self.content.get('version')!r}; expected version = {VERSION}")
        grades = self.content.get("grades", [])
        if not isinstance(grades, list) or not all(isinstance(one, dict) for one in grades):
            self.fail(("grades",), "expected tables [[grades]], each with a value and a name")
        try:
            return Scale(
                self.text((), self.content, "name") or Path(self.source).stem,
                tuple(self.grade(number, one) for number, one in enumerate(grades)),
                self.guideline(),
            )
        except DataError as error:
            raise error if isinstance(error, FormatError) else FormatError(str(error), source=self.source) from None

    def grade(self, number: int, table: Mapping[str, Any]) -> Grade:
        above = ("grades", str(number))
        self.check_keys(above, table, GRADE_KEYS)
        if "value" not in table:
            self.fail(above, "there is no value = ...; expected a number such as 2")
        name, definition, key = (self.text(above, table, each) for each in ("name", "definition", "key"))
        try:
            return Grade(table["value"], name, " ".join(definition.split()), key)
        except DataError as error:
            self.fail(above, str(error))

    def guideline(self) -> str:
        text, file = (self.text((), self.content, key) for key in ("guideline", "guideline_file"))
        if text and file:
            self.fail(("guideline_file",), "there is a guideline too; keep one of them")
        if not file:
            return text
        place = (self.folder or Path()) / file
        try:
            return place.read_text(encoding="utf-8")
        except OSError as error:
            self.fail(("guideline_file",), f"{place}: cannot be read: {error.strerror or error}")
        except UnicodeDecodeError:
            self.fail(("guideline_file",), f"{place}: this is no text in UTF-8")

    def text(self, above: tuple[str, ...], table: Mapping[str, Any], key: str) -> str:
        value = table.get(key, "")
        if not isinstance(value, str):
            self.fail((*above, key), f"is {value!r}; expected a text")
        return value

    def check_keys(self, above: tuple[str, ...], table: Iterable[str], known: Iterable[str]) -> None:
        known = list(known)
        for name in table:
            if name not in known:
                near = did_you_mean(name, known)
                self.fail((*above, name), f"there is no such key{near} There are: {', '.join(known)}")

    def fail(self, keys: tuple[str, ...], reason: str) -> NoReturn:
        shown = dotted([key for key in keys if not key.isdigit()])
        raise FormatError(f"{shown}: {reason}", source=self.source, line=self.lines.of(*keys))
