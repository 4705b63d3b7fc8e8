"""A square with a cell for each two judges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.safestring import SafeString

from cranfield.web.charts.svg import CHARACTER, drawing, element, shortened

CELL = 52
LONGEST = 14
STEPS = (0.2, 0.4, 0.6, 0.8)


def pair_matrix(
    names: Sequence[str], values: Mapping[tuple[str, str], tuple[float | None, str]], title: str
) -> SafeString:
    """The value of each two of the names, and what it says in words; the darker the cell, the higher the value."""
    left = 40 + CHARACTER * max((len(shortened(name, LONGEST)) for name in names), default=0)
    top = 28
    parts = []
    for row, first in enumerate(names):
        y = top + CELL * row
        parts.append(
            element(
                "text", f"{row + 1}. {shortened(first, LONGEST)}", x=left - 8, y=y + CELL / 2 + 4, text_anchor="end"
            )
        )
        parts.append(
            element("text", row + 1, x=left + CELL * (row + 0.5), y=top - 10, text_anchor="middle", class_="tick")
        )
        for column, second in enumerate(names):
            found = values.get((first, second)) or values.get((second, first))
            if found is None or row == column:
                continue
            value, said = found
            x = left + CELL * column
            step = "none" if value is None else sum(value > bound for bound in STEPS)
            parts.append(
                element(
                    "g",
                    element("title", said),
                    element(
                        "rect", x=x + 1, y=y + 1, width=CELL - 2, height=CELL - 2, rx=4, class_=f"cell step-{step}"
                    ),
                    element(
                        "text",
                        "–" if value is None else f"{value:.2f}",
                        x=x + CELL / 2,
                        y=y + CELL / 2 + 4,
                        text_anchor="middle",
                        class_=f"on-step-{step}",
                    ),
                )
            )
    return drawing(left + CELL * len(names) + 8, top + CELL * len(names) + 8, title, parts)
