"""The ranked lists of several runs for some topics, side by side: who returned which document, and where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from cranfield.data.run import Run
from cranfield.data.strings import WORD, Floats, Ints, Strings, Words, concatenate
from cranfield.engines.same_documents import ROWS_AT_ONCE, alike, in_order


@dataclass(frozen=True, slots=True)
class Lists:
    """What several runs returned for some topics.

    A row is a document that a run returned; the rows of a list stand together, best first. A candidate is a document
    that any of the runs returned for a topic. Candidates are in the order of their topics.
    """

    runs: int
    first: Ints
    """The row at which each list that is not empty begins."""
    length: Ints
    """How many documents it has."""
    list_run: Ints
    """The run it is of, counted from 0."""
    list_topic: Ints
    """The topic it is for, counted from 0."""
    score: Floats
    """Of each row."""
    topic: Ints
    """Of each candidate."""
    documents: Strings
    """Each candidate."""
    candidate: Ints
    """That each row is."""
    size: Ints
    """By how many runs each candidate was returned."""

    @property
    def run(self) -> Ints:
        """The run of each row."""
        return np.repeat(self.list_run, self.length)

    @property
    def rank(self) -> Ints:
        """The rank of each row in its list, counted from 1."""
        return np.arange(len(self.score)) - np.repeat(self.first, self.length) + 1

    @property
    def candidates_of_topic(self) -> Ints:
        """How many candidates each topic has."""
        return np.bincount(self.topic)

    def groups(self) -> Iterator[tuple[Ints, Ints]]:
        """The candidates that one run returned, two runs returned, ...; and their rows, a line for each candidate."""
        by_candidate, begin = in_order(self.candidate), np.cumsum(self.size) - self.size
        for size in np.flatnonzero(np.bincount(self.size)).tolist():
            chosen = np.flatnonzero(self.size == size)
            yield chosen, by_candidate[begin[chosen, None] + np.arange(size)]


class SideBySide:
    """The lists of several runs, which can be had some topics at a time."""

    def __init__(self, runs: Sequence[Run], input_depth: int | None = None) -> None:
        self.topics = sorted({query for run in runs for query in run.query_ids})
        """All topics, in byte order."""
        place = {topic: number for number, topic in enumerate(self.topics)}
        self._runs = runs
        self._input_depth = input_depth
        self._places = [np.array([place[query] for query in run.query_ids], dtype=np.int64) for run in runs]

    def pieces(self) -> list[slice]:
        """Topics to be worked on together."""
        step = max(1, ROWS_AT_ONCE * len(self.topics) // max(1, sum(map(len, self._runs))))
        return [slice(begin, begin + step) for begin in range(0, len(self.topics), step)]

    def lists(self, topics: slice) -> Lists:
        """The lists for these topics."""
        some = [slice(*np.searchsorted(place, (topics.start, topics.stop)).tolist()) for place in self._places]
        lengths = [np.diff(run.offset)[chosen] for run, chosen in zip(self._runs, some, strict=True)]
        length = np.concatenate(lengths)
        list_run = np.repeat(np.arange(len(self._runs)), [len(each) for each in lengths])
        list_topic = np.concatenate([p[chosen] for p, chosen in zip(self._places, some, strict=True)]) - topics.start
        documents, hashes, score = self._columns(some)
        if self._input_depth is not None:
            rank = np.arange(len(score)) - np.repeat(np.cumsum(length) - length, length)
            kept = np.flatnonzero(rank < self._input_depth)
            documents, hashes, score = documents.take(kept), hashes[kept], score[kept]
            length = np.minimum(length, self._input_depth)
        topic = np.repeat(list_topic, length)
        one_of_each, candidate = alike(topic, documents, hashes)
        return Lists(
            runs=len(self._runs),
            first=np.cumsum(length) - length,
            length=length,
            list_run=list_run,
            list_topic=list_topic,
            score=score,
            topic=topic[one_of_each],
            documents=documents.take(one_of_each),
            candidate=candidate,
            size=np.bincount(candidate),
        )

    def _columns(self, some: Sequence[slice]) -> tuple[Strings, Words, Floats]:
        """Documents, their hashes and scores of some queries of each run, one run below the other."""
        documents, hashes, score = [], [], []
        for run, chosen in zip(self._runs, some, strict=True):
            rows = slice(int(run.offset[chosen.start]), int(run.offset[chosen.stop]))
            documents.append(_without_the_rest(run.documents.take(rows)))
            hashes.append(run.hashes[rows])
            score.append(run.score[rows])
        return concatenate(documents), np.concatenate(hashes), np.concatenate(score)


def _without_the_rest(strings: Strings) -> Strings:
    """The same column in a buffer without the bytes before and behind it, and of its own if there is much between."""
    if not len(strings):
        return Strings.from_list([])
    begin, end = int(strings.start.min()), int((strings.start + strings.length).max()) + WORD
    if end - begin > 2 * int(strings.length.sum()) + WORD:
        return strings.compact()
    return Strings(strings.data[begin:end], strings.start - begin, strings.length)
