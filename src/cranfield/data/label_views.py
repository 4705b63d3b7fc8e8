"""The labels of several judges seen in other ways: of some judges, of a topic, of two classes, of groups of judges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise

import numpy as np

from cranfield.data.categories import as_text
from cranfield.data.columns import Columns
from cranfield.data.judge_labels import JudgeLabels
from cranfield.data.judging_record import combining
from cranfield.data.strings import Bools, Floats, Ints, Strings, encode
from cranfield.errors import DataError


def of_judges(labels: JudgeLabels, judges: Collection[str]) -> JudgeLabels:
    """What some of the judges said.

    >>> labels = JudgeLabels.from_dict({"ann": {"q1": {"d1": 2}}, "bob": {"q1": {"d1": 0}}})
    >>> of_judges(labels, ["bob"]).judges
    ('bob',)
    """
    wanted = np.array([judge in judges for judge in labels.judges], dtype=bool)
    return _rows(labels, wanted[labels.judge])


def by_topic(labels: JudgeLabels) -> Iterator[tuple[str, JudgeLabels]]:
    """What was said for each topic; nothing, if there are no topics."""
    columns = Columns(labels.to_columns())
    topic = labels.topic_of_item[labels.item]
    for number, name in enumerate(labels.topics or ()):
        yield name, _labels(columns.take(topic == number), labels.name)


def at_least(labels: JudgeLabels, grade: float) -> JudgeLabels:
    """Grades as two classes: 1 for this one and all above it, 0 for those below.

    >>> labels = JudgeLabels.from_dict({"ann": {"q1": {"d1": 2, "d2": 1}}, "bob": {"q1": {"d1": 0, "d2": 2}}})
    >>> at_least(labels, 2).qrels_of("ann").to_dict()
    {'q1': {'d1': 1, 'd2': 0}}
    """
    values = _values(labels)
    columns = labels.to_columns()
    classes = Strings.from_list([b"0", b"1"]).take((values >= grade).astype(np.int64)[labels.label])
    return JudgeLabels(columns["task"], columns["worker"], classes, columns.get("topic"), name=labels.name)


def by_group(labels: JudgeLabels, groups: Mapping[str, str], rule: str = "majority") -> JudgeLabels:
    """Each group of judges as one judge, whose grade of a document the rule makes of those of the group.

    Judges without a group are left out.

    >>> labels = JudgeLabels.from_dict({name: {"q1": {"d1": grade}} for name, grade in (("a", 2), ("b", 2), ("c", 0))})
    >>> seen = by_group(labels, {"a": "experts", "b": "experts", "c": "users"})
    >>> {judge: seen.qrels_of(judge).to_dict() for judge in seen.judges}
    {'experts': {'q1': {'d1': 2}}, 'users': {'q1': {'d1': 0}}}
    """
    names = sorted({groups[judge] for judge in labels.judges if judge in groups})
    group = np.array([names.index(groups[judge]) if judge in groups else -1 for judge in labels.judges], dtype=np.int64)
    rows = np.flatnonzero(group[labels.judge] >= 0)
    voice = labels.item[rows] * len(names) + group[labels.judge[rows]]
    order = np.argsort(voice, kind="stable")
    rows, voice = rows[order], voice[order]
    starts = np.flatnonzero(np.diff(voice, prepend=-1))
    grades, code = np.unique(_combined(rule, _values(labels)[labels.label[rows]], starts), return_inverse=True)
    ids = Columns(labels.to_columns()).take(rows[starts]).ids
    return JudgeLabels(
        ids["task"],
        Strings.from_list([encode(name) for name in names]).take(voice[starts] % max(len(names), 1)),
        Strings.from_list([as_text(grade).encode() for grade in grades.tolist()]).take(code),
        ids.get("topic"),
        name=labels.name,
    )


def pair_table(labels: JudgeLabels, first: str, second: str) -> Counter[tuple[str, str]]:
    """How often one judge said this where the other said that, by both labels.

    >>> labels = JudgeLabels.from_dict({"ann": {1: "R", 2: "I"}, "bob": {1: "R", 2: "R"}})
    >>> sorted(pair_table(labels, "ann", "bob").items())
    [(('I', 'R'), 1), (('R', 'R'), 1)]
    """
    one, other = (
        dict(zip(labels.item[rows].tolist(), labels.label[rows].tolist(), strict=True))
        for rows in (labels.judge == labels.judges.index(judge) for judge in (first, second))
    )
    return Counter((labels.labels[one[item]], labels.labels[other[item]]) for item in one.keys() & other.keys())


def _combined(rule: str, values: Floats, starts: Ints) -> Floats:
    """One grade for each stretch of grades; the same grades are combined once."""
    combine, given = combining(rule), values.tolist()
    known: dict[tuple[float, ...], float] = {}
    found = []
    for begin, end in pairwise([*starts.tolist(), len(given)]):
        several = tuple(given[begin:end])
        if several not in known:
            known[several] = combine(several)
        found.append(known[several])
    return np.array(found, dtype=np.float64)


def _rows(labels: JudgeLabels, rows: Bools) -> JudgeLabels:
    return _labels(Columns(labels.to_columns()).take(rows), labels.name)


def _labels(columns: Columns, name: str) -> JudgeLabels:
    ids = columns.ids
    return JudgeLabels(ids["task"], ids["worker"], ids["label"], ids.get("topic"), name=name)


def _values(labels: JudgeLabels) -> Floats:
    """The number that each of the different labels is."""
    categories = labels.categories()
    if categories.values is None:
        raise DataError(f"{labels.name}: these labels are words, and have no order: {', '.join(labels.labels)}")
    return np.array([categories.values[categories.place(label)] for label in labels.labels], dtype=np.float64)
