"""Small runs with ties, and the values of measures in every order of the tied documents, evaluated one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, permutations, product
from typing import Any

import numpy as np
from hypothesis import strategies as st

import cranfield as cf
from cranfield.data.qrels import Qrels
from cranfield.data.strings import Floats, Strings
from cranfield.measures import Measure
from tests.measures.material import MATERIALS, usual, values, with_value

SIZES = ([3], [2, 1], [1, 2], [2, 2], [1, 3], [3, 2], [1, 1, 2], [4], [1, 4], [2, 1, 2])
"""How many documents share a score, from the top."""
ONE_ASSESSOR = "one assessor"
"""Preferences of a single assessor, which put all documents in one order."""
_COSTS = (0.5, 1, 2, 3)


@dataclass(frozen=True)
class Topic:
    """Documents with tied scores: what stands there (None is unjudged), how many share a score, what was missed."""

    documents: tuple[Any, ...]
    sizes: tuple[int, ...]
    missed: tuple[Any, ...]

    @property
    def judged(self) -> list[tuple[str, Any]]:
        every = enumerate((*self.documents, *self.missed))
        return [(f"d{number}", document) for number, document in every if document is not None]

    @property
    def scores(self) -> dict[str, float]:
        level = np.repeat(np.arange(len(self.sizes)), self.sizes)
        return {f"d{number}": -float(score) for number, score in enumerate(level)}

    @property
    def costs(self) -> dict[str, float]:
        return {f"d{number}": _COSTS[(7 * number + len(self.missed)) % 4] for number in range(len(self.documents))}

    def orders(self) -> list[list[str]]:
        """Every order of the tied documents."""
        ends = np.cumsum(self.sizes).tolist()
        groups = [[f"d{n}" for n in range(end - size, end)] for end, size in zip(ends, self.sizes, strict=True)]
        return [list(chain(*order)) for order in product(*(permutations(group) for group in groups))]


@st.composite
def topics(draw: st.DrawFn, material: str) -> Topic:
    of = MATERIALS["preferences" if material == ONE_ASSESSOR else material]
    sizes = draw(st.sampled_from(SIZES))
    documents = draw(st.lists(st.sampled_from(of.documents), min_size=sum(sizes), max_size=sum(sizes)))
    missed = draw(st.sampled_from(of.missed))
    if all(document is None for document in (*documents, *missed)):
        documents[0] = of.documents[-1]
    return Topic(tuple(documents), tuple(sizes), missed)


def judgments(material: str, judged: Sequence[tuple[str, str, Any]]) -> tuple[Any, dict[str, Any]]:
    """Judgments of (query, document, how it is judged), and what `evaluate` is to be told about them."""
    query, document, how = (list(column) for column in zip(*judged, strict=True))
    if material == "sample":
        queries, names = (Strings.from_list([name.encode() for name in column]) for column in (query, document))
        stratum = Strings.from_list([b"b" if grade in (-1, 1) else b"a" for grade in how])
        chance = np.array([0.5 if grade == 1 else 1.0 for grade in how])
        return Qrels(queries, names, np.array(how, dtype=np.float64), stratum=stratum, probability=chance), {}
    if material == "subtopics":
        rows = [(q, subtopic, d, grade) for q, d, grades in judged for subtopic, grade in grades.items()]
        return rows + [(q, subtopic, "missed", 0) for q in dict.fromkeys(query) for subtopic in "ab"], {}
    if material == ONE_ASSESSOR:
        return list(judged), {"relevance": "qrels_prefs"}
    if material in ("groups", "preferences"):
        own = [(q, "ann", d, grade) for q, d, grade in judged]
        other = [(q, "bob", d, (grade + int(d[1:])) % 2) for q, d, grade in judged]  # who sees it differently
        return own + other, {"relevance": "qrels_jg" if material == "groups" else "qrels_prefs"}
    return list(judged), {}


def in_every_order(
    material: str, given: Sequence[Topic], measures: Sequence[Measure], *, with_costs: bool = False, **options: Any
) -> list[dict[Measure, Floats]]:
    """For each topic and measure the values of all orders, each evaluated by itself with scores that all differ."""
    judged: list[tuple[str, str, Any]] = []
    run: dict[str, dict[str, float]] = {}
    for number, topic in enumerate(given):
        for place, order in enumerate(topic.orders()):
            query = f"{number:03}-{place:03}"
            judged += [(query, document, how) for document, how in topic.judged]
            run[query] = {document: -float(rank) for rank, document in enumerate(order)}
    if with_costs:
        options["costs"] = {query: given[int(query[:3])].costs for query in run}
    qrels, about = judgments(material, judged)
    found = cf.evaluate(qrels, run, list(measures), **about, **options)
    columns = {measure: np.asarray(found.columns[measure], dtype=np.float64) for measure in found.measures}
    topic_of = np.array([int(query[:3]) for query in found.queries])
    return [{m: column[topic_of == number] for m, column in columns.items()} for number in range(len(given))]


def over_ties(
    material: str, given: Sequence[Topic], measures: Sequence[Measure], *, with_costs: bool = False, **options: Any
) -> cf.RunEvaluation:
    """What `evaluate` says of the same topics with ties."""
    names = [f"{number:03}" for number in range(len(given))]
    judged = [(name, d, how) for name, topic in zip(names, given, strict=True) for d, how in topic.judged]
    if with_costs:
        options["costs"] = {name: topic.costs for name, topic in zip(names, given, strict=True)}
    qrels, about = judgments(material, judged)
    run = {name: topic.scores for name, topic in zip(names, given, strict=True)}
    found: cf.RunEvaluation = cf.evaluate(qrels, run, list(measures), ties="range", **about, **options)
    return found


def measures_to_try(name: str) -> list[Measure]:
    """A measure as it is usual, at small cutoffs, and with one parameter after the other at each of some values."""
    measure = usual(name)
    bases = [measure, *(measure @ cutoff for cutoff in (1, 2, 3) if measure.definition.at == "cutoff")]
    found = list(bases)
    for number, parameter in enumerate(measure.definition.parameters.values()):
        for base in {bases[0], bases[1 + number % (len(bases) - 1)] if len(bases) > 1 else bases[0]}:
            found += [with_value(base, parameter.name, value) for value in values(parameter)]
    return [one for one in dict.fromkeys(found) if _means_something(one)]


def _means_something(measure: Measure) -> bool:
    try:
        measure.check_parameters()
    except cf.errors.ParameterError:
        return False
    return True
