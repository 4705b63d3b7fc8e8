"""Move-to-front: stay with a run as long as what it names is relevant."""

from __future__ import annotations

import numpy as np

from cranfield.data.strings import Bools
from cranfield.pooling.lots import ASKING
from cranfield.pooling.orders.material import Material
from cranfield.pooling.orders.run_queues import RunAsking, best_of
from cranfield.stats.numbered_random import numbered_words


class MoveToFront(RunAsking):
    """All runs begin with the same priority. The run with the highest is asked for its best document that is not
    judged; if that is not relevant, its priority falls by one. Among equals lots decide, anew at each priority.

    It is the local variant of Cormack, Palmer and Clarke ("Efficient construction of large test collections", SIGIR
    1998): each topic by itself. A document that was judged though another was asked for changes no priority.

    >>> from cranfield import Run
    >>> from cranfield.pooling.candidates import Candidates
    >>> runs = [Run.from_dict({"q": {"a": 3, "b": 2, "c": 1}}), Run.from_dict({"q": {"x": 3, "y": 2, "z": 1}})]
    >>> order = MoveToFront(Material.of(Candidates.of(runs), b"q"))  # documents 0 to 5: a b c x y z
    >>> first = order.next()[0]
    >>> order.tell(first, 1)
    >>> second = order.next()[0]  # the run that named it goes on
    >>> second == first + 1
    True
    >>> order.tell(second, 0)
    >>> order.next()[0] == {0: 3, 3: 0}[first]  # the other run begins
    True
    """

    def __init__(self, material: Material) -> None:
        super().__init__(material)
        self._falls = np.zeros(len(self.queues.head), dtype=np.int64)
        self._lots = material.run_lots(ASKING)

    def choose(self, waiting: Bools, number: int) -> int:
        """The run that has fallen least often."""
        equals = best_of(-self._falls, waiting)
        chance = numbered_words(self._lots[equals], self._falls[equals].astype(np.uint64))
        return int(equals[np.argmin(chance)])

    def learn(self, document: int, *, relevant: bool) -> None:
        """The run that is being asked falls, if this is the document it named and it is not relevant."""
        waiting = self.queues.waiting
        if not relevant and waiting.any():
            asked = self.choose(waiting, self.told)
            if self.queues.head[asked] == document:
                self._falls[asked] += 1
