"""A project as one file, from which everything comes out again: the same state gives the same bytes."""

from __future__ import annotations

import gzip
import io
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

from django.db import connection

import cranfield
from cranfield.data.judging_record import to_assessor_qrels
from cranfield.formats.bundle_archive import BundleWriter
from cranfield.formats.judging_bundle import ASSESSOR_QRELS, EVENTS, QRELS, SCHEMA, qrels_file
from cranfield.formats.judging_events import event_line
from cranfield.formats.trec_prefs import write_preferences
from cranfield.web.exchange.bundle_rows import TABLES, Row, RowWriter, project_row
from cranfield.web.judging.events import events_of
from cranfield.web.judging.judgments import judgments, record_of
from cranfield.web.judging.preferences import preferences
from cranfield.web.projects.models import Project

PREFERENCES = "preferences.txt"


def write_bundle(project: Project, path: str | os.PathLike[str], *, texts: bool = True, rule: str = "majority") -> None:
    """Write a bundle; without `texts` it has the hashes of documents alone, and what they say comes from elsewhere."""
    about = {
        "schema": SCHEMA,
        "cranfield": cranfield.__version__,
        "project": str(project.pk),
        "rule": rule,
        "texts": texts,
    }
    with _one_moment(), BundleWriter(path, about) as bundle:
        bundle.add("project.json", [json.dumps(project_row(project), indent=1, ensure_ascii=False).encode() + b"\n"])
        writer = RowWriter(project, texts=texts)
        for table in TABLES:
            bundle.add(f"{table}.jsonl", _lines(writer.rows(table)))
        for number, content in project.pools.values_list("number", "content"):
            bundle.add(f"pools/{number}.tsv", [gzip.decompress(content)])
        for scale in project.scales.all():
            bundle.add(f"scales/{scale.number}.md", [scale.guideline.encode()])
        for name, chunks in derived(project, rule):
            bundle.add(name, chunks)


def bundled(project: Project, *, texts: bool = True, rule: str = "majority") -> BinaryIO:
    """A bundle as a file that is open for reading, and gone once it is closed."""
    with TemporaryDirectory(prefix="cranfield-bundle-") as folder:
        path = Path(folder) / "bundle.zip"
        write_bundle(project, path, texts=texts, rule=rule)
        return path.open("rb")


@contextmanager
def _one_moment() -> Iterator[None]:
    """Within this context the database is read as it is at one moment; others may go on judging."""
    if connection.in_atomic_block:
        yield
        return
    # Django's own transactions would keep others from writing to SQLite until this one ends.
    begin = "BEGIN DEFERRED" if connection.vendor == "sqlite" else "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    with connection.cursor() as cursor:
        cursor.execute(begin)
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


def derived(project: Project, rule: str) -> Iterator[tuple[str, Iterable[bytes]]]:
    """The files that follow from the rows: events as the library reads them, and the judgments that come of them."""
    topics = list(project.topics.values_list("name", flat=True))
    record = record_of(project)
    yield EVENTS, (event_line(event) for event in events_of(project, everything=True))
    for stem, qrels in ((QRELS, judgments(project, rule, record)), (ASSESSOR_QRELS, to_assessor_qrels(record))):
        name, content = qrels_file(stem, qrels, topics)
        yield name, [content]
    if project.mode == Project.Mode.PAIRS:
        yield PREFERENCES, [_preferences(project)]


def _preferences(project: Project) -> bytes:
    out = io.BytesIO()
    write_preferences(preferences(project), out)
    return out.getvalue()


def _lines(rows: Iterable[Row]) -> Iterator[bytes]:
    return (json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows)
