"""Formulas as plain text, for a terminal or wherever else LaTeX is not typeset."""

from __future__ import annotations

import re

_WORDS = {
    "cdot": "·", "times": "×", "cdots": "...", "dots": "...", "ldots": "...", "ge": "≥", "geq": "≥", "le": "≤",
    "leq": "≤", "ne": "≠", "neq": "≠", "approx": "≈", "in": "∈", "notin": "∉", "cap": "∩", "cup": "\u222a",
    "setminus": "\u2216", "emptyset": "∅", "varnothing": "∅", "infty": "∞", "to": "→", "mid": "|", "prime": "'",
    "ell": "l", "pm": "±", "lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉", "lvert": "|", "rvert": "|",
    "subseteq": "⊆", "quad": "  ", "qquad": "   ", "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ",
    "Delta": "Δ", "epsilon": "ε", "varepsilon": "ε", "theta": "θ", "kappa": "κ", "lambda": "λ", "mu": "μ", "pi": "π",
    "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ", "omega": "ω",
    "left": "", "right": "", "big": "", "Big": "", "bigg": "", "Bigg": "", "bigl": "", "bigr": "", "Bigl": "",
    "Bigr": "", "displaystyle": "", "limits": "",
}  # fmt: skip
_WITH_LIMITS = {"sum": "Σ", "prod": "Π", "int": "∫"}
_JUST_LETTERS = ("mathrm", "mathit", "mathbf", "text", "textrm", "mathcal")
_ACCENTS = {"hat": "^", "bar": "¯", "tilde": "~", "overline": "¯", "widehat": "^"}
_COMMAND = re.compile(r"\\([A-Za-z]+|.)")


def plain(latex: str) -> str:
    r"""A formula as plain text.

    >>> plain(r"\mathrm{AP} = \frac{1}{R} \sum_{i=1}^{n} \mathrm{rel}_i \, P@i")
    'AP = 1/R Σ(i=1..n) rel_i P@i'
    >>> plain(r"g_i = \begin{cases} 1 & \text{if } \mathrm{rel}_i \ge 2 \\ 0 & \text{otherwise} \end{cases}")
    'g_i = { 1 if rel_i ≥ 2; 0 otherwise }'
    """
    text, _ = _sequence(" ".join(latex.split()), 0)
    text = re.sub(r"([_^])\((-?\w+|\*)\)", r"\1\2", text)
    return re.sub(r" +", " ", text).replace("( ", "(").replace(" )", ")").replace(" ;", ";").strip()


def _sequence(text: str, at: int) -> tuple[str, int]:
    """The plain text up to the end or to an unmatched closing brace, and where that is."""
    out = []
    while at < len(text) and text[at] != "}":
        piece, at = _piece(text, at)
        out.append(piece)
    return "".join(out), at


def _argument(text: str, at: int) -> tuple[str, int]:
    """The plain text of a {group}, or of the single character or command, that begins here."""
    while text[at] == " ":
        at += 1
    if text[at] != "{":
        return _piece(text, at)
    inner, end = _sequence(text, at + 1)
    return inner.strip(), end + 1


def _piece(text: str, at: int) -> tuple[str, int]:
    if text[at] == "{":
        inner, end = _argument(text, at)
        return f"({inner})" if at and text[at - 1] in "_^" else inner, end
    if text[at] in "&~":
        return " ", at + 1
    command = _COMMAND.match(text, at)
    if command is None:
        return text[at], at + 1
    name, at = command[1], command.end()
    if name in ("frac", "tfrac", "dfrac", "binom"):
        above, at = _argument(text, at)
        below, at = _argument(text, at)
        return (f"C({above}, {below})" if name == "binom" else f"{_bracketed(above)}/{_bracketed(below)}"), at
    if name in _WITH_LIMITS:
        return _with_limits(_WITH_LIMITS[name], text, at)
    if name == "sqrt":
        inner, at = _argument(text, at)
        return f"√{_bracketed(inner)}", at
    if name in _ACCENTS:
        inner, at = _argument(text, at)
        return inner + _ACCENTS[name], at
    if name in _JUST_LETTERS:
        inner, end = _sequence(text, at + 1)
        return inner, end + 1
    if name in ("begin", "end"):
        environment, at = _argument(text, at)
        braces = {"begin": "{ ", "end": " }"} if environment == "cases" else {}
        return braces.get(name, ""), at
    if name == "\\":
        return "; ", at
    if name in ("{", "}", "%", "_", "#", "&", "|"):
        return name, at
    if not name.isalpha():
        return " ", at
    return _WORDS.get(name, name), at


def _with_limits(sign: str, text: str, at: int) -> tuple[str, int]:
    """A sum or product with what it runs over: Σ(i=1..n)."""
    limits = {"_": "", "^": ""}
    while at < len(text) and text[at] in limits:
        which = text[at]
        limits[which], at = _argument(text, at + 1)
    over = "..".join(filter(None, (limits["_"], limits["^"])))
    return f"{sign}({over})" if over else sign, at


def _bracketed(text: str) -> str:
    return text if re.fullmatch(r"[\w@*^]+|\w+\([^()]*\)|\|\w+\|", text) else f"({text})"
