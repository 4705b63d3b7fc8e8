"""A column of names that many rows share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from cranfield.data.strings import Ints

if TYPE_CHECKING:
    import pyarrow as pa

Names = npt.NDArray[np.object_]


@dataclass(frozen=True, eq=False)
class SharedNames:
    """Each name once, some of them perhaps of no row, and which of them is that of each row."""

    names: pa.Array
    place: Ints

    @classmethod
    def of(cls, column: pa.ChunkedArray) -> SharedNames:
        """Of a column that has them row by row."""
        coded = column.combine_chunks().dictionary_encode()
        return cls(coded.dictionary, coded.indices.to_numpy())

    def __getitem__(self, row: int) -> str:
        name: str = self.names[int(self.place[row])].as_py()
        return name

    @cached_property
    def column(self) -> Names:
        """Row by row; what several rows share is there once in memory."""
        used = np.zeros(len(self.names), np.bool_)
        used[self.place] = True
        each: Names = self.names.filter(used).to_numpy(zero_copy_only=False)
        places: Ints = np.cumsum(used)[self.place] - 1
        return each[places]
