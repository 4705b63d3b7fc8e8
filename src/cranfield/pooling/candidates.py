"""Every document that some run returned, and where: what can be pooled."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress, pairwise

import numpy as np

from cranfield.data.run import Run
from cranfield.data.strings import Bools, Codes, Ints, Strings, Words, concatenate, decode
from cranfield.engines.same_documents import alike
from cranfield.errors import UsageError
from cranfield.pooling.run_lists import RunLists, lists_of, read_lists


@dataclass(frozen=True, eq=False, repr=False)
class Candidates:
    """The documents that some run returned for a topic, by topic and within it in byte order.

    Nothing depends on the order of the runs but the numbers of the runs. Frozen.

    >>> one = Run.from_dict({"q1": {"d1": 3, "d2": 2}}, name="one")
    >>> two = Run.from_dict({"q1": {"d2": 9, "d3": 8}}, name="two")
    >>> candidates = Candidates.of([one, two])
    >>> candidates.documents.tolist(), candidates.best_rank.tolist(), candidates.votes.tolist()
    ([b'd1', b'd2', b'd3'], [1, 1, 2], [1, 2, 1])
    """

    topic_ids: tuple[bytes, ...]
    """In byte order."""
    runs: tuple[str, ...]
    """The names of the runs."""
    topic: Codes
    """Of each document, ascending."""
    documents: Strings
    offset: Ints
    """Where the documents of each topic begin, and where the last end."""
    place_document: Ints
    """Of each place at which a run returned something, the document, ascending; where equal, by run."""
    place_run: Codes
    place_rank: Ints
    """Counted from 1."""
    depth: int | None = None
    """So many documents of each list were looked at; None: all."""
    sha256: tuple[str | None, ...] = ()
    """Of the file of each run, where that is known."""

    @classmethod
    def of(cls, runs: Sequence[Run], depth: int | None = None) -> Candidates:
        """Of runs in memory, which go by their names."""
        return cls.of_lists([lists_of(run, depth, run.name) for run in runs], depth)

    @classmethod
    def of_files(cls, paths: Sequence[str], depth: int | None = None, *, input_format: str | None = None) -> Candidates:
        """Of run files, which are read side by side."""
        return cls.of_lists(read_lists(paths, depth, input_format=input_format), depth)

    @classmethod
    def of_runs(
        cls, runs: Sequence[str | os.PathLike[str] | Run], depth: int | None = None, *, input_format: str | None = None
    ) -> Candidates:
        """Of runs that are all files, or all in memory."""
        in_memory = [run for run in runs if isinstance(run, Run)]
        if not in_memory:
            paths = [os.fspath(run) for run in runs if not isinstance(run, Run)]
            return cls.of_files(paths, depth, input_format=input_format)
        if len(in_memory) < len(runs):
            raise UsageError("runs are either all files or all in memory")
        return cls.of(in_memory, depth)

    @classmethod
    def of_lists(cls, lists: Sequence[RunLists], depth: int | None) -> Candidates:
        """Of the lists of runs, of which so many documents were looked at."""
        topic_ids = sorted({topic for run in lists for topic in run.topic_ids})
        place = {topic: number for number, topic in enumerate(topic_ids)}
        topic_of_list = np.array([place[topic] for run in lists for topic in run.topic_ids], dtype=np.int64)
        size = np.concatenate([np.zeros(0, dtype=np.int64), *(run.size for run in lists)])
        topic = np.repeat(topic_of_list, size)
        rank = np.arange(len(topic)) - np.repeat(np.cumsum(size) - size, size) + 1
        run_of_row = np.repeat(np.arange(len(lists), dtype=np.int32), [len(run.documents) for run in lists])
        documents = concatenate([run.documents for run in lists])
        hashes = np.concatenate([np.zeros(0, dtype=np.uint64), *(run.hashes for run in lists)])
        number, one_of_each = numbered_documents(topic, documents, hashes)
        order = np.argsort(number, kind="stable")
        topic_of_document = topic[one_of_each].astype(np.int32)
        return cls(
            tuple(topic_ids),
            tuple(run.name for run in lists),
            topic_of_document,
            documents.take(one_of_each).compact(),
            np.searchsorted(topic_of_document, np.arange(len(topic_ids) + 1)),
            number[order],
            run_of_row[order],
            rank[order],
            depth,
            tuple(run.sha256 for run in lists),
        )

    @cached_property
    def place_offset(self) -> Ints:
        """Where the places of each document begin, and where the last end."""
        return np.searchsorted(self.place_document, np.arange(len(self.documents) + 1))

    @cached_property
    def best_rank(self) -> Ints:
        """The best rank at which any run returned each document."""
        if not len(self.documents):
            return np.zeros(0, dtype=np.int64)
        best: Ints = np.minimum.reduceat(self.place_rank, self.place_offset[:-1])
        return best

    @cached_property
    def votes(self) -> Ints:
        """By how many runs each document was returned."""
        return np.diff(self.place_offset)

    @cached_property
    def hashes(self) -> Words:
        """The hash of each document identifier."""
        return self.documents.hash64()

    @cached_property
    def topics(self) -> tuple[str, ...]:
        return tuple(map(decode, self.topic_ids))

    @cached_property
    def returned(self) -> Ints:
        """How many documents each run (row) returned for each topic (column)."""
        key = self.place_run * np.int64(len(self.topic_ids)) + self.topic[self.place_document]
        counted = np.bincount(key, minlength=len(self.runs) * len(self.topic_ids))
        return counted.reshape(len(self.runs), len(self.topic_ids))

    def among(self, topics: Collection[bytes]) -> Candidates:
        """The candidates for some of the topics."""
        kept = np.array([topic in topics for topic in self.topic_ids], dtype=np.bool_)
        if kept.all():
            return self
        part = self.only(kept[self.topic])
        topic = (np.cumsum(kept) - 1)[part.topic].astype(np.int32)
        return replace(
            part,
            topic_ids=tuple(compress(self.topic_ids, kept.tolist())),
            topic=topic,
            offset=np.searchsorted(topic, np.arange(np.count_nonzero(kept) + 1)),
        )

    def only(self, kept: Bools) -> Candidates:
        """The candidates that are kept, where they were."""
        documents, places = np.flatnonzero(kept), np.flatnonzero(kept[self.place_document])
        topic = self.topic[documents]
        return replace(
            self,
            topic=topic,
            documents=self.documents.take(documents),
            offset=np.searchsorted(topic, np.arange(len(self.topic_ids) + 1)),
            place_document=(np.cumsum(kept) - 1)[self.place_document[places]],
            place_run=self.place_run[places],
            place_rank=self.place_rank[places],
        )

    def rankings_of(self, topic: int) -> list[list[int]]:
        """What each run returned for a topic, best first, by the numbers of the documents in the topic."""
        rows = self.places_of(topic)
        run, rank = self.place_run[rows], self.place_rank[rows]
        order = np.lexsort((rank, run))
        documents = (self.place_document[rows][order] - self.offset[topic]).tolist()
        ends = np.searchsorted(run[order], np.arange(len(self.runs) + 1)).tolist()
        return [documents[begin:end] for begin, end in pairwise(ends)]

    def documents_of(self, topic: int) -> slice:
        """The documents of a topic, which is given by its number."""
        return slice(int(self.offset[topic]), int(self.offset[topic + 1]))

    def places_of(self, topic: int) -> slice:
        """The places of a topic, which is given by its number."""
        documents = self.documents_of(topic)
        return slice(int(self.place_offset[documents.start]), int(self.place_offset[documents.stop]))

    def __len__(self) -> int:
        return len(self.documents)

    def __repr__(self) -> str:
        return f"<Candidates: {len(self)} documents of {len(self.runs)} runs for {len(self.topic_ids)} topics>"


def numbered_documents(topic: Ints, documents: Strings, hashes: Words) -> tuple[Ints, Ints]:
    """The number of each row's document, by topic and in byte order, and for each document one of its rows."""
    one_of_each, document = alike(topic, documents, hashes)
    distinct = documents.take(one_of_each)
    in_byte_order = np.lexsort([distinct.length, *reversed(distinct.sort_keys()), topic[one_of_each]])
    number = np.empty(len(one_of_each), dtype=np.int64)
    number[in_byte_order] = np.arange(len(one_of_each))
    return number[document], one_of_each[in_byte_order]
