"""Judgments and runs in every shape, topics that are missing, and what is said about it."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pandas
import polars
import pyarrow
import pytest

import cranfield as cf
from cranfield.errors import CoverageError, DataError, ParameterError, UnknownMeasureError, UsageError
from cranfield.evaluation import parallel
from cranfield.evaluation.inputs import run_names

QRELS = {"q1": {"d1": 1, "d2": 0}, "q2": {"d3": 2}, "q3": {"d4": 1}}
RUN = {"q1": {"d2": 0.9, "d1": 0.8}, "q2": {"d3": 0.7}}
# By hand: RR is 1/2 for q1, 1 for q2; q3 is missing.


def test_a_missing_topic_scores_zero_and_is_reported() -> None:
    result = cf.evaluate(QRELS, RUN, ["RR", "P@1"])
    assert result.mean == {"RR": pytest.approx((1 / 2 + 1 + 0) / 3), "P@1": pytest.approx(1 / 3)}
    assert result.per_query["q3"] == {"RR": 0.0, "P@1": 0.0}
    assert result.coverage.missing == ("q3",)
    assert "1 missing (q3: scored 0)" in result.coverage.sentence()


def test_trec_eval_9_leaves_missing_topics_out() -> None:
    result = cf.evaluate(QRELS, RUN, "RR", profile="trec_eval-9")
    assert result.mean["RR"] == (1 / 2 + 1) / 2
    assert list(result.per_query) == ["q1", "q2"]


def test_trec_eval_9_complete_counts_them_without_listing_them() -> None:
    result = cf.evaluate(QRELS, RUN, ["RR", "NumQ"], profile="trec_eval-9", complete=True)
    assert result.mean["RR"] == pytest.approx((1 / 2 + 1) / 3)
    assert result.mean["NumQ"] == 3
    assert list(result.per_query) == ["q1", "q2"]


def test_trec_eval_10_stops_unless_complete() -> None:
    with pytest.raises(CoverageError, match=r"no documents for 1 of 3 judged topics \(q3\).*Add -c"):
        cf.evaluate(QRELS, RUN, "RR", profile="trec_eval-10")
    assert cf.evaluate(QRELS, RUN, "RR", profile="trec_eval-10", complete=True).mean["RR"] == pytest.approx(0.5)


def test_no_topic_in_common() -> None:
    with pytest.raises(
        CoverageError,
        match=r"^run: the run and the judgments have no topic in common \(run: 1; judgments: q1, q2, q3\)",
    ):
        cf.evaluate(QRELS, {"1": {"d1": 1.0}}, "RR")


def test_nothing_is_judged() -> None:
    with pytest.raises(CoverageError, match=r"no topic in common \(run: q1, q2; judgments: none\)"):
        cf.evaluate({}, RUN, "RR")


def test_coverage_counts() -> None:
    qrels = {"q1": {"a": 1, "b": 0}, "q2": {"c": 0}}
    run = {"q1": {"a": 3, "b": 2, "x": 2}, "q2": {"y": 1}, "q9": {"z": 1}}
    found = cf.evaluate(qrels, run, ["AP", "Judged@10"])
    coverage = found.coverage
    assert coverage.unjudged == ("q9",)
    assert coverage.without_relevant == ("q2",)
    assert coverage.judged_at_10 == (2 / 3 + 0 / 1) / 2  # a and b of a, b, x; none of y
    assert coverage.judged_at_10 == found.mean["Judged@10"]
    assert (coverage.tied_documents, coverage.tied_topics) == (2, 1)  # b and x


def test_every_shape_gives_the_same(tmp_path: Path) -> None:
    expected = cf.evaluate(QRELS, RUN, ["RR", "nDCG@10"]).mean
    judged = [(q, d, g) for q, of in QRELS.items() for d, g in of.items()]
    returned = [(q, d, s) for q, of in RUN.items() for d, s in of.items()]
    qrels_file = tmp_path / "x.qrels"
    qrels_file.write_text("".join(f"{q} 0 {d} {g}\n" for q, d, g in judged))
    run_file = tmp_path / "x.run"
    run_file.write_text("".join(f"{q} Q0 {d} 1 {s} t\n" for q, d, s in returned))
    judged_columns = dict(zip(["query_id", "doc_id", "relevance"], zip(*judged, strict=True), strict=True))
    run_columns = dict(zip(["qid", "docno", "score"], zip(*returned, strict=True), strict=True))
    shapes = [
        (QRELS, RUN),
        (judged, returned),
        (str(qrels_file), run_file),
        (io.BytesIO(qrels_file.read_bytes()), io.StringIO(run_file.read_text())),
        (cf.read_qrels(qrels_file), cf.read_run(run_file)),
        (pandas.DataFrame(judged_columns), pandas.DataFrame(run_columns)),
        (polars.DataFrame(judged_columns), polars.DataFrame(run_columns)),
        (pyarrow.table({k: list(v) for k, v in judged_columns.items()}), pandas.DataFrame(run_columns)),
    ]
    for qrels, run in shapes:
        assert cf.evaluate(qrels, run, ["RR", "nDCG@10"]).mean == expected


def test_several_runs() -> None:
    better = {"q1": {"d1": 0.9, "d2": 0.8}, "q2": {"d3": 0.7}, "q3": {"d4": 0.1}}
    by_name = cf.evaluate(QRELS, {"base": RUN, "new": better}, ["RR"])
    assert isinstance(by_name, cf.Evaluation)
    assert by_name.mean == {"base": {"RR": pytest.approx(0.5)}, "new": {"RR": 1.0}}
    in_list = cf.evaluate(QRELS, [RUN, better], ["RR"])
    assert list(in_list) == ["run-1", "run-2"]


def test_several_files_are_evaluated_side_by_side(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "cores", lambda: 3)
    for number in range(7):
        lines = [f"q1 Q0 d{1 + rank % 2} 1 {score} t{number}\n" for rank, score in enumerate((number, 3.5))]
        (tmp_path / f"r{number}.run").write_text("".join(lines))
    results = cf.evaluate(QRELS, [tmp_path / f"r{number}.run" for number in range(7)], ["RR"])
    # By hand: d1 (relevant) has score `number`, d2 3.5: d1 is first from 4 on; two of three topics are missing.
    assert [run.mean["RR"] for run in results.values()] == [pytest.approx(value / 3) for value in [0.5] * 4 + [1.0] * 3]
    assert [run.tag for run in results.values()] == [f"t{number}" for number in range(7)]


def test_an_evaluator_is_used_again_and_again() -> None:
    # ir_measures' evaluator once gave zeros on its second use.
    evaluator = cf.Evaluator(QRELS, ["RR"])
    assert [evaluator(RUN).mean["RR"] for _ in range(3)] == [pytest.approx(0.5)] * 3


def test_names_of_runs() -> None:
    assert run_names(["a/bm25.run.gz", "dense.run"]) == ["bm25", "dense"]
    assert run_names(["a/bm25.run", "b/bm25.run"]) == ["a/bm25.run", "b/bm25.run"]
    assert run_names(["a/bm25.run", "dense.run", "a/bm25.run"]) == ["bm25", "dense", "bm25-3"]
    assert run_names(["a/x.run", "b/x.run", "a/x.run"]) == ["a/x.run", "b/x.run", "a/x.run-3"]
    assert run_names([RUN, "run.txt", RUN]) == ["run-1", "run.txt", "run-3"]


def test_values_are_found_under_any_spelling() -> None:
    result = cf.evaluate(QRELS, RUN, ["nDCG@10"])
    assert result.mean["ndcg_cut_10"] == result.mean["nDCG@10"] == result.mean[cf.nDCG @ 10]


@pytest.mark.parametrize("name", ["AP", "INST(T=2,value=all)", "BM25"])
def test_a_value_that_is_not_there(name: str) -> None:
    result = cf.evaluate(QRELS, RUN, ["nDCG@10", "RR"])
    for values in (result.mean, result, result.per_query["q1"]):
        with pytest.raises(KeyError) as error:
            _ = values[name]
        assert error.value.args == (f"there is no value of {name}; there are values of nDCG@10, RR",)


def test_a_run_that_is_not_there() -> None:
    results = cf.evaluate(QRELS, {"bm25": RUN, "dense": RUN}, "RR")
    with pytest.raises(KeyError, match="there is no run 'BM25'; there are: bm25, dense"):
        _ = results["BM25"]
    assert "BM25" not in results


def test_tables() -> None:
    result = cf.evaluate(QRELS, RUN, ["RR", "RelString"])
    frame = result.to_pandas()
    assert frame.columns.tolist() == ["run", "query", "RR", "RelString@10"]
    assert frame["RR"].tolist() == [0.5, 1.0, 0.0]
    assert frame["RelString@10"].tolist() == ["01", "2", ""]
    assert result.to_polars().to_dict(as_series=False) == frame.to_dict("list")
    assert result.to_arrow().to_pydict() == frame.to_dict("list")
    assert ">0.5000</td>" in result._repr_html_()


def test_measures_in_rows_unless_there_are_many_runs() -> None:
    result = cf.evaluate(QRELS, RUN, [cf.P @ rank for rank in range(1, 41)])
    lines = repr(result).splitlines()
    assert lines[:2] == ["measure     run", "P@1      0.3333"]
    assert len(lines) == 1 + 40 + 1
    assert max(map(len, lines[:-1])) == len("measure     run")
    assert '<td style="text-align:left">P@40</td><td style="text-align:right">0.0167</td>' in result._repr_html_()
    many = cf.evaluate(QRELS, {f"r{number}": RUN for number in range(7)}, ["RR", "P@1"])
    assert repr(many).splitlines()[:2] == ["run      RR     P@1", "r0   0.5000  0.3333"]


def test_what_is_to_be_said_of_measures() -> None:
    results = cf.evaluate(QRELS, [RUN, RUN], ["TBG", "U", "IFT_C2", "IFT_C1_C2", "RR", "SetAccuracy(documents=9)"])
    rate = "A is the gain expected of a document, not of a unit of time."
    endings = [
        ("TBG(halflife=224)", "halflife counts documents, not seconds."),
        ("U(L=1000)", "L counts documents, not characters."),
        ("IFT_C2(A=0.2)@1000, IFT_C1_C2(T=2,A=0.2)@1000", rate),
        ("SetAccuracy(documents=9)", "Look at precision and recall."),
    ]
    assert [measures for measures, _ in results.measure_notes()] == [measures for measures, _ in endings]
    assert all(note.endswith(end) for (_, note), (_, end) in zip(results.measure_notes(), endings, strict=True))
    assert results.warnings["IFT_C2(A=0.2)@1000"].endswith(rate)
    assert repr(results).splitlines()[-2].startswith("IFT_C2(A=0.2)@1000, IFT_C1_C2(T=2,A=0.2)@1000: without --costs")


def test_only_some_topics_are_listed() -> None:
    result = cf.evaluate(QRELS, RUN, "RR")
    some = result.listing(["q2", "q9"])
    assert some.per_query == {"q2": {"RR": 1.0}}
    assert some["RR"] == {"q2": 1.0}
    assert some.mean == result.mean


def test_html_is_escaped() -> None:
    result = cf.evaluate({"<b>": {"d": 1}}, {"<b>": {"d": 1}, "<i>": {"d": 1}}, ["RR"])
    assert "<i>" not in result._repr_html_()


def test_json_has_a_schema_and_can_be_read_back() -> None:
    whole = json.loads(json.dumps(cf.evaluate(QRELS, [RUN], ["RR"]).to_dict()))
    assert whole["schema"] == "cranfield.evaluation/1"
    assert whole["runs"][0]["per_query"]["q1"] == {"RR": 0.5}
    assert whole["coverage"]["run"]["topics_missing"] == ["q3"]


def test_fractional_grades() -> None:
    # By hand: gains 1.5 and 0.5 in the wrong order: (0.5 + 1.5/log2(3)) / (1.5 + 0.5/log2(3))
    qrels = {"q": {"a": 1.5, "b": 0.5}}
    run = {"q": {"b": 2, "a": 1}}
    assert cf.evaluate(qrels, run, "nDCG").mean["nDCG"] == pytest.approx(
        (0.5 + 1.5 / 1.5849625) / (1.5 + 0.5 / 1.5849625)
    )
    with pytest.raises(DataError, match=r"grade 1\.5 of document 'a' is not a whole number"):
        cf.evaluate(qrels, run, "nDCG", profile="trec_eval-10")


def test_large_and_negative_grades() -> None:
    qrels = {"q": {"a": 1_000_000_000, "b": -128}}
    result = cf.evaluate(qrels, {"q": {"b": 2, "a": 1}}, ["RR", "Judged@10", "NumRel"])
    assert result.mean == {"RR": 0.5, "Judged@10": 0.5, "NumRel": 1}


def test_scores_any_double() -> None:
    run = {"q": {"a": 1e308, "b": 5e-324, "c": -1e308}}
    assert cf.evaluate({"q": {"b": 1}}, run, "RR").mean["RR"] == 0.5


def test_judged_twice_is_said(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("q ann d 1\nq bob d 0\n")
    with pytest.raises(DataError, match=r"document 'd' is judged more than once for query 'q'.*-R qrels_jg"):
        cf.evaluate(tmp_path / "x", {"q": {"d": 1}}, "AP")
    result = cf.evaluate(tmp_path / "x", {"q": {"d": 1}}, "map_avgjg", relevance="qrels_jg")
    assert result.mean["AP_avgjg"] == 0.5  # 1 by ann's judgment, 0 by bob's


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"measures": "nDGC@10"}, UnknownMeasureError, "unknown measure 'nDGC@10'. Did you mean"),
        ({"measures": "P@0"}, ParameterError, "P: cutoff must be a whole number from 1 to 10^12, not 0"),
        ({"measures": "RBP(p=1.5)"}, ParameterError, "RBP: p must be a number from 0 to below 1, not 1.5"),
        ({"measures": "P(rle=2)@5"}, ParameterError, "P has no parameter 'rle'; its parameters: rel, denominator, cutoff, judged_only"),
        ({"measures": "prefs_simp"}, UsageError, "prefs_simp cannot be computed from 'qrels': it needs -R prefs or"),
        ({"measures": "AP", "profile": "trec_eval"}, UsageError, "unknown profile 'trec_eval'. Did you mean trec_eval-9"),
        ({"measures": "AP", "depth": 0}, UsageError, "must be a whole number from 1 to 10^12, not 0"),
        ({"measures": "AP", "depth": "ten"}, UsageError, "(-M, depth=) must be a whole number from 1 to 10^12, not 'ten'"),
        ({"measures": "AP", "depth": 2**63}, UsageError, "must be a whole number from 1 to 10^12, not 9223372036854775808"),
        ({"measures": "AP", "level": "x"}, UsageError, "grade (-l, level=) must be a number from 0 to 10^9, not 'x'"),
        ({"measures": "AP", "level": -1}, UsageError, "must be a number from 0 to 10^9, not -1"),
        ({"measures": 5}, UsageError, "a measure is a name such as 'nDCG@10', or a value such as nDCG @ 10; found 5"),
        ({"measures": "AP", "relevance": "xrels"}, UsageError, "unknown relevance format 'xrels'"),
    ],
)  # fmt: skip
def test_wrong_requests(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        cf.evaluate(QRELS, RUN, **options)
    assert message in str(caught.value)


def test_a_missing_topic_never_counts_as_perfect() -> None:
    # Oracle by hand: an empty list misses all that is relevant (a miss rate of 1); q1 and q2 miss nothing.
    for profile in ("cranfield", "trec_eval-9"):
        result = cf.evaluate(QRELS, RUN, "SetFNR", profile=profile, complete=True)
        assert result.mean["SetFNR"] == pytest.approx((0 + 0 + 1) / 3)
