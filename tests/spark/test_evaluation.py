"""Evaluation on a cluster: the same values, means and coverage as here, to the last bit."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cranfield.errors import CoverageError, CranfieldError
from cranfield.evaluation.evaluator import Evaluator
from cranfield.evaluation.result import Evaluation, RunEvaluation
from cranfield.measures import REGISTRY, Measure
from cranfield.spark.evaluating import SparkEvaluator
from cranfield.spark.session import Cluster
from tests.measures.material import variants
from tests.spark import drawn_runs

pytestmark = pytest.mark.slow

HIGHEST = 2
"""The highest grade of the judgments that are drawn."""


def same(found: Evaluation, expected: Evaluation) -> None:
    """Whether two evaluations are the same to the last bit."""
    assert list(found) == list(expected)
    for name, run in expected.items():
        same_run(found[name], run)


def same_run(found: RunEvaluation, expected: RunEvaluation) -> None:
    assert found.coverage == expected.coverage
    for of in ("name", "tag", "profile", "measures", "queries", "settings", "warnings"):
        assert getattr(found, of) == getattr(expected, of), of
    assert found.listed.tolist() == expected.listed.tolist()
    for measure, values in expected.columns.items():
        other = found.columns[measure]
        if isinstance(values, np.ndarray):
            assert isinstance(other, np.ndarray)
            assert other.dtype == values.dtype, measure
            assert other.tobytes() == values.tobytes(), (measure, other, values)
        else:
            assert other == values, measure
    assert found.mean == expected.mean


def both(cluster: Cluster, qrels: Path, runs: Sequence[Path], measures: Any, **options: Any) -> None:
    found = SparkEvaluator(qrels, measures, cluster=cluster, **options).evaluate_all(runs)
    same(found, Evaluator(qrels, measures, **options).evaluate_all(runs))


@contextmanager
def small_blocks(cluster: Cluster) -> Iterator[None]:
    """Files are read in blocks of some hundred lines, by several workers."""
    settings = cluster.session().conf
    settings.set("spark.sql.files.maxPartitionBytes", "6000")
    settings.set("spark.sql.files.openCostInBytes", "100")
    try:
        yield
    finally:
        settings.unset("spark.sql.files.maxPartitionBytes")
        settings.unset("spark.sql.files.openCostInBytes")


def all_measures(*needs: str, sampling: Sequence[str] = ("none", "unjudged")) -> list[Measure]:
    """Every measure that can be computed from such judgments, with each value of each of its parameters."""
    found = []
    for name, definition in REGISTRY.items():
        if definition.needs in needs and definition.sampling in sampling:
            for measure in variants(name):
                try:
                    measure.check_parameters()
                except CranfieldError:
                    measure = measure @ 5
                if measure.parameters.get("gmax", HIGHEST) >= HIGHEST:
                    found.append(measure)
    return found


MATERIAL: dict[str, tuple[Callable[[Path, random.Random], Path], list[Measure], dict[str, Any]]] = {
    "judgments": (drawn_runs.plain_qrels, all_measures("qrels", "anything"), {}),
    "subtopics": (drawn_runs.by_subtopic, all_measures("subtopics"), {}),
    "assessors": (drawn_runs.by_subtopic, all_measures("groups"), {"relevance": "qrels_jg"}),
    "preferences": (drawn_runs.by_subtopic, all_measures("preferences"), {"relevance": "qrels_prefs"}),
    "strata": (drawn_runs.strata, all_measures("qrels", sampling=("strata", "pool", "chances")), {}),
    "chances": (drawn_runs.prels, all_measures("qrels", sampling=("chances",)), {}),
}


def test_every_measure_is_in_some_material() -> None:
    compared = {measure.name for _, measures, _ in MATERIAL.values() for measure in measures}
    assert compared == set(REGISTRY)


@pytest.mark.parametrize("kind", MATERIAL)
def test_every_measure(kind: str, cluster: Cluster, tmp_path: Path) -> None:
    draw, measures, options = MATERIAL[kind]
    chance = random.Random(kind)
    both(cluster, draw(tmp_path, chance), drawn_runs.runs(tmp_path, chance), measures, **options)


PROFILED: dict[str, tuple[str, ...]] = {
    "trec_eval-9": ("official", "ndcg_cut", "iprec_at_recall"),
    "gdeval": ("nDCG@10", "ERR@10"),
    "ndeval": ("alpha_nDCG@10", "P_IA@5", "NRBP"),
    "ir_measures": ("nDCG@10", "RR@10", "ERR@10", "Judged@5", "RBP"),
    "beir": ("nDCG@10", "RR@10"),
    "elasticsearch": ("nDCG@10", "P@5", "RR"),
}


@pytest.mark.parametrize("profile", PROFILED)
def test_profiles(profile: str, cluster: Cluster, tmp_path: Path) -> None:
    chance = random.Random(profile)
    draw = drawn_runs.by_subtopic if profile == "ndeval" else drawn_runs.plain_qrels
    runs = drawn_runs.runs(tmp_path, chance)
    if profile == "ndeval":  # whose ranks decide, and must differ
        runs = runs[:1]
    with small_blocks(cluster) if profile == "elasticsearch" else nullcontext():
        both(cluster, draw(tmp_path, chance), runs, PROFILED[profile], profile=profile, complete=profile == "beir")


def test_missing_topics_are_an_error_where_they_are_one(cluster: Cluster, tmp_path: Path) -> None:
    chance = random.Random(1)
    qrels, runs = drawn_runs.plain_qrels(tmp_path, chance), drawn_runs.runs(tmp_path, chance)
    with pytest.raises(CoverageError) as here:
        Evaluator(qrels, "AP", profile="trec_eval-10").evaluate_all(runs)
    with pytest.raises(CoverageError) as there:
        SparkEvaluator(qrels, "AP", profile="trec_eval-10", cluster=cluster).evaluate_all(runs)
    assert str(there.value) == str(here.value)
    both(cluster, qrels, runs, ["AP", "RBP", "RBPResidual"], profile="trec_eval-10", complete=True)


@pytest.mark.parametrize(
    ("measures", "options"),
    [
        (["AP", "nDCG@10", "bpref"], {"depth": 5, "level": 2}),
        (["AP", "P@10"], {"judged_only": True}),
    ],
)
def test_options(measures: list[str], options: dict[str, Any], cluster: Cluster, tmp_path: Path) -> None:
    chance = random.Random(2)
    both(cluster, drawn_runs.plain_qrels(tmp_path, chance), drawn_runs.runs(tmp_path, chance), measures, **options)


def test_costs(cluster: Cluster, tmp_path: Path) -> None:
    chance = random.Random(8)
    qrels, runs = drawn_runs.plain_qrels(tmp_path, chance), drawn_runs.runs(tmp_path, chance)
    costs = {document: chance.random() for document in drawn_runs.DOCUMENTS[:50]}
    options: dict[str, Any] = {"costs": costs, "default_cost": 3.5}
    found = SparkEvaluator(qrels, ["TBG", "U"], cluster=cluster, **options).evaluate_all(runs)
    expected = Evaluator(qrels, ["TBG", "U"], **options).evaluate_all(runs)
    for name, run in expected.items():
        assert found[name].coverage == run.coverage
        for measure, values in run.columns.items():  # sums over ranks, of lists as long as the longest beside them
            assert found[name].columns[measure] == pytest.approx(values, rel=1e-13)


def test_intents(cluster: Cluster, tmp_path: Path) -> None:
    chance = random.Random(3)
    qrels, runs = drawn_runs.by_subtopic(tmp_path, chance), drawn_runs.runs(tmp_path, chance)
    intents = {query: {"a": 0.5, "b": 0.3, "c": 0.2} for query in drawn_runs.QUERIES}
    both(cluster, qrels, runs, ["ERR_IA@10", "alpha_nDCG@5", "P@5"], intents=intents)


@pytest.mark.real_data
def test_a_real_collection(cluster: Cluster, real_data: Path) -> None:
    folder = real_data / "trec_covid_r1"
    runs = sorted((folder / "runs").iterdir())
    both(cluster, folder / "qrels-rnd1.txt", runs, "official", profile="trec_eval-9")


def test_one_query_with_a_third_of_all_lines(cluster: Cluster, tmp_path: Path) -> None:
    chance = random.Random(4)
    lines = []
    for query, size in [("common", 20_000), *((f"q{number}", 40) for number in range(1_000))]:
        lines += [f"{query} Q0 d{at} 0 {chance.random()} skewed" for at in range(size)]
    run = drawn_runs.written(tmp_path / "skewed.run", lines, None)
    grades = [f"{query} 0 d{at} {at % 3}" for query in ("common", "q1", "q2", "q999") for at in range(0, 60, 7)]
    both(cluster, drawn_runs.written(tmp_path / "skewed.qrels", grades, None), [run], ["AP", "nDCG", "NumRet"])
