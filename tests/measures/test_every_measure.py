"""What holds for every measure that works on judgments, driven by what the registry says of it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.data.qrels import Qrels
from cranfield.data.rankings import Rankings
from cranfield.data.run import Run
from cranfield.measures import REGISTRY, Measure
from cranfield.measures.references import REFERENCES

MEASURES = [
    Measure(name) @ definition.defaults_at[0] if definition.at_needed else Measure(name)
    for name, definition in REGISTRY.items()
    if definition.needs == "qrels" and definition.aggregate != "none"
]
grades = st.lists(st.one_of(st.none(), st.integers(-1, 4), st.sampled_from([0.5, 1.5])), max_size=15)
unretrieved = st.lists(st.integers(-1, 4), max_size=6)


@pytest.mark.parametrize("measure", MEASURES, ids=str)
@settings(max_examples=40, deadline=None)
@given(grades=grades, missed=unretrieved)
def test_values_are_within_the_stated_bounds(measure: Measure, grades: list[float | None], missed: list[int]) -> None:
    low, high = measure.definition.bounds
    (value,) = measure.compute(Rankings.from_grades(grades, unretrieved=missed))
    assert np.isfinite(value)
    assert low - 1e-12 <= value <= high + 1e-12


BEST_IS_ONE = [m for m in MEASURES if m.definition.bounds[1] == 1.0 and m.name not in (
    "P", "R", "AP", "RBP", "RBPResidual", "Unjudged", "SetP", "SetF", "SetAP", "GMAP",
)]  # fmt: skip


@pytest.mark.parametrize("measure", BEST_IS_ONE, ids=str)
@given(relevant=st.integers(1, 4), nonrelevant=st.integers(0, 5))
@settings(max_examples=20, deadline=None)
def test_the_perfect_ranking_scores_one(measure: Measure, relevant: int, nonrelevant: int) -> None:
    (value,) = measure.compute(Rankings.from_grades([1] * relevant + [0] * nonrelevant))
    assert value == pytest.approx(1.0, abs=1e-4)  # infAP has a smoothing term of 1e-5


@pytest.mark.parametrize("measure", [m for m in MEASURES if not m.definition.without_run], ids=str)
def test_an_empty_ranking_scores_what_nothing_is_worth(measure: Measure) -> None:
    (value,) = measure.compute(Rankings.from_grades([], unretrieved=[1, 2, 0]))
    # By hand: YAAP is ln(1 / (1 + R)) with R = 2; IdealDCG does not depend on the run; all of RBP is unknown.
    expected = {"YAAP": np.log(1 / 3), "IdealDCG": 2 + 1 / np.log2(3), "RBPResidual": 1.0}
    assert value == pytest.approx(expected.get(measure.name, 0.0))


@pytest.mark.parametrize("measure", MEASURES, ids=str)
def test_a_query_without_relevant_documents(measure: Measure) -> None:
    (value,) = measure.compute(Rankings.from_grades([0, None, 0], unretrieved=[0]))
    # By hand: three retrieved, two of them judged and not relevant, one of three unjudged.
    expected = {
        "NumQ": 1, "NumRet": 3, "NumNonrelRet": 2, "Utility": -3, "Judged": 2 / 3, "Unjudged": 1 / 5,
        "RBPResidual": 0.8**3 + 0.2 * 0.8,
    }  # fmt: skip
    assert value == pytest.approx(expected.get(measure.name, 0.0))


@pytest.mark.parametrize("measure", MEASURES, ids=str)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_the_value_of_a_query_does_not_depend_on_the_others(measure: Measure, data: st.DataObject) -> None:
    lists = data.draw(st.lists(st.tuples(grades, unretrieved), min_size=2, max_size=4))
    rows, returned = [], []
    for number, (ranked, missed) in enumerate(lists):
        for rank, grade in enumerate(ranked):
            returned.append((f"q{number}", f"d{rank}", -float(rank)))
            if grade is not None:
                rows.append((f"q{number}", f"d{rank}", grade))
        rows += [(f"q{number}", f"missed{at}", grade) for at, grade in enumerate(missed)]
    judged = sorted({row[0] for row in rows})
    if not judged:
        return
    together = measure.compute(Rankings.join(Qrels.from_tuples(rows), Run.from_tuples(returned)))
    for row, query in enumerate(judged):
        ranked, missed = lists[int(query[1:])]
        (alone,) = measure.compute(Rankings.from_grades(ranked, unretrieved=missed))
        assert together[row] == pytest.approx(alone, rel=1e-12, abs=1e-12)


IMPROVES = ["P", "R", "AP", "RR", "nDCG", "DCG", "Bpref", "RBP", "Rprec", "IPrec", "IPrecAvg", "Success", "G", "BinG"]


@pytest.mark.parametrize("measure", [m for m in MEASURES if m.name in IMPROVES], ids=str)
@settings(max_examples=40, deadline=None)
@given(grades=st.lists(st.integers(0, 1), min_size=2, max_size=12), data=st.data())
def test_moving_a_relevant_document_up_never_lowers_the_score(
    measure: Measure, grades: list[int], data: st.DataObject
) -> None:
    at = data.draw(st.integers(1, len(grades) - 1))
    if grades[at] <= grades[at - 1]:
        return
    better = [*grades[: at - 1], grades[at], grades[at - 1], *grades[at + 1 :]]
    (before,) = measure.compute(Rankings.from_grades(grades))
    (after,) = measure.compute(Rankings.from_grades(better))
    assert after >= before - 1e-12


@pytest.mark.parametrize("name", REGISTRY)
def test_every_measure_is_documented(name: str) -> None:
    definition = REGISTRY[name]
    assert definition.meaning.endswith(".")
    assert all(reference in REFERENCES for reference in definition.cites)
    assert definition.parameters is not None
    if definition.needs == "qrels" and definition.aggregate != "none" and name != "NumQ":
        assert ">>> " in definition.text, f"{name} has no example"
