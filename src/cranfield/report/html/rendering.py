"""The page: templates filled with what is known, one file that needs nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from importlib import resources
from typing import Any
from urllib.parse import quote

from cranfield.errors import MissingExtraError
from cranfield.report import export
from cranfield.report.drawing import plain
from cranfield.report.html import views
from cranfield.report.html.contents import ReportContents
from cranfield.report.html.figures import ReportFigure
from cranfield.report.html.page_data import chosen_run, page_data, shown_measures
from cranfield.report.html.summary import summarise
from cranfield.report.theme import COLOURS

try:
    from jinja2 import Environment, FunctionLoader, StrictUndefined
    from markupsafe import Markup
except ImportError:
    raise MissingExtraError("a report", "report") from None

_TEMPLATES = "templates"


def render_page(
    contents: ReportContents,
    figures: list[ReportFigure],
    *,
    title: str | None = None,
    command: str | None = None,
    covers: str | None = None,
    doubts: Sequence[str] = (),
    notes: Sequence[str] = (),
) -> str:
    """The report as HTML."""
    table = views.results(contents)
    measures = shown_measures(contents)
    rendered = environment().get_template("report.html").render(
        contents=contents,
        title=title or views.title(contents),
        facts=views.facts(contents),
        **frame(),
        behaviour=Markup(_resource("report.js")),
        data=Markup(export.json_in_html(page_data(contents))),
        summary=summarise(contents),
        results=table,
        tracks=views.tracks(table, contents.measure),
        differences=views.differences(contents, contents.comparison) if contents.comparison else [],
        comparison=contents.comparison,
        figures=[{"figure": one, "drawing": Markup(one.drawing)} for one in figures],
        measures=[str(measure) for measure in measures],
        topic_rows=views.topic_rows(contents),
        highest=contents.highest_grade,
        chosen=chosen_run(contents),
        failures=contents.failures,
        quality=views.quality(contents),
        provenance=contents.evaluation.provenance.to_dict(),
        command=command,
        covers=covers,
        doubts=doubts,
        notes=notes,
        digits=views.DIGITS,
    )  # fmt: skip
    return plain(rendered)


def frame() -> dict[str, Any]:
    """What every page is made with: what it may do, its look, what draws its charts, and what sorts its tables."""
    return {
        "policy": export.CONTENT_POLICY,
        "colours": COLOURS,
        "styles": Markup(export.styles() + _resource("report.css")),
        "scripts": Markup(export.scripts()),
        "sorting": Markup(_resource("sorting.js")),
    }


@cache
def environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(_resource),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters: dict[str, Callable[..., str]] = {
        "fixed": _fixed,
        "grouped": _grouped,
        "prose": prose,
        "quoted": _quoted,
        "sentence": sentence,
    }
    environment.filters.update(filters)
    return environment


def prose(text: str) -> str:
    """Text in which a number stays with what it belongs to.

    >>> prose("95 % of 30 topics, p = .05") == "95\u00a0% of 30\u00a0topics, p\u00a0=\u00a0.05"
    True
    """
    together = re.sub(r"\bp ([=<]) ", "p\u00a0\\1\u00a0", text)
    return re.sub(r"(\d) (%|topics?\b|runs?\b)", "\\1\u00a0\\2", together)


def sentence(text: str) -> str:
    """
    >>> sentence("two runs differ"), sentence("All is well.")
    ('Two runs differ.', 'All is well.')
    """
    whole = prose(f"{text[:1].upper()}{text[1:]}")
    return whole if whole.endswith(".") else f"{whole}."


def _quoted(name: str) -> str:
    """A name as part of an address."""
    return quote(plain(name), safe="")


def _fixed(value: float, digits: int = views.DIGITS) -> str:
    return f"{value:.{digits}f}"


def _grouped(value: Any) -> str:
    """
    >>> _grouped(1234567)
    '1 234 567'
    """
    return f"{value:,}".replace(",", " ")


@cache
def _resource(name: str) -> str:
    return (resources.files("cranfield.report.html") / _TEMPLATES / name).read_text(encoding="utf-8")
