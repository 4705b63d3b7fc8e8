"""Two runs beside each other."""

from __future__ import annotations

import io
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import polars
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield.errors import CoverageError, DataError, ParameterError, UsageError
from cranfield.evaluation.similarity import MEASURES

A = {"q1": {"d1": 4.0, "d2": 3.0, "d3": 2.0, "d4": 1.0}, "q2": {"d1": 1.0}, "q3": {"d1": 1.0}}
B = {"q1": {"d1": 9.0, "d3": 8.0, "d2": 7.0, "d5": 6.0}, "q2": {"d2": 1.0}, "q4": {"d1": 1.0}}


def test_by_hand() -> None:
    result = cf.similarity(A, B, ["tau_a", "overlap", "jaccard", "common", "rbo", "rbo_min", "rbo_max"], p=0.5)
    # q1: of the pairs of d1, d2, d3 two agree; 3 of 4 and 3 of 5 documents are common. q2 has nothing in common.
    assert result["tau_a"] == {"q1": pytest.approx(1 / 3), "q2": pytest.approx(math.nan, nan_ok=True)}
    assert result["overlap"] == {"q1": 3 / 4, "q2": 0}
    assert result["jaccard"] == {"q1": 3 / 5, "q2": 0}
    assert result["common"] == {"q1": 3, "q2": 0}
    # Agreement in q1: 1, 1/2, 3/3, 3/4, and 3/4 from there on; at most 5/5 from depth 5 on, at least 3/d.
    seen = 0.5 * (1 + 0.5 / 2 + 0.25 + 0.125 * 3 / 4)
    rest = math.log(2) - (1 / 2 + 1 / 8 + 1 / 24 + 1 / 64)  # the sum of 0.5^d / d from depth 5 on
    assert result["rbo"]["q1"] == pytest.approx(seen + 0.5**4 * 3 / 4)
    assert result["rbo_max"]["q1"] == pytest.approx(seen + 0.5**4)
    assert result["rbo_min"]["q1"] == pytest.approx(seen + 3 * rest)
    # q2: nothing at depth 1, at most (2d - 2)/d at depth 2 and below: 2/2.
    assert result.per_query["q2"]["rbo"] == result.per_query["q2"]["rbo_min"] == 0
    assert result.per_query["q2"]["rbo_max"] == pytest.approx(0.5)


def test_the_mean_is_over_queries_where_the_measure_is_defined() -> None:
    result = cf.similarity(A, B, ["tau_a", "overlap"])
    assert result.mean == {"tau_a": pytest.approx(1 / 3), "overlap": 0.375}
    assert result.defined == {"tau_a": 1, "overlap": 2}
    nothing = cf.similarity({"q": {"a": 1}}, {"q": {"b": 1}}, "tau_b")
    assert math.isnan(nothing.mean["tau_b"])


def test_queries_of_one_run_only() -> None:
    result = cf.similarity(A, B)
    assert (result.queries, result.only_first, result.only_second) == (("q1", "q2"), ("q3",), ("q4",))
    assert (result.documents, result.common) == ((5, 5), 3)
    assert "2 in both, 1 only in run-1 (q3: left out), 1 only in run-2 (q4: left out)" in result.sentence()
    assert "; 3 in common; no tied scores; rbo: p = 0.9, ties b; correlations: common documents" in repr(result)


def test_missing_documents_below_the_end() -> None:
    # d4 and d5 are each last where they are missing: pairs agree, disagree or are tied by hand
    x, y = [4, 3, 2, 1, 0], [9, 7, 8, 0, 6]  # d1 d2 d3 d4 d5
    result = cf.similarity(A, B, ["tau_a", "tau_b", "spearman"], documents="union")
    assert result["tau_a"]["q1"] == pytest.approx(scipy.stats.kendalltau(x, y).statistic)
    assert result["spearman"]["q1"] == pytest.approx(scipy.stats.spearmanr(x, y).statistic)
    # q2: d1 only in one list, d2 only in the other: one pair, in opposite orders
    assert result["tau_b"]["q2"] == -1


