"""Estimates from a sample of the pool: by hand, what they say when they lack something, and beside other tools."""

from __future__ import annotations

import io
from collections import defaultdict
from pathlib import Path

import ir_measures
import numpy as np
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield.errors import DataError, UsageError
from cranfield.measures import evaluate_one

EPSILON = 1e-5

# By hand


def test_xinfap_by_hand() -> None:
    # Stratum 1: three of three judged. Stratum 2: two of four judged, so that each stands for two.
    # R is estimated as 2 · 3/3 + 1 · 4/2 = 4. Above rank 2 stands nothing of the pool, above rank 4 one relevant
    # document of stratum 1 and one of stratum 2 that was not judged, above rank 5 also the one at rank 4.
    at_2 = 1 / 2
    unknown = 1 * EPSILON / (3 * EPSILON)
    at_4 = (1 + (1 + EPSILON) / (1 + 3 * EPSILON) + unknown) / 4
    at_5 = (1 + (1 + EPSILON) / (1 + 3 * EPSILON) + 2 * (1 + EPSILON) / (1 + 3 * EPSILON)) / 5
    expected = (1 * at_2 + 2 * at_4 + 1 * at_5) / 4
    grades = [None, 1, -1, 1, 1, None]
    found = evaluate_one("xinfAP", grades, unretrieved=[0, 0, -1], strata="1221122")
    assert found == pytest.approx(expected, abs=5e-5)
    # Down to rank 4 only
    assert evaluate_one("xinfAP@4", grades, unretrieved=[0, 0, -1], strata="1221122") == pytest.approx(
        (at_2 + 2 * at_4) / 4, abs=5e-5
    )


def test_inferred_precision_by_hand() -> None:
    # Among the first four: one of stratum 1, relevant; two of stratum 2, one of them judged and relevant: (1 + 2) / 4
    assert evaluate_one("infP@4", [None, 1, -1, 1], unretrieved=[0], strata="1222") == pytest.approx(3 / 4, abs=5e-5)


def test_infndcg_by_hand() -> None:
    # Stratum 1: gain 2 at rank 1, judged 1 of 1. Stratum 2: gain 3 at rank 3; 3 retrieved, 2 of them judged: 3/2.
    # Stratum 2 has 5 documents, 3 judged: 5/3 = 1.67 of gain 3 and as many of gain 1, rounded 2; ideal 3 3 2 1 1.
    log2 = np.log2
    found = 2 / log2(2) + 3 / 2 * 3 / log2(4)
    ideal = 3 / log2(2) + 3 / log2(3) + 2 / log2(4) + 1 / log2(5) + 1 / log2(6)
    grades, missed, strata = [2, -1, 3, 0], [1, -1], "122222"
    assert evaluate_one("infNDCG", grades, unretrieved=missed, strata=strata) == pytest.approx(found / ideal, abs=5e-5)
    # At 2 nothing of stratum 2 that was judged is seen.
    ideal = 3 / log2(2) + 3 / log2(3)
    assert evaluate_one("infNDCG@2", grades, unretrieved=missed, strata=strata) == pytest.approx(2 / ideal, abs=5e-5)
    # Exponential gains: 3, 7, and 1 for grades 2, 3, and 1
    found = 3 / log2(2) + 3 / 2 * 7 / log2(4)
    ideal = 7 / log2(2) + 7 / log2(3) + 3 / log2(4) + 1 / log2(5) + 1 / log2(6)
    measure = "infNDCG(gain=exponential)"
    assert evaluate_one(measure, grades, unretrieved=missed, strata=strata) == pytest.approx(found / ideal, abs=5e-5)


def test_statap_by_hand() -> None:
    # Relevant documents with probabilities 1, 1/2, 1/4 at ranks 1, 3, 4, and one missed with 1/5: R = 1 + 2 + 4 + 5.
    # The precision at rank 3 counts itself once and the one above once, at rank 4 those above as 1 + 2.
    total = 1 + 2 + 4 + 5
    average = (1 * 1 / 1 + 2 * (1 + 1) / 3 + 4 * (1 + 3) / 4) / total

    def estimate(measure: str) -> float:
        return float(evaluate_one(measure, [1, 0, 1, 1], unretrieved=[1], probabilities=[1, 0.1, 0.5, 0.25, 0.2]))

    assert estimate("statNumRel") == total
    assert estimate("statAP") == pytest.approx(average, abs=5e-5)
    assert estimate("statP@3") == pytest.approx((1 + 2) / 3, abs=5e-5)
    assert estimate("statRprec") == pytest.approx((1 + 2 + 4) / 12, abs=5e-5)
    # What one more such document changes; the first one is certain.
    z_3 = (2 / 3 + 4 / 4 - average) / total
    z_4 = (4 / 4 - average) / total
    z_missed = -average / total
    variance = 0.5 / 0.5**2 * z_3**2 + 0.75 / 0.25**2 * z_4**2 + 0.8 / 0.2**2 * z_missed**2
    assert estimate("statAPVar") == pytest.approx(variance, abs=5e-5)
    assert estimate("statAPError") == pytest.approx(variance**0.5, abs=5e-5)


