"""What an outcome says: undefined cases, words, JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from cranfield.stats.significance.bootstrap import bootstrap_test
from cranfield.stats.significance.equivalence import equivalence_test, non_inferiority_test
from cranfield.stats.significance.outcome import Outcome
from cranfield.stats.significance.randomisation import randomisation_test
from cranfield.stats.significance.sign_test import sign_test
from cranfield.stats.significance.t_test import one_sample_t_test, paired_t_test
from cranfield.stats.significance.wilcoxon import wilcoxon_test
from tests.stats.significance.two_systems import A, B

Test = Callable[[Any, Any], Outcome]

PAIRED: list[Test] = [paired_t_test, wilcoxon_test, sign_test, randomisation_test, bootstrap_test]
WITH_MARGIN: list[Test] = [
    lambda new, baseline: equivalence_test(new, baseline, 0.1),
    lambda new, baseline: non_inferiority_test(new, baseline, 0.1),
]
NEEDS_VARIANCE: list[Test] = [paired_t_test, bootstrap_test, *WITH_MARGIN]


@pytest.mark.parametrize("test", PAIRED + WITH_MARGIN)
@pytest.mark.parametrize("scores", [([], []), ([0.5], [0.4])])
def test_fewer_than_two_topics(test: Test, scores: tuple[list[float], list[float]]) -> None:
    outcome = test(*scores)
    assert outcome.undefined == "there are fewer than two topics"
    assert math.isnan(outcome.p)
    assert math.isnan(outcome.statistic)
    assert not outcome.significant
    assert "there are fewer than two topics." in outcome.sentence
    assert "nan" not in outcome.sentence
    assert outcome.notes == ()  # nothing about a p that is not there
    assert outcome.details.get("degrees_of_freedom", 0) >= 0
    json.dumps(outcome.to_dict(), allow_nan=False)


@pytest.mark.parametrize("test", PAIRED + WITH_MARGIN)
def test_all_differences_zero(test: Test) -> None:
    outcome = test([0.1 + 0.2, 0.5, 0.7], [0.3, 0.5, 0.7])
    assert outcome.undefined == "all differences are zero"
    assert outcome.ties == 3
    assert outcome.notes == ()
    assert outcome.sentence.startswith("The new run is as good as the baseline on average")
    assert outcome.sentence.endswith(f"not tested ({outcome.test}): all differences are zero.")
    assert "nan" not in outcome.sentence
    json.dumps(outcome.to_dict(), allow_nan=False)


@pytest.mark.parametrize("test", NEEDS_VARIANCE)
def test_no_variance(test: Test) -> None:
    # .6 - .5, .3 - .2 and .9 - .8 are the same, though not in binary.
    outcome = test([0.6, 0.3, 0.9], [0.5, 0.2, 0.8])
    assert outcome.undefined == "all differences are equal, so that they have no variance"
    assert outcome.interval is None
    assert outcome.effects == {}
    assert outcome.mean_difference == pytest.approx(0.1)
    assert outcome.sentence.startswith("The new run is better than the baseline by .100; not tested (")


@pytest.mark.parametrize(("test", "p"), [(wilcoxon_test, 2 / 8), (sign_test, 2 / 8), (randomisation_test, 2 / 8)])
def test_equal_differences_have_signs_and_ranks(test: Test, p: float) -> None:
    outcome = test([0.6, 0.3, 0.9], [0.5, 0.2, 0.8])
    assert (outcome.p, outcome.undefined) == (p, None)


def test_one_sample_without_variance() -> None:
    assert one_sample_t_test([0.5, 0.5], 0.5).undefined == "all differences are zero"
    assert "above the target of .400 by .100; not tested" in one_sample_t_test([0.5, 0.5], 0.4).sentence


@pytest.mark.parametrize("test", PAIRED + WITH_MARGIN)
def test_everything_is_there(test: Test) -> None:
    new = np.random.PCG64(1).random_raw(20) / 2**64
    baseline = np.random.PCG64(2).random_raw(20) / 2**64
    told = json.loads(json.dumps(test(new, baseline).to_dict(), allow_nan=False))
    assert told["n"] == told["wins"] + told["ties"] + told["losses"] == 20
    assert told["mean_difference"] == pytest.approx(new.mean() - baseline.mean())
    assert told["interval"]["method"]
    assert told["assumed"]
    assert told["sentence"]
    assert told["effects"]
    assert isinstance(told["notes"], list)
    assert 0 < told["p"] <= 1
    assert set(told) == {
        "test", "symbol", "statistic", "p", "alternative", "n", "wins", "ties", "losses", "mean_difference", "interval",
        "effects", "details", "assumed", "notes", "level", "undefined", "sentence",
    }  # fmt: skip


def test_a_bound_that_is_not_there_is_none_in_json() -> None:
    assert paired_t_test(A, B, alternative="greater").to_dict()["interval"]["upper"] is None


@pytest.mark.parametrize(
    ("outcome", "sentence"),
    [
        # Mean .1, s .0816: t = 2.449, p = .0917 with three degrees of freedom; t at .975 is 3.182: .1 ± 3.182 · .0408.
        (
            paired_t_test([0.1, 0.2, 0.0, 0.1], [0, 0, 0, 0]),
            "The new run is better than the baseline by .100 (95 % interval of the difference: -.030 to .230); a "
            "difference at least this large, either way, would be seen 9 times in 100 if the two were equal (paired t-test, "
            "p = .092).",
        ),
        (
            paired_t_test([0.1, 0.2, 0.0, 0.1], [0, 0, 0, 0], alternative="greater"),
            "The new run is better than the baseline by .100 (95 % bound of the difference: at least .004); a difference "
            "at least this high would be seen 5 times in 100 if the true difference were zero or below (paired t-test, p = .046).",
        ),
        (
            paired_t_test([0, 0, 0, 0], [0.1, 0.2, 0.0, 0.1], alternative="less", level=0.9),
            "The new run is worse than the baseline by .100 (90 % bound of the difference: at most -.033); a difference "
            "at least this low would be seen 5 times in 100 if the true difference were zero or above (paired t-test, p = .046).",
        ),
        (
            one_sample_t_test([0.1, 0.2, 0.0, 0.1], 0.3, alternative="less"),
            "The new run is below the target of .300 by .200 (95 % bound of the difference: at most -.104); a mean at "
            "least this low would be seen 8 times in 1000 if the true mean were .300 or above (one-sample t-test, p = .008).",
        ),
        (
            one_sample_t_test([0.1, 0.2, 0.0, 0.1], 0.1),
            "The new run is at the target of .100 (95 % interval of the difference: -.130 to .130); a mean at least this "
            "far from the target would be seen nearly always if the true mean were .100 (one-sample t-test, p = 1.000).",
        ),
    ],
)  # fmt: skip
def test_sentences(outcome: Outcome, sentence: str) -> None:
    assert outcome.sentence == sentence


def test_sentences_with_names_and_with_less_being_better() -> None:
    outcome = paired_t_test([0.1, 0.2, 0.0, 0.1], [0, 0, 0, 0])
    assert outcome.describe("bm25", "tf-idf").startswith("bm25 is better than tf-idf by .100")
    assert outcome.describe("rm3", "bm25", more_is_better=False).startswith("rm3 is worse than bm25 by .100")


def test_significance_is_p_below_alpha() -> None:
    # Five wins of five: p = 2/32 = .0625.
    d = [1, 2, 3, 4, 5]
    assert not sign_test(d, [0] * 5, level=0.9375).significant
    assert sign_test(d, [0] * 5, level=0.93).significant


def test_a_sentence_is_about_what_the_test_looks_at() -> None:
    new, zeros = [0.1, 0.2, 0.3, 0.4, -0.1], [0.0] * 5
    # Mean .18, s √(.148 / 4) = .1924; t at .975 with four degrees of freedom is 2.776: .18 ± 2.776 · .0860.
    # Four wins and a loss: 2 · (1 + 5) / 32 = .375. W = 15 - 3 = 12 or more: of .1 .1 .2 .3 .4 the ranks are 1.5 1.5 3 4 5.
    assert sign_test(new, zeros).sentence == (
        "The new run is better than the baseline by .180 (95 % t interval of the difference: -.059 to .419); topics split "
        "at least as unevenly as 4 won and 1 lost, either way, would be seen 38 times in 100 if a topic were as likely to be won "
        "as lost (sign test, p = .375)."
    )
    assert (
        "; 4 or more of 5 topics won would be seen 19 times in 100 if a topic were no more likely to be won than lost ("
        in (sign_test(new, zeros, alternative="greater").sentence)
    )
    less = sign_test(new, zeros, alternative="less")
    assert (
        "; 1 or more of 5 topics lost would be seen 97 times in 100 if a topic were no more likely to be lost than won ("
        in (less.sentence)
    )
    assert "; 1 or more of 5 topics won would" in less.describe(more_is_better=False)
    # Of the 32 signs of these ranks three leave 1.5 or less to the losses: 2 · 3 / 32 = .1875.
    ranks = wilcoxon_test(new, zeros).sentence
    assert "95 % t interval" in ranks
    assert (
        "; a sum of signed ranks at least this far from zero, either way, would be seen 19 times in 100 if the differences "
        in ranks
    )
    assert "95 % BCa interval" in bootstrap_test(new, zeros, resamples=100).sentence
    assert "t interval" not in paired_t_test(new, zeros).sentence


def test_a_bootstrap_of_few_topics_says_so() -> None:
    scores = np.random.PCG64(3).random_raw(30) / 2**64
    few = bootstrap_test(scores[:29], np.zeros(29), resamples=100)
    assert few.notes[0].endswith("seed 0; it cannot be below 1/101")
    assert few.notes[1].startswith("below about 30 topics, and here are 29, the bootstrap is too sure of itself")
    assert len(bootstrap_test(scores, np.zeros(30), resamples=100).notes) == 1
