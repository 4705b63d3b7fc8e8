"""Profiles against the tools they are named after, on random data: topics that the run lacks, topics without relevant
documents, negative grades, and tied scores (also scores that are tied as 32-bit floats).

Oracles: ir_measures with its default providers, ranx, pyndeval, pytrec_eval-terrier (versions in requirements/test.txt)
and gdeval.pl 1.2a, which comes with ir_measures. trec_eval's own profiles have files of their own. BEIR's measures are
written out here from its source (beir/retrieval/evaluation.py and custom_metrics.py of version 2.1), Elasticsearch's
from its rank-eval module, as arithmetic.
"""

from __future__ import annotations

import json
import logging
import math
import shutil
import subprocess
import sys
from importlib import resources
from pathlib import Path
from typing import Any

import numba
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield.evaluation.whydiff.tool_trial import Trial
from cranfield.measures import parse_one
from cranfield.measures.profiles import PROFILES

# Before ranx is imported: compiled it is the same code, after a minute of compiling.
numba.config.DISABLE_JIT = 1  # type: ignore[attr-defined]

import ir_measures  # noqa: E402
import pyndeval  # noqa: E402
import pytrec_eval  # noqa: E402
import ranx  # noqa: E402

logging.getLogger("ir_measures.cwl_eval").setLevel(logging.ERROR)  # it warns of grades that do not occur

Grades = dict[str, dict[str, int]]
Scores = dict[str, dict[str, float]]

TOPICS = ["1", "2", "3", "4"]  # gdeval takes numbers only
DOCUMENTS = ["d1", "d2", "d10", "D3", "doc-with-a-long-name-4", "doc-with-a-long-name-5", "z", "a" * 30, "1", "2"]


def judgments(least: int = -1, highest: int = 4) -> st.SearchStrategy[Grades]:
    grades = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(least, highest), min_size=1)
    not_all_negative = grades.filter(lambda found: max(found.values()) >= 0)  # where trec_eval stops
    return st.dictionaries(st.sampled_from(TOPICS), not_all_negative, min_size=1)


scores = st.sampled_from([0.0, 1.0, 2.5, 100.0, 100.00000001, -1.5])
runs = st.dictionaries(
    st.sampled_from([*TOPICS, "77"]),
    st.lists(
        st.tuples(st.sampled_from([*DOCUMENTS, "unjudged-1", "unjudged-2"]), scores),
        min_size=1,
        unique_by=lambda pair: pair[0],
    ).map(dict),
    min_size=1,
)


def close(value: Any) -> Any:
    return pytest.approx(value, abs=1e-9, rel=1e-9)


def mean_of(qrels: Any, run: Any, measure: str, profile: str, **options: Any) -> float:
    (value,) = cf.evaluate(qrels, run, measure, profile=profile, **options).mean.values()
    return float(value)


subtopic_judgments = st.lists(
    st.tuples(st.sampled_from(TOPICS), st.sampled_from("xyz"), st.sampled_from(DOCUMENTS), st.integers(0, 2)),
    min_size=2,
    max_size=25,
    unique_by=lambda row: row[:3],
).filter(lambda rows: len({row[1] for row in rows}) > 1)

# ir_measures

IR_MEASURES = {
    **{name: name for name in ("AP", "AP@5", "AP(rel=2)", "AP(judged_only=True)", "RR", "RR@3", "RR(rel=2)@3")},
    **{name: name for name in ("P@5", "P(rel=3)@5", "P(judged_only=True)@5", "R@5", "Success@3", "Rprec", "Bpref")},
    **{name: name for name in ("infAP", "SetP", "SetR", "SetF", "SetAP", "NumRet", "NumRel", "IPrec@0.4")},
    **{name: name for name in ("nDCG@5", "nDCG", "Judged@3", "ERR@5", "NumRelRet")},
    "SetF(beta=2)": "SetF(beta=2.0)",
    "nDCG(gain=exponential)@5": "nDCG(dcg='exp-log2')@5",
    "RBP": "RBP(rel=1)",
    "RBP(p=0.5,rel=2)": "RBP(p=0.5,rel=2)",
    "SDCG(gain=linear,gmax=4)@5": "SDCG(max_rel=4)@5",
    "NERR9(gain=linear,gmax=4)@5": "NERR9(max_rel=4)@5",
}


