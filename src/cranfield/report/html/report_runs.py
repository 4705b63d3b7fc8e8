"""The runs of a report by name, the baseline first."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from cranfield.errors import UsageError, did_you_mean
from cranfield.evaluation.inputs import is_file, is_several, run_names
from cranfield.evaluation.named_runs import named_runs


def arranged(runs: Any, baseline: Any = None) -> dict[str, Any]:
    """The runs by name; the baseline is one of them, by its name or its file, or one more, or else the first.

    >>> list(arranged(["bm25.run", "dense.run"], "dense")), list(arranged(["bm25.run"], {"old": "old.run"}))
    (['dense', 'bm25'], ['old', 'bm25'])
    """
    named = named_runs(runs)
    twice = _given_twice(named)
    if twice:
        raise UsageError(f"{twice}: the file is given twice; each run is shown once")
    if baseline is None:
        return named
    if isinstance(baseline, Mapping) and is_several(baseline):
        if len(baseline) != 1:
            raise UsageError(f"the baseline is one run, found {len(baseline)}")
        ((own, run),) = baseline.items()
        return {own: run, **{name: one for name, one in named.items() if name != own}}
    if isinstance(baseline, str) and baseline in named:
        return _first(named, baseline)
    among = [name for name, run in named.items() if run is baseline or _same_file(run, baseline)]
    if among:
        return _first(named, among[0])
    if is_file(baseline) and not hasattr(baseline, "read") and os.fspath(baseline) != "-":
        if not os.path.exists(baseline):
            hint = did_you_mean(os.fspath(baseline), named)
            raise UsageError(f"the baseline {os.fspath(baseline)!r} is neither one of the runs nor a file{hint}")
        if not isinstance(runs, Mapping):
            names = run_names([baseline, *named.values()])
            return dict(zip(names, [baseline, *named.values()], strict=True))
    (own,) = run_names([baseline])
    return {own if own not in named else "baseline": baseline, **named}


def _first(named: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {name: named[name], **{other: run for other, run in named.items() if other != name}}


def _same_file(one: Any, other: Any) -> bool:
    paths = [os.fspath(what) for what in (one, other) if isinstance(what, (str, os.PathLike))]
    return len(paths) == 2 and "-" not in paths and os.path.realpath(paths[0]) == os.path.realpath(paths[1])


def _given_twice(named: Mapping[str, Any]) -> str | None:
    seen: set[str] = set()
    for run in named.values():
        if isinstance(run, (str, os.PathLike)):
            path = os.path.realpath(run)
            if path in seen:
                return os.fspath(run)
            seen.add(path)
    return None
