"""The layouts that are known: which files a collection comes in, and how these are read. Each is a declaration."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np

from cranfield.data.collection import Collection
from cranfield.data.documents import Document
from cranfield.data.qrels import Qrels
from cranfield.data.strings import encode
from cranfield.data.topics import Topics
from cranfield.errors import DataError, ParameterError, UsageError, did_you_mean
from cranfield.formats import read_qrels
from cranfield.formats.collections.reading import AS_THEY_COME, Reading
from cranfield.formats.documents import iter_documents
from cranfield.formats.topics import read_topics

LAYOUTS = {
    "cranfield": "cranfield",
    "cisi": "cisi",
    "cacm": "cacm",
    "time": "time_magazine",
    "trec": "trec",
    "beir": "beir",
}
"""The name of each layout, and its module here, which has it as `LAYOUT`."""

Files = Mapping[str, Path]
"""The files of the parts, by name: documents, topics, qrels."""


@dataclass(frozen=True, kw_only=True)
class Layout:
    """The files of a collection by the patterns of their names, and how each is read."""

    title: str
    domain: str = ""
    documents: tuple[str, ...]
    topics: tuple[str, ...]
    qrels: tuple[str, ...]
    iter_documents: Callable[..., Iterator[Document]] = iter_documents
    read_topics: Callable[..., Topics] = read_topics
    read_qrels: Callable[[Path], Qrels] = read_qrels
    grades: Mapping[float, float] = field(default_factory=dict)
    """What codes of the judgments mean, where they are not grades already."""
    judged_topics_only: bool = False
    """Whether the file of topics has those of other splits too."""
    notes: tuple[str, ...] = ()
    equal_names: bool = False
    """Whether any name will do as well as another; else an earlier pattern goes before a later one."""

    @property
    def is_free(self) -> bool:
        """Whether documents and topics may be in any format: the layout says no more than where they are."""
        return self.iter_documents is iter_documents and self.read_topics is read_topics

    def find(self, path: Path, given: Files = {}) -> dict[str, Path]:  # noqa: B006
        """The file of each part: the one given, or the one that a pattern fits. Only documents must be there."""
        if not path.exists():
            raise UsageError(f"{path}: there is no such file or folder")
        found = {}
        for part in ("documents", "topics", "qrels"):
            patterns = getattr(self, part)
            fits = [given[part]] if part in given else self._fitting(path, patterns)
            if len(fits) > 1:
                raise DataError(
                    f"{path}: the {part} of {self.title} may be {' or '.join(one.name for one in fits)}. "
                    f"Say which: --{part} {fits[0]}"
                )
            if fits:
                found[part] = fits[0]
            elif part == "documents":
                raise DataError(
                    f"{path}: there are no documents of {self.title} in this folder: expected {' or '.join(patterns)}. "
                    "Name the file with --documents."
                )
        return found

    def _fitting(self, path: Path, patterns: tuple[str, ...]) -> list[Path]:
        """The files among which the user must choose, if there are several."""
        by_pattern = [sorted(path.glob(pattern)) for pattern in patterns]
        if self.equal_names:
            return sorted(set().union(*by_pattern))
        return next((files for files in by_pattern if files), [])

    def open(
        self,
        path: Path,
        given: Files = {},  # noqa: B006
        grades: Mapping[float, float] = {},
        reading: Reading = AS_THEY_COME,
    ) -> Collection:
        """The collection in these files, read as the layout says; `grades` overrule what it says of codes."""
        if not self.is_free:
            reading.refuse(f"{self.title} has a format of its own")
        files = self.find(path, given)
        topics = self.read_topics(files["topics"], **reading.of_topics) if "topics" in files else None
        qrels = self.read_qrels(files["qrels"]) if "qrels" in files else None
        notes = list(self.notes)
        if qrels is not None:
            qrels = graded(qrels, {**self.grades, **grades}, others_stay=not self.grades)
        if topics is not None and qrels is not None and self.judged_topics_only:
            kept = [topic for topic in topics.values() if encode(topic.id) in qrels.position]
            if 0 < len(kept) < len(topics):
                notes.append(
                    f"Topics without judgments in {files['qrels'].name} are left out: {len(topics) - len(kept)}."
                )
                topics = Topics(kept, name=topics.name)
        return Collection(
            path.resolve().name,
            partial(self.iter_documents, files["documents"], **reading.of_documents),
            topics=topics,
            qrels=qrels,
            domain=self.domain,
            notes=tuple(notes),
        )


def layout(name: str) -> Layout:
    """A layout by its name.

    >>> layout("time").title
    'TIME'
    """
    if name not in LAYOUTS:
        raise UsageError(f"unknown layout {name!r}{did_you_mean(name, LAYOUTS)} There are: {', '.join(LAYOUTS)}")
    found: Layout = importlib.import_module(f"cranfield.formats.collections.{LAYOUTS[name]}").LAYOUT
    return found


def graded(qrels: Qrels, grades: Mapping[float, float], *, others_stay: bool = False) -> Qrels:
    """Judgments whose codes have become grades; a code that nothing is said of stays, or is an error.

    >>> graded(Qrels.from_dict({"q1": {"d1": 1, "d2": 4}}), {1: 4, 4: 1})["q1"]
    {'d1': 4, 'd2': 1}
    """
    codes, which = np.unique(qrels.grade, return_inverse=True)
    unknown = [f"{code:g}" for code in codes.tolist() if code not in grades]
    if unknown and not others_stay:
        known = ", ".join(f"{code:g}" for code in sorted(grades))
        raise ParameterError(
            f"{qrels.name}: the judgments have the code {', '.join(unknown)}; grades are known of {known}. "
            "Say what it means: --grade CODE=GRADE"
        )
    return qrels.with_grades(np.array([grades.get(code, code) for code in codes.tolist()], dtype=np.float64)[which])
