"""The scores of many systems on the same topics."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from cranfield.data.strings import Floats
from cranfield.errors import DataError
from cranfield.stats.significance.differences import score_table

FEW_SYSTEMS = "there are fewer than two systems"

ManyScores = npt.ArrayLike | Mapping[str, npt.ArrayLike]
"""Topics x systems, or the scores of each system by its name, topics in the same order."""


def named_scores(given: ManyScores) -> tuple[tuple[str, ...], Floats]:
    """The names of the systems, and their scores as topics x systems; without names they are numbered from 1.

    >>> names, scores = named_scores({"bm25": [0.2, 0.4], "dense": [0.3, 0.5]})
    >>> names, scores.tolist()
    (('bm25', 'dense'), [[0.2, 0.3], [0.4, 0.5]])
    """
    if not isinstance(given, Mapping):
        matrix = score_table("scores", given)
        return tuple(str(number) for number in range(1, 1 + matrix.shape[1])), matrix
    lengths = {name: np.size(column) for name, column in given.items()}
    if len(set(lengths.values())) > 1:
        found = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise DataError(f"scores: expected a score of every system for every topic, but {found:.200}")
    columns = [score_table(name, column) for name, column in given.items()]
    return tuple(given), np.column_stack(columns) if columns else np.empty((0, 0))
