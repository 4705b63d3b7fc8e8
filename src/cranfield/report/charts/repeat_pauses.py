"""After how long users put the same query again."""

from __future__ import annotations

from cranfield.errors import DataError
from cranfield.logs.personal import PAUSES, Personal
from cranfield.report.captions import caption
from cranfield.report.drawing import AnyChart, alt, encoded, table
from cranfield.report.theme import WIDTH, colour, on

_LABELS = {name: f"a{'n' * (name == 'hour')} {name}" for name in PAUSES} | {"longer": "later"}


def repeat_pauses(found: Personal) -> AnyChart:
    """A bar for each step of time."""
    if not found.pauses:
        raise DataError(f"there are no pauses to draw: {'; '.join(found.notes)}")
    rows = [{"pause": _LABELS[row.within], "number": row.number, "share": row.share} for row in found.pauses]
    bars = encoded(
        alt.Chart(table(rows)).mark_bar(color=colour("hue1")),
        x=alt.X("pause:N", title="put again within", sort=[*_LABELS.values()], axis=alt.Axis(labelAngle=0)),
        y=alt.Y("share:Q", title="share of queries put again", axis=alt.Axis(format="%")),
        tooltip=[alt.Tooltip("pause:N"), alt.Tooltip("number:Q"), alt.Tooltip("share:Q", format=".1%")],
    )
    again = found.shares[0]
    notes = [f"{again.part:,} of {again.of:,} queries were put by their user before"]
    if found.gain is not None:
        gain = found.gain
        notes.append(f"own clicks first: reciprocal rank of the click from {gain.before:.3f} to {gain.after:.3f}")
    title = caption("When users put the same query again", notes)
    return on(bars.properties(width=WIDTH, height=300, title=title), "light")