@pytest.mark.parametrize("name", [name for name in IR_MEASURES if "ERR@" not in name and "exponential" not in name])
@settings(max_examples=25)
@given(qrels=judgments(), run=runs)
def test_ir_measures(name: str, qrels: Grades, run: Scores) -> None:
    _like_ir_measures(name, qrels, run)


@pytest.mark.skipif(not shutil.which("perl"), reason="gdeval.pl needs perl")
@pytest.mark.parametrize("name", ["ERR@5", "nDCG(gain=exponential)@5"])
@settings(max_examples=10)
@given(qrels=judgments(), run=runs)
def test_ir_measures_by_gdeval(name: str, qrels: Grades, run: Scores) -> None:
    _like_ir_measures(name, qrels, run)


def _like_ir_measures(name: str, qrels: Grades, run: Scores) -> None:
    assume(qrels.keys() & run.keys())
    theirs = ir_measures.parse_measure(IR_MEASURES[name])
    expected = ir_measures.calc_aggregate([theirs], qrels, run)[theirs]
    assert mean_of(qrels, run, name, "ir_measures") == close(expected)


@settings(max_examples=25)
@given(qrels=judgments(), run=runs)
def test_ir_measures_compat(qrels: Grades, run: Scores) -> None:
    # With tied scores its ideal ranking has tied documents in the order of the qrels: see docs/profiles.md. Below 0
    # documents stand behind those that are not retrieved there.
    assume(qrels.keys() & run.keys())
    untied = {topic: {name: 2.5 - at for at, name in enumerate(ranked)} for topic, ranked in run.items()}
    expected = ir_measures.calc_aggregate([ir_measures.Compat], qrels, untied)[ir_measures.Compat]
    assert mean_of(qrels, untied, "Compat", "ir_measures") == close(expected)
    whole = cf.whydiff(qrels, untied, "Compat", profiles="cranfield,ir_measures", topics=99)["Compat"]
    assert whole.values["ir_measures"] == close(expected)
    found = whole.differences[0]
    assert found.part("unretrieved documents in Compat") == close(found.difference)


@settings(max_examples=25)
@given(judged=subtopic_judgments, run=runs)
def test_ir_measures_of_subtopics(judged: Any, run: Scores) -> None:
    assume({row[0] for row in judged} & run.keys())
    theirs = ir_measures.alpha_nDCG @ 5
    qrels = [ir_measures.Qrel(topic, document, grade, subtopic) for topic, subtopic, document, grade in judged]
    expected = ir_measures.calc_aggregate([theirs], qrels, run)[theirs]
    assert mean_of(judged, run, "alpha_nDCG@5", "ir_measures") == close(expected)


def test_one_call_to_ir_measures_ranks_ties_in_two_ways() -> None:
    # PEERS' example: RR comes from pytrec_eval, RR@10 from the MS MARCO script, which order ties in opposite ways.
    qrels, run = {"1": {"b": 1}}, {"1": {"a": 1.0, "b": 1.0}}
    theirs = ir_measures.calc_aggregate([ir_measures.RR, ir_measures.RR @ 10], qrels, run)
    assert cf.evaluate(qrels, run, ["RR", "RR@10"], profile="ir_measures").mean == {"RR": 1.0, "RR@10": 0.5}
    assert [theirs[ir_measures.RR], theirs[ir_measures.RR @ 10]] == [1.0, 0.5]


# ranx

RANX = {
    "ndcg@5": "nDCG@5",
    "ndcg": "nDCG",
    "ndcg@5-l2": "nDCG@5",
    "ndcg_burges@5": "nDCG(gain=exponential)@5",
    "dcg@5": "DCG@5",
    "map": "AP",
    "map@3": "AP@3",
    "map@3-l2": "AP@3",
    "mrr": "RR",
    "mrr@2": "RR@2",
    "precision@5": "P@5",
    "precision": "SetP",
    "recall@5": "R@5",
    "recall": "SetR",
    "f1@5": "F@5",
    "f1": "SetF",
    "r-precision": "Rprec",
    "hit_rate@3": "Success@3",
    "rbp.80": "RBP(p=0.8)",
}


