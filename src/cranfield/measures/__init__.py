"""Measures as values: `nDCG @ 10`, `P(rel=2) @ 10`, `RBP(p=0.95)`; `parse` reads their names in every spelling."""

from __future__ import annotations

import importlib

from cranfield.measures.registry import REGISTRY, Measure, evaluate_one

FAMILIES = (
    "average_precision",
    "bpref",
    "counts",
    "dcg",
    "inferred_ap",
    "interpolated_precision",
    "judged",
    "judgment_groups",
    "normalised_gain",
    "precision",
    "preferences",
    "r_precision",
    "rank_biased_precision",
    "recall",
    "reciprocal_rank",
    "set_measures",
)
"""The modules with measures; importing them registers these."""

for _family in FAMILIES:
    importlib.import_module(f"{__name__}.{_family}")

from cranfield.measures.grammar import parse, parse_all, parse_one  # noqa: E402  (needs the measures)

__all__ = ["REGISTRY", "Measure", "evaluate_one", "parse", "parse_all", "parse_one"]


def __getattr__(name: str) -> Measure:
    if name in REGISTRY:
        return Measure(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*globals(), *REGISTRY]
