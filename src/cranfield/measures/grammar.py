"""Names of measures, in every spelling in use, to measures.

    nDCG@10   P(rel=2)@10   RBP(p=0.95)          ours, and ir_measures'
    ndcg_cut_10   ndcg_cut.5,10   map   recip_rank   official   all_trec    trec_eval's
    ndcg@10   map@100-l2   rbp.95   hit_rate@5                              ranx's

Letters may be upper or lower case. `str(measure)` is the one canonical spelling.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from cranfield.errors import ParameterError, UnknownMeasureError
from cranfield.measures import trec_eval
from cranfield.measures.registry import REGISTRY, Measure

_OURS = re.compile(
    r"(?P<name>[A-Za-z0-9_+-]+?) \s* (?:\((?P<parameters>[^()]*)\))? \s* "
    r"(?:@\s*(?P<at>[^\s@(),-]+))? (?:-l(?P<level>\d+))?",
    re.VERBOSE,
)

_PRESETS = {
    "ndcg_burges": Measure("nDCG", (("gain", "exponential"),)),
    "dcg_burges": Measure("DCG", (("gain", "exponential"),)),
}
"""Names elsewhere that stand for a measure with parameters."""

_RENAMED_VALUES = {("dcg", "log2"): ("gain", "linear"), ("dcg", "exp-log2"): ("gain", "exponential")}
"""ir_measures' parameters that have another name here."""


def parse(text: str | Measure) -> list[Measure]:
    """The measures a name stands for: one, or several for a family or a set.

    >>> parse("ndcg_cut.5,10")
    [nDCG@5, nDCG@10]
    >>> parse("map@100-l2")
    [AP(rel=2)@100]
    """
    if isinstance(text, Measure):
        return [_complete(text)]
    text = text.strip()
    found = trec_eval.columns(text)
    if found is None:
        try:
            return _parse_ours(text)
        except UnknownMeasureError:
            found = trec_eval.columns(text, any_case=True)
            if found is None:
                raise
    return [column.measure for column in found if column.measure is not None]


def parse_all(texts: Iterable[str | Measure]) -> list[Measure]:
    """The measures several names stand for, each once."""
    return list(dict.fromkeys(measure for text in texts for measure in parse(text)))


def parse_one(text: str | Measure) -> Measure:
    """The one measure a name stands for."""
    found = parse(text)
    if not found:
        raise ParameterError(f"{text} is not a measure")
    if len(found) != 1:
        raise ParameterError(f"{text} stands for {len(found)} measures; name one, such as {found[0]}")
    return found[0]


def _parse_ours(text: str) -> list[Measure]:
    match = _OURS.fullmatch(text)
    if match is None:
        _explain_shape(text)
        raise UnknownMeasureError(text, known_names())
    measure = _look_up(match["name"], text)
    if match["parameters"]:
        measure = measure(**_read_parameters(match["parameters"], text))
    if match["level"]:
        measure = measure(rel=float(match["level"]))
    if match["at"] is not None:
        return [measure @ match["at"]]
    if measure.definition.at_needed and measure.definition.defaults_at:
        return [measure @ at for at in measure.definition.defaults_at]
    return [_complete(measure)]


def _explain_shape(text: str) -> None:
    """Say what is wrong with a text that is nearly a measure, if it is."""
    backwards = re.fullmatch(r"(\w+)@([^()\s]+)(\([^()]*\))", text)
    if backwards:
        raise ParameterError(f"{text}: the cutoff comes last: write {backwards[1]}{backwards[3]}@{backwards[2]}")
    if text.count("(") != text.count(")"):
        raise ParameterError(f"{text}: a parenthesis is missing, as in nDCG(gain=exponential)@10")
    parts = [part for part in re.split(r"[\s,]+", text) if part]
    if len(parts) > 1 and all(_is_measure(part) for part in parts):
        raise ParameterError(f"{text}: these are several measures; name them one by one, on the command line -m each")


def _is_measure(text: str) -> bool:
    try:
        return bool(parse(text))
    except (ParameterError, UnknownMeasureError):
        return False


def _complete(measure: Measure) -> Measure:
    definition = measure.definition
    if definition.at_needed and definition.at not in dict(measure.given):
        raise ParameterError(f"{measure.name} needs a {definition.at}, as in {measure.name}@{_example(measure)}")
    return measure


def _example_for(text: str) -> str:
    """How to write the parameters of the measure that a text begins with."""
    name = _names().get(re.split(r"[(@]", text)[0].lower())
    parameters = list(REGISTRY[name].parameters) if name else []
    return f"; as in {name}({parameters[0]}=...)" if parameters else ""


def _example(measure: Measure) -> str:
    at = measure.definition.defaults_at
    return f"{at[len(at) // 2]:g}" if at else "10"


def _look_up(name: str, text: str) -> Measure:
    folded = name.lower()
    if folded in _PRESETS:
        return _PRESETS[folded]
    if folded in _names():
        return Measure(_names()[folded])
    with_cutoff = re.fullmatch(r"(.+)_(\d+)", folded)  # mrr_10, as in ndcg_cut_10
    if with_cutoff and with_cutoff[1] in _names() and name == text:
        return Measure(_names()[with_cutoff[1]]) @ with_cutoff[2]
    raise UnknownMeasureError(text, known_names())


def _read_parameters(text: str, whole: str) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for part in text.split(","):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not name or not value:
            raise ParameterError(
                f"{whole}: expected parameters as name=value, found {part.strip()!r}{_example_for(whole)}"
            )
        name, value = _RENAMED_VALUES.get((name, value.strip("'\"")), (name, value))
        values[name] = value
    return values


@cache
def _names() -> dict[str, str]:
    """Registry names and aliases in lower case, to registry names."""
    names = {alias.lower(): d.name for d in REGISTRY.values() for alias in d.aliases}
    return names | {name.lower(): name for name in REGISTRY}


def known_names() -> list[str]:
    """Every name there is, for suggestions."""
    return [*_PRESETS, *trec_eval.NICKNAMES, *trec_eval.ENTRIES, *REGISTRY]
