"""The search that stand-ins for engines do: how many words of a document are among those of the query."""

from __future__ import annotations

import re
from collections.abc import Mapping


class WordIndex(dict[str, str]):
    """Texts by identifier."""

    def search(self, query: str, k: int) -> list[tuple[str, float]]:
        asked = set(_words(query))
        scores = {name: float(sum(word in asked for word in _words(text))) for name, text in self.items()}
        best = sorted(((score, name) for name, score in scores.items() if score), reverse=True)
        return [(name, score) for score, name in best[:k]]


def text_of(fields: Mapping[str, object]) -> str:
    return " ".join(value for value in fields.values() if isinstance(value, str))


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())
