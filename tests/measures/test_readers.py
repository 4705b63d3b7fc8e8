"""What every user model must satisfy: the identities of C/W/L, closed forms, and rankings one by one or together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import zeta

import cranfield as cf
from cranfield.data.costs import CostsByRank
from cranfield.data.rankings import Rankings
from cranfield.errors import ParameterError
from cranfield.measures import REGISTRY, Measure, parse, parse_one, user_model
from cranfield.measures.parameters import VALUES

Grades = list[float | None]
binary = st.lists(st.sampled_from([None, 0, 1]), max_size=20)


def ours(name: str, grades: Grades, costs: Sequence[float] | None = None, **parameters: Any) -> float:
    rankings = Rankings.from_grades(grades, costs=costs, **parameters)
    return float(parse_one(name).compute(rankings)[0])


def with_value(name: str, value: str) -> str:
    return str(parse_one(name)(value=value))


# What follows from C


MODELS = [name for name, definition in REGISTRY.items() if definition.reader is not None]
CUTOFF = {"P": 7, "RR": 9, "ERR": 8, "SDCG": 9, "NERR8": 8, "NERR9": 8}


def usual(name: str) -> Measure:
    return Measure(name) @ CUTOFF[name] if name in CUTOFF else Measure(name)


@pytest.mark.parametrize("name", MODELS)
@settings(max_examples=20)
@given(grades=st.lists(st.sampled_from([None, 0, 1]), min_size=1, max_size=12), data=st.data())
def test_weight_and_last_follow_from_continuation(name: str, grades: Grades, data: st.DataObject) -> None:
    costs = data.draw(st.none() | st.lists(st.sampled_from([0.5, 1, 3]), min_size=len(grades), max_size=len(grades)))
    measure = usual(name)
    at = cf.cwl(measure, grades, unretrieved=[1], costs=costs, depth=len(grades) + 1)
    survival = [1.0]
    for chance in at.C[:-1]:
        assert 0 <= chance <= 1
        survival.append(survival[-1] * chance)
    depth = float(measure(value="ED").compute(Rankings.from_grades(grades, unretrieved=[1], costs=costs))[0])
    assert pytest.approx(np.array(survival) / depth, abs=1e-12) == at.W  # the normalised survival
    assert at.W[0] == pytest.approx(1 / depth)
    assert at.L[:-1] == pytest.approx((at.W[:-1] - at.W[1:]) / at.W[0], abs=1e-9)
    assert at.L[:-1].sum() == pytest.approx(1 - at.W[-1] / at.W[0], abs=1e-9)


@pytest.mark.parametrize("name", MODELS)
@settings(max_examples=20)
@given(grades=st.lists(st.sampled_from([None, 0, 1]), max_size=12), data=st.data())
def test_totals_are_what_a_document_gives_times_the_depth(name: str, grades: Grades, data: st.DataObject) -> None:
    costs = data.draw(st.none() | st.lists(st.sampled_from([0.5, 1, 3]), min_size=len(grades), max_size=len(grades)))
    eu, etu, ec, etc, ed, _ = (ours(with_value(str(usual(name)), value), grades, costs) for value in VALUES)
    assert etu == pytest.approx(eu * ed)
    assert etc == pytest.approx(ec * ed)
    if costs is None:
        assert ec == pytest.approx(1)


@pytest.mark.parametrize(
    "name", ["P", "SDCG", "NERR8", "NERR9", "ERR", "BPM", "BPMD", "U(L=6)", "IFT_C1@20", "INST@20"]
)
@given(grades=st.lists(st.sampled_from([None, 0, 1]), max_size=12))
@settings(max_examples=10)
def test_the_weights_of_a_reading_that_ends_add_up_to_one(name: str, grades: Grades) -> None:
    measure = usual(name) if name in REGISTRY else parse_one(name)
    _, W, L = cf.cwl(measure, grades, depth=40)
    assert W.sum() == pytest.approx(1)
    assert L.sum() == pytest.approx(1)
    assert (np.arange(1, 41) * L).sum() == pytest.approx(1 / W[0])  # the expected depth


def test_average_precision_ends_as_relevance_over_rank() -> None:
    # Relevant at 1, 3 and 4 and one missed: L in proportion to 1/1, 1/3, 1/4; W(1) = (1 + 1/3 + 1/4) / 4.
    at = cf.cwl("AP", [1, 0, 1, 1], unretrieved=[1])
    total = 1 + 1 / 3 + 1 / 4
    assert pytest.approx([1 / total, 0, 1 / 3 / total, 1 / 4 / total]) == at.L
    assert pytest.approx([total / 4, (1 / 3 + 1 / 4) / 4, (1 / 3 + 1 / 4) / 4, 1 / 16]) == at.W
    assert pytest.approx([(1 / 3 + 1 / 4) / total, 1, 1 / 4 / (1 / 3 + 1 / 4), 0]) == at.C
    # The missed document is read infinitely deep: the expected depth is R / total, more than the sum of i L(i).
    assert cf.evaluate_one("AP(value=ED)", [1, 0, 1, 1], unretrieved=[1]) == pytest.approx(4 / total, abs=5e-5)


@pytest.mark.parametrize(
    "name", ["P@3", "RBP(p=0.7)", "RR", "RR@4", "AP", "AP@4", "AP(denominator=min-k-R)@3", "TrAP", "ERR(gmax=2)"]
)
@given(
    grades=st.lists(st.sampled_from([None, 0, 1, 2]), max_size=10), missed=st.lists(st.sampled_from([0, 1]), max_size=3)
)
@settings(max_examples=15)
def test_measures_with_formulas_of_their_own_are_values_of_their_readers(
    name: str, grades: Grades, missed: list[int]
) -> None:
    (measure,) = parse(name)
    rankings = Rankings.from_grades(grades, unretrieved=missed)
    parameters = {key: v for key, v in measure.parameters.items() if key not in ("value", "judged_only")}
    reader = measure.definition.reader
    assert reader is not None
    (found,) = reader(rankings, **parameters).value(measure.definition.own_value)
    (direct,) = measure.compute(rankings)
    assert found == pytest.approx(direct, abs=1e-12)


# Lists without an end


@settings(max_examples=30)
@given(grades=binary, T=st.sampled_from([0.5, 1, 2.25, 7]), best=st.booleans())
def test_inst_and_insq_of_an_endless_list(grades: Grades, T: float, best: bool) -> None:
    # The tail by scipy's zeta function: below the list V falls as 1/x², or, if everything there has gain 1, as a power.
    gains = [float(best) if grade is None else grade for grade in grades]
    chance, wanted, read, utility, unadapted = 1.0, 2 * T, 0.0, 0.0, 0.0
    for rank, gain in enumerate(gains, 1):
        read += chance
        utility += chance * gain
        unadapted += gain / (rank - 1 + 2 * T) ** 2
        wanted += 1 - gain
        chance *= ((wanted - 1) / wanted) ** 2
    tail = chance / (1 - ((wanted - 1) / wanted) ** 2) if best else chance * wanted**2 * zeta(2, wanted)
    expected = (utility + best * tail) / (read + tail)
    found = ours(f"INST(T={T})", grades) + best * ours(f"INST(T={T},value=residual)", grades)
    assert found == pytest.approx(expected, abs=1e-9)
    if best:
        unadapted += zeta(2, len(gains) + 2 * T)
    found = ours(f"INSQ(T={T})", grades) + best * ours(f"INSQ(T={T},value=residual)", grades)
    assert found == pytest.approx(unadapted / zeta(2, 2 * T), abs=1e-9)


@pytest.mark.parametrize(
    "name", ["INST", "INSQ", "NERR10", "NERR11(T=2)", "TBG(halflife=4)", "U(L=40)", "RBP(p=0.6)", "BPM(T=3)@25"]
)
@pytest.mark.parametrize("value", VALUES)
def test_a_far_cutoff_is_nearly_an_endless_list(name: str, value: str) -> None:
    grades: Grades = [0, 1, None, 1, None, 0]
    near, far = (ours(with_value(name, value), [*grades, *[None] * more]) for more in (0, 5000))
    if value != "residual":
        assert far == pytest.approx(near, rel=1e-9)  # unjudged documents that are written out change nothing
    if "cutoff" in REGISTRY[name.partition("(")[0]].parameters and not name.startswith("RBP"):
        # 1/x² summed from 100 000 on is 1/100 000
        assert ours(str(parse_one(with_value(name, value)) @ 100_000), grades) == pytest.approx(near, rel=3e-5)


def test_readers_who_would_go_on_for_ever() -> None:
    assert ours("RR(value=ETU)", [0, 0]) == ours("RR(value=EU)", [0, 0]) == 0
    assert ours("RR(value=EC)", [0, 0], [5, 7]) == 6  # infinitely many below the list cost the mean of the two
    assert ours("RR(value=residual)", [0, 0]) == pytest.approx(1 / 3)  # the first below the list could be relevant
    assert ours("AP(value=residual)", [1, 0, 1], unretrieved=[1]) == pytest.approx(1 - (1 + 2 / 3) / 3)
    with pytest.raises(ParameterError, match=r"RR\(value=ED\) needs a cutoff.*as in RR\(value=ED\)@1000"):
        cf.evaluate_one("RR(value=ED)", [0, 1])
    assert cf.evaluate_one("RR(value=ED)@1000", [0, 0]) == 1000


def test_residual_by_hand() -> None:
    # BPM(T=2)@3 of 1, ?, 0: 1/3 as it is; if the second document has gain 1, the reader leaves with 2/2.
    assert ours("BPM(T=2,value=residual)@3", [1, None, 0]) == pytest.approx(1 - 1 / 3)
    # A negative grade is a document of the pool that nobody judged.
    assert ours("BPM(T=2,value=residual)@3", [1, -1, 0]) == pytest.approx(1 - 1 / 3)
    # BPMD with h_c = 3: if all below has gain 1 the budget grows faster than it is spent, for ever: EU is 1.
    assert ours("BPMD(T=1000,hc=3,value=residual)@3", []) == pytest.approx(1)


def test_dynamic_budget_by_hand() -> None:
    # K = 4, 3.5, 3 after two documents without gain, and the third makes the cost 3: the reader stops there.
    assert ours("BPMD(T=9,value=ED)@4", [0, 0, 0, 1]) == 3
    assert ours("BPMD(T=9,hc=0,value=ED)@4", [0, 0, 0, 1]) == 4


# One at a time, or all together


@pytest.mark.parametrize("name", MODELS)
def test_rankings_of_all_lengths_together(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(user_model, "_CELLS", 16)  # so that they go through several blocks
    random = np.random.default_rng(3)
    lists = [random.choice([-1, 0, 1], size).tolist() for size in (0, 3, 17, 1, 9, 9, 30, 2)]
    qrels = {
        f"q{i}": {f"d{j}": grade for j, grade in enumerate(ranks)} | {"missed": 1} for i, ranks in enumerate(lists)
    }
    run = {f"q{i}": {f"d{j}": -j for j in range(len(ranks))} for i, ranks in enumerate(lists) if ranks}
    costs = {f"d{j}": [0.5, 1, 2][j % 3] for j in range(30)}
    for value in VALUES:
        measure = usual(name)(value=value)
        for prices in (None, costs) if measure.looks_at_costs else (None,):
            default = None if prices is None else 1  # also what the documents below each list cost
            together = cf.evaluate(qrels, run, measure, costs=prices, default_cost=default)[measure]
            for i, ranks in enumerate(lists):
                alone = Rankings.from_grades(ranks, unretrieved=[1])
                if prices is not None:
                    spent = np.array([prices[f"d{j}"] for j in range(len(ranks))])
                    alone = replace(alone, costs=CostsByRank(spent, alone.retrieved, below=1.0))
                assert together[f"q{i}"] == pytest.approx(measure.compute(alone)[0], rel=1e-12, abs=1e-12), (measure, i)


@pytest.mark.parametrize("name", MODELS)
@given(grades=st.lists(st.sampled_from([None, 0, 1]), max_size=12))
@settings(max_examples=15)
def test_stretches_and_single_ranks_give_the_same(name: str, grades: Grades) -> None:
    # With costs, ranks are looked at one by one: here they cost what they cost without.
    for value in VALUES:
        measure = with_value(str(usual(name)), value)
        assert ours(measure, grades) == pytest.approx(ours(measure, grades, [1] * len(grades)), rel=1e-9, abs=1e-12)


# Names, and what is wrong with them


def test_names() -> None:
    assert [measure.parameters["value"] for measure in parse("INST(T=2,value=all)@100")] == list(VALUES)
    assert len(parse("P(value=all)@5,10")) == 12
    assert parse(cf.INST(T=2, value="all")) == parse("INST(T=2,value=ALL)")
    with pytest.raises(
        ParameterError, match=r"^INST\(T=2,value=all\) stands for 6 measures; name one, such as INST\(T=2\)$"
    ):
        cf.evaluate_one(cf.INST(T=2, value="all"), [1])
    assert parse("INST(T=2,max_rel=3)") == parse("INST(T=2,gain=linear,gmax=3)")
    assert parse("SDCG(dcg='log2',min_rel=0,max_rel=3)@10") == parse("SDCG(gain=linear,gmax=3)@10")
    assert parse("TrAP") == parse("AP(denominator=found)")
    assert str(parse_one("BPM(T=2)")) == "BPM(T=2)@10"
    assert str(parse_one("ift-c1(T=3)@50")) == "IFT_C1(T=3)@50"
    assert parse_one("INST(value=ED)").more_is_better is None
    assert parse_one("INST(value=ETU)").more_is_better is True


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("INST(T=0.4)", "INST: T must be a number from 0.5 to 10^6, not 0.4"),
        ("INSQ(T=0)", "INSQ: T must be a number from 10^-9 to 10^6, not 0"),
        ("INSQ(T=inf)", "INSQ: T must be a number from 10^-9 to 10^6, not inf"),
        ("NERR10(p=1)", "NERR10: p must be a number from 0 to below 1, not 1"),
        ("TBG(halflife=-2)", "TBG: halflife must be a number from 10^-9 to 10^6, not -2"),
        ("BPM(T=0)", "BPM: T must be a number from 10^-9 to 10^9, not 0"),
        ("BPMD(gain_med=2)", "BPMD: gain_med must be a number from 0 to 1, not 2"),
        ("IFT_C2(R2=-1)", "IFT_C2: R2 must be a number from 0 to 10^9, not -1"),
        ("IFT_C1@1000001", "IFT_C1: cutoff must be a whole number from 1 to 10^6, not 1000001"),
        ("INST(value=EV)", "INST: value must be one of EU, ETU, EC, ETC, ED, residual, all, not 'EV'"),
        ("INST(max_rel=3,min_rel=1)", "grades begin at 0 here, so min_rel is 0"),
        ("nDCG(value=all)", "nDCG has no parameter 'value'"),
    ],
)
def test_impossible_parameters(name: str, message: str) -> None:
    with pytest.raises(ParameterError, match=re.escape(message)):
        parse(name)


def test_a_measure_without_a_user_model() -> None:
    with pytest.raises(ParameterError, match=r"nDCG has no user model with C, W and L; those that have one: P, "):
        cf.cwl("nDCG", [1, 0])


def test_too_many_ranks() -> None:
    with pytest.raises(
        ParameterError, match="followed through at most 10000000 ranks of a query, which is not enough here"
    ):
        ours("AP(value=residual)@1000000000", [1])
