"""What can happen in a simulated log: topics and their phrasings, the pages of each system, what documents are like."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.data.strings import Floats, Ints, decode, encode
from cranfield.errors import CoverageError, UsageError
from cranfield.logs.simulation.settings import Settings
from cranfield.stats.random_stream import RandomStream

LEAST, MOST = 0.01, 0.99
"""Between these is the attractiveness of every document, however it is spread."""


@dataclass(frozen=True, eq=False)
class World:
    """Everything that is drawn from; codes are places in the lists."""

    topics: list[str]
    texts: list[str]
    """All phrasings of all topics, one topic after the other."""
    text_topic: Ints
    first_text: Ints
    """Of each topic the place of its first phrasing, and in the end the number of texts."""
    documents: list[str]
    systems: list[str]
    pages: Ints
    """By system, topic and rank: the place in `pairs`, or -1 where the system shows nothing."""
    results: Ints
    """By system and topic: how many documents it found."""
    pair_topic: Ints
    pair_document: Ints
    grade: Floats
    """Of each pair; nan where it is not judged."""
    attractiveness: Floats
    satisfaction: Floats
    price: Floats
    """Of each document."""
    topic_chance: Floats
    """How likely each topic, and all before it, is asked for."""


def phrasings_of(text: str, most: int) -> list[str]:
    """A text as it stands, then with one of its words left out; a text of one word is put in one way.

    >>> phrasings_of("hot tomato soup", 3)
    ['hot tomato soup', 'tomato soup', 'hot soup']
    """
    words = text.split()
    others = [" ".join(words[:at] + words[at + 1 :]) for at in range(len(words))] if len(words) > 1 else []
    return list(dict.fromkeys([text, *others]))[:most]


def world(runs: Sequence[Run], qrels: Qrels, texts: Mapping[str, str] | None, settings: Settings) -> World:
    """Topics are those that any run has and that are judged, in the order of `texts`, or else of the runs."""
    if not runs:
        raise UsageError("a simulated log needs at least one run: its pages are what users see")
    shown = dict.fromkeys(topic for run in runs for topic in run.queries_as_given)
    asked = list(shown) if texts is None else [topic for topic in texts if topic in shown]
    if not asked:
        raise CoverageError(f"the runs have no topic of those that have a text, such as {next(iter(texts or ()), '?')}")
    judges = set(qrels.queries)
    found = [topic for topic in asked if topic in judges]
    if not found:
        raise CoverageError(f"{qrels.name} judges no topic of the runs, which begin with {asked[0]}")
    ways = [phrasings_of((texts or {}).get(topic) or topic, settings.phrasings) for topic in found]
    pairs, pages, results = _pages(runs, found, settings.depth)
    documents = list(dict.fromkeys(document for _, document in pairs))
    place = {document: at for at, document in enumerate(documents)}
    judged = [qrels[topic] for topic in found]
    grade = np.array([judged[topic].get(document, np.nan) for topic, document in pairs])
    stream = RandomStream(settings.seed << 32 | 0xFFFFFFFF)  # the seeds of chunks are the same with lower numbers
    spread = settings.spread * (2 * stream.uniform((len(pairs),)) - 1)
    chance = np.arange(1, len(found) + 1) ** -settings.skew
    return World(
        topics=found,
        texts=[text for several in ways for text in several],
        text_topic=np.repeat(np.arange(len(found)), [len(several) for several in ways]),
        first_text=np.cumsum([0, *map(len, ways)]),
        documents=documents,
        systems=[run.name for run in runs],
        pages=pages,
        results=results,
        pair_topic=np.array([topic for topic, _ in pairs]),
        pair_document=np.array([place[document] for _, document in pairs]),
        grade=grade,
        attractiveness=np.clip(_by_grade(settings.attractiveness, grade) + spread, LEAST, MOST),
        satisfaction=_by_grade(settings.satisfaction, grade),
        price=np.round(5 + 95 * stream.uniform((len(documents),)) ** 2, 2),
        topic_chance=np.cumsum(chance) / chance.sum(),
    )


def _pages(runs: Sequence[Run], topics: Sequence[str], depth: int) -> tuple[list[tuple[int, str]], Ints, Ints]:
    """The pairs of topic and document that are shown, the pages that they make, and how many results there were."""
    pairs: dict[tuple[int, str], int] = {}
    pages = np.full((len(runs), len(topics), depth), -1, dtype=np.int64)
    results = np.zeros((len(runs), len(topics)), dtype=np.int64)
    for system, run in enumerate(runs):
        for topic, name in enumerate(topics):
            at = run.position.get(encode(name))
            if at is None:
                continue
            begin, end = int(run.offset[at]), int(run.offset[at + 1])
            results[system, topic] = end - begin
            shown = run.documents.take(slice(begin, min(end, begin + depth))).tolist()
            for rank, document in enumerate(shown):
                pages[system, topic, rank] = pairs.setdefault((topic, decode(document)), len(pairs))
    return list(pairs), pages, results


def _by_grade(table: Mapping[float, float], grade: Floats) -> Floats:
    grades = sorted(table)
    found: Floats = np.interp(np.nan_to_num(grade), grades, [table[each] for each in grades])
    return found
