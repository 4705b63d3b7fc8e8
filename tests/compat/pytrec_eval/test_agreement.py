"""Random judgments and runs under both modules: every measure, query by query.

Oracle: pytrec_eval-terrier (version in requirements/test.txt).
"""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import pytest
import pytrec_eval as original
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cranfield.compat import pytrec_eval
from tests.compat.pytrec_eval.material import assert_same, original_stands, qrel_lines, qrels, run_lines, runs

EVERYTHING = original.supported_measures


def test_all_its_names_are_there() -> None:
    public = {*original.__all__, "compute_aggregated_measure", "__version__"}
    assert public <= set(dir(pytrec_eval))
    assert set(original.__all__) <= set(pytrec_eval.__all__)
    assert pytrec_eval.supported_measures == original.supported_measures
    assert pytrec_eval.supported_nicknames == original.supported_nicknames


@settings(max_examples=300)
@given(qrels=qrels, run=runs, level=st.sampled_from([1, 1, 2, 3]), judged_only=st.booleans())
def test_dicts(
    qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]], level: int, judged_only: bool
) -> None:
    assume(original_stands(qrels, run))
    ours, theirs = (
        module.RelevanceEvaluator(qrels, EVERYTHING, level, judged_only).evaluate(run)
        for module in (pytrec_eval, original)
    )
    assert_same(ours, theirs)


@settings(max_examples=200)
@given(
    qrels=qrels, run=runs, level=st.integers(1, 3), judged_only=st.booleans(), shuffled=st.none() | st.integers(0, 9)
)
def test_files(
    qrels: dict[str, dict[str, int]],
    run: dict[str, dict[str, float]],
    level: int,
    judged_only: bool,
    shuffled: int | None,
) -> None:
    judged, returned = qrel_lines(qrels), run_lines(run)
    if shuffled is not None:  # so that the lines of a query do not stand together
        random.Random(shuffled).shuffle(judged)
        random.Random(shuffled).shuffle(returned)
    results = []
    for module in (pytrec_eval, original):
        evaluator = module.RelevanceEvaluator(
            module.parse_qrel(judged), EVERYTHING, relevance_level=level, judged_docs_only_flag=judged_only
        )
        results.append(evaluator.evaluate(module.parse_run(returned)))
    assert_same(*results)


@given(run=runs, shuffled=st.none() | st.integers(0, 9))
def test_parsing_a_run(run: dict[str, dict[str, float]], shuffled: int | None) -> None:
    lines = run_lines(run)
    if shuffled is not None:
        random.Random(shuffled).shuffle(lines)
    ours, theirs = pytrec_eval.parse_run(lines), original.parse_run(lines)
    assert list(ours) == list(theirs)
    assert [list(documents.items()) for documents in ours.values()] == [list(d.items()) for d in theirs.values()]


@given(qrels=qrels)
def test_parsing_judgments(qrels: dict[str, dict[str, int]]) -> None:
    ours, theirs = (module.parse_qrel(qrel_lines(qrels)) for module in (pytrec_eval, original))
    assert ours == theirs
    assert list(ours) == list(theirs)
    assert {type(grade) for judged in ours.values() for grade in judged.values()} == {int}


@given(qrels=qrels, run=runs, looked=st.data())
def test_part_of_a_parsed_run(
    qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]], looked: st.DataObject
) -> None:
    # Some of the queries are left out, some are looked into, some are changed: what is evaluated is what is there.
    queries = st.lists(st.sampled_from([*run, "q-unjudged"]), unique=True)
    dropped, read, changed = (looked.draw(queries) for _ in range(3))
    results = []
    for module in (pytrec_eval, original):
        parsed = module.parse_run(run_lines(run))
        for query in read:
            assert parsed[query] == run.get(query, {})
        for query in changed:
            parsed[query]["d1"] = 7.5
        for query in dropped:
            parsed.pop(query, None)
        assume(original_stands(qrels, parsed))
        results.append(module.RelevanceEvaluator(qrels, EVERYTHING).evaluate(parsed))
    assert_same(*results)


@given(qrels=qrels, runs=st.lists(runs, min_size=2, max_size=3))
def test_an_evaluator_keeps_nothing_of_a_run(
    qrels: dict[str, dict[str, int]], runs: list[dict[str, dict[str, float]]]
) -> None:
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, EVERYTHING)
    together = [evaluator.evaluate(run) for run in runs]
    assert together == [pytrec_eval.RelevanceEvaluator(qrels, EVERYTHING).evaluate(run) for run in runs]
    assert together == [evaluator.evaluate(run) for run in runs]


