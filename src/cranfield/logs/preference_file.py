"""Inferred preferences as a file that preference measures read, with the votes beside them."""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np

from cranfield.data.preferences import Preferences
from cranfield.data.strings import Ints
from cranfield.data.topics import Topics
from cranfield.errors import DataError
from cranfield.formats import write_preferences
from cranfield.logs.preferences import InferredPreferences
from cranfield.logs.table_file import write_table
from cranfield.logs.topic_texts import TopicTexts, topic_texts

WITH_VOTES = "tsv"
"""The format that keeps them."""
COLUMNS = ("query_id", "group", "subgroup", "doc_id", "level", "votes", "chances", "low", "high")


@dataclass(frozen=True, eq=False)
class TopicPreferences:
    """Preferences between documents of topics. Each is a judgment group of its own, for those of many people may go in
    circles."""

    inferred: InferredPreferences
    row: Ints
    """Of `inferred`, for each preference that is told."""
    matched: TopicTexts

    @property
    def topics(self) -> Topics:
        return self.matched.topics

    def __len__(self) -> int:
        return len(self.row)

    def preferences(self, name: str = "inferred") -> Preferences:
        """Without the votes."""
        return Preferences.from_tuples([row[:5] for row in self._rows()], name=name)

    def write(self, path: str | os.PathLike[str], format: str = WITH_VOTES) -> None:
        """To a file: a table in which each document has the votes and chances it had, and the interval of how much
        more often it got them than the other one; or the preferences alone."""
        if format == WITH_VOTES:
            write_table(path, COLUMNS, self._rows())
        else:
            write_preferences(self.preferences(), path, format=format)

    def _rows(self) -> list[tuple[object, ...]]:
        found, rows = self.inferred, list[tuple[object, ...]]()
        groups: dict[str, int] = {}
        for row, topic in zip(self.row.tolist(), self.matched.topic.tolist(), strict=True):
            group = groups[topic] = groups.get(topic, 0) + 1
            low, high = float(found.interval.lower[row]), float(found.interval.upper[row])
            same, shares = (topic, group, 0), (found.votes[row], found.chances[row])
            others = (found.against[row], found.against_chances[row])
            rows.append((*same, found.preferred[row], 1, *map(int, shares), f"{low:.6g}", f"{high:.6g}"))
            rows.append((*same, found.other[row], 0, *map(int, others), f"{-high:.6g}", f"{-low:.6g}"))
        return rows


def topic_preferences(
    inferred: InferredPreferences, topics: Topics | None = None, *, uncertain: bool = False
) -> TopicPreferences:
    """Preferences by topic: those that are certain, or with `uncertain` all, though votes be few, or the
    two documents always shown in one order."""
    told = np.flatnonzero(inferred.told if uncertain else inferred.certain)
    if not len(told):
        raise none_certain(len(inferred), int(inferred.one_sided.sum()), inferred.enough)
    matched = topic_texts(inferred.text[told], topics)
    return TopicPreferences(inferred, told[matched.row], matched)


def none_certain(number: int, one_sided: int, enough: int) -> DataError:
    """What is wrong where nothing can be told."""
    return DataError(
        f"of {number:,} preferences none is certain: {one_sided:,} are between documents always shown in "
        f"one order, others have too few votes (less than {enough}) or too even ones; ask for all "
        "(--all, uncertain=True), for fewer votes (--enough, enough=), or collect more"
    )
