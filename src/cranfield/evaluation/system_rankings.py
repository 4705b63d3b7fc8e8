"""Systems put in order by their scores: by a measure, by some judgments, by some topics, or from a table."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from cranfield.data.strings import Floats
from cranfield.errors import CoverageError, DataError, UsageError
from cranfield.evaluation.coverage import some
from cranfield.evaluation.inputs import is_file
from cranfield.evaluation.score_matrix import ScoreMatrix
from cranfield.formats import run_name
from cranfield.formats.score_table import ScoreTable, read_score_tables
from cranfield.stats.correlation.system_orders import places
from cranfield.stats.correlation.system_scores import SystemScores
from cranfield.stats.many_systems.score_matrix import named_scores


@dataclass(frozen=True, eq=False)
class SystemRanking:
    """The scores of systems, in the order of their names."""

    label: str
    systems: tuple[str, ...]
    table: Floats
    """As they are: topics x systems, or one for each system."""
    topics: tuple[str, ...] | None = None
    """None where there is one score for each system."""
    numbered: bool = False
    """Whether topics have no names but their numbers."""
    more_is_better: bool = True

    @classmethod
    def sorted(cls, label: str, systems: Sequence[str], table: Floats, **more: Any) -> SystemRanking:
        """With the systems in the order of their names."""
        order = sorted(range(len(systems)), key=lambda at: systems[at])
        return cls(label, tuple(systems[at] for at in order), np.asarray(table)[..., order], **more)

    @property
    def upward(self) -> Floats:
        """The scores with the sign that makes more better."""
        return self.table if self.more_is_better else -self.table

    @cached_property
    def scores(self) -> dict[str, float]:
        """The mean score of each system."""
        return dict(zip(self.systems, SystemScores.of(self.label, self.table).means.tolist(), strict=True))

    @cached_property
    def places(self) -> dict[str, int]:
        """The place of each system, from 1 for the best; systems that are tied have the same."""
        upward = SystemScores.of(self.label, self.upward)
        above = places(-upward.means[np.newaxis], upward.tolerance)[0]
        return {name: 1 + int(np.count_nonzero(above < own)) for name, own in zip(self.systems, above, strict=True)}

    def of_systems(self, names: Sequence[str]) -> SystemRanking:
        at = {system: column for column, system in enumerate(self.systems)}
        return replace(self, systems=tuple(names), table=self.table[..., [at[name] for name in names]])

    def on_topics(self, names: Iterable[str]) -> SystemRanking:
        """The same on some topics."""
        assert self.topics is not None
        at = {topic: row for row, topic in enumerate(self.topics)}
        kept = tuple(name for name in names if name in at)
        return replace(self, topics=kept, table=self.table[[at[name] for name in kept]])


def of_matrix(matrix: ScoreMatrix, label: str) -> SystemRanking:
    return SystemRanking.sorted(
        label, matrix.runs, matrix.scores, topics=matrix.topics, more_is_better=bool(matrix.measure.more_is_better)
    )


def of_tables(given: Sequence[Any]) -> list[SystemRanking]:
    """Rankings from files, and from dicts by label (see `correlate_scores`)."""
    tables: list[ScoreTable] = []
    for what in given:
        if is_file(what):
            tables += read_score_tables(what)
        elif isinstance(what, Mapping):
            tables += [_from_scores(str(label), scores) for label, scores in what.items()]
        else:
            raise UsageError(f"a table of scores is a file or {{measure: scores}}, not {type(what).__name__}")
    return [
        SystemRanking.sorted(
            label,
            table.systems,
            table.scores,
            topics=None if table.topics is None else tuple(table.topics),
            numbered=table.numbered,
        )
        for label, table in zip(_labels(tables), tables, strict=True)
    ]


def in_common(rankings: Sequence[SystemRanking]) -> tuple[list[SystemRanking], tuple[str, ...]]:
    """The rankings with the systems that all of them have, and the systems that not all of them have."""
    systems = [name for name in rankings[0].systems if all(name in other.systems for other in rankings[1:])]
    others = sorted({name for ranking in rankings for name in ranking.systems} - set(systems))
    if not systems:
        shown = "; ".join(f"{ranking.label}: {some(ranking.systems)}" for ranking in rankings[:3])
        raise CoverageError(f"there is no system that all have scores of ({shown}). Are these the right files?")
    return [ranking.of_systems(systems) for ranking in rankings], tuple(others)


def _labels(tables: Sequence[ScoreTable]) -> list[str]:
    """What each table is called: its measure, or its file; both where measures are called the same."""
    files = [run_name(table.name) for table in tables]
    files = [file if files.count(file) == 1 else table.name for file, table in zip(files, tables, strict=True)]
    short = [table.measure or file for table, file in zip(tables, files, strict=True)]
    whole = [f"{file} {table.measure}" if table.measure else file for table, file in zip(tables, files, strict=True)]
    labels = [name if short.count(name) == 1 else long for name, long in zip(short, whole, strict=True)]
    return [label if labels.count(label) == 1 else f"{label} ({at})" for at, label in enumerate(labels, 1)]


def _from_scores(label: str, scores: Any) -> ScoreTable:
    """From `{system: score}`, `{system: {topic: score}}`, `{system: [score, ...]}` or topics x systems."""
    if isinstance(scores, Mapping) and scores:
        systems, values = [str(name) for name in scores], list(scores.values())
        if all(isinstance(value, Mapping) for value in values):
            topics = list(dict.fromkeys(str(topic) for of in values for topic in of))
            columns = [{str(topic): score for topic, score in of.items()} for of in values]
            for system, column in zip(systems, columns, strict=True):
                lacking = next((topic for topic in topics if topic not in column), None)
                if lacking is not None:
                    raise DataError(f"{label}: system {system!r} has no score for topic {lacking!r}, which others have")
            return ScoreTable(
                label,
                label,
                systems,
                topics,
                False,
                _numbers(label, systems, [[c[t] for c in columns] for t in topics], topics),
            )
        if all(np.ndim(value) == 0 for value in values):
            return ScoreTable(label, label, systems, None, False, _numbers(label, systems, values))
    names, table = named_scores(scores)
    return ScoreTable(label, label, list(names), [str(row) for row in range(1, len(table) + 1)], True, table)


def _numbers(label: str, systems: Sequence[str], values: Any, topics: Sequence[str] = ()) -> Floats:
    checked = SystemScores.of(label, values, systems, topics)
    return checked.table if checked.by_topic else checked.table[0]


def file_label(what: Any, number: int) -> str:
    """What judgments are called: the name of their file, or their number."""
    return run_name(os.fspath(what)) if isinstance(what, (str, os.PathLike)) else f"qrels-{number}"
