"""The ranks of systems by several judges, each system a line from judge to judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.safestring import SafeString

from cranfield.web.charts.svg import CHARACTER, drawing, element, shortened

ROW, COLUMN = 26, 104
LONGEST = 18
COLOURS = 6


def rank_lines(judges: Sequence[str], ranks: Mapping[str, Mapping[str, int]], title: str) -> SafeString:
    """`ranks` has the rank of each system by judge; systems of the same rank are drawn below each other."""
    systems = sorted(ranks[judges[0]], key=lambda system: (ranks[judges[0]][system], system)) if judges else []
    places = {judge: _places(ranks[judge]) for judge in judges}
    name_width = 16 + CHARACTER * max((len(shortened(system, LONGEST)) for system in systems), default=0)
    top = 40
    right = name_width + COLUMN * max(len(judges) - 1, 0)
    parts = [
        element(
            "text",
            shortened(judge, 14),
            x=_x(name_width, at),
            y=18 if at % 2 else 32,
            text_anchor="middle",
            class_="tick",
        )
        for at, judge in enumerate(judges)
    ]
    for number, system in enumerate(systems):
        points = [(_x(name_width, at), top + ROW * (places[judge][system] + 0.5)) for at, judge in enumerate(judges)]
        line = " ".join(f"{x:g},{y:g}" for x, y in points)
        said = f"{system}: " + ", ".join(f"rank {ranks[judge][system]} by {judge}" for judge in judges)
        parts.append(
            element(
                "g",
                element("title", said),
                element("polyline", points=line, class_="line"),
                *(element("circle", cx=x, cy=y, r=4.5, class_="end") for x, y in points),
                element("text", shortened(system, LONGEST), x=name_width - 10, y=points[0][1] + 4, text_anchor="end"),
                element("text", shortened(system, LONGEST), x=right + 10, y=points[-1][1] + 4),
                class_=f"system colour-{number % COLOURS}",
            )
        )
    return drawing(right + name_width, top + ROW * len(systems) + 8, title, parts)


def _places(ranks: Mapping[str, int]) -> dict[str, int]:
    return {system: place for place, system in enumerate(sorted(ranks, key=lambda one: (ranks[one], one)))}


def _x(left: float, column: int) -> float:
    return left + COLUMN * column
