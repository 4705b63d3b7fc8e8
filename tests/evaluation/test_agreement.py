"""Agreement of judges as a whole: all labels, by topic, by pair of judges."""

from __future__ import annotations

import io
import itertools
import json
from pathlib import Path
from typing import Any

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

import cranfield as cf
from cranfield import stats
from cranfield.errors import DataError, ParameterError

NOTES = [("R", "R")] * 20 + [("R", "I")] * 12 + [("I", "R")] * 4 + [("I", "I")] * 4
"""The notes' table of two judges, 20 / 12 / 4 / 4."""


def by_judge(pairs: list[tuple[Any, Any]]) -> dict[str, dict[int, Any]]:
    return {judge: {item: pair[side] for item, pair in enumerate(pairs)} for side, judge in enumerate("AB")}


def test_the_table_of_the_notes() -> None:
    """P(A) .60; kappa .20 with P(E) = .5, .0909 by each judge's marginals, .0476 by pooled marginals (Scott's pi)."""
    result = cf.agreement(by_judge(NOTES))
    assert {key: round(one.value, 4) for key, one in result.coefficients.items()} == {
        "percent_agreement": 0.6,
        "bennett_s": 0.2,
        "cohen_kappa": 0.0909,
        "scott_pi": 0.0476,
        "krippendorff_alpha": 0.0595,  # 1 - (79/80) (1 - pi), the correction for 80 labels
        "gwet_ac1": 0.3103,  # (.6 - .42) / .58 with P(E) = 2 · .7 · .3
    }
    assert result.used == {"I": 24, "R": 56}
    assert result.notes == []
    assert repr(result).splitlines()[2].startswith("Cohen's kappa is 0.0909 (95% interval -0.")


def test_intervals_are_those_of_each_coefficient_alone() -> None:
    result = cf.agreement(by_judge(NOTES), resamples=100, seed=3, confidence=0.9)
    assert result["cohen_kappa"] == stats.cohen_kappa(*zip(*NOTES, strict=True), resamples=100, seed=3, confidence=0.9)
    assert result["gwet_ac1"] == stats.gwet_ac1(NOTES, resamples=100, seed=3, confidence=0.9)
    assert result["scott_pi"] == stats.scott_pi(*zip(*NOTES, strict=True), resamples=100, seed=3, confidence=0.9)


@st.composite
def judged(draw: st.DrawFn) -> list[tuple[str, str, str, int]]:
    """(topic, judge, document, grade) of two judges or more."""
    judges = draw(st.integers(2, 4))
    cells = itertools.product("xyz", (f"j{judge}" for judge in range(judges)), "abcde")
    rows = [(topic, judge, document, draw(st.none() | st.integers(0, 3))) for topic, judge, document in cells]
    kept = [(topic, judge, document, grade) for topic, judge, document, grade in rows if grade is not None]
    return [("x", "j0", "sure", 1), ("x", "j1", "sure", 2), *kept]


@given(rows=judged(), random=st.randoms(use_true_random=False))
@settings(max_examples=30)
def test_a_topic_has_what_its_labels_alone_have(rows: list[tuple[str, str, str, int]], random: Any) -> None:
    """Oracle: every topic by itself, in another order, through the functions of `cf.stats`."""
    scale = range(4)
    whole = cf.agreement(rows, weights="linear", level="ordinal", scale=scale, resamples=0)
    two = len(whole.labels.judges) == 2
    for topic, found in whole.by_topic.items():
        alone = cf.JudgeLabels.from_tuples([row for row in random.sample(rows, len(rows)) if row[0] == topic])
        counts = stats.LabelCounts.of(alone, scale)
        expected = {
            "percent_agreement": stats.percent_agreement(counts, resamples=0),
            "bennett_s": stats.bennett_s(counts, weights="linear", resamples=0),
            "krippendorff_alpha": stats.krippendorff_alpha(counts, level="ordinal", resamples=0),
            "gwet_ac2": stats.gwet_ac1(counts, weights="linear", resamples=0),
        }
        if not two:
            expected["fleiss_kappa"] = stats.fleiss_kappa(counts, weights="linear", resamples=0)
        elif len(alone.judges) == 2:
            for pair in stats.cohen_kappa_of_pairs(alone, weights="linear", scale=scale):
                expected["cohen_kappa"] = pair.agreement
        for key, one in expected.items():
            assert found[key].value == pytest.approx(one.value, abs=1e-9, nan_ok=True)
            assert (found[key].items, found[key].judges) == (one.items, one.judges)
            assert (found[key].undefined is None) == (one.undefined is None)
    shuffled = cf.agreement(
        random.sample(rows, len(rows)), weights="linear", level="ordinal", scale=scale, resamples=20
    )
    again = cf.agreement(rows, weights="linear", level="ordinal", scale=scale, resamples=20)
    assert shuffled.to_dict() == again.to_dict()