def test_variance_by_hand_from_strata() -> None:
    # One stratum of 6, three judged: relevant at rank 1, not relevant at rank 2, relevant and missed. Each stands for 2.
    average = 2 * 1 / 4
    z = [(1 - average) / 4, 0.0, -average / 4]
    mean = sum(z) / 3
    variance = 6 * (6 - 3) / 3 * sum((one - mean) ** 2 for one in z) / (3 - 1)
    found = evaluate_one("statAPVar", [1, 0, -1], unretrieved=[1, -1, -1], strata="aaaaaa")
    assert found == pytest.approx(variance, abs=5e-5)
    # A stratum with one judged document of two, which stands for 2: as if drawn with probability 1/2.
    # R = 2 + 1, statAP = (2 · 1 + 1 · 3/2) / 3 = 7/6, z = (1 + 1/2 - 7/6) / 3 = 1/9
    found = evaluate_one("statAPVar", [1, 1], unretrieved=[-1], strata="aba")
    assert found == pytest.approx(0.5 / 0.5**2 / 81, abs=5e-5)


def test_the_error_of_a_mean() -> None:
    # One query as in the docstring of statAPVar, variance 2/81, and one judged for certain: 2/81/4, and its root.
    rows = [("a", "d1", 1, 0.5), ("a", "d2", 1, 1.0), ("b", "d1", 1, 1.0)]
    names = ("query_id", "doc_id", "relevance", "probability")
    qrels = [dict(zip(names, row, strict=True)) for row in rows]
    run = {"a": {"d1": 2.0, "d2": 1.0}, "b": {"d1": 1.0}}
    mean = cf.evaluate(qrels, run, ["statAP", "statAPVar", "statAPError"]).mean
    assert mean["statAP"] == pytest.approx((7 / 6 + 1) / 2)
    assert mean["statAPVar"] == pytest.approx(2 / 81 / 4)
    assert mean["statAPError"] == pytest.approx((2 / 81) ** 0.5 / 2)


def test_what_was_not_left_to_chance_is_certain() -> None:
    # Methods 0 and 2 of prels: 1 each; method 1 with probability 1/4: 4
    prels = io.StringIO("q a 1 0 0.5\nq b 1 2 0.5\nq c 1 1 0.25\n")
    result = cf.evaluate(prels, {"q": {"a": 1.0}}, ["statNumRel", "statAP"])
    assert result.mean["statNumRel"] == 6
    assert result.mean["statAP"] == pytest.approx(1 / 6)


# What is missing


@pytest.mark.parametrize("measure", ["xinfAP", "infP@10", "infNDCG@10"])
def test_without_strata(measure: str) -> None:
    with pytest.raises(DataError) as error:
        cf.Evaluator({"q": {"d": 1}}, [measure])
    assert str(error.value) == (
        f"qrels: {measure} needs strata: the stratum each document of the pool was sampled from, and grade -1 for those "
        "not judged (lines `query 0 document stratum grade`, or a column named stratum)"
    )


@pytest.mark.parametrize("measure", ["statAP", "statAPVar", "statAPError", "statNumRel", "statP@10", "statRprec"])
def test_without_sampling_information(measure: str) -> None:
    with pytest.raises(DataError) as error:
        cf.Evaluator({"q": {"d": 1}}, [measure])
    assert str(error.value) == (
        f"qrels: {measure} needs sampling information: the inclusion probability of each judged document (lines `query "
        "document grade method probability`), or the stratum of each document of the pool (lines `query 0 document "
        "stratum grade`), or a column named probability or stratum"
    )


def test_every_document_has_its_own_stratum_and_probability() -> None:
    with pytest.raises(UsageError, match="2 strata for 3 documents with a grade; give each its own"):
        evaluate_one("xinfAP", [1, None, 0], unretrieved=[1], strata="ab")
    with pytest.raises(UsageError, match="1 probabilities for 2 documents with a grade"):
        evaluate_one("statAP", [1, 0], probabilities=[1])
    with pytest.raises(DataError, match="row 2: inclusion probability 0 is not above 0 and at most 1"):
        evaluate_one("statAP", [1, 0], probabilities=[1, 0])


