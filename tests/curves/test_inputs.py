"""What curves are made from."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import polars
import pytest

import cranfield as cf
from cranfield.curves.inputs import join
from cranfield.errors import UsageError
from cranfield.evaluation.named_runs import named_runs

QRELS = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 0, "d2": 1}}
RUN = {"q1": {"d1": 2.0, "d2": 1.0}, "q2": {"d1": 2.0, "d2": 1.0}}
ROWS = [(query, document, score) for query, documents in RUN.items() for document, score in documents.items()]


def as_text() -> str:
    return "".join(f"{query} Q0 {document} 0 {score} t\n" for query, document, score in ROWS)


@pytest.mark.parametrize(
    "run",
    [
        RUN,
        ROWS,
        cf.Run.from_dict(RUN),
        pandas.DataFrame(ROWS, columns=["query_id", "doc_id", "score"]),
        polars.DataFrame(ROWS, schema=["query_id", "doc_id", "score"], orient="row"),
        io.StringIO(as_text()),
    ],
    ids=["dict", "tuples", "run", "pandas", "polars", "file object"],
)
def test_whatever_evaluate_takes(run: Any) -> None:
    (curve,) = cf.curves.recall_precision(QRELS, run, levels=[0, 1]).runs.values()
    assert curve.mean.tolist() == [0.75, 0.75]


def test_files_side_by_side(tmp_path: Path) -> None:
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("".join(f"{q} 0 {d} {g}\n" for q, judged in QRELS.items() for d, g in judged.items()))
    files = []
    for number in range(3):
        files.append(tmp_path / f"{number}.run")
        files[-1].write_text(as_text())
    curves = cf.curves.roc(qrels, files)
    assert list(curves.runs) == ["0", "1", "2"]
    # The one relevant document of q1 stands first, that of q2 last
    assert [run.auc.tolist() for run in curves.runs.values()] == [[1, 0]] * 3
    assert curves.about.notes() == [
        "0, 1, 2: 2 of 2 topics; 4 documents, up to 2 a topic; top 10: 100.0% judged; no ties"
    ]


def test_names_of_runs() -> None:
    assert list(named_runs({"a": RUN, "b": RUN})) == ["a", "b"]
    assert list(named_runs([RUN, RUN])) == ["run-1", "run-2"]
    with pytest.raises(UsageError, match="there is no run"):
        named_runs([])


def test_options_and_what_is_told_about_them() -> None:
    joined = join(QRELS, RUN, level=2, depth=1, judged_only=True)
    (run,) = joined.runs
    assert run.rankings.retrieved.tolist() == [1, 1]
    assert run.rankings.level == 2
    assert joined.about(more=1).settings["more"] == 1
    with pytest.raises(TypeError, match="unexpected keyword argument 'levels'"):
        cf.curves.by_rank(QRELS, RUN, levels=2)


def test_documents_are_looked_up_once_for_several_curves() -> None:
    joined = cf.curves.join(QRELS, {"a": RUN}, level=1, with_scores=True)
    for alone, together in (
        (cf.curves.by_rank(QRELS, {"a": RUN}), cf.curves.by_rank(joined)),
        (cf.curves.gain(QRELS, {"a": RUN}), cf.curves.gain(joined)),
        (cf.curves.cutoff(QRELS, {"a": RUN}, "AP"), cf.curves.cutoff(joined, measures="AP")),
        (cf.curves.recall_precision(QRELS, {"a": RUN}), cf.curves.recall_precision(joined)),
        (cf.curves.roc(QRELS, {"a": RUN}), cf.curves.roc(joined)),
        (cf.curves.roc_points(QRELS, {"a": RUN}), cf.curves.roc_points(joined)),
        (cf.curves.hull(QRELS, {"a": RUN}), cf.curves.hull(joined)),
        (cf.curves.thresholds(QRELS, {"a": RUN}), cf.curves.thresholds(joined)),
    ):
        assert alone.to_dict(by_topic=True) == together.to_dict(by_topic=True)


def test_what_was_joined_before_has_runs_and_options_already() -> None:
    joined = cf.curves.join(QRELS, RUN)
    for call, message in (
        (lambda: cf.curves.roc(joined, RUN), "has its runs and options already"),
        (lambda: cf.curves.roc(joined, level=2), "has its runs and options already"),
        (lambda: cf.curves.thresholds(joined), "join with with_scores=True"),
        (lambda: cf.curves.by_rank(joined, bands="ties"), "bands: this takes an evaluation"),
        (lambda: cf.curves.cutoff(joined, measures="INST"), r"INST\(T=1\) at each cutoff: this takes an evaluation"),
        (lambda: cf.curves.recall_precision(joined, bands="ties"), "bands take an evaluation"),
    ):
        with pytest.raises(UsageError, match=message):
            call()


def test_public_names_are_functions_however_often_they_are_asked_for() -> None:
    for _ in range(2):
        for name in cf.curves.__all__:
            assert not isinstance(getattr(cf.curves, name), type(np)), f"{name} is a module"
    assert "by_rank" in dir(cf.curves)
    with pytest.raises(AttributeError, match="no attribute 'curve'"):
        _ = cf.curves.curve
