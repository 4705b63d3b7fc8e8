"""Scales of relevance: which grades there are, what each means, and the key that gives it."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from cranfield.errors import DataError

RESERVED_KEYS: Mapping[str, str] = {
    "s": "skips",
    "u": "is unsure",
    "n": "makes a note",
    "z": "takes back",
    "b": "goes back",
    "f": "goes forward",
    "j": "scrolls down",
    "k": "scrolls up",
    "t": "shows the topic",
    "g": "shows the guideline",
    "w": "makes room for the document",
    "/": "highlights words",
    "?": "helps",
    "q": "ends the judging",
    " ": "turns the page",
    "-": "turns the page back",
}
"""Keys that no grade can have, for they do something else wherever one judges."""

_VERSION_LENGTH = 12


def is_grade(value: Any) -> bool:
    """Whether something is a number that a double can hold."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


@dataclass(frozen=True)
class Grade:
    """One step of a scale.

    >>> Grade(3, "answers").key
    '3'
    """

    value: float
    name: str
    definition: str = ""
    """When a document has this grade."""
    key: str = ""
    """What gives it; without a wish, its digit."""

    def __post_init__(self) -> None:
        if not is_grade(self.value):
            raise DataError(f"value is {self.value!r}; expected a number such as 2")
        if self.value < 0:
            raise DataError(f"value is {self.value!r}; a negative grade is that of a document which was not judged")
        if self.value == int(self.value):
            object.__setattr__(self, "value", int(self.value))
        if not self.name.strip():
            raise DataError(f"the grade {self.value} has no name; expected one such as 'relevant'")
        if not self.key:
            object.__setattr__(self, "key", f"{self.value:g}")
        if len(self.key) != 1 or not self.key.isprintable():
            raise DataError(f"key is {self.key!r}; expected one character, such as '2'")
        if self.key in RESERVED_KEYS:
            raise DataError(f"key is {self.key!r}, which {RESERVED_KEYS[self.key]}; choose another")


@dataclass(frozen=True)
class Scale:
    """The grades that an assessor chooses from, the best first, and how to choose.

    Its version is a hash of all it says, so that judgments made by other words can be told from these.

    >>> BINARY.name, [grade.name for grade in BINARY.grades], BINARY.by_key["1"].value
    ('binary', ['relevant', 'not relevant'], 1)
    >>> BINARY.version == GRADED.version
    False
    """

    name: str
    grades: tuple[Grade, ...]
    guideline: str = ""
    """How to judge, in Markdown."""

    def __post_init__(self) -> None:
        if len(self.grades) < 2:
            raise DataError(f"the scale {self.name!r} has {len(self.grades)} grades; expected at least 2")
        for what in ("value", "name", "key"):
            seen = [getattr(grade, what) for grade in self.grades]
            twice = next((one for one in seen if seen.count(one) > 1), None)
            if twice is not None:
                raise DataError(f"the scale {self.name!r} has two grades with the {what} {twice!r}")
        best_first = tuple(sorted(self.grades, key=lambda grade: -grade.value))
        object.__setattr__(self, "grades", best_first)

    @cached_property
    def version(self) -> str:
        """The beginning of the SHA-256 of its content."""
        content = json.dumps(asdict(self), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:_VERSION_LENGTH]

    @cached_property
    def by_key(self) -> dict[str, Grade]:
        return {grade.key: grade for grade in self.grades}

    @cached_property
    def by_value(self) -> dict[float, Grade]:
        return {grade.value: grade for grade in self.grades}

    def grade(self, value: float) -> Grade:
        """The grade of a value; an error if the scale has no such."""
        if value not in self.by_value:
            there = ", ".join(f"{one.value:g} ({one.name})" for one in self.grades)
            raise DataError(f"{value!r} is no grade of the scale {self.name!r}, which has {there}")
        return self.by_value[value]


BINARY = Scale(
    "binary",
    (
        Grade(1, "relevant", "You would use some of it in a report on the topic."),
        Grade(0, "not relevant", "Nothing in it is about the topic, whatever words it has."),
    ),
    "A document is relevant if any part of it is, however small. Judge each document by itself: that another one says "
    "the same, or more, changes nothing.",
)
GRADED = Scale(
    "graded",
    (
        Grade(3, "highly relevant", "It is about the topic and answers it whole: one could stop searching here."),
        Grade(2, "relevant", "It answers a part of the topic, or all of it among much else."),
        Grade(1, "marginal", "It touches the topic and points in its direction, and answers nothing of it."),
        Grade(0, "not relevant", "Nothing in it is about the topic, whatever words it has."),
    ),
    "Judge each document by itself: that another one is better, or says the same, does not lower a grade. In real "
    "doubt between two grades take the lower.",
)
SCALES: Mapping[str, Scale] = {scale.name: scale for scale in (BINARY, GRADED)}
"""Those that need no file."""
