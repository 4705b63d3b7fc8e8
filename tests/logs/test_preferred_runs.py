"""Runs scored on preferences."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.data.preferences import Preferences
from cranfield.data.run import Run
from cranfield.errors import DataError, UsageError
from cranfield.logs.preferred_runs import score_on_preferences


def pairs(**by_topic: list[str]) -> Preferences:
    """`ab` is a over b."""
    rows = [
        (topic, str(number), "0", document, 1 - at)
        for topic, preferred in by_topic.items()
        for number, pair in enumerate(preferred)
        for at, document in enumerate(pair)
    ]
    return Preferences.from_tuples(rows)


def run(name: str, **by_topic: str) -> Run:
    return Run.from_dict({t: {d: float(-at) for at, d in enumerate(order)} for t, order in by_topic.items()}, name=name)


def test_tau_and_bpref() -> None:
    preferences = pairs(t1=["ab", "ac", "bd", "da"], t2=["ab", "bc", "xy"], t3=["ab"])
    found = score_on_preferences(preferences, [run("bad", t1="dcba", t2="cba"), run("good", t1="abcd", t2="cab")])
    good, bad = found.runs
    assert [one.run for one in found.runs] == ["good", "bad"]
    # good: ab, ac and bd agree, da does not; ab agrees, bc does not, of x and y none is there; t3 is not there.
    assert (good.agree.tolist(), good.disagree.tolist(), good.neither) == ([3, 1, 0], [1, 1, 0], 2)
    assert good.by_topic.tolist()[:2] == [0.5, 0.0]
    assert np.isnan(good.by_topic[2])
    assert (good.tau, good.bpref, good.topics) == (0.25, 0.625, 2)
    assert (bad.agree.tolist(), bad.disagree.tolist()) == ([1, 0, 0], [3, 2, 0])
    assert bad.tau == (-0.5 - 1) / 2
    outcome = found.behind["bad"]
    assert outcome is not None
    assert outcome.mean_difference == pytest.approx(1.0)
    # The values .5 and 0: ± t(.975, 1) · s / √2 = 12.7062 · .3536 / 1.4142, of which tau can be from -1 to 1.
    assert good.interval is not None
    assert (good.interval.lower, good.interval.upper) == (-1.0, 1.0)
    # At a level of .2, t = tan(.2 · 90°) = .32492, for one degree of freedom is Cauchy's distribution.
    narrow = score_on_preferences(preferences, [run("good", t1="abcd", t2="cab")], level=0.2).runs[0].interval
    assert narrow is not None
    assert narrow.upper - 0.25 == pytest.approx(0.32492 * 0.25, abs=1e-4)


def test_a_document_that_is_there_stands_above_one_that_is_not() -> None:
    found = score_on_preferences(pairs(t=["ab", "cd"]), [run("one", t="ad")]).runs[0]
    assert (found.agree.tolist(), found.disagree.tolist()) == ([1], [1])
    assert found.interval is None


@given(st.permutations("abcdef"))
def test_the_opposite_order_has_the_opposite_tau(order: list[str]) -> None:
    preferences = pairs(t=["ab", "cd", "fa", "be"])
    forward, backward = (
        score_on_preferences(preferences, [run("one", t="".join(way))]).runs[0].tau for way in (order, order[::-1])
    )
    assert forward == -backward


def test_runs_that_cannot_be_scored() -> None:
    with pytest.raises(DataError, match="one: none of the documents in preferences is in it"):
        score_on_preferences(pairs(t=["ab"]), [run("one", t="xy")])
    with pytest.raises(UsageError, match="two runs are called 'one'"):
        score_on_preferences(pairs(t=["ab"]), [run("one", t="ab"), run("one", t="ba")])
    with pytest.raises(UsageError, match="there is no run to score"):
        score_on_preferences(pairs(t=["ab"]), [])