def test_depth() -> None:
    # The first two of q1 are d1 d2 and d1 d3
    result = cf.similarity(A, B, ["common", "jaccard", "rbo"], depth=2, p=0.5)
    assert (result["common"]["q1"], result["jaccard"]["q1"]) == (1, 1 / 3)
    assert result["rbo"]["q1"] == pytest.approx(0.5 * (1 + 0.5 / 2) + 0.25 / 2)
    # a tie at the depth is cut by identifier, last first
    cut = cf.similarity({"q": {"a": 1, "b": 1, "c": 1}}, {"q": {"c": 1, "b": 1}}, "common", depth=2)
    assert cut["common"] == {"q": 2}


def test_ties_in_scores_are_ties() -> None:
    tied = {"q": {"a": 2.0, "b": 2.0, "c": 1.0}}
    result = cf.similarity(tied, {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}, ["tau_a", "tau_b", "gamma"])
    # two pairs agree, one is tied: 2/3, 2/√(3 · 2), 2/2
    assert result.mean == {"tau_a": pytest.approx(2 / 3), "tau_b": pytest.approx(2 / math.sqrt(6)), "gamma": 1}
    # rbo of the tied list and itself: agreement 1/2, 1, 1 where a and b are tied at the ranks 1 and 2
    assert cf.similarity(tied, tied, "rbo", ties="a").mean["rbo"] == pytest.approx(0.95)
    for ties in "bw":
        assert cf.similarity(tied, tied, "rbo", ties=ties).mean["rbo"] == pytest.approx(1)


def test_the_first_run_is_the_truth_of_tau_ap_a() -> None:
    truth, estimate = {"q": {"a": 3, "b": 2, "c": 1}}, {"q": {"a": 3, "c": 2, "b": 1}}
    # estimate a c b: 1 of 1 right above c, 1 of 2 above b: 2/2 (1 + 1/2) - 1; the other way round is the same here
    assert cf.similarity(truth, estimate, "tau_ap_a").mean["tau_ap_a"] == pytest.approx(0.5)
    # truth a b c d, estimate d a b c: above a, b, c stand d (wrong) and the right ones: 2/3 (0 + 1/2 + 2/3) - 1;
    # the other way round the order a b c d against d a b c: 2/3 (1 + 1 + 0) - 1
    truth, estimate = {"q": {"a": 4, "b": 3, "c": 2, "d": 1}}, {"q": {"d": 4, "a": 3, "b": 2, "c": 1}}
    assert cf.similarity(truth, estimate, "tau_ap_a").mean["tau_ap_a"] == pytest.approx(2 / 3 * (1 / 2 + 2 / 3) - 1)
    assert cf.similarity(estimate, truth, "tau_ap_a").mean["tau_ap_a"] == pytest.approx(1 / 3)


def test_spellings() -> None:
    result = cf.similarity(A, B, ["RBO_ext", "tau", "tau-ap", "rho", "kendall"])
    assert result.measures == ("rbo", "tau_b", "tau_ap_b", "spearman")
    assert result["RBO"] == result["rbo"]


def test_every_shape_of_a_run(tmp_path: Path) -> None:
    frame = {
        "query_id": [query for query, found in A.items() for _ in found],
        "doc_id": [document for found in A.values() for document in found],
        "score": [score for found in A.values() for score in found.values()],
    }
    lines = "".join(f"{q} Q0 {d} 1 {s} t\n" for q, d, s in zip(*frame.values(), strict=True))
    (tmp_path / "a.run").write_text(lines)
    shapes: list[Any] = [
        A,
        cf.Run.from_dict(A),
        list(zip(*frame.values(), strict=True)),
        pandas.DataFrame(frame),
        polars.DataFrame(frame),
        tmp_path / "a.run",
        io.StringIO(lines),
    ]
    expected = cf.similarity(A, B).to_dict()["mean"]
    for shape in shapes:
        assert cf.similarity(shape, B).to_dict()["mean"] == expected
    assert cf.similarity(tmp_path / "a.run", B).names == ("a", "run")


