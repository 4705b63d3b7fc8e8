"""Runs mixed by the flip of a coin."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.curves.coin_flip import coins_of
from cranfield.data.strings import encode
from cranfield.errors import DataError, ParameterError, UsageError

TOPICS = [f"q{number:02}" for number in range(25)]


def material(seed: int = 3) -> tuple[dict[str, Any], dict[str, dict[str, dict[str, float]]]]:
    """Judgments of 25 topics and two runs, one of which finds some relevant documents at once, the other all later."""
    random = np.random.default_rng(seed)
    qrels, first, second = {}, {}, {}
    for topic in TOPICS:
        relevant, others = [f"r{n}" for n in range(4)], [f"n{n}" for n in range(12)]
        qrels[topic] = dict.fromkeys(relevant, 1) | dict.fromkeys(others, 0)
        found = int(random.integers(1, 4))
        early = [*relevant[:found], *random.permutation([*others, *relevant[found:]])]
        late = [*random.permutation([*relevant, *others[:6]]), *others[6:]]
        first[topic], second[topic] = (
            {str(name): -float(rank) for rank, name in enumerate(order)} for order in (early, late)
        )
    return qrels, {"first": first, "second": second}


def rates(qrels: Any, run: Any) -> tuple[float, float]:
    """The false and the true positive rate of all that is returned, by measures of their own; 16 documents a topic."""
    result = cf.evaluate(qrels, run, ["SetFPR(documents=16)", "SetR"])
    return result.mean["SetFPR(documents=16)"], result.mean["SetR"]


@pytest.mark.parametrize("p", [0.2, 0.7])
def test_what_is_expected_of_a_mixture_lies_between_its_sides(p: float) -> None:
    qrels, runs = material()
    first, second = {"first": runs["first"]}, {"second": runs["second"]}
    sides = []
    for name, cutoff in (("first", 3), ("second", 9)):
        cut = {t: dict(list(documents.items())[:cutoff]) for t, documents in runs[name].items()}
        sides.append(np.array(rates(qrels, cut)))
    expected = p * sides[0] + (1 - p) * sides[1]  # TP_C = p TP_A + (1 - p) TP_B, and likewise FP
    seeds = 400
    found = np.array(
        [rates(qrels, cf.curves.mix(first, second, p, cutoffs=(3, 9), seed=seed).run) for seed in range(seeds)]
    )
    error = found.std(axis=0, ddof=1) / np.sqrt(seeds)
    assert (np.abs(found.mean(axis=0) - expected) < 4 * error).all()


@pytest.mark.parametrize("fpr", [0.03, 0.2])
def test_a_mixture_reaches_the_point_of_the_hull_that_was_asked_for(fpr: float) -> None:
    qrels, runs = material()
    found = np.array([rates(qrels, cf.curves.mix_at(qrels, runs, fpr=fpr, seed=seed).run) for seed in range(200)])
    plan = cf.curves.hull(qrels, runs).mixture(fpr=fpr)
    error = found.std(axis=0, ddof=1) / np.sqrt(len(found))
    assert (np.abs(found.mean(axis=0) - [fpr, plan.tpr]) < 4 * error).all()


def test_a_mixture_says_what_it_reached() -> None:
    qrels, runs = material()
    mixed = cf.curves.mix_at(qrels, runs, fpr=0.03, seed=5)
    assert mixed.reached == pytest.approx(rates(qrels, mixed.run))
    assert mixed.plan is not None
    assert mixed.plan.fpr == pytest.approx(0.03)
    assert mixed.sentences()[1].startswith("Expected, over all ways the coin may fall: false positive rate .030")


@given(st.floats(0, 1), st.integers(0, 1000))
def test_every_list_is_that_of_one_side(p: float, seed: int) -> None:
    _, runs = material()
    mixed = cf.curves.mix({"first": runs["first"]}, {"second": runs["second"]}, p, seed=seed)
    assert sorted([*mixed.heads_for, *mixed.tails_for]) == TOPICS
    for topic in TOPICS:
        assert mixed.run[topic] == runs["first" if topic in mixed.heads_for else "second"][topic]


@pytest.mark.parametrize(("p", "taken"), [(0, "second"), (1, "first")])
def test_a_coin_that_always_falls_on_one_side(p: float, taken: str) -> None:
    _, runs = material()
    mixed = cf.curves.mix(runs["first"], runs["second"], p)
    assert mixed.run.to_dict() == runs[taken]


def test_the_coin_of_a_topic_depends_on_its_name_and_the_seed_alone() -> None:
    _, runs = material()
    whole = cf.curves.mix(runs["first"], runs["second"], 0.5, seed=7)
    some = {name: {topic: run[topic] for topic in reversed(TOPICS[5:])} for name, run in runs.items()}
    part = cf.curves.mix(some["first"], some["second"], 0.5, seed=7)
    assert set(part.heads_for) == set(whole.heads_for) & set(TOPICS[5:])
    other = cf.curves.mix(runs["first"], runs["second"], 0.5, seed=8)
    assert other.heads_for != whole.heads_for


def test_coins_are_fair_over_topics_and_over_seeds() -> None:
    names = [encode(str(number)) for number in range(20_000)]
    over_topics = coins_of(names, 0)
    over_seeds = np.array([coins_of([b"topic"], seed)[0] for seed in range(5000)])
    for coins in (over_topics, over_seeds):
        # Uniform numbers: the share below a tenth, a half, nine tenths, within five standard deviations
        for share in (0.1, 0.5, 0.9):
            deviation = np.sqrt(share * (1 - share) / len(coins))
            assert abs((coins < share).mean() - share) < 5 * deviation
    assert abs(np.corrcoef(over_topics, coins_of(names, 1))[0, 1]) < 5 / np.sqrt(len(names))


def test_a_topic_that_only_one_of_the_runs_has() -> None:
    both, one = {"q1": {"d1": 1.0}, "q2": {"d1": 1.0}}, {"q1": {"d2": 1.0}}
    found = [cf.curves.mix({"both": both}, {"one": one}, 0.5, seed=seed) for seed in range(20)]
    for mixed in found:
        assert (mixed.empty == ("q2",)) == ("q2" in mixed.tails_for)
        assert ("q2" in mixed.run.queries) == ("q2" in mixed.heads_for)
    lacking = next(mixed for mixed in found if mixed.empty)
    assert lacking.sentences()[-1] == "1 topic (q2) returned nothing: the chosen side has no documents there."


def test_nothing_at_all() -> None:
    with pytest.raises(DataError, match="the mixture returns nothing for any topic"):
        cf.curves.mix({"a": {"q1": {"d1": 1.0}}}, {"b": {"q2": {"d1": 1.0}}}, 0.5, seed=_seed_that_fails())


def _seed_that_fails() -> int:
    """One for which the coin of either topic falls on the run that lacks it."""
    return next(seed for seed in range(100) if coins_of([b"q1"], seed) >= 0.5 and coins_of([b"q2"], seed) < 0.5)


def test_names_and_json() -> None:
    _, runs = material()
    mixed = cf.curves.mix(runs["first"], runs["second"], 0.25, cutoffs=(None, 2))
    assert (str(mixed.heads), str(mixed.tails)) == ("run-1", "the first 2 of run-2")
    assert mixed.run.name == "mix_run-1_run-2@2_0.25"
    whole = mixed.to_dict()
    assert (whole["schema"], whole["probability"], whole["seed"]) == ("cranfield.mixture/1", 0.25, 0)
    assert "for the other" in repr(mixed)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda q, r: cf.curves.mix(r["first"], r["second"], 1.5),
            ParameterError,
            "the probability of heads .* from 0 to 1",
        ),
        (lambda q, r: cf.curves.mix(r, r["second"]), UsageError, "a side of the coin is one run, found 2"),
        (lambda q, r: cf.curves.mix(r["first"], r["second"], seed=-1), ParameterError, "the seed"),
        (
            lambda q, r: cf.curves.mix(r["first"], r["second"], cutoffs=(0, None)),
            ParameterError,
            "a cutoff of a mixture must be",
        ),
        (lambda q, r: cf.curves.mix_at(q, r), UsageError, "say which point of the hull"),
    ],
)
def test_what_makes_no_sense_is_said(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call(*material())


def test_a_point_that_no_run_reaches() -> None:
    qrels = {"q1": {"d1": 1, "d2": 0, "d3": 1, "d4": 0}}
    runs = {"a": {"q1": {"d1": 1.0}}, "b": {"q1": {"d2": 2.0, "d1": 1.0}}}
    # The furthest is one of two relevant documents with none that is not; beyond it lies returning everything
    with pytest.raises(
        UsageError, match=r"every document there is .* false positive rate \.000, true positive rate \.500"
    ):
        cf.curves.mix_at(qrels, runs, fpr=0.5)
    # Below it a coin decides between its list and nothing
    mixed = cf.curves.mix_at(qrels, runs, tpr=0.25, seed=1)
    assert str(mixed.heads) == "nothing"
    assert mixed.plan is not None
    assert mixed.plan.tpr == 0.25
