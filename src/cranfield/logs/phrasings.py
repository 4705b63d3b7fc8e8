"""Different phrasings of one need: queries with the same words, or with much the same clicks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from cranfield.logs.log import Log
from cranfield.logs.stars import stars
from cranfield.stats.arguments import within

if TYPE_CHECKING:
    import ibis

CLICKS_WEIGHT = 0.7
"""How much clicks count, beside words."""
ALIKE = 0.5
"""Two phrasings that are so alike are of one need."""
ENOUGH = 2
"""Of how many lists a document must have been clicked, for clicks to speak for the words of a query."""
MOST_SHARED = 100
"""A document that is clicked for more different words than so many says nothing about them; and the number of pairs
stays bounded."""


class Phrasing(NamedTuple):
    """One way to say a need."""

    text: str
    times: int
    """How often it was put."""
    similarity: float
    """To the words of the head of its group, which is the most frequent one."""
    clicks: float | None
    """The cosine of their clicks; None where one of them has too few."""
    words: float
    """The share of words that both have."""


class Need(NamedTuple):
    """Phrasings that seem to mean the same."""

    head: str
    times: int
    phrasings: tuple[Phrasing, ...]


@dataclass(frozen=True)
class Phrasings:
    """Groups of several phrasings, those that were put most often first."""

    needs: tuple[Need, ...]
    texts: int
    """How many different queries there are, …"""
    grouped: int
    """…and how many of them are in a group with others."""
    judged: int
    """Of how many sets of words clicks could speak."""
    left_out: int
    """Documents that are clicked for too many different queries to say anything."""


def phrasings(
    log: Log,
    *,
    alike: float = ALIKE,
    clicks_weight: float = CLICKS_WEIGHT,
    enough: int = ENOUGH,
    most_shared: int = MOST_SHARED,
) -> Phrasings:
    """Groups of queries that seem to mean the same.

    Queries of the same words, in whatever order, are one. Two others are alike by w cos + (1 - w) J: the cosine of
    their clicks on documents, and the share of words in common (Jaccard), as in Wen, Nie and Zhang (2001). Only pairs
    with a document in common are compared. Groups are stars around the most frequent query (see `stars`).
    """
    within("alike", alike, 0, 1)
    within("clicks_weight", clicks_weight, 0, 1)
    texts = _texts(log.queries)
    edges = _edges(log.events, texts)
    shared = edges.group_by("document_id").agg(sets=edges.count())
    pairs = log.run(_pairs(edges, shared.filter(shared.sets <= most_shared), enough, alike, clicks_weight))
    found = {(row["one"], row["other"]): row for row in pairs.to_pylist()}
    total = log.run(texts.count()).as_py()
    strong = edges.group_by("words").agg(clicks=edges.weight.sum())
    judged = log.run(strong.filter(strong.clicks >= enough).count()).as_py()
    left_out = log.run(shared.filter(shared.sets > most_shared).count()).as_py()
    said = _of_interest(log, texts, {name for pair in found for name in pair})
    needs = _needs(said, found)
    return Phrasings(needs, total, sum(len(need.phrasings) for need in needs), judged, left_out)


def word_set(text: ibis.Value) -> ibis.Value:
    """The words of a query, each once, in the order of the alphabet, with blanks between."""
    words: ibis.Value = text.split(" ").unique().sort().join(" ")
    return words


def _texts(queries: ibis.Table) -> ibis.Table:
    """Each text once, with its words and how often it was put."""
    grouped = queries.group_by("text").agg(times=queries.count())
    return grouped.filter(grouped.text != "").mutate(words=word_set(grouped.text))


def _edges(events: ibis.Table, texts: ibis.Table) -> ibis.Table:
    """For each set of words, on how many lists each document was clicked."""
    clicks = events.filter((events.action == "click") & events.query_id.notnull() & events.document_id.notnull())
    rows = clicks.select("text", "document_id", "query_id").distinct().join(texts.select("text", "words"), "text")
    return rows.group_by(["words", "document_id"]).agg(weight=rows.count())


def _pairs(edges: ibis.Table, kept: ibis.Table, enough: int, alike: float, clicks_weight: float) -> ibis.Table:
    """Pairs of sets of words that are alike enough."""
    edges = edges.semi_join(kept, "document_id")
    norms = edges.group_by("words").agg(clicks=edges.weight.sum(), square=(edges.weight * edges.weight).sum())
    norms = norms.filter(norms.clicks >= enough)
    strong = edges.join(norms.select("words", "square"), "words")
    one = strong.select("document_id", one="words", one_weight="weight", one_square="square")
    other = strong.select(other_document="document_id", other="words", other_weight="weight", other_square="square")
    both = one.join(other, [one.document_id == other.other_document, one.one < other.other])
    dots = both.group_by(["one", "other", "one_square", "other_square"]).agg(
        dot=(both.one_weight * both.other_weight).sum()
    )
    own, its = dots.one.split(" "), dots.other.split(" ")
    common = own.intersect(its).length()
    compared = dots.select(
        "one",
        "other",
        clicks=dots.dot.cast("float64") / (dots.one_square.cast("float64") * dots.other_square.cast("float64")).sqrt(),
        shared=common.cast("float64") / (own.length() + its.length() - common),
    )
    compared = compared.mutate(similarity=clicks_weight * compared.clicks + (1 - clicks_weight) * compared.shared)
    # Rounding must not decide about what is alike exactly enough.
    return compared.filter(compared.similarity >= alike - 1e-9)


def _of_interest(log: Log, texts: ibis.Table, linked: set[str]) -> dict[str, list[tuple[str, int]]]:
    """The texts of each set of words that has several, or is like another; the most frequent first."""
    several = texts.group_by("words").agg(number=texts.count())
    several = several.filter(several.number > 1).select("words")
    found = dict[str, list[tuple[str, int]]]()

    def add(rows: ibis.Table) -> None:
        for row in log.run(rows.select("words", "text", "times")).to_pylist():
            found.setdefault(row["words"], []).append((row["text"], row["times"]))

    add(texts.semi_join(several, "words"))
    if rest := sorted(linked - found.keys()):
        add(_matching(texts, rest))
    for members in found.values():
        members.sort(key=lambda member: (-member[1], member[0]))
    return found


def _matching(texts: ibis.Table, words: list[str]) -> ibis.Table:
    import ibis

    return texts.semi_join(ibis.memtable({"words": words}, schema={"words": "string"}), "words")


def _needs(said: dict[str, list[tuple[str, int]]], pairs: dict[tuple[str, str], dict[str, float]]) -> tuple[Need, ...]:
    times = {words: float(sum(number for _, number in members)) for words, members in said.items()}
    needs = list[Need]()
    for head, members in stars(times, pairs).items():
        rows = [
            Phrasing(text, number, *_likeness(pairs, head, words)) for words in members for text, number in said[words]
        ]
        if len(rows) > 1:
            needs.append(Need(rows[0].text, sum(row.times for row in rows), tuple(rows)))
    return tuple(sorted(needs, key=lambda need: (-need.times, need.head)))


def _likeness(
    pairs: dict[tuple[str, str], dict[str, float]], head: str, words: str
) -> tuple[float, float | None, float]:
    if words == head:
        return 1.0, None, 1.0
    found = pairs[(head, words) if head < words else (words, head)]
    return found["similarity"], found["clicks"], found["shared"]
