"""How each run would fare had it not been pooled."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield.data.run import Run
from cranfield.errors import CoverageError, DataError, UsageError
from cranfield.evaluation.compared import why_not_tested
from cranfield.measures import REGISTRY
from cranfield.pooling.missing.bias import pool_bias
from tests.measures.material import usual
from tests.pooling.made_runs import noisy_runs, run_of

ONE = run_of({"q1": ["a", "b", "c"], "q2": ["m", "n"]}, "one")
TWO = run_of({"q1": ["x", "a", "b"], "q2": ["n", "y"]}, "two")
THREE = run_of({"q1": ["a", "x", "z"], "q2": ["m", "y"]}, "three")
JUDGED = {"q1": {"a": 1, "b": 0, "x": 1, "far": 1}, "q2": {"m": 1, "n": 0, "y": 0}}

MEASURES = [
    str(usual(name))
    for name, definition in REGISTRY.items()
    if definition.needs == "qrels" and definition.aggregate != "none" and not why_not_tested(usual(name))
    if definition.check is None
]


def judged(pool: dict[str, dict[str, int]], gone: set[tuple[str, str]]) -> dict[str, dict[str, int]]:
    return {topic: {d: g for d, g in of.items() if (topic, d) not in gone} for topic, of in pool.items()}


def first(run: Run, depth: int) -> set[tuple[str, str]]:
    return {(topic, document) for topic in run for document in list(run[topic])[:depth]}


def own(runs: Sequence[Run], group: set[int], depth: int) -> set[tuple[str, str]]:
    """What only these runs have among their first documents."""
    inside = set().union(*(first(runs[at], depth) for at in group))
    others = [first(run, depth) for at, run in enumerate(runs) if at not in group]
    return inside.difference(*others)


def test_by_hand() -> None:
    found = pool_bias(JUDGED, [ONE, TWO, THREE], ["P@2"], depth=2)
    rows = {row.run: row for row in found.rows(found.measures[0])}
    # Only one has b (q1) and none else of its own; x is also in three, a in all, m in three, n in two, y in three.
    assert [rows[name].unique for name in ("one", "two", "three")] == [1, 0, 0]
    # As they are: one (a b, m n) 1/2 and 1/2; two (x a, n y) 1 and 0; three (a x, m y) 1 and 1/2.
    assert {name: row.value for name, row in rows.items()} == {"one": 0.5, "two": 0.5, "three": 0.75}
    assert all(row.change == 0 for row in rows.values())
    assert found.in_no_run == 1
    assert found.notes[0] == (
        "1 of 7 judged documents are not among the first 2 of any run: others brought them in, and they stay"
    )
    assert [row.rank for row in found.rows(found.measures[0])] == [1, 2, 2]


def test_a_run_that_alone_has_something_relevant() -> None:
    # Two of the three runs: now x is two's own, in q1, and relevant; y, not relevant, in q2.
    found = pool_bias(JUDGED, [ONE, TWO], ["P@2", "AP"], depth=2)
    row = {row.run: row for row in found.rows(found.measures[0])}["two"]
    assert (row.unique, row.unique_relevant) == (2, 1)
    assert (row.value, row.without, row.rank, row.rank_without) == (0.5, 0.25, 1, 2)
    # AP of one: q1 has a first of 3 relevant, then of 2: (1/3 + 1)/2 becomes (1/2 + 1)/2
    assert found.before[1, 0] == pytest.approx((1 / 3 + 1) / 2)
    assert found.after[1, 1, 0] == pytest.approx((1 / 2 + 1) / 2)
    summary = found.summary(found.measures[0])
    assert (summary.largest_run, summary.largest_change, summary.runs_moved) == ("one", -0.25, 2)


def test_what_is_one_s_own_with_groups() -> None:
    alone = pool_bias(JUDGED, [ONE, TWO, THREE], "P@2", depth=2)
    together = pool_bias(JUDGED, [ONE, TWO, THREE], "P@2", depth=2, groups=["team=t"])
    assert together.groups.names == ("one", "team")
    # two and three together alone have x and y.
    assert together.unique.tolist() == [1, 2]
    assert alone.unique.tolist() == [1, 0, 0]
    rows = {row.run: row for row in together.rows(together.measures[0])}
    assert (rows["two"].group, rows["two"].without) == ("team", 0.25)
    assert rows["three"].without == 0.5
    groups = together.to_dict()["groups"]
    assert groups[1]["runs"] == ["two", "three"]


def check_against_evaluation(
    qrels: dict[str, dict[str, int]], runs: list[Run], measures: list[str], depth: int, cutoff: int | None
) -> None:
    found = pool_bias(qrels, runs, measures, depth=depth, cutoff=cutoff)
    values = cf.evaluate(qrels, runs, measures, depth=cutoff)
    for at, measure in enumerate(found.measures):
        assert found.before[at].tolist() == [run.mean[measure] for run in values.values()]
    for group in range(len(runs)):
        left = judged(qrels, own(runs, {group}, depth))
        if not all(left.values()):
            continue  # a topic without any judgment is no topic of the qrels
        values = cf.evaluate(left, runs, measures, depth=cutoff)
        for at, measure in enumerate(found.measures):
            expected = [run.mean[measure] for run in values.values()]
            np.testing.assert_allclose(found.after[group, at], expected, rtol=1e-12, atol=1e-12, err_msg=str(measure))


@given(st.integers(0, 10_000), st.integers(1, 12), st.sampled_from([None, 5]))
@settings(max_examples=4)
def test_every_measure_as_if_evaluated_without(seed: int, depth: int, cutoff: int | None) -> None:
    # Oracle: the evaluator, given the judgments that are left.
    runs, worth = noisy_runs(runs=4, topics=3, documents=30, depth=12, seed=seed)
    grades = np.clip(np.rint(worth), 0, 2).astype(int)
    pooled = set().union(*(first(run, depth) for run in runs))
    qrels = {
        f"t{topic}": {f"d{at}": int(g) for at, g in enumerate(row) if (f"t{topic}", f"d{at}") in pooled or at < 5}
        for topic, row in enumerate(grades)
    }
    check_against_evaluation(qrels, runs, MEASURES, depth, cutoff)


def test_a_topic_that_is_left_without_judgments_scores_nothing() -> None:
    alone = run_of({"q1": ["a"], "q2": ["only"]}, "alone")
    found = pool_bias({"q1": {"a": 1}, "q2": {"only": 1}}, [ONE, alone], "P@1", depth=1)
    assert found.after[1, 0].tolist() == [0.5, 0.5]


def test_the_same_from_files(tmp_path: Path) -> None:
    runs, worth = noisy_runs(runs=3, topics=4, documents=40, depth=20, seed=2)
    qrels = {f"t{t}": {f"d{at}": int(w > 0.5) for at, w in enumerate(row)} for t, row in enumerate(worth)}
    for run in runs:
        cf.write_run(run, tmp_path / f"{run.name}.run")
    files = [str(tmp_path / f"{run.name}.run") for run in runs]
    assert pool_bias(qrels, files, depth=5).to_dict() == pool_bias(qrels, runs, depth=5).to_dict()


def test_what_is_refused() -> None:
    with pytest.raises(UsageError, match="1 run: leaving it out leaves nothing that was pooled"):
        pool_bias(JUDGED, [ONE])
    with pytest.raises(UsageError, match="all 2 runs are in the group 'team'"):
        pool_bias(JUDGED, [TWO, THREE], groups=["team=t"])
    with pytest.raises(CoverageError, match="stranger: the run and the judgments have no topic in common"):
        pool_bias(JUDGED, [ONE, run_of({"Q": ["a"]}, "stranger")])
    with pytest.raises(CoverageError, match="apart: none of its judged topics is a topic of any other run"):
        pool_bias(JUDGED, [run_of({"q1": ["a"]}, "first"), run_of({"q1": ["b"]}, "b"), run_of({"q2": ["m"]}, "apart")])
    with pytest.raises(UsageError, match="nothing can be said about how runs change by it"):
        pool_bias(JUDGED, [ONE, TWO], "NumRel")
    sample = cf.Qrels.from_tuples([("q1", "a", 1), ("q1", "b", 0)])
    sample.probability = np.array([0.5, 0.5])
    with pytest.raises(DataError, match="these judgments are a sample"):
        pool_bias(sample, [ONE, TWO])


@pytest.mark.real_data
def test_values_are_those_of_the_track(real_data: Path) -> None:
    # Oracle: nDCG@10 of BM25 and of BM25 with RM3 at TREC DL 2019 as published with the runs: .5058 and .5216.
    folder = real_data / "dl19"
    runs = [str(folder / "runs" / name) for name in ("BM25.top100.txt", "BM25_RM3.top100.txt")]
    found = pool_bias(str(folder / "qrels.dl19-passage.txt"), runs, "nDCG@10", depth=10)
    assert found.before[0].round(4).tolist() == [0.5058, 0.5216]
    assert (found.after[[0, 1], 0, [0, 1]] < found.before[0]).all()
