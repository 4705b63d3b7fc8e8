"""Tables, plots and the HTML report: the only room that draws."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cranfield.report import charts
    from cranfield.report.export import write_chart
    from cranfield.report.html.write import write_report
    from cranfield.report.plotting import plot

_MODULES = {"plot": "plotting", "write_chart": "export", "write_report": "html.write"}
"""The public names by the module they live in. Nothing is imported before it is asked for."""


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
    if name == "charts":
        return importlib.import_module(f"{__name__}.charts")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__


__all__ = ["charts", "plot", "write_chart", "write_report"]
