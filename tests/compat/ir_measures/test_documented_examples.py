"""The examples of ir_measures' own documentation (README, Getting Started, Advanced Features), with what it prints.

The numbers are those that the pages show, unless a comment says otherwise.
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from cranfield.compat import ir_measures
from cranfield.compat.ir_measures import *  # noqa: F403
from cranfield.compat.ir_measures import AP, RR, Judged, P, Qrel, ScoredDoc, alpha_nDCG, calc_aggregate, nDCG

QRELS = {"Q0": {"D0": 0, "D1": 1}, "Q1": {"D0": 0, "D3": 2}}
RUN = {"Q0": {"D0": 1.2, "D1": 1.0}, "Q1": {"D0": 2.4, "D3": 3.6}}
WANTED = [AP, nDCG, RR, nDCG @ 10, P(rel=2) @ 10]
# README: {AP: 0.75, nDCG: 0.8154648767857288, RR: 0.75, nDCG@10: 0.8154648767857288, P(rel=2)@10: 0.05}
MEANS = {"AP": 0.75, "nDCG": 0.8154648767857288, "RR": 0.75, "nDCG@10": 0.8154648767857288, "P(rel=2)@10": 0.05}

QRELS_TEXT = """
Q0 0 D0 0
Q0 0 D1 1
Q1 0 D0 0
Q1 0 D3 2
"""
RUN_TEXT = """
Q0 0 D0 0 1.2 runid
Q0 0 D1 1 1.0 runid
Q1 0 D3 0 3.6 runid
Q1 0 D0 1 2.4 runid
"""


def means(qrels, run):
    return {str(measure): value for measure, value in ir_measures.calc_aggregate(WANTED, qrels, run).items()}


def test_aggregated_results() -> None:
    assert means(QRELS, RUN) == pytest.approx(MEANS, abs=1e-15)


def test_results_by_query() -> None:
    shown = {str(metric) for metric in ir_measures.iter_calc(WANTED, QRELS, RUN)}
    assert shown == {
        "Metric(query_id='Q0', measure=AP, value=0.5)",
        "Metric(query_id='Q0', measure=RR, value=0.5)",
        "Metric(query_id='Q0', measure=nDCG, value=0.6309297535714575)",
        "Metric(query_id='Q0', measure=nDCG@10, value=0.6309297535714575)",
        "Metric(query_id='Q1', measure=AP, value=1.0)",
        "Metric(query_id='Q1', measure=RR, value=1.0)",
        "Metric(query_id='Q1', measure=nDCG, value=1.0)",
        "Metric(query_id='Q1', measure=nDCG@10, value=1.0)",
        "Metric(query_id='Q0', measure=P(rel=2)@10, value=0.0)",
        "Metric(query_id='Q1', measure=P(rel=2)@10, value=0.1)",
    }


QRELS_SHAPES = {
    "dict of dict": lambda path: QRELS,
    "dataframe": lambda path: pd.DataFrame(
        [
            {"query_id": "Q0", "doc_id": "D0", "relevance": 0},
            {"query_id": "Q0", "doc_id": "D1", "relevance": 1},
            {"query_id": "Q1", "doc_id": "D0", "relevance": 0},
            {"query_id": "Q1", "doc_id": "D3", "relevance": 2},
        ]
    ),
    "renamed dataframe": lambda path: pd.DataFrame(
        {"qid": ["Q0", "Q0", "Q1", "Q1"], "docno": ["D0", "D1", "D0", "D3"], "label": [0, 1, 0, 2]}
    ).rename(columns={"qid": "query_id", "docno": "doc_id", "label": "relevance"}),
    "namedtuples": lambda path: [
        ir_measures.Qrel("Q0", "D0", 0),
        ir_measures.Qrel("Q0", "D1", 1),
        ir_measures.Qrel("Q1", "D0", 0),
        ir_measures.Qrel("Q1", "D3", 2),
    ],
    "a generator": lambda path: (Qrel(q, d, g) for q, inner in QRELS.items() for d, g in inner.items()),
    "a file": lambda path: ir_measures.read_trec_qrels(str(path / "qrels")),
    "the text of a file": lambda path: ir_measures.read_trec_qrels(QRELS_TEXT),
    "a list of a file": lambda path: list(ir_measures.read_trec_qrels(str(path / "qrels"))),
}
RUN_SHAPES = {
    "dict of dict": lambda path: RUN,
    "dataframe": lambda path: pd.DataFrame(
        [
            {"query_id": "Q0", "doc_id": "D0", "score": 1.2},
            {"query_id": "Q0", "doc_id": "D1", "score": 1.0},
            {"query_id": "Q1", "doc_id": "D0", "score": 2.4},
            {"query_id": "Q1", "doc_id": "D3", "score": 3.6},
        ]
    ),
    "namedtuples": lambda path: [
        ir_measures.ScoredDoc("Q0", "D0", 1.2),
        ir_measures.ScoredDoc("Q0", "D1", 1.0),
        ir_measures.ScoredDoc("Q1", "D0", 2.4),
        ir_measures.ScoredDoc("Q1", "D3", 3.6),
    ],
    "a generator": lambda path: (ScoredDoc(q, d, s) for q, inner in RUN.items() for d, s in inner.items()),
    "a file": lambda path: ir_measures.read_trec_run(str(path / "run")),
    "the text of a file": lambda path: ir_measures.read_trec_run(RUN_TEXT),
    "a list of a file": lambda path: list(ir_measures.read_trec_run(str(path / "run"))),
}


@pytest.mark.parametrize("run_shape", RUN_SHAPES)
@pytest.mark.parametrize("qrels_shape", QRELS_SHAPES)
def test_every_shape_of_qrels_and_runs(tmp_path: Path, qrels_shape: str, run_shape: str) -> None:
    (tmp_path / "qrels").write_text(QRELS_TEXT)
    (tmp_path / "run").write_text(RUN_TEXT)
    found = means(QRELS_SHAPES[qrels_shape](tmp_path), RUN_SHAPES[run_shape](tmp_path))
    assert found == pytest.approx(MEANS, abs=1e-15)


def test_measure_objects_print_as_they_are_written() -> None:
    assert [repr(measure) for measure in (AP, AP(rel=2), nDCG @ 20, P(rel=2) @ 10)] == [
        "AP",
        "AP(rel=2)",
        "nDCG@20",
        "P(rel=2)@10",
    ]


@pytest.mark.parametrize("name", ["AP", "AP(rel=2)", "nDCG@20", "P(rel=2)@10"])
def test_parse_measure(name: str) -> None:
    assert repr(ir_measures.parse_measure(name)) == name


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("map", "[AP]"),
        ("P", "[P@5, P@10, P@15, P@20, P@30, P@100, P@200, P@500, P@1000]"),
        ("P_3,8", "[P@3, P@8]"),
        ("P.3,8", "[P@3, P@8]"),
        ("ndcg", "[nDCG]"),
        ("ndcg_cut_10", "[nDCG@10]"),
    ],
)
def test_parse_trec_measure(name: str, shown: str) -> None:
    assert repr(ir_measures.parse_trec_measure(name)) == shown


def test_parse_trec_measure_official() -> None:
    with pytest.warns(UserWarning, match="gm_map"):
        official = ir_measures.parse_trec_measure("official")
    assert repr(official) == (
        "[P@5, P@10, P@15, P@20, P@30, P@100, P@200, P@500, P@1000, Rprec, Bpref, IPrec@0.0, IPrec@0.1, IPrec@0.2, "
        "IPrec@0.3, IPrec@0.4, IPrec@0.5, IPrec@0.6, IPrec@0.7, IPrec@0.8, IPrec@0.9, IPrec@1.0, AP, NumQ, NumRel, "
        "NumRet(rel=1), NumRet, RR]"
    )


def test_values_from_the_measure_itself() -> None:
    assert AP.calc_aggregate(QRELS, RUN) == 0.75
    assert (nDCG @ 10).calc_aggregate(QRELS, RUN) == pytest.approx(0.8154648767857288, abs=1e-15)
    assert [str(metric) for metric in (P(rel=2) @ 10).iter_calc(QRELS, RUN)] == [
        "Metric(query_id='Q0', measure=P(rel=2)@10, value=0.0)",
        "Metric(query_id='Q1', measure=P(rel=2)@10, value=0.1)",
    ]
    aggregated, per_query = AP.calc(QRELS, RUN)
    assert (aggregated, [metric.value for metric in per_query]) == (0.75, [0.5, 1.0])
    assert AP.evaluator(QRELS).calc_aggregate(RUN) == {AP: 0.75}


def test_an_evaluator_for_several_runs() -> None:
    evaluator = ir_measures.evaluator([nDCG @ 10, P @ 5, P(rel=2) @ 5, Judged @ 10], QRELS)
    other = {"Q0": {"D1": 2.0}, "Q1": {"D7": 1.0}}
    # By hand: Q0 is perfect, its only document judged; Q1 has an unjudged document and nothing relevant.
    expected = {nDCG @ 10: 0.5, P @ 5: 0.1, P(rel=2) @ 5: 0.0, Judged @ 10: 0.5}
    assert evaluator.calc_aggregate(other) == expected
    assert evaluator.calc_aggregate(RUN)[nDCG @ 10] == pytest.approx(0.8154648767857288, abs=1e-15)
    assert evaluator.calc_aggregate(other) == expected
    assert len(evaluator.calc(other).per_query) == 8


def test_empty_set_behaviour() -> None:
    # Queries of the qrels alone count, one that the run lacks as 0: (0.5 + 0) / 2.
    assert AP.calc_aggregate(QRELS, {"Q0": RUN["Q0"], "Q9": {"D3": 1.0}}) == 0.25


def test_diversity_measures() -> None:
    qrels = [
        Qrel("q0", "d0", 1, iteration="0"),
        Qrel("q0", "d0", 1, iteration="1"),
        Qrel("q0", "d1", 1, iteration="0"),
    ]
    assert calc_aggregate([alpha_nDCG @ 10], qrels, [ScoredDoc("q0", "d0", 1)]) == pytest.approx(
        {alpha_nDCG @ 10: 0.8637574337885664}
    )
    assert calc_aggregate([alpha_nDCG @ 10], qrels, [ScoredDoc("q0", "d1", 1)]) == pytest.approx(
        {alpha_nDCG @ 10: 0.4318787168942832}
    )


def test_custom_measures() -> None:
    def has_english_wiki(qrels: pd.DataFrame, run: pd.DataFrame) -> float:
        has_en_wiki = run.doc_id.str.startswith("https://en.wikipedia.org/").any()
        return 1.0 if has_en_wiki else 0.0

    HasEnglishWiki = ir_measures.define_byquery(has_english_wiki, name="HasEnglishWiki")
    qrels = list(ir_measures.read_trec_qrels("0 0 x 0\n1 0 x 0\n"))
    run = list(
        ir_measures.read_trec_run(
            """
            0 0 https://www.gla.ac.uk/ 0 0 run
            0 0 https://en.wikipedia.org/wiki/Terrier 1 -1 run
            1 0 https://www.google.com/ 0 0 run
            """
        )
    )
    assert str(calc_aggregate([HasEnglishWiki], qrels, run)) == "{HasEnglishWiki: 0.5}"
    assert str(calc_aggregate([HasEnglishWiki @ 1], qrels, run)) == "{HasEnglishWiki@1: 0.0}"
