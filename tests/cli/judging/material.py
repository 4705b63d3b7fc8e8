"""A pool of six documents for two topics, with a document and a topic that are not there."""

from __future__ import annotations

import json
from pathlib import Path

from cranfield.data.pool import Pool
from cranfield.formats.pools import write_pool
from tests.cli.judging.pseudo_terminal import PseudoTerminal

SOUPS = {
    "d1": "Soup is kept hot in a thick pot.",
    "d2": "Nothing about it.",
    "evil": "Before \x1b[2J\x1b]0;stolen\x07\x9b31m after \u202egnol",
    "wide": "スープ" * 40 + " e\u0301tude",
    "long": "\n".join(f"line {number} of a soup" for number in range(1, 101)),
}
TOPICS = [
    {"id": "7", "title": "hot soups", "description": "How is soup kept hot?", "narrative": "Relevant: pots and fires."},
    {"id": "10", "title": "cold soup", "description": "Which soups are eaten cold?"},
]
POOL = {"7": ["d1", "d2", "gone", "evil", "wide"], "10": ["long"]}


def write_material(folder: Path, pool: dict[str, list[str]] | None = None) -> Path:
    """Write it; gives the folder."""
    documents = [{"id": name, "title": f"The title of {name}", "text": text} for name, text in SOUPS.items()]
    for name, records in (("documents", documents), ("topics", TOPICS)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    write_pool(Pool.from_dict(pool or POOL), folder / "pool.tsv")
    return folder


def arguments(*more: str | Path) -> list[str | Path]:
    """Of `cranfield judge` with this material."""
    material = ["--collection", "documents.jsonl", "--topics", "topics.jsonl", "-o", "events.jsonl"]
    return ["judge", "--terminal", "pool.tsv", *material, "--assessor", "ann", *more]


def judging(folder: Path, *more: str | Path, columns: int = 80, rows: int = 24) -> PseudoTerminal:
    """An assessor at work."""
    return PseudoTerminal(*arguments(*more), cwd=folder, columns=columns, rows=rows)


def events(folder: Path) -> list[dict[str, object]]:
    """What is on the disk."""
    return [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]


def said(folder: Path) -> list[tuple[object, ...]]:
    """Document, action and grade of each event that is on the disk."""
    return [(one["document"], one["action"], one["grade"]) for one in events(folder)]
