"""What stands in front of a document for a while: a text to be read, a line to be typed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from cranfield.cli.judging.keys import Key


@dataclass(frozen=True)
class Prompt:
    """A line of text that is asked for."""

    label: str
    done: Callable[[str], None]
    typed: str = ""

    def after(self, key: Key) -> Prompt | None:
        """What is typed after a key; None when it has ended."""
        if key.name in ("character", "paste"):
            text = "".join(" " if character.isspace() else character for character in key.text)
            return replace(self, typed=self.typed + "".join(filter(str.isprintable, text)))
        if key.name == "backspace":
            return replace(self, typed=self.typed[:-1])
        if key.name == "clear":
            return replace(self, typed="")
        return None if key.name in ("enter", "escape") else self


@dataclass(frozen=True)
class Page:
    """A text that is read and left again."""

    title: str
    text: str
    first: int = 0
    begins: bool = False
    """Whether the judging begins behind it."""

    def after(self, key: Key, page: int, last: int) -> Page | None:
        """The text after a key, of which `page` lines are seen and `last` begins the end; None when it is left."""
        step = step_of(key, page)
        at_end = self.first >= last and key in (Key("character", " "), Key("enter"))
        return None if step is None or at_end else replace(self, first=min(max(self.first + step, 0), last))


def step_of(key: Key, page: int) -> int | None:
    """By how many lines a key moves a text; None if it does not."""
    far = 1 << 40
    named = {"up": -1, "down": 1, "page-up": -page, "page-down": page, "home": -far, "end": far, "enter": 1}
    characters = {" ": page, "-": -page, "j": 1, "k": -1}
    return characters.get(key.text) if key.name == "character" else named.get(key.name)
