"""The measures of ir_measures by name, with the parameters each takes. `translation.py` says what they are here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from cranfield.compat.ir_measures.measure import Agg, BaseMeasure, MeanAgg, Measure, ParamInfo, SumAgg

registry: dict[str, Measure] = {}
"""Every measure by each of its names."""


def register(measure: Measure, aliases: Iterable[str] = (), name: str | None = None) -> dict[str, Measure]:
    """Give a measure its names, under which `parse_measure` finds it."""
    for key in (name or str(measure.NAME), *aliases):
        if key in registry:
            raise ValueError(f"there is a measure called {key} already")
        registry[key] = measure
    return registry


class _Listed(Measure):
    """A measure of the table below."""

    _sums = False

    @property
    def __name__(self) -> str:
        return str(self.NAME)

    @property
    def PRETTY_NAME(self) -> str:
        """The full name."""
        return str(_definition(self).function.__name__).replace("_", " ")

    @property
    def SHORT_DESC(self) -> str:
        """The meaning in a sentence."""
        return str(_definition(self).meaning)

    def aggregator(self) -> Agg:
        return SumAgg() if self._sums else MeanAgg()

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (self.NAME, self.params)


def _rebuilt(name: str, params: dict[str, Any]) -> Measure:
    return type(registry[name])(**params)


def _definition(measure: Measure) -> Any:
    """What Cranfield knows about the measure."""
    from cranfield.compat.ir_measures.translation import name_here
    from cranfield.measures import REGISTRY

    return REGISTRY[name_here(measure)]


def _listed(
    name: str, parameters: Mapping[str, ParamInfo], *aliases: str, at: str = "cutoff", sums: bool = False
) -> Measure:
    kind = type(f"_{name}", (_Listed,), {"NAME": name, "AT_PARAM": at, "SUPPORTED_PARAMS": parameters, "_sums": sums})
    measure: Measure = kind()
    register(measure, aliases)
    return measure


_CUTOFF = {"cutoff": ParamInfo(int, desc="how many documents are looked at")}
_AT = {"cutoff": ParamInfo(int, required=True, desc="how many documents are looked at")}
_LEVEL = {"recall": ParamInfo(float, required=True, desc="the level of recall")}
_REL = {"rel": ParamInfo(int, default=1, desc="the least grade that is relevant")}
_NO_REL = {"rel": ParamInfo(int, desc="the least grade that is relevant")}
_JUDGED = {"judged_only": ParamInfo(bool, default=False, desc="drop unjudged documents first")}
_RELATIVE = {"relative": ParamInfo(bool, default=False, desc="as a share of the best that so many documents can reach")}
_WEIGHT = {"beta": ParamInfo(float, default=1.0, desc="above 1 recall weighs more than precision")}
_DCG = {"dcg": ParamInfo(str, choices=["log2", "exp-log2"], default="log2", desc="the gain is the grade g, or 2^g - 1")}
_LOG2 = {"dcg": ParamInfo(str, choices=["log2"], default="log2", desc="the gain is the grade")}
_GAINS = {"gains": ParamInfo(dict, desc="the gains of single grades")}
_NORMALIZE = {"normalize": ParamInfo(bool, default=True, desc="divide by what the ideal reaches with itself")}
_ALPHA = {"alpha": ParamInfo(float, default=0.5, desc="how far a second document on a subtopic is worth less")}
_BETA = {"beta": ParamInfo(float, default=0.5, desc="the chance that a reader goes on")}
_GOAL = {"T": ParamInfo(float, default=1.0, desc="the gain that is looked for")}
_GRADES = {
    "min_rel": ParamInfo(int, default=0, desc="the grade that gains nothing"),
    "max_rel": ParamInfo(int, required=True, desc="the grade that gains 1"),
}


def _p(default: float) -> dict[str, ParamInfo]:
    return {"p": ParamInfo(float, default=default, desc="the chance that a reader goes on")}


# Rankings, relevant or not

P = Precision = _listed("P", _AT | _REL | _JUDGED, "Precision")
R = Recall = _listed("R", _AT | _REL | _JUDGED, "Recall")
Success = _listed("Success", _AT | _REL | _JUDGED)
AP = MAP = _listed("AP", _CUTOFF | _REL | _JUDGED, "MAP")
RR = MRR = _listed("RR", _CUTOFF | _REL | _JUDGED, "MRR")
Rprec = RPrec = _listed("Rprec", _REL | _JUDGED, "RPrec")
Bpref = BPref = _listed("Bpref", _REL, "BPref")
infAP = _listed("infAP", _REL)
IPrec = _listed("IPrec", _LEVEL | _REL | _JUDGED, at="recall")
Accuracy = _listed("Accuracy", _CUTOFF | _REL)

# Sets

SetP = _listed("SetP", _REL | _RELATIVE | _JUDGED)
SetRelP = SetP(relative=True)
SetR = _listed("SetR", _REL)
SetF = _listed("SetF", _REL | _WEIGHT | _JUDGED)
SetAP = _listed("SetAP", _REL | _JUDGED)

# Rankings, graded

nDCG = NDCG = _listed("nDCG", _CUTOFF | _DCG | _GAINS | _JUDGED, "NDCG")
ERR = _listed("ERR", _CUTOFF)
Compat = _listed("Compat", _p(0.95) | _NORMALIZE)

# User models

RBP = _listed("RBP", _CUTOFF | _p(0.8) | _NO_REL)
BPM = _listed("BPM", _AT | _GOAL | _GRADES)
SDCG = _listed("SDCG", _AT | _LOG2 | _GRADES)
NERR8 = _listed("NERR8", _AT | _GRADES)
NERR9 = _listed("NERR9", _AT | _GRADES)
NERR10 = _listed("NERR10", _p(0.9) | _GRADES)
NERR11 = _listed("NERR11", _GOAL | _GRADES)
INST = _listed("INST", _GOAL | _GRADES)
INSQ = _listed("INSQ", _GOAL | _GRADES)

# Subtopics

ERR_IA = _listed("ERR_IA", _CUTOFF | _REL | _JUDGED)
nERR_IA = _listed("nERR_IA", _CUTOFF | _REL | _JUDGED)
alpha_DCG = α_DCG = _listed("alpha_DCG", _CUTOFF | _REL | _ALPHA | _JUDGED, "α_DCG")
alpha_nDCG = α_nDCG = _listed("alpha_nDCG", _CUTOFF | _REL | _ALPHA | _JUDGED, "α_nDCG")
NRBP = _listed("NRBP", _REL | _ALPHA | _BETA)
nNRBP = _listed("nNRBP", _REL | _ALPHA | _BETA)
AP_IA = MAP_IA = _listed("AP_IA", _REL | _JUDGED, "MAP_IA")
P_IA = _listed("P_IA", _CUTOFF | _REL | _JUDGED)
StRecall = _listed("StRecall", _CUTOFF | _REL)

# Counts, and how much was judged

NumQ = _listed("NumQ", {}, sums=True)
NumRel = _listed("NumRel", _REL, sums=True)
NumRet = _listed("NumRet", _NO_REL, sums=True)
NumRelRet = NumRet(rel=1)
Judged = _listed("Judged", _CUTOFF)

register(SetRelP, name="SetRelP")
register(NumRelRet, name="NumRelRet")

__all__ = [
    "AP",
    "AP_IA",
    "BPM",
    "ERR",
    "ERR_IA",
    "INSQ",
    "INST",
    "MAP",
    "MAP_IA",
    "MRR",
    "NDCG",
    "NERR8",
    "NERR9",
    "NERR10",
    "NERR11",
    "NRBP",
    "P_IA",
    "RBP",
    "RR",
    "SDCG",
    "Accuracy",
    "BPref",
    "BaseMeasure",
    "Bpref",
    "Compat",
    "IPrec",
    "Judged",
    "MeanAgg",
    "Measure",
    "NumQ",
    "NumRel",
    "NumRelRet",
    "NumRet",
    "P",
    "ParamInfo",
    "Precision",
    "R",
    "RPrec",
    "Recall",
    "Rprec",
    "SetAP",
    "SetF",
    "SetP",
    "SetR",
    "SetRelP",
    "StRecall",
    "Success",
    "SumAgg",
    "alpha_DCG",
    "alpha_nDCG",
    "infAP",
    "nDCG",
    "nERR_IA",
    "nNRBP",
    "register",
    "registry",
    "α_DCG",
    "α_nDCG",
]
