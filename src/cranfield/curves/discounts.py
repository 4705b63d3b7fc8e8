"""What measures make of rank: the value of a list whose only relevant document stands there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.data.qrels import Qrels
from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats, Ints, Strings
from cranfield.errors import UsageError
from cranfield.evaluation.evaluator import Measures
from cranfield.measures import Measure, parse_all
from cranfield.measures.parameters import CUTOFF

DEFAULT_MEASURES = ("DCG", "P@10", "RR", "RBP(p=0.8)", "RBP(p=0.95)")


@dataclass(frozen=True, eq=False)
class RankWeights:
    """By measure, the value of a list whose only relevant document stands at each of the ranks."""

    ranks: Ints
    values: Mapping[Measure, Floats]

    def relative(self, measure: Measure) -> Floats:
        """The values as shares of that at rank 1."""
        values = self.values[measure]
        share: Floats = values / values[0]
        return share

    def rows(self) -> Iterator[tuple[str, int, float, float]]:
        """Measure, rank, value, and the value as a share of that at rank 1."""
        for measure, values in self.values.items():
            columns = (self.ranks.tolist(), values.tolist(), self.relative(measure).tolist())
            for rank, value, share in zip(*columns, strict=True):
                yield str(measure), rank, value, share

    def to_dict(self) -> dict[str, Any]:
        return {
            "ranks": self.ranks.tolist(),
            "values": {str(measure): values.tolist() for measure, values in self.values.items()},
        }


def rank_weights(measures: Measures = DEFAULT_MEASURES, *, depth: int = 100) -> RankWeights:
    r"""What a relevant document is worth at each rank to a depth, if it is the only one there is.

    It is the discount of DCG, 1/log₂(i + 1); the weight W(i) of a user model whose reader does not look at relevance,
    such as (1 − p)p^(i−1) of RBP and 1/k of P@k; and for other measures what they make of that one list. The document
    has the grade 1, or the least that the measure calls relevant.

    >>> weights = rank_weights(["RR", "P@2", "RBP(p=0.5)"], depth=3)
    >>> {str(measure): values.round(4).tolist() for measure, values in weights.values.items()}
    {'RR': [1.0, 0.5, 0.3333], 'P@2': [0.5, 0.5, 0.0], 'RBP(p=0.5)': [0.5, 0.25, 0.125]}
    """
    deep = CUTOFF.accept(depth, "the depth of a drawing (-M, depth=)")
    found = {}
    for measure in parse_all([measures] if isinstance(measures, (str, Measure)) else measures):
        _refuse_what_has_no_weights(measure)
        measure.check_parameters()
        values = np.asarray(measure.compute(_one_relevant(deep, measure.parameters.get("rel") or 1.0)))
        if not values[0] > 0:
            raise UsageError(
                f"{measure}: a list with one relevant document at rank 1 scores 0, so no rank has a weight"
            )
        found[measure] = values
    if not found:
        raise UsageError("no measure is named")
    return RankWeights(np.arange(1, deep + 1), found)


def _refuse_what_has_no_weights(measure: Measure) -> None:
    if measure.definition.needs not in ("qrels", "anything") or measure.definition.aggregate == "none":
        raise UsageError(f"{measure} has no weight for a rank: it is not about the ranks of relevant documents alone")
    if measure.more_is_better is not True:
        raise UsageError(f"{measure} has no weight for a rank: it does not rise with the relevant documents found")


def _one_relevant(depth: int, grade: float) -> Rankings:
    """A list for each rank, as deep as that, with its only relevant document at that rank."""
    numbers = np.arange(depth)
    queries = Strings.from_list([b"%09d" % number for number in numbers])
    qrels = Qrels(queries, Strings.from_list([b"d"] * depth), np.full(depth, float(grade)))
    everywhere = np.full(depth, depth, dtype=np.int64)
    return Rankings(qrels, everywhere, np.zeros_like(everywhere), numbers.astype(np.int32), numbers + 1, numbers)
