"""trec_eval's names: what its measures are called there, their default parameters, the order and form of its lines."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection
from typing import Literal, NamedTuple

from cranfield.errors import ParameterError
from cranfield.measures.interpolated_precision import DECILES
from cranfield.measures.parameters import NOT_NEGATIVE
from cranfield.measures.precision import CUTOFFS
from cranfield.measures.registry import Measure

Form = Literal["real", "count", "text"]

MULTIPLES = (0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0)


class Column(NamedTuple):
    """A line of trec_eval's output: its label and the measure behind it (None for `runid`)."""

    label: str
    measure: Measure | None
    entry: Entry


class Entry(NamedTuple):
    """A measure, or a family of measures at several cutoffs, as trec_eval names it."""

    name: str
    build: Callable[[str | None], list[tuple[str, Measure | None]]]
    """From the text behind the dot (None if there is none), the suffixes of the labels and the measures."""
    form: Form = "real"
    by_query: bool = True
    """Whether it has a line for each query."""
    overall: bool = True
    """Whether it has a line for all queries."""

    def columns(self, parameters: str | None = None) -> list[Column]:
        return [Column(self.name + suffix, measure, self) for suffix, measure in self.build(parameters)]


def _plain(
    name: str, measure: Measure | None, form: Form = "real", *, by_query: bool = True, overall: bool = True
) -> Entry:
    def build(parameters: str | None) -> list[tuple[str, Measure | None]]:
        if parameters is not None:
            raise ParameterError(f"{name} takes no parameters, found {parameters!r}")
        return [("", measure)]

    return Entry(name, build, form, by_query, overall)


def _at(
    name: str, measure: Callable[[float], Measure], defaults: tuple[float, ...], show: Callable[[float], str]
) -> Entry:
    """A family: one measure for each value behind the dot, in increasing order."""

    def build(parameters: str | None) -> list[tuple[str, Measure | None]]:
        values = defaults if parameters is None else _numbers(name, parameters)
        shown = [(show(value), value) for value in sorted(values)]
        if len({text for text, _ in shown}) < len(shown):
            raise ParameterError(f"{name}.{parameters}: the same value is given twice")
        return [(f"_{text}", measure(float(text))) for text, _ in shown]

    return Entry(name, build)


def _cutoffs(name: str, symbol: str, defaults: tuple[float, ...] = CUTOFFS) -> Entry:
    return _at(name, lambda k: Measure(symbol) @ k, defaults, lambda k: str(int(k)))


def _with_parameters(name: str, make: Callable[[str], Measure], default: Measure, form: Form = "real") -> Entry:
    """A single measure whose label shows the parameters as they were typed."""

    def build(parameters: str | None) -> list[tuple[str, Measure | None]]:
        return [("", default)] if parameters is None else [(f"_{parameters}", make(parameters))]

    return Entry(name, build, form, overall=form != "text")


def _with_gains(name: str, symbol: str) -> Entry:
    def make(text: str) -> Measure:
        return Measure(symbol)(gains=_pairs(name, text))

    return _with_parameters(name, make, Measure(symbol))


def _numbers(name: str, text: str) -> tuple[float, ...]:
    try:
        numbers = tuple(float(part) for part in text.split(","))
    except ValueError:
        numbers = ()
    if not numbers or not all(map(math.isfinite, numbers)):
        raise ParameterError(f"{name}.{text}: expected numbers with commas between them, as in {name}.5,10")
    return numbers


def _pairs(name: str, text: str) -> dict[str, float]:
    try:
        return {key: float(value) for key, value in (part.split("=") for part in text.split(","))}
    except ValueError:
        expected = "p=0.95 and grade=gain pairs" if name == "rbp" else "grade=gain pairs"
        example = f"{name}.p=0.95,1=3.5,2=9" if name == "rbp" else f"{name}.1=3.5,2=9"
        raise ParameterError(f"{name}.{text}: expected {expected} with commas between them, as in {example}") from None


