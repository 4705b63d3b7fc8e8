"""Names of measures, in every spelling in use, to measures.

    nDCG@10   P(rel=2)@10   RBP(p=0.95)          ours, and ir_measures'
    ndcg_cut_10   ndcg_cut.5,10   map   recip_rank   official   all_trec    trec_eval's
    ndcg@10   map@100-l2   rbp.95   hit_rate@5   f1@10                      ranx's

One name may stand for several measures: `P@5,10,20` and `P@1..10` (every rank from 1 to 10). Letters may be upper or
lower case. `str(measure)` is the one canonical spelling.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from cranfield.errors import ParameterError, UnknownMeasureError
from cranfield.measures import trec_eval
from cranfield.measures.parameters import ALL_VALUES, VALUES, Whole
from cranfield.measures.registry import REGISTRY, Measure

_OURS = (
    r"(?P<name>[A-Za-z0-9_+\-#α]+?) \s* (?:\((?P<parameters>[^()]*)\))? \s* "
    r"(?:@\s*(?P<at>[^\s@()-]+(?:,\s*[^\s@()-]+)*))? (?:-l(?P<level>\d+))?"
)

_PRESETS = {
    "ndcg_burges": Measure("nDCG", (("gain", "exponential"),)),
    "dcg_burges": Measure("DCG", (("gain", "exponential"),)),
    "trap": Measure("AP", (("denominator", "found"),)),
}
"""Names elsewhere that stand for a measure with parameters."""

_RENAMED_VALUES = {("dcg", "log2"): ("gain", "linear"), ("dcg", "exp-log2"): ("gain", "exponential")}
"""ir_measures' parameters that have another name here."""

_MOST_IN_A_RANGE = 10_000


def parse(text: str | Measure) -> list[Measure]:
    """The measures a name stands for: one, or several for a family or a set.

    >>> parse("ndcg_cut.5,10")
    [nDCG@5, nDCG@10]
    >>> parse("map@100-l2")
    [AP(rel=2)@100]
    >>> parse("P@1..3,10")
    [P@1, P@2, P@3, P@10]
    >>> parse("INST(T=2,value=all)")[:3]
    [INST(T=2), INST(T=2,value=ETU), INST(T=2,value=EC)]
    """
    if isinstance(text, Measure):
        return _each_value(_complete(text))
    if not isinstance(text, str):
        raise ParameterError(f"a measure is a name such as 'nDCG@10', or a value such as nDCG @ 10; found {text!r:.40}")
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


def named(name: str) -> Measure | None:
    """The measure of this name, without parameters, in any spelling and case; None if there is none.

    >>> named("MAP"), named("ndcg_burges"), named("xyzzy")
    (AP, nDCG(gain=exponential), None)
    """
    if name.lower() in _PRESETS:
        return _PRESETS[name.lower()]
    registered = _registered(name)
    return Measure(registered) if registered else None


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
    match = re.fullmatch(_OURS, text, re.VERBOSE)
    if match is None:
        _explain_shape(text)
        raise UnknownMeasureError(text, known_names())
    measure = _look_up(match["name"], text)
    if match["parameters"]:
        measure = measure(**_read_parameters(measure, match["parameters"], text))
    if match["level"]:
        measure = measure(rel=float(match["level"]))
    if match["at"] is not None:
        found = [measure @ at for at in _values_at(measure, match["at"], text)]
    elif measure.definition.at_needed and measure.definition.defaults_at:
        found = [measure @ at for at in measure.definition.defaults_at]
    else:
        found = [_complete(measure)]
    return list(dict.fromkeys(one for measure in found for one in _each_value(measure)))


def _each_value(measure: Measure) -> list[Measure]:
    """The measures that a user model with `value=all` stands for; any other stands for itself."""
    if measure.parameters.get("value") != ALL_VALUES:
        return [measure]
    measure.check_parameters()
    return [measure(value=value) for value in VALUES]


def _values_at(measure: Measure, at: str, text: str) -> Iterator[str | int]:
    """The values behind an `@`: `10`, `5,10,20`, `1..10`."""
    parts = [part.strip() for part in at.split(",")]
    if len(parts) > 1 and not all(part[:1].isdigit() or part[:1] == "." for part in parts):
        _explain_shape(text)
    if "" in parts:
        raise ParameterError(f"{text}: a value is missing beside a comma, as in {measure.name}@5,10")
    if any(re.fullmatch(r"0\d\d", part) for part in parts[1:]):
        raise ParameterError(f"{text}: commas stand between values; write {measure.name}@{''.join(parts)}")
    for part in parts:
        if ".." in part:
            yield from _range(measure, part, text)
        else:
            yield part


