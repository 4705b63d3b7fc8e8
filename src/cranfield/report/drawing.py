"""The library that draws, which is an extra, and what all charts are made with."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from cranfield.errors import MissingExtraError

try:
    import altair as alt
except ImportError:
    raise MissingExtraError("drawing", "report") from None

__all__ = ["MOST_ROWS", "AnyChart", "alt", "encoded", "layered", "plain", "table"]

AnyChart = alt.Chart | alt.LayerChart | alt.ConcatChart | alt.HConcatChart | alt.VConcatChart | alt.FacetChart

MOST_ROWS = 5000
"""How many rows the data of a chart may have: more is no drawing but a download, and Altair refuses it."""


def table(rows: Sequence[Mapping[str, Any]]) -> alt.InlineData:
    """Rows as the data of a chart. Names of fields are the caller's own: what users name is always a value.

    >>> table([{"run": "bm25", "value": 0.25}]).to_dict()
    {'values': [{'run': 'bm25', 'value': 0.25}]}
    """
    assert len(rows) <= MOST_ROWS, f"{len(rows)} rows are more than a drawing shows"
    # Altair copies charts at every turn, and lists with them; a tuple stays one and the same.
    kept: Any = tuple({name: _as_json(value) for name, value in row.items()} for row in rows)
    return alt.InlineData(values=kept)


def encoded(chart: alt.Chart, **channels: Any) -> alt.Chart:
    """The chart with what its marks say."""
    drawn: alt.Chart = chart.encode(**channels)
    return drawn


def layered(*charts: alt.Chart | alt.LayerChart) -> alt.LayerChart:
    """Charts on top of each other."""
    whole = alt.layer(*charts)
    assert isinstance(whole, alt.LayerChart)
    return whole


def _as_json(value: Any) -> Any:
    """Text that can be drawn, and no number that has no place."""
    if isinstance(value, str):
        return plain(value)
    return None if isinstance(value, float) and not math.isfinite(value) else value


_OF_EVERY_OBJECT = frozenset(
    [
        "__defineGetter__",
        "__defineSetter__",
        "__lookupGetter__",
        "__lookupSetter__",
        "__proto__",
        "constructor",
        "hasOwnProperty",
        "isPrototypeOf",
        "propertyIsEnumerable",
        "toLocaleString",
        "toString",
        "valueOf",
    ]
)
"""What every object of JavaScript has. Vega keeps things by their names in objects, and stumbles over these."""
_NOTHING_TO_SEE = "\u200b"


def plain(text: str) -> str:
    """Text that every program can draw.

    Bytes that are no text, which identifiers may hold, become a mark. To names that Vega takes for something else comes
    a sign that nobody sees.

    >>> plain("caf\\udce9"), plain("constructor") == "constructor"
    ('caf\ufffd', False)
    """
    drawn = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return drawn + _NOTHING_TO_SEE if drawn in _OF_EVERY_OBJECT else drawn
