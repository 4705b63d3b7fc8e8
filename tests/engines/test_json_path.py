"""Paths into answers."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.engines.json_path import JsonPath, NotThereError
from cranfield.errors import ParameterError

# The example document of RFC 9535, section 1.5, shortened.
STORE: Any = {
    "store": {
        "book": [
            {"category": "reference", "author": "Nigel Rees", "price": 8.95},
            {"category": "fiction", "author": "Evelyn Waugh", "price": 12.99},
        ],
        "bicycle": {"color": "red", "price": 399},
    }
}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        # RFC 9535, table 2: "the authors of all books in the store".
        ("$.store.book[*].author", ["Nigel Rees", "Evelyn Waugh"]),
        # RFC 9535, table 2: "all things in the store".
        ("$.store.*", [STORE["store"]["book"], STORE["store"]["bicycle"]]),
        ("$.store.book[1].price", [12.99]),
        ("$.store.book[-1].author", ["Evelyn Waugh"]),
        ("$['store'][\"bicycle\"]['color']", ["red"]),
        ("store.bicycle.color", ["red"]),
        ("@.store.bicycle.price", [399]),
        ("$", [STORE]),
    ],
)
def test_leads_where_the_standard_says(path: str, expected: list[Any]) -> None:
    assert JsonPath("hits", path).find(STORE) == expected


def test_names_with_quotes_in_them() -> None:
    assert JsonPath("id", r"$['it\'s'][0]").one({"it's": [5]}) == 5
    assert JsonPath("id", r'$["a\\b"]').one({"a\\b": 6}) == 6


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("$.store.books[*]", "has no $.store.books (hits = '$.store.books[*]'): at $.store there is an object with book, bicycle"),
        ("$.store.book[7]", "has no $.store.book[7] (hits = '$.store.book[7]'): at $.store.book there is a list of 2"),
        ("$.store.book[*].title", "has no $.store.book[*].title (hits = '$.store.book[*].title'): at $.store.book[*] there is "
                                  "an object with category, author, price"),
        ("$.store.bicycle.color[*]", "has no $.store.bicycle.color[*] (hits = '$.store.bicycle.color[*]'): at "
                                     "$.store.bicycle.color there is \"red\""),
        ("$.store.bicycle.color[0]", "has no $.store.bicycle.color[0] (hits = '$.store.bicycle.color[0]'): at "
                                     "$.store.bicycle.color there is \"red\""),
    ],
)  # fmt: skip
def test_says_how_far_it_leads(path: str, expected: str) -> None:
    for follow in (JsonPath("hits", path).find, *([] if "*" in path else [JsonPath("hits", path).one])):
        with pytest.raises(NotThereError) as raised:
            follow(STORE)
        assert str(raised.value) == expected


@pytest.mark.parametrize("path", ["", "$.", "$..id", "$.a[?@.b]", "$.a[1:2]", "$.a['b", "$.a[]", "$ .a"])
def test_what_is_no_path_here(path: str) -> None:
    with pytest.raises(ParameterError, match="is not understood from"):
        JsonPath("hits", path)


@given(st.lists(st.one_of(st.text(), st.integers(0, 3)), max_size=5), st.integers())
def test_a_path_leads_to_what_was_put_there(steps: list[str | int], value: int) -> None:
    answer: Any = value
    text = "$"
    for step in reversed(steps):
        answer = {step: answer, "other": 0} if isinstance(step, str) else [None] * step + [answer]
    for step in steps:
        escaped = step.replace("\\", "\\\\").replace("'", "\\'") if isinstance(step, str) else step
        text += f"['{escaped}']" if isinstance(step, str) else f"[{step}]"
    if "other" not in steps:
        assert JsonPath("id", text).find(answer) == [value]
        assert JsonPath("id", text).one(answer) == value
