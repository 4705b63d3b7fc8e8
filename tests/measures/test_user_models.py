"""All values of all user models agree with cwl-eval 1.0.12, and with ir_measures 0.4.3 where that has them.

cwl-eval fills every list up to a depth with unjudged documents and goes no further, so that its measures are ours at a
cutoff. Its ETU and ETC leave out the readers who would go on below that depth, which its EU, EC and ED count as leaving
there: `oracle` adds them, from cwl-eval's own vectors. A document below the list costs 1 there, whatever others cost.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import ir_measures
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield.data.rankings import Rankings
from cranfield.errors import DataError
from cranfield.measures import parse, parse_one
from cranfield.measures.parameters import VALUES

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # its source has escapes that Python warns of
    from cwl.ruler import cwl_ruler as cwl
    from cwl.ruler.measures.cwl_metrics import CWLMetric
    from cwl.ruler.ranking import Ranking, RankingMaker
    from cwl.seeker.trec_qrel_handler import TrecQrelHandler

DEPTH = 60
BINARY = {
    "P@5": cwl.PrecisionCWLMetric(5),
    f"P@{DEPTH}": cwl.PrecisionCWLMetric(DEPTH),
    f"RR@{DEPTH}": cwl.RRCWLMetric(),
    f"AP(denominator=found)@{DEPTH}": cwl.APCWLMetric(),
}
"""Measures of relevant documents, and what cwl-eval calls them. Its AP divides by the relevant documents found."""
GRADED = {
    "RBP(p=0.5,gain=linear)": cwl.RBPCWLMetric(0.5),
    "SDCG(gain=linear)@10": cwl.NDCGCWLMetric(10),
    f"SDCG(gain=linear)@{DEPTH}": cwl.NDCGCWLMetric(DEPTH),
    f"INSQ(T=1,gain=linear)@{DEPTH}": cwl.INSQCWLMetric(1),
    f"INSQ(T=2.5,gain=linear)@{DEPTH}": cwl.INSQCWLMetric(2.5),
    f"INST(T=0.5,gain=linear)@{DEPTH}": cwl.INSTCWLMetric(0.5),
    f"INST(T=1,gain=linear)@{DEPTH}": cwl.INSTCWLMetric(1),
    f"INST(T=3.5,gain=linear)@{DEPTH}": cwl.INSTCWLMetric(3.5),
    "BPM(T=1,gain=linear)@10": cwl.BPMCWLMetric(1, 10),
    "BPM(T=1000,gain=linear)@10": cwl.BPMCWLMetric(1000, 10),
    "BPM(T=2.5,gain=linear)@30.5": cwl.BPMCWLMetric(2.5, 30.5),
    "BPMD(T=1,hc=0,gain=linear)@10": cwl.BPMDCWLMetric(1, 10),
    "BPMD(T=4,hb=0.5,hc=0,gain_med=0.25,gain=linear)@20": cwl.BPMDCWLMetric(4, 20, 0.5, 0, 0.25),
    "NERR8(gain=linear)@10": cwl.NERReq8CWLMetric(10),
    "NERR9(gain=linear)@10": cwl.NERReq9CWLMetric(10),
    f"NERR10(p=0.9,gain=linear)@{DEPTH}": cwl.NERReq10CWLMetric(0.9),
    f"NERR11(T=2,gain=linear)@{DEPTH}": cwl.NERReq11CWLMetric(2),
    f"TBG(halflife=5,gain=linear)@{DEPTH}": cwl.TBGCWLMetric(5),
    f"TBG(halflife=224,gain=linear)@{DEPTH}": cwl.TBGCWLMetric(224),
    f"U(L=30.5,gain=linear)@{DEPTH - 1}": cwl.UMeasureCWLMetric(30.5),  # where the last rank has no weight
    f"U(L=1000,gain=linear)@{DEPTH - 1}": cwl.UMeasureCWLMetric(1000),
    f"IFT_C1(T=2,R1=1,gain=linear)@{DEPTH}": cwl.IFTGoalCWLMetric(2, 0.9, 1),
    f"IFT_C1(T=2,R1=100,gain=linear)@{DEPTH}": cwl.IFTGoalCWLMetric(2, 0.9, 100),
    f"IFT_C2(A=0.2,R2=10,gain=linear)@{DEPTH}": cwl.IFTRateCWLMetric(0.2, 0.9, 10),
    f"IFT_C1_C2(T=2,A=0.2,gain=linear)@{DEPTH}": cwl.IFTGoalRateCWLMetric(2, 0.9, 10, 0.2, 0.9, 10),
}
"""Measures of gains from 0 to 1. cwl-eval's dynamic BPM leaves the budget as it is, which is hc=0."""

