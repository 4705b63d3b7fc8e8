"""Profiles: every choice on which evaluation tools differ, in one place.

>>> profile("trec_eval-9").single_precision
True

What is not said here is as in `Profile`: the values there are those of the profile `cranfield`. Each tool is described
as its own source has it: trec_eval 9.0.8 and 10.0, gdeval.pl 1.3, ndeval 4.5, ranx 0.3.21, ir_measures 0.4.3 with its
default providers, BEIR 2.1 and the ranking evaluation (`_rank_eval`) of Elasticsearch 8.
"""

from __future__ import annotations

from cranfield.errors import UsageError, did_you_mean
from cranfield.measures.profile_rules import GIVEN, Missing, Offer, Profile, Ties

__all__ = ["PROFILES", "Missing", "Offer", "Profile", "Ties", "profile"]

_AT_A_CUTOFF = Offer(needs=("cutoff",))
_DOUBLE = {"single_precision": False}

_PYTREC_EVAL = (
    *("AP", "RR", "Rprec", "Bpref", "infAP", "SetP", "SetR", "SetF", "SetAP", "NumRet", "NumRel", "NumRelRet"),
    *("P", "R", "Success", "IPrec"),
)
_CWL_EVAL = ("BPM", "INSQ", "INST", "NERR8", "NERR9", "NERR10", "NERR11", "RBP", "SDCG")
_NDEVAL = ("ERR_IA", "nERR_IA", "alpha_DCG", "alpha_nDCG", "NRBP", "nNRBP", "AP_IA", "P_IA", "StRecall")

_FIRST_FIRST = {**_DOUBLE, "ties": "document-up"}
"""What the providers of ir_measures do that are written in Python, pyndeval among them."""
_BY_CWL_EVAL = {**_DOUBLE, "ties": "given", "negative": "not relevant", "depth": 1000}
_BY_GDEVAL = {**_DOUBLE, "topic_places": 5, "highest_grade": 4}
_BY_BEIR = {**_DOUBLE, "ties": "given", "missing": "zero"}
"""What BEIR does for measures that it does not leave to pytrec_eval."""

PROFILES = {
    profile.name: profile
    for profile in (
        Profile("cranfield"),
        Profile(
            "trec_eval-9",
            "trec_eval 9",
            single_precision=True,
            missing="skip",
            lists_missing=False,
            recall_rounding="add-0.9",
            places=4,
            whole_grades=True,
            lacks=frozenset({"rbp", "rbp_resid", "unj"}),
        ),
        Profile(
            "trec_eval-10",
            "trec_eval 10",
            missing="error",
            recall_rounding="nearest",
            places=4,
            whole_grades=True,
            offers={
                "RBP": Offer({"p": 0.9, "gain": "topic"}),
                "RBPResidual": Offer({"p": 0.9, "tail": "if-unjudged"}),
            },
        ),
        Profile(
            "gdeval",
            "gdeval",
            missing="skip",
            without_relevant="skip",
            places=5,
            whole_grades=True,
            highest_grade=4,
            offers={
                "nDCG": Offer({"gain": "exponential", "cutoff": 20}),
                "ERR": Offer({"gmax": 4, "cutoff": 20}),
            },
            no_others=True,
        ),
        Profile(
            "ndeval",
            "ndeval",
            ties="rank",
            missing="skip",
            places=6,
            whole_grades=True,
            least_grade=0,
            offers=dict.fromkeys(_NDEVAL, Offer()),
            no_others=True,
        ),
        Profile(
            "ranx",
            "ranx",
            ties="any",
            missing="error",
            complete_by="make_comparable=True there, -c (complete=True) here,",
            negative="not relevant",
            level_for_all=True,
            whole_grades=True,
            offers={
                **dict.fromkeys(("nDCG", "DCG", "AP", "RR", "Rprec", "Bpref", "SetP", "SetR", "SetF", "F"), Offer()),
                **dict.fromkeys(("P", "R", "Success"), _AT_A_CUTOFF),
                "RBP": Offer({"gain": "linear"}, needs=("p",), checked=False),
            },
            no_others=True,
        ),
        Profile(
            "ir_measures",
            "ir_measures",
            single_precision=True,
            lists_missing=False,
            recall_rounding="add-0.9",
            whole_grades=True,
            offers={
                "nDCG": Offer(cases=(("gain", "exponential", _BY_GDEVAL),)),
                **dict.fromkeys(_PYTREC_EVAL, Offer()),
                "NumRel": Offer(rules={"missing": "skip"}),
                "SetF": Offer(rules={"beta_is_squared": True}),
                "RR": Offer(cases=(("cutoff", GIVEN, _FIRST_FIRST),)),
                "Judged": Offer(rules={**_FIRST_FIRST, "negative": "not relevant"}),
                "Compat": Offer(rules={**_FIRST_FIRST, "unretrieved": "scored 0"}),
                "ERR": Offer({"gmax": 4}, rules=_BY_GDEVAL, needs=("cutoff",)),
                **dict.fromkeys(_CWL_EVAL, Offer(rules=_BY_CWL_EVAL)),
                **dict.fromkeys(_NDEVAL, Offer(rules=_FIRST_FIRST)),
            },
            no_others=True,
        ),
        Profile(
            "beir",
            "BEIR",
            single_precision=True,
            missing="skip",
            lists_missing=False,
            drops_own=True,
            places=5,
            whole_grades=True,
            offers={
                **dict.fromkeys(("nDCG", "AP", "R", "P"), _AT_A_CUTOFF),
                **dict.fromkeys(("RR", "Success"), Offer(rules=_BY_BEIR, needs=("cutoff",))),
                "RelativeP": Offer(rules={**_BY_BEIR, "without_relevant": "error"}, needs=("cutoff",)),
            },
            no_others=True,
        ),
        Profile(
            "elasticsearch",
            "Elasticsearch",
            ties="given",
            negative="not relevant",
            whole_grades=True,
            offers={
                "nDCG": Offer({"gain": "exponential", "ideal": "shortened", "cutoff": 10}),
                "DCG": Offer({"gain": "exponential", "cutoff": 10}),
                "P": Offer({"denominator": "retrieved", "cutoff": 10}),
                "R": Offer({"cutoff": 10}),
                "RR": Offer({"cutoff": 10}),
                "ERR": Offer({"cutoff": 10}, needs=("gmax",)),
            },
            no_others=True,
        ),
    )
}


def profile(name: str | Profile) -> Profile:
    """The profile of this name, in upper or lower case.

    >>> profile("Elasticsearch").ties
    'given'
    """
    if isinstance(name, Profile):
        return name
    found = PROFILES.get(str(name).lower())
    if found is None:
        hint = did_you_mean(str(name), PROFILES)
        raise UsageError(f"unknown profile {name!r}{hint} There are: {', '.join(PROFILES)}")
    return found