def test_a_value_that_is_not_there() -> None:
    with pytest.raises(KeyError, match="there is no value of rho; there are values of tau_b, common"):
        _ = cf.similarity(A, B, ["tau_b", "common"])["rho"]


def test_json_has_a_schema_and_no_nan() -> None:
    whole = json.loads(json.dumps(cf.similarity(A, B, ["tau_b", "common"]).to_dict(), allow_nan=False))
    assert whole == {
        "schema": "cranfield.similarity/1",
        "runs": ["run-1", "run-2"],
        "settings": {"p": 0.9, "ties": "b", "depth": None, "documents": "common"},
        "measures": ["tau_b", "common"],
        "topics": 2,
        "topics_only_in_first": ["q3"],
        "topics_only_in_second": ["q4"],
        "documents": [5, 5],
        "documents_in_common": 3,
        "most_documents_for_a_topic": [4, 4],
        "tied_documents": [0, 0],
        "mean": {"tau_b": pytest.approx(1 / 3), "common": 1.5},
        "topics_defined": {"tau_b": 1, "common": 2},
        "per_query": {"q1": {"tau_b": pytest.approx(1 / 3), "common": 3}, "q2": {"tau_b": None, "common": 0}},
    }


scores = st.dictionaries(st.sampled_from("abcdefghij"), st.integers(0, 4).map(float), min_size=1)


@given(st.dictionaries(st.sampled_from(["q1", "q2", "q3"]), st.tuples(scores, scores), min_size=1))
@settings(max_examples=50)
@pytest.mark.filterwarnings("ignore:An input array is constant")
def test_scipy(both: dict[str, tuple[dict[str, float], dict[str, float]]]) -> None:
    """Oracle: scipy, query by query, on the common documents and on all."""
    first, second = ({query: pair[side] for query, pair in both.items()} for side in (0, 1))
    common = cf.similarity(first, second, ["tau_b", "spearman"])
    union = cf.similarity(first, second, "tau_b", documents="union")
    for query, (a, b) in both.items():
        documents = sorted(a.keys() & b.keys())
        x, y = [a[d] for d in documents], [b[d] for d in documents]
        if len(documents) > 1:
            assert common["tau_b"][query] == pytest.approx(
                scipy.stats.kendalltau(x, y).statistic, abs=1e-9, nan_ok=True
            )
            assert common["spearman"][query] == pytest.approx(
                scipy.stats.spearmanr(x, y).statistic, abs=1e-9, nan_ok=True
            )
        documents = sorted(a.keys() | b.keys())
        x, y = [a.get(d, -1) for d in documents], [b.get(d, -1) for d in documents]
        expected = scipy.stats.kendalltau(x, y).statistic if len(x) > 1 else math.nan
        assert union["tau_b"][query] == pytest.approx(expected, abs=1e-9, nan_ok=True)


@given(st.dictionaries(st.sampled_from(["q1", "q2", "q3"]), st.tuples(scores, scores), min_size=1))
@settings(max_examples=50)
def test_properties(both: dict[str, tuple[dict[str, float], dict[str, float]]]) -> None:
    first, second = ({query: pair[side] for query, pair in both.items()} for side in (0, 1))
    every = [name for name in MEASURES if name != "tau_ap_a"]
    values = cf.similarity(first, second, every).columns
    backwards = cf.similarity(second, first, every).columns
    scaled = {query: {d: math.exp(s) - 40 for d, s in found.items()} for query, found in first.items()}
    renamed, other = ({q: {f"{d} {d}": s for d, s in f.items()} for q, f in run.items()} for run in (scaled, second))
    anew = cf.similarity(renamed, other, every).columns
    for name in every:
        np.testing.assert_allclose(values[name], backwards[name], atol=1e-12)
        np.testing.assert_allclose(values[name], anew[name], atol=1e-12)


