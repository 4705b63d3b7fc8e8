"""One phrasing, several needs: queries whose clicks go many ways, and which documents are clicked together."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cranfield.data.strings import Floats, Ints
from cranfield.logs.log import Log
from cranfield.logs.stars import stars
from cranfield.stats.interval import Interval

if TYPE_CHECKING:
    import ibis

ENOUGH = 20
"""Of a query with fewer clicks nothing is said."""
MANY = 20
"""How many queries are named."""
TOGETHER = 0.1
"""Two documents belong together if the cosine of the sessions that clicked them is so high."""
MOST_CLICKED = 100
"""A session that clicks more documents than so many says nothing about which belong together."""
DRAWS = 1000


class DocumentGroup(NamedTuple):
    """Documents of a query that are clicked in the same sessions."""

    documents: tuple[str, ...]
    """The most clicked first."""
    clicks: int
    share: float
    """Of the clicks of the query."""


class Spread(NamedTuple):
    """How the clicks of one query spread over documents."""

    text: str
    clicks: int
    """One for each document that a person clicked, however often."""
    documents: int
    entropy: float
    """In bits: 0 if all click the same document, 1 as if half of them clicked one of two."""
    interval: Interval
    groups: tuple[DocumentGroup, ...]
    """Which documents are clicked in the same sessions; several groups may be several needs, or several answers."""


@dataclass(frozen=True)
class Spreads:
    """Queries whose clicks go many ways, the widest first."""

    queries: tuple[Spread, ...]
    told: int
    """How many queries have clicks enough, …"""
    abstained: int
    """…and how many were clicked, but too rarely."""
    enough: int


def spreads(
    log: Log, *, enough: int = ENOUGH, named: int = MANY, together: float = TOGETHER, level: float = 0.95, seed: int = 1
) -> Spreads:
    """Queries by the entropy of their clicks.

    The entropy has Miller's correction for small numbers, (m - 1) / 2n ln 2, and an interval of that and
    1.96 standard errors, by a bootstrap over clicks: each is one person (or session, where users are unknown) and one
    document. With many documents and few clicks even the corrected entropy is too low.
    """
    people = _people(log.events)
    counted = people.group_by(["text", "document_id"]).agg(clicks=people.count())
    ways = counted.group_by("text").agg(
        clicks=counted.clicks.sum(),
        documents=counted.count(),
        logs=(counted.clicks * counted.clicks.cast("float64").log2()).sum(),
    )
    clicks = ways.clicks.cast("float64")
    ways = ways.mutate(entropy=clicks.log2() - ways.logs / clicks + (ways.documents - 1) / (2 * math.log(2) * clicks))
    told = ways.filter(ways.clicks >= enough)
    # Engines sum in different orders, which must not decide who comes first.
    widest = log.run(told.order_by([told.entropy.round(9).desc(), told.text]).limit(named)).to_pylist()
    numbers = log.run(ways.agg(all=ways.count(), told=(ways.clicks >= enough).cast("int64").sum())).to_pylist()[0]
    documents = _documents(log, counted, [row["text"] for row in widest])
    groups = _groups(log, documents, together)
    draws = np.random.default_rng(seed)
    queries = tuple(
        Spread(
            row["text"],
            int(row["clicks"]),
            row["documents"],
            float(entropy(_counts(documents[row["text"]]))[0]),
            _interval(documents[row["text"]], level, draws),
            groups[row["text"]],
        )
        for row in widest
    )
    return Spreads(queries, int(numbers["told"] or 0), int(numbers["all"] - (numbers["told"] or 0)), enough)


def _clicks(events: ibis.Table) -> ibis.Table:
    return events.filter((events.action == "click") & events.query_id.notnull() & events.document_id.notnull())


def _people(events: ibis.Table) -> ibis.Table:
    """Who clicked which document for which query, once each."""
    clicks = _clicks(events)
    who = clicks.user_id.coalesce(clicks.session_id)
    return clicks.filter(clicks.text != "").select("text", "document_id", who=who).distinct()


def _documents(log: Log, counted: ibis.Table, texts: list[str]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {text: {} for text in texts}
    if texts:
        for row in log.run(counted.filter(counted.text.isin(texts))).to_pylist():
            found[row["text"]][row["document_id"]] = row["clicks"]
    return found


def _groups(log: Log, documents: dict[str, dict[str, int]], together: float) -> dict[str, tuple[DocumentGroup, ...]]:
    """Of each query, its documents by the sessions that clicked them, for whatever query."""
    names = sorted({name for counts in documents.values() for name in counts})
    alike = _clicked_together(log, names, together) if names else set()
    groups = dict[str, tuple[DocumentGroup, ...]]()
    for text, counts in documents.items():
        total = sum(counts.values())
        pairs = [pair for pair in alike if pair[0] in counts and pair[1] in counts]
        rows = []
        for members in stars({name: float(number) for name, number in counts.items()}, pairs).values():
            clicks = sum(counts[name] for name in members)
            rows.append(DocumentGroup(tuple(members), clicks, clicks / total))
        groups[text] = tuple(sorted(rows, key=lambda group: (-group.clicks, group.documents)))
    return groups


def _clicked_together(log: Log, names: list[str], together: float) -> set[tuple[str, str]]:
    import ibis

    wanted = ibis.memtable({"document_id": names}, schema={"document_id": "string"})
    clicked = _clicks(log.events).semi_join(wanted, "document_id").select("session_id", "document_id").distinct()
    busy = clicked.group_by("session_id").agg(number=clicked.count())
    clicked = clicked.semi_join(busy.filter(busy.number <= MOST_CLICKED), "session_id")
    sizes = clicked.group_by("document_id").agg(sessions=clicked.count())
    one, other = clicked, clicked.select(same="session_id", other="document_id")
    both = one.join(other, [one.session_id == other.same, one.document_id < other.other])
    pairs = both.group_by(["document_id", "other"]).agg(both=both.count())
    pairs = pairs.join(sizes, "document_id")
    pairs = pairs.join(sizes.select(other="document_id", others="sessions"), "other")
    cosine = pairs.both / (pairs.sessions.cast("float64") * pairs.others.cast("float64")).sqrt()
    rows = log.run(pairs.filter(cosine >= together - 1e-9).select("document_id", "other")).to_pylist()
    return {(row["document_id"], row["other"]) for row in rows}


def entropy(counts: Ints) -> Floats:
    """In bits, with Miller's correction; of each row.

    >>> round(float(entropy(np.array([[8, 8]]))[0]), 4)  # 1 + 1 / (2 x 16 x ln 2)
    1.0451
    """
    total = counts.sum(axis=1, keepdims=True)
    shares = counts / total
    logs = np.log2(np.where(counts > 0, shares, 1.0))
    correction = ((counts > 0).sum(axis=1) - 1) / (2 * math.log(2) * total[:, 0])
    found: Floats = -(shares * logs).sum(axis=1) + correction
    return found


def _counts(documents: dict[str, int]) -> Ints:
    """As one row, in an order that is always the same."""
    return np.array([[documents[name] for name in sorted(documents)]], np.int64)


def _interval(documents: dict[str, int], level: float, draws: np.random.Generator) -> Interval:
    from scipy.special import ndtri

    counts = _counts(documents)
    total, here = int(counts.sum()), float(entropy(counts)[0])
    spread = float(entropy(draws.multinomial(total, counts[0] / total, size=DRAWS)).std(ddof=1))
    reach = float(ndtri((1 + level) / 2)) * spread
    return Interval(max(here - reach, 0.0), here + reach, level, "standard error by a bootstrap over clicks")
