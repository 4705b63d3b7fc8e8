"""So many documents of each topic, to which all runs contribute as evenly as can be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from cranfield.data.strings import Bools, Strings, encode
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.lots import TIES, lots
from cranfield.pooling.strategy import Choice, Strategy


@dataclass(frozen=True)
class RunShare(Strategy):
    """Runs take turns, each adding its best document that is not there yet, until a topic has `budget` new ones.

    >>> from cranfield import Run
    >>> long = Run.from_dict({"q": {"a": 4, "b": 3, "c": 2, "d": 1}}, name="long")
    >>> same = Run.from_dict({"q": {"a": 2, "x": 1}}, name="same")
    >>> candidates = Candidates.of([long, same])
    >>> choice = RunShare(budget=3).choose(candidates, np.ones(5, dtype=bool), seed=0)
    >>> candidates.documents.take(choice.chosen).tolist()
    [b'a', b'b', b'x']
    """

    name: ClassVar[str] = "run-share"
    budget: int
    depth: int | None = None

    def choose(self, candidates: Candidates, new: Bools, seed: int) -> Choice:
        chosen = np.zeros(len(candidates), dtype=np.bool_)
        place = np.full(len(candidates), len(candidates))
        for topic in range(len(candidates.topic_ids)):
            base = candidates.documents_of(topic)
            is_new = new[base].tolist()
            walked, left = [], self.budget
            for document in turns(candidates, topic, seed, is_new):
                if not left:
                    break
                walked.append(base.start + document)
                left -= is_new[document]
            chosen[walked] = True
            place[walked] = np.arange(len(walked))
        return Choice(chosen, place)

    @property
    def reading_depth(self) -> int | None:
        return self.depth


def turns(candidates: Candidates, topic: int, seed: int, new: Sequence[bool] = ()) -> Iterator[int]:
    """The documents of a topic, by their numbers in it: each run in turn names its next that no run named before.

    Lots decide which run begins. Where `new` says which documents count, the others are named in passing, and cost a
    run no turn.
    """
    lists = candidates.rankings_of(topic)
    name = Strings.from_list([encode(run) for run in candidates.runs]).hash64()
    chance = lots([candidates.topic_ids[topic]], np.zeros(len(name), dtype=np.int32), name, seed, TIES)
    waiting = [iter(lists[run]) for run in np.argsort(chance, kind="stable").tolist()]
    named: set[int] = set()
    while waiting:
        going_on = []
        for documents in waiting:
            for document in documents:
                if document in named:
                    continue
                named.add(document)
                yield document
                if not new or new[document]:
                    going_on.append(documents)
                    break
        waiting = going_on