Grades = list[float | None]
binary = st.lists(st.sampled_from([None, 0, 1]), max_size=20)
graded = st.lists(st.sampled_from([None, 0, 0.25, 0.5, 0.75, 1]), max_size=20)


def oracle(metric: CWLMetric, ranking: Ranking) -> dict[str, float]:
    """The six values by cwl-eval; the residual is the value if unjudged documents have gain 1, less the value."""
    metric.residuals = True
    metric.measure(ranking)
    weight, goes_on = metric.w_vector(ranking), metric.c_vector(ranking)
    left = weight[-1] / weight[0] * goes_on[-1]
    return {
        "EU": metric.expected_utility,
        "ETU": metric.expected_total_utility + left * ranking.get_gain_vector().sum(),
        "EC": metric.expected_cost,
        "ETC": metric.expected_total_cost + left * ranking.get_cost_vector().sum(),
        "ED": metric.expected_items,
        "residual": metric.residual_expected_utility,
    }


def ours(name: str, grades: Grades, costs: Sequence[float] | None = None, **parameters: Any) -> float:
    rankings = Rankings.from_grades(grades, costs=costs, **parameters)
    if rankings.costs is not None:
        rankings = replace(rankings, costs=replace(rankings.costs, below=1.0))
    return float(parse_one(name).compute(rankings)[0])


def with_value(name: str, value: str) -> str:
    return str(parse_one(name)(value=value))


def check(name: str, metric: CWLMetric, grades: Grades, data: st.DataObject) -> None:
    some_costs = st.lists(st.sampled_from([0.25, 0.5, 1, 2, 5]), min_size=len(grades), max_size=len(grades))
    costs = data.draw(st.none() | some_costs)
    gains = [math.nan if grade is None else grade for grade in grades]
    expected = oracle(metric, Ranking("topic", gains, costs or [], max_n=DEPTH))
    for value in VALUES:
        assert ours(with_value(name, value), grades, costs) == pytest.approx(expected[value], rel=1e-9, abs=1e-9), value


@pytest.mark.parametrize("name", BINARY)
@settings(max_examples=15)
@given(grades=binary, data=st.data())
def test_all_values_of_relevant_documents_agree_with_cwl_eval(name: str, grades: Grades, data: st.DataObject) -> None:
    check(name, BINARY[name], grades, data)


@pytest.mark.parametrize("name", GRADED)
@settings(max_examples=15)
@given(grades=binary | graded, data=st.data())
def test_all_values_of_gains_agree_with_cwl_eval(name: str, grades: Grades, data: st.DataObject) -> None:
    check(name, GRADED[name], grades, data)


@settings(max_examples=15)
@given(grades=st.lists(st.sampled_from([None, 0, 1, 2, 3]), max_size=15), k=st.integers(1, 20))
def test_err_is_the_total_utility_of_cwl_evals_equation_9(grades: Grades, k: int) -> None:
    # s = (2^g - 1) / 2^3; what is not judged has 7/8 at best, where cwl-eval's models of gains up to 1 want max_gain
    gains = [math.nan if grade is None else (2**grade - 1) / 8 for grade in grades]
    metric = cwl.NERReq9CWLMetric(k)
    expected = oracle(metric, Ranking("topic", gains, [], max_gain=7 / 8, max_n=max(k, 20)))
    for value in ("EU", "ETU", "EC", "ETC", "ED"):
        assert ours(f"ERR(gmax=3,value={value})@{k}", grades) == pytest.approx(expected[value], abs=1e-9)
    assert ours(f"ERR(gmax=3,value=residual)@{k}", grades) == pytest.approx(
        metric.residual_expected_total_utility, abs=1e-9
    )


# The files of cwl-eval's tests


