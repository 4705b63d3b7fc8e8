"""Statistics: arrays in, small results out. Significance, many systems, power, agreement of judges, correlation."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cranfield.stats.agreement.coefficient import Agreement, agreement_band
    from cranfield.stats.agreement.cohen_kappa import cohen_kappa, scott_pi
    from cranfield.stats.agreement.consistence import Consistence, consistence
    from cranfield.stats.agreement.fleiss_kappa import bennett_s, fleiss_kappa, percent_agreement
    from cranfield.stats.agreement.gwet_ac1 import gwet_ac1
    from cranfield.stats.agreement.judge_pairs import PairAgreement, cohen_kappa_of_pairs
    from cranfield.stats.agreement.krippendorff_alpha import krippendorff_alpha
    from cranfield.stats.agreement.label_counts import LabelCounts
    from cranfield.stats.correlation.correlation_interval import fisher_interval
    from cranfield.stats.correlation.linear_correlation import pearson_r
    from cranfield.stats.correlation.rank_biased_overlap import RankBiasedOverlap, rank_biased_overlap
    from cranfield.stats.correlation.rank_correlation import (
        Correlation,
        gamma,
        gamma_of_pairs,
        spearman_rho,
        tau_a,
        tau_ap_a,
        tau_ap_b,
        tau_b,
    )
    from cranfield.stats.correlation.swaps import Swaps, system_swaps
    from cranfield.stats.correlation.system_correlation import SystemCorrelation, correlate_systems
    from cranfield.stats.interval import Interval
    from cranfield.stats.many_systems.anova import Effect, TwoWayAnova, two_way_anova
    from cranfield.stats.many_systems.corrections import Adjusted, adjust, benjamini_hochberg, bonferroni, holm
    from cranfield.stats.many_systems.letters import Groups, groups
    from cranfield.stats.many_systems.tukey import Tukey, randomised_tukey_hsd, tukey_hsd
    from cranfield.stats.planning.discriminative_power import DiscriminativePower, discriminative_power
    from cranfield.stats.planning.error_rates import ErrorRates, error_rates
    from cranfield.stats.planning.power import Power, power_of_anova, power_of_test
    from cranfield.stats.planning.topic_set_size import (
        IntervalWidth,
        PilotVariance,
        difference_for_power,
        pilot_variance,
        topics_for_anova,
        topics_for_interval,
        topics_for_power,
    )
    from cranfield.stats.significance.assumptions import Assumptions, check_assumptions
    from cranfield.stats.significance.bayesian import Posterior, bayesian_signed_rank_test, bayesian_t_test
    from cranfield.stats.significance.bootstrap import bootstrap_test, bootstrap_tests
    from cranfield.stats.significance.differences import Differences
    from cranfield.stats.significance.equivalence import (
        equivalence_test,
        equivalence_tests,
        non_inferiority_test,
        non_inferiority_tests,
    )
    from cranfield.stats.significance.outcome import Outcome, Outcomes
    from cranfield.stats.significance.paired_tests import (
        PAIRED_TESTS,
        AllPairs,
        all_pairs,
        paired_test_named,
        run_paired_tests,
    )
    from cranfield.stats.significance.randomisation import randomisation_test, randomisation_tests
    from cranfield.stats.significance.sign_test import sign_test, sign_tests
    from cranfield.stats.significance.t_test import one_sample_t_test, paired_t_test, paired_t_tests
    from cranfield.stats.significance.wilcoxon import wilcoxon_test, wilcoxon_tests

_PUBLIC = {
    "agreement.coefficient": (
        "Agreement",
        "agreement_band",
    ),
    "agreement.cohen_kappa": (
        "cohen_kappa",
        "scott_pi",
    ),
    "agreement.consistence": (
        "Consistence",
        "consistence",
    ),
    "agreement.fleiss_kappa": (
        "bennett_s",
        "fleiss_kappa",
        "percent_agreement",
    ),
    "agreement.gwet_ac1": ("gwet_ac1",),
    "agreement.judge_pairs": (
        "PairAgreement",
        "cohen_kappa_of_pairs",
    ),
    "agreement.krippendorff_alpha": ("krippendorff_alpha",),
    "agreement.label_counts": ("LabelCounts",),
    "correlation.correlation_interval": ("fisher_interval",),
    "correlation.linear_correlation": ("pearson_r",),
    "correlation.rank_biased_overlap": (
        "RankBiasedOverlap",
        "rank_biased_overlap",
    ),
    "correlation.rank_correlation": (
        "Correlation",
        "gamma",
        "gamma_of_pairs",
        "spearman_rho",
        "tau_a",
        "tau_ap_a",
        "tau_ap_b",
        "tau_b",
    ),
    "correlation.swaps": (
        "Swaps",
        "system_swaps",
    ),
    "correlation.system_correlation": (
        "SystemCorrelation",
        "correlate_systems",
    ),
    "interval": ("Interval",),
    "many_systems.anova": (
        "Effect",
        "TwoWayAnova",
        "two_way_anova",
    ),
    "many_systems.corrections": (
        "Adjusted",
        "adjust",
        "benjamini_hochberg",
        "bonferroni",
        "holm",
    ),
    "many_systems.letters": (
        "Groups",
        "groups",
    ),
    "many_systems.tukey": (
        "Tukey",
        "randomised_tukey_hsd",
        "tukey_hsd",
    ),
    "planning.discriminative_power": (
        "DiscriminativePower",
        "discriminative_power",
    ),
    "planning.error_rates": (
        "ErrorRates",
        "error_rates",
    ),
    "planning.power": (
        "Power",
        "power_of_anova",
        "power_of_test",
    ),
    "planning.topic_set_size": (
        "IntervalWidth",
        "PilotVariance",
        "difference_for_power",
        "pilot_variance",
        "topics_for_anova",
        "topics_for_interval",
        "topics_for_power",
    ),
    "significance.assumptions": (
        "Assumptions",
        "check_assumptions",
    ),
    "significance.bayesian": (
        "Posterior",
        "bayesian_signed_rank_test",
        "bayesian_t_test",
    ),
    "significance.bootstrap": (
        "bootstrap_test",
        "bootstrap_tests",
    ),
    "significance.differences": ("Differences",),
    "significance.equivalence": (
        "equivalence_test",
        "equivalence_tests",
        "non_inferiority_test",
        "non_inferiority_tests",
    ),
    "significance.outcome": (
        "Outcome",
        "Outcomes",
    ),
    "significance.paired_tests": (
        "AllPairs",
        "PAIRED_TESTS",
        "all_pairs",
        "paired_test_named",
        "run_paired_tests",
    ),
    "significance.randomisation": (
        "randomisation_test",
        "randomisation_tests",
    ),
    "significance.sign_test": (
        "sign_test",
        "sign_tests",
    ),
    "significance.t_test": (
        "one_sample_t_test",
        "paired_t_test",
        "paired_t_tests",
    ),
    "significance.wilcoxon": (
        "wilcoxon_test",
        "wilcoxon_tests",
    ),
}
"""What each module has for others. Nothing is imported before it is asked for."""

_MODULES = {name: module for module, names in _PUBLIC.items() for name in names}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__


__all__ = [
    "PAIRED_TESTS",
    "Adjusted",
    "Agreement",
    "AllPairs",
    "Assumptions",
    "Consistence",
    "Correlation",
    "Differences",
    "DiscriminativePower",
    "Effect",
    "ErrorRates",
    "Groups",
    "Interval",
    "IntervalWidth",
    "LabelCounts",
    "Outcome",
    "Outcomes",
    "PairAgreement",
    "PilotVariance",
    "Posterior",
    "Power",
    "RankBiasedOverlap",
    "Swaps",
    "SystemCorrelation",
    "Tukey",
    "TwoWayAnova",
    "adjust",
    "agreement_band",
    "all_pairs",
    "bayesian_signed_rank_test",
    "bayesian_t_test",
    "benjamini_hochberg",
    "bennett_s",
    "bonferroni",
    "bootstrap_test",
    "bootstrap_tests",
    "check_assumptions",
    "cohen_kappa",
    "cohen_kappa_of_pairs",
    "consistence",
    "correlate_systems",
    "difference_for_power",
    "discriminative_power",
    "equivalence_test",
    "equivalence_tests",
    "error_rates",
    "fisher_interval",
    "fleiss_kappa",
    "gamma",
    "gamma_of_pairs",
    "groups",
    "gwet_ac1",
    "holm",
    "krippendorff_alpha",
    "non_inferiority_test",
    "non_inferiority_tests",
    "one_sample_t_test",
    "paired_t_test",
    "paired_t_tests",
    "paired_test_named",
    "pearson_r",
    "percent_agreement",
    "pilot_variance",
    "power_of_anova",
    "power_of_test",
    "randomisation_test",
    "randomisation_tests",
    "randomised_tukey_hsd",
    "rank_biased_overlap",
    "run_paired_tests",
    "scott_pi",
    "sign_test",
    "sign_tests",
    "spearman_rho",
    "system_swaps",
    "tau_a",
    "tau_ap_a",
    "tau_ap_b",
    "tau_b",
    "topics_for_anova",
    "topics_for_interval",
    "topics_for_power",
    "tukey_hsd",
    "two_way_anova",
    "wilcoxon_test",
    "wilcoxon_tests",
]
