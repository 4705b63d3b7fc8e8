"""A small log of several users, and the same as plain rows for loops to count in."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from cranfield.logs.log import Log
from tests.logs.making import event, make_log, query, shown


class Page(NamedTuple):
    """A query as it was put once."""

    name: str
    user: str
    text: str
    seconds: int
    documents: tuple[str, ...]
    clicked: tuple[str, ...]


def pages_at_random(seed: int, count: int = 120, users: int = 6, texts: Sequence[str] = ()) -> list[Page]:
    """Queries at different times, in the order of these; more often than not near the one before."""
    draws = random.Random(seed)
    texts = texts or ("soup", "hot soup", "soup hot", "bread", "soap", "rye bread", "tea")
    pages, seconds = list[Page](), 0
    for number in range(count):
        seconds += draws.choice((7, 60, 200, 4000))
        text = draws.choice(texts)
        documents = tuple(draws.sample([f"{text.split()[-1]}{n}" for n in range(5)], 4))
        clicked = tuple(draws.sample(documents, draws.choice((0, 1, 1, 2))))
        pages.append(Page(f"q{number:03}", f"u{draws.randrange(users)}", text, seconds, documents, clicked))
    return pages


def log_of(folder: Path, pages: Sequence[Page]) -> Log:
    """The log that has these pages."""
    rows = []
    for page in pages:
        who = {"client_id": page.user}
        rows += [query(page.name, page.text, page.seconds, **who)]
        rows += shown(page.name, page.documents, page.seconds, **who)
        rows += [
            event("click", page.name, document, page.documents.index(document) + 1, page.seconds + 1, **who)
            for document in page.clicked
        ]
    return make_log(folder, rows)
