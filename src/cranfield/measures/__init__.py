"""Measures as values: `nDCG @ 10`, `P(rel=2) @ 10`, `RBP(p=0.95)`; `parse` reads their names in every spelling."""

from __future__ import annotations

from cranfield.measures.registry import REGISTRY, Measure

FAMILIES: dict[str, dict[str, tuple[str, ...]]] = {
    "Sets": {
        "set_measures": (
            "SetP",
            "SetR",
            "SetAP",
            "Utility",
        ),
        "set_overlap": (
            "SetF",
            "SetE",
            "SetG",
            "SetJaccard",
        ),
        "set_errors": (
            "SetTNR",
            "SetFPR",
            "SetFNR",
            "SetAccuracy",
            "SetError",
        ),
    },
    "Rankings, relevant or not": {
        "precision": (
            "P",
            "RelativeP",
            "Success",
        ),
        "recall": ("R",),
        "f_measure": ("F",),
        "average_precision": (
            "AP",
            "GMAP",
            "YAAP",
        ),
        "mean_precision": ("MeanP",),
        "r_precision": (
            "Rprec",
            "BreakEven",
        ),
        "reciprocal_rank": ("RR",),
        "interpolated_precision": (
            "IPrec",
            "IPrecAvg",
        ),
        "roc": (
            "AUC",
            "EER",
        ),
        "bpref": (
            "Bpref",
            "BprefUncapped",
            "GMBpref",
        ),
    },
    "Rankings, graded": {
        "dcg": (
            "CG",
            "DCG",
            "IdealDCG",
            "nDCG",
        ),
        "averaged_ndcg": (
            "nDCGrel",
            "Rndcg",
        ),
        "normalised_gain": (
            "G",
            "BinG",
        ),
        "expected_reciprocal_rank": (
            "ERR",
            "nERR",
        ),
        "q_measure": (
            "Q",
            "O",
            "P_measure",
            "P_plus",
            "NCU",
        ),
    },
    "User models": {
        "rank_biased_precision": (
            "RBP",
            "RBPResidual",
        ),
        "scaled_dcg": ("SDCG",),
        "inst": (
            "INSQ",
            "INST",
        ),
        "bejeweled": (
            "BPM",
            "BPMD",
        ),
        "nearly_err": (
            "NERR8",
            "NERR9",
            "NERR10",
            "NERR11",
        ),
        "time_biased_gain": (
            "TBG",
            "U",
        ),
        "information_foraging": (
            "IFT_C1",
            "IFT_C2",
            "IFT_C1_C2",
        ),
    },
    "Incomplete judgments": {
        "inferred_ap": ("infAP",),
        "extended_inferred_ap": (
            "xinfAP",
            "infP",
        ),
        "inferred_ndcg": ("infNDCG",),
        "statistical_ap": (
            "statAP",
            "statAPVar",
            "statAPError",
        ),
        "statistical_precision": (
            "statNumRel",
            "statP",
            "statRprec",
        ),
        "judged": (
            "Judged",
            "Unjudged",
            "RelString",
        ),
    },
    "Diversity": {
        "alpha_ndcg": (
            "alpha_DCG",
            "alpha_nDCG",
        ),
        "intent_aware": (
            "ERR_IA",
            "nERR_IA",
            "AP_IA",
            "P_IA",
        ),
        "novelty_rank_biased_precision": (
            "NRBP",
            "nNRBP",
        ),
        "subtopic_recall": ("StRecall",),
        "d_measures": (
            "D_nDCG",
            "Dsharp_nDCG",
        ),
    },
    "Preferences": {
        "preferences": (
            "prefs_num_prefs_poss",
            "prefs_num_prefs_ful",
            "prefs_num_prefs_ful_ret",
            "prefs_simp",
            "prefs_simp_imp",
            "prefs_simp_ret",
            "prefs_pair",
            "prefs_pair_imp",
            "prefs_pair_ret",
            "prefs_avgjg",
            "prefs_avgjg_imp",
            "prefs_avgjg_ret",
            "prefs_avgjg_Rnonrel",
            "prefs_avgjg_Rnonrel_ret",
        ),
        "compatibility": ("Compat",),
    },
    "Several assessors": {
        "judgment_groups": (
            "AP_avgjg",
            "P_avgjg",
            "Rprec_avgjg",
        ),
    },
    "Counts": {
        "counts": (
            "NumQ",
            "NumRet",
            "NumRel",
            "NumRelRet",
            "NumNonrelRet",
        ),
    },
}
"""The modules with measures, by what they are about, and the measures of each, imported when one is asked for."""

for _families in FAMILIES.values():
    for _family, _names in _families.items():
        REGISTRY.announce(f"{__name__}.{_family}", _names)

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
