"""How people say a need anew: from which query to which, how often, and what kind of change it is."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from cranfield.logs.log import Log
from cranfield.logs.reformulations import REFORMULATION_MINUTES, reformulations

KINDS = {
    "specialisation": "words were added",
    "generalisation": "words were taken away",
    "spelling": "one word is spelt otherwise, or the same words are parted or ordered otherwise",
    "replacement": "some words stayed, others came in their place",
    "other": "no word stayed: another phrasing, or another need",
}
MOST_EDGES = 20_000
"""So many of the most frequent changes are looked at."""
_DIGIT = re.compile(r"\d")
SHORT_WORD = 5
"""Words shorter than that are the same if spelt with one letter otherwise; longer ones with two."""


class Edge(NamedTuple):
    """A query, and the one that the same session put next."""

    text: str
    next_text: str
    times: int
    sessions: int
    kind: str


@dataclass(frozen=True)
class ReformulationGraph:
    """Changes from query to query, the most frequent first."""

    edges: tuple[Edge, ...]
    changes: int
    """How many changes there are in the log, with those that are not in `edges`."""
    minutes: float
    least: int

    @property
    def kinds(self) -> dict[str, int]:
        """How many changes of `edges` are of each kind."""
        counted = Counter[str]()
        for edge in self.edges:
            counted[edge.kind] += edge.times
        return {kind: counted[kind] for kind in KINDS}

    def dot(self, most: int = 50) -> str:
        """The heaviest edges in the language of Graphviz."""
        edges = [
            f'  "{_quoted(edge.text)}" -> "{_quoted(edge.next_text)}" '
            f'[label="{edge.times}", penwidth={_width(edge.times, self.edges[0].times)}, class="{edge.kind}"];'
            for edge in self.edges[:most]
        ]
        return "\n".join(["digraph reformulations {", "  node [shape=box];", *edges, "}", ""])


def reformulation_graph(
    log: Log, *, minutes: float = REFORMULATION_MINUTES, least: int = 1, most: int = MOST_EDGES
) -> ReformulationGraph:
    """Each query with the next of its session, if that is another one and came within so many minutes.

    Changes that fewer sessions than `least` made are left out.
    """
    import ibis

    changes = reformulations(log, minutes)
    counted = changes.group_by(["text", "next_text"]).agg(
        times=changes.count(), sessions=changes.count(where=changes.soonest)
    )
    often = counted.filter(counted.sessions >= least).order_by([ibis.desc("times"), "text", "next_text"]).limit(most)
    rows = log.run(often)
    columns = [rows[name].to_numpy(zero_copy_only=False).tolist() for name in rows.column_names]
    kinds = map(kind_of_change, *columns[:2])
    edges = tuple(map(Edge._make, zip(*columns, kinds, strict=True)))
    return ReformulationGraph(edges, log.run(changes.count()).as_py(), minutes, least)


def kind_of_change(before: str, after: str) -> str:
    """One of KINDS, by the sets of words; of texts as an import normalises them.

    >>> kind_of_change("futon", "futon frame"), kind_of_change("futon frame", "frame")
    ('specialisation', 'generalisation')
    >>> kind_of_change("fouton frame", "futon frame"), kind_of_change("head phones", "headphones")
    ('spelling', 'spelling')
    >>> kind_of_change("futon frame", "futon cover"), kind_of_change("futon", "sofa bed")
    ('replacement', 'other')
    >>> kind_of_change("row with a header", "a row with a header"), kind_of_change("red sofa", "sofa red")
    ('specialisation', 'spelling')
    """
    words, next_words = before.split(), after.split()
    number, next_number = len(words), len(next_words)
    as_many_letters = len(before) - number == len(after) - next_number
    if as_many_letters and "".join(words) == "".join(next_words):
        return "spelling"
    if number < next_number and set(next_words).issuperset(words):
        return "specialisation"
    if number > next_number and set(words).issuperset(next_words):
        return "generalisation"
    old, new = set(words), set(next_words)
    gone, came = old - new, new - old
    if len(gone) == len(came) and (not gone or (len(gone) == 1 and _spelt_alike(*gone, *came))):
        return "spelling"
    return "replacement" if len(gone) < len(old) else "other"


def _spelt_alike(one: str, other: str) -> bool:
    allowed = 1 if min(len(one), len(other)) < SHORT_WORD else 2
    if abs(len(one) - len(other)) > allowed:
        return False
    if _DIGIT.search(one) or _DIGIT.search(other):
        return False  # other sizes and numbers of models, not other spellings
    return _edits(one, other) <= allowed


def _edits(one: str, other: str) -> int:
    """How many letters have to be put in, taken out, or exchanged for another or for their neighbour."""
    before, row = list[int](), list(range(len(other) + 1))
    for at, letter in enumerate(one):
        after = [at + 1]
        for place, its in enumerate(other):
            cost = min(row[place + 1] + 1, after[place] + 1, row[place] + (letter != its))
            if at and place and letter == other[place - 1] and one[at - 1] == its:
                cost = min(cost, before[place - 1] + 1)
            after.append(cost)
        before, row = row, after
    return row[-1]


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _width(times: int, most: int) -> float:
    return round(1 + 4 * times / most, 2)
