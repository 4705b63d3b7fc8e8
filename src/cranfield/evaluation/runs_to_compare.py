"""The runs that are compared, and what they are called."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cranfield.errors import UsageError
from cranfield.evaluation.inputs import is_file, is_several, run_names


@dataclass(frozen=True)
class RunsToCompare:
    """All runs with their names, the baseline first."""

    names: list[str]
    runs: list[Any]
    places: list[int]
    """Where the runs other than the baseline stood among those given."""
    given: int

    @classmethod
    def of(cls, baseline: Any, runs: Any) -> RunsToCompare:
        """From what was given. A baseline that is also among the runs is left out there (`compare old.run *.run`)."""
        own = None
        if is_several(baseline):
            if not isinstance(baseline, Mapping) or len(baseline) != 1:
                raise UsageError(f"the baseline is one run, found {len(baseline)}")
            ((own, baseline),) = baseline.items()
        by_name = isinstance(runs, Mapping) and is_several(runs)
        several = list(runs.values()) if by_name else list(runs) if is_several(runs) else [runs]
        places = _different(baseline, several)
        kept = [several[place] for place in places]
        if not kept:
            why = "; the one that is given is the baseline itself" if several else ""
            raise UsageError(f"there is no run to compare with the baseline{why}")
        if by_name:
            given = list(runs)
            names = [given[place] for place in places]
            (file,) = run_names([baseline])
            own = own or next(name for name in (file, "baseline", "the baseline") if name not in (*names, "run"))
        else:
            first, *names = run_names([baseline, *kept])
            own = own or first
        if own in names:
            raise UsageError(f"the baseline and one of the runs are both named {own!r}")
        return cls([own, *names], [baseline, *kept], places, len(several))

    @property
    def baseline_again(self) -> bool:
        """Whether the baseline was among the runs too."""
        return len(self.places) < self.given

    def changes(self, change: str | Sequence[str] | None) -> dict[str, str]:
        """What was changed, by name of the run: one text for all, or one for each of the runs given."""
        if change is None:
            return {}
        texts = [change] if isinstance(change, str) else list(change)
        texts = texts * self.given if len(texts) == 1 else texts
        if len(texts) != self.given:
            raise UsageError(f"expected one change for all runs or one for each of {self.given}, found {len(texts)}")
        return {name: texts[place] for name, place in zip(self.names[1:], self.places, strict=True)}


def _different(baseline: Any, runs: Sequence[Any]) -> list[int]:
    """Where the runs stand that are not the baseline's file; an error if two are the same file."""
    seen: dict[str, None] = {}
    places = []
    for place, run in enumerate(runs):
        file = _real_path(run)
        if file is not None and file == _real_path(baseline):
            continue
        if file in seen:
            raise UsageError(f"{run}: the file is given twice; each run is compared once")
        if file is not None:
            seen[file] = None
        places.append(place)
    return places


def _real_path(run: Any) -> str | None:
    return os.path.realpath(os.fspath(run)) if isinstance(run, (str, os.PathLike)) and is_file(run) else None
