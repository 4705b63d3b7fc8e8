"""What lists say of each candidate, put together.

Sums are made of values in ascending order, so that neither the order of the runs nor that of the documents shows in the
last digit, and documents that are worth the same stay tied.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from cranfield.data.strings import Floats, Ints
from cranfield.engines.fusion.lists import Lists
from cranfield.engines.fusion.normalisations import Values
from cranfield.engines.same_documents import in_order


class Evidence(NamedTuple):
    """The values of some candidates, a line for each, and the weights of the runs that they are of."""

    value: Floats
    weight: Floats | None

    @property
    def lists(self) -> int:
        """How many values each candidate has."""
        return int(self.value.shape[1])

    def sum(self) -> Floats:
        """The sum of the values."""
        return _total(self.value)

    def weighted_sum(self) -> Floats:
        """The sum of the values, each times the weight of its run."""
        return _total(self.value if self.weight is None else self.value * self.weight)

    def weighted_number(self) -> Floats | int:
        """How many values there are, each counted with the weight of its run."""
        return self.lists if self.weight is None else _total(self.weight)

    def median(self) -> Floats:
        """The value in the middle, or the mean of the two."""
        ordered, middle = np.sort(self.value, axis=1), self.lists // 2
        median: Floats = ordered[:, middle]
        return median if self.lists % 2 else (ordered[:, middle - 1] + median) / 2


class Asked(NamedTuple):
    """What is to be fused."""

    lists: Lists
    values: Values
    """The scores, normalised."""
    weights: Floats | None
    """For each run."""

    def combine(self, function: Callable[[Evidence], Floats], values: Values | None = None) -> Floats:
        """What a function makes of the evidence for each candidate: of the scores, or of other values."""
        values = self.values if values is None else values
        if values.missing is not None:
            everywhere = values.missing.T[self.lists.topic]
            everywhere[self.lists.candidate, self.lists.run] = values.row
            return function(Evidence(everywhere, self._weights_like(everywhere)))
        combined = np.empty(len(self.lists.topic))
        run = None if self.weights is None else self.lists.run
        for chosen, rows in self.lists.groups():
            weight = None if self.weights is None or run is None else self.weights[run[rows]]
            combined[chosen] = function(Evidence(values.row[rows], weight))
        return combined

    def sum_over_ranks(self, worth: Callable[[Ints], Floats]) -> Floats:
        """The weighted sum of what each row is worth by its rank, where that falls from rank to rank."""
        rank = self.lists.rank
        values = worth(rank)
        if self.weights is not None:
            return self.combine(Evidence.weighted_sum, Values(values))
        ascending = in_order(int(rank.max(initial=0)) - rank)
        # One after the other in the order of the rows, so that for each candidate values are summed in ascending order.
        return np.bincount(self.lists.candidate[ascending], values[ascending]).astype(np.float64, copy=False)

    def _weights_like(self, values: Floats) -> Floats | None:
        return None if self.weights is None else np.broadcast_to(self.weights, values.shape)


def _total(values: Floats) -> Floats:
    ordered = np.sort(values, axis=1) if values.shape[1] > 2 else values
    total: Floats = ordered[:, 0].copy()
    for column in ordered.T[1:]:
        total += column
    return total
