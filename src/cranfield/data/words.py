"""What counts as a word where texts are measured."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W_]+")


def words(text: str) -> list[str]:
    """The words of a text in small letters: letters and digits that stand together.

    >>> words("The DDC's 18th edition (1971)")
    ['the', 'ddc', 's', '18th', 'edition', '1971']
    """
    return _WORD.findall(text.lower())


def count_words(text: str) -> int:
    """How many words a text has.

    >>> count_words("The DDC's 18th edition (1971)")
    6
    """
    return len(_WORD.findall(text))
