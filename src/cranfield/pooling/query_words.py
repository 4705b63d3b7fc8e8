"""Finding the words of a query in a text, so that a reader sees them at once."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from cranfield.data.words import words

_SMALL = frozenset(
    words(
        "a an and any are as at be by can do does for from has have how if in into is it its not of on one or so some "
        "than that the their them there these this those to use using was were what when where which who why will "
        "with without you your"
    )
)
"""Words that are in every text."""
_ENDINGS = ("ings", "ing", "ies", "ied", "ed", "es", "e", "s", "y")
_SHORTEST = 4
"""Letters that are left of a word, at least, when its ending is taken off."""


def query_words(*texts: str) -> list[str]:
    """The words of a query that are worth seeing, in small letters, each once.

    >>> query_words("How to sort the lists of a list")
    ['sort', 'lists', 'list']
    """
    found = dict.fromkeys(word for text in texts for word in words(text))
    return [word for word in found if word not in _SMALL] or list(found)


def finding(wanted: Iterable[str]) -> re.Pattern[str] | None:
    """What finds these words in a text, with other endings too; None if there is no word.

    >>> [found[0] for found in finding(["sorting", "parse"]).finditer("Sorted by a PARSER; resort")]
    ['Sorted', 'PARSER']
    >>> [found[0] for found in finding(["東京"]).finditer("私は東京に")]  # where words are not set apart
    ['東京']
    """
    patterns = [_pattern(word) for each in wanted for word in words(each)]
    return re.compile("|".join(dict.fromkeys(patterns)), re.IGNORECASE) if patterns else None


def _pattern(word: str) -> str:
    if any(unicodedata.east_asian_width(character) in "WF" for character in word):
        return re.escape(word)
    return rf"(?<![^\W_]){re.escape(_stem(word))}[^\W_]*"


def _stem(word: str) -> str:
    """A word without its ending, as far as one can tell from its letters.

    >>> [_stem(word) for word in ("dictionaries", "files", "file", "class", "sorted")]
    ['dictionar', 'file', 'file', 'class', 'sort']
    """
    if word.endswith("ss"):
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            return word.removesuffix(ending)
    return word
