"""Measures from their names: ir_measures' own (`P(rel=2)@5`), and trec_eval's (`ndcg_cut.5,10`)."""

from __future__ import annotations

import ast
import math
import re
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

from cranfield.compat.ir_measures import measures
from cranfield.compat.ir_measures.deprecation import warn_deprecated
from cranfield.compat.ir_measures.failures import MeasureSyntaxError, UnknownNameError, UnsupportedError
from cranfield.compat.ir_measures.measure import Measure
from cranfield.errors import did_you_mean

_CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
_LEVELS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def parse_measure(measure: str | Measure) -> Measure:
    """The measure of a name such as `nDCG@10` or `P(rel=2)@5`.

    >>> parse_measure("MAP(rel=2)")
    AP(rel=2)
    >>> parse_measure("nDGC@10")
    Traceback (most recent call last):
        ...
    cranfield.compat.ir_measures.failures.UnknownNameError: unknown measure 'nDGC'. Did you mean nDCG, α_nDCG?
    `cranfield measures` lists them all.
    """
    if isinstance(measure, Measure):
        return measure
    node = _expression(measure)
    given: dict[str, Any] = {}
    at: Any = None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        at = _value(node.right, measure)
        node = node.left
    if isinstance(node, ast.Call):
        if node.args or any(keyword.arg is None for keyword in node.keywords):
            raise _malformed(measure, "parameters are given by name, as in P(rel=2)@5")
        given = {str(keyword.arg): _value(keyword.value, measure) for keyword in node.keywords}
        node = node.func
    if not isinstance(node, ast.Name):
        raise _malformed(measure, "expected Name(parameter=value)@cutoff")
    if node.id not in measures.registry:
        raise UnknownNameError(node.id, reversed(measures.registry))
    found = measures.registry[node.id](**given)
    return found if at is None else found @ at


def _expression(text: str) -> ast.expr:
    try:
        statements = ast.parse(text).body
    except (SyntaxError, TypeError, ValueError):
        raise _malformed(text, "expected Name(parameter=value)@cutoff") from None
    if len(statements) != 1 or not isinstance(statements[0], ast.Expr):
        raise _malformed(text, "expected one measure, as in Name(parameter=value)@cutoff")
    return statements[0].value


def _value(node: ast.expr, text: str) -> Any:
    try:
        return ast.literal_eval(node)
    except ValueError:
        raise _malformed(text, f"{ast.unparse(node)} is not a number, a text, True, False or {{grade: gain}}") from None


def _malformed(text: Any, reason: str) -> MeasureSyntaxError:
    return MeasureSyntaxError(f"{text!r:.80} is not a measure: {reason}")


class _Trec(NamedTuple):
    """What a name of trec_eval is here: a measure, or one for each of some values of a parameter."""

    measure: Measure
    parameter: str = ""
    values: tuple[float, ...] = ()
    read: Callable[[str], float] = int
    """The value of the parameter from the text behind the name."""


def _root(squared: str) -> float:
    """Beta from its square, which is what trec_eval takes."""
    return math.sqrt(float(squared))


_TREC = {
    "ndcg": _Trec(measures.nDCG),
    "P": _Trec(measures.P, "cutoff", _CUTOFFS),
    "map_cut": _Trec(measures.AP, "cutoff", _CUTOFFS),
    "set_map": _Trec(measures.SetAP),
    "set_P": _Trec(measures.SetP),
    "infAP": _Trec(measures.infAP),
    "bpref": _Trec(measures.Bpref),
    "num_rel_ret": _Trec(measures.NumRelRet),
    "recip_rank": _Trec(measures.RR),
    "recall": _Trec(measures.R, "cutoff", _CUTOFFS),
    "set_recall": _Trec(measures.SetR),
    "set_relative_P": _Trec(measures.SetRelP),
    "num_ret": _Trec(measures.NumRet),
    "num_rel": _Trec(measures.NumRel),
    "ndcg_cut": _Trec(measures.nDCG, "cutoff", _CUTOFFS),
    "Rprec": _Trec(measures.Rprec),
    "num_q": _Trec(measures.NumQ),
    "map": _Trec(measures.AP),
    "success": _Trec(measures.Success, "cutoff", (1, 5, 10)),
    "set_F": _Trec(measures.SetF, "beta", (1.0,), _root),
    "iprec_at_recall": _Trec(measures.IPrec, "recall", _LEVELS, float),
}
_PARAMETERS = re.compile(r"(?P<name>.+?)[._](?P<values>\d+(\.\d+)?(,\d+(\.\d+)?)*)")


def parse_trec_measure(measure: str) -> list[Measure]:
    """The measures behind a name of trec_eval: one, several cutoffs, or a whole set such as `official`.

    Of a set, what ir_measures has no measure for is left out, with a warning.

    >>> parse_trec_measure("ndcg_cut.5,10")
    [nDCG@5, nDCG@10]
    >>> parse_trec_measure("map")
    [AP]
    """
    from cranfield.measures.trec_eval import ENTRIES, NICKNAMES

    if measure in NICKNAMES:
        names = sorted(NICKNAMES[measure])
        left_out = [name for name in names if name not in _TREC and name != "runid"]
        if left_out:
            warnings.warn(f"{measure}: ir_measures has no {', '.join(left_out)}, left out", stacklevel=2)
        return [found for name in names if name in _TREC for found in _at(_TREC[name], _TREC[name].values)]
    if measure in _TREC:
        return _at(_TREC[measure], _TREC[measure].values)
    match = _PARAMETERS.fullmatch(measure)
    name = match["name"] if match else measure
    if match and name in _TREC:
        row = _TREC[name]
        if not row.parameter:
            raise UnsupportedError(f"{measure}: {name} takes no parameters, found {match['values']}")
        return _at(row, tuple(row.read(value) for value in match["values"].split(",")))
    if name in ENTRIES:
        raise UnsupportedError(
            f"{measure}: ir_measures has no measure for trec_eval's {name}; cranfield.evaluate computes it by that name"
        )
    raise UnsupportedError(f"unknown measure {measure!r} of trec_eval{did_you_mean(name, [*NICKNAMES, *_TREC])}")


def _at(row: _Trec, values: tuple[float, ...]) -> list[Measure]:
    return [row.measure(**{row.parameter: value}) for value in values] if row.parameter else [row.measure]


def convert_trec_name(measure: str) -> list[Measure]:
    """The old name of `parse_trec_measure`."""
    warn_deprecated("convert_trec_name", "parse_trec_measure")
    return parse_trec_measure(measure)
