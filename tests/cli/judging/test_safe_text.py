"""What may reach a terminal, and how much room it takes there."""

from __future__ import annotations

import unicodedata

import pytest
import wcwidth
from hypothesis import given
from hypothesis import strategies as st

from cranfield.cli.judging.safe_text import clip, one_line, safe, width, wrap


@given(st.text(st.characters(codec=None, exclude_categories=[])))
def test_nothing_that_moves_a_cursor_is_left(text: str) -> None:
    shown = safe(text)
    assert {unicodedata.category(character) for character in shown.replace("\n", "")}.isdisjoint({"Cc", "Cf", "Cs"})
    assert "\u2028" not in shown
    assert safe(shown) == shown
    shown.encode()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b]0;title\x07", "␛]0;title␇"),
        ("\x9b31m", "\ufffd31m"),
        ("a\x00b\x7f", "a␀b\ufffd"),
        ("one\r\ntwo\rthree\x0bfour\x0c", "one\ntwo\nthree\nfour\n"),
        ("a\tb\u00a0c\u3000d", "a   b c d"),
        ("abc \u202eevil\u2066", "abc evil"),
        ("\udcff", "\ufffd"),
        ("❤\ufe0f soft\u00adhyphen", "❤ softhyphen"),
        ("שלום e\u0301", "שלום e\u0301"),
    ],
)
def test_what_stands_for_what_cannot_be_shown(text: str, shown: str) -> None:
    assert safe(text) == shown


NEW_IN_16 = [*range(0x2630, 0x2638), *range(0x268A, 0x2690), *range(0x4DC0, 0x4E00), *range(0x1D300, 0x1D377)]
"""Signs that take two columns since Unicode 16, of which older Pythons do not know."""


def test_no_character_takes_more_room_than_is_counted() -> None:
    """Oracle: wcwidth, whose tables terminals go by."""
    everything = (chr(code) for code in range(0x20000) if not 0xD800 <= code < 0xE000)
    wider = [each for each in everything if (shown := safe(each)) and width(shown) < wcwidth.wcswidth(shown)]
    assert {ord(each) for each in wider} <= {*NEW_IN_16}


@pytest.mark.parametrize("text", ["plain", "スープ", "e\u0301te\u0301", "한국어", "🍲🍜", "שלום", "∀x"])
def test_usual_texts_take_the_room_that_is_counted(text: str) -> None:
    """Oracle: wcwidth."""
    assert width(text) == wcwidth.wcswidth(text)


@given(st.text(), st.integers(2, 30))
def test_lines_fit_and_nothing_is_lost(text: str, columns: int) -> None:
    shown = safe(text)
    lines = wrap(shown, columns)
    assert all(width(line) <= columns for line in lines)
    kept, given = ("".join(each.replace("\N{DOTTED CIRCLE}", "").split()) for each in ("".join(lines), shown))
    assert kept == given


def test_a_mark_without_a_letter_is_not_drawn_on_what_is_before_it() -> None:
    assert wrap("\u0301a \u0301b", 3) == ["\u25cc\u0301a", "\u25cc\u0301b"]


def test_words_stay_whole_where_they_can() -> None:
    assert wrap("the quick brown fox", 10) == ["the quick", "brown fox"]
    assert wrap("    code = 1\n\nend", 20) == ["    code = 1", "", "end"]
    assert wrap("a " + "x" * 12, 5) == ["a", "xxxxx", "xxxxx", "xx"]
    assert wrap("", 5) == [""]
    assert wrap("東京都庁", 5) == ["東京", "都庁"]


@given(st.text(), st.integers(0, 20))
def test_what_is_clipped_fits(text: str, columns: int) -> None:
    assert width(clip(one_line(text), columns)) <= columns
