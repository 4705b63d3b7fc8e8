"""How many queries, sessions and users there were on each day."""

from __future__ import annotations

from datetime import date, timedelta

from cranfield.errors import DataError
from cranfield.logs.overview import Overview
from cranfield.report.captions import caption
from cranfield.report.drawing import MOST_ROWS, AnyChart, alt, encoded, layered, table
from cranfield.report.systems import Systems
from cranfield.report.theme import HEIGHT, WIDTH, on

FEW_DAYS = 40
"""Of so many, each is marked."""


def traffic_by_day(found: Overview) -> AnyChart:
    """A line for each of them; a day without queries is a day with none, and not left out."""
    if not found.days:
        raise DataError(f"there are no days to draw: {'; '.join(found.notes)}")
    drawn = [name for name in ("queries", "sessions", "users") if getattr(found.total, name) is not None]
    systems = Systems.of({name: getattr(found.total, name) for name in drawn}, what="number of")
    days = {one.day: one for one in found.days}
    first, last = (date.fromisoformat(day) for day in (min(days), max(days)))
    step = (last - first).days * len(drawn) // MOST_ROWS + 1
    every = [(first + timedelta(at)).isoformat() for at in range(0, (last - first).days + 1, step)]
    rows = [
        {"day": day, "system": name, "number": getattr(days[day], name) or 0 if day in days else 0}
        for name in drawn
        for day in every
    ]
    place = {
        "x": alt.X(
            "day:T", title="day (UTC)", scale=alt.Scale(type="utc"), axis=alt.Axis(tickCount=6, format="%Y-%m-%d")
        ),
        "y": alt.Y("number:Q", title="number a day", scale=alt.Scale(zero=True)),
    }
    tips = [
        alt.Tooltip("day:T", format="%Y-%m-%d"),
        alt.Tooltip("system:N", title="of"),
        alt.Tooltip("number:Q", format=","),
    ]
    lines = alt.Chart(table(rows)).mark_line()
    layers = [encoded(lines, **place, stroke=systems.stroke(), strokeDash=systems.dash(), tooltip=tips)]
    marked = rows if len(every) <= FEW_DAYS else [row for at, row in enumerate(rows) if at % (len(every) // 20) == 0]
    points = alt.Chart(table(marked)).mark_point(filled=True, opacity=1)
    layers.append(encoded(points, **place, color=systems.colour(), shape=systems.shape(), tooltip=tips))
    notes = [f"{found.total.queries:,} queries in {found.total.sessions:,} sessions on {len(found.days):,} days"]
    if step > 1:
        notes.append(f"one day of {step} is drawn")
    title = caption("Traffic by day", notes)
    return on(layered(*layers).properties(width=WIDTH, height=HEIGHT * 2 / 3, title=title), "light")
