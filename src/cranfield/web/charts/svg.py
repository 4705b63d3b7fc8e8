"""Elements of SVG, with everything escaped that users named."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

CHARACTER = 7.2
"""About how wide a character is, of the size that labels have."""


def element(name: str, *content: object, **attributes: object) -> SafeString:
    """An element; `class_` is its class, and `stroke_width` the attribute stroke-width.

    >>> element("text", "a < b", x=1.25, class_="label")
    '<text x="1.25" class="label">a &lt; b</text>'
    """
    said = format_html_join("", ' {}="{}"', ((_name(key), _value(value)) for key, value in attributes.items()))
    return format_html("<{}{}>{}</{}>", name, said, joined(content), name)


def joined(parts: Iterable[object]) -> SafeString:
    return format_html_join("", "{}", ((part,) for part in parts))


FITS = 480
"""A wider drawing keeps its size on a narrow screen, and is moved beneath it."""


def drawing(width: float, height: float, title: str, parts: Iterable[object]) -> SafeString:
    """A whole chart. The title says what is seen, for those who do not see it."""
    return element(
        "svg",
        element("title", title),
        *parts,
        viewBox=f"0 0 {width:g} {height:g}",
        width=f"{width:g}",
        height=f"{height:g}",
        role="img",
        aria_label=title,
        class_="drawing" if width <= FITS else "drawing wide",
    )


def shortened(text: str, most: int) -> str:
    """
    >>> shortened("nowhere", 5), shortened("here", 5)
    ('nowh…', 'here')
    """
    return text if len(text) <= most else text[: most - 1] + "…"


def _name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def _value(value: object) -> object:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else value
