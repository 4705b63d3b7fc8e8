"""Bytes of a terminal as keys."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.cli.judging.keys import Key, Keys


def keys_of(*pieces: bytes) -> list[Key]:
    keys = Keys()
    return [key for piece in pieces for key in keys.feed(piece)] + list(keys.flush())


def character(text: str) -> Key:
    return Key("character", text)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"3q", [character("3"), character("q")]),
        ("é東".encode(), [character("é"), character("東")]),
        (
            b"\x1b[A\x1bOB\x1b[5~\x1b[6~\x1b[H\x1b[4~",
            [*map(Key, ("up", "down", "page-up", "page-down", "home", "end"))],
        ),
        (b"\x1b", [Key("escape")]),
        (b"\x1b[1;5C2", [character("2")]),  # Ctrl and right: nothing of ours
        (b"\x1b[I\x1b[O", [Key("focus-in"), Key("focus-out")]),
        (b"\r\x7f\x15\x0c", [Key("enter"), Key("backspace"), Key("clear"), Key("redraw")]),
        (b"\x1b[200~333\n3\x1b[201~1", [Key("paste", "333\n3"), character("1")]),
        (b"\x1bx3", [character("3")]),  # Alt and x
        (b"\xff3", [character("\ufffd"), character("3")]),
    ],
)
def test_keys(content: bytes, expected: list[Key]) -> None:
    assert keys_of(content) == expected
    assert keys_of(*(content[at : at + 1] for at in range(len(content)))) == expected


def test_a_paste_that_never_ends_is_no_key() -> None:
    assert keys_of(b"\x1b[200~3") == []


@given(st.lists(st.binary(max_size=8), max_size=6))
def test_any_bytes_are_taken(pieces: list[bytes]) -> None:
    assert keys_of(*pieces) == keys_of(b"".join(pieces))
