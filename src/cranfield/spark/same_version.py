"""Work for workers, which refuse it if they have another version of Cranfield than who gives it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from cranfield.errors import ClusterError

Work = Callable[..., Any]


def same_version(work: Work) -> Work:
    """The same work, which checks this first wherever it is done."""
    return _Versioned(work, own_version())


def own_version() -> str:
    """The version of Cranfield that runs here."""
    # By its name, since a room does not import what shows all rooms.
    version: str = import_module("cranfield").__version__
    return version


@dataclass(frozen=True)
class _Versioned:
    work: Work
    version: str

    def __call__(self, *given: Any) -> Any:
        if own_version() != self.version:
            raise ClusterError(
                f"a worker has Cranfield {own_version()}, and the work is of {self.version}: give workers the "
                "version that runs here. `cranfield spark package` makes an archive of what workers need "
                "(see docs/spark/workers.md)"
            )
        return self.work(*given)
