"""Numbers of things in words."""

from __future__ import annotations

import re

_ONE = {"queries": "query"} | {
    f"{one}s": one
    for one in (
        "click",
        "day",
        "document",
        "event",
        "group",
        "judgment",
        "line",
        "rank",
        "record",
        "row",
        "session",
        "time",
        "topic",
        "user",
    )
}
_SEVERAL = re.compile(rf"\b({'|'.join(_ONE)})\b")


def counted(number: int, what: str) -> str:
    """So many of something that is named in the plural, of which the first word that can be one thing follows.

    >>> counted(2, "queries of bots"), counted(1, "queries of bots"), counted(1, "documents shown")
    ('2 queries of bots', '1 query of bots', '1 document shown')
    """
    return f"{number:,} {_SEVERAL.sub(lambda found: _ONE[found[0]], what, count=1) if number == 1 else what}"
