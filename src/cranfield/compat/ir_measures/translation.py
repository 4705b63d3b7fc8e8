"""What each measure of ir_measures is here.

| ir_measures | Cranfield |
|---|---|
| P, R, Success, AP, RR, Rprec, Bpref, infAP, IPrec, SetP, SetR, SetF, SetAP, Compat, NumQ, NumRel, ERR_IA, nERR_IA, \
alpha_DCG, alpha_nDCG, NRBP, nNRBP, AP_IA, P_IA, StRecall | the measure of this name, parameters of the same names |
| nDCG(dcg='log2'), nDCG(dcg='exp-log2') | nDCG, nDCG(gain=exponential) |
| nDCG(gains={1: 3}) | nDCG of judgments whose grades are these gains |
| NumRet, NumRet(rel=x) | NumRet, NumRelRet(rel=x) |
| Judged@k | Judged@k, where a document with a negative grade is judged |
| Accuracy@k | AUC(over=retrieved) of the first k documents |
| ERR@k | ERR(gmax=4)@k; gmax is the highest grade if that is above 4 |
| RBP(rel=x, p=y) | RBP(rel=x, p=y) |
| BPM(T=x)@k | BPM(T=x, gain=linear)@k of grades spread from 0 (min_rel) to 1 (max_rel) |
| SDCG@k, NERR8@k, NERR9@k | the same with gain=linear, of grades so spread |
| NERR10, NERR11, INST, INSQ | the same with gain=linear at 1000, of grades so spread |
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np

from cranfield.compat.ir_measures.failures import InvalidParameterError, UnsupportedError
from cranfield.compat.ir_measures.measure import NOT_PROVIDED, Measure
from cranfield.data.qrels import Qrels
from cranfield.data.strings import Floats
from cranfield.measures import Measure as OurMeasure

GDEVAL_HIGHEST = 4
"""The highest grade there can be, to gdeval, which computes ERR for ir_measures."""
CWL_DEPTH = 1000
"""How far down readers look, in cwl_eval, which computes user models for ir_measures."""
_WHOLE_LIST = 10**12


class Grades(Protocol):
    """Other grades than those of the judgments. Hashable, so that measures that see the same ones share them."""

    def of(self, grade: Floats) -> Floats:
        """What each grade becomes."""


class Spread(NamedTuple):
    """Grades as shares of the way from a lowest to a highest one; what lies outside counts as the nearer of the two."""

    lowest: float
    highest: float

    def of(self, grade: Floats) -> Floats:
        inside = np.clip(np.maximum(grade, 0.0), self.lowest, self.highest)
        return (inside - self.lowest) / (self.highest - self.lowest)


class Gains(NamedTuple):
    """The gains of some grades in their place; other grades stay as they are."""

    gains: tuple[tuple[float, float], ...]

    def of(self, grade: Floats) -> Floats:
        worth = grade.copy()
        for level, gain in self.gains:
            worth[grade == level] = gain
        return worth


class AllJudged(NamedTuple):
    """No grade below 0, so that every document in the qrels counts as judged."""

    def of(self, grade: Floats) -> Floats:
        return np.maximum(grade, 0.0)


class Here(NamedTuple):
    """A measure of ours, the grades it sees if not those of the judgments, and how many documents of each query."""

    measure: OurMeasure
    grades: Grades | None = None
    depth: int | None = None
    only_found: bool = False
    """Whether queries where nothing relevant is retrieved have no value."""


Translate = Callable[[Measure, Qrels], Here]


def _given(measure: Measure, *but: str) -> dict[str, Any]:
    """The parameters and their values, without those that have neither a value nor a default."""
    values = {name: measure[name] for name in measure.SUPPORTED_PARAMS if name not in but}
    return {name: value for name, value in values.items() if value is not NOT_PROVIDED}


def _same(measure: Measure, qrels: Qrels) -> Here:
    return Here(OurMeasure(str(measure.NAME))(**_given(measure)))


def _ndcg(measure: Measure, qrels: Qrels) -> Here:
    gains, exponential = measure["gains"], measure["dcg"] == "exp-log2"
    ours = OurMeasure("nDCG")(gain="exponential" if exponential else "linear", **_given(measure, "dcg", "gains"))
    if gains is NOT_PROVIDED:
        return Here(ours)
    if exponential:
        raise UnsupportedError(
            f"{measure}: gains say what grades are worth, and so does dcg='exp-log2'; give one of them"
        )
    return Here(ours, Gains(tuple(gains.items())))


def _num_ret(measure: Measure, qrels: Qrels) -> Here:
    return Here(OurMeasure("NumRet") if measure["rel"] is NOT_PROVIDED else OurMeasure("NumRelRet")(rel=measure["rel"]))


def _judged(measure: Measure, qrels: Qrels) -> Here:
    cutoff = _WHOLE_LIST if measure["cutoff"] is NOT_PROVIDED else measure["cutoff"]
    return Here(OurMeasure("Judged") @ cutoff, AllJudged())


def _accuracy(measure: Measure, qrels: Qrels) -> Here:
    depth = None if measure["cutoff"] is NOT_PROVIDED else measure["cutoff"]
    return Here(OurMeasure("AUC")(over="retrieved", rel=measure["rel"]), depth=depth, only_found=True)


def _err(measure: Measure, qrels: Qrels) -> Here:
    highest = max(GDEVAL_HIGHEST, float(qrels.grade.max(initial=0.0)))
    return Here(OurMeasure("ERR")(gmax=highest, **_given(measure)))


def _rbp(measure: Measure, qrels: Qrels) -> Here:
    if measure["rel"] is NOT_PROVIDED:
        raise UnsupportedError(f"{measure} needs rel, the least grade that is relevant, as in RBP(rel=1)")
    return _same(measure, qrels)


def _reader(measure: Measure, qrels: Qrels) -> Here:
    given = _given(measure, "min_rel", "max_rel", "dcg", "cutoff")
    lowest, highest = measure["min_rel"], measure["max_rel"]
    if lowest >= highest:
        raise InvalidParameterError(f"{measure}: min_rel must be below max_rel, and {lowest} is not below {highest}")
    at = measure["cutoff"] if "cutoff" in measure.SUPPORTED_PARAMS else CWL_DEPTH
    return Here(OurMeasure(str(measure.NAME))(gain="linear", **given) @ at, Spread(lowest, highest))


_SAME = (
    *("P", "R", "Success", "AP", "RR", "Rprec", "Bpref", "infAP", "IPrec", "SetP", "SetR", "SetF", "SetAP", "Compat"),
    *("NumQ", "NumRel", "ERR_IA", "nERR_IA", "alpha_DCG", "alpha_nDCG", "NRBP", "nNRBP", "AP_IA", "P_IA", "StRecall"),
)
_READERS = ("BPM", "SDCG", "NERR8", "NERR9", "NERR10", "NERR11", "INST", "INSQ")
USER_MODELS = frozenset({"RBP", *_READERS})
"""Measures of which more is known for each query than their value: see `CwlMetric`."""

TABLE: Mapping[str, Translate] = {
    **dict.fromkeys(_SAME, _same),
    "nDCG": _ndcg,
    "NumRet": _num_ret,
    "Judged": _judged,
    "Accuracy": _accuracy,
    "ERR": _err,
    "RBP": _rbp,
    **dict.fromkeys(_READERS, _reader),
}
_OTHER_NAMES = {"Accuracy": "AUC"}


def name_here(measure: Measure) -> str:
    """The name Cranfield has for a measure."""
    return _OTHER_NAMES.get(str(measure.NAME), str(measure.NAME))


def translate(measure: Measure, qrels: Qrels) -> Here:
    """What a measure is here, for these judgments."""
    measure.validate_params()
    here = TABLE[str(measure.NAME)](measure, qrels)
    here.measure.check_parameters()
    return here
