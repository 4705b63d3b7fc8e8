"""Runs against a baseline."""

from __future__ import annotations

import gzip
import json
import math
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import pytrec_eval
import scipy.stats

import cranfield as cf
from cranfield.errors import CoverageError, ParameterError, UnknownMeasureError, UsageError
from cranfield.evaluation.significance import QUESTIONS
from cranfield.report.tables.comparison_cells import topics_line
from tests.evaluation.ranked_runs import NEW, OLD, judgments, run_with

QRELS = judgments(OLD)


def compare(new: dict[str, int] = NEW, measures: Any = "RR", **options: Any) -> cf.Comparison:
    return cf.compare(QRELS, run_with(OLD), {"new": run_with(new)}, measures, **options)


def test_by_hand() -> None:
    found = compare()["RR", "new"]
    assert (found.run, found.baseline, found.topics) == ("new", "baseline", ("q1", "q2", "q3", "q4", "q5"))
    assert found.baseline_mean == pytest.approx((1 + 1 / 2 + 1 / 4 + 1 / 5 + 1) / 5)
    assert found.mean == pytest.approx((1 + 1 + 1 / 2 + 1 / 10 + 1) / 5)
    assert found.difference == pytest.approx(0.13)
    assert (found.wins, found.equal, found.losses) == (2, 2, 1)
    assert found.by_topic == pytest.approx({"q1": 0, "q2": 0.5, "q3": 0.25, "q4": -0.1, "q5": 0})
    assert [topic for topic, _ in found.gained()] == ["q2", "q3"]
    assert [topic for topic, _ in found.lost()] == ["q4"]
    assert found.gained(1) == [("q2", 0.5)]
    # Sum of squares about the mean: .3225 - 5 · .13² = .238; s = √(.238 / 4); t = .13 / (s / √5)
    deviation = math.sqrt(0.238 / 4)
    assert found.first is not None
    assert found.first.outcome.statistic == pytest.approx(0.13 / (deviation / math.sqrt(5)))
    assert found.effect is not None
    assert (found.effect[0], round(found.effect[1], 9)) == ("d_z", round(0.13 / deviation, 9))
    # The .975 quantile of t with 4 degrees of freedom is 2.776445 in any table.
    assert found.interval is not None
    assert found.interval.upper == pytest.approx(0.13 + 2.776445 * deviation / math.sqrt(5), abs=1e-6)


def test_a_sentence_says_it() -> None:
    # Oracle for p: scipy.stats.t.sf(1.1917, 4) · 2 = .299; the numbers of the interval are those above.
    assert compare()["RR", "new"].sentence == (
        "RR: undecided; on these topics new is better than baseline by .130; over all topics of this kind it may be "
        "anything from .173 worse to .433 better (95 % interval); a difference at least this large, either way, would be "
        "seen 30 times in 100 if the two were equal (paired t-test, p = .299)."
    )


def test_less_is_better() -> None:
    qrels = {topic: {"relevant": 1} for topic in OLD}
    found = cf.compare(qrels, run_with(OLD), {"new": run_with(NEW)}, "SetE@2", alternative="better")["SetE@2", "new"]
    # The F of two documents with the relevant one among them is 2 · (1/2 · 1) / (1/2 + 1) = 2/3, so E is 1/3; else E is 1.
    assert found.baseline_mean == pytest.approx((3 / 3 + 2) / 5)
    assert found.mean == pytest.approx((4 / 3 + 1) / 5)
    assert (found.wins, found.equal, found.losses) == (1, 4, 0)
    assert dict(found.gained()) == pytest.approx({"q3": -2 / 3})
    assert found.lost() == []
    assert "SetE@2: new is better than baseline by .133" in found.sentence
    assert "at least this low would" in found.sentence