@pytest.mark.real_data
def test_three_assessors(real_data: Path) -> None:
    """Oracles on trec_eval's qrels.123: scikit-learn's kappa for each two judges, krippendorff.alpha for each topic."""
    file = real_data / "trec_eval_test" / "qrels.123"
    lines = [line.split() for line in file.read_text().splitlines()]
    grades = {(query, judge, document): float(grade) for query, judge, document, grade in lines if float(grade) >= 0}
    result = cf.agreement(file, weights="quadratic", level="ordinal", resamples=0)
    assert [(pair.first, pair.second) for pair in result.by_pair] == [("0", "1"), ("0", "2"), ("1", "2")]
    for pair in result.by_pair:
        both = [
            (grade, grades[query, pair.second, document])
            for (query, judge, document), grade in grades.items()
            if judge == pair.first and (query, pair.second, document) in grades
        ]
        # scikit-learn goes by places: the grades 0 to 6 with none left out
        expected = cohen_kappa_score(*zip(*both, strict=True), labels=range(7), weights="quadratic")
        assert pair.agreement.items == len(both)
        assert pair.agreement.value == pytest.approx(expected, abs=1e-9)
    assert result.notes[0] == "912 negative grades say that a document was not judged; they are left out."
    for topic, found in result.by_topic.items():
        documents = sorted({document for query, _, document in grades if query == topic})
        data = [[grades.get((topic, judge, document), np.nan) for document in documents] for judge in "012"]
        alpha = krippendorff.alpha(np.array(data), level_of_measurement="ordinal")
        assert found["krippendorff_alpha"].value == pytest.approx(alpha, abs=1e-9)


def test_files_and_lists_of_files(tmp_path: Path) -> None:
    for judge in "AB":
        content = "".join(f"{item} {label}\n" for item, label in by_judge(NOTES)[judge].items())
        (tmp_path / f"{judge}.txt").write_text(content)
    tasks = "".join(
        f"{item},{judge},{pair[side]}\n" for item, pair in enumerate(NOTES) for side, judge in enumerate("AB")
    )
    (tmp_path / "tasks.csv").write_text(tasks)
    expected = cf.agreement(by_judge(NOTES), resamples=50).to_dict()
    for given_labels in ([tmp_path / "B.txt", tmp_path / "A.txt"], tmp_path / "tasks.csv", io.StringIO(tasks)):
        assert cf.agreement(given_labels, resamples=50).to_dict() == expected
    by_name = cf.agreement({"ann": tmp_path / "A.txt", "bob": str(tmp_path / "B.txt")}, resamples=0)
    assert by_name.labels.judges == ("ann", "bob")
    assert by_name["cohen_kappa"].value == expected["coefficients"]["cohen_kappa"]["value"]


def test_percent_agreement_has_no_weights_and_alpha_its_own() -> None:
    labels = {"A": {1: 0, 2: 1, 3: 2, 4: 2}, "B": {1: 0, 2: 2, 3: 2, 4: 1}}  # two of four agree
    weighted = cf.agreement(labels, weights="quadratic", resamples=0)
    assert weighted["percent_agreement"].value == 0.5
    assert weighted["cohen_kappa"].observed == 1 - (1 / 4 + 1 / 4) / 4  # two are half the scale apart
    assert weighted["krippendorff_alpha"].weights == "nominal"
    assert any("--level ordinal or interval" in note for note in weighted.notes)
    assert not any("--level" in note for note in cf.agreement(labels, resamples=0).notes)
    leveled = cf.agreement(labels, weights="quadratic", level="interval", resamples=0)
    assert not any("--level" in note for note in leveled.notes)


def test_pairs_of_judges_are_in_the_order_of_their_numbers() -> None:
    every = {f"w{number}": {item: item % 2 for item in range(number)} for number in (12, 9, 10)}
    pairs = cf.agreement(every, resamples=0).by_pair
    assert [(pair.first, pair.second) for pair in pairs] == [("w9", "w10"), ("w9", "w12"), ("w10", "w12")]
    assert [(pair.agreement.items, pair.band) for pair in pairs] == [(9, ""), (9, ""), (10, "excellent")]


def test_what_is_said_beside_the_values() -> None:
    result = cf.agreement({"A": {1: "a", 2: "b", 3: "a"}, "B": {1: "a", 2: "b"}}, scale=["a", "b", "c"])
    assert result.notes[0] == "1 of 3 items have the label of one judge only."
    assert result.notes[1] == "Nobody used c."
    assert result.notes[2].startswith("Intervals leave out samples of items in which there is no value, of 2000: ")
    alone = cf.agreement({"A": {1: "a"}})
    assert alone["fleiss_kappa"].undefined == "there is only one judge"
    assert alone.notes[0].startswith("All labels are by one judge, 'A'. Agreement needs a file for each judge, or")
    apart = cf.agreement({"A": {1: "a"}, "B": {2: "b"}})
    assert {one.undefined for one in apart.coefficients.values()} == {"no item has labels of two judges"}
    assert apart.by_pair == ()
    assert apart.by_topic == {}


def test_json_has_no_nan() -> None:
    result = cf.agreement([("q1", "A", "d1", 1), ("q1", "B", "d1", 1), ("q2", "A", "d1", 1)])
    content = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert content["schema"] == "cranfield.agreement/1"
    assert content["labels"] == {
        "labels": 3, "items": 2, "items_compared": 1, "judges": ["A", "B"], "topics": 2, "categories": {"1": 3},
    }  # fmt: skip
    assert content["by_topic"]["q2"]["cohen_kappa"]["undefined"] == "there is only one judge"
    assert content["coefficients"]["cohen_kappa"]["value"] is None


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"weights": "linear"}, DataError, "linear weights: categories must have an order, and these are words: I, R"),
        ({"level": "ordinal"}, DataError, "ordinal level: categories must have an order, and these are words: I, R"),
        ({"scale": ["R", "N"]}, DataError, r"labels: label 'I' is not on the scale \(R, N\)"),
        ({"level": "cardinal"}, ParameterError, "level must be one of nominal, ordinal, interval, ratio"),
        ({"resamples": -1}, ParameterError, "resamples must be a whole number of at least 0, not -1"),
    ],
)
def test_what_is_wrong_is_said_at_once(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        cf.agreement(by_judge(NOTES), **options)
