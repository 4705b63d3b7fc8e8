"""Whether two results say the same, but for the last digits of sums."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

RELATIVE = 1e-11
"""Sums of the same numbers in another order differ by less."""


def differences(one: Any, other: Any, place: str = "result") -> list[str]:
    """Where results differ, and how; nothing if they do not."""
    if type(one) is not type(other):
        return [f"{place}: {type(one).__name__} and {type(other).__name__}"]
    if is_dataclass(one):
        pairs = ((field.name, getattr(one, field.name), getattr(other, field.name)) for field in fields(one))
        return [found for name, a, b in pairs for found in differences(a, b, f"{place}.{name}")]
    if isinstance(one, Mapping):
        if list(one) != list(other):
            return [f"{place}: keys {list(one)} and {list(other)}"]
        return [found for key in one for found in differences(one[key], other[key], f"{place}[{key!r}]")]
    if isinstance(one, np.ndarray):
        if one.shape != other.shape or one.dtype != other.dtype:
            return [f"{place}: {one.dtype}{one.shape} and {other.dtype}{other.shape}"]
        return differences(one.tolist(), other.tolist(), place)
    if isinstance(one, list | tuple):
        if len(one) != len(other):
            return [f"{place}: {len(one)} and {len(other)} of them: {one} and {other}"]
        beside = enumerate(zip(one, other, strict=True))
        return [found for at, (a, b) in beside for found in differences(a, b, f"{place}[{at}]")]
    if isinstance(one, float):
        same = math.isclose(one, other, rel_tol=RELATIVE, abs_tol=1e-12) or (math.isnan(one) and math.isnan(other))
        return [] if same else [f"{place}: {one!r} and {other!r}"]
    if hasattr(one, "__dict__") and "__eq__" not in vars(type(one)):
        return differences(vars(one), vars(other), place)
    return [] if one == other else [f"{place}: {one!r} and {other!r}"]
