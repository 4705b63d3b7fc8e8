"""Where an installation keeps what is its own: the database, the secret key, files that were uploaded."""

from __future__ import annotations

import contextlib
import os
import secrets
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from cranfield.errors import UsageError

FOLDER = "CRANFIELD_JUDGING"
"""The variable of the environment that names the folder of the installation."""
USUAL_FOLDER = ".cranfield/judging"
"""That folder, if nothing is said of it."""
WORKSPACE = "CRANFIELD_WORKSPACE"
"""The variable that names the folder of the workspace that is judged."""
COLLECTIONS = "CRANFIELD_COLLECTIONS"
"""The variable that names folders with indexes and collections to search in, with a colon between two."""
ENGINES = "CRANFIELD_ENGINES"
"""The variable that names descriptions of engines that may run programs, with a colon between two."""
DATABASE = "DATABASE_URL"
KEY_FILE = "secret-key"
"""The file with what sessions are signed with, in that folder."""


def folder() -> Path:
    """The folder of this installation, made if it is not there; nobody else may look into it."""
    path = Path(os.environ.get(FOLDER) or USUAL_FOLDER).absolute()
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{path}: cannot be used for the judging application: {error.strerror or error}") from None
    return path


def secret_key(where: Path) -> str:
    """What sessions are signed with: made at the first start, and kept in a file that only its owner can read."""
    path = where / KEY_FILE
    try:
        if not path.exists():
            _make_secret_key(path)
        key = path.read_text().strip()
    except OSError as error:
        raise UsageError(f"{path}: the secret key cannot be kept there: {error.strerror or error}") from None
    if not key:
        raise UsageError(f"{path}: is empty; delete it, and a new key is made (everybody has to log in again)")
    return key


def _make_secret_key(path: Path) -> None:
    """The file is whole when it takes its name: of two processes that start at once, both use the same key."""
    handle, temporary = tempfile.mkstemp(dir=path.parent)  # mode 0600
    try:
        with os.fdopen(handle, "w") as out:
            out.write(secrets.token_urlsafe(50))
        with contextlib.suppress(FileExistsError):
            os.link(temporary, path)
    finally:
        os.unlink(temporary)


def database(where: Path, url: str | None) -> dict[str, Any]:
    """What Django wants to know of the database: SQLite in the folder, or PostgreSQL by its address.

    >>> settings = database(Path("/srv"), "postgres://anna:s%2Fcret@db.example.org:5433/judging?sslmode=require")
    >>> settings["HOST"], settings["PORT"], settings["NAME"], settings["PASSWORD"], settings["OPTIONS"]["sslmode"]
    ('db.example.org', 5433, 'judging', 's/cret', 'require')
    >>> database(Path("/srv"), None)["NAME"]
    '/srv/judging.sqlite3'
    """
    if not url:
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": str(where / "judging.sqlite3"),
            "OPTIONS": {
                "timeout": 5,
                "transaction_mode": "IMMEDIATE",
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
            },
        }
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise UsageError(f"{DATABASE}: expected postgres://USER:PASSWORD@HOST:PORT/NAME: {error}") from None
    if parts.scheme not in {"postgres", "postgresql"} or not parts.path.strip("/"):
        raise UsageError(
            f"{DATABASE}: expected postgres://USER:PASSWORD@HOST:PORT/NAME, found {parts.scheme or 'no scheme'}://…; "
            "without it the application uses SQLite"
        )
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.strip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": parts.hostname or "",
        "PORT": port or "",
        "CONN_MAX_AGE": 600,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {"connect_timeout": 5, **dict(parse_qsl(parts.query))},
    }