def test_neither_more_nor_less_is_better() -> None:
    comparison = compare(measures=["RR", "Judged@1", "NumRet", "NumRel"])
    judged = comparison["Judged@1", "new"]
    # The document at rank 1 is judged in every topic of the new run: it is d1, or the relevant one.
    assert (judged.mean, judged.difference) == (1.0, 0.0)
    assert (judged.first, judged.wins, judged.losses, judged.significant) == (None, None, None, False)
    assert judged.sentence.endswith("not tested: neither more nor less of it is better.")
    assert comparison["NumRel", "new"].sentence.endswith(
        "not tested: it follows from the judgments alone, so that it is the same for every run."
    )
    assert comparison["NumRet", "new"].mean == 20  # a topic, where evaluate has 100 for all five
    assert "counts are means over topics here, not sums" in comparison.notes
    assert comparison.comparisons == 1


def test_geometric_means_are_tested_by_their_logarithms() -> None:
    found = compare(measures="GMAP")["GMAP", "new"]
    # AP is 1 / rank here. ln of the ratios: 0, ln 2, ln 2, -ln 2, 0: their mean is ln 2 / 5.
    assert found.mean / found.baseline_mean == pytest.approx(2**0.2)
    oracle = scipy.stats.ttest_1samp([0, math.log(2), math.log(2), -math.log(2), 0], 0)
    assert found.first is not None
    assert found.first.outcome.p == pytest.approx(oracle.pvalue)
    bounds = [math.exp(bound) for bound in oracle.confidence_interval()]
    assert found.interval is not None
    assert [found.interval.lower, found.interval.upper] == pytest.approx(bounds)
    assert "1.15 times its mean (95 % interval of the ratio: " in found.sentence


def test_topics_gain_by_ratio_where_means_are_geometric() -> None:
    # AP of the old run: 1/2, 1/10, 1/4; of the new one: 1, 1/3, 1/8. q1 gains most, .5, and q2 by the highest ratio, 10/3.
    old, new = {"q1": 2, "q2": 10, "q3": 4}, {"q1": 1, "q2": 3, "q3": 8}
    found = cf.compare(judgments(old), run_with(old), run_with(new), ["GMAP", "AP"])
    assert [topic for topic, _ in found["AP", found.runs[0]].gained()] == ["q1", "q2"]
    geometric = found["GMAP", found.runs[0]]
    assert [topic for topic, _ in geometric.gained()] == ["q2", "q1"]
    assert dict(geometric.gained()) == pytest.approx({"q2": 10 / 3, "q1": 2})
    assert dict(geometric.lost()) == pytest.approx({"q3": 1 / 2})
    assert topics_line(geometric, 4) == "gained most: q2 ×3.33, q1 ×2; lost most: q3 ×0.5"


def test_a_ratio_without_bounds() -> None:
    qrels = judgments({"q1": 1, "q2": 1})
    old, new = run_with({"q1": 1, "q2": 20}), run_with({"q1": 20, "q2": 99})
    found = cf.compare(qrels, old, {"new": new}, "GMAP", alpha=0.0001)["GMAP", "new"]
    assert found.interval is not None
    assert (found.interval.lower, found.interval.upper) == (0.0, math.inf)  # e to the power of ± thousands
    json.dumps(found.to_dict(), allow_nan=False)


def test_text_is_not_compared() -> None:
    assert compare(measures=["RR", "RelString"]).not_compared == {"RelString@10": "it is text"}
    with pytest.raises(UsageError, match="RelString@10 is text and has no values to compare"):
        compare(measures="RelString")


def test_topics_are_matched_by_their_names() -> None:
    order = list(NEW)
    random.Random(1).shuffle(order)
    assert order != list(NEW)
    tests = "t,wilcoxon,sign,permutation,bootstrap"
    straight = compare(tests=tests).to_dict(by_query=True)
    shuffled = compare({topic: NEW[topic] for topic in order}, tests=tests).to_dict(by_query=True)
    assert straight == shuffled


def part(ranks: dict[str, int], *topics: str) -> dict[str, int]:
    return {topic: ranks[topic] for topic in topics}


