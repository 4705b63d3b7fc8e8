"""Why two tools give different numbers for one run: their rules tried one by one and together on the same data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from cranfield.data.strings import Floats
from cranfield.errors import DataError, UsageError
from cranfield.evaluation.evaluator import Measures
from cranfield.evaluation.whydiff.tool_differences import (
    MeasureDifferences,
    RulePart,
    ToolDifference,
    TopicPart,
    WhyDiff,
)
from cranfield.evaluation.whydiff.tool_trial import Tool, Trial
from cranfield.measures import Measure
from cranfield.measures.profile_rules import MEAN_PLACES, RULES, Profile
from cranfield.measures.profiles import PROFILES
from cranfield.measures.profiles import profile as find_profile
from cranfield.stats.shapley import shapley

DEFAULT_MEASURE = "nDCG@10"
_ONLY_FOR = {"recall_rounding": ("IPrec", "IPrecAvg"), "unretrieved": ("Compat",), "beta_is_squared": ("SetF",)}
_NOT_IN_NUMBERS = frozenset({"missing_if_complete", "whole_grades", "least_grade", "highest_grade", "places"})
_ALWAYS_TOGETHER = {"missing": ("missing", "lists_missing")}
_NO_MORE_THAN_ARITHMETIC = 1e-13
_DECIDES_WHO_COUNTS = frozenset({"missing", "without_relevant"})


def whydiff(
    qrels: Any,
    run: Any,
    measures: Measures = DEFAULT_MEASURE,
    *,
    profiles: str | Sequence[str | Profile] = tuple(PROFILES),
    topics: int = 3,
    **options: Any,
) -> WhyDiff:
    """Say what number each tool gives for a run, and which rule makes which part of the differences.

    `profiles` names the tools; the others are compared with the first. For each rule in which two differ it says how
    much of the difference is its part, and the `topics` on which it does most. Parts are Shapley values: what a rule
    changes, on average over all orders in which the rules of the one tool could be exchanged for those of the other;
    they add up to the difference. Rounding comes last. `options` are those of `Evaluator`: level, depth, judged_only,
    complete, intents, formats.

    >>> qrels = {"q1": {"d1": 1, "d2": 2}, "q2": {"d3": 1}}
    >>> found = whydiff(qrels, {"q1": {"d1": 0.9, "d2": 0.8}}, "nDCG@10", profiles="cranfield,gdeval")
    >>> found["nDCG@10"].values  # (1 + 2/1.585) / (2 + 1/1.585) / 2, and (1 + 3/1.585) / (3 + 1/1.585)
    {'cranfield': 0.4298..., 'gdeval': 0.79671}
    >>> [part.rule for part in found["nDCG@10"].differences[0].parts]
    ['missing topics', 'gain', 'rounding']
    """
    chosen = _profiles(profiles)
    trial = Trial(qrels, run, measures, ranks=any(one.ties == "rank" for one in chosen), **options)
    found = tuple(_differences(trial, measure, chosen, topics) for measure in trial.measures)
    settings = {"profiles": [one.name for one in chosen], **trial.evaluator.settings}
    return WhyDiff(trial.run.name, settings, found, trial.coverage.sentence())


def _profiles(names: str | Sequence[str | Profile]) -> list[Profile]:
    wanted = [name.strip() for name in names.split(",") if name.strip()] if isinstance(names, str) else list(names)
    chosen = list({profile.name: profile for profile in map(find_profile, wanted)}.values())
    if len(chosen) < 2:
        said = chosen[0].name if chosen else "none"
        raise UsageError(f"at least two profiles are needed to compare, found {said}; there are: {', '.join(PROFILES)}")
    return chosen


def _differences(trial: Trial, measure: Measure, profiles: list[Profile], topics: int) -> MeasureDifferences:
    tools: list[Tool] = []
    without: dict[str, str] = {}
    for profile in profiles:
        try:
            tools.append(trial.tool(profile, measure))
        except (UsageError, DataError) as error:
            without[profile.name] = str(error)
    values = tuple(trial.value(tool) for tool in tools)
    if not tools:
        raise UsageError(f"none of these tools has a number for {measure}: {'; '.join(without.values())}")
    compared = tuple(
        _difference(trial, tools[0], tool, values[at + 1].value - values[0].value, topics)
        for at, tool in enumerate(tools[1:])
    )
    return MeasureDifferences(str(measure), values, without, compared)


class _Choice(NamedTuple):
    """A rule in which two tools differ, as what is to be exchanged."""

    rule: str
    reference: str
    other: str
    fields: tuple[str, ...] = ()
    """The fields of the profile that have it,"""
    parameter: str = ""
    """or the parameter of the measure."""


def _choices(reference: Tool, other: Tool, level: float) -> list[_Choice]:
    choices = []
    for rule in RULES:
        fields = _ALWAYS_TOGETHER.get(rule.field, (rule.field,))
        irrelevant = (
            rule.field in _NOT_IN_NUMBERS
            or reference.measure.name not in _ONLY_FOR.get(rule.field, (reference.measure.name,))
            or (rule.field == "level_for_all" and level <= 1)
        )
        if not irrelevant and any(getattr(reference.rules, f) != getattr(other.rules, f) for f in fields):
            choices.append(_Choice(rule.name, rule.in_words(reference.rules), rule.in_words(other.rules), fields))
    theirs = other.measure.parameters
    for name, value in reference.measure.parameters.items():
        if theirs[name] != value:
            show = reference.measure.definition.parameters[name].kind.show
            here, there = ("none" if one is None else show(one) for one in (value, theirs[name]))
            choices.append(_Choice(name, here, there, parameter=name))
    return choices


def _difference(trial: Trial, reference: Tool, other: Tool, difference: float, topics: int) -> ToolDifference:
    choices = _choices(reference, other, float(trial.evaluator.level))
    spread, moved = _shares(trial, reference, other, choices)
    parts, unused, explained = [], [], 0.0
    by_topic = zip(choices, shapley(spread), shapley(moved), strict=True) if choices else ()
    for choice, by_value, by_presence in by_topic:
        share = by_presence if _DECIDES_WHO_COUNTS.intersection(choice.fields) else by_value
        explained += float(share.sum())
        part = RulePart(choice.rule, choice.reference, choice.other)
        if share.any():
            parts.append(_with_topics(part, share, trial.qrels.queries, topics))
        elif choice.reference != choice.other:
            unused.append(part)
    parts.sort(key=lambda part: -abs(part.part))
    rounds = reference.rules.places is not None or other.rules.places is not None
    if rounds and abs(difference - explained) > _NO_MORE_THAN_ARITHMETIC:
        words = MEAN_PLACES.in_words(reference.rules), MEAN_PLACES.in_words(other.rules)
        parts.append(RulePart(MEAN_PLACES.name, *words, part=difference - explained))
    return ToolDifference(reference.name, other.name, difference, tuple(parts), tuple(unused))


def _with_topics(part: RulePart, share: Floats, queries: tuple[str, ...], most: int) -> RulePart:
    whole = float(share.sum())
    if len(share) != len(queries):  # a geometric mean is not made of parts of topics
        return replace(part, part=whole)
    affected = int(np.count_nonzero(np.abs(share) > 1e-9 * np.abs(share).max()))
    largest = np.argsort(-np.abs(share), kind="stable")[: min(most, affected)]
    named = tuple(TopicPart(queries[at], float(share[at])) for at in largest.tolist())
    return replace(part, part=whole, topics=named, topics_affected=affected)


def _shares(trial: Trial, reference: Tool, other: Tool, choices: list[_Choice]) -> tuple[Floats, Floats]:
    """For each set of rules exchanged, what each topic adds to the mean, in two ways.

    By value, a topic that counts adds its value divided by how many count. By presence, the topics that always count
    add their own mean, and each of the others what it does to that if it counts: so a rule that decides who counts has
    its part where it lets topics in. Both add up to the mean.
    """
    values, counted = [], []
    for exchanged in range(1 << len(choices)):
        chosen = [choice for at, choice in enumerate(choices) if exchanged >> at & 1]
        fields = {field: getattr(other.rules, field) for choice in chosen for field in choice.fields}
        theirs = {c.parameter: other.measure.parameters[c.parameter] for c in chosen if c.parameter}
        rules = reference.rules._replace(**fields)
        values.append(trial.ruled.values(reference.measure(**theirs), rules))
        counted.append(trial.ruled.counted(rules))
    value, counts = np.array(values, dtype=np.float64), np.array(counted)
    if reference.measure.definition.aggregate == "sum":
        return (np.where(counts, value, 0.0),) * 2
    if reference.measure.definition.aggregate != "mean":
        rows = zip(value, counts, strict=True)
        return (np.array([[reference.measure.aggregate(one[counting])] for one, counting in rows]),) * 2
    number = np.maximum(counts.sum(axis=1, keepdims=True), 1)
    by_value = np.where(counts, value, 0.0) / number
    always = counts.all(axis=0)
    if not always.any():
        return by_value, by_value
    core = value[:, always].mean(axis=1, keepdims=True)
    return by_value, np.where(always, value / np.count_nonzero(always), np.where(counts, (value - core) / number, 0.0))
