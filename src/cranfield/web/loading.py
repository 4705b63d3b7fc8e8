"""Making the application ready to be used: its folder, its settings, its database."""

from __future__ import annotations

import contextlib
import importlib
import os
from collections.abc import Iterator
from pathlib import Path

from cranfield.errors import DataError, MissingExtraError, UsageError
from cranfield.web import instance

_LIBRARIES = ("argon2", "csp", "django", "markdown_it", "nh3", "waitress", "whitenoise")


def load(data: str | Path | None = None, workspace: str | Path | None = None) -> None:
    """Load the application over the folder of an installation; an error says what is missing for it."""
    for name, value in ((instance.FOLDER, data), (instance.WORKSPACE, workspace)):
        if value is not None:
            os.environ[name] = str(Path(value).absolute())
    # Whatever this variable says in a shell is about another program.
    os.environ["DJANGO_SETTINGS_MODULE"] = "cranfield.web.settings"
    try:
        for library in _LIBRARIES:
            importlib.import_module(library)
    except ImportError:
        raise MissingExtraError("the judging application", "web") from None
    import django
    from django.core.exceptions import ImproperlyConfigured

    try:
        django.setup()
    except ImproperlyConfigured as error:
        if "psycopg" in str(error):
            raise MissingExtraError(f"{instance.DATABASE} with PostgreSQL", "postgres") from None
        raise


def refuse_no_installation(data: str | Path | None) -> None:
    """An error if the folder of the installation is not there: most likely its name is a slip."""
    folder = Path(data or os.environ.get(instance.FOLDER) or instance.USUAL_FOLDER).absolute()
    if not folder.is_dir():
        raise UsageError(
            f"{folder}: there is no installation of the judging application; `cranfield judge` and `cranfield web "
            "migrate` make one, --data and CRANFIELD_JUDGING name one"
        )


@contextlib.contextmanager
def database_errors() -> Iterator[None]:
    """While this lasts, a database that cannot be used is an error in one line, without its password."""
    from django.db import Error, connection

    try:
        yield
    except Error as error:
        settings = connection.settings_dict
        where = settings["NAME"]
        if connection.vendor == "postgresql":
            where = f"{settings['NAME']} at {settings['HOST'] or 'the local socket'}:{settings['PORT'] or 5432}"
        if todo := _migrations_to_go():
            raise DataError(f"the database {where} has {todo} migrations to go: run `cranfield web migrate`") from None
        lines = str(error).strip().splitlines() or [type(error).__name__]
        raise DataError(f"the database {where} cannot be used: {lines[0]}") from None


def _migrations_to_go() -> int:
    """How many there are, as far as the database can say."""
    from django.db import Error

    from cranfield.web.schema import pending

    try:
        return len(pending())
    except (Error, DataError):
        return 0
