"""The summary in words. Values are worked by hand; what is significant is what `compare` says."""

from __future__ import annotations

from typing import Any

import cranfield as cf
from cranfield.report.html.contents import gather
from cranfield.report.html.summary import Summary, summarise
from cranfield.report.tables.results import results_table
from tests.report.tables.test_results import BAD, GOOD, OLD, QRELS, TOPICS, found_at


def of(qrels: Any, runs: Any, **options: Any) -> Summary:
    return summarise(gather(qrels, runs, **options))


def test_one_run_is_better_and_that_is_sure() -> None:
    found = of(QRELS, {"old": OLD, "good": GOOD}, measures="RR")
    # RR: (7/2 + 1/3)/8 = .479 and (7 + 1/2)/8 = .9375, shown as .938 (half to even of the binary number).
    assert found.headline == "good is better than old: RR .938 against .479."
    assert found.better == ("good is better on 8 topics, equal on 0, worse on 0.",)
    row = cf.compare(QRELS, {"old": OLD}, {"good": GOOD}, "RR")["RR"]
    assert row.significant
    assert found.sure[0].startswith("good minus old is +.458 (95 % interval ")
    assert "would be seen less than once in 1000 times if the two were equal (paired t-test, p < .001)" in found.sure[1]


def test_a_baseline_that_is_better() -> None:
    found = of(QRELS, {"good": GOOD, "bad": BAD}, measures="RR")
    assert found.headline.startswith("good is better than bad: RR .938 against .122")
    assert found.sure[0].startswith("bad minus good is -.815")


def test_a_difference_that_may_be_chance() -> None:
    near = found_at(1, 3, 2, 2, 2, 2, 2, 3)
    found = of(QRELS, {"old": OLD, "near": near}, measures=["RR", "AP"])
    # RR: (1 + 1/3 + 5/2 + 1/3)/8 = .521.
    assert found.headline == "near has the better RR, .521 against .479 of old, but that may be chance."
    assert "AP (.521 against .479, not significant) says the same." in found.better
    assert (
        "would be seen 56 times in 100 if the two were equal (paired t-test, p = .563; p = 1.000 after" in found.sure[1]
    )
    assert "after holm correction for 2 comparisons" in found.sure[1]


def test_measures_that_disagree() -> None:
    qrels = {topic: {"a": 1, "b": 1} for topic in TOPICS}
    early = {topic: {"a": 9.0, "x": 8.0, "y": 7.0} for topic in TOPICS}
    late = {topic: {"x": 9.0, "a": 8.0, "b": 7.0} for topic in TOPICS}
    found = of(qrels, {"early": early, "late": late}, measures=["RR", "R@3"])
    # RR 1 and 1/2; recall 1/2 and 1.
    assert any("R@3 (.500 against 1.000" in sentence and "says the opposite" in sentence for sentence in found.better)


def test_many_runs() -> None:
    found = of(QRELS, {"old": OLD, "good": GOOD, "bad": BAD}, measures="RR")
    assert found.headline == "good has the best RR of 3 runs: .938. It is better than the baseline old (.479)."
    assert found.better[0] == (
        "By RR, of 2 runs compared with old, 1 is significantly better (good), 1 is significantly worse (bad), and 0 "
        "cannot be told from it."
    )
    # Tukey's test of all pairs need not agree with the test of one: of the baseline the latter has the word.
    assert found.better[1:] == ()
    first = of(QRELS, {"good": GOOD, "old": OLD, "bad": BAD}, measures="RR")
    assert first.headline == "good has the best RR of 3 runs: .938. It is the baseline, and no run is better."


def test_measures_that_find_more_say_of_which_runs() -> None:
    # By RR half is as good as old but for one topic; on all others its recall is half of old's.
    qrels = {topic: {"a": 1, "b": 1} for topic in TOPICS}
    old = {topic: {"a": 9.0, "b": 8.0, "x": 7.0} for topic in TOPICS}
    half = {topic: {"a": 9.0, "x": 8.0, "y": 7.0} for topic in TOPICS} | {"q1": {"x": 9.0, "a": 8.0, "b": 7.0}}
    none = {topic: {"x": 9.0} for topic in TOPICS}
    rare = {"q1": {"x": 9.0, "a": 1.0, "b": 0.5}}
    found = of(qrels, {"old": old, "half": half, "none": none | rare}, measures=["RR", "R@3"])
    assert "1 is significantly worse (none)" in found.better[0]
    assert "By R@3, 2 are significantly worse, among them half, of which RR does not say so." in found.better


