"""Formulas as MathML, which browsers typeset themselves: no script and no font comes with a page."""

from __future__ import annotations

from typing import Any

from latex2mathml.converter import convert


def fence(source: str, *_given: Any, **_named: Any) -> str:
    """What stands for a block ```math on a page."""
    return f'<div class="formula">{convert(source, display="block")}</div>'
