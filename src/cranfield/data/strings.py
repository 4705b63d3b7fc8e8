"""A column of byte strings: one buffer, and where each string starts and how long it is.

Identifiers may hold any bytes, so they stay bytes; text appears only where a person reads it.
Everything works on eight bytes at a time: the j-th word of a string is its bytes 8j..8j+7, padded with zeros,
so that hashing, comparing and sorting millions of identifiers are a few array operations.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

# What `npt.NDArray` stands for: that module takes time to load, and is not needed to run.
Bytes = np.ndarray[Any, np.dtype[np.uint8]]
Words = np.ndarray[Any, np.dtype[np.uint64]]
Ints = np.ndarray[Any, np.dtype[np.int64]]
Codes = np.ndarray[Any, np.dtype[np.int32]]
Floats = np.ndarray[Any, np.dtype[np.float64]]
Bools = np.ndarray[Any, np.dtype[np.bool_]]

WORD = 8
PADDING = bytes(WORD)

_KEEP = np.array([(1 << (8 * n)) - 1 for n in range(WORD + 1)], dtype=np.uint64)
_MIX_1 = np.uint64(0x9E3779B97F4A7C15)
_MIX_2 = np.uint64(0xBF58476D1CE4E5B9)
_MASK_64 = (1 << 64) - 1
_PIECE = 1 << 15
_ROWS_AT_ONCE = 1 << 13  # more would not fit in the caches


def encode(identifier: str) -> bytes:
    """The bytes of an identifier; the inverse of `decode` for any bytes whatever."""
    return identifier.encode("utf-8", "surrogateescape")


def decode(identifier: bytes) -> str:
    """An identifier as text; bytes that are not UTF-8 survive the round trip.

    >>> encode(decode(b"caf\\xe9"))
    b'caf\\xe9'
    """
    return identifier.decode("utf-8", "surrogateescape")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Strings:
    """A column of byte strings. `data` ends in at least eight spare bytes, so that any word can be loaded."""

    data: Bytes
    start: Ints
    length: Ints

    @classmethod
    def from_list(cls, items: Sequence[bytes]) -> Strings:
        """A column from a list of byte strings.

        >>> Strings.from_list([b"d1", b"d22"]).tolist()
        [b'd1', b'd22']
        """
        data = np.frombuffer(b"".join(items) + PADDING, dtype=np.uint8)
        length = np.fromiter((len(item) for item in items), dtype=np.int64, count=len(items))
        return cls(data, np.cumsum(length) - length, length)

    def __len__(self) -> int:
        return len(self.start)

    def __getitem__(self, row: int) -> bytes:
        start = int(self.start[row])
        return self.data[start : start + int(self.length[row])].tobytes()

    def take(self, rows: npt.NDArray[np.integer] | Bools | slice) -> Strings:
        """The chosen rows, in the chosen order; the bytes are shared."""
        return Strings(self.data, self.start[rows], self.length[rows])

    def tolist(self) -> list[bytes]:
        data = self.data.data
        return [
            bytes(data[start : start + length])
            for start, length in zip(self.start.tolist(), self.length.tolist(), strict=True)
        ]

    def compact(self) -> Strings:
        """The same column with a buffer of its own that holds nothing else, one string behind the other."""
        ends = np.cumsum(self.length)
        total = int(ends[-1]) if len(ends) else 0
        starts = ends - self.length
        if total + WORD == len(self.data) and np.array_equal(self.start, starts):
            return self
        data = np.zeros(total + WORD, dtype=np.uint8)
        shift = self.start - starts
        for begin in range(0, len(self), _ROWS_AT_ONCE):
            rows = slice(begin, begin + _ROWS_AT_ONCE)
            source = np.repeat(shift[rows], self.length[rows])
            here = slice(int(starts[begin]), int(starts[begin]) + len(source))
            source += np.arange(here.start, here.stop)
            data[here] = self.data[source]
        return Strings(data, starts, self.length)

    def detached(self) -> Strings:
        """The same column with a buffer of its own, in which a string that repeats the one before stands once."""
        sample = self.take(slice(0, 256))
        if 2 * len(group_heads(sample)) > len(sample):
            return self.compact()
        heads = group_heads(self)
        return self.take(heads).compact().take(_group_of(heads, len(self)))

    def word(self, j: int) -> Words:
        """The j-th eight bytes of each string as a little-endian number, zero where the string has ended."""
        view = np.ndarray(shape=(len(self.data) - WORD + 1,), dtype="<u8", buffer=self.data, strides=(1,))
        if not len(self):
            return np.zeros(0, dtype=np.uint64)
        at, left = (self.start, self.length) if j == 0 else (self.start + WORD * j, self.length - WORD * j)
        if int(left.min()) >= WORD:
            return view[at]
        if j:
            at = np.minimum(at, len(view) - 1)
            left = np.maximum(left, 0)
        return view[at] & _KEEP[np.minimum(left, WORD)]

    def words(self) -> int:
        """How many words the longest string has."""
        longest = int(self.length.max()) if len(self.length) else 0
        return -(-longest // WORD)

    def hash64(self) -> Words:
        """A 64-bit hash of each string, the same in every process and on every machine."""
        h = self.length.astype(np.uint64) * _MIX_1
        for j in range(self.words()):
            rows = np.flatnonzero(self.length > WORD * j) if j else None
            if rows is None or len(rows) == len(self):
                h += self.word(j) * _multiplier(j)
            else:
                h[rows] += self.take(rows).word(j) * _multiplier(j)
        return mix64(h)

    def equal(self, other: Strings) -> Bools:
        """Row by row: is it the same string?"""
        same: Bools = self.length == other.length
        for j in range(min(self.words(), other.words())):
            same &= self.word(j) == other.word(j)
        return same

    def sort_keys(self) -> list[Words]:
        """Word columns, most significant first, that compare as the byte strings do (as strcmp)."""
        return [self.word(j).byteswap() for j in range(self.words())]


@cache
def _multiplier(j: int) -> np.uint64:
    z = ((j + 1) * 0x9E3779B97F4A7C15) & _MASK_64
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK_64
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK_64
    return np.uint64((z ^ (z >> 31)) | 1)


def mix64(h: Words) -> Words:
    """Spread the bits of each number over all 64."""
    h = h ^ (h >> np.uint64(32))
    h *= _MIX_2
    h ^= h >> np.uint64(29)
    return h


class Numbered(NamedTuple):
    """A column of few different strings: these in byte order, and for each row the number of its string."""

    ids: list[bytes]
    code: Codes


def number(strings: Strings | Numbered) -> Numbered:
    """The distinct strings in byte order, and for each row the number of its string.

    >>> ids, codes = number(Strings.from_list([b"q2", b"q2", b"q1"]))
    >>> ids, codes.tolist()
    ([b'q1', b'q2'], [1, 1, 0])
    """
    if isinstance(strings, Numbered):
        return strings
    heads = group_heads(strings)
    if not len(heads):
        return Numbered([], np.zeros(0, dtype=np.int32))
    head_ids = strings.take(heads)
    order = np.lexsort([head_ids.length, *reversed(head_ids.sort_keys())])
    ordered = head_ids.take(order)
    distinct = group_heads(ordered)
    code = np.empty(len(heads), dtype=np.int32)
    code[order] = _group_of(distinct, len(heads))
    return Numbered(ordered.take(distinct).tolist(), code[_group_of(heads, len(strings))])


def _group_of(heads: Ints, rows: int) -> Codes:
    """For each row, the number of the group it falls in; a group begins at each head."""
    begins = np.zeros(rows, dtype=np.int32)
    begins[heads[1:]] = 1
    return np.cumsum(begins, dtype=np.int32)


def group_heads(strings: Strings) -> Ints:
    """The rows that begin a run of equal strings."""
    if not len(strings):
        return np.zeros(0, dtype=np.int64)
    differs = strings.length[1:] != strings.length[:-1]
    for j in range(strings.words()):
        word = strings.word(j)
        differs |= word[1:] != word[:-1]
    return np.concatenate(([0], np.flatnonzero(differs) + 1))


def concatenate(columns: Iterable[Strings]) -> Strings:
    """One column from several."""
    parts = list(columns)
    if len(parts) < 2:
        return parts[0] if parts else Strings.from_list([])
    shift = np.cumsum([0] + [len(part.data) for part in parts])
    return Strings(
        np.concatenate([part.data for part in parts]),
        np.concatenate([part.start + by for part, by in zip(parts, shift, strict=False)]),
        np.concatenate([part.length for part in parts]),
    )


def repeated_pairs(code: npt.NDArray[np.integer], strings: Strings, hashes: Words) -> tuple[int, int] | None:
    """The first two rows that have the same code and the same string, or None.

    Where the codes are in order this is done piece by piece, which needs little memory.
    """
    ends = [len(strings)]
    if len(strings) > _PIECE and not (code[1:] < code[:-1]).any():
        ends = np.searchsorted(code, code[_PIECE - 1 :: _PIECE], "right").tolist() + ends
    begin = 0
    for end in dict.fromkeys(ends):
        twice = _repeated_in_piece(code[begin:end], strings.take(slice(begin, end)), hashes[begin:end])
        if twice is not None:
            return begin + twice[0], begin + twice[1]
        begin = end
    return None


def _repeated_in_piece(code: npt.NDArray[np.integer], strings: Strings, hashes: Words) -> tuple[int, int] | None:
    """Throw the rows into a table by hash; only the few that share a slot are sorted and compared."""
    n = len(strings)
    key = mix64(hashes + code.astype(np.uint64) * _MIX_1)
    slots = 1 << max(10, (8 * n).bit_length())
    slot = (key & np.uint64(slots - 1)).astype(np.int64)
    row = np.arange(n, dtype=np.int32)
    last = np.empty(slots, dtype=np.int32)
    last[slot] = row
    shared = last[slot] != row
    if not shared.any():
        return None
    crowded = np.zeros(slots, dtype=np.bool_)
    crowded[slot[shared]] = True
    rows = np.flatnonzero(crowded[slot])
    rows = rows[np.argsort(key[rows], kind="stable")]
    twins = np.flatnonzero(key[rows][1:] == key[rows][:-1])
    first, second = rows[twins], rows[twins + 1]
    real = strings.take(first).equal(strings.take(second)) & (code[first] == code[second])
    if not real.any():
        return None
    at = np.flatnonzero(real)[np.argmin(second[real])]
    return int(first[at]), int(second[at])
