"""Labels that several judges gave the same items."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from cranfield.data.categories import Categories, as_text
from cranfield.data.columns import Columns
from cranfield.data.frames import is_frame
from cranfield.data.qrels import Qrels, repetition
from cranfield.data.shapes import JUDGE_LABELS
from cranfield.data.strings import Codes, Ints, Strings, concatenate, decode, encode, number
from cranfield.data.values import identifiers, in_row, shown
from cranfield.errors import DataError, UsageError


class JudgeLabels:
    """Who gave which item which label. Frozen and columnar.

    An item is a task, or a document of a topic. Rows are sorted by item and judge, both in byte order, so that nothing
    depends on the order in which labels came.

    >>> labels = JudgeLabels.from_tuples([("t1", "ann", "yes"), ("t1", "bob", "no"), ("t2", "ann", "yes")])
    >>> labels.judges, labels.items
    (('ann', 'bob'), ('t1', 't2'))
    """

    def __init__(
        self,
        item: Strings,
        judge: Strings,
        label: Strings,
        topic: Strings | None = None,
        *,
        name: str = "labels",
        negative: int = 0,
    ) -> None:
        item_ids, item_code = number(item)
        judge_ids, judge_code = number(judge)
        label_ids, label_code = number(label)
        topic_ids, topic_code = ([], np.zeros_like(item_code)) if topic is None else number(topic)
        whole, code = np.unique(topic_code.astype(np.int64) * max(len(item_ids), 1) + item_code, return_inverse=True)
        order = np.lexsort((judge_code, code))
        self.name = name
        self.negative = negative
        """How many records were left out because their grade is negative: they were not judged."""
        self.judges: tuple[str, ...] = tuple(map(decode, judge_ids))
        self.topics: tuple[str, ...] | None = None if topic is None else tuple(map(decode, topic_ids))
        self.labels: tuple[str, ...] = tuple(map(decode, label_ids))
        """The different labels, as they were written."""
        self.item: Ints = code[order]
        self.judge: Codes = judge_code[order]
        self.label: Codes = label_code[order]
        self.topic_of_item: Ints = whole // max(len(item_ids), 1)
        self._document_of_item: Ints = whole % max(len(item_ids), 1)
        self._documents = item_ids
        self._given_order = order

    @classmethod
    def from_tuples(cls, rows: Iterable[tuple[Any, ...]], *, name: str = "labels") -> JudgeLabels:
        """From (item, judge, label) or (topic, judge, document, label) tuples."""
        table = list(rows)
        width = {len(row) for row in table}
        if table and width not in ({3}, {4}):
            raise DataError(
                f"{name}: expected rows (item, judge, label) or (topic, judge, document, label), "
                f"found rows of {', '.join(map(str, sorted(width)))} values"
            )
        names = ("topic", "worker", "task", "label") if width == {4} else ("task", "worker", "label")
        return _from_values({column: [row[at] for row in table] for at, column in enumerate(names)}, name)

    @classmethod
    def from_dict(cls, labels: Mapping[Any, Any], *, name: str = "labels") -> JudgeLabels:
        """From `{judge: {item: label}}`, `{judge: {topic: {document: label}}}` or `{judge: Qrels}`.

        >>> JudgeLabels.from_dict({"ann": {"q1": {"d1": 1}}, "bob": {"q1": {"d1": 0}}}).topics
        ('q1',)
        """
        return cls.joined({str(judge): _of_one(given, str(judge), name) for judge, given in labels.items()}, name=name)

    @classmethod
    def joined(cls, by_judge: Mapping[str, JudgeLabels], *, name: str = "labels") -> JudgeLabels:
        """The labels of several judges, each of whom has labels of one judge here, whatever that one is called."""
        parts = list(by_judge.values())
        with_topics = [part.topics is not None for part in parts]
        if any(with_topics) and not all(with_topics):
            one, other = (list(by_judge)[with_topics.index(has)] for has in (True, False))
            raise DataError(f"{name}: {one} has labels by topic and document, and {other} has labels by item alone")
        size = [len(part) for part in parts]
        names = Strings.from_list([encode(judge) for judge in by_judge])
        columns = [part.to_columns() for part in parts]
        return cls(
            concatenate(column["task"] for column in columns),
            names.take(np.repeat(np.arange(len(parts)), size)),
            concatenate(column["label"] for column in columns),
            concatenate(column["topic"] for column in columns) if any(with_topics) else None,
            name=name,
            negative=sum(part.negative for part in parts),
        )

    @classmethod
    def from_qrels(cls, qrels: Qrels) -> JudgeLabels:
        """From judgments whose second column (iteration) is the judge; those with a negative grade were not judged.

        >>> JudgeLabels.from_qrels(Qrels.from_tuples([("q1", "ann", "d1", 1), ("q1", "bob", "d1", -1)])).judges
        ('ann',)
        """
        judged = np.flatnonzero(qrels.grade >= 0)
        grades, code = np.unique(qrels.grade[judged], return_inverse=True)
        return cls(
            qrels.documents.take(judged),
            Strings.from_list(qrels.iteration_ids).take(qrels.iteration_code[judged]),
            Strings.from_list([as_text(grade).encode() for grade in grades.tolist()]).take(code),
            Strings.from_list(qrels.query_ids).take(qrels.query[judged]),
            name=qrels.name,
            negative=len(qrels) - len(judged),
        )

    def to_columns(self) -> dict[str, Strings]:
        """The columns of `shapes.JUDGE_LABELS`."""
        columns = {
            "task": Strings.from_list(self._documents).take(self._document_of_item[self.item]),
            "worker": Strings.from_list([encode(judge) for judge in self.judges]).take(self.judge),
            "label": Strings.from_list([encode(label) for label in self.labels]).take(self.label),
        }
        if self.topics is not None:
            topics = Strings.from_list([encode(topic) for topic in self.topics])
            columns["topic"] = topics.take(self.topic_of_item[self.item])
        return columns

    def checked(self, *, source: str = "", line: Codes | None = None, unit: str = "line") -> JudgeLabels:
        """Itself, if no judge labelled an item twice."""
        again = np.flatnonzero((np.diff(self.item) == 0) & (np.diff(self.judge) == 0))
        if not len(again):
            return self
        second = int(again[self._given_order[again + 1].argmin()]) + 1
        labels = " and ".join(repr(self.labels[self.label[row]]) for row in (second - 1, second))
        reason = f"judge {self.judges[self.judge[second]]!r} labelled {self._item(second)} twice: {labels}"
        raise repetition(reason, (second - 1, second), self._given_order, source or self.name, line, unit)

    def _item(self, row: int) -> str:
        item = int(self.item[row])
        document = shown(self._documents[self._document_of_item[item]])
        if self.topics is None:
            return f"item {document}"
        return f"document {document} of topic {self.topics[self.topic_of_item[item]]!r}"

    @cached_property
    def items(self) -> tuple[str, ...]:
        """The items, one behind the other topic by topic; documents alone, if there are topics."""
        names = [decode(document) for document in self._documents]
        return tuple(names[at] for at in self._document_of_item)

    def categories(self, scale: Sequence[Any] | None = None) -> Categories:
        """The categories the labels fall into."""
        return Categories.of(self.labels, scale, where=self.name)

    def places(self, categories: Categories) -> Ints:
        """The number of the category of each label."""
        place = np.array([categories.place(label, self.name) for label in self.labels], dtype=np.int64)
        return place[self.label]

    def qrels_of(self, judge: str) -> Qrels:
        """The judgments of one judge; an error unless the labels are grades of documents by topic."""
        grades = self.categories().values
        if self.topics is None or grades is None:
            found = "labels of items without topics" if self.topics is None else f"labels such as {self.labels[-1]!r}"
            raise DataError(f"{self.name}: runs are evaluated by grades of documents for topics; these are {found}")
        rows = np.flatnonzero(self.judge == self.judges.index(judge))
        columns = Columns(self.to_columns()).take(rows).ids
        grade = np.array(grades)[self.places(self.categories())[rows]]
        return Qrels(columns["topic"], columns["task"], grade, name=judge)

    def __len__(self) -> int:
        return len(self.item)

    def __repr__(self) -> str:
        items, judges = len(self.topic_of_item), len(self.judges)
        return f"<JudgeLabels {self.name}: {len(self)} labels of {items} items by {judges} judges>"


def as_judge_labels(labels: Any, *, name: str = "labels") -> JudgeLabels:
    """Labels from whatever holds them: JudgeLabels, Qrels whose second column is the judge, a dict by judge, tuples
    (item, judge, label), records or a dataframe.

    >>> as_judge_labels([{"task": "t1", "worker": "ann", "label": 2}]).labels
    ('2',)
    """
    if isinstance(labels, JudgeLabels):
        return labels
    if isinstance(labels, Qrels):
        return JudgeLabels.from_qrels(labels)
    if isinstance(labels, Mapping):
        return JudgeLabels.from_dict(labels, name=name)
    if is_frame(labels):
        return _from_values(_frame_values(labels, name), name)
    if isinstance(labels, (str, bytes)) or not isinstance(labels, Iterable):
        raise UsageError(
            f"cannot make labels of {type(labels).__name__} {labels!r:.60}; expected {{judge: {{item: label}}}}, a "
            f"list of tuples (item, judge, label), or a pandas, polars or pyarrow table"
        )
    rows = list(labels)
    if rows and isinstance(rows[0], Mapping):
        try:
            matched = JUDGE_LABELS.match(list(rows[0]), name)
            return _from_values({ours: [row[theirs] for row in rows] for ours, theirs in matched.items()}, name)
        except KeyError as error:
            raise DataError(f"{name}: not every record has {error}") from None
    return JudgeLabels.from_tuples(rows, name=name)


def _frame_values(frame: Any, name: str) -> dict[str, list[Any]]:
    import narwhals as nw

    table = nw.from_native(frame)
    table = table.collect() if isinstance(table, nw.LazyFrame) else table
    return {ours: table[theirs].to_list() for ours, theirs in JUDGE_LABELS.match(table.columns, name).items()}


def _from_values(values: Mapping[str, list[Any]], name: str) -> JudgeLabels:
    """From the columns of `shapes.JUDGE_LABELS`."""
    where = in_row(name)
    topics = values.get("topic")
    return JudgeLabels(
        identifiers(values["task"], "item", where),
        identifiers(values["worker"], "judge", where),
        Strings.from_list([_label(label, where(at)) for at, label in enumerate(values["label"])]),
        None if topics is None else identifiers(topics, "topic", where),
        name=name,
    ).checked(unit="row")


def _of_one(given: Any, judge: str, name: str) -> JudgeLabels:
    """The labels of one judge."""
    if isinstance(given, Qrels):
        given.refuse_judged_twice("one judge has one grade for a document")
        return JudgeLabels.from_qrels(given)
    if not isinstance(given, Mapping):
        raise DataError(
            f"{name}, judge {judge!r}: expected {{item: label}}, found {type(given).__name__} {given!r:.40}"
        )
    if any(isinstance(value, Mapping) for value in given.values()):
        rows = [(topic, judge, item, label) for topic, inner in given.items() for item, label in inner.items()]
        return JudgeLabels.from_tuples(rows, name=name)
    return JudgeLabels.from_tuples([(item, judge, label) for item, label in given.items()], name=name)


def _label(label: Any, where: str) -> bytes:
    if label is None or label != label or label == "":
        raise DataError(f"{where}: the label is missing. Leave the row out.")
    if isinstance(label, (bool, np.bool_)):
        return b"%d" % bool(label)
    return encode(as_text(float(label)) if isinstance(label, (float, np.floating)) else str(label))