def test_few_queries_of_many() -> None:
    # One query of 40, by itself and again, as scripts do that score each query when they have it.
    qrels = {f"q{n}": {"d1": n % 3, "d2": 1} for n in range(40)}
    evaluators = [module.RelevanceEvaluator(qrels, {"ndcg", "map"}) for module in (pytrec_eval, original)]
    for query in [*qrels, "q1", "q1"]:
        ours, theirs = (evaluator.evaluate({query: {"d1": 1.0, "d3": 2.0}}) for evaluator in evaluators)
        assert_same(ours, theirs)


NAMES = ["official", "set", "all_trec", "P_5,10", "P.7", "P", "ndcg_cut_3,1000", "ndcg_cut.10", "map_cut.2", "recall_5"]
NAMES += [
    "iprec_at_recall.0.1,0.25",
    "Rprec_mult_0.5",
    "success_3",
    "relative_P.2",
    "set_F.0.5",
    "11pt_avg.0.1,0.5",
    "ndcg",
]


@given(
    names=st.lists(st.sampled_from(NAMES), min_size=1, max_size=5), as_what=st.sampled_from([set, list, tuple, iter])
)
def test_names_of_measures(names: list[str], as_what: type) -> None:
    results = [
        module.RelevanceEvaluator({"q": {"d1": 2, "d2": 1, "d3": 0}}, as_what(names)).evaluate(
            {"q": {"d1": 1.0, "d4": 2.0}}
        )
        for module in (pytrec_eval, original)
    ]
    assert_same(*results)


def test_nothing_to_do() -> None:
    # As the tests of pytrec_eval have it: nothing to score, nothing to score it by, nothing to score it with.
    qrels, run = {"q1": {"d2": 1}, "q2": {"d2": 1}}, {"q1": {"d1": 1.0}, "q2": {}}
    for module in (pytrec_eval, original):
        assert module.RelevanceEvaluator(qrels, {"map"}).evaluate({}) == {}
        assert module.RelevanceEvaluator(qrels, set()).evaluate(run) == {"q1": {}, "q2": {}}
        assert module.RelevanceEvaluator({}, {"map"}).evaluate(run) == {}
        assert module.RelevanceEvaluator({}, {}).evaluate({}) == {}
        assert module.parse_run([]) == module.parse_qrel([]) == {}


@pytest.mark.parametrize("measure", ["map", "num_rel_ret", "gm_map", "P_10"])
@pytest.mark.parametrize("values", [[-0.5], [0.1, 0.2, -0.7], [0.1] * 1000])
def test_means(measure: str, values: list[float]) -> None:
    ours, theirs = (module.compute_aggregated_measure(measure, values) for module in (pytrec_eval, original))
    assert ours == theirs
    assert type(ours) is float


@pytest.mark.real_data
@pytest.mark.parametrize(("folder", "qrels"), [("dl19", "qrels.dl19-passage.txt"), ("trec_covid_r1", "qrels-rnd1.txt")])
@pytest.mark.parametrize(("level", "judged_only"), [(1, False), (2, True)])
def test_real_runs(real_data: Path, folder: str, qrels: str, level: int, judged_only: bool) -> None:
    paths = sorted((real_data / folder / "runs").iterdir())[:6]
    results = []
    for module in (pytrec_eval, original):
        with (real_data / folder / qrels).open() as lines:
            evaluator = module.RelevanceEvaluator(module.parse_qrel(lines), EVERYTHING, level, judged_only)
        for path in paths:
            with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as lines:
                results.append(evaluator.evaluate(module.parse_run(lines)))
    for ours, theirs in zip(results[: len(paths)], results[len(paths) :], strict=True):
        assert len(ours) > 20
        assert_same(ours, theirs)


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("qrels", "expected", "level"), [("qrels.test", "out.test.a", 1), ("qrels.rel_level", "out.test.aql", 2)]
)
def test_what_trec_eval_prints(real_data: Path, qrels: str, expected: str, level: int) -> None:
    # The tests that pytrec_eval takes over from trec_eval. Oracle: the output of trec_eval 9.0.8 that comes with it.
    folder = real_data / "trec_eval_test"
    with (folder / qrels).open() as judged, (folder / "results.test").open() as returned:
        evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(judged), {"all_trec"}, relevance_level=level)
        results = evaluator.evaluate(pytrec_eval.parse_run(returned))
    compared = 0
    for line in (folder / "v9.0.8_outputs" / expected).read_text().splitlines():
        label, topic, printed = line.split()
        if topic == "all" and label in results["301"] and label not in ("runid", "relstring"):
            values = [of_topic[label] for of_topic in results.values()]
            mean = pytrec_eval.compute_aggregated_measure(label, values)
            assert f"{mean:.4f}" == f"{float(printed):.4f}", label
            compared += 1
    assert compared > 80
