"""Whether unjudged documents could turn a comparison round."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield.errors import CoverageError, UsageError
from cranfield.formats.pools import read_pool, write_pool
from tests.pooling.flip.small_cases import Two, differences, scores, twos

QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1}, "q3": {"d": 1}}
NEW = {"q1": {"a": 3, "b": 2, "x": 1}, "q2": {"c": 2, "y": 1}, "q3": {"d": 1}}
OLD = {"q1": {"b": 3, "a": 2, "z": 1}, "q2": {"y": 2, "c": 1}, "q3": {"d": 1}}
# P@1: 1 - 0, 1 - 0 and 1 - 1. Only y, first in q2 of the old run, could change that.


def flipped(measure: str = "P@1", **options: Any) -> cf.Flip:
    return cf.flip(QRELS, {"new": NEW}, {"old": OLD}, measure, **options)


# What is certain


@pytest.mark.parametrize("name", ["P@2", "RR", "AP", "nDCG", "R@2", "Rprec", "ERR", "SetE", "SetJaccard", "Q"])
@settings(max_examples=5, suppress_health_check=list(HealthCheck))
@given(pair=st.tuples(twos(highest=2, judged=3, unjudged=2), twos(highest=2, judged=3, unjudged=2)))
def test_certain_is_never_wrong(name: str, pair: tuple[Two, Two]) -> None:
    # Oracle: the public evaluation of every completion of both topics.
    measure = cf.measures.parse_one(name)
    judged = {"q1": pair[0].judged, "q2": pair[1].judged, "q3": {"a": 1}}
    lists: list[dict[str, dict[str, float]]] = []
    for side in range(2):
        both = [(two.first, two.second)[side] for two in pair]
        named = {"q1": both[0], "q2": both[1], "q3": ("a",)}
        lists.append({topic: scores(names) for topic, names in named.items() if names})
    # Grades that occur in one topic may occur in the other.
    together = {grade for two in pair for grade in two.judged.values()}
    widened = [two._replace(judged={**two.judged, **{f"g{grade}": grade for grade in together}}) for two in pair]
    if not all(two.fits(measure) for two in widened):
        return
    found = cf.flip(
        {**judged, "q1": widened[0].judged, "q2": widened[1].judged}, lists[0], lists[1], measure, simulations=0
    )
    every = [differences(two, measure) for two in widened]
    means = np.array([sum(both) / 3 for both in product(*(values.tolist() for values in every))])
    sign = 1 if measure.more_is_better else -1
    match found.verdict:
        case "better":
            assert (sign * means > 0).all()
        case "worse":
            assert (sign * means < 0).all()
        case "equal":
            assert np.abs(means).max() < 1e-8
        case _ if found.how == "exact":
            assert means.min() < 1e-8
            assert means.max() > -1e-8


def test_better_for_certain() -> None:
    found = flipped()
    assert (found.verdict, found.certain, found.how) == ("better", True, "exact")
    assert (found.difference, found.mean_low, found.mean_high) == pytest.approx((2 / 3, 1 / 3, 2 / 3))
    assert [one.verdict for one in found.by_topic] == ["better", "open", "equal"]
    assert cf.flip(QRELS, OLD, NEW, "P@1").verdict == "worse"


def test_less_is_better() -> None:
    # E is 1 - F, and F of the first list is 1 whatever is judged: nothing is open.
    found = cf.flip({"q": {"a": 1, "b": 0}}, {"q": {"a": 1}}, {"q": {"a": 2, "b": 1}}, "SetE")
    assert (found.verdict, found.difference < 0) == ("better", True)


def test_a_run_and_itself() -> None:
    found = cf.flip(QRELS, NEW, NEW, "nDCG@10")
    assert (found.verdict, found.names) == ("equal", ("run-1", "run-2"))
    assert "run-1 and run-2 are equal by nDCG@10 whatever the 2 unjudged documents are." in repr(found)


def test_documents_in_order() -> None:
    found = flipped("P@2", simulations=0)
    # P@2: q1 1/2 - 1/2, q2 (1 + y)/2 in both, q3 the same: y is in both, x and z below the cutoff.
    assert (found.verdict, found.documents) == ("equal", ())
    (one,) = flipped(simulations=0).documents
    assert (one.topic, one.document, one.first_rank, one.second_rank) == ("q2", "y", 2, 1)
    assert one.effect == pytest.approx(-1 / 3)
    assert one.expected == pytest.approx(-one.chance / 3)


def test_a_higher_grade_than_any_given() -> None:
    # Of x in q1 and y in q2: with grade 3 each is worth three times as much.
    low = flipped("CG@1", simulations=0).mean_low
    assert low == pytest.approx(1 / 3)
    assert flipped("CG@1", simulations=0, highest_grade=3).mean_low == pytest.approx((1 + 1 - 3 + 0) / 3)


def test_the_least_relevant_grade_and_the_depth() -> None:
    assert flipped(level=2, simulations=0, highest_grade=2).difference == 0
    assert flipped("AP", depth=1, simulations=0).unjudged == 1


def test_a_geometric_mean() -> None:
    found = flipped("GMAP")
    assert found.interval is None
    # As judged AP is 1, 1, 1 and 1/2, 1/2, 1.
    assert found.difference == pytest.approx(1 - (1 / 4) ** (1 / 3))
    assert found.mean_low <= found.difference <= found.mean_high


def test_an_interval_of_topics_and_documents() -> None:
    # Differences from 1, 0, 0 to 1, 1, 0; by hand with t = 4.3027 (2 degrees of freedom):
    # mean 1/3, s = .57735, 4.3027 · .57735 / √3 = 1.43424; mean 2/3, the same s.
    interval = flipped().interval
    assert interval is not None
    assert (interval.lower, interval.upper) == pytest.approx((1 / 3 - 1.43424, 2 / 3 + 1.43424), abs=1e-4)


def test_no_judgment_is_needed() -> None:
    grades = {f"q{n}": {"a": 1, "b": 0} for n in range(3)}
    new, old = ({topic: {first: 3, second: 2, "x": 1} for topic in grades} for first, second in ("ab", "ba"))
    found = cf.flip(grades, new, old, "AP")
    # AP of one topic: with x relevant (1 + 2/3) / 2 - (1/2 + 2/3) / 2 = 1/4, without 1 - 1/2.
    assert (found.mean_low, found.mean_high) == pytest.approx((1 / 4, 1 / 2))
    assert found.settled
    said = "\n".join(found.sentences())
    assert "No further judgment is needed: none could change which run is better, nor that the interval" in said
    assert "simulations" not in said
    assert len(found.documents) == 3
    # One topic has no interval; of three that differ the interval is wide.
    assert cf.flip({"q0": grades["q0"]}, {"q0": new["q0"]}, {"q0": old["q0"]}, "AP").settled
    assert flipped().certain
    assert not flipped().settled
    assert "No further judgment is needed: none could change that." in cf.flip(QRELS, NEW, NEW, "P@1").sentences()


# What goes out


def test_a_pool(tmp_path: Path) -> None:
    found = flipped("AP", simulations=0)
    pool = found.pool()
    assert {topic: sorted(pool[topic]) for topic in pool} == {"q1": ["x", "z"], "q2": ["y"]}
    write_pool(pool, tmp_path / "one.tsv")
    write_pool(flipped("AP", simulations=0).pool(), tmp_path / "two.tsv")
    assert (tmp_path / "one.tsv").read_bytes() == (tmp_path / "two.tsv").read_bytes()
    again = read_pool(tmp_path / "one.tsv")
    assert again.recipe[0]["strategy"] == "flip"
    assert again.recipe[0]["parameters"]["measure"] == "AP"
    first = found.documents[0]
    assert found.pool(1).to_judge() == {first.topic: [first.document]}


def test_files_are_known_by_their_hashes(tmp_path: Path) -> None:
    import hashlib

    (tmp_path / "new.run").write_text("q1 Q0 a 1 2 t\nq1 Q0 x 2 1 t\n")
    (tmp_path / "old.run").write_text("q1 Q0 x 1 2 t\nq1 Q0 a 2 1 t\n")
    found = cf.flip({"q1": {"a": 1}}, tmp_path / "new.run", tmp_path / "old.run", "RR", simulations=0)
    sha256 = hashlib.sha256((tmp_path / "new.run").read_bytes()).hexdigest()
    assert found.pool().recipe[0]["runs"][0] == {"name": "new", "sha256": sha256}


def test_json() -> None:
    whole = flipped("RR", simulations=3).to_dict()
    # RR: 1 - 1/2, 1 - 1/2 (1 - 1 with y), 1 - 1. All of x, y and z can be judged, only y matters.
    assert whole["schema"] == "cranfield.flip/1"
    assert (whole["runs"], whole["measure"], whole["unjudged_documents"]) == (["new", "old"], "RR", 3)
    assert whole["verdict"] == "better"
    assert whole["mean"]["low"] == pytest.approx(0.5 / 3)
    assert whole["mean"]["how"] == "exact"
    assert whole["expected"]["until_certain"]["median"] == 0
    assert list(whole["per_query"]) == ["q1", "q2", "q3"]
    assert whole["per_query"]["q2"]["verdict"] == "open"
    assert "per_query" not in flipped("RR", simulations=0).to_dict(by_topic=False)


def test_words() -> None:
    found = cf.flip({"q1": {"c": 1}, "q2": {"d": 1}}, {"a": {**NEW}}, {"b": {**OLD, "q1": {"w": 2, "c": 1}}}, "P@1")
    said = "\n".join(found.sentences())
    # q1: 0 - 0, and w is first in the second run, a in the first; q2: new has c first, old y: not judged there.
    assert said.startswith("It is open which of a and b is better by P@1: as judged the difference is 0")
    assert "documents that neither run returned count as not relevant: they change nothing." in said
    assert "until the sign is certain" in said or "is not expected" in said
    assert "new is better than old by P@1 whatever the 3 unjudged documents are" in repr(flipped())


def test_nothing_open() -> None:
    found = cf.flip({"q1": {"a": 1, "b": 0}}, {"q1": {"a": 1}}, {"q1": {"b": 1}}, "AP")
    assert found.sentences()[0].endswith("the difference is +1.0000, and all is judged.")
    assert found.outlook is None


# What is refused


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"measure": "Bpref"}, "Bpref says nothing certain about unjudged documents: it passes over"),
        ({"measure": "P"}, "stands for several"),
        ({"measure": ["AP", "RR"]}, "one measure"),
        ({"order": "depth"}, "order .* must be one of certainty, expected, swing"),
        ({"simulations": -1}, "the number of simulations"),
        ({"confidence": 2}, "the confidence"),
        ({"highest_grade": 0.5}, "the judgments have grade 1"),
        ({"measure": "alpha_nDCG@10"}, "subtopics that nobody has named"),
    ],
)
def test_what_means_nothing(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        cf.flip(QRELS, NEW, OLD, **{"measure": "AP", **options})


def test_more_runs_than_two() -> None:
    with pytest.raises(UsageError, match="found 2 in place of one"):
        cf.flip(QRELS, {"a": NEW, "b": OLD}, OLD)


def test_runs_of_other_topics() -> None:
    with pytest.raises(CoverageError, match="no topic in common"):
        cf.flip(QRELS, {"q9": {"a": 1}}, OLD)
