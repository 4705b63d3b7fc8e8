"""A log that is made up: users of a stated model search a test collection, whose judgments say what they like."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.data.strings import Ints
from cranfield.errors import MissingExtraError
from cranfield.formats.writing import writing, writing_folder
from cranfield.logs.folder import SIMULATED, LogFolder, LogRecord, Source
from cranfield.logs.simulation.drawing import DAY_MS, Sessions, draw
from cranfield.logs.simulation.rows import Names, Rows
from cranfield.logs.simulation.settings import Settings
from cranfield.logs.simulation.truth import Truth
from cranfield.logs.simulation.ubi_lines import UbiLines
from cranfield.logs.simulation.users import UserModel, parameters_of, user_model
from cranfield.logs.simulation.world import World, world
from cranfield.logs.summaries import write_summaries
from cranfield.logs.tables import TABLES, whole_file
from cranfield.logs.topic_texts import normalised

if TYPE_CHECKING:
    import pyarrow as pa

_TABLES = "tables-1"
_AT_ONCE = 50_000
"""Sessions that are drawn together. What is drawn depends on it, so it is no setting."""


@dataclass(frozen=True, eq=False)
class Simulated:
    """What was made."""

    record: LogRecord
    truth: Truth


def simulate(
    runs: Sequence[Run],
    qrels: Qrels,
    log: str | os.PathLike[str],
    *,
    users: UserModel | str = "dbn",
    texts: Mapping[str, str] | None = None,
    settings: Settings | None = None,
    ubi: str | os.PathLike[str] | None = None,
    progress: Callable[[str, float], None] | None = None,
) -> Simulated:
    """Write a log of sessions in which users see pages of these runs, and the truth beside it.

    Each query is answered by one of the runs, all equally likely; `texts` are the words of topics, which are called by
    their identifiers without them. The same arguments always give the same log. Memory does not grow with the number
    of sessions: they are drawn a day, or a part of one, at a time. With `ubi` the same is written to a file as lines
    of User Behavior Insights, which an import makes the same log of.
    """
    try:
        import pyarrow as pa  # noqa: F401
    except ImportError:
        raise MissingExtraError("query logs", "logs") from None
    settings = settings or Settings()
    model = user_model(users) if isinstance(users, str) else users
    there = world(runs, qrels, texts, settings)
    with writing_folder(log) as folder, _written(ubi) as tell:
        normal = normalised(there.texts)
        words, documents = Names.of(normal), Names.of(there.documents)
        lines = UbiLines(there)
        rows = dict.fromkeys(TABLES, 0)
        looked, shown = np.zeros(settings.depth), np.zeros(settings.depth)
        for sessions in _days(settings):
            pages = draw(there, model, settings, sessions)
            for name, table in Rows(there, words, documents, pages).tables().items():
                rows[name] += _write_by_day(table, folder / _TABLES / name, sessions)
            looked += pages.looked.sum(axis=0)
            shown += (pages.pair >= 0).sum(axis=0)
            if tell is not None:
                tell("".join(lines.of(pages)).encode())
            if progress is not None:
                progress("simulating", (sessions.first + sessions.number) / settings.sessions)
        _write_names({"texts": words, "documents": documents}, folder / _TABLES)
        write_summaries(folder / _TABLES)
        truth = Truth(
            model.name,
            parameters_of(model),
            settings.said(),
            np.divide(looked, shown, out=np.zeros_like(looked), where=shown > 0),
            _documents(there, normal),
        )
        truth.write(folder)
        record = _record(truth, runs, qrels, rows)
        LogFolder(folder).write(record)
    return Simulated(record, truth)


def _days(settings: Settings) -> Iterator[Sessions]:
    """The sessions of each day, so many at once as fit in memory."""
    first_day = date.fromisoformat(settings.start)
    chunk = 0
    for day in range(settings.days):
        day_ms = ((first_day + timedelta(days=day)) - date(1970, 1, 1)).days * DAY_MS
        begin, end = (settings.sessions * (day + after) // settings.days for after in (0, 1))
        for first in range(begin, end, _AT_ONCE):
            yield Sessions(first, min(_AT_ONCE, end - first), day_ms, chunk)
            chunk += 1


def _write_by_day(table: pa.Table, folder: Path, sessions: Sessions) -> int:
    """Each row into the folder of its day, which a session may pass the end of; a table without rows has a file too."""
    import pyarrow as pa
    import pyarrow.parquet

    days: Ints = table.column("time_ms").to_numpy() // DAY_MS
    for day in np.unique(days).tolist() or [sessions.day_ms // DAY_MS]:
        rows = table if (days == day).all() else table.filter(pa.array(days == day))
        name = (date(1970, 1, 1) + timedelta(days=day)).isoformat()
        place = folder / f"day={name}"
        place.mkdir(parents=True, exist_ok=True)
        named = pa.DictionaryArray.from_arrays(pa.array(np.zeros(len(rows), dtype=np.int32)), pa.array([name]))
        pyarrow.parquet.write_table(
            rows.append_column("day", named),
            place / f"part-{sessions.chunk:06}.parquet",
            compression="zstd",
            store_schema=False,
        )
    return len(table)


def _write_names(names: Mapping[str, Names], folder: Path) -> None:
    """The tables that say which text, and which document, has which number."""
    import pyarrow.parquet

    for name, its in names.items():
        place = whole_file(folder, name)
        pyarrow.parquet.write_table(its.table(name), place, compression="zstd", store_schema=False)


def _documents(there: World, texts: Sequence[str]) -> pa.Table:
    """Each text of the topic of each pair."""
    import pyarrow as pa

    ways = np.diff(there.first_text)[there.pair_topic]
    pair = np.repeat(np.arange(len(there.pair_topic)), ways)
    way = np.arange(len(pair)) - np.repeat(np.cumsum(ways) - ways, ways)
    text = there.first_text[there.pair_topic[pair]] + way
    grade = there.grade[pair]
    return pa.table(
        {
            "topic": pa.array(there.topics).take(pa.array(there.pair_topic[pair])),
            "text": pa.array(texts).take(pa.array(text)),
            "document_id": pa.array(there.documents).take(pa.array(there.pair_document[pair])),
            "grade": pa.array(grade, mask=np.isnan(grade)),
            "attractiveness": there.attractiveness[pair],
            "satisfaction": there.satisfaction[pair],
        }
    )


def _record(truth: Truth, runs: Sequence[Run], qrels: Qrels, rows: dict[str, int]) -> LogRecord:
    """That of a log whose one source is this simulation; its hash is of everything that the log follows from."""
    rules = {"model": truth.model, "parameters": truth.parameters, "settings": truth.settings}
    rules |= {"runs": [run.name for run in runs], "qrels": qrels.name}
    content = hashlib.sha256(json.dumps(rules, sort_keys=True).encode())
    for name in truth.documents.column_names:
        content.update(repr(truth.documents.column(name).to_pylist()).encode())
    kept = {"query": rows["queries"], "event": rows["events"]}
    name = f"{SIMULATED}: {truth.model} users, {truth.settings['sessions']} sessions, seed {truth.settings['seed']}"
    total = sum(kept.values())
    source = Source(name, content.hexdigest(), 0, SIMULATED, total, kept, {}, {"": 1}, rows_kept=total)
    return LogRecord((source,), _TABLES, rows, {}, {"simulation": rules})


@contextlib.contextmanager
def _written(path: str | os.PathLike[str] | None) -> Iterator[Callable[[bytes], object] | None]:
    """What writes to a file, where there is one to write."""
    if path is None:
        yield None
        return
    with writing(path) as out:
        yield out.write