# Other tools

judged = st.lists(st.integers(-1, 3), min_size=1, max_size=12)


@settings(max_examples=60, deadline=None)
@given(grades=judged, order=st.randoms(use_true_random=False), outside=st.integers(0, 5))
def test_infap_is_that_of_trec_eval(grades: list[int], order: object, outside: int) -> None:
    """pytrec_eval 0.5.11 and ir_measures 0.4.3, both on trec_eval's own code."""
    qrels = {"q": {f"d{at}": grade for at, grade in enumerate(grades)}}
    documents = [f"d{at}" for at in range(len(grades) + outside)]
    order.shuffle(documents)  # type: ignore[attr-defined]
    run = {"q": {document: float(-at) for at, document in enumerate(documents)}}
    found = cf.evaluate(qrels, run, "infAP").mean["infAP"]
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"infAP"}).evaluate(run)["q"]["infAP"]
    assert found == pytest.approx(theirs, abs=1e-9)
    assert found == pytest.approx(
        ir_measures.calc_aggregate([ir_measures.infAP], qrels, run)[ir_measures.infAP], abs=1e-9
    )


SAMPLE_EVAL_QRELS = """
1 0 a 1 2\n1 0 b 1 0\n1 0 c 1 1\n1 0 d 2 -1\n1 0 e 2 1\n1 0 f 2 0\n1 0 g 2 -1\n1 0 h 2 3\n1 0 i 3 -1\n1 0 j 3 0
1 0 k 3 -1\n1 0 l 3 1\n1 0 m 3 -1\n1 0 n 3 -1\n2 0 a 1 0\n2 0 b 1 -1\n2 0 c 2 0\n3 0 a 7 1\n3 0 b 7 -1\n3 0 c 9 -1
"""


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("xinfAP@1000", (0.49832919178478818, 0, 0.55555555555555558)),
        ("infNDCG@1000", (0.54559819185309555, 0, 0.61314719276545848)),
        ("infP@10", (0.54999275019874427, 0.033334333303334233, 0.23332933345332973)),
        ("infP@50", (0.15333136671883185, 0.0066668666606668472, 0.046665866690665948)),
        ("statNumRel", (8.3333333333333339, 0, 2)),
    ],
)
def test_what_sample_eval_computes(measure: str, expected: tuple[float, ...]) -> None:
    """infAP, infNDCG, iP10, iP50 and inum_rel of the computing part of sample_eval.pl (10 October 2011), in Perl."""
    ranked = {"1": "daxihbkylfmez", "2": "cb", "3": "bca"}
    run = {query: {document: -at for at, document in enumerate(ranked[query])} for query in ranked}
    found = cf.evaluate(io.StringIO(SAMPLE_EVAL_QRELS), run, measure)[measure]
    assert list(found.values()) == pytest.approx(expected, abs=1e-9)


