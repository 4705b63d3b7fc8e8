"""Rows that are only ever added: the models refuse to change them, and so does the database itself."""

from __future__ import annotations

from typing import Any, NoReturn

from django.apps import apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from cranfield.errors import UsageError


class AppendOnly(models.Model):
    """A row that stays as it was written."""

    class Meta:
        abstract = True

    def save(self, *args: Any, **options: Any) -> None:
        if not self._state.adding:
            self._refuse("changed")
        super().save(*args, **options)

    def delete(self, *args: Any, **options: Any) -> NoReturn:
        self._refuse("deleted")

    def _refuse(self, what: str) -> NoReturn:
        raise UsageError(
            f"{self._meta.verbose_name} {self.pk} cannot be {what}: rows of this table are only ever added"
        )


_POSTGRES_FUNCTION = """
CREATE OR REPLACE FUNCTION cranfield_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rows of % are only ever added', TG_TABLE_NAME;
END $$
"""


def append_only_tables() -> list[str]:
    """The tables whose rows are only ever added."""
    return [model._meta.db_table for model in apps.get_models() if issubclass(model, AppendOnly)]


def only_ever_added(table: str, *columns: str) -> migrations.RunPython:
    """The step of a migration after which the database refuses every UPDATE and DELETE of a table's rows; where columns
    are named, an UPDATE of these, and others may change.

    SQLite makes a table anew to change it, and loses this on the way: a migration that changes the table ends with it.
    """

    def forbid(state: object, editor: BaseDatabaseSchemaEditor) -> None:
        if editor.connection.vendor == "postgresql":
            editor.execute(_POSTGRES_FUNCTION, params=None)
        of_columns = f" OF {', '.join(columns)}" if columns else ""
        for change, when in (("update", f"update{of_columns}"), ("delete", "delete")):
            name = f"{table}_no_{change}"
            if editor.connection.vendor == "postgresql":
                how = f"BEFORE {when} ON {table} FOR EACH ROW EXECUTE FUNCTION cranfield_append_only()"
            else:
                how = f"BEFORE {when} ON {table} BEGIN SELECT RAISE(ABORT, 'rows of {table} are only ever added'); END"
            editor.execute(f"CREATE TRIGGER {name} {how}")

    def allow(state: object, editor: BaseDatabaseSchemaEditor) -> None:
        for change in ("update", "delete"):
            of_table = f" ON {table}" if editor.connection.vendor == "postgresql" else ""
            editor.execute(f"DROP TRIGGER {table}_no_{change}{of_table}")

    return migrations.RunPython(forbid, allow)


def never_emptied(table: str) -> migrations.RunPython:
    """The step of a migration after which PostgreSQL refuses to TRUNCATE a table, which is no DELETE to it."""

    def forbid(state: object, editor: BaseDatabaseSchemaEditor) -> None:
        if editor.connection.vendor == "postgresql":
            editor.execute(
                f"CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table} "
                "FOR EACH STATEMENT EXECUTE FUNCTION cranfield_append_only()"
            )

    def allow(state: object, editor: BaseDatabaseSchemaEditor) -> None:
        if editor.connection.vendor == "postgresql":
            editor.execute(f"DROP TRIGGER {table}_no_truncate ON {table}")

    return migrations.RunPython(forbid, allow)
