"""Topics drawn from a query log, so that they are representative of what is asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from cranfield.data.strings import Floats, Ints
from cranfield.data.topics import Topic, Topics
from cranfield.data.words import count_words
from cranfield.errors import ParameterError
from cranfield.evaluation.query_draws import draw_queries


class QueryMix(NamedTuple):
    """What queries are like."""

    queries: int
    different: int
    words: float
    """Words per query, each counted as often as it was asked."""
    asked_once: float
    """The share of queries that were asked once only."""


class TopicSample(NamedTuple):
    """Topics, and what the log and the sample are like; each query of the sample counts once."""

    topics: Topics
    log: QueryMix
    sample: QueryMix


def sample_topics(counts: Mapping[str, int], size: int, *, seed: int = 0) -> TopicSample:
    """Draw different queries, each as likely as it was asked often; the order of the log makes no difference.

    Draws as `cranfield.logs.topic_sample.sample_log` does of a log that was imported, so that each query has exactly
    its chance (`cranfield.evaluation.query_draws`). The field `asked` of a topic has how often it was asked.

    >>> sample = sample_topics({"soup": 1000, "bread": 1}, 1)
    >>> sample.topics["1"].query(), sample.log.different
    ('soup', 2)
    """
    if not 1 <= size <= len(counts):
        raise ParameterError(
            f"{size} topics cannot be drawn from {len(counts)} different queries (-n, size=): at least 1, at most all"
        )
    queries = sorted(counts)
    asked = np.array([counts[query] for query in queries], dtype=np.int64)
    drawn = draw_queries(asked, size, "frequency", seed).place.tolist()
    topics = Topics(
        (Topic(str(place), {"text": queries[at], "asked": counts[queries[at]]}) for place, at in enumerate(drawn, 1)),
        name="sample",
    )
    return TopicSample(
        topics, _mix(queries, asked, asked), _mix([queries[at] for at in drawn], asked[drawn], np.ones(size))
    )


def _mix(queries: list[str], asked: Ints, weight: Floats | Ints) -> QueryMix:
    words = np.array([count_words(query) for query in queries], dtype=np.float64)
    return QueryMix(
        int(weight.sum()),
        len(queries),
        float(np.average(words, weights=weight)),
        float(np.average(asked == 1, weights=weight)),
    )
