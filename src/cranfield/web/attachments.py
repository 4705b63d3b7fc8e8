"""Answers that a browser saves as a file."""

from __future__ import annotations

from django.utils.http import content_disposition_header


def attachment(name: str) -> dict[str, str]:
    """The header that gives a file its name.

    >>> attachment("pool.tsv")
    {'Content-Disposition': 'attachment; filename="pool.tsv"'}
    """
    return {"Content-Disposition": content_disposition_header(True, name) or "attachment"}
