"""Dicts of dicts from a script: are they what they should be?"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import chain
from typing import Any

import numpy as np

from cranfield.compat.pytrec_eval.failures import ScoreError, WrongTypeError
from cranfield.data.strings import Floats

Nested = Mapping[str, Mapping[str, float]]


def check_nested(nested: Any, name: str, what: str) -> None:
    """An error unless this is a mapping from text to mappings."""
    if not isinstance(nested, Mapping):
        raise WrongTypeError(f"{name} is {type(nested).__name__} {nested!r:.60}, not {{query: {{document: {what}}}}}")
    check_text(nested, "query", name)
    if all(issubclass(kind, Mapping) for kind in set(map(type, nested.values()))):
        return
    query, inner = next((query, inner) for query, inner in nested.items() if not isinstance(inner, Mapping))
    raise WrongTypeError(
        f"{name}, query {query!r}: expected {{document: {what}}}, found {type(inner).__name__} {inner!r:.60}"
    )


def check_text(keys: Mapping[Any, Any], what: str, where: str) -> None:
    """An error unless all keys are text."""
    try:
        "".join(keys)
    except TypeError:
        key = next(key for key in keys if not isinstance(key, str))
        raise WrongTypeError(
            f"{where}: {what} {key!r:.60} is {type(key).__name__}, not text: write {str(key)!r:.60}"
        ) from None


def column_of(nested: Nested, name: str, what: str, *, finite: bool) -> Floats:
    """The numbers of all inner mappings one behind the other; an error if something is no number, or not `finite`."""
    values = chain.from_iterable(inner.values() for inner in nested.values())
    try:
        column = np.fromiter(values, np.float64, sum(map(len, nested.values())))
    except (TypeError, ValueError, OverflowError):
        raise _first_problem(nested, name, what) from None
    # NumPy reads numbers from text, and None as nan.
    text = isinstance(next(chain.from_iterable(inner.values() for inner in nested.values()), 0), (str, bytes))
    if text or not (np.isfinite(column) if finite else ~np.isnan(column)).all():
        raise _first_problem(nested, name, what)
    return column


def _first_problem(nested: Nested, name: str, what: str) -> Exception:
    """The error for the first value that is not a finite number."""
    for query, inner in nested.items():
        value: Any
        for document, value in inner.items():
            where = f"{name}, query {query!r}, document {document!r}: {what} {value!r:.60}"
            if isinstance(value, (str, bytes)) or not hasattr(value, "__float__"):
                return WrongTypeError(f"{where} is {type(value).__name__}, not a number")
            try:
                if not math.isfinite(float(value)):
                    return ScoreError(f"{where} is not a finite number")
            except OverflowError:
                return ScoreError(f"{where} is too large")
    raise AssertionError("a column that cannot be used holds something that is no finite number")