def test_a_missing_topic_counts_zero() -> None:
    comparison = compare(part(NEW, "q1", "q2", "q3"))
    found = comparison["RR", "new"]
    assert found.by_topic == pytest.approx({"q1": 0, "q2": 0.5, "q3": 0.25, "q4": -0.2, "q5": -1})
    assert found.left_out == ()
    assert "new: 3 of 5 topics, 2 missing (q4, q5: scored 0)" in "\n".join(comparison.notes)


def test_a_missing_topic_is_left_out() -> None:
    old, new = part(OLD, "q1", "q2", "q3", "q4"), part(NEW, "q5", "q4", "q3", "q2")
    comparison = cf.compare(QRELS, run_with(old), {"new": run_with(new)}, "RR", profile="trec_eval-9")
    found = comparison["RR", "new"]
    assert found.by_topic == pytest.approx({"q2": 0.5, "q3": 0.25, "q4": -0.1})
    assert found.left_out == ("q1", "q5")
    assert found.baseline_mean == pytest.approx((1 / 2 + 1 / 4 + 1 / 5) / 3)
    assert comparison.notes[-1] == (
        "new and baseline: left out 2 topics that only one of them has (q1, q5); their means are over 3"
    )


def test_each_run_has_topics_of_its_own() -> None:
    runs = {"a": run_with(part(NEW, "q1", "q2", "q3")), "b": run_with(part(NEW, "q3", "q4"))}
    comparison = cf.compare(QRELS, run_with(OLD), runs, ["RR", "AP"], profile="trec_eval-9")
    assert list(comparison["RR", "a"].by_topic) == ["q1", "q2", "q3"]
    assert list(comparison["RR", "b"].by_topic) == ["q3", "q4"]
    assert comparison.comparisons == 4
    with pytest.raises(CoverageError, match=r"baseline, a, b have no topic in common: leave out --tukey"):
        cf.compare(
            QRELS, run_with(OLD), runs | {"b": run_with(part(NEW, "q4", "q5"))}, profile="trec_eval-9", tukey=True
        )


def test_a_missing_topic_is_an_error() -> None:
    new = part(NEW, "q1", "q2")
    with pytest.raises(CoverageError, match="new: no documents for 3 of 5 judged topics"):
        compare(new, profile="trec_eval-10")
    assert compare(new, profile="trec_eval-10", complete=True)["RR", "new"].by_topic["q5"] == -1


def test_one_topic_in_common() -> None:
    old, new = part(OLD, "q1", "q2"), part(NEW, "q2", "q3")
    comparison = cf.compare(
        QRELS, run_with(old), {"new": run_with(new)}, "RR", profile="trec_eval-9", tests="t,wilcoxon,sign,permutation"
    )
    found = comparison["RR", "new"]
    assert (found.topics, found.difference) == (("q2",), 0.5)
    assert found.sentence == (
        "RR: new is better than baseline by .500; not tested (paired t-test): there are fewer than two topics."
    )
    assert {one.outcome.undefined for one in found.tests.values()} == {"there are fewer than two topics"}
    assert comparison.family_sentence == "no comparison was tested: there are fewer than two topics"
    json.dumps(comparison.to_dict(), allow_nan=False)


def test_no_topic_in_common() -> None:
    old, new = part(OLD, "q1", "q2"), part(NEW, "q3")
    with pytest.raises(
        CoverageError, match=r"no judged topic in common, .*: baseline has 2 \(q1, q2\); new has 1 \(q3\)"
    ):
        cf.compare(QRELS, run_with(old), {"new": run_with(new)}, "RR", profile="trec_eval-9")


def test_identical_runs() -> None:
    comparison = compare(OLD, ["RR", "GMAP"], tests="t,wilcoxon,sign,permutation,bootstrap", tukey=True, all_pairs=True)
    found = comparison["RR", "new"]
    assert (found.difference, found.wins, found.equal, found.losses) == (0, 0, 5, 0)
    assert found.sentence == (
        "RR: new is as good as baseline on average; not tested (paired t-test): all differences are zero."
    )
    assert (found.gained(), found.lost(), found.interval, found.effect) == ([], [], None, None)
    assert not any(row.significant for row in comparison.rows)
    json.dumps(comparison.to_dict(by_query=True), allow_nan=False)


