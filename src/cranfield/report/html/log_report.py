"""A report on a log: all that it says, on one page that needs nothing else."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path, PurePath
from typing import Any

from cranfield import __version__
from cranfield.errors import CranfieldError, MissingExtraError, UsageError, did_you_mean
from cranfield.evaluation.provenance.record import utc_time
from cranfield.formats.writing import writing
from cranfield.logs.counting import counted
from cranfield.logs.folder import SIMULATED, Source
from cranfield.logs.log import Log
from cranfield.logs.overview import Overview
from cranfield.logs.topic_sample import LEAST_USERS
from cranfield.report.html import log_queries, log_relevance, log_traffic
from cranfield.report.html.log_sections import LogSection, LogTable, LogView, Maker
from cranfield.report.html.write import check_folder

SECTIONS: dict[str, tuple[str, Maker]] = {
    "traffic": ("Traffic", log_traffic.traffic),
    "asked": ("What is asked", log_traffic.asked),
    "behaviour": ("What people do", log_traffic.doing),
    "ranks": ("Click-through by rank", log_relevance.ranks),
    "documents": ("Clicks over expected clicks", log_relevance.documents),
    "models": ("Click models", log_relevance.models),
    "judgments": ("Inferred judgments", log_relevance.judgments),
    "needs": ("What queries mean", log_queries.needs),
    "anew": ("How queries are said anew", log_queries.anew),
    "caches": ("What a cache would save", log_queries.caches),
    "again": ("What users do again", log_queries.again),
}
"""The sections in their order: what each is called, and what makes it."""


@dataclass(frozen=True)
class LogReport:
    """What was written."""

    headline: str
    sections: tuple[LogSection, ...]
    missing: dict[str, str]
    """Sections that could not be made, and why."""


def write_log_report(
    log: Log,
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
    least_people: int | None = None,
    without: Sequence[str] = (),
    command: str | None = None,
    progress: Callable[[str, float], None] | None = None,
) -> LogReport:
    """Write all that a log says to one HTML file that opens without a network.

    Queries that fewer than `least_people` put are counted, but never named: 2, or as many as the log itself asks for
    (`logs import --anonymity`). People are users, or sessions where users are unknown. Sections in `without` are left
    out; one that cannot be made says why.
    """
    for name in without:
        if name not in SECTIONS:
            hint = did_you_mean(name, SECTIONS)
            raise UsageError(f"there is no section {name!r}; there are {', '.join(SECTIONS)}{hint}")
    check_folder(path, None)
    least = least_people
    if least is None:
        least = max(LEAST_USERS, int(log.record.settings.get("anonymity", 0)))
    view = LogView(log, least)
    found = view.overview
    made, missing = list[LogSection](), dict[str, str]()
    wanted = {name: one for name, one in SECTIONS.items() if name not in without}
    for number, (name, (heading, make)) in enumerate(wanted.items()):
        if progress is not None:
            progress(heading.lower(), number / len(wanted))
        try:
            made.append(_with_something(make(view), least))
        except MissingExtraError:
            raise
        except CranfieldError as error:
            missing[name] = str(error)
            why = str(error).removeprefix(f"{log.path}: ")
            made.append(LogSection(name, heading, words=(f"Nothing can be said: {why}",)))
    made.append(_sources(log, command))
    headline = _headline(found)
    page = _page(log, title or Path(log.path).resolve().name, found, headline, made, least)
    with writing(path) as out:
        out.write(f"{page}\n".encode())
    return LogReport(headline, tuple(made), missing)


def _with_something(section: LogSection, least: int) -> LogSection:
    """Without tables that have no rows; these are named, so that one sees that there is nothing."""
    empty = [table.title for table in section.tables if not table.rows]
    tables = tuple(table for table in section.tables if table.rows)
    why = f" (queries that fewer than {least} people put are not named)" if least > 1 else ""
    notes = tuple(f"There is nothing to show in: {title.lower()}{why}" for title in empty)
    return LogSection(section.name, section.heading, section.words, section.figures, tables, (*section.notes, *notes))


def _headline(found: Overview) -> str:
    total = found.total
    users = "" if total.users is None else f" by {counted(total.users, 'users')}"
    clicked = 100 * (total.queries - total.without_click) / total.queries
    days = f" from {found.days[0].day} to {found.days[-1].day}" if found.days else ""
    return f"{counted(total.queries, 'queries')}{users}{days}; {clicked:.0f} % of them were followed by a click."


def _sources(log: Log, command: str | None) -> LogSection:
    """What the log is made of, and by which rules."""
    record = log.record
    rows = [
        (_file_name(one), one.format, one.sha256[:12], one.read, one.rows_kept, sum(one.rejected.values()))
        for one in record.sources
    ]
    rejected = [
        (_file_name(one), why, number) for one in record.sources for why, number in sorted(one.rejected.items())
    ]
    rules = list(_rules(record.settings))
    part = {name: value for name, value in asdict(log.part).items() if value}
    tables = [
        LogTable("Sources", ("source", "format", "SHA-256 begins", "rows", "kept", "rejected"), rows, left=3),
        LogTable("Rejected rows", ("source", "reason", "rows"), rejected, left=2),
        LogTable("Rules by which it was put together", ("rule", "value"), rules, left=2),
    ]
    return LogSection(
        "sources",
        "What it is made of",
        words=(
            f"In the log: {counted(record.rows['queries'], 'queries')}, "
            f"{counted(record.rows['impressions'], 'documents shown')}, {counted(record.rows['events'], 'events')}",
            f"This page is about a part of it: {', '.join(f'{name} {value}' for name, value in part.items())}"
            if part
            else "This page is about all of it, but for users that searched faster than people do",
            *([f"It was made by: {command}"] if command else []),
        ),
        tables=tuple(table for table in tables if table.rows),
        notes=tuple(counted(number, what) for what, number in record.notes.items() if number),
    )


def _file_name(source: Source) -> str:
    """Without its folders, which are nobody else's business; what is made up or came from a server has no file."""
    no_file = source.format == SIMULATED or "://" in source.name
    return source.name if no_file else PurePath(source.name).name


