"""What is retrieved taken as a set: the notes' example, scikit-learn, and what must hold between the measures.

Oracle: scikit-learn (version in requirements/test.txt), given for every document of a collection whether it is relevant
and whether it is retrieved.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from cranfield.data.qrels import Qrels
from cranfield.data.rankings import Rankings
from cranfield.data.run import Run
from cranfield.errors import DataError, ParameterError
from cranfield.measures import REGISTRY, Measure, evaluate_one, parse, parse_one


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("SetR", 2 / 3),
        ("SetP", 2 / 4),
        ("SetF", 4 / 7),
        ("SetAccuracy(documents=8)", 5 / 8),
        ("SetTNR(documents=8)", 0.6),
        ("SetFPR(documents=8)", 0.4),
        ("SetFNR", 1 / 3),
        ("SetError(documents=8)", 3 / 8),
        ("SetG", 0.5774),
        ("SetJaccard", 0.4),
        ("Dice", 4 / 7),
        ("SetE", 3 / 7),
    ],
)
def test_the_example_of_the_notes(measure: str, expected: float) -> None:
    # D = d1..d8, relevant {1, 5, 7}, returned {1, 3, 5, 6}: TP 2, FP 2, FN 1, TN 3
    assert evaluate_one(measure, [1, 0, 1, 0], unretrieved=[1]) == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize(
    ("found", "others", "missed", "expected"),
    [
        (57, 43, 57, 0.5327),  # P 57/100, R 57/114
        (2, 3, 0, 0.5714),  # P 2/5, R 1
    ],
)
def test_which_of_two_systems_is_better(found: int, others: int, missed: int, expected: float) -> None:
    # The notes: recall 50 % and precision 57 %, or recall 100 % and precision 40 %.
    assert evaluate_one("SetF", [1] * found + [0] * others, unretrieved=[1] * missed) == expected


def test_beta_above_one_is_for_recall_and_below_for_precision() -> None:
    # P 1/2, R 2/3. By hand: F2 = 5·(1/3)/(4/2 + 2/3) = .625, F.5 = 1.25·(1/3)/(.25/2 + 2/3) = .5263
    ranking, missed = [1, 0, 1, 0], [1]
    assert evaluate_one("SetF(beta=2)", ranking, unretrieved=missed) == 0.625
    assert evaluate_one("SetF(beta=0.5)", ranking, unretrieved=missed) == 0.5263
    assert evaluate_one("SetF(alpha=0)", ranking, unretrieved=missed) == 0.6667  # recall alone
    assert evaluate_one("SetF(alpha=1)", ranking, unretrieved=missed) == 0.5  # precision alone


def test_a_short_list_is_not_filled_up() -> None:
    assert evaluate_one("SetP@10", [1, 0]) == 1 / 2
    assert evaluate_one("P@10", [1, 0]) == 1 / 10
    assert evaluate_one("SetP@1", [1, 0]) == 1
    assert evaluate_one("Accuracy(documents=4)@1", [1, 0], unretrieved=[1]) == 3 / 4  # the second found is left out
    assert evaluate_one("SetP@1000000000000", [1, 0]) == 1 / 2


documents = st.integers(1, 25)


@st.composite
def sets(draw: st.DrawFn) -> tuple[list[bool], list[bool]]:
    """For each document of a collection, whether it is relevant and whether it is retrieved."""
    size = draw(documents)
    flags = st.lists(st.booleans(), min_size=size, max_size=size)
    return draw(flags), draw(flags)


def rankings(*queries: tuple[list[bool], list[bool]]) -> Rankings:
    """Every second document that is not relevant is unjudged, which must make no difference."""
    judged, returned = [], []
    for number, (relevant, retrieved) in enumerate(queries):
        judged.append((f"q{number}", "out of the way", 0))
        for at, is_relevant in enumerate(relevant):
            if is_relevant or at % 2:
                judged.append((f"q{number}", f"d{at}", int(is_relevant)))
        returned += [(f"q{number}", f"d{at}", -at) for at, is_retrieved in enumerate(retrieved) if is_retrieved]
    return Rankings.join(Qrels.from_tuples(judged), Run.from_tuples(returned))


def value(name: str, relevant: list[bool], retrieved: list[bool]) -> float:
    measure = parse_one(name)
    if "documents" in measure.definition.required:
        measure = measure(documents=len(relevant) + 1)  # one more: the judged document that keeps the query alive
    (found,) = measure.compute(rankings((relevant, retrieved)))
    return float(found)


@given(case=sets(), beta=st.floats(0, 5), alpha=st.floats(0.01, 1))
def test_against_scikit_learn(case: tuple[list[bool], list[bool]], beta: float, alpha: float) -> None:
    actual, predicted = (np.array([*flags, False]) for flags in case)
    theirs = {
        "SetP": metrics.precision_score(actual, predicted, zero_division=0),
        "SetR": metrics.recall_score(actual, predicted, zero_division=0),
        "SetTNR": metrics.recall_score(actual, predicted, pos_label=False, zero_division=0),
        "SetAccuracy": metrics.accuracy_score(actual, predicted),
        "SetError": metrics.zero_one_loss(actual, predicted),
        "SetF": metrics.f1_score(actual, predicted, zero_division=0),
        f"SetF(beta={beta})": metrics.fbeta_score(actual, predicted, beta=beta, zero_division=0),
        f"SetF(alpha={alpha})": metrics.fbeta_score(
            actual, predicted, beta=math.sqrt((1 - alpha) / alpha), zero_division=0
        ),
        "SetJaccard": metrics.jaccard_score(actual, predicted, zero_division=0),
    }
    tn, fp, fn, tp = metrics.confusion_matrix(actual, predicted, labels=[False, True]).ravel()
    theirs |= {
        "SetFPR": fp / (fp + tn) if fp + tn else 0.0,
        "SetFNR": fn / (fn + tp) if fn + tp else 0.0,
        "SetG": math.sqrt(theirs["SetP"] * theirs["SetR"]),
        "SetE": 1 - theirs["SetF"],
        "Utility(tp=2,fp=-3,fn=-5)": 2 * tp - 3 * fp - 5 * fn,
    }
    for name, expected in theirs.items():
        assert value(name, *case) == pytest.approx(expected, rel=1e-9, abs=1e-9), name


@given(case=sets())
def test_what_holds_between_them(case: tuple[list[bool], list[bool]]) -> None:
    p, r, f, g, jaccard = (value(name, *case) for name in ("SetP", "SetR", "SetF", "SetG", "SetJaccard"))
    assert min(p, r) - 1e-12 <= f <= g + 1e-12
    assert g <= (p + r) / 2 + 1e-12
    assert jaccard == pytest.approx(f / (2 - f))
    assert value("SetTNR", *case) + value("SetFPR", *case) == pytest.approx(1)
    assert value("SetAccuracy", *case) + value("SetError", *case) == pytest.approx(1)
    if any(case[0]):
        assert r + value("SetFNR", *case) == pytest.approx(1)


@given(case=sets(), cutoff=st.integers(1, 30))
def test_a_cutoff_takes_the_first_documents(case: tuple[list[bool], list[bool]], cutoff: int) -> None:
    relevant, retrieved = case
    first = np.flatnonzero(retrieved)[:cutoff]
    fewer = [at in first for at in range(len(retrieved))]
    for name in ("SetP", "SetR", "SetF", "SetG", "SetE", "SetJaccard", "SetAccuracy", "SetTNR", "SetAP", "Utility"):
        assert value(f"{name}@{cutoff}", *case) == value(name, relevant, fewer)


ALIASES = {
    "sensitivity": "SetR", "TPR": "SetR", "specificity": "SetTNR", "TNR": "SetTNR", "FPR": "SetFPR", "fallout": "SetFPR",
    "FNR": "SetFNR", "miss_rate": "SetFNR", "accuracy": "SetAccuracy", "error_rate": "SetError", "jaccard": "SetJaccard",
    "dice": "SetF",
}  # fmt: skip


@pytest.mark.parametrize(("alias", "name"), ALIASES.items())
def test_other_names(alias: str, name: str) -> None:
    assert parse(alias) == [Measure(name)]
    taken = [d.name for d in REGISTRY.values() if alias.lower() in map(str.lower, (d.name, *d.aliases))]
    assert taken == [name]


@pytest.mark.parametrize("name", ["SetF", "SetE"])
def test_beta_and_alpha_at_once(name: str) -> None:
    for text in (f"{name}(beta=2,alpha=0.5)", f"{name}(beta=1,alpha=0.5)"):
        with pytest.raises(ParameterError, match=f"{name} takes beta or alpha, not both"):
            parse(text)


@pytest.mark.parametrize("name", ["SetTNR", "SetFPR", "SetAccuracy", "SetError"])
def test_the_size_of_the_collection_must_be_given(name: str) -> None:
    with pytest.raises(ParameterError, match=rf"{name} needs documents, a whole number from 1 to 10\^12"):
        evaluate_one(name, [1])
    with pytest.raises(ParameterError, match=r"documents must be a whole number from 1 to 10\^12, not -5"):
        evaluate_one(f"{name}(documents=-5)", [1])


def test_a_collection_that_is_too_small() -> None:
    message = "4 documents are retrieved or judged for query 'q', but documents (-N) is 3."
    with pytest.raises(DataError) as caught:
        evaluate_one("SetAccuracy(documents=3)", [1, None], unretrieved=[0, 0])
    assert message in str(caught.value)
    assert evaluate_one("SetAccuracy(documents=4)", [1, None], unretrieved=[0, 0]) == 3 / 4