def test_one_topic_is_not_tested() -> None:
    old, new = {"q1": {"x": 2.0, "a": 1.0}}, {"q1": {"a": 1.0}}
    found = of({"q1": {"a": 1}}, {"old": old, "new": new}, measures=["RR", "AP"])
    # RR and AP: 1/2 and 1.
    assert found.better[1] == "AP (1.000 against .500, not tested) says the same."
    contents = gather({"q1": {"a": 1}}, {"old": old, "new": new}, measures=["RR", "AP"])
    assert contents.comparison is not None
    assert contents.comparison.family_sentence == "no comparison was tested: there are fewer than two topics"
    assert results_table(contents.evaluation, contents.comparison).test == ""
    assert contents.failures is not None
    assert contents.failures.topics[0].traits == ()


def test_runs_that_are_the_same() -> None:
    found = of(QRELS, {"old": OLD, "again": OLD}, measures="RR")
    assert found.headline == "again and old have the same RR on every topic: .479."
    assert found.sure == ("No test: all differences are zero.",)
    assert "again and old return the same first documents for every topic: is it one run twice?" in found.obstacles


def test_numbers_that_differ_are_told_apart() -> None:
    # RR: (7/2 + 1/90)/8 = .438889 and (7/2 + 1/91)/8 = .438874.
    found = of(QRELS, {"near": found_at(*[2] * 7, 90), "far": found_at(*[2] * 7, 91)}, measures=["RR", "AP"])
    assert found.headline == "near has the better RR, .43889 against .43887 of far, but that may be chance."
    assert "AP (.43889 against .43887, not significant) says the same." in found.better
    runs = {"far": found_at(*[2] * 7, 91), "near": found_at(*[2] * 7, 90), "bad": BAD}
    assert of(QRELS, runs, measures="RR").headline == (
        "near has the best RR of 3 runs: .43889. That it is better than the baseline far (.43887) may be chance."
    )


def test_one_run_alone() -> None:
    found = of(QRELS, OLD, measures=["RR", "P@5"])
    assert found.headline == "run has RR .479 over 8 topics."
    assert found.better[0] == "Beside it P@5 .200."
    assert found.sure[0].startswith(
        "Over all topics of this kind, of which these are a sample, the mean may lie anywhere from "
    )


def test_unjudged_documents_could_turn_it_around() -> None:
    # The document above a is not judged in old; were it relevant, old would have RR 1 everywhere, as good has.
    found = of(QRELS, {"old": found_at(*[2] * 8), "good": found_at(*[1] * 8)}, measures="RR")
    (sentence,) = (one for one in found.obstacles if "Not judged" in one)
    assert "50 % (old), none (good)" in sentence
    assert "good 1.000 to 1.000 and old .500 to 1.000: the order of the two could turn around" in sentence


def test_unjudged_documents_could_not_turn_it_around() -> None:
    # Two relevant documents: whatever x is, a at rank 2 of three leaves AP of old below 1.
    qrels = {topic: {"a": 1, "n": 0} for topic in TOPICS}
    old = {topic: {"n": 3.0, "x": 2.0, "a": 1.0} for topic in TOPICS}
    found = of(qrels, {"old": old, "good": found_at(*[1] * 8)}, measures="RR")
    # RR of old is 1/3, or 1/2 if x is relevant; that of good is 1.
    (sentence,) = (one for one in found.obstacles if "Not judged" in one)
    assert "good 1.000 to 1.000 and old .333 to .500: the order of the two would stay as it is" in sentence


def test_ties_that_matter() -> None:
    tied = {topic: {"a": 1.0, "x": 1.0} for topic in TOPICS}
    found = of(QRELS, {"old": OLD, "tied": tied}, measures="RR")
    # x comes first by its name: RR 1/2; in the other order 1.
    assert any("With other orders RR would be: tied .500 to 1.000." in one for one in found.obstacles)


def test_few_topics() -> None:
    found = of(QRELS, {"old": OLD, "near": found_at(1, 3, 2, 2, 2, 2, 2, 3)}, measures="RR")
    assert found.obstacles[0].startswith("8 topics are few: differences as varied as these must be ")
    two = {"q1": {"a": 1}, "q2": {"a": 1}}
    few = of(
        two,
        {"old": {"q1": {"a": 1.0}, "q2": {"x": 2.0, "a": 1.0}}, "new": {"q1": {"x": 2.0, "a": 1.0}, "q2": {"a": 1.0}}},
        measures="RR",
    )
    assert any("not even the largest there can be would be found reliably" in one for one in few.obstacles)
