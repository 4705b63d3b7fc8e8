"""Judgments and runs drawn by a seed: with ties, topics that runs lack or judgments lack, and unjudged documents."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

QUERIES = [*(str(number) for number in range(1, 14)), "caf\N{LATIN SMALL LETTER E WITH ACUTE}", "MB-2"]
DOCUMENTS = [f"d{number:02}" for number in range(60)]


def plain_qrels(folder: Path, chance: random.Random) -> Path:
    """Grades from -1 to 2; one topic has no relevant document."""
    lines = []
    for query in QUERIES[:-2]:
        for document in chance.sample(DOCUMENTS, 20):
            lines.append(f"{query} 0 {document} {0 if query == '7' else chance.choice([-1, 0, 0, 1, 1, 2])}")
    return written(folder / "drawn.qrels", lines, chance)


def by_subtopic(folder: Path, chance: random.Random) -> Path:
    """Judgments of three subtopics (or by three assessors); a topic has but one."""
    lines = []
    for query in QUERIES[:-2]:
        for document in chance.sample(DOCUMENTS, 15):
            for subtopic in ["a"] if query == "3" else chance.sample("abc", chance.randint(1, 3)):
                lines.append(f"{query} {subtopic} {document} {chance.choice([0, 0, 1, 1])}")
    return written(folder / "subtopics.qrels", lines, chance)


def strata(folder: Path, chance: random.Random) -> Path:
    lines = []
    for query in QUERIES[:-2]:
        for document in chance.sample(DOCUMENTS, 25):
            lines.append(f"{query} 0 {document} {chance.choice([1, 2])} {chance.choice([-1, 0, 1, 1, 2])}")
    return written(folder / "strata.qrels", lines, chance)


def prels(folder: Path, chance: random.Random) -> Path:
    lines = []
    for query in QUERIES[:-2]:
        for document in chance.sample(DOCUMENTS, 25):
            method = chance.choice([0, 1, 2])
            lines.append(f"{query} {document} {chance.choice([0, 1])} {method} {chance.choice([0.125, 0.3, 0.7])}")
    return written(folder / "chances.prels", lines, chance)


def runs(folder: Path, chance: random.Random) -> list[Path]:
    """Three runs, one of them packed: lists of up to 40 documents, most scores tied with some other."""
    made = []
    for name, lacks in (("one", 0), ("two", 3), ("three", 6)):
        lines = []
        for query in chance.sample(QUERIES, len(QUERIES) - lacks):
            found = chance.sample(DOCUMENTS, chance.randint(1, 40))
            ranks = chance.sample(range(1, 1 + len(found)), len(found))
            for document, rank in zip(found, ranks, strict=True):
                score = chance.choice([0.1, 0.25, 0.25000000001, 1 / 3, 2.0, -1.5])
                lines.append(f"{query} Q0 {document} {rank} {score} tag-of-{name}")
        made.append(written(folder / f"{name}.run", lines, None, packed=name == "two"))
    return made


def written(path: Path, lines: list[str], shuffled: random.Random | None, *, packed: bool = False) -> Path:
    """The lines in a file, in any order, with a comment and a blank line among them."""
    if shuffled is not None:
        shuffled.shuffle(lines)
    content = "\n".join([lines[0], "# a comment", "", *lines[1:]]).encode() + b"\n"
    place = path.with_name(f"{path.name}.gz") if packed else path
    place.write_bytes(gzip.compress(content) if packed else content)
    return place
