"""Statistics: arrays in, small results out. Rank correlation and rank-biased overlap."""

from cranfield.stats.rank_biased_overlap import RankBiasedOverlap, rank_biased_overlap
from cranfield.stats.rank_correlation import (
    Correlation,
    gamma,
    gamma_of_pairs,
    spearman_rho,
    tau_a,
    tau_ap_a,
    tau_ap_b,
    tau_b,
)

__all__ = [
    "Correlation",
    "RankBiasedOverlap",
    "gamma",
    "gamma_of_pairs",
    "rank_biased_overlap",
    "spearman_rho",
    "tau_a",
    "tau_ap_a",
    "tau_ap_b",
    "tau_b",
]
