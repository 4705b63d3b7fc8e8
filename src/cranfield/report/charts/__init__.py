"""One file for each chart: functions from results to Altair charts, which a notebook shows as they are."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cranfield.report.charts.cutoff_lines import cutoff
    from cranfield.report.charts.difference_bars import difference
    from cranfield.report.charts.judged_coverage import coverage
    from cranfield.report.charts.order_correlation import correlation
    from cranfield.report.charts.p_value_matrix import matrix
    from cranfield.report.charts.per_topic_scores import per_topic
    from cranfield.report.charts.rank_discounts import discount
    from cranfield.report.charts.recall_precision_lines import recall_precision
    from cranfield.report.charts.roc_lines import roc
    from cranfield.report.charts.run_means import means
    from cranfield.report.charts.score_distributions import box, violin
    from cranfield.report.charts.threshold_lines import thresholds
    from cranfield.report.charts.tuning_surface import surface
    from cranfield.report.charts.two_runs import scatter

_MODULES = {
    "box": "score_distributions",
    "correlation": "order_correlation",
    "coverage": "judged_coverage",
    "cutoff": "cutoff_lines",
    "difference": "difference_bars",
    "discount": "rank_discounts",
    "matrix": "p_value_matrix",
    "means": "run_means",
    "per_topic": "per_topic_scores",
    "recall_precision": "recall_precision_lines",
    "roc": "roc_lines",
    "scatter": "two_runs",
    "surface": "tuning_surface",
    "thresholds": "threshold_lines",
    "violin": "score_distributions",
}
"""The charts by the module they live in. Nothing is imported before it is asked for."""


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__


__all__ = [
    "box",
    "correlation",
    "coverage",
    "cutoff",
    "difference",
    "discount",
    "matrix",
    "means",
    "per_topic",
    "recall_precision",
    "roc",
    "scatter",
    "surface",
    "thresholds",
    "violin",
]
