"""What a result is made again from: what was given, or else what is found under the names the result has."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from cranfield.errors import UsageError, did_you_mean
from cranfield.evaluation.inputs import is_several, run_names
from cranfield.evaluation.provenance.origin import Input, Role
from cranfield.evaluation.provenance.recorded_result import RecordedResult
from cranfield.formats import read_preferences, read_qrels, read_run
from cranfield.formats.costs import read_costs
from cranfield.formats.intents import read_intents

_WHAT: Mapping[Role, str] = {
    "qrels": "judgments",
    "run": "run",
    "intents": "intents (--intents, intents=)",
    "costs": "costs (--costs, costs=)",
    "reference": "reference (-Z, reference=)",
}


class InputsToVerify:
    """Judgments, runs and the rest, each a file or data in memory."""

    def __init__(self, recorded: RecordedResult, given: Mapping[Role, Any], runs: Any) -> None:
        self._recorded = recorded
        self._given: dict[Role, Any] = {}
        for role, what in given.items():
            if what is not None and not recorded.needs(role):
                raise UsageError(f"{recorded.name} was made without {_WHAT[role]}; leave it out")
            if recorded.needs(role):
                self._given[role] = self._found(role, recorded.input(role)) if what is None else what
        self.runs: dict[str, Any] = self._runs_found() if runs is None else _by_name(runs)
        self._contents: dict[tuple[Role, str], Input] = {}

    def __getitem__(self, role: Role) -> Any:
        """What is read in this role; None if nothing is."""
        return self._given.get(role)

    def _runs_found(self) -> dict[str, Any]:
        names = [run.name for run in self._recorded.runs if not run.is_best_possible]
        return {name: self._found("run", self._recorded.input("run", name), name) for name in names}

    def _found(self, role: Role, source: Input | None, run: str = "") -> str:
        """The file that was read then, by the name it had: from here, or from the folder of the result."""
        what = f"{_WHAT[role]} {run}".rstrip()
        if source is None:
            raise UsageError(f"{self._recorded.name} does not say where its {what} came from; give the file")
        if source.hash_of == "content":
            raise UsageError(f"{self._recorded.name} has its {what} from memory, not from a file; give the same again")
        beside = os.path.dirname(self._recorded.path or "")
        file = os.path.basename(source.name)
        for place in (source.name, os.path.join(beside, source.name), os.path.join(beside, file)):
            if os.path.isfile(place):
                return place
        near = did_you_mean(file, {name for folder in (".", beside or ".") for name in os.listdir(folder)})
        raise UsageError(f"{source.name}, the {what} of {self._recorded.name}, is not there; say where it is{near}")

    def comparable(self, recorded: Input, now: Input, what: Any) -> Input:
        """What is there now, hashed as it was hashed then: where that was data in memory, a file is read for it."""
        if recorded.sha256 is None or recorded.hash_of == now.hash_of or now.identity is None:
            return now
        key = (recorded.role, now.name)
        if key not in self._contents:
            from cranfield.evaluation.provenance.fingerprints import of_content

            sha256, size = of_content(self._content(recorded, what))
            self._contents[key] = now._replace(hash_of="content", sha256=sha256, bytes=size)
        return self._contents[key]

    def _content(self, recorded: Input, what: Any) -> Any:
        if recorded.role == "costs":
            return read_costs(what)
        if recorded.role == "intents":
            return read_intents(what)
        if recorded.role == "run":
            return read_run(what)
        return read_preferences(what) if self._recorded.settings.get("relevance") == "prefs" else read_qrels(what)

    def match(self, now: Mapping[str, Input]) -> dict[str, str]:
        """Which run of the result each run is: by its hash, or else by its name, or else the only one that is left.

        `now` has the runs as they were read again, by the names they have now.
        """
        left = [run.name for run in self._recorded.runs if not run.is_best_possible]
        pairs: dict[str, str] = {}
        for fits in (self._same_hash, self._same_name):
            for name, source in now.items():
                found = next((run for run in left if name not in pairs and fits(run, name, source)), None)
                if found is not None:
                    pairs[name] = found
                    left.remove(found)
        others = [name for name in now if name not in pairs]
        if others and not (len(others) == len(left) == 1):
            known = ", ".join(run.name for run in self._recorded.runs)
            raise UsageError(
                f"{others[0]}: neither its hash nor its name is that of a run in {self._recorded.name} ({known})"
            )
        return pairs | dict(zip(others, left, strict=False))

    def _same_hash(self, run: str, name: str, source: Input) -> bool:
        recorded = self._recorded.input("run", run)
        if recorded is None or recorded.sha256 is None:
            return False
        now = self.comparable(recorded, source, self.runs[name])
        return (recorded.hash_of, recorded.sha256) == (now.hash_of, now.sha256)

    def _same_name(self, run: str, name: str, source: Input) -> bool:
        recorded = self._recorded.input("run", run)
        return run == name or (recorded is not None and recorded.name == source.name)


def _by_name(runs: Any) -> dict[str, Any]:
    if isinstance(runs, Mapping) and is_several(runs):
        return {str(name): run for name, run in runs.items()}
    several = list(runs) if is_several(runs) else [runs]
    return dict(zip(run_names(several), several, strict=True))