def one_by_one(grades: list[int], strata: list[int], ranked: list[int | None], depth: int) -> dict[str, float]:
    """xinfAP, infNDCG and infP of one query from the formulas, document by document; a ranked None is not pooled."""
    names = sorted(set(strata))
    size = {s: strata.count(s) for s in names}
    known = {s: sum(g >= 0 for g, of in zip(grades, strata, strict=True) if of == s) for s in names}
    worth: dict[int, float] = defaultdict(float)
    for s in names:
        for level in sorted(set(grades)):
            here = sum(g == level for g, of in zip(grades, strata, strict=True) if of == s)
            if level > 0 and here:
                worth[level] += here * size[s] / known[s]
    pool, judged, relevant, gain = (dict.fromkeys(names, 0.0) for _ in range(4))
    total = 0.0
    for rank, at in enumerate(ranked[:depth], 1):
        if at is None:
            continue
        s, grade = strata[at], grades[at]
        if grade > 0:
            above = sum(pool[t] * (relevant[t] + EPSILON) / (judged[t] + 3 * EPSILON) for t in names)
            total += size[s] / known[s] * (1 + above) / rank
            gain[s] += grade / np.log2(rank + 1)
        pool[s] += 1
        judged[s] += grade >= 0
        relevant[s] += grade > 0
    ideal = [level for level in sorted(worth, reverse=True) for _ in range(int(worth[level] + 0.5))][:depth]
    best = sum(level / np.log2(rank + 1) for rank, level in enumerate(ideal, 1))
    found = sum(pool[s] * gain[s] / judged[s] for s in names if judged[s])
    return {
        "xinfAP": total / sum(worth.values()) if worth else 0.0,
        "infNDCG": found / best if best else 0.0,
        "infP": sum(pool[s] * (relevant[s] + EPSILON) / (judged[s] + 3 * EPSILON) for s in names) / depth,
    }


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_strata_of_many_queries_at_once(data: st.DataObject) -> None:
    """The formulas applied to one document after the other give the same, however queries and strata are mixed."""
    lines, run, expected = [], {}, {}
    depth = data.draw(st.sampled_from([3, 8, 1000]))
    for query in "abc":
        grades = data.draw(st.lists(st.integers(-1, 3), min_size=1, max_size=14))
        strata = [data.draw(st.integers(0, 3)) for _ in grades]
        places: list[int | None] = [*range(len(grades)), None, None]
        ranked = data.draw(st.permutations(places))[: data.draw(st.integers(1, len(places)))]
        lines += [f"{query} 0 d{at} {strata[at]} {grades[at]}" for at in range(len(grades))]
        run[query] = {f"x{rank}" if at is None else f"d{at}": -rank for rank, at in enumerate(ranked)}
        expected[query] = one_by_one(grades, strata, ranked, depth)
    measures = [f"{name}@{depth}" for name in ("xinfAP", "infNDCG", "infP")]
    result = cf.evaluate(io.StringIO("\n".join(lines)), run, measures)
    for query, found in expected.items():
        for name, value in found.items():
            assert result.per_query[query][f"{name}@{depth}"] == pytest.approx(value, abs=1e-9)


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("file", "relevant"),
    [
        ("prels.mq.10001-20000.txt", 88263.7143),
        ("prels.mq.20001-60000.txt", 78526.6532),
        ("prels.web.1-50.txt", 25036.3687),
    ],
)
def test_totals_of_real_samples(real_data: Path, file: str, relevant: float) -> None:
    """awk '$3 > 0 { n += ($4 == 1) ? 1 / $5 : 1 } END { print n }' prints the total."""
    by_query: defaultdict[str, float] = defaultdict(float)
    run: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for line in (real_data / "prels" / file).read_text().splitlines():
        query, document, grade, method, probability = line.split()
        by_query[query] += (1 / float(probability) if method == "1" else 1) if float(grade) > 0 else 0
        run[query][document] = float(len(run[query]))
    result = cf.evaluate(real_data / "prels" / file, run, ["statNumRel", "statP@100000"])
    assert result.mean["statNumRel"] == pytest.approx(relevant, abs=1e-4)
    assert result["statNumRel"] == pytest.approx(by_query, abs=1e-6)
    if "web" in file:
        # Published output of statAP_MQ_eval_v3.pl: topic=1 Relevant=220.290989 sampled=246 sampled_relev=86
        assert result["statNumRel"]["1"] == pytest.approx(220.290989, abs=5e-7)
    # Every document is retrieved, so that all of R is found.
    assert result["statP@100000"] == pytest.approx({query: total / 1e5 for query, total in by_query.items()}, abs=1e-9)


@pytest.mark.real_data
def test_what_the_script_of_the_million_query_track_computes(real_data: Path) -> None:
    """AP, Relevant, Prec_at_10 and R-prec of the computing part of statAP_MQ_eval_v3.pl, in Perl.

    The run has every other document of a topic, in byte order.
    """
    file = real_data / "prels/prels.mq.20001-60000.txt"
    documents: defaultdict[str, list[str]] = defaultdict(list)
    sampled = set()
    for line in file.read_text().splitlines():
        query, document, _, method, _ = line.split()
        documents[query].append(document)
        sampled.update([query] if method in "124" else [])
    run = {query: {document: -at for at, document in enumerate(sorted(of)[::2])} for query, of in documents.items()}
    result = cf.evaluate(file, run, ["statAP", "statNumRel", "statP@10", "statRprec", "NumRet"])
    for query, *expected in (
        ("20001", 0.07067278025504338, 220.2909891863838, 0, 0.25765101205839697),
        ("20002", 0.13048874800349075, 98.990449682259339, 0.1, 0.41311772373696037),
        ("20004", 0.090626495583015568, 70.756883787829892, 0.4, 0.19718309859154928),
        ("20006", 0.015503004473016346, 87.037501203663055, 0, 0.022988505747126436),
    ):
        found = [result.per_query[query][name] for name in ("statAP", "statNumRel", "statP@10", "statRprec")]
        assert found == pytest.approx(expected, abs=1e-9)
    # valid_topics and statMAP_on_valid_topics: those that were sampled and have a relevant document
    valid = [query for query, relevant in result["statNumRel"].items() if relevant and query in sampled]
    assert len(valid) == 592
    assert sum(result["statAP"][query] for query in valid) / 592 == pytest.approx(0.7259120800244904, abs=1e-9)
