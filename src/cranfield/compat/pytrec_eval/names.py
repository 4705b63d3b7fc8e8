"""What pytrec_eval calls its measures, and what each name stands for here."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from cranfield.compat.pytrec_eval.failures import MeasureParameterError, UnsupportedMeasureError, WrongTypeError
from cranfield.errors import CranfieldError, did_you_mean
from cranfield.measures import Measure, parse
from cranfield.measures.profiles import profile
from cranfield.measures.trec_eval import ENTRIES, NICKNAMES, Entry

PROFILE = profile("trec_eval-9")
"""pytrec_eval holds a trec_eval of this generation."""

supported_measures: set[str] = set(NICKNAMES["all_trec"]) - PROFILE.lacks
"""The names of all measures, without cutoffs."""

supported_nicknames: dict[str, set[str]] = {name: set(names) - PROFILE.lacks for name, names in NICKNAMES.items()}
"""Names for several measures at once. Those of `all_prefs`, `prefs` and `qrels_jg` are not computed."""

_SUPPORTED = {name: entry for name, entry in ENTRIES.items() if name in supported_measures}
_FAMILIES = frozenset(name for name, entry in _SUPPORTED.items() if len(entry.columns()) > 1)
"""Measures at several cutoffs, levels or multiples, whose names in a result say which."""


class Column(NamedTuple):
    """A value that each query of a result has: its name and the measure; None where it is always 0."""

    label: str
    measure: Measure | None


def columns_of(measures: Any) -> list[Column]:
    """What some names stand for, in the order of trec_eval.

    >>> [column.label for column in columns_of(["ndcg_cut.5,20", "ndcg_cut_10", "map"])]
    ['map', 'ndcg_cut_5', 'ndcg_cut_10', 'ndcg_cut_20']
    """
    if isinstance(measures, str) or not isinstance(measures, Iterable):
        listed = f" Write {{{measures!r}}}." if isinstance(measures, str) else ""
        raise WrongTypeError(f"measures is {measures!r:.60}, not a set of names.{listed}")
    asked: dict[str, set[str]] = {}
    for name in measures:
        if not isinstance(name, str):
            raise WrongTypeError(f"measures: {name!r:.60} is {type(name).__name__}, not the name of a measure")
        for member in supported_nicknames.get(name, (name,)):
            entry, parameters = _split(member)
            asked.setdefault(entry.name, set()).update(parameters)
    return [
        column for name, entry in _SUPPORTED.items() if name in asked for column in _columns(entry, sorted(asked[name]))
    ]


def _split(name: str) -> tuple[Entry, list[str]]:
    """A measure and its parameters: each cutoff by itself, or all there is behind the name."""
    if name in _SUPPORTED:
        return _SUPPORTED[name], []
    for base, entry in _SUPPORTED.items():
        match = re.fullmatch(rf"{re.escape(base)}[._]([\d.].*)", name)
        if match:
            return entry, match[1].split(",") if base in _FAMILIES else [match[1]]
    raise _unsupported(name)


def _columns(entry: Entry, parameters: list[str]) -> list[Column]:
    if len(parameters) > 1 and entry.name not in _FAMILIES:
        both = " and ".join(f"{entry.name}.{text}" for text in parameters)
        raise MeasureParameterError(f"{both} would both be {entry.name!r} in the results. Make an evaluator for each.")
    try:
        found = entry.columns(",".join(parameters) or None)
    except CranfieldError as error:
        raise MeasureParameterError(f"{error}{_instead(entry.name, parameters)}") from None
    if entry.name in _FAMILIES:
        return [Column(column.label, column.measure) for column in found]
    return [Column(entry.name, found[0].measure if entry.form != "text" else None)]


def _instead(name: str, parameters: list[str]) -> str:
    cut = f"{name}_cut"
    return f". Did you mean {cut}_{','.join(parameters)}?" if cut in supported_measures else ""


def _unsupported(name: str) -> UnsupportedMeasureError:
    hint = did_you_mean(name, supported_measures)
    try:
        elsewhere = parse(name)
    except CranfieldError:
        elsewhere = []
    if elsewhere:
        hint += f" cranfield.evaluate has it, as {elsewhere[0]}."
    reason = f"unsupported measure {name!r}{hint} pytrec_eval.supported_measures has them all."
    return UnsupportedMeasureError(name, reason)