def _range(measure: Measure, part: str, text: str) -> Iterable[int]:
    """The whole numbers that `1..10` stands for."""
    at = measure.definition.at
    if at is not None and not isinstance(measure.definition.parameters[at].kind, Whole):
        raise ParameterError(
            f"{text}: {at} is not a whole number, so a range means nothing; "
            f"name the values, as in {measure.name}@0,0.5,1"
        )
    bounds = re.fullmatch(r"([0-9]{1,18})\.\.([0-9]{1,18})", part)
    if bounds is None:
        raise ParameterError(f"{text}: a range is two whole numbers, as in {measure.name}@1..10; found {part!r}")
    begin, end = int(bounds[1]), int(bounds[2])
    if begin > end:
        raise ParameterError(f"{text}: a range runs upwards; write {end}..{begin}")
    if end - begin >= _MOST_IN_A_RANGE:
        raise ParameterError(f"{text}: a range has at most {_MOST_IN_A_RANGE} values; this one has {end - begin + 1}")
    return range(begin, end + 1)


def _explain_shape(text: str) -> None:
    """Say what is wrong with a text that is nearly a measure, if it is."""
    whole, at, rest = text.partition("@")
    measure = named(re.sub(r"\(.*\)", "", whole).strip()) if at else None
    if measure is not None and (measure.definition.at is None or re.fullmatch(r"\s*-\S*", rest)):
        _ = measure @ rest.strip()  # which says what it takes instead
    if measure is not None and not rest.strip():
        raise ParameterError(f"{text}: behind @ a value is missing, as in {whole}@{_example(measure)}")
    if measure is not None and "@" in rest:
        values = rest.strip("@ ").replace("@", ",")
        raise ParameterError(f"{text}: one @ is enough; several values have commas between them, {whole}@{values}")
    backwards = re.fullmatch(r"(\w+)@([^()\s]+)(\([^()]*\))", text)
    if backwards:
        raise ParameterError(f"{text}: the cutoff comes last: write {backwards[1]}{backwards[3]}@{backwards[2]}")
    if text.count("(") != text.count(")"):
        raise ParameterError(f"{text}: a parenthesis is missing, as in nDCG(gain=exponential)@10")
    dashed = re.fullmatch(r"(.+@\s*\d+)\s*-\s*(\d+)", text)
    if dashed:
        raise ParameterError(f"{text}: a range is written with two dots: {dashed[1]}..{dashed[2]}")
    parts = [part for part in re.split(r"[\s,]+", text) if re.search(r"[^\d.]", part)]
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
    name = _registered(re.split(r"[(@]", text)[0])
    parameters = list(REGISTRY[name].parameters) if name else []
    return f"; as in {name}({parameters[0]}=...)" if parameters else ""


def _example(measure: Measure) -> str:
    at = measure.definition.defaults_at
    return f"{at[len(at) // 2]:g}" if at else "10"


def _look_up(name: str, text: str) -> Measure:
    measure = named(name)
    if measure is not None:
        return measure
    with_cutoff = re.fullmatch(r"(.+?)(_?)(\d+)", name)
    measure = named(with_cutoff[1]) if with_cutoff else None
    if with_cutoff is None or measure is None or name != text:
        raise UnknownMeasureError(text, known_names())
    if with_cutoff[2]:  # mrr_10, as in ndcg_cut_10
        return measure @ with_cutoff[3]
    at = [f"{measure.name}@{with_cutoff[3]}"] if measure.definition.at else known_names()
    raise UnknownMeasureError(text, at)


def _read_parameters(measure: Measure, text: str, whole: str) -> dict[str, Any]:
    known = {name.lower(): name for name in measure.definition.parameters}
    values: dict[str, Any] = {}
    for part in text.split(","):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not name or not value:
            raise ParameterError(
                f"{whole}: expected parameters as name=value, found {part.strip()!r}{_example_for(whole)}"
            )
        name, value = _RENAMED_VALUES.get((name, value.strip("'\"")), (name, value))
        name = known.get(name.lower(), name)
        if name in values:
            raise ParameterError(f"{whole}: {name} is given twice")
        values[name] = value
    return values if "max_rel" in known else _without_range(values, whole)


def _without_range(values: dict[str, Any], whole: str) -> dict[str, Any]:
    """ir_measures' range of grades as it is written here: `max_rel=3` is `gain=linear,gmax=3`."""
    if values.pop("min_rel", "0") not in ("0", "0.0"):
        raise ParameterError(
            f"{whole}: grades begin at 0 here, so min_rel is 0; gains=1:0;2:1 says what single grades are worth"
        )
    if "max_rel" in values:
        values = {"gain": "linear"} | values | {"gmax": values["max_rel"]}
        del values["max_rel"]
    return values


def _registered(name: str) -> str | None:
    """The name in the registry of what is called so, in upper or lower case; aliases are looked at last."""
    folded = name.lower()
    return _names().get(folded) or _aliases().get(folded)


@cache
def _names() -> dict[str, str]:
    return {name.lower(): name for name in REGISTRY}


@cache
def _aliases() -> dict[str, str]:
    """Which takes loading every measure."""
    return {alias.lower(): definition.name for definition in REGISTRY.values() for alias in definition.aliases}


def known_names() -> list[str]:
    """Every name there is, for suggestions."""
    return [*_PRESETS, *trec_eval.NICKNAMES, *trec_eval.ENTRIES, *REGISTRY]
