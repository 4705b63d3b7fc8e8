"""Words of a query in a text."""

from __future__ import annotations

import pytest

from cranfield.pooling.query_words import finding, query_words


@pytest.mark.parametrize(
    ("query", "text", "found"),
    [
        ("sort", "Sorting sorted SORTS resort", ["Sorting", "sorted", "SORTS"]),
        ("sorting", "sort a list", ["sort"]),
        ("dictionaries", "a dictionary, dictionary's", ["dictionary", "dictionary"]),
        ("text", "read_text(), os.text", ["text", "text"]),
        ("file", "filter the file", ["file"]),
        ("c++ [list]", "a C list (list) +", ["C", "list", "list"]),
        ("zähler", "Zähler ZÄHLERN", ["Zähler", "ZÄHLERN"]),
        ("東京", "私は東京に", ["東京"]),
    ],
)
def test_words_are_found_with_other_endings_and_not_inside_others(query: str, text: str, found: list[str]) -> None:
    pattern = finding(query_words(query))
    assert pattern is not None
    assert [match[0] for match in pattern.finditer(text)] == found


def test_small_words_count_only_where_there_are_no_others() -> None:
    assert query_words("to be or not to be") == ["to", "be", "or", "not"]
    assert query_words("how to be brave", "Brave people") == ["brave", "people"]
    assert finding(query_words("?!")) is None
