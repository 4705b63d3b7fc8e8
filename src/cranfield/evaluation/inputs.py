"""What callers hand in: files, runs in memory, one or several, and the names these go by."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from cranfield.errors import UsageError
from cranfield.formats import run_name
from cranfield.measures.parameters import CUTOFF, Whole

TIES = ("docid", "expected", "range")
"""What may be made of tied scores."""


def check_depth(depth: Any) -> int | None:
    """How many documents of each query are looked at, if that is a number of documents; None: all."""
    return None if depth is None else CUTOFF.accept(depth, "the number of documents to look at (-M, depth=)")


def check_ties(ties: str, seed: Any, *, plain: bool, profile: str) -> tuple[str, int]:
    """What is made of tied scores, and the seed of orders that are drawn, if the profile leaves their order open."""
    if ties not in TIES:
        raise UsageError(f"ties (--ties) is one of {', '.join(TIES)}, not {ties!r}")
    if ties != "docid" and not plain:
        raise UsageError(
            f"--ties {ties} needs a profile that ranks all documents by score, such as cranfield or trec_eval-9; "
            f"{profile} has rules of its own"
        )
    return ties, Whole(0).accept(seed, "the seed (--seed, seed=)")


def is_file(what: Any) -> bool:
    """Whether this is a path or a file object."""
    return isinstance(what, (str, os.PathLike)) or hasattr(what, "read")


def is_several(runs: Any) -> bool:
    """Whether these are several runs rather than one: a list of runs, or a dict of runs by name."""
    if isinstance(runs, Mapping):
        first = next(iter(runs.values()), None)
        return first is not None and not _is_ranking(first)
    if isinstance(runs, (list, tuple)):
        return not runs or not isinstance(runs[0], (tuple, list))
    return False


def _is_ranking(value: Any) -> bool:
    """Whether a value of a dict is one query's `{document: score}`."""
    return isinstance(value, Mapping) and not any(isinstance(v, Mapping) for v in value.values())


def run_names(runs: Sequence[Any]) -> list[str]:
    """A name for each run: the stem of its file, the whole path where files share it; numbers where that is no help.

    >>> run_names(["a/x.run", "b/x.run", "y.run", "y.run"])
    ['a/x.run', 'b/x.run', 'y', 'y-4']
    """
    short = [run_name(run) if is_file(run) else own_name(run, "run") for run in runs]
    paths = [source_name(run, "") for run in runs]
    names: list[str] = []
    for number, (path, name) in enumerate(zip(paths, short, strict=True), 1):
        alike = [other for other, its_name in zip(paths, short, strict=True) if its_name == name]
        if path and len(set(alike)) > 1:
            name = path
        names.append(f"{name}-{number}" if name in names or (len(alike) > 1 and not path) else name)
    return names


def own_name(what: Any, otherwise: str) -> str:
    """What data in memory calls itself; a table may have a column of that name instead."""
    name = getattr(what, "name", None)
    return name if isinstance(name, str) and name else otherwise


def source_name(what: Any, otherwise: str) -> str:
    """What messages call a file: its path, if it has one."""
    return os.fspath(what) if isinstance(what, (str, os.PathLike)) else otherwise
