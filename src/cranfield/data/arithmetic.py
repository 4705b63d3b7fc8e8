"""Small formulas that can be evaluated, and written with numbers in place of names.

    expression = number | name | ( expression ) | - expression | function ( expression, ... )
               | expression ( + | - | * | / | ** ) expression
    function   = min | max | ln | log2 | exp | sqrt

A division by 0 gives 0, as everywhere in the definitions of measures.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping
from functools import cache

FUNCTIONS: dict[str, Callable[..., float]] = {
    "min": min,
    "max": max,
    "ln": math.log,
    "log2": math.log2,
    "exp": math.exp,
    "sqrt": math.sqrt,
}
_SIGNS: dict[type[ast.operator], tuple[str, int]] = {
    ast.Add: (" + ", 1),
    ast.Sub: (" - ", 1),
    ast.Mult: (" · ", 2),
    ast.Div: (" / ", 2),
    ast.Pow: ("^", 4),
}
"""How an operator is written, and how strongly it binds."""
_NEGATIVE, _WHOLE = 3, 9
"""How strongly a minus sign binds, and what needs no parentheses at all."""


def value_of(formula: str, values: Mapping[str, float]) -> float:
    """The value of a formula, given those of its names; nan where it has none, such as the logarithm of 0.

    >>> value_of("(1 - p) * sum", {"p": 0.8, "sum": 2.0})
    0.3999999999999999
    >>> value_of("found / R", {"found": 0, "R": 0})
    0.0
    """
    try:
        return _value(_parsed(formula), values)
    except (ValueError, OverflowError):
        return math.nan


def names_in(formula: str) -> frozenset[str]:
    """The names in a formula, but for those of functions.

    >>> sorted(names_in("max(sum / R, 0)"))
    ['R', 'sum']
    """
    return frozenset(node.id for node in ast.walk(_parsed(formula)) if isinstance(node, ast.Name)) - FUNCTIONS.keys()


def divides_by_zero(formula: str, values: Mapping[str, float]) -> bool:
    """Whether something is divided by 0, which gives 0.

    >>> divides_by_zero("found / R", {"found": 0, "R": 0}), divides_by_zero("found / R", {"found": 0, "R": 1})
    (True, False)
    """
    divisions = (node for node in ast.walk(_parsed(formula)) if isinstance(node, ast.BinOp))
    try:
        return any(isinstance(node.op, ast.Div) and not _value(node.right, values) for node in divisions)
    except (ValueError, OverflowError):
        return False


def written(formula: str, numbers: Mapping[str, str] | None = None) -> str:
    """A formula as people write it, with numbers in place of the names for which there are some.

    >>> written("(1 - p) * sum / n ** 2")
    '(1 - p) · sum / n^2'
    >>> written("a - b * c", {"b": "-0.5", "c": "4"})
    'a - (-0.5) · 4'
    """
    return _text(_parsed(formula), numbers or {})[0]


@cache
def _parsed(formula: str) -> ast.expr:
    return ast.parse(formula, mode="eval").body


def _value(node: ast.expr, values: Mapping[str, float]) -> float:
    match node:
        case ast.Constant(value=int() | float() as number):
            return float(number)
        case ast.Name(id=name):
            return float(values[name])
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, values)
        case ast.Call(func=ast.Name(id=name), args=arguments) if name in FUNCTIONS:
            return FUNCTIONS[name](*(_value(one, values) for one in arguments))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _SIGNS:
            return _combined(op, _value(left, values), _value(right, values))
    raise AssertionError(f"no part of a formula: {ast.unparse(node)}")


def _combined(op: ast.operator, left: float, right: float) -> float:
    match op:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
        case ast.Div():
            return left / right if right else 0.0
    return float(left**right)


def _text(node: ast.expr, numbers: Mapping[str, str]) -> tuple[str, int]:
    """How a part is written, and how strongly it binds."""
    match node:
        case ast.Name(id=name):
            shown = numbers.get(name, name)
            return shown, 0 if shown.startswith("-") else _WHOLE
        case ast.UnaryOp(operand=operand):
            return f"-{_bound(operand, _NEGATIVE, numbers)}", _NEGATIVE
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return f"{name}({', '.join(_text(one, numbers)[0] for one in arguments)})", _WHOLE
        case ast.BinOp(left=left, op=op, right=right):
            sign, strength = _SIGNS[type(op)]
            # What stands behind - or / needs parentheses even where it binds as strongly; with powers it is the base.
            before, behind = (strength + 1, strength) if isinstance(op, ast.Pow) else (strength, strength + 1)
            return f"{_bound(left, before, numbers)}{sign}{_bound(right, behind, numbers)}", strength
    return ast.unparse(node), _WHOLE


def _bound(node: ast.expr, least: int, numbers: Mapping[str, str]) -> str:
    """A part as it stands beside an operator: in parentheses where it binds less strongly."""
    text, strength = _text(node, numbers)
    return text if strength >= least else f"({text})"
