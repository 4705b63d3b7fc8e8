"""Cranfield: is this search system good, and is it better than that one?

>>> import cranfield as cf
>>> result = cf.evaluate({"q1": {"d1": 1}}, {"q1": {"d2": 0.9, "d1": 0.8}}, ["RR", "nDCG@10"])
>>> result.mean["RR"]
0.5
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_PUBLIC = {
    "Collection": "cranfield.data.collection",
    "Comparison": "cranfield.evaluation.comparison",
    "Correlations": "cranfield.evaluation.correlated",
    "CranfieldError": "cranfield.errors",
    "DataError": "cranfield.errors",
    "Document": "cranfield.data.documents",
    "Evaluation": "cranfield.evaluation.result",
    "Evaluator": "cranfield.evaluation.evaluator",
    "ExplainedDifference": "cranfield.evaluation.explaining.explanation",
    "Explanation": "cranfield.evaluation.explaining.explanation",
    "FailureAnalysis": "cranfield.evaluation.failure_analysis",
    "Features": "cranfield.data.features",
    "Flip": "cranfield.pooling.flip.result",
    "JudgeAgreement": "cranfield.evaluation.agreement",
    "JudgeLabels": "cranfield.data.judge_labels",
    "JudgeRankings": "cranfield.evaluation.judges",
    "Measure": "cranfield.measures",
    "NumberSearch": "cranfield.evaluation.whydiff.number_sources",
    "Planning": "cranfield.evaluation.power",
    "Pool": "cranfield.data.pool",
    "Preferences": "cranfield.data.preferences",
    "Provenance": "cranfield.evaluation.provenance.record",
    "Qrels": "cranfield.data.qrels",
    "Run": "cranfield.data.run",
    "RunEvaluation": "cranfield.evaluation.result",
    "SearchOutcome": "cranfield.engines.searching",
    "Similarity": "cranfield.evaluation.similarity",
    "Topic": "cranfield.data.topics",
    "Topics": "cranfield.data.topics",
    "UsageError": "cranfield.errors",
    "Verification": "cranfield.evaluation.provenance.verification",
    "WhyDiff": "cranfield.evaluation.whydiff.tool_differences",
    "aggregate": "cranfield.engines.aggregation",
    "agreement": "cranfield.evaluation.agreement",
    "best_possible": "cranfield.evaluation.best_possible",
    "build_index": "cranfield.engines.indexing",
    "build_pool": "cranfield.pooling.building",
    "check_collection": "cranfield.evaluation.collection_checks",
    "collection_statistics": "cranfield.evaluation.collection_statistics",
    "compare": "cranfield.evaluation.compare",
    "confusion": "cranfield.evaluation.confusion",
    "confusion_by_threshold": "cranfield.evaluation.confusion",
    "correlate": "cranfield.evaluation.correlation",
    "correlate_scores": "cranfield.evaluation.correlation",
    "cwl": "cranfield.measures.readers",
    "evaluate": "cranfield.evaluation.evaluate",
    "evaluate_one": "cranfield.measures",
    "explain": "cranfield.evaluation.explaining.explain",
    "explain_one": "cranfield.evaluation.explaining.explain",
    "extend_pool": "cranfield.pooling.building",
    "failures": "cranfield.evaluation.failures",
    "find_number": "cranfield.evaluation.whydiff.number_search",
    "flip": "cranfield.pooling.flip.flip",
    "fuse": "cranfield.engines.fusion",
    "import_collection": "cranfield.formats.collections",
    "iter_documents": "cranfield.formats.documents",
    "judging_cost": "cranfield.pooling.missing.cost",
    "label_confusion": "cranfield.evaluation.label_confusion",
    "open_collection": "cranfield.formats.collections",
    "open_engine": "cranfield.engines.configuration",
    "plot": "cranfield.report.plotting",
    "pool_bias": "cranfield.pooling.missing.bias",
    "pool_size": "cranfield.pooling.missing.size",
    "pool_statistics": "cranfield.pooling.missing.statistics",
    "power": "cranfield.evaluation.power",
    "rankings_by_judge": "cranfield.evaluation.judges",
    "read_features": "cranfield.formats.letor",
    "read_judge_labels": "cranfield.formats.judge_labels",
    "read_pool": "cranfield.formats.pools",
    "read_preferences": "cranfield.formats",
    "read_qrels": "cranfield.formats",
    "read_run": "cranfield.formats",
    "read_topics": "cranfield.formats.topics",
    "sample_topics": "cranfield.evaluation.topic_sampling",
    "search": "cranfield.engines.searching",
    "similarity": "cranfield.evaluation.similarity",
    "simulate_orders": "cranfield.pooling.simulation",
    "verify": "cranfield.evaluation.provenance.verify",
    "verify_collection": "cranfield.formats.collections",
    "whydiff": "cranfield.evaluation.whydiff.whydiff",
    "write_documents": "cranfield.formats.documents",
    "write_features": "cranfield.formats.letor",
    "write_pool": "cranfield.formats.pools",
    "write_preferences": "cranfield.formats",
    "write_qrels": "cranfield.formats",
    "write_run": "cranfield.formats",
    "write_topics": "cranfield.formats.topics",
}
"""The public face, each name with the module it lives in. Nothing is imported before it is asked for."""

_ROOMS = (
    *("compat", "curves", "data", "engines", "errors", "evaluation", "experiments", "formats", "measures"),
    *("pooling", "report", "stats"),
)

if TYPE_CHECKING:
    from cranfield import (
        compat,
        curves,
        data,
        engines,
        errors,
        evaluation,
        experiments,
        formats,
        measures,
        pooling,
        report,
        stats,
    )
    from cranfield.data.collection import Collection
    from cranfield.data.documents import Document
    from cranfield.data.features import Features
    from cranfield.data.judge_labels import JudgeLabels
    from cranfield.data.pool import Pool
    from cranfield.data.preferences import Preferences
    from cranfield.data.qrels import Qrels
    from cranfield.data.run import Run
    from cranfield.data.topics import Topic, Topics
    from cranfield.engines.aggregation import aggregate
    from cranfield.engines.configuration import open_engine
    from cranfield.engines.fusion import fuse
    from cranfield.engines.indexing import build_index
    from cranfield.engines.searching import SearchOutcome, search
    from cranfield.errors import CranfieldError, DataError, UsageError
    from cranfield.evaluation.agreement import JudgeAgreement, agreement
    from cranfield.evaluation.best_possible import best_possible
    from cranfield.evaluation.collection_checks import check_collection
    from cranfield.evaluation.collection_statistics import collection_statistics
    from cranfield.evaluation.compare import compare
    from cranfield.evaluation.comparison import Comparison
    from cranfield.evaluation.confusion import confusion, confusion_by_threshold
    from cranfield.evaluation.correlated import Correlations
    from cranfield.evaluation.correlation import correlate, correlate_scores
    from cranfield.evaluation.evaluate import evaluate
    from cranfield.evaluation.evaluator import Evaluator
    from cranfield.evaluation.explaining.explain import explain, explain_one
    from cranfield.evaluation.explaining.explanation import ExplainedDifference, Explanation
    from cranfield.evaluation.failure_analysis import FailureAnalysis
    from cranfield.evaluation.failures import failures
    from cranfield.evaluation.judges import JudgeRankings, rankings_by_judge
    from cranfield.evaluation.label_confusion import label_confusion
    from cranfield.evaluation.power import Planning, power
    from cranfield.evaluation.provenance.record import Provenance
    from cranfield.evaluation.provenance.verification import Verification
    from cranfield.evaluation.provenance.verify import verify
    from cranfield.evaluation.result import Evaluation, RunEvaluation
    from cranfield.evaluation.similarity import Similarity, similarity
    from cranfield.evaluation.topic_sampling import sample_topics
    from cranfield.evaluation.whydiff.number_search import find_number
    from cranfield.evaluation.whydiff.number_sources import NumberSearch
    from cranfield.evaluation.whydiff.tool_differences import WhyDiff
    from cranfield.evaluation.whydiff.whydiff import whydiff
    from cranfield.formats import read_preferences, read_qrels, read_run, write_preferences, write_qrels, write_run
    from cranfield.formats.collections import import_collection, open_collection, verify_collection
    from cranfield.formats.documents import iter_documents, write_documents
    from cranfield.formats.judge_labels import read_judge_labels
    from cranfield.formats.letor import read_features, write_features
    from cranfield.formats.pools import read_pool, write_pool
    from cranfield.formats.topics import read_topics, write_topics
    from cranfield.measures import Measure, evaluate_one
    from cranfield.measures.readers import cwl
    from cranfield.pooling.building import build_pool, extend_pool
    from cranfield.pooling.flip.flip import flip
    from cranfield.pooling.flip.result import Flip
    from cranfield.pooling.missing.bias import pool_bias
    from cranfield.pooling.missing.cost import judging_cost
    from cranfield.pooling.missing.size import pool_size
    from cranfield.pooling.missing.statistics import pool_statistics
    from cranfield.pooling.simulation import simulate_orders
    from cranfield.report.plotting import plot


def __getattr__(name: str) -> Any:
    import importlib

    if name in _PUBLIC:
        return getattr(importlib.import_module(_PUBLIC[name]), name)
    if name in _ROOMS:
        return importlib.import_module(f"cranfield.{name}")
    if name.startswith("_"):
        raise AttributeError(f"module 'cranfield' has no attribute {name!r}")
    measures = importlib.import_module("cranfield.measures")
    measure = measures.named(name)
    if measure is not None:
        return measure
    errors = importlib.import_module("cranfield.errors")
    hint = errors.did_you_mean(name, [*_PUBLIC, *_ROOMS, *measures.REGISTRY])
    raise AttributeError(f"module 'cranfield' has no attribute {name!r}{hint}")


def __dir__() -> list[str]:
    from cranfield.measures import REGISTRY

    dunders = [name for name in globals() if name.startswith("__")]
    return [*dunders, *_PUBLIC, *_ROOMS, *REGISTRY]


__all__ = [
    "Collection",
    "Comparison",
    "Correlations",
    "CranfieldError",
    "DataError",
    "Document",
    "Evaluation",
    "Evaluator",
    "ExplainedDifference",
    "Explanation",
    "FailureAnalysis",
    "Features",
    "Flip",
    "JudgeAgreement",
    "JudgeLabels",
    "JudgeRankings",
    "Measure",
    "NumberSearch",
    "Planning",
    "Pool",
    "Preferences",
    "Provenance",
    "Qrels",
    "Run",
    "RunEvaluation",
    "SearchOutcome",
    "Similarity",
    "Topic",
    "Topics",
    "UsageError",
    "Verification",
    "WhyDiff",
    "__version__",
    "aggregate",
    "agreement",
    "best_possible",
    "build_index",
    "build_pool",
    "check_collection",
    "collection_statistics",
    "compare",
    "compat",
    "confusion",
    "confusion_by_threshold",
    "correlate",
    "correlate_scores",
    "curves",
    "cwl",
    "data",
    "engines",
    "errors",
    "evaluate",
    "evaluate_one",
    "evaluation",
    "experiments",
    "explain",
    "explain_one",
    "extend_pool",
    "failures",
    "find_number",
    "flip",
    "formats",
    "fuse",
    "import_collection",
    "iter_documents",
    "judging_cost",
    "label_confusion",
    "measures",
    "open_collection",
    "open_engine",
    "plot",
    "pool_bias",
    "pool_size",
    "pool_statistics",
    "pooling",
    "power",
    "rankings_by_judge",
    "read_features",
    "read_judge_labels",
    "read_pool",
    "read_preferences",
    "read_qrels",
    "read_run",
    "read_topics",
    "report",
    "sample_topics",
    "search",
    "similarity",
    "simulate_orders",
    "stats",
    "verify",
    "verify_collection",
    "whydiff",
    "write_documents",
    "write_features",
    "write_pool",
    "write_preferences",
    "write_qrels",
    "write_run",
    "write_topics",
]