def _utility(text: str) -> Measure:
    weights = _numbers("utility", text)
    if len(weights) != 4:
        raise ParameterError(f"utility.{text}: expected 4 numbers, found {len(weights)}")
    return Measure("Utility")(**dict(zip(("tp", "fp", "fn", "tn"), weights, strict=True)))


def _set_f(text: str) -> Measure:
    squared = NOT_NEGATIVE.accept(_numbers("set_F", text)[0], f"set_F.{text}: beta squared")
    return Measure("SetF")(beta=math.sqrt(squared))


def _rbp(text: str) -> Measure:
    if re.fullmatch(r"(0?\.)?\d+", text):  # ranx writes rbp.95
        return Measure("RBP")(p=float(f"0.{text.rpartition('.')[2]}"))
    values = _pairs("rbp", text)
    p = values.pop("p", 0.9)
    return Measure("RBP")(p=p, gain="topic", **({"gains": values} if values else {}))


TABLE: tuple[Entry, ...] = (
    _plain("runid", None, "text", by_query=False),
    _plain("num_q", Measure("NumQ"), "count", by_query=False),
    _plain("num_ret", Measure("NumRet"), "count"),
    _plain("num_rel", Measure("NumRel"), "count"),
    _plain("num_rel_ret", Measure("NumRelRet"), "count"),
    _plain("map", Measure("AP")),
    _plain("gm_map", Measure("GMAP"), by_query=False),
    _plain("Rprec", Measure("Rprec")),
    _plain("bpref", Measure("Bpref")),
    _plain("recip_rank", Measure("RR")),
    _at("iprec_at_recall", lambda level: Measure("IPrec") @ level, DECILES, lambda v: f"{v:.2f}"),
    _cutoffs("P", "P"),
    _with_parameters(
        "relstring",
        lambda text: Measure("RelString") @ int(_numbers("relstring", text)[0]),
        Measure("RelString"),
        "text",
    ),
    _cutoffs("recall", "R"),
    _plain("infAP", Measure("infAP")),
    _plain("gm_bpref", Measure("GMBpref"), by_query=False),
    _at("Rprec_mult", lambda m: Measure("Rprec")(multiple=m), MULTIPLES, lambda v: f"{v:.2f}"),
    _with_parameters("utility", _utility, Measure("Utility")),
    _with_parameters(
        "11pt_avg",
        lambda text: Measure("IPrecAvg")(levels=_numbers("11pt_avg", text)),
        Measure("IPrecAvg"),
    ),
    _plain("binG", Measure("BinG")),
    _with_gains("G", "G"),
    _with_gains("dcg", "DCG"),
    _with_gains("ideal_dcg", "IdealDCG"),
    _with_gains("ndcg", "nDCG"),
    _with_gains("ndcg_rel", "nDCGrel"),
    _with_gains("Rndcg", "Rndcg"),
    _cutoffs("ndcg_cut", "nDCG"),
    _cutoffs("map_cut", "AP"),
    _cutoffs("relative_P", "RelativeP"),
    _cutoffs("success", "Success", (1, 5, 10)),
    _plain("set_P", Measure("SetP")),
    _plain("set_relative_P", Measure("SetP", (("relative", True),))),
    _plain("set_recall", Measure("SetR")),
    _plain("set_map", Measure("SetAP")),
    _with_parameters("set_F", _set_f, Measure("SetF")),
    _plain("num_nonrel_judged_ret", Measure("NumNonrelRet"), "count"),
    _plain("prefs_num_prefs_poss", Measure("prefs_num_prefs_poss"), "count"),
    _plain("prefs_num_prefs_ful", Measure("prefs_num_prefs_ful"), "count"),
    _plain("prefs_num_prefs_ful_ret", Measure("prefs_num_prefs_ful_ret"), "count"),
    _plain("prefs_simp", Measure("prefs_simp")),
    _plain("prefs_pair", Measure("prefs_pair")),
    _plain("prefs_avgjg", Measure("prefs_avgjg")),
    _plain("prefs_avgjg_Rnonrel", Measure("prefs_avgjg_Rnonrel")),
    _plain("prefs_simp_ret", Measure("prefs_simp_ret")),
    _plain("prefs_pair_ret", Measure("prefs_pair_ret")),
    _plain("prefs_avgjg_ret", Measure("prefs_avgjg_ret")),
    _plain("prefs_avgjg_Rnonrel_ret", Measure("prefs_avgjg_Rnonrel_ret")),
    _plain("prefs_simp_imp", Measure("prefs_simp_imp")),
    _plain("prefs_pair_imp", Measure("prefs_pair_imp")),
    _plain("prefs_avgjg_imp", Measure("prefs_avgjg_imp")),
    _plain("map_avgjg", Measure("AP_avgjg")),
    _cutoffs("P_avgjg", "P_avgjg"),
    _at("Rprec_mult_avgjg", lambda m: Measure("Rprec_avgjg")(multiple=m), MULTIPLES, lambda v: f"{v:.2f}"),
    _plain("yaap", Measure("YAAP")),
    _with_parameters("rbp", _rbp, Measure("RBP", (("p", 0.9), ("gain", "topic")))),
    _plain("rbp_resid", Measure("RBPResidual", (("p", 0.9), ("tail", "if-unjudged")))),
    _cutoffs("unj", "Unjudged", (5, 10, 20)),
)
"""In the order in which trec_eval prints."""

