"""How precise runs are by what clicks say, over all topics of a log about which they say something."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cranfield.data.run import Run
from cranfield.data.strings import Floats
from cranfield.data.topics import Topics
from cranfield.errors import DataError
from cranfield.logs.clicks import ENOUGH
from cranfield.logs.evidence import COEC, evidence
from cranfield.logs.log import Log
from cranfield.logs.topic_texts import topic_texts
from cranfield.stats.interval import Interval
from cranfield.stats.significance.t_test import one_sample_t_test

AS_SHOWN = "as shown"
"""What users of the log saw, beside the runs."""

Shares = Mapping[str, Mapping[str, float]]
"""By topic and document, which share of the first ranks it has."""


@dataclass(frozen=True, eq=False)
class InferredPrecision:
    """The precision of one run in its first ranks, on average over topics."""

    run: str
    topics: int
    """Topics of the run of which at least one document is known."""
    precision: float
    """Of the documents about which something is known, the share that is wanted; ranks without a document count."""
    interval: Interval | None
    """Of the mean over topics, by Student's t, cut off at 0 and 1; none of a single one."""
    least: float
    """What is certain: documents whose whole interval is at or above the threshold, all others taken for not wanted."""
    most: float
    """What is not excluded: all but those whose whole interval is below it."""
    known: float
    """The share of documents about which something is known."""
    by_topic: Mapping[str, float]


def inferred_precision(
    log: Log,
    runs: Sequence[Run] = (),
    *,
    topics: Topics | None = None,
    depth: int = 10,
    at: float = 1.0,
    source: str = COEC,
    enough: int = ENOUGH,
    level: float = 0.95,
) -> list[InferredPrecision]:
    """P@`depth` of what was shown in the log, and of runs, where a document is wanted from the value `at` on.

    With COEC 1 is a document that is clicked as often as others at its ranks. The value is relative to the log, and so
    is the precision: it compares systems, and says little alone. Intervals are about topics, each of which counts the
    same; `least` and `most` are about documents of which clicks do not say enough.
    """
    found = evidence(log, source, enough=enough)
    matched = topic_texts(found.text, topics)
    found = found.take(matched.row)
    columns = (matched.topic, found.document, found.value, found.lower, found.upper)
    said = {
        (topic, document): (value >= at, lower >= at, upper < at)
        for topic, document, value, lower, upper in zip(*(column.tolist() for column in columns), strict=True)
        if not np.isnan(value)
    }
    if not said:
        raise DataError(f"{log.path}: no document was shown {enough} times for one query")
    shown = _precision(AS_SHOWN, _as_shown(log, topics, depth), said, level)
    return [shown, *(_precision(run.name, _first(run, depth), said, level) for run in runs)]


def _first(run: Run, depth: int) -> Shares:
    first = run.first(depth).to_dict()
    return {topic: dict.fromkeys(documents, 1 / depth) for topic, documents in first.items()}


def _as_shown(log: Log, topics: Topics | None, depth: int) -> Shares:
    import ibis

    shown = log.impressions.filter(lambda table: table["rank"] <= depth)
    # Where a query has several documents at one rank, as when lists were put together, they share the place.
    place = ibis.window(group_by=["query_id", "rank"])
    shown = shown.mutate(place=1 / shown.count().over(place).cast("float64"))
    places = log.run(
        shown.group_by(["text", "document_id"]).agg(places=shown.place.sum()).order_by(["text", "document_id"])
    )
    pages = log.run(shown.group_by("text").agg(pages=shown.query_id.nunique()))
    by_text = dict(zip(pages["text"].to_pylist(), pages["pages"].to_pylist(), strict=True))
    text, document, count = (places[name].to_pylist() for name in ("text", "document_id", "places"))
    matched = topic_texts(np.array(text, dtype=np.object_), topics)
    shares: dict[str, dict[str, float]] = {}
    for row, topic in zip(matched.row.tolist(), matched.topic.tolist(), strict=True):
        shares.setdefault(topic, {})[document[row]] = count[row] / (depth * by_text[text[row]])
    return shares


def _precision(
    name: str, shares: Shares, said: Mapping[tuple[str, str], tuple[bool, bool, bool]], level: float
) -> InferredPrecision:
    rows: dict[str, tuple[float, float, float, float]] = {}
    for topic, documents in shares.items():
        known = {document: share for document, share in documents.items() if (topic, document) in said}
        filled, of_known = sum(documents.values()), sum(known.values())
        if not of_known:
            continue
        wanted, certain, not_wanted = (_sum(known, said, topic, at) for at in range(3))
        rows[topic] = (filled * wanted / of_known, certain, filled - not_wanted, of_known / filled)
    if not rows:
        raise DataError(f"{name}: clicks say nothing of any of its documents; are its topics those of the log?")
    columns: Floats = np.array(list(rows.values())).T
    mean, least, most, known_share = columns.mean(axis=1).tolist()
    student = one_sample_t_test(columns[0], 0.0, level=level).interval if len(rows) > 1 else None
    interval = None if student is None else student.cut(0.0, 1.0)
    by_topic = dict(zip(rows, columns[0].tolist(), strict=True))
    return InferredPrecision(name, len(rows), mean, interval, least, most, known_share, by_topic)


def _sum(
    known: Mapping[str, float], said: Mapping[tuple[str, str], tuple[bool, bool, bool]], topic: str, at: int
) -> float:
    shares: Iterable[float] = (share for document, share in known.items() if said[topic, document][at])
    return sum(shares)
