"""Topics for a test collection, drawn from a log so that what is measured on them can be said of the log."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.data.strings import Bools, Floats, Ints, encode
from cranfield.data.topics import Topic, Topics
from cranfield.errors import ParameterError, UsageError
from cranfield.evaluation.query_draws import check_way, draw_queries
from cranfield.formats.topics import write_topics
from cranfield.formats.writing import writing
from cranfield.logs.log import Log
from cranfield.stats.arguments import whole

LEAST_USERS = 2
"""A query that one person put alone may say who that is."""
_WITH_TABS = (".tsv", ".tab")
ENDINGS = (*_WITH_TABS, ".jsonl", ".ndjson", ".toml")
"""Of files that hold all that is known of a drawn topic."""

Names = npt.NDArray[np.object_]


class LogQueries(NamedTuple):
    """The different queries that may be drawn."""

    text: Names
    asked: Ints
    people: Ints
    clicked: Ints
    """How many of those put had a click."""

    def only(self, wanted: Bools) -> LogQueries:
        return LogQueries(self.text[wanted], self.asked[wanted], self.people[wanted], self.clicked[wanted])


class Likeness(NamedTuple):
    """What the traffic of the log is like, and what the sample would say of it."""

    what: str
    log: float
    sample: float
    """Each topic counts once."""
    weighted: float
    """Each topic counts by its weight."""


@dataclass(frozen=True)
class LogSample:
    """Topics drawn from a log."""

    topics: Topics
    """Fields: text, asked, people, stratum, inclusion (the chance to be drawn), weight (the share of the traffic that
    the topic stands for)."""
    by: str
    seed: int
    least_users: int
    different: int
    """How many different queries there were to draw from, …"""
    left_out: int
    """…how many were left out as too few people put them, …"""
    left_out_traffic: float
    """…and the share of the traffic that these have: nothing is said about it."""
    likeness: tuple[Likeness, ...]

    def write(self, path: str | os.PathLike[str]) -> None:
        """As a file of topics, with weights and strata, which not every format has; one with tabs has a header."""
        name = os.fspath(path).lower().removesuffix(".gz").removesuffix(".zst")
        if not name.endswith(ENDINGS):
            raise UsageError(
                f"{os.fspath(path)}: drawn topics have weights: the name of their file ends in .tsv, .jsonl or .toml"
            )
        if not name.endswith(_WITH_TABS):
            write_topics(self.topics, path)
            return
        names = self.topics.field_names
        with writing(path) as out:
            out.write(encode("\t".join(("qid", *names)) + "\n"))
            for topic in self.topics.values():
                out.write(encode("\t".join((topic.id, *(str(topic.fields[name]) for name in names))) + "\n"))


def sample_log(
    log: Log, size: int = 50, *, by: str = "frequency", seed: int = 1, least_users: int | None = None
) -> LogSample:
    """Draw different queries.

    A mean over the traffic is estimated by the mean of topics weighted by `weight`, which is asked / inclusion over the
    sum of that in the sample (Hájek); one over different queries by 1 / inclusion. Queries that fewer people than
    `least_users` put are left out: 2, or as many as the log itself asks for (`logs import --anonymity`). People are
    users, or sessions where users are unknown.
    """
    check_way(by)
    whole("size", size, 1)
    least = least_users
    if least is None:
        least = max(LEAST_USERS, int(log.record.settings.get("anonymity", 0)))
    everything = _queries(log)
    enough: Bools = everything.people >= least
    queries = everything.only(enough)
    if size > len(queries.text):
        raise ParameterError(
            f"{size} topics cannot be drawn from {len(queries.text)} different queries (-n, size=) that {least} people "
            f"or more put; {int((~enough).sum())} others were put by fewer (--users, least_users=)"
        )
    drawn, inclusion, strata = draw_queries(queries.asked, size, by, seed)
    weight = queries.asked[drawn] / inclusion
    weight = weight / weight.sum()
    topics = Topics(
        (
            Topic(
                str(number),
                {
                    "text": str(queries.text[at]),
                    "asked": int(queries.asked[at]),
                    "people": int(queries.people[at]),
                    "stratum": stratum,
                    "inclusion": float(f"{chance:.6g}"),
                    "weight": float(f"{share:.6g}"),
                },
            )
            for number, (at, chance, share, stratum) in enumerate(
                zip(drawn.tolist(), inclusion, weight, strata, strict=True), 1
            )
        ),
        name="sample",
    )
    return LogSample(
        topics=topics,
        by=by,
        seed=seed,
        least_users=least,
        different=len(queries.text),
        left_out=int((~enough).sum()),
        left_out_traffic=float(everything.asked[~enough].sum() / everything.asked.sum()),
        likeness=_likeness(queries, drawn, weight),
    )


def _queries(log: Log) -> LogQueries:
    queries = log.queries.filter(lambda rows: rows.text != "")
    people = queries.user_id.coalesce(queries.session_id)
    grouped = queries.group_by("text").agg(
        asked=queries.count(), people=people.nunique(), clicked=(queries.clicks > 0).cast("int64").sum()
    )
    found = log.run(grouped.order_by("text"))
    if not found.num_rows:
        raise log.no_queries()
    numbers = (found.column(name).to_numpy().astype(np.int64) for name in ("asked", "people", "clicked"))
    return LogQueries(found.column("text").to_numpy(zero_copy_only=False), *numbers)


def _likeness(queries: LogQueries, drawn: Ints, weight: Floats) -> tuple[Likeness, ...]:
    """By what is known of all queries of the log."""
    words = np.array([len(text.split()) for text in queries.text], np.float64)
    values = {
        "words per query": words,
        "share with a click": queries.clicked / queries.asked,
        "share put once": (queries.asked == 1).astype(np.float64),
        "share of one word": (words == 1).astype(np.float64),
    }
    return tuple(
        Likeness(
            what,
            float(np.average(value, weights=queries.asked)),
            float(value[drawn].mean()),
            float(np.average(value[drawn], weights=weight)),
        )
        for what, value in values.items()
    )