def _ranx(qrels: Grades, run: Scores, metric: str) -> float:
    return float(ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), metric, make_comparable=True))


@pytest.mark.parametrize("metric", RANX)
@settings(max_examples=25)
@given(qrels=judgments(), run=runs)
def test_ranx_without_ties(metric: str, qrels: Grades, run: Scores) -> None:
    assume(qrels.keys() & run.keys())
    untied = {topic: {name: 9.0 - at for at, name in enumerate(ranked)} for topic, ranked in run.items()}
    level = 2 if metric.endswith("-l2") else 1
    ours = mean_of(qrels, untied, RANX[metric], "ranx", level=level, complete=True)
    assert ours == close(_ranx(qrels, untied, metric))


@settings(max_examples=25)
@given(qrels=judgments(), run=runs)
def test_ranx_bpref(qrels: Grades, run: Scores) -> None:
    # It divides by 0 where nothing is relevant, or nothing is judged not relevant.
    both = {topic: {**grades, "yes": 1, "no": 0} for topic, grades in qrels.items()}
    assume(both.keys() & run.keys())
    untied = {topic: {name: 9.0 - at for at, name in enumerate(ranked)} for topic, ranked in run.items()}
    assert mean_of(both, untied, "Bpref", "ranx", complete=True) == close(_ranx(both, untied, "bpref"))


@pytest.mark.parametrize("metric", ["ndcg@5", "map", "mrr", "precision@5", "rbp.80"])
@settings(max_examples=25)
@given(qrels=judgments(), run=runs)
def test_ranx_with_ties_is_within_the_range(metric: str, qrels: Grades, run: Scores) -> None:
    assume(qrels.keys() & run.keys())
    measure = parse_one(RANX[metric])
    trial = Trial(qrels, run, [measure], ranks=False)
    value = trial.value(trial.tool(PROFILES["ranx"], measure))
    low, high = (value.low, value.high) if value.low is not None else (value.value, value.value)
    assert low - 1e-9 <= _ranx(qrels, run, metric) <= (high or 0.0) + 1e-9


@pytest.mark.slow
def test_ranx_compiled_is_within_the_range() -> None:
    # Long lists with many ties, where the sort of the compiled ranx is not stable; a seed gives another list each.
    import random

    draw = random.Random(7)
    names = [f"d{number}" for number in range(300)]
    qrels = {topic: {name: draw.randint(0, 3) for name in draw.sample(names, 60)} for topic in TOPICS}
    run = {topic: {name: float(draw.randint(1, 5)) for name in draw.sample(names, 200)} for topic in TOPICS}
    code = "import json, sys, ranx; q, r = json.load(sys.stdin); print(ranx.evaluate(ranx.Qrels(q), ranx.Run(r), 'ndcg@10'))"
    said = subprocess.run(
        [sys.executable, "-c", code], input=json.dumps([qrels, run]), capture_output=True, text=True, check=True
    )
    trial = Trial(qrels, run, ["nDCG@10"], ranks=False)
    value = trial.value(trial.tool(PROFILES["ranx"], trial.measures[0]))
    assert value.low is not None
    assert value.high is not None
    assert value.low < float(said.stdout) < value.high


# gdeval, ndeval


def _gdeval(folder: Path, qrels: Grades, run: Scores, depth: int) -> dict[str, list[float]]:
    """What gdeval.pl prints for each topic: nDCG and ERR, to five places."""
    (folder / "qrels").write_text(
        "".join(f"{topic} 0 {name} {grade}\n" for topic, grades in qrels.items() for name, grade in grades.items())
    )
    (folder / "run").write_text(
        "".join(f"{topic} Q0 {name} 1 {score!r} t\n" for topic, ranked in run.items() for name, score in ranked.items())
    )
    with resources.as_file(resources.files("ir_measures") / "bin" / "gdeval.pl") as script:
        command = ["perl", str(script), str(folder / "qrels"), str(folder / "run"), str(depth)]
        lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[1:]
    return {line.split(",")[1]: [float(cell) for cell in line.split(",")[2:]] for line in lines}