def test_arithmetic_of_the_computer_is_no_difference() -> None:
    # The same three documents in another order: AP of ranks 1, 2, 3 is 1 either way, DCG adds in another order.
    qrels = {f"q{n}": {"a": 0.1, "b": 0.2, "c": 0.3} for n in (1, 2)}
    old = {topic: {"a": 3.0, "b": 2.0, "c": 1.0} for topic in qrels}
    new = {topic: {"c": 3.0, "b": 2.0, "a": 1.0} for topic in qrels}
    found = cf.compare(qrels, old, {"new": new}, "CG")["CG", "new"]
    assert (found.difference, found.equal, set(found.by_topic.values())) == (0.0, 2, {0.0})


@pytest.mark.parametrize(("correction", "factor"), [("bonferroni", 4), ("none", 1)])
def test_the_family_is_all_measures_and_runs(correction: str, factor: int) -> None:
    runs = {"new": run_with(NEW), "worse": run_with({**OLD, "q1": 7, "q5": 9, "q2": 3})}
    comparison = cf.compare(QRELS, run_with(OLD), runs, ["RR", "nDCG@10", "NumRet"], correction=correction)
    assert comparison.comparisons == 4
    assert comparison.family == "2 measures x 2 runs against baseline"
    for row in comparison.rows:
        for tested in row.tests.values():
            assert tested.adjusted == pytest.approx(min(1, factor * tested.outcome.p))
    by_chance = "0.2 look significant by chance" in comparison.family_sentence  # .05 · 4
    assert by_chance is (correction == "none")


def test_corrections_against_statsmodels() -> None:
    from statsmodels.stats.multitest import multipletests

    runs = {str(n): run_with({**OLD, "q1": n, "q5": n + 1, "q2": n + 2}) for n in range(2, 8)}
    for ours, theirs in (("holm", "holm"), ("bh", "fdr_bh"), ("bonferroni", "bonferroni")):
        comparison = cf.compare(QRELS, run_with(OLD), runs, ["RR", "R@3"], correction=ours)
        found = [row.first for row in comparison.rows]
        oracle = multipletests([one.outcome.p for one in found if one], method=theirs)[1]
        assert [one.adjusted for one in found if one] == pytest.approx(oracle.tolist(), abs=1e-12)


def test_one_sided() -> None:
    two, better, worse = (compare(alternative=side)["RR", "new"].tests["t"].outcome for side in QUESTIONS)
    assert better.p == pytest.approx(two.p / 2)  # t is positive
    assert worse.p == pytest.approx(1 - two.p / 2)
    assert better.interval is not None
    assert better.interval.upper == math.inf


def test_the_seed_decides() -> None:
    ranks = {f"q{n}": 1 + n % 7 for n in range(60)}
    other = {f"q{n}": 1 + n % 5 for n in range(60)}
    third = {f"q{n}": 1 + n % 4 for n in range(60)}
    qrels, old = judgments(ranks), run_with(ranks)
    runs = {"b": run_with(other), "c": run_with(third)}

    def p(seed: int, order: str = "bc", **options: Any) -> dict[str, float]:
        some = {name: runs[name] for name in order}
        found = cf.compare(
            qrels, old, some, "RR", tests=["permutation", "bootstrap"], seed=seed, resamples=999, **options
        )
        return {f"{row.run} {name}": one.outcome.p for row in found.rows for name, one in row.tests.items()}

    assert p(0) == p(0)
    assert p(0) == p(0, "cb")
    assert p(0)["b randomisation"] == p(0, "b")["b randomisation"]
    assert p(0) != p(1)


