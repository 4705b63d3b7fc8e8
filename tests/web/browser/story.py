"""What is judged in the whole story, and by whom how: a workspace, the grades of three people, what is decided."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

from tests.cli.running import run_cranfield
from tests.web.browser.soups import NEEDS, TEXTS

Grades = dict[tuple[str, str], tuple[int, int, int]]

PEOPLE = ("ann", "ben", "cleo")
GRADES: Grades = {
    ("1", "d1"): (3, 3, 3), ("1", "d2"): (0, 0, 1), ("1", "d3"): (1, 1, 1),
    ("1", "d4"): (0, 0, 0), ("1", "d5"): (2, 3, 1), ("1", "d6"): (0, 0, 0),
    ("2", "d1"): (0, 0, 0), ("2", "d2"): (0, 0, 0), ("2", "d3"): (0, 0, 0),
    ("2", "d4"): (3, 3, 3), ("2", "d5"): (1, 2, 2), ("2", "d6"): (0, 1, 0),
}  # fmt: skip
"""Of each topic and document: what ann, ben and cleo say."""
DECISIONS = {
    ("1", "d2"): (0, "A menu, no recipe."),
    ("1", "d5"): (2, "A recipe; most of it keeps."),
    ("2", "d5"): (0, "There is a bone, but no stock."),
    ("2", "d6"): (1, "It helps to skim."),
}
"""Of the documents on which they differ: what holds, and why. Two are not what most of them said."""
RUN = {"1": ("d2", "d1", "d5", "d4", "d3", "d6"), "2": ("d6", "d4", "d5", "d1", "d2", "d3")}
"""In which order a system has the documents."""
AVERAGE_PRECISION = (Fraction(1, 3) * (Fraction(1, 2) + Fraction(2, 3) + Fraction(3, 5)) + Fraction(1)) / 2
"""Of the run: for topic 1 the documents d1, d5 and d3 are relevant, at ranks 2, 3 and 5; for topic 2 those at 1 and 2."""


def make_workspace(root: Path) -> Path:
    """A workspace with documents, topics, two runs, and a pool of both."""
    root.mkdir()
    documents = ({"id": f"d{n}", "title": title, "text": text} for n, (title, text) in enumerate(TEXTS, 1))
    topics = (
        {"id": str(n), "title": title, "description": description, "narrative": narrative}
        for n, (title, description, narrative) in enumerate(NEEDS, 1)
    )
    for name, rows in (("documents", documents), ("topics", topics)):
        (root / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    for name, step in (("kettle", 1), ("pan", -1)):
        lines = (
            f"{topic} Q0 {document} {rank} {10 - rank} {name}\n"
            for topic, ranking in RUN.items()
            for rank, document in enumerate(ranking[::step], 1)
        )
        (root / f"{name}.run").write_text("".join(lines))
    for command in (("init",), ("pool", "build", "kettle.run", "pan.run", "-o", "pool.tsv")):
        done = run_cranfield(*command, cwd=root)
        assert done.exit_code == 0, done.stderr
    return root


def key_of(topic: str, title: str, person: str) -> str:
    """The key that somebody presses for a document, by what is on the screen."""
    names = {title: f"d{n}" for n, (title, _) in enumerate(TEXTS, 1)}
    number = next(n for n, need in enumerate(NEEDS, 1) if need[0] in topic)
    return str(GRADES[str(number), names[title]][PEOPLE.index(person)])


def fleiss_kappa(grades: Grades) -> float:
    """Fleiss (1971), p. 379: how often two of an item's three grades are the same, beyond what chance gives."""
    rows = grades.values()
    same = Fraction(sum(one[i] == one[j] for one in rows for i, j in ((0, 1), (0, 2), (1, 2))), 3 * len(rows))
    every = [grade for one in rows for grade in one]
    chance = sum(Fraction(every.count(grade), len(every)) ** 2 for grade in set(every))
    return float((same - chance) / (1 - chance))
