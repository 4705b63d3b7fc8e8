"""`cranfield logs show`."""

from __future__ import annotations

import json

import click

from cranfield.cli.completion import FILE
from cranfield.cli.engine_options import EngineOptions, engine_options
from cranfield.cli.logs.log_options import log_engine
from cranfield.cli.logs.sources import notes_of, rows_said, sections_of, whole_of
from cranfield.cli.options import formats_option
from cranfield.cli.sections import Section, show_sections, table_option
from cranfield.logs.duck_engine import DuckEngine
from cranfield.logs.folder import RECORD, LogRecord, read_record


@click.command("show", epilog="Example: cranfield logs show shop-log")
@click.argument("log", metavar="LOG", type=FILE)
@engine_options(DuckEngine.name)
@table_option(("sources", "rejected", "rules"), "sources")
@formats_option
def command(log: str, engine: EngineOptions, wanted: str | None, layout: str | None) -> None:
    """Say what a log is made of: its sources, the rows they had, what was rejected and why, the rules it follows."""
    show_log(log, read_record(log, log_engine(engine).text(f"{log}/{RECORD}")), layout, wanted)


def show_log(log: str, record: LogRecord, layout: str | None, wanted: str | None = None) -> None:
    """The whole record of a log."""
    rules = [
        (name, value if isinstance(value, (int, float)) else json.dumps(value))
        for name, value in sorted(record.settings.items())
    ]
    show_sections(
        {**sections_of(record.sources), "rules": Section(("rule", "value"), rules, "Rules", digits={"value": 1})},
        layout,
        wanted,
        usual=("sources", "rejected", "rules"),
        whole=whole_of(record, record.sources),
        said=[rows_said(log, record)],
        notes=notes_of(log, record, record.sources),
    )
