"""Where a number in a paper may come from: tools, parameters and habits that would give it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from cranfield.data.qrels import Qrels
from cranfield.errors import DataError, UsageError
from cranfield.evaluation.whydiff.number_sources import NumberSearch, Source, together
from cranfield.evaluation.whydiff.tool_trial import Tool, Trial
from cranfield.evaluation.whydiff.whydiff import DEFAULT_MEASURE
from cranfield.measures import Measure, parse_one
from cranfield.measures.parameters import Choice, Flag
from cranfield.measures.profile_rules import TIES, Profile
from cranfield.measures.profiles import PROFILES
from cranfield.measures.profiles import profile as find_profile

CUTOFFS = (1, 3, 5, 10, 15, 20, 30, 50, 100, 200, 500, 1000)
DEPTHS = (10, 20, 50, 100, 200, 500, 1000)
USUAL = {"p": (0.5, 0.8, 0.85, 0.9, 0.95), "beta": (0.5, 1, 2), "gmax": (1, 2, 3, 4), "alpha": (0.5,)}
"""Values that parameters have in papers."""
MOST_CHANGES = 2
_NEAREST = 5
_MUCH = 0.01
"""A tolerance above which many ways give a number by chance."""
_LEVELS = 3
"""How many levels of relevance are tried."""
_WITHOUT_LEVEL = frozenset({"ndeval", "beir"})
"""Tools that cannot be told which grades are relevant."""
_WITH_JUDGED_ONLY = frozenset({"ir_measures"})
"""Of the tools that have but some measures, those that can be told to leave out unjudged documents."""


class Change(NamedTuple):
    """A departure from what was asked: a parameter of the measure, or a rule, and words for it."""

    about: str
    parameters: Mapping[str, Any] = MappingProxyType({})
    rules: Mapping[str, Any] = MappingProxyType({})
    level: float | None = None
    """The least grade that counts as relevant, for a tool whose option for it is about all measures."""
    words: str = ""


class Reading(NamedTuple):
    """What a number as it is printed says."""

    value: float
    tolerance: float
    """How far off it may be: half of its last digit."""
    notes: tuple[str, ...] = ()


def find_number(
    qrels: Any,
    run: Any,
    number: str | float,
    measure: str | Measure = DEFAULT_MEASURE,
    *,
    profiles: str | Sequence[str | Profile] = tuple(PROFILES),
    **options: Any,
) -> NumberSearch:
    """Say which tools and which parameters would give a number that somebody reports for a run.

    `number` is best given as it is printed, such as ".4471" or "44.7%": its last digit says how exact it is. Every
    profile is tried with the measure as named, then with one change of it and then with two: other parameters, cutoffs,
    levels of relevance, grades made binary, depths, judged documents only, another order of tied documents, other
    topics counted. The search ends with the fewest changes that give the number; if none do, it says which came
    nearest. Tools that leave the order of tied documents open, and would give the number in some order, stand apart
    (`possible`). `options` are those of `Evaluator`.

    >>> qrels = {"q1": {"d1": 1, "d2": 2}, "q2": {"d3": 1}}
    >>> found = find_number(qrels, {"q1": {"d1": 0.9, "d2": 0.8}}, ".797", "nDCG@10")
    >>> [(source.profiles, source.measure) for source in found.matches]  # (1 + 3/1.585) / (3 + 1/1.585)
    [(('gdeval',), 'nDCG(gain=exponential)@10')]
    """
    wanted = parse_one(measure)
    value, tolerance, notes = _read(number, wanted)
    names = [name.strip() for name in profiles.split(",")] if isinstance(profiles, str) else profiles
    chosen = [find_profile(name) for name in names]
    trial = Trial(qrels, run, [wanted], ranks=any(one.ties == "rank" for one in chosen), **options)
    tools = list(_tools(trial, wanted, chosen))
    if not tools:
        raise UsageError(f"none of these tools has a number for {wanted}: {', '.join(one.name for one in chosen)}")
    tried: dict[tuple[Any, ...], int] = {}
    everything: list[Source] = []
    matches: list[Source] = []
    for changes in range(MOST_CHANGES + 1):
        found = [source for tool in tools for source in _sources(trial, tool, changes, tried)]
        everything += found
        matches = [source for source in found if abs(source.value - value) <= tolerance]
        if matches:
            break
    ordered = sorted(together(everything), key=lambda source: (abs(source.value - value), source.changes))
    nearest = list({round(source.value, 12): source for source in reversed(ordered)}.values())[: -_NEAREST - 1 : -1]
    return NumberSearch(
        trial.run.name,
        str(wanted),
        str(number),
        value,
        tolerance,
        len(tried),
        together(matches),
        tuple(nearest),
        tuple(_by_some_order(trial, tools, value, tolerance)),
        notes,
    )


def _read(number: str | float, measure: Measure) -> Reading:
    """The number, and how far off it may be. Percentages become shares."""
    text = str(number).strip()
    match = re.fullmatch(r"([+-]?\d*(?:\.(\d*))?)\s*(%?)", text)
    if match is None or not re.search(r"\d", text):
        raise UsageError(f"{text!r} is not a number; expected one as it is printed, such as .4471 or 44.71%")
    value, places = float(match[1]), len(match[2] or "")
    share, notes = measure.bounds[1] <= 1, []
    if share and abs(value) > 100:
        raise UsageError(f"{text!r} is more than 100%, and {measure} is at most 1; expected such as .4471 or 44.71%")
    if match[3] or (share and abs(value) > 1):
        value, places = value / 100, places + 2
        if not match[3]:
            notes.append(f"{text} is read as {text} %, {f'{value:.{places}f}'.replace('0.', '.', 1)}")
    tolerance = 0.5 * 10.0**-places + 1e-12
    if share and tolerance > _MUCH:
        notes.append(f"{text} has so few digits that much comes near it; give more if there are, as in .45 or .4471")
    return Reading(value, tolerance, tuple(notes))


def _tools(trial: Trial, measure: Measure, profiles: Sequence[Profile]) -> Iterator[Tool]:
    for profile in profiles:
        try:
            yield trial.tool(profile, measure)
        except (UsageError, DataError):
            continue


def _by_some_order(trial: Trial, tools: Sequence[Tool], value: float, tolerance: float) -> Iterator[Source]:
    """The tools that leave the order of tied documents open, and would give the number in some of these orders."""
    for tool in tools:
        low, high = trial.tie_range(tool)
        if low is not None and high is not None and low - tolerance <= value <= high + tolerance:
            mean = trial.ruled.mean(tool.measure, tool.rules)
            if abs(mean - value) > tolerance:
                words = f"within the range from {low:.6f} to {high:.6f}, as its sort leaves tied documents"
                yield Source((tool.name,), str(tool.measure), mean, 0, (words,))


def _sources(trial: Trial, tool: Tool, changes: int, tried: dict[tuple[Any, ...], int]) -> Iterator[Source]:
    """What a tool gives with so many changes, where that was not tried with fewer."""
    for chosen in itertools.combinations(_changes(trial, tool), changes):
        if len({change.about for change in chosen}) < changes:
            continue
        parameters = {name: value for change in chosen for name, value in change.parameters.items()}
        rules = tool.rules._replace(**{name: value for change in chosen for name, value in change.rules.items()})
        measure = tool.measure(**parameters)
        level = next((change.level for change in chosen if change.level is not None), None)
        key = (measure, level, *(getattr(rules, name) for name in _DECIDING))
        if tried.setdefault(key, changes) < changes:
            continue
        words = tuple(change.words for change in chosen if change.words)
        ruled = trial.ruled if level is None else trial.ruled.at_level(level)
        yield Source((tool.name,), str(measure), ruled.mean(measure, rules), changes, words)


_DECIDING = tuple(name for name in Profile._fields if name not in ("name", "tool", "offers", "lacks", "places"))


def _changes(trial: Trial, tool: Tool) -> Iterator[Change]:
    """Every single departure that makes sense for this tool and these data."""
    yield from _of_parameters(tool, trial.qrels)
    longest = int(trial.ruled.reranking.rankings.retrieved.max(initial=0))
    given = tool.measure.parameters
    yield from _of_levels(tool, trial.qrels)
    if not given.get("judged_only", True) and (tool.name in _WITH_JUDGED_ONLY or not tool.rules.no_others):
        yield Change("judged_only", {"judged_only": True})
    cutoff = given.get("cutoff") or longest
    for depth in DEPTHS:
        if depth < min(longest, cutoff):
            yield Change("depth", rules={"depth": depth}, words=f"-M {depth}")
    if trial.coverage.missing:
        yield from _of_rule("missing", {"skip": "missing topics left out", "zero": "missing topics score 0"}, tool)
    if trial.coverage.without_relevant:
        words = {"skip": "topics without relevant documents left out"}
        yield from _of_rule("without_relevant", words, tool)
    if trial.coverage.tied_documents:
        orders = {one: f"ties {TIES.words[one]}" for one in ("document-down", "document-up", "given")}
        yield from _of_rule(TIES.field, orders, tool)


def _of_levels(tool: Tool, qrels: Qrels) -> Iterator[Change]:
    """Other grades as the least relevant one, and grades made binary at each that occurs."""
    grades = np.unique(qrels.grade[qrels.grade > 0]).tolist()
    by_measure = "rel" in tool.measure.parameters and tool.measure.looks_at("rel")
    for grade in [grade for grade in grades if grade > 1][:_LEVELS]:
        if by_measure and tool.name not in _WITHOUT_LEVEL:
            yield Change("rel", {"rel": grade})
        elif not by_measure and tool.rules.level_for_all:
            yield Change("rel", level=grade, words=f"-l {grade:g}")
    if "gains" in tool.measure.parameters and tool.measure.looks_at("gains") and not tool.rules.no_others:
        for least in grades[:_LEVELS] if len(grades) > 1 else ():
            yield Change("gain", {"gains": tuple((grade, float(grade >= least)) for grade in grades)})


def _of_rule(field: str, words: dict[str, str], tool: Tool) -> Iterator[Change]:
    for value, said in words.items():
        if getattr(tool.rules, field) != value:
            yield Change(field, rules={field: value}, words=said)


def _of_parameters(tool: Tool, qrels: Qrels) -> Iterator[Change]:
    """Other values of parameters; of tools that have their own only the cutoff can be chosen."""
    own_only = tool.rules.no_others
    highest = float(qrels.grade.max(initial=1.0))
    offer = tool.rules.offer(tool.measure)
    always_cut = tool.measure.definition.at_needed or "cutoff" in (*offer.needs, *offer.parameters)
    for name, parameter in tool.measure.definition.parameters.items():
        now = tool.measure.parameters[name]
        values: tuple[Any, ...] = ()
        if name == "cutoff":
            values = CUTOFFS if always_cut else (*CUTOFFS, None)
        elif own_only or name in ("judged_only", "value"):
            continue
        elif isinstance(parameter.kind, Choice):
            values = parameter.kind.words
        elif isinstance(parameter.kind, Flag):
            values = (True, False)
        else:
            values = tuple(one for one in USUAL.get(name, ()) if name != "gmax" or one >= highest)
        for value in values:
            if value != now and tool.measure(**{name: value}).looks_at(name):
                yield Change(name, {name: value})