def test_all_pairs() -> None:
    runs = {"b": run_with(NEW), "c": run_with({**NEW, "q1": 3})}
    comparison = cf.compare(QRELS, run_with(OLD), runs, ["RR", "AP"], all_pairs=True, tukey=True)
    assert comparison.comparisons == 6
    assert comparison.family == "2 measures x 3 pairs of runs"
    # c is b but for q1, where it has 1/3 instead of 1.
    assert comparison["RR", "c", "b"].difference == pytest.approx((1 / 3 - 1) / 5)
    difference = comparison["RR", "c"].difference
    assert difference == pytest.approx(comparison["RR", "b"].difference + comparison["RR", "c", "b"].difference)
    anova, tukey = next(iter(comparison.tukey.values()))
    assert (anova.systems, anova.topics, tukey.comparisons) == (3, 5, 3)


def test_what_was_changed_is_recorded() -> None:
    assert compare(change="stemming").change == {"new": "stemming"}
    runs = {"a": run_with(NEW), "b": run_with(NEW)}
    both = cf.compare(QRELS, run_with(OLD), runs, "RR", change=["stemming", "synonyms"])
    assert both.to_dict()["change"] == {"a": "stemming", "b": "synonyms"}
    with pytest.raises(UsageError, match="expected one change for all runs or one for each of 2, found 3"):
        cf.compare(QRELS, run_with(OLD), runs, "RR", change=["x", "y", "z"])


def test_assumptions_and_a_bayesian_reading() -> None:
    found = compare(measures=["RR", "SetE", "Judged@10"], check=True, rope=0.01)
    first = found["RR", "new"]
    assert first.assumptions is not None
    assert first.assumptions.undefined == "there are fewer than 8 topics"
    assert first.posterior is not None
    # With a flat prior the posterior of the mean is Student's t: Pr(T > (.01 - .13) / se), four degrees of freedom.
    error = math.sqrt(0.238 / 4 / 5)
    assert first.posterior.better == pytest.approx(scipy.stats.t.sf((0.01 - 0.13) / error, 4))
    assert found["Judged@10", "new"].posterior is None
    assert found.to_dict()["comparisons"][0]["posterior"]["sentence"].startswith("Given these topics, new is better")


def test_shapes_and_names() -> None:
    run, other = run_with(OLD), run_with(NEW)
    assert cf.compare(QRELS, run, other, "RR").runs == ("run-2",)
    assert cf.compare(QRELS, run, [other, other], "RR").runs == ("run-2", "run-3")
    named = cf.compare(QRELS, cf.Run.from_dict(run, name="old"), {"new": other, "newer": other}, "RR")
    assert (named.baseline, named.runs) == ("old", ("new", "newer"))
    assert cf.compare(QRELS, cf.Run.from_dict(run, name="new"), {"new": other}, "RR").baseline == "baseline"
    assert cf.compare(QRELS, run, {"baseline": other}, "RR").baseline == "the baseline"
    assert [str(measure) for measure in cf.compare(QRELS, run, other).measures] == ["nDCG@10", "AP", "Judged@10"]


def test_any_spelling_finds_a_comparison() -> None:
    comparison = compare(measures=["nDCG@10"])
    assert comparison["ndcg_cut_10", "new"] is comparison[cf.nDCG @ 10, "new"]
    for key in (("RR", "new"), ("nDCG@10", "old"), ("nonsense", "new")):
        with pytest.raises(KeyError, match=r"not compared\. Measures: nDCG@10; runs: new"):
            comparison[key]
    assert comparison["nDCG@10"] is comparison["nDCG@10", "new"]
    several = cf.compare(QRELS, run_with(OLD), {"a": run_with(NEW), "b": run_with(NEW)}, "RR")
    with pytest.raises(KeyError, match=r"RR, which run against baseline: not compared\. Measures: RR; runs: a, b"):
        several["RR"]


def test_an_unknown_option_is_this_function_s() -> None:
    with pytest.raises(TypeError, match=r"compare\(\) has no option 'test'. Did you mean tests"):
        compare(test="t")


