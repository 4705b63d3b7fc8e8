"""Small logs, written down as UBI has them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from cranfield.logs.folder import Source
from cranfield.logs.importing import Ways, import_files
from cranfield.logs.log import Log, Part
from cranfield.logs.settling import Rules

BEGIN = 1_772_323_200_000
"""2026-03-01T00:00:00Z, in milliseconds."""


def query(name: str, text: str, seconds: float = 0, **more: Any) -> dict[str, Any]:
    """A query that was put so many seconds after the beginning."""
    return {
        "query_id": name,
        "user_query": text,
        "timestamp": BEGIN + round(1000 * seconds),
        "client_id": "ann",
        **more,
    }


def event(action: str, name: str | None, document: str | None, rank: int | None, seconds: float, **more: Any) -> Any:
    """Something that was done, with a document at a rank."""
    attributes: dict[str, Any] = {}
    if document is not None:
        attributes["object"] = {"object_id": document}
    if rank is not None:
        attributes["position"] = {"ordinal": rank}
    return {
        "action_name": action,
        "query_id": name,
        "timestamp": BEGIN + round(1000 * seconds),
        "client_id": "ann",
        "event_attributes": attributes,
        **more,
    }


def shown(name: str, documents: Sequence[str], seconds: float = 0, **more: Any) -> list[dict[str, Any]]:
    """A list of results, from rank 1."""
    return [event("impression", name, document, rank, seconds, **more) for rank, document in enumerate(documents, 1)]


def write(path: Path, rows: Iterable[Mapping[str, Any] | str]) -> Path:
    """A file with a line for each row; texts are written as they are."""
    path.write_text("".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows))
    return path


def make_log(folder: Path, rows: Iterable[Mapping[str, Any] | str], part: Part | None = None, **rules: Any) -> Log:
    """A log of these rows."""
    source = write(folder / "source.ndjson", rows)
    import_files([source], folder / "log", Ways(salt="pepper"), Rules(**rules))
    return Log(folder / "log", part)


def imported(source: Path, log: Path, **ways: Any) -> Source:
    """What became of a file that is added to a log."""
    return import_files([source], log, Ways(**{"salt": "pepper", **ways})).added[0]


def tables(log: Path) -> dict[str, list[dict[str, Any]]]:
    """All rows of a log, in an order of their own."""
    opened = Log(log, Part(bots=True))
    found = {name: opened.run(getattr(opened, name)).to_pylist() for name in ("queries", "impressions", "events")}
    return {name: sorted(rows, key=lambda row: json.dumps(row, sort_keys=True)) for name, rows in found.items()}


def on_disk(log: Path) -> str:
    """All that the files of a log say: the rows of Parquet files, and others as they are."""
    import pyarrow.parquet

    said = []
    for file in log.rglob("*"):
        if file.suffix == ".parquet":
            said.append(json.dumps(pyarrow.parquet.ParquetFile(file).read().to_pylist()))
        elif file.is_file():
            said.append(file.read_text())
    return "\n".join(said)