@pytest.mark.skipif(not shutil.which("perl"), reason="gdeval.pl needs perl")
@settings(max_examples=25)
@given(qrels=judgments(), run=runs)
def test_gdeval(tmp_path_factory: pytest.TempPathFactory, qrels: Grades, run: Scores) -> None:
    assume(qrels.keys() & run.keys())
    theirs = _gdeval(tmp_path_factory.mktemp("gdeval"), qrels, run, 5)
    ours = cf.evaluate(qrels, run, ["nDCG@5", "ERR@5"], profile="gdeval")
    assert {topic: [round(value, 5) for value in values.values()] for topic, values in ours.per_query.items()} == theirs


NDEVAL = ["ERR-IA@5", "nERR-IA@5", "alpha-DCG@5", "alpha-nDCG@5", "NRBP", "nNRBP", "MAP-IA", "P-IA@5", "strec@5"]


@settings(max_examples=25)
@given(rows=subtopic_judgments, run=runs, shuffle=st.randoms(use_true_random=False))
def test_ndeval(tmp_path_factory: pytest.TempPathFactory, rows: Any, run: Scores, shuffle: Any) -> None:
    # pyndeval is ndeval without its files: told the order of the ranks, which have nothing to do with the scores.
    assume({row[0] for row in rows} & run.keys())
    lines, ranked = [], []
    for topic, scored in run.items():
        for rank, name in enumerate(shuffle.sample(list(scored), len(scored)), 1):
            lines.append(f"{topic} Q0 {name} {rank} {scored[name]!r} tag\n")
            ranked.append((topic, name, -float(rank)))
    shuffle.shuffle(lines)
    path = tmp_path_factory.mktemp("ndeval") / "a.run"
    path.write_text("".join(lines))
    theirs = pyndeval.ndeval(rows, ranked, NDEVAL)
    ours = cf.evaluate(rows, path, NDEVAL, profile="ndeval")
    assert set(ours.per_query) == set(theirs)
    for topic, values in theirs.items():
        for name, value in values.items():
            if not math.isnan(value):  # nNRBP, where nothing is relevant
                assert ours.per_query[topic][name] == close(value), (topic, name)


@pytest.mark.real_data
def test_ndeval_on_its_example(real_data: Path) -> None:
    # Oracle: the numbers that come with the example, cut off after four places.
    folder = real_data / "ndeval_example"
    expected = dict(line.split("\t") for line in (folder / "expected.tsv").read_text().splitlines())
    ours = cf.evaluate(folder / "qrels.txt", folder / "run.txt", list(expected), profile="ndeval")
    assert {name: math.floor(ours.mean[name] * 1e4 + 1e-9) / 1e4 for name in expected} == {
        name: float(value) for name, value in expected.items()
    }


# BEIR and Elasticsearch: what their sources say, written out


def _beir(qrels: Grades, run: Scores, k: int) -> dict[str, float]:
    """`EvaluateRetrieval.evaluate`: identical ids are dropped, pytrec_eval does the rest, means to five places."""
    kept = {topic: {name: score for name, score in ranked.items() if name != topic} for topic, ranked in run.items()}
    named = {f"ndcg_cut.{k}", f"map_cut.{k}", f"recall.{k}", f"P.{k}"}
    by_topic = pytrec_eval.RelevanceEvaluator(qrels, named).evaluate(kept)
    labels = {"nDCG": f"ndcg_cut_{k}", "AP": f"map_cut_{k}", "R": f"recall_{k}", "P": f"P_{k}"}
    return {
        name: round(sum(values[label] for values in by_topic.values()) / len(by_topic), 5)
        for name, label in labels.items()
    }


@settings(max_examples=60)
@given(qrels=judgments(), run=runs)
def test_beir(qrels: Grades, run: Scores) -> None:
    longer = {topic: {**ranked, "one more": -7.0} for topic, ranked in run.items()}  # what is dropped leaves some
    assume(qrels.keys() & longer.keys())
    ours = cf.evaluate(qrels, longer, ["nDCG@3", "AP@3", "R@3", "P@3"], profile="beir")
    rounded = {name.split("@")[0]: round(value, 5) for name, value in ours.mean.items()}
    assert rounded == pytest.approx(_beir(qrels, longer, 3), abs=1.01e-5)  # 5 places, and the last may be rounded off


