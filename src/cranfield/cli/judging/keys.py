"""Which keys were pressed, from the bytes that a terminal sends."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import NamedTuple

_ARROWS = {"A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end"}
_NAMED = {
    **{f"{begin}{letter}": name for begin in ("\x1b[", "\x1bO") for letter, name in _ARROWS.items()},
    "\x1b[1~": "home",
    "\x1b[4~": "end",
    "\x1b[5~": "page-up",
    "\x1b[6~": "page-down",
    "\x1b[I": "focus-in",
    "\x1b[O": "focus-out",
}
_CONTROLS = {"\r": "enter", "\n": "enter", "\x7f": "backspace", "\b": "backspace", "\x15": "clear", "\x0c": "redraw"}
_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|[^\[O\x1b])")
_PASTE_BEGIN, _PASTE_END = "\x1b[200~", "\x1b[201~"


class Key(NamedTuple):
    """A key by its name, or with the character it gives; what was pasted is one key that has the text."""

    name: str
    text: str = ""


class Keys:
    """Bytes in, keys out; what is not whole yet waits for the rest.

    >>> keys = Keys()
    >>> list(keys.feed(b"3\\x1b["))
    [Key(name='character', text='3')]
    >>> list(keys.feed(b"A"))
    [Key(name='up', text='')]
    """

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._waiting = ""

    @property
    def waits(self) -> bool:
        """Whether there is the beginning of a sequence; or a lone Escape."""
        return bool(self._waiting)

    def feed(self, content: bytes) -> Iterator[Key]:
        """The keys that are whole with these bytes."""
        text = self._waiting + self._decoder.decode(content)
        self._waiting = ""
        while text:
            if text.startswith(_PASTE_BEGIN):
                pasted, ended, rest = text.removeprefix(_PASTE_BEGIN).partition(_PASTE_END)
                if not ended:
                    break
                yield Key("paste", pasted)
                text = rest
            elif text[0] == "\x1b":
                found = _SEQUENCE.match(text)
                if found is None:
                    break
                if found[0] in _NAMED:
                    yield Key(_NAMED[found[0]])
                text = text[found.end() :] if found[0] != _PASTE_BEGIN else text
            else:
                yield Key(_CONTROLS[text[0]]) if text[0] in _CONTROLS else Key("character", text[0])
                text = text[1:]
        self._waiting = text

    def flush(self) -> Iterator[Key]:
        """Nothing more came: what looked like the beginning of a sequence was the key Escape, and other keys."""
        waiting, self._waiting = self._waiting, ""
        if waiting and not waiting.startswith(_PASTE_BEGIN):
            yield Key("escape")