def _rules(settings: Mapping[str, Any], within: str = "") -> Iterator[tuple[str, str]]:
    """
    >>> list(_rules({"gap_minutes": 30, "users": {"model": "dbn"}, "runs": ["a", "b"], "grades": {"0": 0.1, "1": 0.5}}))
    [('gap minutes', '30'), ('grades', '0: 0.1, 1: 0.5'), ('runs', 'a, b'), ('users: model', 'dbn')]
    """
    for name, value in sorted(settings.items()):
        said = f"{within}{name.replace('_', ' ')}"
        if isinstance(value, Mapping) and all(key.isdecimal() for key in value):
            yield said, ", ".join(f"{key}: {one}" for key, one in value.items())
        elif isinstance(value, Mapping):
            yield from _rules(value, f"{said}: ")
        elif isinstance(value, list | tuple):
            yield said, ", ".join(map(str, value))
        else:
            yield said, value if isinstance(value, str) else json.dumps(value)


def _page(
    log: Log, title: str, found: Overview, headline: str, sections: Sequence[LogSection], least_people: int
) -> str:
    from cranfield.report.drawing import plain
    from cranfield.report.html.rendering import environment, frame

    rests = []
    if least_people > 1:
        rests.append(
            f"Queries that fewer than {least_people} people put are counted, but not named"
            + ("" if found.total.users is not None else "; people are sessions here: the log does not say who searched")
        )
    if log.times_said:
        rests.append(log.times_said[0].upper() + log.times_said[1:] + ", and what rests on them is left out")
    rendered = environment().get_template("log_report.html").render(
        title=title,
        facts=[
            counted(found.total.queries, "queries"),
            counted(found.total.sessions, "sessions"),
            counted(len(found.days), "days") if found.days else "no days",
        ],
        made=utc_time(time.time()),
        version=__version__,
        **frame(),
        headline=headline,
        rests=rests,
        sections=sections,
    )  # fmt: skip
    return plain(rendered)
