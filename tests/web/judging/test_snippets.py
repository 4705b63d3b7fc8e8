from __future__ import annotations

import html

from hypothesis import given
from hypothesis import strategies as st

from cranfield.web.judging.snippets import snippet

FILLING = "Salt and pepper go in. " * 40


def test_the_piece_with_most_of_the_words() -> None:
    text = f"A soup. {FILLING}A hot soup of leeks. {FILLING}Hot days."
    found = snippet(text, ["hot", "leek", "soup"], 60)
    assert "A hot soup of leeks." in found
    assert found.startswith("… ")
    assert found.endswith(" …")


def test_the_beginning_where_no_word_is_there() -> None:
    assert snippet(f"Begin. {FILLING}", ["tea"], 30) == "Begin. Salt and pepper go in. …"
    assert snippet(f"Begin. {FILLING}", [], 30) == "Begin. Salt and pepper go in. …"


def test_a_short_text_is_there_whole() -> None:
    assert snippet("  Boil\n\n it. ", ["boil"]) == "Boil it."
    assert snippet("", ["boil"]) == ""


def test_markup_and_scripts_are_not_text() -> None:
    assert snippet("<p>Boil <script>alert(1)</script>it &amp; wait.</p>", ["it"]) == "Boil it & wait."
    assert snippet("if a < b: stop & wait", ["stop"]) == "if a < b: stop & wait"


@given(st.text(), st.lists(st.text(min_size=1), max_size=3), st.integers(20, 100))
def test_it_is_never_much_longer_than_asked(text: str, words: list[str], length: int) -> None:
    longest_word = max((len(word) for word in html.unescape(text).split()), default=0)
    assert len(snippet(text, words, length)) <= length + longest_word + len("…  …")


def test_names_such_as_these_are_found() -> None:
    text = f"Begin. {FILLING}Done in C++ by R&D. {FILLING}An xylophone."
    assert "Done in C++ by R&D." in snippet(text, ["c++", "r&d", "x"], 60)