ENTRIES = {entry.name: entry for entry in TABLE}

_BASIC = ("runid", "num_q", "num_ret", "num_rel", "num_rel_ret")
_SETS = ("utility", "set_P", "set_recall", "set_relative_P", "set_map", "set_F")
_OFFICIAL = (*_BASIC, "map", "gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall", "P")
_PREFS = ("runid", "num_q", "prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_num_prefs_ful_ret")
_OUTSIDE_ALL = {"dcg", "ideal_dcg", "yaap"}

NICKNAMES: dict[str, tuple[str, ...]] = {
    "official": _OFFICIAL,
    "set": (*_BASIC, *_SETS),
    "all_trec": tuple(
        e.name
        for e in TABLE
        if not e.name.startswith("prefs_") and not e.name.endswith("_avgjg") and e.name not in _OUTSIDE_ALL
    ),
    "all_prefs": ("runid", "num_q", *(e.name for e in TABLE if e.name.startswith("prefs_"))),
    "prefs": (*_PREFS, "prefs_simp", "prefs_pair", "prefs_avgjg"),
    "qrels_jg": ("runid", "num_q", "map_avgjg", "P_avgjg", "Rprec_mult_avgjg"),
}
"""trec_eval's names for sets of measures."""


def columns(text: str, *, any_case: bool = False) -> list[Column] | None:
    """What a name in trec_eval's grammar stands for, None if it is not one of its names.

    >>> [column.label for column in columns("P.5,10")]
    ['P_5', 'P_10']
    >>> [str(column.measure) for column in columns("ndcg_cut_10")]
    ['nDCG@10']
    """
    if any_case:
        text = text.lower()
    nicknames = {_folded(name, any_case): names for name, names in NICKNAMES.items()}
    entries = {_folded(name, any_case): entry for name, entry in ENTRIES.items()}
    if text in nicknames:
        return [column for name in nicknames[text] for column in ENTRIES[name].columns()]
    name, dot, parameters = text.partition(".")
    if name in entries:
        return entries[name].columns(parameters if dot else None)
    for name, entry in entries.items():
        suffix = text[len(name) + 1 :]
        if text.startswith(f"{name}_") and suffix.startswith(_BEGINS_PARAMETERS):
            return entry.columns(suffix)
    return None


def has(measure: Measure, lacks: Collection[str] = ()) -> bool:
    """Whether trec_eval has a measure, with whatever parameters; `lacks` are names that a version does not have.

    >>> has(Measure("AP")), has(Measure("ERR")), has(Measure("RBP"), lacks={"rbp"})
    (True, False, False)
    """
    entries = (entry for entry in TABLE if entry.name not in lacks)
    return any(
        column.measure is not None and column.measure.name == measure.name for e in entries for column in e.columns()
    )


_BEGINS_PARAMETERS = (*"0123456789.-", "p=")


def _folded(name: str, any_case: bool) -> str:
    return name.lower() if any_case else name
