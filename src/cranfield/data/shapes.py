"""The columns that judgments, runs and preferences have, and the names tables give them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cranfield.errors import DataError


class Column(NamedTuple):
    """One column: the name it is written under, and the others it is known by, the likelier first."""

    name: str
    meaning: str
    others: tuple[str, ...] = ()
    number: bool = False
    required: bool = True

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, *self.others)


@dataclass(eq=False)
class Shape:
    """The columns of one kind of table."""

    kind: str
    columns: tuple[Column, ...]

    def match(self, names: Sequence[object], where: str) -> dict[str, str]:
        """For each of our columns that the table has, the table's own name for it.

        Case, and `-` for `_`, make no difference.

        >>> QRELS.match(["qid", "docno", "label"], "frame")
        {'query_id': 'qid', 'doc_id': 'docno', 'relevance': 'label'}
        >>> QRELS.match(["qid", "text"], "frame")
        Traceback (most recent call last):
            ...
        cranfield.errors.DataError: frame: no column for the document; it has qid, text. Give it one named doc_id (or
        docno, docid, corpus_id, document_id, document, pid).
        """
        known = {folded(name): str(name) for name in reversed(names)}
        found: dict[str, str] = {}
        for column in self.columns:
            here = next((known[name] for name in column.names if name in known), None)
            if here is not None and here not in found.values():
                found[column.name] = here
            elif column.required:
                raise DataError(self._missing(column, names, where))
        if self.kind == "run" and "score" not in found and "rank" not in found:
            raise DataError(self._missing(self["score"], names, where))
        twice = [name for name in found.values() if list(map(str, names)).count(name) > 1]
        if twice:
            raise DataError(f"{where}: there are two columns named {twice[0]!r}. Rename one of them.")
        return found

    def _missing(self, column: Column, names: Sequence[object], where: str) -> str:
        also = f" (or {', '.join(column.others)})" if column.others else ""
        return (
            f"{where}: no column for the {column.meaning}; it has {', '.join(map(str, names)) or 'none'}. "
            f"Give it one named {column.name}{also}."
        )

    def __getitem__(self, name: str) -> Column:
        return next(column for column in self.columns if column.name == name)


def folded(name: object) -> str:
    """A column's name without the differences that make none."""
    return str(name).strip().lower().replace("-", "_").replace(" ", "_")


_QUERY = Column("query_id", "query", ("qid", "q_id", "topic_id", "topic", "query"))
_DOCUMENT = Column("doc_id", "document", ("docno", "docid", "corpus_id", "document_id", "document", "pid"))

_JUDGES = (
    *("judge", "assessor", "annotator", "rater", "coder", "worker_id", "workerid", "judge_id", "assessor_id"),
    *("annotator_id", "rater_id", "user", "iteration", "iter", "ujg"),
)

QRELS = Shape(
    "qrels",
    (
        _QUERY,
        Column("iteration", "iteration", ("iter", "subtopic", "subtopic_id", "assessor", "ujg"), required=False),
        _DOCUMENT,
        Column("relevance", "grade", ("label", "grade", "rel", "judgment", "rating", "score"), number=True),
        Column("stratum", "stratum", ("stratum_id",), required=False),
        Column("method", "sampling method", required=False),
        Column("probability", "inclusion probability", ("inclusion_probability",), number=True, required=False),
    ),
)
RUN = Shape(
    "run",
    (
        _QUERY,
        _DOCUMENT,
        Column("score", "score", number=True, required=False),
        Column("rank", "rank", number=True, required=False),
        Column("tag", "tag", ("run_tag", "run_id", "system"), required=False),
    ),
)
PREFERENCES = Shape(
    "preferences",
    (
        _QUERY,
        Column("group", "judgment group", ("jg",)),
        Column("subgroup", "judgment subgroup", ("jsg",)),
        _DOCUMENT,
        Column("level", "level", ("rel_level", "relevance", "grade"), number=True),
    ),
)
JUDGE_LABELS = Shape(
    "labels",
    (
        Column("topic", "topic", ("query_id", "qid", "q_id", "topic_id", "query"), required=False),
        Column("task", "item", ("item", "item_id", "task_id", "unit", *_DOCUMENT.names, "id", "example")),
        Column("worker", "judge", _JUDGES),
        Column("label", "label", ("rating", "grade", "relevance", "rel", "judgment", "class", "category", "answer")),
    ),
)
SHAPES = {shape.kind: shape for shape in (QRELS, RUN, PREFERENCES)}
