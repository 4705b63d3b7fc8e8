"""The intervals of means: over topics, over unjudged documents and over ties, each against what SciPy or hand says."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import cranfield as cf
from cranfield.errors import UsageError

QRELS = {
    "q1": {"a": 1, "b": 0, "c": 1},
    "q2": {"a": 0, "b": 1},
    "q3": {"a": 1, "b": 1, "c": 0},
    "q4": {"c": 1},
}
RUN = {
    "q1": {"a": 3, "b": 2, "c": 1},
    "q2": {"a": 3, "x": 2, "b": 1},
    "q3": {"c": 3, "a": 2, "b": 2},
    "q4": {"x": 2, "c": 1},
}
AP = [(1 / 1 + 2 / 3) / 2, 1 / 3, (1 / 2 + 2 / 3) / 2, 1 / 2]


def test_the_interval_over_topics_is_that_of_student() -> None:
    found = cf.evaluate(QRELS, RUN, "AP").intervals()["AP"]
    expected = stats.t.interval(0.95, 3, np.mean(AP), stats.sem(AP))
    assert found.mean == pytest.approx(np.mean(AP))
    assert found.topics is not None
    assert (found.topics.lower, found.topics.upper) == pytest.approx(expected, abs=1e-12)
    assert found.number_of_topics == 4


def test_another_confidence_gives_another_width() -> None:
    found = cf.evaluate(QRELS, RUN, "AP").intervals(confidence=0.5)["map"].topics
    expected = stats.t.interval(0.5, 3, np.mean(AP), stats.sem(AP))
    assert found is not None
    assert (found.lower, found.upper) == pytest.approx(expected, abs=1e-12)


def test_the_bootstrap_is_close_to_that_of_scipy() -> None:
    generator = np.random.default_rng(1)
    values = generator.beta(2, 3, 40)
    qrels = {f"q{i}": {"d": 1} for i in range(40)}
    run = {f"q{i}": {"d": 1.0} for i in range(40)}
    evaluated = cf.evaluate(qrels, run, "RR")
    (measure,) = evaluated.measures
    evaluated.columns[measure][:] = values
    found = evaluated.intervals("bootstrap")["RR"].topics
    oracle = stats.bootstrap((values,), np.mean, n_resamples=9999, method="BCa", rng=1).confidence_interval
    assert found is not None
    assert (found.lower, found.upper) == pytest.approx((oracle.low, oracle.high), abs=0.005)
    assert "bootstrap" in found.method


def test_a_geometric_mean_has_the_interval_of_its_logarithms() -> None:
    found = cf.evaluate(QRELS, RUN, "GMAP").intervals()["GMAP"].topics
    logs = np.log(AP)
    expected = np.exp(stats.t.interval(0.95, 3, logs.mean(), stats.sem(logs)))
    assert found is not None
    assert (found.lower, found.upper) == pytest.approx(expected, abs=1e-12)


def test_unjudged_documents_and_ties_are_kept_apart() -> None:
    found = cf.evaluate(QRELS, RUN, "P@2", intervals="t").intervals()["P@2"]
    # Judged: q1 1/2, q2 0, q3 1/2 (c, then one of a and b), q4 1/2. x at rank 2 of q2 and 1 of q4 may be relevant.
    assert found.mean == pytest.approx(1.5 / 4)
    assert found.unjudged is not None
    assert found.ties is not None
    assert (found.unjudged.lower, found.unjudged.upper) == pytest.approx((1.5 / 4, 2.5 / 4))
    assert (found.ties.lower, found.ties.upper) == pytest.approx((1.5 / 4, 1.5 / 4))
    assert found.missing == {}


def test_ties_open_a_range() -> None:
    found = cf.evaluate({"q": {"a": 1}}, {"q": {"a": 1, "b": 1, "c": 1}}, "RR", intervals="t").intervals()["RR"]
    assert found.ties is not None
    assert (found.ties.lower, found.ties.upper, found.ties.how) == (pytest.approx(1 / 3), 1.0, "exact")
    assert found.topics is None
    assert found.missing == {"topics": "there is but one topic"}


@pytest.mark.parametrize(
    ("measure", "reason"),
    [("NumRet", "a sum over the topics, not a mean"), ("P@1", "all topics have the same value")],
)
def test_where_there_is_no_interval_over_topics_it_is_said_why(measure: str, reason: str) -> None:
    qrels = {"q1": {"a": 1}, "q2": {"a": 1}}
    run = {"q1": {"a": 1}, "q2": {"a": 1}}
    assert cf.evaluate(qrels, run, measure).intervals()[measure].missing["topics"] == reason


def test_what_was_not_asked_for_is_said() -> None:
    found = cf.evaluate(QRELS, RUN, "AP").intervals()["AP"]
    assert found.missing == {"unjudged": "not asked for", "ties": "not asked for"}


def test_measures_without_bounds_say_why() -> None:
    found = cf.evaluate(QRELS, RUN, "Bpref", intervals="t").intervals()["Bpref"]
    assert found.unjudged is None
    assert "unjudged" in found.missing["unjudged"]


def test_judged_only_leaves_nothing_open_about_unjudged_documents() -> None:
    found = cf.evaluate(QRELS, RUN, "AP", judged_only=True, intervals="t").intervals()
    (one,) = found.values()
    assert one.unjudged is None
    assert one.ties is not None


def test_as_json() -> None:
    found = cf.evaluate(QRELS, RUN, "AP", intervals="t").intervals()["AP"].to_dict()
    assert set(found) == {"mean", "topics", "unjudged", "ties"}
    assert found["topics"]["level"] == 0.95
    assert all(math.isfinite(found[name][end]) for name in ("topics", "unjudged", "ties") for end in ("lower", "upper"))


def test_an_unknown_way_is_refused() -> None:
    with pytest.raises(UsageError, match="by must be one of t, bootstrap, not 'jackknife'"):
        cf.evaluate(QRELS, RUN, "AP").intervals("jackknife")
