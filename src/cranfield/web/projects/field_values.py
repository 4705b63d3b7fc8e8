"""What people read in a field of a document, which may hold whatever JSON has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def in_words(value: Any) -> str:
    """A value without the brackets and quotes of a program.

    >>> in_words(["Ann", "Bob"]), in_words({"low": 3, "high": [4, 5]}), in_words(True)
    ('Ann, Bob', 'low: 3; high: 4, 5', 'yes')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return "; ".join(f"{name}: {in_words(each)}" for name, each in value.items())
    if isinstance(value, (list, tuple)):
        apart = "; " if any(isinstance(each, (Mapping, list, tuple)) for each in value) else ", "
        return apart.join(in_words(each) for each in value if each is not None)
    return "" if value is None else str(value)
