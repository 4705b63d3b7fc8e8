"""What the demonstration is made of: the docstrings of this Python, and the judgments that come with the package."""

from __future__ import annotations

import csv
import json
import platform
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from typing import NamedTuple

from cranfield.errors import DataError

PACKAGE = "cranfield.experiments.demonstration"
TOPICS, GUIDELINE, SCALE = "topics.toml", "guideline.md", "scale.toml"
JUDGMENTS, SECOND_JUDGMENTS = "judgments.tsv", "second-judgments.tsv"


class Judgment(NamedTuple):
    """What an assessor said of a document: a grade from 0 to 3, and why in a few words."""

    topic: str
    document: str
    grade: int
    why: str


@dataclass(frozen=True)
class Material:
    """The documents of one Python, and what was judged of them."""

    documents: bytes
    """As JSON lines: id, title, name and text."""
    all_judgments: tuple[Judgment, ...]
    all_second_judgments: tuple[Judgment, ...]
    """Some topics, judged by others who had not seen the first judgments."""

    @cached_property
    def ids(self) -> frozenset[str]:
        """The ids of the documents."""
        return frozenset(json.loads(line)["id"] for line in self.documents.splitlines())

    @cached_property
    def judgments(self) -> tuple[Judgment, ...]:
        """Those of documents that this Python has."""
        return tuple(one for one in self.all_judgments if one.document in self.ids)

    @cached_property
    def second_judgments(self) -> tuple[Judgment, ...]:
        """The second ones of documents that this Python has."""
        return tuple(one for one in self.all_second_judgments if one.document in self.ids)

    @property
    def dropped(self) -> int:
        """How many judgments are of documents that this Python lacks."""
        return len(self.all_judgments) - len(self.judgments)

    @property
    def qrels(self) -> str:
        """The judgments in TREC's format."""
        return "".join(f"{one.topic} 0 {one.document} {one.grade}\n" for one in self.judgments)

    @property
    def labels(self) -> str:
        """What was judged twice, as `cranfield agreement` reads it: a column for each assessor."""
        first = {(one.topic, one.document): one.grade for one in self.judgments}
        lines = ["query\tdocument\tfirst\tsecond"]
        for one in self.second_judgments:
            lines.append(f"{one.topic}\t{one.document}\t{first[one.topic, one.document]}\t{one.grade}")
        return "\n".join(lines) + "\n"


def gather_material() -> Material:
    """The documents of this Python, and the judgments of the package."""
    return Material(docstrings(), tuple(iter_judgments(JUDGMENTS)), tuple(iter_judgments(SECOND_JUDGMENTS)))


def docstrings() -> bytes:
    """The docstrings of the standard library of this Python as JSON lines, extracted in a process of its own."""
    with resources.as_file(resources.files(PACKAGE) / "docstrings.py") as program:
        done = subprocess.run([sys.executable, "-I", str(program)], capture_output=True, stdin=subprocess.DEVNULL)
    if done.returncode or not done.stdout:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise DataError(
            f"the docstrings of Python {platform.python_version()} ({sys.executable}) cannot be read: "
            f"{said[-1] if said else 'there are none'}"
        )
    return done.stdout


def iter_judgments(name: str) -> Iterator[Judgment]:
    """The judgments in one of the files of the package.

    >>> next(iter_judgments("judgments.tsv"))
    Judgment(topic='1', document='array.ArrayType', grade=0, why='typed arrays')
    """
    lines = (resources.files(PACKAGE) / name).read_text(encoding="utf-8").splitlines()
    for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
        yield Judgment(row["topic"], row["document"], int(row["grade"]), row["why"])
