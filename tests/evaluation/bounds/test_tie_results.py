"""What a result says about ties, from memory and from files. Oracle: arithmetic in the tests, and published numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cranfield as cf
from cranfield.errors import ParameterError, UsageError


def tied_run(topics: int) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Topics with two ties of 15 documents."""
    qrels = {f"q{t}": {f"d{n}": (n * (t + 1)) % 3 for n in range(30) if n % 3} for t in range(topics)}
    return qrels, {topic: {f"d{n}": float(n % 2) for n in range(30)} for topic in qrels}


def test_expected_values_take_the_place_of_values() -> None:
    qrels, run = {"q": {"a": 1}, "r": {"b": 1}}, {"q": {"a": 1, "b": 1}, "r": {"b": 1}}
    plain, expected = cf.evaluate(qrels, run, "RR"), cf.evaluate(qrels, run, "RR", ties="expected")
    assert (plain.mean["RR"], expected.mean["RR"]) == (0.75, 0.875)
    assert expected["RR"] == {"q": 0.75, "r": 1.0}
    assert not plain.ties
    assert expected.ties["recip_rank"].mean == {"value": 0.75, "expected": 0.875, "min": 0.75, "max": 1.0}
    assert expected.settings["ties"] == "expected"
    assert "ties" not in plain.settings
    assert repr(expected.ties["RR"]) == "<TieSpread of RR: expected 0.8750, 0.7500 to 1.0000 (closed form)>"
    assert "over all orders of tied documents: RR 0.7500 to 1.0000" in repr(expected)


def test_topics_that_are_left_out_are_left_out_here_too() -> None:
    qrels, run = {"q": {"a": 1}, "r": {"b": 1}}, {"r": {"b": 1, "c": 1}}
    found = cf.evaluate(qrels, run, ["RR", "NumQ"], profile="trec_eval-9", ties="range")
    assert found.queries == ("r",)
    assert found.ties["RR"].expected.tolist() == [0.75]
    counted = cf.evaluate(qrels, run, "RR", ties="range")
    assert counted.ties["RR"].mean == {"value": 0.25, "expected": 0.375, "min": 0.25, "max": 0.5}


def test_a_geometric_mean_and_a_sum() -> None:
    qrels, run = {"q": {"a": 1}, "r": {"b": 1}}, {"q": {"a": 1, "c": 1}, "r": {"b": 1}}
    found = cf.evaluate(qrels, run, ["GMAP", "NumRelRet"], ties="range")
    assert found.ties["GMAP"].mean["expected"] == pytest.approx(np.sqrt(0.75 * 1))
    assert found.ties["NumRelRet"].mean["expected"] == 2


def test_what_json_has() -> None:
    found = cf.evaluate({"q": {"a": 1}}, {"q": {"a": 1, "b": 1}}, ["RR", "RelString"], ties="range").to_dict()
    expected = {"expected": 0.75, "error": 0.0, "min": 0.5, "max": 1.0, "certified": True, "method": "closed form"}
    assert found["ties"]["mean"] == {
        "RR": {**expected, "topics_tied": 1, "topics_affected": 1, "topics_across_cutoff": 0}
    }
    assert found["ties"]["per_query"] == {"q": {"RR": {**expected, "across_cutoff": False}}}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ties": "random"}, "ties (--ties) is one of docid, expected, range, not 'random'"),
        ({"ties": "range", "seed": -1}, "the seed (--seed, seed=)"),
        ({"ties": "range", "profile": "gdeval"}, "gdeval has rules of its own"),
    ],
)
def test_what_cannot_be_asked(options: dict[str, Any], message: str) -> None:
    with pytest.raises((UsageError, ParameterError)) as error:
        cf.Evaluator({"q": {"a": 1}}, "nDCG@10", **options)
    assert message in str(error.value)


# Files


def write_run(path: Path, run: dict[str, dict[str, float]]) -> Path:
    lines = [f"{q} Q0 {d} 0 {s} t" for q, of in run.items() for d, s in sorted(of.items(), key=lambda x: -x[1])]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize("split", [False, True])
def test_files_say_the_same_as_memory(tmp_path: Path, split: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cranfield.evaluation.streaming.WORTH_SPLITTING", 0 if split else 1 << 30)
    qrels, run = tied_run(60)
    path = write_run(tmp_path / "one.run", run)
    measures = ["AP", "P@10"]
    memory = cf.evaluate(qrels, run, measures, ties="range")
    file = cf.evaluate(qrels, str(path), measures, ties="range")
    several = cf.evaluate(qrels, [str(path), str(write_run(tmp_path / "two.run", run))], measures, ties="range")
    for found in (file, *several.values()):
        for measure in measures:
            assert found.ties[measure].summary() == memory.ties[measure].summary()


@pytest.mark.real_data
def test_ties_decide_a_published_number(real_data: Path) -> None:
    """TREC-COVID, round 1: MAP .1965 officially, with ties by document descending, and .1971 ascending."""
    folder = real_data / "trec_covid_r1"
    run = folder / "runs" / "ixa-ir-filter-query.gz"
    found = cf.evaluate(folder / "qrels-rnd1.txt", run, "AP", profile="trec_eval-9", ties="range")
    mean = found.ties["AP"].mean
    assert round(mean["value"], 4) == 0.1965
    assert mean["min"] < 0.1965 < mean["expected"] < 0.1971 < mean["max"]
    assert found.ties["AP"].certified.all()
