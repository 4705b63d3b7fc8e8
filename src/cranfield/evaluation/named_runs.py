"""Runs by name, ready to be read more than once."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from cranfield.errors import UsageError
from cranfield.evaluation.inputs import is_file, is_several, run_names
from cranfield.formats import read_run


def named_runs(runs: Any) -> dict[str, Any]:
    """The runs by their names, from one run, a list of them, or a dict.

    >>> list(named_runs(["runs/bm25.run", "dense.run.gz"])), list(named_runs({"q1": {"d1": 0.5}}))
    (['bm25', 'dense'], ['run'])
    """
    if isinstance(runs, Mapping) and is_several(runs):
        return dict(runs)
    several = list(runs) if is_several(runs) else [runs]
    if not several:
        raise UsageError("there is no run")
    return dict(zip(run_names(several), several, strict=True))


def read_again(runs: Mapping[str, Any], format: str | None = None) -> dict[str, Any]:
    """The runs, those in memory that can be read only once: standard input, pipes and file objects."""
    return {name: run if can_be_read_again(run) else read_run(run, format=format) for name, run in runs.items()}


def can_be_read_again(what: Any) -> bool:
    """Whether this is data in memory, or a file that stays as it is when it is read."""
    if not is_file(what):
        return True
    if not isinstance(what, (str, os.PathLike)) or os.fspath(what) == "-":
        return False
    return os.path.isfile(what) or os.path.isdir(what) or not os.path.exists(what)