def _beir_custom(qrels: Grades, run: Scores, k: int) -> dict[str, float]:
    """`mrr`, `top_k_accuracy` and `recall_cap`: Python's stable sort, and means over all judged topics."""
    totals = {"RR": 0.0, "Success": 0.0, "RelativeP": 0.0}
    for topic in qrels.keys() & run.keys():
        kept = {name: score for name, score in run[topic].items() if name != topic}
        hits = [name for name, _ in sorted(kept.items(), key=lambda item: item[1], reverse=True)][:k]
        relevant = {name for name, grade in qrels[topic].items() if grade > 0}
        ranks = [rank for rank, name in enumerate(hits, 1) if name in relevant]
        totals["RR"] += 1 / ranks[0] if ranks else 0.0
        totals["Success"] += bool(ranks)
        totals["RelativeP"] += len(ranks) / min(len(relevant), k)
    return {name: total / len(qrels) for name, total in totals.items()}


@settings(max_examples=60)
@given(qrels=judgments(), run=runs)
def test_beir_in_python(qrels: Grades, run: Scores) -> None:
    with_relevant = {topic: {**grades, "yes": 1} for topic, grades in qrels.items()}
    assume(qrels.keys() & run.keys())
    expected = _beir_custom(with_relevant, run, 3)
    ours = cf.evaluate(with_relevant, run, ["RR@3", "Success@3", "RelativeP@3"], profile="beir")
    assert {name.split("@")[0]: value for name, value in ours.mean.items()} == close(expected)


def _elasticsearch(qrels: Grades, run: Scores, k: int, most: int) -> dict[str, float]:
    """DiscountedCumulativeGain, PrecisionAtK, RecallAtK, MeanReciprocalRank and ExpectedReciprocalRank."""
    totals = dict.fromkeys(("nDCG", "DCG", "P", "R", "RR", "ERR"), 0.0)
    for topic, grades in qrels.items():
        hits = sorted(run.get(topic, {}).items(), key=lambda item: -item[1])[:k]  # as they are returned
        ratings = [grades.get(name) for name, _ in hits]
        dcg = sum((2**g - 1) / math.log2(i + 1) for i, g in enumerate(ratings, 1) if g is not None)
        ideal = sorted(grades.values(), reverse=True)[: len(ratings)]
        best = sum((2**g - 1) / math.log2(i + 1) for i, g in enumerate(ideal, 1))
        totals["DCG"] += dcg
        totals["nDCG"] += dcg / best if best else 0.0
        found, relevant = sum((g or 0) >= 1 for g in ratings), sum(g >= 1 for g in grades.values())
        totals["P"] += found / len(ratings) if ratings else 0.0
        totals["R"] += found / relevant if relevant else 0.0
        totals["RR"] += next((1 / i for i, g in enumerate(ratings, 1) if (g or 0) >= 1), 0.0)
        going_on = 1.0
        for i, g in enumerate(ratings, 1):
            if g is not None:
                stop = (2**g - 1) / 2**most
                totals["ERR"] += going_on * stop / i
                going_on *= 1 - stop
    return {name: total / len(qrels) for name, total in totals.items()}


@settings(max_examples=60)
@given(qrels=judgments(least=0), run=runs)
def test_elasticsearch(qrels: Grades, run: Scores) -> None:
    assume(qrels.keys() & run.keys())
    names = {"nDCG": "nDCG@4", "DCG": "DCG@4", "P": "P@4", "R": "R@4", "RR": "RR@4", "ERR": "ERR(gmax=4)@4"}
    expected = _elasticsearch(qrels, run, 4, 4)
    for name, measure in names.items():
        assert mean_of(qrels, run, measure, "elasticsearch") == close(expected[name]), name


def test_elasticsearch_of_its_documentation() -> None:
    # DiscountedCumulativeGainTests.java: relevances 3, 2, 3, null, 1, null of a search with six hits, all judged ones
    # 3, 2, 3, 1. It expects DCG 12.779642067948913 and, normalised, 12.779642067948913 / 13.347184833073591.
    qrels = {"1": {"0": 3, "1": 2, "2": 3, "4": 1}}
    run = {"1": {str(hit): -float(hit) for hit in range(6)}}
    assert mean_of(qrels, run, "DCG@10", "elasticsearch") == close(12.779642067948913)
    assert mean_of(qrels, run, "nDCG@10", "elasticsearch") == close(12.779642067948913 / 13.347184833073591)
