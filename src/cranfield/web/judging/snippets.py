"""The piece of a document that says most about a query."""

from __future__ import annotations

import html
import re
from bisect import bisect_left
from collections.abc import Collection

from cranfield.web.judging.showing import clean_html

LENGTH = 240
_LONGEST_LOOKED_AT = 200_000
_TAG = re.compile(r"<[^<>]*>")
_SHORTEST_STEM = 4
"""Words that begin like a word of the query count from so many characters on: soup, soups."""


def snippet(text: str, words: Collection[str], length: int = LENGTH) -> str:
    """The piece of a text of about this length in which most of the words are, plain; its beginning if none is there.

    >>> snippet("<p>Water. " + "Salt. " * 100 + "A <b>hot</b> soup is good.</p>", ["soups", "hot"], 30)
    '… Salt. Salt. A hot soup is good.'
    """
    plain = " ".join(html.unescape(_TAG.sub(" ", clean_html(text[:_LONGEST_LOOKED_AT]))).split())
    plain = re.sub(r" (?=[.,;:!?])", "", plain)
    if len(plain) <= length:
        return plain
    place = _best_place(plain, words, length)
    begin, end = plain.rfind(" ", 0, place) + 1, place + length
    if end >= len(plain):
        return f"… {plain[begin:]}" if begin else plain
    cut = plain.rfind(" ", begin + 1, end + 1)
    return f"{'… ' if begin else ''}{plain[begin : cut if cut > begin else end]} …"


def _best_place(plain: str, words: Collection[str], length: int) -> int:
    """Where a piece begins that has most of the words, a word twice counting less than two."""
    pattern = "|".join(map(_pattern, words))
    found = [(match.start(), match[0].casefold()) for match in re.finditer(pattern, plain, re.I)] if words else []
    places = [place for place, _ in found]
    best, best_begin = 0.0, 0
    for number, (place, _) in enumerate(found):
        inside = [word for _, word in found[number : bisect_left(places, place + length)]]
        worth = len(set(inside)) + len(inside) / (1 + len(found))
        if worth > best:
            best, best_begin = worth, place
    # Some of what is before the first word, and no more after the last than there is.
    return max(0, min(best_begin - length // 4, len(plain) - length))


def _pattern(word: str) -> str:
    if len(word) < 2 or not word.isalpha():
        return rf"(?<!\w){re.escape(word)}(?!\w)"
    return rf"\b{re.escape(word.casefold()[: max(_SHORTEST_STEM, len(word) - 2)])}"
