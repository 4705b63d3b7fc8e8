"""Topics or documents divided into training, validation and test: a pure function of names, shares and a seed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from cranfield.errors import DataError, UsageError
from cranfield.experiments.finding import PARTS

TRAIN, VALIDATION, TEST = PARTS
KINDS = ("query", "document")
"""What is divided: topics with all their judgments, or documents with the judgments of all topics about them."""


@dataclass(frozen=True)
class Shares:
    """How much of the whole goes to each part.

    >>> Shares(0.5, 0.2, 0.3).by_part
    {'train': 0.5, 'validation': 0.2, 'test': 0.3}
    >>> Shares(0.5, 0.2, 0.4)
    Traceback (most recent call last):
    ...
    cranfield.errors.UsageError: the shares of train (0.5), validation (0.2) and test (0.4) add up to 1.1; expected 1
    """

    train: float = 0.5
    validation: float = 0.2
    test: float = 0.3

    def __post_init__(self) -> None:
        for name, share in self.by_part.items():
            if not 0 <= share <= 1:
                raise UsageError(f"the share of {name} is {share:g}; expected a number from 0 to 1")
        if abs(sum(self.by_part.values()) - 1) > 1e-6:
            said = f"train ({self.train:g}), validation ({self.validation:g}) and test ({self.test:g})"
            raise UsageError(f"the shares of {said} add up to {sum(self.by_part.values()):g}; expected 1")
        for name in (TRAIN, TEST):
            if not self.by_part[name]:
                raise UsageError(f"the share of {name} is 0; there is nothing to hold apart then")

    @property
    def by_part(self) -> dict[str, float]:
        return {TRAIN: self.train, VALIDATION: self.validation, TEST: self.test}


@dataclass(frozen=True)
class Split:
    """Names by part, and the folds of those that are not test."""

    parts: Mapping[str, tuple[str, ...]]
    folds: tuple[tuple[str, ...], ...] = ()

    @property
    def development(self) -> tuple[str, ...]:
        """What may be looked at as often as one likes: training and validation."""
        return tuple(sorted((*self.parts[TRAIN], *self.parts[VALIDATION])))


def split(
    names: Iterable[str],
    shares: Shares | None = None,
    *,
    seed: int = 0,
    strata: Mapping[str, str] | None = None,
    folds: int = 0,
) -> Split:
    """Divide names into training, validation and test.

    It depends on the names, the shares and the seed, and not on the order of the names. Every part has its share to
    within one name. `strata` says to which group each name belongs: each group is divided in the same proportion, to
    within two names. `folds` divides what is not test into so many parts of the same size.

    >>> made = split(["q1", "q2", "q3", "q4", "q5", "q6"], Shares(0.5, 0, 0.5), seed=1)
    >>> sorted(map(len, made.parts.values()))  # 6/2, 0, 6/2
    [0, 3, 3]
    >>> made == split(["q6", "q5", "q4", "q3", "q2", "q1"], Shares(0.5, 0, 0.5), seed=1)
    True
    """
    unique = list(names)
    if len(set(unique)) != len(unique):
        twice = min(name for name in set(unique) if unique.count(name) > 1)
        raise DataError(f"{twice!r} is there twice: what is divided has names of its own")
    shares = shares or Shares()
    if folds and folds < 2:
        raise UsageError(f"{folds} folds are none: expected 2 or more")
    parts = divide(unique, shares.by_part, seed=seed, strata=strata)
    for name, share in shares.by_part.items():
        if share and not parts[name]:
            raise UsageError(f"{len(unique)} are too few to divide: none is left for {name} ({share:g})")
    made = Split(parts)
    return Split(parts, make_folds(made.development, folds, seed=seed, strata=strata)) if folds else made


def make_folds(
    names: Sequence[str], folds: int, *, seed: int = 0, strata: Mapping[str, str] | None = None
) -> tuple[tuple[str, ...], ...]:
    """Names in so many folds, whose sizes differ by one at most.

    >>> sorted(map(len, make_folds(["q1", "q2", "q3", "q4", "q5"], 2)))
    [2, 3]
    """
    if folds < 2 or folds > len(names):
        raise UsageError(f"{folds} folds of {len(names)}: expected from 2 to as many as there are")
    shares = {str(fold): 1 / folds for fold in range(folds)}
    return tuple(divide(names, shares, seed=seed, strata=strata, purpose="folds").values())


def divide(
    names: Iterable[str],
    shares: Mapping[str, float],
    *,
    seed: int = 0,
    strata: Mapping[str, str] | None = None,
    purpose: str = "parts",
) -> dict[str, tuple[str, ...]]:
    """Names by part.

    Names are put in a random order, group by group, and each goes to the part that is furthest behind its share: so the
    sizes of all parts are right at every point, and within every group too. Names of parts are in byte order.
    """
    group = strata or {}

    def place(name: str) -> tuple[bytes, str, bytes, str]:
        mine = group.get(name, "")
        return _random(seed, f"{purpose} group", mine), mine, _random(seed, purpose, name), name

    found: dict[str, list[str]] = {part: [] for part in shares}
    for number, name in enumerate(sorted(names, key=place), 1):
        # Rounded, so that equal shares are equal whatever their sums do in the last bit.
        behind = {part: round(share * number - len(found[part]), 9) for part, share in shares.items() if share}
        found[max(behind, key=behind.__getitem__)].append(name)
    return {part: tuple(sorted(members)) for part, members in found.items()}


def _random(seed: int, purpose: str, name: str) -> bytes:
    """Bytes that follow from these alone: the hash of a name has no order that anybody could have chosen."""
    text = f"{seed}\0{purpose}\0{name}".encode("utf-8", "surrogateescape")
    return hashlib.sha256(text).digest()
