"""A text and a line that stand in front of a document."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cranfield.cli.judging.in_front import Page, Prompt
from cranfield.cli.judging.keys import Key


@pytest.mark.parametrize(
    ("key", "typed"),
    [
        (Key("character", "c"), "abc"),
        (Key("paste", "\x1b1\n2"), "ab1 2"),
        (Key("backspace"), "a"),
        (Key("clear"), ""),
        (Key("up"), "ab"),
    ],
)
def test_a_line_that_is_typed(key: Key, typed: str) -> None:
    prompt = Prompt("note:", lambda text: None, "ab")
    assert prompt.after(key) == replace(prompt, typed=typed)
    assert prompt.after(Key("enter")) is None
    assert prompt.after(Key("escape")) is None


def test_a_text_is_leafed_through_and_left_at_its_end() -> None:
    page = Page("help", "")
    space = Key("character", " ")
    assert page.after(space, 10, 15) == replace(page, first=10)
    assert replace(page, first=10).after(space, 10, 15) == replace(page, first=15)
    assert replace(page, first=15).after(space, 10, 15) is None
    assert replace(page, first=15).after(Key("home"), 10, 15) == page
    assert page.after(Key("character", "x"), 10, 15) is None
