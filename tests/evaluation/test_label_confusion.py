"""Which class is taken for which: by hand, and against scikit-learn (version in requirements/test.txt)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

import cranfield as cf
from cranfield.errors import DataError, UsageError

# By hand: 3 cats (one taken for a dog), 2 dogs (one taken for a fox), 1 fox.
TRUE = ["cat", "cat", "cat", "dog", "dog", "fox"]
PREDICTED = ["cat", "cat", "dog", "dog", "fox", "fox"]


def test_which_class_is_taken_for_which() -> None:
    result = cf.label_confusion(TRUE, PREDICTED)
    assert result.labels == ("cat", "dog", "fox")
    assert result.matrix.counts == ((2, 1, 0), (0, 1, 1), (0, 0, 1))
    assert result.confusions == [("cat", "dog", 1), ("dog", "fox", 1)]
    assert result.items == 6
    assert result.accuracy == pytest.approx(4 / 6)
    assert result.error_rate == pytest.approx(2 / 6)
    dog = result.per_class["dog"]
    assert (dog.tp, dog.fp, dog.fn, dog.tn) == (1, 1, 1, 3)
    assert dog.rates["specificity"] == pytest.approx(3 / 4)


def test_averages() -> None:
    averages = cf.label_confusion(TRUE, PREDICTED).averages
    # By hand: precision 2/2, 1/2, 1/2; recall 2/3, 1/2, 1/1; 3, 2 and 1 items.
    assert averages["macro"]["precision"] == pytest.approx((1 + 1 / 2 + 1 / 2) / 3)
    assert averages["micro"]["precision"] == pytest.approx(4 / 6)
    assert averages["weighted"]["precision"] == pytest.approx((3 * 1 + 2 / 2 + 1 / 2) / 6)
    assert averages["weighted"]["recall"] == pytest.approx((3 * 2 / 3 + 2 / 2 + 1) / 6)
    assert "accuracy" not in averages["micro"]


def test_accuracy_is_shown_beside_what_a_constant_answer_reaches() -> None:
    result = cf.label_confusion(["ham"] * 9 + ["spam"], ["ham"] * 10)
    assert result.warnings == [
        "accuracy 0.9 is to be seen beside 0.9, which answering 'ham' every time would reach. "
        "Look at precision and recall of each class."
    ]


@pytest.mark.filterwarnings("ignore:A single label was found")
@settings(max_examples=40)
@given(
    pairs=st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("abcde")), min_size=1, max_size=40),
    beta=st.sampled_from([0.5, 1, 2]),
)
def test_against_scikit_learn(pairs: list[tuple[str, str]], beta: float) -> None:
    true, predicted = ([pair[at] for pair in pairs] for at in (0, 1))
    ours = cf.label_confusion(true, predicted, beta=beta)
    labels = sorted({*true, *predicted})
    assert ours.labels == tuple(labels)
    assert ours.table.tolist() == metrics.confusion_matrix(true, predicted, labels=labels).tolist()
    assert ours.accuracy == pytest.approx(metrics.accuracy_score(true, predicted), abs=1e-9)
    assert ours.error_rate == pytest.approx(metrics.zero_one_loss(true, predicted), abs=1e-9)
    options: dict[str, Any] = {"labels": labels, "zero_division": 0}
    for average in (None, "macro", "micro", "weighted"):
        p, r, f, _ = metrics.precision_recall_fscore_support(true, predicted, beta=beta, average=average, **options)
        jaccard = metrics.jaccard_score(true, predicted, average=average, **options)
        theirs = {"precision": p, "recall": r, "f": f, "jaccard": jaccard}
        for name, value in theirs.items():
            if average is None:
                found: Any = [one.rates[name] for one in ours.per_class.values()]
            else:
                found = ours.averages[average][name]
            assert found == pytest.approx(value, abs=1e-9), (average, name)


@settings(max_examples=40)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=20))
def test_micro_precision_recall_f_and_accuracy_are_one(pairs: list[tuple[str, str]]) -> None:
    result = cf.label_confusion(*zip(*pairs, strict=True))
    micro = result.averages["micro"]
    assert micro["precision"] == micro["recall"] == pytest.approx(result.accuracy)
    assert micro["f"] == pytest.approx(result.accuracy)


def test_labels_of_every_shape(tmp_path: Path) -> None:
    true, predicted, both = tmp_path / "true.tsv", tmp_path / "predicted.txt", tmp_path / "both.csv"
    true.write_text("".join(f"i{at}\t{label}\n" for at, label in enumerate(TRUE)))
    predicted.write_text("".join(f"i{at} {label}\n" for at, label in reversed(list(enumerate(PREDICTED)))))
    rows = (f"i{at},{a},{p}\n" for at, (a, p) in enumerate(zip(TRUE, PREDICTED, strict=True)))
    both.write_text("item,true,predicted\n" + "".join(rows))
    expected = cf.label_confusion(TRUE, PREDICTED).table.tolist()
    shapes: list[tuple[Any, ...]] = [
        (true, predicted),
        (str(both),),
        (dict(enumerate(TRUE)), dict(enumerate(PREDICTED))),
        (np.array(TRUE), np.array(PREDICTED)),
        ({f"i{at}": label for at, label in enumerate(TRUE)}, predicted),
    ]
    for shape in shapes:
        assert cf.label_confusion(*shape).table.tolist() == expected


def test_numbers_stand_in_their_order() -> None:
    assert cf.label_confusion([10, 9, "x", 2], [2, 9, "nan", 2]).labels == ("2", "9", "10", "nan", "x")


def test_as_json_and_in_a_notebook() -> None:
    result = cf.label_confusion(TRUE, PREDICTED)
    content = json.loads(json.dumps(result.to_dict()))
    assert (content["schema"], content["of"], content["items"]) == ("cranfield.confusion/1", "labels", 6)
    assert content["matrix"] == {
        "actual": ["cat", "dog", "fox"],
        "predicted": ["cat", "dog", "fox"],
        "counts": [[2, 1, 0], [0, 1, 1], [0, 0, 1]],
    }
    assert content["per_class"]["fox"]["recall"] == 1
    assert "<th>fox</th>" in cf.label_confusion(["<b>"], ["fox"])._repr_html_()
    assert "&lt;b&gt;" in cf.label_confusion(["<b>"], ["fox"])._repr_html_()


@pytest.mark.parametrize(
    ("true", "predicted", "error", "message"),
    [
        ({"a": 1, "b": 2}, {"a": 1}, DataError, "true labels: 1 item has no label in predicted labels: 'b'"),
        (
            {"a": 1},
            {"a": 1, "x": 1, "y": 2},
            DataError,
            "predicted labels: 2 items have no label in true labels: 'x', 'y'",
        ),
        ([1, 2], [1], DataError, "2 true labels, but 1 predicted ones"),
        ([], [], DataError, "there are no labels"),
        ({"a": 1}, [1], UsageError, "labels by item are compared with labels by item"),
        ([1], None, UsageError, "predicted labels are missing"),
        (7, [1], UsageError, "cannot make labels of int 7"),
    ],
)
def test_labels_that_do_not_fit(true: Any, predicted: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        cf.label_confusion(true, predicted)