def test_large_runs_are_compared_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(5)
    runs = [
        {f"q{q:03}": {f"d{d}": float(s) for d, s in zip(random.permutation(60), random.integers(0, 40, 50), strict=False)} for q in range(50)}
        for _ in range(2)
    ]  # fmt: skip
    whole = cf.similarity(*runs)
    monkeypatch.setattr("cranfield.evaluation.matched_lists._PIECE", 300)
    pieces = cf.similarity(*runs)
    assert pieces.queries == whole.queries
    assert pieces.common == whole.common == sum(len(runs[0][q].keys() & runs[1][q].keys()) for q in runs[0])
    for name in whole.measures:
        np.testing.assert_allclose(pieces.columns[name], whole.columns[name], atol=1e-12)


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("trec_covid_r1/runs/ixa-ir-filter-query.gz", "trec_covid_r1/runs/PL2c1.0.gz"),
        ("dl19/runs/BM25.top100.txt", "dl19/runs/REP_LLAMA.top100.txt"),
    ],
)
def test_real_runs(real_data: Path, first: str, second: str) -> None:
    """Oracle: scipy for the correlations; equation (32) of Webber, Moffat and Zobel for rbo at depth 20 with p = .8.

    The first of the runs has many tied scores; for rbo the ranks stand in for the scores.
    """
    a, b = (cf.read_run(real_data / path).to_dict() for path in (first, second))
    result = cf.similarity(real_data / first, real_data / second, ["tau_b", "spearman", "common"])
    for query in result.queries:
        documents = sorted(a[query].keys() & b[query].keys())
        x, y = [a[query][d] for d in documents], [b[query][d] for d in documents]
        assert result["common"][query] == len(documents)
        assert result["tau_b"][query] == pytest.approx(scipy.stats.kendalltau(x, y).statistic, abs=1e-9)
        assert result["spearman"][query] == pytest.approx(scipy.stats.spearmanr(x, y).statistic, abs=1e-9)
    strict = [{q: {d: -rank for rank, d in enumerate(found)} for q, found in run.items()} for run in (a, b)]
    rbo = cf.similarity(strict[0], strict[1], "rbo", depth=20, p=0.8)["rbo"]
    for query in result.queries:
        S, L = sorted((list(run[query])[:20] for run in (a, b)), key=len)
        s, end = len(S), len(L)
        X = [len(set(S[:d]) & set(L[:d])) for d in range(end + 1)]
        seen = sum(X[d] / d * 0.8**d for d in range(1, end + 1))
        supposed = sum(X[s] * (d - s) / (s * d) * 0.8**d for d in range(s + 1, end + 1))
        expected = 0.2 / 0.8 * (seen + supposed) + ((X[end] - X[s]) / end + X[s] / s) * 0.8**end
        assert rbo[query] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"measures": "tua_b"}, UsageError, "unknown measure of similarity 'tua_b'. Did you mean tau_b"),
        ({"measures": "nDCG"}, UsageError, "unknown measure of similarity 'nDCG'. There are: rbo, rbo_min"),
        ({"measures": []}, UsageError, "no measure is named"),
        ({"p": 1.0}, ParameterError, "p must be a number above 0 and below 1, not 1.0"),
        ({"ties": "x"}, ParameterError, "ties must be one of a, b, w, not 'x'"),
        ({"depth": 0}, UsageError, "must be a whole number from 1 to 10^12, not 0"),
        ({"documents": "all"}, UsageError, "documents must be one of common, union, not 'all'"),
    ],
)
def test_wrong_requests(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        cf.similarity(A, B, **options)
    assert message in str(caught.value)


def test_wrong_runs() -> None:
    with pytest.raises(DataError, match="score nan is not a finite number"):
        cf.similarity(A, {"q1": {"d1": math.nan}})
    with pytest.raises(CoverageError, match=r"run-1 and run-2 have no topic in common \(q1, q2, q3; q9\)"):
        cf.similarity(A, {"q9": {"d1": 1.0}})
    with pytest.raises(UsageError, match="expected one run on each side, found several"):
        cf.similarity([A, B], B)
