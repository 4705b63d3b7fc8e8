"""Every row as a line of JSON, packed with gzip: a backup that either kind of database can give and take."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterator
from datetime import datetime
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from django.apps import apps
from django.core import serializers
from django.core.management.color import no_style
from django.core.serializers.json import DjangoJSONEncoder
from django.db import DEFAULT_DB_ALIAS, connections, models, transaction

import cranfield
from cranfield.errors import DataError
from cranfield.web.accounts.models import FailedLogin
from cranfield.web.schema import OWN, applied

MAGIC = b"\x1f\x8b"
SCHEMA = "cranfield.judging-backup/1"
_AT_ONCE = 500


class _WholeTimes(DjangoJSONEncoder):
    """Times as they are: Django's own leaves only milliseconds of them."""

    def default(self, o: Any) -> Any:
        return o.isoformat() if isinstance(o, datetime) else super().default(o)


def kept_models() -> list[type[models.Model]]:
    """What a backup has: everything that people did, and not which logins failed."""
    return [model for label in OWN for model in apps.get_app_config(label).get_models() if model is not FailedLogin]


def write_rows(path: Path, database: str = DEFAULT_DB_ALIAS) -> None:
    """Write all rows as they are at one moment; others may go on writing meanwhile."""
    connection = connections[database]
    with transaction.atomic(using=database), gzip.open(path, "wb", compresslevel=6) as packed:
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        head = {"schema": SCHEMA, "cranfield": cranfield.__version__, "migrations": sorted(applied(database))}
        lines = io.TextIOWrapper(packed, encoding="utf-8", newline="\n")
        lines.write(json.dumps(head) + "\n")
        for model in kept_models():
            rows = model._default_manager.using(database).order_by("pk").iterator(chunk_size=_AT_ONCE)
            serializers.serialize("jsonl", rows, stream=lines, cls=_WholeTimes)
        lines.flush()


def read_rows(path: Path, database: str = DEFAULT_DB_ALIAS) -> int:
    """Put all rows of a backup into tables that are empty, in one transaction; how many there were."""
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines, transaction.atomic(using=database):
            _check_head(path, lines.readline(), database)
            count = 0
            for model, objects in groupby(_objects(lines), key=_model):
                while batch := list(islice(objects, _AT_ONCE)):
                    model._default_manager.using(database).bulk_create(batch)
                    count += len(batch)
            _set_sequences(database)
    except (EOFError, gzip.BadGzipFile, UnicodeDecodeError, serializers.base.DeserializationError) as error:
        raise DataError(f"{path}: this backup is not whole: {error}; nothing was changed") from None
    return count


def _objects(lines: Any) -> Iterator[models.Model]:
    return (one.object for one in serializers.deserialize("jsonl", lines))


def _model(row: models.Model) -> type[models.Model]:
    return type(row)


def _check_head(path: Path, line: str, database: str) -> None:
    try:
        head = json.loads(line)
        made_by, migrations = head["cranfield"], {(app, name) for app, name in head["migrations"]}
        schema = head["schema"]
    except (ValueError, KeyError, TypeError):
        schema, made_by, migrations = None, None, set()
    if schema != SCHEMA:
        raise DataError(f"{path}: this is no backup of the judging application: expected {SCHEMA} in its first line")
    if migrations != applied(database):
        raise DataError(
            f"{path}: this backup was made by cranfield {made_by}, whose tables are not those of "
            f"{cranfield.__version__}: restore it with that version into an empty database, then run "
            "`cranfield web migrate` with this one"
        )


def _set_sequences(database: str) -> None:
    connection = connections[database]
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), kept_models()):
            cursor.execute(statement)
