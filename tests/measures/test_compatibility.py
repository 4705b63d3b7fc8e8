"""Compatibility: against ir_measures and its authors' values, and against all ideal rankings there are."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import ir_measures
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield.data.rankings import Rankings
from cranfield.measures import parse_one

grades = st.lists(st.one_of(st.none(), st.sampled_from([-1, 0, 0.5, 1, 1, 2, 3])), max_size=10)
missed = st.lists(st.sampled_from([0, 0.5, 1, 2]), max_size=6)
persistence = st.floats(0.01, 0.99)


def value_of(measure: str, ranking: Sequence[float | None], unretrieved: Sequence[float] = ()) -> float:
    """One value, not rounded."""
    return float(parse_one(measure).compute(Rankings.from_grades(ranking, unretrieved=unretrieved))[0])


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("p", "expected"),
    [
        (0.95, {"31_1": 0.51779512165509, "31_2": 0.018400100569017922}),
        (0.9, {"31_1": 0.3761334522946854, "31_2": 0.004344079941789211}),
        (0.8, {"31_1": 0.16723008845234535, "31_2": 0.00022806427320561776}),
    ],
)
def test_the_values_of_the_authors_program(real_data: Path, p: float, expected: dict[str, float]) -> None:
    # ir_measures' tests have these from a run of compatibility.py by Clarke et al.
    folder = real_data / "ir_measures_tests"
    result = cf.evaluate(folder / "compat.qrels", folder / "compat.run", cf.Compat(p=p))
    assert result[cf.Compat(p=p)] == pytest.approx(expected, abs=1e-9)


@settings(max_examples=60)
@given(ranking=grades, unretrieved=missed, p=persistence, normalize=st.booleans())
def test_ir_measures_agrees(ranking: list[float | None], unretrieved: list[float], p: float, normalize: bool) -> None:
    # ir_measures 0.4.3; scores are above 0 and differ, as it needs them.
    judged: dict[str, Any] = {f"d{rank}": grade for rank, grade in enumerate(ranking) if grade is not None}
    judged |= {f"missed{at}": grade for at, grade in enumerate(unretrieved)}
    run = {f"d{rank}": 100.0 - rank for rank in range(len(ranking))}
    if not judged or not run:
        return
    theirs = ir_measures.compat.calc_aggregate(
        [ir_measures.Compat(p=p, normalize=normalize)], {"q": judged}, {"q": run}
    )
    ours = value_of(f"Compat(p={p},normalize={normalize})", ranking, unretrieved)
    assert [ours] == pytest.approx(list(theirs.values()), abs=1e-9)


@pytest.mark.real_data
def test_ir_measures_agrees_on_conversations(real_data: Path) -> None:
    # The graded judgments of CAsT 2019 (ir_measures 0.4.3), a run of judged and unjudged documents in random order.
    qrels: Any = cf.read_qrels(real_data / "prefs_cast19" / "TREC-CAsT-2019.qrels").to_dict()
    rng = random.Random(19)
    run = {}
    for query, judged in qrels.items():
        chosen = [*rng.sample(list(judged), len(judged) // 2), *(f"unjudged-{at}" for at in range(30))]
        rng.shuffle(chosen)
        run[query] = {document: 1000.0 - rank for rank, document in enumerate(chosen)}
    ours = cf.evaluate(qrels, run, "Compat")["Compat"]
    theirs = {m.query_id: m.value for m in ir_measures.compat.iter_calc([ir_measures.Compat], qrels, run)}
    assert len(theirs) == 173
    assert ours == pytest.approx(theirs, abs=1e-9)


def test_negative_scores_do_not_change_the_ideal() -> None:
    # d1 is retrieved, d2 is not, both of grade 1: the ideal is d1, d2, whatever d1 scores. RBO with p = 0.5 and n = 2 of
    # (d1) with it is 1 + 0.5 · 1/2, of the ideal with itself 1 + 0.5 · 2/2. ir_measures takes d2, d1 for the ideal.
    qrels, run = {"q": {"d1": 1, "d2": 1}}, {"q": {"d1": -5.0}}
    assert cf.evaluate(qrels, run, "Compat(p=0.5)").mean["Compat(p=0.5)"] == pytest.approx(1.25 / 1.5)
    theirs = ir_measures.compat.calc_aggregate([ir_measures.Compat(p=0.5)], qrels, run)
    assert list(theirs.values()) == pytest.approx([0.25 / 1.5])


def overlap(ranking: Sequence[int], ideal: Sequence[int], p: float, depth: int) -> float:
    """Rank-biased overlap to a depth, not divided by anything."""
    return sum(p ** (i - 1) * len({*ranking[:i]} & {*ideal[:i]}) / i for i in range(1, depth + 1))


def ideals(documents: dict[int, float]) -> Iterator[list[int]]:
    """Every order of the documents in which higher grades come first."""
    levels = sorted({grade for grade in documents.values() if grade > 0}, reverse=True)
    groups = [[number for number, grade in documents.items() if grade == level] for level in levels]
    for chosen in itertools.product(*(itertools.permutations(group) for group in groups)):
        yield [number for group in chosen for number in group]


@settings(max_examples=40)
@given(
    ranking=st.lists(st.sampled_from([None, 0, 1, 1, 2]), max_size=6),
    unretrieved=st.lists(st.sampled_from([1, 2]), max_size=3),
    p=persistence,
)
def test_it_is_the_most_similar_of_all_ideal_rankings(
    ranking: list[float | None], unretrieved: list[float], p: float
) -> None:
    documents = {number: grade for number, grade in enumerate([*ranking, *unretrieved]) if grade is not None}
    size = sum(grade > 0 for grade in documents.values())
    depth = max(size, len(ranking))
    retrieved = list(range(len(ranking)))
    best = max(overlap(retrieved, ideal, p, depth) for ideal in ideals(documents))
    itself = overlap(range(size), range(size), p, depth)
    assert value_of(f"Compat(p={p})", ranking, unretrieved) == pytest.approx(best / itself if size else 0.0, abs=1e-9)
