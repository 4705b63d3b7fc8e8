"""Categories: their order, and what belongs to them."""

from __future__ import annotations

import pytest

from cranfield.data.categories import Categories
from cranfield.errors import DataError


@pytest.mark.parametrize(
    ("labels", "names", "values"),
    [
        (["10", "9", "2"], ("2", "9", "10"), (2, 9, 10)),
        (["1", "1.0", "01"], ("1",), (1,)),
        ([1, 0.5, "2"], ("0.5", "1", "2"), (0.5, 1, 2)),
        ([True, False], ("False", "True"), None),
        (["b", "a", "10", "9"], ("9", "10", "a", "b"), None),
        (["nan", "1"], ("1", "nan"), None),
        (["-0", "0"], ("0",), (0,)),
        ([], (), ()),
    ],
)
def test_categories_of_labels(labels: list[object], names: tuple[str, ...], values: tuple[float, ...] | None) -> None:
    categories = Categories.of(labels)
    assert (categories.names, categories.values) == (names, values)
    assert categories.ordered == (values is not None)


def test_every_spelling_of_a_number_is_the_same_category() -> None:
    categories = Categories.of(["2", "1"])
    assert [categories.place(label) for label in ("1", "1.0", 1, 2.0)] == [0, 0, 0, 1]


def test_a_scale_has_the_order_it_is_given_in() -> None:
    scale = Categories.of(["good"], ["bad", "fair", "good"])
    assert (scale.names, scale.ordered, scale.place("good")) == (("bad", "fair", "good"), True, 2)
    assert scale.positions.tolist() == [0, 1, 2]
    assert Categories.of(["4"], [0, 1, 4]).positions.tolist() == [0, 1, 4]


@pytest.mark.parametrize(
    ("scale", "message"),
    [
        (["no", "yes"], r"f: label 'maybe' is not on the scale \(no, yes\)"),
        (["maybe", "maybe"], "scale: a category stands in it twice: maybe, maybe"),
        (["1", "1.0"], "scale: a category stands in it twice: 1, 1"),
        ("maybe", "scale: expected a list of categories, found the text 'maybe'"),
    ],
)
def test_scales_that_do_not_fit(scale: object, message: str) -> None:
    with pytest.raises(DataError, match=message):
        Categories.of(["maybe"], scale, where="f")  # type: ignore[arg-type]
