"""Topics put to an engine as a batch: a run, what failed, and how long it took."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from cranfield.data.run import Run
from cranfield.data.strings import Numbered, concatenate, encode
from cranfield.data.topics import Topics
from cranfield.engines.answers import Answer, checked
from cranfield.engines.asking import Asked, ask
from cranfield.engines.engine import Engine
from cranfield.engines.journal import Entry, Journal
from cranfield.engines.latency import Latency, summarised
from cranfield.errors import DataError, EngineError, UsageError
from cranfield.measures.parameters import CUTOFF

GIVE_UP_AFTER = 10
"""When so many topics in a row have failed, the engine is down, and the others are not asked for."""

Tell = Callable[[int, int], None]
"""Told how many topics of how many are done."""


@dataclass(frozen=True, eq=False)
class SearchOutcome:
    """What came of a search."""

    run: Run
    topics: tuple[str, ...]
    """All that were to be asked for, in their order."""
    failures: Mapping[str, str]
    """Why there is no answer, by topic."""
    latencies: Mapping[str, float]
    """Seconds, by topic; empty where an engine answers all topics at once."""
    seconds: float
    """That this search took, from the first topic to the last."""
    asked: int
    """How many topics it asked for: all but those an earlier search had done."""
    fewer: int
    """For how many topics fewer than k documents came back."""
    empty: int
    """For how many none."""
    cut: int
    """For how many there were more than k."""
    put_in_order: int
    """For how many the engine had another order than the scores say."""

    @property
    def complete(self) -> bool:
        """Whether there is an answer for every topic."""
        return not self.failures

    def makes_a_run(self, *, allow_gaps: bool = False) -> bool:
        """Whether there is something to write: documents, and an answer for every topic unless gaps are allowed."""
        return len(self.run) > 0 and (self.complete or allow_gaps)

    @property
    def resumed(self) -> int:
        """How many topics an earlier search had done."""
        return len(self.topics) - self.asked

    @property
    def latency(self) -> Latency | None:
        """How long answers took."""
        return summarised(list(self.latencies.values()))

    @property
    def queries_per_second(self) -> float | None:
        """How many topics were answered in a second of this search."""
        answered = self.asked - len(self.failures)
        return answered / self.seconds if answered and self.seconds > 0 else None


def search(
    engine: Engine,
    topics: Topics,
    *,
    k: int = 1000,
    fields: Sequence[str] = (),
    concurrency: int | None = None,
    journal: Journal | None = None,
    plain: bool = False,
    tell: Tell | None = None,
    name: str | None = None,
) -> SearchOutcome:
    """Put topics to an engine.

    `fields` are those that make the query (see `Topic.query`). `concurrency` is how many topics are asked for at once:
    at most as many as the engine allows, and as many where nothing is said. A topic that fails is in `failures` with
    the reason, and does not keep others from being asked for, unless several in a row fail. With a `journal` each
    answer is written down as it comes, and what it has already is not asked for again.

    >>> from cranfield.data.topics import Topic
    >>> from cranfield.engines.python_function import PythonEngine
    >>> engine = PythonEngine(function=lambda query, k: {"d1": 0.5, "d2": 0.25})
    >>> search(engine, Topics([Topic("1", {"title": "soup"})])).run["1"]
    {'d1': 0.5, 'd2': 0.25}
    """
    k = CUTOFF.accept(k, "the number of documents (k)")
    at_once = _concurrency(engine, concurrency)
    queries = topics.queries(fields)
    done: dict[str, Entry] = {} if journal is None else {t: e for t, e in journal.done.items() if t in queries}
    left = {topic: query for topic, query in queries.items() if topic not in done}
    failures: dict[str, str] = {}
    in_a_row = 0
    begun = perf_counter()
    with contextlib.closing(_answers(engine, left, k, at_once)) as answers:
        for asked in answers:
            try:
                answer = _usable(asked, k, plain)
            except DataError as error:
                failures[asked.topic] = str(error)
                in_a_row += 1
                if in_a_row >= GIVE_UP_AFTER and asked.seconds is not None:
                    break
            else:
                in_a_row = 0
                done[asked.topic] = Entry.of(answer, asked.seconds)
                if journal is not None:
                    journal.record(asked.topic, answer, asked.seconds)
            if tell is not None:
                tell(len(done) + len(failures), len(queries))
    for topic in left:
        if topic not in done and topic not in failures:
            failures[topic] = f"not asked for: {GIVE_UP_AFTER} topics in a row had failed"
    return _outcome(engine, queries, done, failures, k, perf_counter() - begun, len(left), name)


def _concurrency(engine: Engine, asked: int | None) -> int:
    if asked is None:
        return engine.concurrency
    CUTOFF.accept(asked, "concurrency")
    if asked > engine.concurrency:
        raise UsageError(
            f"the engine {engine.kind} may be asked {engine.concurrency} at once, not {asked}: lower the concurrency, "
            f"or make the engine with a higher one where it has that parameter"
        )
    return asked


def _answers(engine: Engine, queries: Mapping[str, str], k: int, concurrency: int) -> Generator[Asked, None, None]:
    """Answers as they come; of an engine that gives all at once, without times of their own."""
    if not queries:
        return
    try:
        everything = engine.search_topics(queries, k)
    except DataError as error:
        yield from (Asked(topic, (), error, None) for topic in queries)
        return
    if everything is None:
        yield from ask(engine, queries, k, concurrency)
        return
    for topic in queries:
        missing = None if topic in everything else EngineError(engine.unanswered)
        yield Asked(topic, everything.get(topic, ()), missing, None)


def _usable(asked: Asked, k: int, plain: bool) -> Answer:
    if asked.failure is not None:
        raise asked.failure
    return checked(asked.hits, k, plain=plain)


def _outcome(
    engine: Engine,
    queries: Mapping[str, str],
    done: Mapping[str, Entry],
    failures: Mapping[str, str],
    k: int,
    seconds: float,
    asked: int,
    name: str | None,
) -> SearchOutcome:
    answers = {topic: done[topic] for topic in queries if topic in done}
    return SearchOutcome(
        run=_run(answers, name or engine.kind),
        topics=tuple(queries),
        failures={topic: failures[topic] for topic in queries if topic in failures},
        latencies={topic: one.seconds for topic, one in done.items() if one.seconds is not None},
        seconds=seconds,
        asked=asked,
        fewer=sum(answer.found < k for answer in answers.values()),
        empty=sum(answer.found == 0 for answer in answers.values()),
        cut=sum(answer.found > k for answer in answers.values()),
        put_in_order=sum(answer.put_in_order for answer in answers.values()),
    )


def _run(answers: Mapping[str, Entry], name: str) -> Run:
    """The run of all topics for which documents were found."""
    found = {encode(topic): answer for topic, answer in answers.items() if len(answer.documents)}
    ids = sorted(found)
    sizes = [len(found[topic].documents) for topic in ids]
    code = np.repeat(np.arange(len(ids), dtype=np.int32), sizes)
    scores = [found[topic].scores for topic in ids]
    documents = concatenate(found[topic].documents for topic in ids)
    return Run(Numbered(ids, code), documents, np.concatenate(scores) if scores else np.zeros(0), name=name)
