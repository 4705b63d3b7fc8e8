"""The numbers behind curves: no drawing.

Judgments and runs are handed in as to `evaluate`: paths, dicts, tables, `Qrels` and `Run`, one run or several. Results
have arrays, rows for programs (`rows`), sentences for people (`sentences`) and `to_dict`. `join` looks documents up
once for several curves.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cranfield.curves.bands import BANDS, Band
    from cranfield.curves.coin_flip import Mixture, mix, mix_at
    from cranfield.curves.convex_hull import CoinFlip, Hull, OperatingPoint, hull
    from cranfield.curves.discounts import RankWeights, rank_weights
    from cranfield.curves.dominance import Dominance, Dominances, Stretch, dominances
    from cranfield.curves.inputs import JoinedRuns, join
    from cranfield.curves.judged_shares import JudgedByRank, JudgedRun, judged_by_rank
    from cranfield.curves.parameter_roc import RocPoint, RocPoints, roc_points
    from cranfield.curves.rank_curves import RankCurve, RankCurves
    from cranfield.curves.ranking_roc import RocCurves, RunRoc, roc
    from cranfield.curves.recall_precision_curve import RecallPrecision, RecallPrecisionCurves, recall_precision
    from cranfield.curves.result import About, Curves
    from cranfield.curves.roc_curve import RocCurve, auc_band
    from cranfield.curves.score_thresholds import ThresholdCurve, ThresholdCurves, thresholds
    from cranfield.curves.scores_by_rank import by_rank, cutoff, gain
    from cranfield.curves.topic_differences import DifferenceCurves, TopicDifferences, differences
    from cranfield.curves.topic_scores import TopicScores, per_topic

_PUBLIC = {
    "bands": ("BANDS", "Band"),
    "coin_flip": ("Mixture", "mix", "mix_at"),
    "convex_hull": ("CoinFlip", "Hull", "OperatingPoint", "hull"),
    "discounts": ("RankWeights", "rank_weights"),
    "dominance": ("Dominance", "Dominances", "Stretch", "dominances"),
    "inputs": ("JoinedRuns", "join"),
    "judged_shares": ("JudgedByRank", "JudgedRun", "judged_by_rank"),
    "parameter_roc": ("RocPoint", "RocPoints", "roc_points"),
    "rank_curves": ("RankCurve", "RankCurves"),
    "ranking_roc": ("RocCurves", "RunRoc", "roc"),
    "recall_precision_curve": ("RecallPrecision", "RecallPrecisionCurves", "recall_precision"),
    "result": ("About", "Curves"),
    "roc_curve": ("RocCurve", "auc_band"),
    "score_thresholds": ("ThresholdCurve", "ThresholdCurves", "thresholds"),
    "scores_by_rank": ("by_rank", "cutoff", "gain"),
    "topic_differences": ("DifferenceCurves", "TopicDifferences", "differences"),
    "topic_scores": ("TopicScores", "per_topic"),
}
"""The public names by the module they live in. Nothing is imported before it is asked for."""

_MODULES = {name: module for module, names in _PUBLIC.items() for name in names}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__


__all__ = [
    "BANDS",
    "About",
    "Band",
    "CoinFlip",
    "Curves",
    "DifferenceCurves",
    "Dominance",
    "Dominances",
    "Hull",
    "JoinedRuns",
    "JudgedByRank",
    "JudgedRun",
    "Mixture",
    "OperatingPoint",
    "RankCurve",
    "RankCurves",
    "RankWeights",
    "RecallPrecision",
    "RecallPrecisionCurves",
    "RocCurve",
    "RocCurves",
    "RocPoint",
    "RocPoints",
    "RunRoc",
    "Stretch",
    "ThresholdCurve",
    "ThresholdCurves",
    "TopicDifferences",
    "TopicScores",
    "auc_band",
    "by_rank",
    "cutoff",
    "differences",
    "dominances",
    "gain",
    "hull",
    "join",
    "judged_by_rank",
    "mix",
    "mix_at",
    "per_topic",
    "rank_weights",
    "recall_precision",
    "roc",
    "roc_points",
    "thresholds",
]
