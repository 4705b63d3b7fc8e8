"""Transactions of judging. SQLite has one writer at a time, and has the others try again after a while, longer each
time; so within this process they stand in line instead, and each goes on when the one before it is ready."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from django.db import connection, transaction

_LINE = threading.Lock()


@contextmanager
def writing() -> Iterator[None]:
    """A transaction that writes; within another one, which had its turn, a part of it that can fail by itself."""
    in_line = connection.vendor == "sqlite" and not connection.in_atomic_block
    with _LINE if in_line else nullcontext(), transaction.atomic():
        yield
