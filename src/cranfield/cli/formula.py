"""Formulas as plain text, for a terminal."""

from __future__ import annotations

import re

_WORDS = {
    "sum": "Σ", "cdot": "·", "ge": "≥", "le": "≤", "in": "∈", "varepsilon": "ε", "beta": "β", "rho": "ρ", "alpha": "α",
    "left": "", "right": "", "Big": "", "qquad": "   ", "quad": "  ", "infty": "∞", "ne": "≠",
}  # fmt: skip
_MATH = re.compile(r"\.\. math:: (?P<formula>.*(?:\n[ \t]+\S.*)*)")


def with_plain_formulas(text: str) -> str:
    """A docstring with its formulas as plain text."""
    return _MATH.sub(lambda match: "    " + plain(match["formula"]), text)


def plain(latex: str) -> str:
    r"""A formula as plain text.

    >>> plain(r"\mathrm{AP} = \frac{1}{R} \sum_{i=1}^{n} \mathrm{rel}_i \, P@i")
    'AP = 1/R Σ(i=1..n) rel_i P@i'
    """
    text, _ = _sequence(" ".join(latex.split()), 0)
    text = re.sub(r"_\(([^()]*)\)\^\(?([^()\s]*)\)?", r"(\1..\2)", text)
    text = re.sub(r"Σ_\(([^()]*(?:\([^()]*\)[^()]*)*)\)", r"Σ(\1)", text)
    text = re.sub(r"_\((\w)\)", r"_\1", text)
    text = re.sub(r"\^\((-?\w+)\)", r"^\1", text)
    text = re.sub(r"Σ_(\w)\b", r"Σ(\1)", text)
    return re.sub(r" +", " ", text).replace("( ", "(").replace(" )", ")").strip()


def _sequence(text: str, at: int) -> tuple[str, int]:
    """The plain text up to the end or to an unmatched closing brace, and where that is."""
    out = []
    while at < len(text) and text[at] != "}":
        piece, at = _piece(text, at)
        out.append(piece)
    return "".join(out), at


def _group(text: str, at: int) -> tuple[str, int]:
    """The plain text of a {group} that begins here."""
    inner, end = _sequence(text, at + 1)
    return inner.strip(), end + 1


def _piece(text: str, at: int) -> tuple[str, int]:
    if text[at] == "{":
        inner, end = _group(text, at)
        return f"({inner})" if at and text[at - 1] in "_^" else inner, end
    command = re.compile(r"\\([A-Za-z]+|.)").match(text, at)
    if command is None:
        return text[at], at + 1
    name, at = command[1], command.end()
    if name == "frac":
        above, at = _group(text, at)
        below, at = _group(text, at)
        return f"{_bracketed(above)}/{_bracketed(below)}", at
    if name == "mathrm":
        return _group(text, at)
    if name in ("{", "}"):
        return name, at
    if not name.isalpha():
        return " ", at
    return _WORDS.get(name, name), at


def _bracketed(text: str) -> str:
    return text if re.fullmatch(r"[\w@*^]+|\w+\([^()]*\)|\|\w+\|", text) else f"({text})"
