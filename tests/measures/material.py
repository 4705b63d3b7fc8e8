"""Small rankings to put to every measure: all there are of a few documents, for each way of judging them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from cranfield.data.preference_counts import count_preferences
from cranfield.data.preferences import Preferences
from cranfield.data.qrels import Qrels
from cranfield.data.rankings import Rankings
from cranfield.data.run import Run
from cranfield.data.strings import Strings
from cranfield.data.subtopics import SubtopicRankings, Subtopics
from cranfield.measures import REGISTRY, Measure
from cranfield.measures.judgment_groups import GroupedRankings
from cranfield.measures.parameters import ALL_VALUES, Choice, Flag, Number, Whole
from cranfield.measures.registry import Parameter

Judged = list[tuple[str, str, Any]]
"""Query, document, and how it is judged."""


class Case(NamedTuple):
    """A ranking: what stands at each rank, and the judged documents that are not retrieved. None is unjudged."""

    ranks: tuple[Any, ...]
    missed: tuple[Any, ...] = ()

    @property
    def is_judged(self) -> bool:
        return any(document is not None for document in (*self.ranks, *self.missed))


class Material(NamedTuple):
    """A way of judging documents: of which documents rankings are made, and what a measure gets."""

    documents: tuple[Any, ...]
    missed: tuple[tuple[Any, ...], ...]
    longest: int
    join: Callable[[Judged, Run], Any]
    worth: Callable[[Any], tuple[float, ...]]
    """How good a document is; one is better than another if it is so in one respect and no worse in any."""
    names_decide_ties: bool = False
    """Whether the ideal ranking, of which some measures are a share, takes equally good documents in order of name."""

    def is_better(self, one: Any, other: Any) -> bool:
        ours, theirs = self.worth(one), self.worth(other)
        return ours != theirs and all(a >= b for a, b in zip(ours, theirs, strict=True))


def _grades(judged: Judged, run: Run) -> Rankings:
    return Rankings.join(Qrels.from_tuples(judged), run)


def _sampled(judged: Judged) -> Qrels:
    """Grades of a sample: of each stratum some were judged, with chances that differ."""
    query, document, grade = (list(column) for column in zip(*judged, strict=True))
    return Qrels(
        Strings.from_list([name.encode() for name in query]),
        Strings.from_list([name.encode() for name in document]),
        np.array(grade, dtype=np.float64),
        stratum=Strings.from_list([b"b" if g in (-1, 1) else b"a" for g in grade]),
        probability=np.array([0.5 if g == 1 else 1.0 for g in grade]),
    )


def _sample(judged: Judged, run: Run) -> Rankings:
    return Rankings.join(_sampled(judged), run)


def _by_subtopic(judged: Judged) -> Qrels:
    rows = [(query, subtopic, document, grade) for query, document, by in judged for subtopic, grade in by.items()]
    return Qrels.from_tuples(rows)


def _subtopics(judged: Judged, run: Run) -> SubtopicRankings:
    subtopics = Subtopics(_by_subtopic(judged))
    return SubtopicRankings(Rankings.join(subtopics.qrels, run), subtopics)


def _two_assessors(judged: Judged) -> Qrels:
    """Two assessors who agree about what is better, the second without seeing degrees."""
    degrees = [(query, "ann", document, grade) for query, document, grade in judged]
    return Qrels.from_tuples(degrees + [(query, "bob", document, min(grade, 1)) for query, document, grade in judged])


def _groups(judged: Judged, run: Run) -> GroupedRankings:
    qrels = _two_assessors(judged)
    queries = np.arange(len(qrels.query_ids))
    each = (Rankings.join(qrels.of_iteration(assessor), run) for assessor in qrels.iteration_ids)
    return GroupedRankings(len(queries), tuple((queries, rankings) for rankings in each))


def _preferences(judged: Judged, run: Run) -> Any:
    return count_preferences(Preferences.from_qrels(_two_assessors(judged)), run)


def _worth_of_grade(grade: float | None) -> tuple[float, ...]:
    return (max(grade or 0, 0),)


def _worth_of_subtopics(grades: Mapping[str, float] | None) -> tuple[float, ...]:
    return tuple((grades or {}).get(subtopic, -1) for subtopic in "abc")


MATERIALS = {
    "grades": Material((None, -1, 0, 1, 2), ((), (1,), (0, 2), (-1,)), 4, _grades, _worth_of_grade),
    "binary": Material((None, 0, 1), ((), (1,), (0, 1)), 5, _grades, _worth_of_grade),
    "sample": Material((None, -1, 0, 1, 2), ((), (1,), (0, 2), (-1,)), 4, _sample, _worth_of_grade),
    "subtopics": Material(
        (None, {"a": 0}, {"a": 1}, {"b": 2}, {"a": 1, "b": 1}),
        ((), ({"a": 1},), ({"b": 1, "c": 1},)),
        4,
        _subtopics,
        _worth_of_subtopics,
        names_decide_ties=True,
    ),
    "groups": Material((None, 0, 1, 2), ((), (1,), (0, 2)), 4, _groups, _worth_of_grade),
    "preferences": Material((None, 0, 1, 2), ((), (1,), (0, 2)), 3, _preferences, _worth_of_grade),
}
FITTING = {"qrels": ("grades", "binary", "sample"), "anything": ("grades",)}
"""The materials that may fit what a measure needs, where they do not have the same name."""


@cache
def all_cases(material: str) -> list[Case]:
    """Every ranking of the documents of a material, up to its length, with each choice of missed documents."""
    of = MATERIALS[material]
    rankings = (ranks for length in range(of.longest + 1) for ranks in product(of.documents, repeat=length))
    return [case for case in (Case(*both) for both in product(rankings, of.missed)) if case.is_judged]


@cache
def all_data(material: str) -> Any:
    """What a measure gets to compute all cases at once."""
    return build(material, all_cases(material))


def build(
    material: str,
    cases: Sequence[Case],
    *,
    query: Callable[[int], str] = "q{:05}".format,
    document: Callable[[int], str] = "d{:02}".format,
) -> Any:
    """What a measure gets to compute these cases, a query each; the functions name the queries and documents."""
    judged: Judged = []
    returned = []
    for number, (ranks, missed) in enumerate(cases):
        returned += [(query(number), document(rank), -rank) for rank in range(len(ranks))]
        every = enumerate((*ranks, *missed))
        judged += [(query(number), document(place), one) for place, one in every if one is not None]
    return MATERIALS[material].join(judged, Run.from_tuples(returned))


_GIVEN: dict[str, tuple[Callable[[Judged], Qrels], dict[str, Any]]] = {
    "sample": (_sampled, {}),
    "subtopics": (_by_subtopic, {}),
    "groups": (_two_assessors, {"relevance": "qrels_jg"}),
    "preferences": (_two_assessors, {"relevance": "qrels_prefs"}),
}


def given(material: str, case: Case) -> tuple[Qrels, Run, dict[str, Any]]:
    """A case as `evaluate` and `explain` take it: judgments and a run for the query q, and options."""
    names = [f"d{place:02}" for place in range(len(case.ranks) + len(case.missed))]
    judged = [("q", name, one) for name, one in zip(names, (*case.ranks, *case.missed), strict=True) if one is not None]
    run = Run.from_tuples([("q", name, -rank) for rank, name in enumerate(names[: len(case.ranks)])])
    judgments, options = _GIVEN.get(material, (Qrels.from_tuples, {}))
    return judgments(judged), run, options


@cache
def best_first(material: str) -> list[Case]:
    """Rankings of all judged documents, none above a better one, that begin with a relevant one.

    Some are longer than the first usual cutoff.
    """
    of = MATERIALS[material]
    gain = [[sum(max(worth, 0) for worth in of.worth(one)) for one in case.ranks] for case in all_cases(material)]
    short = [
        case
        for case, gains in zip(all_cases(material), gain, strict=True)
        if not case.missed and None not in case.ranks and -1 not in case.ranks
        if gains[0] > 0 and gains == sorted(gains, reverse=True)
    ]
    return short + [Case(case.ranks * 7) for case in short if len(case.ranks) == 1]


@cache
def improving_swaps(material: str) -> tuple[Any, Any]:
    """The places, among all cases, of rankings before and after a better document moves up by one rank."""
    cases = all_cases(material)
    place = {repr(case): at for at, case in enumerate(cases)}
    pairs = [
        (at, place[repr(Case((*ranks[:i], ranks[i + 1], ranks[i], *ranks[i + 2 :]), missed))])
        for at, (ranks, missed) in enumerate(cases)
        for i in range(len(ranks) - 1)
        if MATERIALS[material].is_better(ranks[i + 1], ranks[i])
    ]
    before, after = zip(*pairs, strict=True)
    return list(before), list(after)


# Measures, and the values their parameters may have


def usual(name: str) -> Measure:
    """A measure with what it must be told: the parameters it requires, and the first of its usual cutoffs."""
    definition = REGISTRY[name]
    measure = Measure(name)(**{p: values(definition.parameters[p])[0] for p in definition.required})
    return measure @ definition.defaults_at[0] if definition.at_needed else measure


def variants(name: str) -> list[Measure]:
    """A measure as it is usual, and with one parameter after the other at each of some values."""
    measure = usual(name)
    others = (with_value(measure, p.name, value) for p in measure.definition.parameters.values() for value in values(p))
    return list(dict.fromkeys([measure, *others]))


def with_value(measure: Measure, name: str, value: Any) -> Measure:
    """A measure with a value of a parameter, and with what that needs to say anything."""
    needed = measure.definition.only_with.get(name, {})
    changed = measure(**{name: value})
    if not changed.looks_at(name):
        changed = changed(**{other: words[0] for other, words in needed.items()})
    return changed


def values(parameter: Parameter) -> list[Any]:
    """Values that exercise a parameter: every word of a choice, the ends of a range and something in between."""
    if parameter.name == "documents":
        return [10_000]  # more than there are in any ranking here
    match parameter.kind:
        case Choice(words=words):
            return [word for word in words if word != ALL_VALUES]
        case Flag():
            return [True, False]
        case Whole() as kind:
            return [kind.least, kind.least + 1, kind.example()]
        case Number() as kind:
            return [kind.example(), kind.low, *[kind.high] * (not kind.open_ended)]
    return [parameter.kind.example()]


def material_of(measure: Measure) -> str | None:
    """The material that has what the measure needs, if one has."""
    needs, check = measure.definition.needs, measure.definition.check
    for material in FITTING.get(needs, (needs,)):
        if check is None or check(all_data(material).qrels, measure.parameters) is None:
            return material
    return None