def of_cwl(line: str) -> tuple[str, CWLMetric]:
    """A line of a metrics file of cwl-eval as our name and as its metric, both to depth 1000."""
    name, _, inside = line.strip().rstrip(")").partition("(")
    given = [float(number) if "." in number else int(number) for number in inside.split(",") if number.strip()]
    names = {
        "PrecisionCWLMetric": "P@{}",
        "RBPCWLMetric": "RBP(p={},gain=linear)",
        "NDCGCWLMetric": "SDCG(gain=linear)@{}",
        "RRCWLMetric": "RR@1000",
        "APCWLMetric": "AP(denominator=found)@1000",
        "INSTCWLMetric": "INST(T={},gain=linear)@1000",
        "INSQCWLMetric": "INSQ(T={},gain=linear)@1000",
        "BPMCWLMetric": "BPM(T={},K={},gain=linear)",
        "BPMDCWLMetric": "BPMD(T={},K={},hc=0,gain=linear)",
        "UMeasureCWLMetric": "U(L={},gain=linear)@999",
        "TBGCWLMetric": "TBG(halflife={},gain=linear)@1000",
        "IFTGoalCWLMetric": "IFT_C1(T={},b1={},R1={},gain=linear)",
        "IFTRateCWLMetric": "IFT_C2(A={},b2={},R2={},gain=linear)",
        "IFTGoalRateCWLMetric": "IFT_C1_C2(T={},b1={},R1={},A={},b2={},R2={},gain=linear)",
    }
    return names[name].format(*given), getattr(cwl, name)(*given)


@pytest.mark.real_data
@pytest.mark.parametrize("with_costs", [True, False])
def test_the_files_of_cwl_eval(real_data: Path, with_costs: bool) -> None:
    folder = real_data / "cwl_eval_test"
    rows = [line.split() for line in (folder / "result_file").read_text().splitlines()]
    types = {kind: float(cost) for kind, cost in map(str.split, (folder / "cost_file").read_text().splitlines())}
    costs: dict[str, dict[str, float]] = {}
    for query, kind, document, *_ in rows:
        costs.setdefault(query, {})[document] = types[kind]
    lines = {
        line
        for name in ("metrics_file", "dcg_precision_metrics_file", "precision_metrics")
        for line in (folder / name).read_text().splitlines()
    }
    for line in sorted(lines):
        name, metric = of_cwl(line)
        measures = [parse_one(name)(value=value) for value in VALUES]
        graded = "gain" in measures[0].parameters
        judged = folder / ("gain_file" if graded else "qrel_file")
        options: dict[str, Any] = {"costs": costs, "default_cost": 1} if with_costs else {}
        result = cf.evaluate(judged, folder / "result_file", measures, **options)
        handler = TrecQrelHandler(judged)
        for query in costs:
            maker = RankingMaker(query, handler, types if with_costs else None)
            for _, kind, document, *_ in (row for row in rows if row[0] == query):
                maker.add(document, kind)
            expected = oracle(metric, maker.get_ranking())
            for measure in measures:
                value = measure.parameters["value"]
                assert result[measure][query] == pytest.approx(expected[value], rel=1e-9, abs=1e-9), (measure, query)


@pytest.mark.real_data
def test_a_gain_above_the_highest_is_an_error(real_data: Path) -> None:
    folder = real_data / "cwl_eval_test"
    with pytest.raises(
        DataError, match=r"INST\(T=1,gain=linear\) needs grades up to 1, the highest here is 2: say gmax=2"
    ):
        cf.evaluate(folder / "big_gain_file", folder / "result_file", "INST(gain=linear)")


IR_MEASURES = ["SDCG(max_rel=2)@5", "BPM(T=1.5,max_rel=2)@5", "BPM(max_rel=1)@10", "NERR8(max_rel=2)@5", "NERR9(max_rel=2)@5",
               "NERR10(p=0.8,max_rel=2)", "NERR11(T=2.0,max_rel=2)", "INST(T=2.0,max_rel=2)", "INSQ(T=2.0,max_rel=2)"]  # fmt: skip


@pytest.mark.real_data
@pytest.mark.parametrize("spelling", IR_MEASURES)
def test_ir_measures_spellings_give_ir_measures_values(real_data: Path, spelling: str) -> None:
    # ir_measures 0.4.3 computes these with cwl-eval to depth 1000
    folder = real_data / "ir_measures_tests"
    qrels = list(ir_measures.read_trec_qrels(str(folder / "cwl.qrels")))
    run = list(ir_measures.read_trec_run(str(folder / "cwl.run")))
    expected = {
        metric.query_id: metric.value
        for metric in ir_measures.iter_calc([ir_measures.parse_measure(spelling)], qrels, run)
    }
    (measure,) = parse(spelling)
    if "@" not in spelling:
        measure = measure @ 1000
    found = cf.evaluate(folder / "cwl.qrels", folder / "cwl.run", measure)[measure]
    assert found == pytest.approx(expected, abs=1e-9)
