"""A small workspace: recipes, three topics, and three systems of which two have one index."""

from __future__ import annotations

import json
from pathlib import Path

TEXTS = (
    "hot soup with bread",
    "cold soup",
    "fresh bread",
    "a salad of tomatoes",
    "tomato soup, hot or cold",
    "bread and butter",
    "butter for the hot soup",
    "a cold salad with bread and tomatoes",
)
TOPICS = "10\thot soup\n9\tbread\n100\ttomato salad\n"
QRELS = "10 0 d0 2\n10 0 d4 1\n10 0 d1 0\n9 0 d2 2\n9 0 d5 1\n100 0 d3 2\n100 0 d7 1\n"

SYSTEMS = """
[systems.bm25]
engine = "bm25"

[systems.flat]
engine = "bm25"
b = 0.0

[systems.sqlite]
engine = "sqlite"
"""

HEAD = """\
version = 1
name = "kitchen"
collection = "documents.jsonl"
topics = "topics.tsv"
qrels = "qrels.txt"
measures = ["nDCG@10", "AP"]
"""

OWN_ENGINE = '''
"""An engine that takes its time."""
import time

def answer(query, k):
    time.sleep(0.15)
    return [(f"d{number}", 1 / (number + 1)) for number in range(len(query) % 5, 8)]
'''

OWN = """
[systems.own]
engine = "python"
function = "own.py:answer"
"""


def make_kitchen(folder: Path, systems: str = SYSTEMS, head: str = HEAD) -> Path:
    """Write the workspace; nothing is indexed or searched yet."""
    folder.mkdir(exist_ok=True)
    write_documents(folder, TEXTS)
    (folder / "topics.tsv").write_text(TOPICS)
    (folder / "qrels.txt").write_text(QRELS)
    (folder / "own.py").write_text(OWN_ENGINE)
    (folder / "cranfield.toml").write_text(head + systems)
    return folder


def write_documents(folder: Path, texts: tuple[str, ...]) -> None:
    documents = [{"id": f"d{number}", "title": f"recipe {number}", "text": text} for number, text in enumerate(texts)]
    (folder / "documents.jsonl").write_text("".join(json.dumps(document) + "\n" for document in documents))


def write_systems(folder: Path, systems: str) -> None:
    (folder / "cranfield.toml").write_text(HEAD + systems)