def test_a_sign_test_counts_topics_won_where_less_is_better() -> None:
    # SetE@2 is lower where the relevant document is among the first two.
    found = compare(measures="SetE@2", tests="sign", alternative="better")["SetE@2"]
    assert (found.wins, found.losses) == (1, 0)  # q3 comes up from rank 4 to 2
    assert (
        "; 1 or more of 1 topics won would be seen 50 times in 100 if a topic were no more likely to be won than lost"
        in (found.sentence)
    )
    worse = cf.compare(QRELS, run_with(NEW), {"old": run_with(OLD)}, "SetE@2", tests="sign")["SetE@2"]
    assert "at least as unevenly as 0 won and 1 lost, either way" in worse.sentence


def test_exact_p_values_are_noted_once() -> None:
    comparison = compare(measures=["RR", "R@1"], tests="randomisation")
    assert (
        comparison["RR"].tests["randomisation"].outcome.notes != comparison["R@1"].tests["randomisation"].outcome.notes
    )
    note = "randomisation test: p is exact where few topics differ, over all choices of signs"
    assert comparison.test_notes.count(note) == 1
    assert [one for one in comparison.notes if one.startswith("randomisation")] == [note]


def test_records_are_flat_and_free_of_nan() -> None:
    comparison = compare(measures=["RR", "Judged@10"], tests="t,sign")
    records = comparison.records()
    assert [(r["measure"], r["test"]) for r in records] == [("RR", "t"), ("RR", "sign"), ("Judged@10", "")]
    assert records[1]["p"] == 1.0  # two wins, one loss: (1 + 3) / 8 · 2 is at least 1
    assert records[2]["undefined"] == "neither more nor less of it is better"
    json.dumps(records, allow_nan=False)


