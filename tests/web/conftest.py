"""What tests of the application share."""

from __future__ import annotations

import pytest
from django.db import connection

from cranfield.web.append_only import append_only_tables


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: object) -> None:
    """Tests that commit are cleaned up by deleting all rows, which the database refuses where rows are only added."""
    with django_db_blocker.unblock(), connection.cursor() as cursor:  # type: ignore[attr-defined]
        for table in append_only_tables():
            if connection.vendor == "sqlite":
                cursor.execute(f"DROP TRIGGER {table}_no_delete")
            else:
                cursor.execute(f"DROP TRIGGER {table}_no_truncate ON {table}")
