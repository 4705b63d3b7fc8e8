"""Orders of tied documents drawn at random, all orders of a tie with the same chance.

What is drawn for a topic follows from the seed, the topic and the number of the order alone: other topics, other
measures and the way work is divided change nothing.
"""

from __future__ import annotations

import numpy as np

from cranfield.data.strings import Ints, Words
from cranfield.data.tied_documents import TiedDocuments, spans
from cranfield.stats.numbered_random import numbered_draws, numbered_words

_BITS_FOR_DOCUMENT, _BITS_FOR_ROUND = np.uint64(32), np.uint64(8)
_PLACES = 255
"""The round in which places draw, not documents."""


def streams(seed: int, topics: Words) -> Words:
    """The stream of random numbers of each topic, from a number that stands for it."""
    return numbered_words(np.full(len(topics), seed, dtype=np.uint64), topics)


class Draws:
    """Places for some tied documents (whole ties), of which `stream` gives the random numbers of each.

    Where documents are few beside the places of their tie, each draws a place until it has one that is free. Where they
    are not, every place draws a number, and the documents are put in the order of these.
    """

    def __init__(self, tied: TiedDocuments, documents: Ints, stream: Words) -> None:
        self._length = len(documents)
        tie, size, listed = tied.tie[documents], tied.ties.size.astype(np.int64), np.diff(tied.begin)
        few = 2 * listed <= size
        self._sparse, self._dense = np.flatnonzero(few[tie]), np.flatnonzero(~few[tie])
        # One by one
        first_of_query = tied.begin[np.searchsorted(tied.ties.query, tied.ties.query)]
        self._document = (documents - first_of_query[tie])[self._sparse].astype(np.uint64)
        self._size = size[tie[self._sparse]]
        self._places = int(size[np.unique(tie[self._sparse])].sum())
        begin = np.zeros(len(size), dtype=np.int64)
        some = np.unique(tie[self._sparse])
        begin[some] = np.cumsum(size[some]) - size[some]
        self._begin = begin[tie[self._sparse]]
        self._stream = stream[self._sparse]
        # Together
        some, head = np.unique(tie[self._dense], return_index=True)
        self._slot, self._owner = spans(np.zeros(len(some), dtype=np.int64), size[some])
        self._rank = (tied.ties.first[some][self._owner] + self._slot).astype(np.uint64)
        self._head = self._dense[head]
        self._places_stream = stream[self._head][self._owner]
        kept, _ = spans(np.cumsum(size[some]) - size[some], listed[some])
        self._kept = kept

    def slots(self, order: Ints) -> Ints:
        """The places of the documents in the order of a number, which may differ from document to document."""
        slot = np.empty(self._length, dtype=np.int64)
        number = order.astype(np.uint64) << _BITS_FOR_ROUND
        if len(self._sparse):
            slot[self._sparse] = self._one_by_one(number[self._sparse])
        if len(self._dense):
            slot[self._dense] = self._together(number[self._head])
        return slot

    def _one_by_one(self, number: Words) -> Ints:
        taken, owner = np.zeros(self._places, dtype=np.bool_), np.empty(self._places, dtype=np.int64)
        slot = np.empty(len(number), dtype=np.int64)
        left, round_number = np.arange(len(number)), 0
        while len(left):
            of_round = number[left] + np.uint64(round_number % _PLACES)
            word = numbered_words(self._stream[left], (of_round << _BITS_FOR_DOCUMENT) + self._document[left])
            drawn = numbered_draws(word, self._size[left])
            place = self._begin[left] + drawn
            owner[place] = left
            gets_it = (owner[place] == left) & ~taken[place]
            slot[left[gets_it]] = drawn[gets_it]
            taken[place[gets_it]] = True
            left, round_number = left[~gets_it], round_number + 1
        return slot

    def _together(self, number: Words) -> Ints:
        of_round = number[self._owner] + np.uint64(_PLACES)
        key = numbered_words(self._places_stream, (of_round << _BITS_FOR_DOCUMENT) + self._rank)
        position = np.empty(len(key), dtype=np.int64)
        position[np.lexsort((key, self._owner))] = self._slot
        return position[self._kept]
