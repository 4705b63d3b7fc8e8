"""A system of a workspace with other values of its parameters, over the index it has."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from cranfield.engines.bm25 import Bm25Engine
from cranfield.engines.engine import Engine
from cranfield.engines.index_record import is_index
from cranfield.errors import ParameterError
from cranfield.experiments.parameter_space import Values
from cranfield.experiments.systems import index_folder, system_engine
from cranfield.experiments.workspace import System, Workspace


class TunedEngines:
    """Makes the engine of a trial.

    No index is made for values of parameters that are free for every query: all trials share that of the system, and
    those of the engine `bm25` even what is in memory. `build` makes the index of a system whose other parameters vary.
    """

    def __init__(self, workspace: Workspace, system: System, build: Callable[[System], None]) -> None:
        self._workspace = workspace
        self._system = system
        self._build = build
        self._last: Engine | None = None

    def __call__(self, values: Values) -> Engine:
        if isinstance(self._last, Bm25Engine) and values.keys() <= Bm25Engine.free:
            return self._last.tuned(**values)
        self.close()
        varied = self._with(values)
        folder = index_folder(self._workspace, varied)
        if folder is not None and not is_index(folder):
            self._build(varied)
        self._last = system_engine(self._workspace, varied)
        return self._last

    def accepts(self, values: Values) -> bool:
        """Whether these are values that the engine takes; no index is made or opened."""
        try:
            system_engine(self._workspace, self._with(values)).close()
        except ParameterError:
            return False
        return True

    def _with(self, values: Values) -> System:
        return replace(self._system, parameters=with_values(self._system.parameters, values))

    def close(self) -> None:
        """Let go of files and connections."""
        if self._last is not None:
            self._last.close()
            self._last = None


def with_values(parameters: Mapping[str, Any], values: Values) -> dict[str, Any]:
    """Parameters with other values; a name with dots leads into tables and lists, whose items count from 0.

    >>> with_values({"parts": [{"engine": "bm25"}, {"engine": "dense"}]}, {"parts.1.weight": 2.0, "depth": 50})
    {'parts': [{'engine': 'bm25'}, {'engine': 'dense', 'weight': 2.0}], 'depth': 50}
    """
    changed = copy.deepcopy(dict(parameters))
    for name, value in values.items():
        *path, last = name.split(".")
        place: Any = changed
        try:
            for key in path:
                place = place[int(key)] if isinstance(place, list) else place.setdefault(key, {})
            place[int(last) if isinstance(place, list) else last] = value
        except (ValueError, IndexError, TypeError, AttributeError):
            raise ParameterError(f"--param {name}: there is no such place in the parameters of the system") from None
    return changed