def test_every_measure_of_trec_eval_without_nan() -> None:
    comparison = compare(
        measures="all_trec", tests="t,wilcoxon,sign,permutation,bootstrap", tukey=True, check=True, rope=0
    )
    assert comparison.comparisons > 50
    json.dumps(comparison.to_dict(by_query=True), allow_nan=False)
    assert "nan" not in repr(comparison)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"tests": "z"}, UsageError, "unknown test 'z'"),
        ({"tests": []}, UsageError, "no test is named"),
        ({"alternative": "greater"}, ParameterError, "alternative must be one of two-sided, better, worse, not 'greater'"),
        ({"correction": "sidak"}, ParameterError, "correction must be one of holm, bonferroni, bh, none, not 'sidak'"),
        ({"alpha": 5}, ParameterError, "alpha must be a number above 0 and below 1, not 5"),
        ({"resamples": 0}, ParameterError, "resamples must be a whole number of at least 1, not 0"),
        ({"rope": -1.0}, ParameterError, "rope must be a number of at least 0"),
        ({"requirements": "AP drop <= .1 in tail"}, UsageError, "is about the slice 'tail'; --slices"),
        ({"slices": {"a": ["q1"]}, "requirements": "AP improves in b"}, UsageError, "there is no slice 'b'"),
        ({"slices": {"a": "q1"}}, UsageError, r"slices is dict, not a file or \{slice: \[topic, ...\]\}"),
        ({"slices": {"all": ["q1"]}}, UsageError, "slices: 'all' stands for all topics"),
        ({"slices": {"a": ["x"]}}, CoverageError, r"none of their topics is judged \(slices: x; judgments: q1, q2, q3"),
        ({"measures": "nDGC"}, UnknownMeasureError, "Did you mean nDCG"),
        ({"profile": "trec"}, UsageError, "unknown profile 'trec'"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_said(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        compare(**options)


def test_a_baseline_is_one_run() -> None:
    with pytest.raises(UsageError, match="the baseline is one run, found 2"):
        cf.compare(QRELS, [run_with(OLD), run_with(NEW)], run_with(NEW))
    named = cf.compare(QRELS, {"live": run_with(OLD)}, {"new": run_with(NEW)}, "RR")
    assert (named.baseline, named.runs) == ("live", ("new",))
    assert cf.compare(QRELS, {"live": run_with(OLD)}, [run_with(NEW)], "RR").baseline == "live"
    with pytest.raises(UsageError, match="the baseline and one of the runs are both named 'new'"):
        cf.compare(QRELS, {"new": run_with(OLD)}, {"new": run_with(NEW)}, "RR")
    with pytest.raises(UsageError, match="there is no run to compare with the baseline"):
        cf.compare(QRELS, run_with(OLD), [])


def _oracle_values(qrels: Path, run: Path) -> dict[str, dict[str, float]]:
    """Values by pytrec_eval (trec_eval 9), by topic, those of topics the run lacks 0."""
    judged: dict[str, dict[str, int]] = {}
    for line in qrels.read_text().splitlines():
        query, _, document, grade = line.split()
        judged.setdefault(query, {})[document] = int(grade)
    scores: dict[str, dict[str, float]] = {}
    with gzip.open(run, "rt") if run.suffix == ".gz" else run.open() as lines:
        for line in lines:
            query, _, document, _, score, *_ = line.split()
            scores.setdefault(query, {})[document] = float(score)
    values = pytrec_eval.RelevanceEvaluator(judged, {"ndcg_cut_10", "P_5"}).evaluate(scores)
    return {query: values.get(query, {"ndcg_cut_10": 0.0, "P_5": 0.0}) for query in judged}


@pytest.mark.real_data
@pytest.mark.parametrize(("folder", "qrels"), [("dl19", "qrels.dl19-passage.txt"), ("trec_covid_r1", "qrels-rnd1.txt")])
def test_real_runs_against_scipy(real_data: Path, folder: str, qrels: str) -> None:
    """Values by pytrec_eval, tests by SciPy: neither is ours."""
    judged = real_data / folder / qrels
    baseline, *runs = sorted((real_data / folder / "runs").iterdir())[:6]
    tests = "t,wilcoxon,sign,permutation"
    comparison = cf.compare(
        judged, baseline, runs, ["nDCG@10", "P@5"], tests=tests, resamples=20_000, profile="trec_eval-9", complete=True
    )
    old = _oracle_values(judged, baseline)
    checked = 0
    for path, name in zip(runs, comparison.runs, strict=True):
        new = _oracle_values(judged, path)
        for measure, theirs in (("nDCG@10", "ndcg_cut_10"), ("P@5", "P_5")):
            found = comparison[measure, name]
            pairs = [(new[topic][theirs], old[topic][theirs]) for topic in old]
            first, second = map(list, zip(*pairs, strict=True))
            t = scipy.stats.ttest_rel(first, second)
            outcomes = {test: one.outcome for test, one in found.tests.items()}
            assert outcomes["t"].statistic == pytest.approx(t.statistic, rel=1e-6)
            assert outcomes["t"].p == pytest.approx(t.pvalue, rel=1e-5)
            assert outcomes["t"].interval is not None
            low, high = t.confidence_interval()
            assert (outcomes["t"].interval.lower, outcomes["t"].interval.upper) == pytest.approx((low, high), abs=1e-6)
            # pytrec_eval computes in double: differences below 1e-9 are ties.
            signs = [round(a - b, 9) for a, b in pairs]
            wins, losses = sum(d > 0 for d in signs), sum(d < 0 for d in signs)
            assert (found.wins, found.losses) == (wins, losses)
            assert outcomes["sign"].p == pytest.approx(scipy.stats.binomtest(wins, wins + losses).pvalue)
            sizes = [abs(d) for d in signs if d]
            if len(set(sizes)) == len(sizes) <= 50:
                exact = scipy.stats.wilcoxon([d for d in signs if d], method="exact")
                assert outcomes["wilcoxon"].p == pytest.approx(exact.pvalue)
                checked += 1
            # Two estimates from 20,000 draws: the standard error of their difference is at most √(2 · .25 / 20000) = .005
            shuffled = scipy.stats.permutation_test(
                (signs,), np.mean, permutation_type="samples", n_resamples=20_000, vectorized=True, random_state=0
            )
            assert outcomes["randomisation"].p == pytest.approx(shuffled.pvalue, abs=0.025)
            assert found.baseline_mean == pytest.approx(sum(second) / len(second), abs=1e-6)
    assert checked >= 5
