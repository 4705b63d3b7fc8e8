"""Measures as values: `nDCG @ 10`, `P(rel=2) @ 10`, `RBP(p=0.95)`; `parse` reads their names in every spelling."""

from __future__ import annotations

import importlib

from cranfield.measures.registry import REGISTRY, Measure

FAMILIES = {
    "Sets": ("set_measures", "set_overlap", "set_errors"),
    "Rankings, relevant or not": (
        "precision",
        "recall",
        "f_measure",
        "average_precision",
        "mean_precision",
        "r_precision",
        "reciprocal_rank",
        "interpolated_precision",
        "roc",
        "bpref",
    ),
    "Rankings, graded": ("dcg", "averaged_ndcg", "normalised_gain", "expected_reciprocal_rank", "q_measure"),
    "User models": (
        "rank_biased_precision",
        "scaled_dcg",
        "inst",
        "bejeweled",
        "nearly_err",
        "time_biased_gain",
        "information_foraging",
    ),
    "Incomplete judgments": (
        "inferred_ap",
        "extended_inferred_ap",
        "inferred_ndcg",
        "statistical_ap",
        "statistical_precision",
        "judged",
    ),
    "Diversity": (
        "alpha_ndcg",
        "intent_aware",
        "novelty_rank_biased_precision",
        "subtopic_recall",
        "d_measures",
    ),
    "Preferences": ("preferences", "compatibility"),
    "Several assessors": ("judgment_groups",),
    "Counts": ("counts",),
}
"""The modules with measures, by what they are about; importing them registers these."""

for _family in (family for families in FAMILIES.values() for family in families):
    importlib.import_module(f"{__name__}.{_family}")

from cranfield.measures.grammar import named, parse, parse_all, parse_one  # noqa: E402  (needs the measures)
from cranfield.measures.one_ranking import evaluate_one  # noqa: E402

__all__ = ["REGISTRY", "Measure", "evaluate_one", "named", "parse", "parse_all", "parse_one"]


def __getattr__(name: str) -> Measure:
    found = named(name)
    if found is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return found


def __dir__() -> list[str]:
    return [*globals(), *REGISTRY]
