"""Charts as files: SVG, PNG, PDF, a page for the browser, or the specification itself.

A page needs no network: `scripts` is all the JavaScript there is, once for a page, and `figure` one chart in it.
"""

from __future__ import annotations

import html
import json
import os
from collections.abc import Callable
from functools import cache, partial
from importlib import resources
from string import Template
from typing import TYPE_CHECKING, Any, Literal

from cranfield.errors import MissingExtraError, UsageError, did_you_mean
from cranfield.formats.writing import writing

if TYPE_CHECKING:
    from cranfield.report.drawing import AnyChart

FORMATS = ("svg", "png", "pdf", "html", "json")
THEMES = ("light", "dark", "auto")
Theme = Literal["light", "dark", "auto"]
SCALE = 2.0
"""How many pixels of a PNG there are for one of the drawing."""
CONTENT_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:"
)
"""What a page with charts may do: nothing that takes a network. Vega makes functions of the expressions in a chart."""


def write_chart(
    chart: AnyChart,
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    theme: Theme | None = None,
    scale: float = SCALE,
) -> None:
    """Write a chart to a file, in the format that the ending of its name says.

    `theme` is `light`, `dark`, or for a page `auto`: what the reader's system asks for. Without it a page is `auto`,
    and all else `light`. `scale` is for PNG. The file takes its name only when it is complete; `-` is standard output.
    """
    content = chart_bytes(chart, format or format_of(path), theme=theme, scale=scale)
    with writing(path) as out:
        out.write(content)


def format_of(path: str | os.PathLike[str], more: tuple[str, ...] = ()) -> str:
    """The format that the ending of a name says; there may be more than those of charts.

    >>> format_of("curves.SVG"), format_of("chart.html.gz")
    ('svg', 'html')
    """
    name = os.fspath(path)
    bare = name.lower().removesuffix(".gz").removesuffix(".zst")
    ending = os.path.splitext(bare)[1].removeprefix(".")
    endings = (*FORMATS, *more)
    if ending not in endings:
        found = f"ends in .{ending}" if ending else "has no ending"
        raise UsageError(
            f"{name}: the name of a drawing ends in {', '.join(f'.{one}' for one in endings)}; this one {found}"
            f"{did_you_mean(ending, endings)}"
        )
    return ending


def chart_bytes(chart: AnyChart, format: str, *, theme: Theme | None = None, scale: float = SCALE) -> bytes:
    """A chart in one of the formats."""
    if format not in FORMATS:
        raise UsageError(
            f"there is no format {format!r}; there are {', '.join(FORMATS)}{did_you_mean(format, FORMATS)}"
        )
    if theme is not None and theme not in THEMES:
        raise UsageError(f"there is no theme {theme!r}; there are {', '.join(THEMES)}{did_you_mean(theme, THEMES)}")
    if not 0.1 <= scale <= 20:
        raise UsageError(f"the scale of a PNG (--scale, scale=) is from 0.1 to 20, not {scale:g}")
    if format == "html":
        return page(chart, theme=theme or "auto").encode()
    if theme == "auto":
        raise UsageError(f"the theme auto is for pages, whose readers have a light or a dark screen; not for {format}")
    spec = specification(chart, theme or "light")
    if format == "json":
        return (json.dumps(spec, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode()
    return _drawn(spec, format, scale)


def specification(chart: AnyChart, theme: Literal["light", "dark"] = "light") -> dict[str, Any]:
    """The chart as Vega-Lite has it."""
    from cranfield.report.theme import on

    spec: dict[str, Any] = on(chart, theme).to_dict()
    return spec | {"description": description(chart)}


def _drawn(spec: dict[str, Any], format: str, scale: float) -> bytes:
    converter = _converter(f"writing {format}")
    vega_lite = {"vl_spec": spec, "vl_version": _vega_lite_version()}
    ways: dict[str, Callable[[], bytes | str]] = {
        "svg": partial(converter.vegalite_to_svg, **vega_lite),
        "png": partial(converter.vegalite_to_png, **vega_lite, scale=scale),
        "pdf": partial(converter.vegalite_to_pdf, **vega_lite),
    }
    drawn = ways[format]()
    if isinstance(drawn, bytes):
        return drawn
    said = html.escape(spec["description"].replace("\n", ". "), quote=True)
    return drawn.replace("<svg ", f'<svg role="img" aria-label="{said}" ', 1).encode()


def _converter(what: str) -> Any:
    try:
        import vl_convert
    except ImportError:
        raise MissingExtraError(what, "report") from None
    return vl_convert


def _vega_lite_version() -> str:
    from cranfield.report.drawing import alt

    return ".".join(alt.VEGALITE_VERSION.lstrip("v").split(".")[:2])


# Pages


def page(chart: AnyChart, *, theme: Theme = "auto") -> str:
    """A page with one chart, which opens without a network."""
    from cranfield.report.theme import COLOURS

    paper = {ground: colours["paper"] for ground, colours in COLOURS.items()}
    return Template(_resource("chart_page.html")).substitute(
        title=html.escape(description(chart).splitlines()[0]),
        policy=html.escape(CONTENT_POLICY),
        scheme="light dark" if theme == "auto" else theme,
        paper=paper["light" if theme == "auto" else theme],
        paper_if_dark=paper["dark" if theme == "auto" else theme],
        styles=styles(),
        scripts=scripts(),
        figure=figure(chart, theme=theme),
    )


def figure(chart: AnyChart, *, theme: Theme = "auto", name: str = "chart") -> str:
    """One chart of a page that has `scripts` and `styles`; `name` is that of the file if a reader saves it."""
    spec = specification(chart)
    del spec["config"]
    said = html.escape(description(chart), quote=True)
    return (
        f'<figure class="cranfield-chart" data-ground="{theme}" data-name="{html.escape(name, quote=True)}">'
        f'<div class="cranfield-drawing" role="img" aria-label="{said}"></div>'
        f'<script type="application/json">{json_in_html(spec)}</script></figure>'
    )


@cache
def scripts() -> str:
    """The JavaScript of a page with charts, for one script element before them: Vega, and what draws each figure."""
    from cranfield.report.theme import GROUNDS, config

    grounds = json_in_html({ground: config(ground) for ground in GROUNDS})
    bundle = _converter("a page with charts").javascript_bundle(vl_version=_vega_lite_version())
    whole = f"{bundle}\nconst CRANFIELD_GROUNDS = {grounds};\n{_resource('charts.js')}"
    assert "</script" not in whole.lower()
    return whole


def styles() -> str:
    """The style sheet of a page with charts."""
    return _resource("charts.css")


def description(chart: AnyChart) -> str:
    """The chart in words: its title, and on further lines what stands below that."""
    title = chart.to_dict(validate=False).get("title", {})
    lines = [" ".join(title.get(part, [])) for part in ("text", "subtitle")]
    return "\n".join(line for line in lines if line) or "Chart"


def json_in_html(value: Any) -> str:
    """JSON that may stand inside a script element, whatever texts it has.

    >>> json_in_html({"run": "</script><script>"})
    '{"run":"\\\\u003c/script\\\\u003e\\\\u003cscript\\\\u003e"}'
    """
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


@cache
def _resource(name: str) -> str:
    return (resources.files("cranfield.report") / name).read_text(encoding="utf-8")
