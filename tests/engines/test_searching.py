"""Topics put to engines that answer, fail, and answer what cannot be used."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.data.documents import Document
from cranfield.data.topics import Topic, Topics
from cranfield.engines.engine import Engine, Hits
from cranfield.engines.journal import Journal
from cranfield.engines.searching import GIVE_UP_AFTER, search
from cranfield.errors import EngineError, ParameterError, UsageError


class Answering(Engine):
    """An engine whose answers are a function of the query."""

    kind = "answering"

    def __init__(self, answer: Callable[[str, int], Hits], concurrency: int = 1) -> None:
        self._answer = answer
        self.concurrency = concurrency
        self.asked: list[str] = []

    def index(self, documents: Iterable[Document]) -> None:
        raise EngineError("it has its documents")

    def search(self, query: str, k: int) -> Hits:
        self.asked.append(query)
        return self._answer(query, k)

    def count(self) -> int | None:
        return None


class AllAtOnce(Answering):
    """An engine that answers all topics at once, those whose query is not 'nothing'."""

    def search_topics(self, queries: Mapping[str, str], k: int) -> Mapping[str, Hits]:
        return {topic: self.search(query, k) for topic, query in queries.items() if query != "nothing"}


def topics(*queries: str) -> Topics:
    return Topics(
        [Topic(str(number), {"title": query, "description": "soup"}) for number, query in enumerate(queries, 1)]
    )


def usual(query: str, k: int) -> Hits:
    return [(f"{query}-{rank}", 1 / rank) for rank in range(1, k + 1)]


def test_a_run_of_what_was_found() -> None:
    outcome = search(Answering(usual), topics("a", "b"), k=2, name="mine")
    assert outcome.run.to_dict() == {"1": {"a-1": 1.0, "a-2": 0.5}, "2": {"b-1": 1.0, "b-2": 0.5}}
    assert (outcome.run.name, outcome.run.tag, outcome.complete) == ("mine", "mine", True)
    assert set(outcome.latencies) == {"1", "2"}
    assert outcome.latency is not None
    assert outcome.latency.answers == 2
    assert (outcome.asked, outcome.resumed, outcome.fewer, outcome.empty, outcome.cut) == (2, 0, 0, 0, 0)


def test_the_fields_that_make_the_query() -> None:
    engine = Answering(usual)
    search(engine, topics("a"), fields=["title", "description"])
    assert engine.asked == ["a soup"]
    with pytest.raises(UsageError, match="no topic of topics has a field 'titel'"):
        search(engine, topics("a"), fields=["titel"])


def test_what_is_counted() -> None:
    answers: dict[str, Hits] = {
        "few": [("d1", 1.0)],
        "none": [],
        "many": [("d1", 3.0), ("d2", 2.0), ("d3", 1.0)],
        "turned": [("d1", 1.0), ("d2", 2.0)],
    }
    outcome = search(Answering(lambda query, k: answers[query]), topics(*answers), k=2)
    assert outcome.run.to_dict() == {"1": {"d1": 1.0}, "3": {"d1": 3.0, "d2": 2.0}, "4": {"d2": 2.0, "d1": 1.0}}
    assert (outcome.fewer, outcome.empty, outcome.cut, outcome.put_in_order) == (2, 1, 1, 1)
    assert outcome.complete


def failing(query: str, k: int) -> Hits:
    if query == "down":
        raise EngineError("it is down")
    if query == "bug":
        raise ZeroDivisionError("division by zero")
    return {"twice": [("d1", 2.0), ("d1", 1.0)], "nan": [("d1", float("nan"))]}.get(query) or usual(query, k)


@pytest.mark.parametrize("concurrency", [1, 3])
def test_failures_have_their_topic_and_their_reason(concurrency: int) -> None:
    outcome = search(Answering(failing, concurrency), topics("a", "down", "twice", "b", "nan", "bug"), k=1)
    assert outcome.failures == {
        "2": "it is down",
        "3": "document 'd1' is there twice",
        "5": "the score of document 'd1' is nan, which is no finite number",
        "6": "ZeroDivisionError: division by zero",
    }
    assert outcome.run.to_dict() == {"1": {"a-1": 1.0}, "4": {"b-1": 1.0}}
    assert not outcome.complete


@pytest.mark.parametrize("concurrency", [1, 4])
def test_an_engine_that_is_down_is_not_asked_for_ever(concurrency: int) -> None:
    engine = Answering(failing, concurrency)
    outcome = search(engine, topics("a", *["down"] * 500), k=1)
    assert len(outcome.failures) == 500
    assert GIVE_UP_AFTER <= len(engine.asked) - 1 <= GIVE_UP_AFTER + 50
    assert set(outcome.failures.values()) == {"it is down", "not asked for: 10 topics in a row had failed"}


def test_topics_that_fail_here_and_there_do_not_end_it() -> None:
    engine = Answering(failing)
    outcome = search(engine, topics(*["down", "a"] * 20), k=1)
    assert len(engine.asked) == 40
    assert len(outcome.failures) == 20


def test_wrong_usage_ends_it_at_once() -> None:
    def misused(query: str, k: int) -> Hits:
        raise ParameterError("was indexed otherwise")

    for concurrency in (1, 3):
        with pytest.raises(ParameterError, match="was indexed otherwise"):
            search(Answering(misused, concurrency), topics("a", "b", "c", "d"))


def test_several_at_once() -> None:
    """Three topics wait for each other: asked one by one, they would wait in vain."""
    meeting = threading.Barrier(3, timeout=20)

    def waiting(query: str, k: int) -> Hits:
        meeting.wait()
        return usual(query, k)

    outcome = search(Answering(waiting, 3), topics("a", "b", "c"), k=1)
    assert outcome.complete


def test_answers_that_come_in_another_order_make_the_same_run() -> None:
    def slow_first(query: str, k: int) -> Hits:
        time.sleep(0.05 if query == "a" else 0)
        return usual(query, k)

    queries = ["a", "b", "c", "d", "e"]
    one_by_one, together = (search(Answering(slow_first, n), topics(*queries), k=3).run for n in (1, 4))
    assert one_by_one.to_dict() == together.to_dict()


def test_no_more_at_once_than_the_engine_allows() -> None:
    with pytest.raises(UsageError, match="the engine answering may be asked 2 at once, not 3"):
        search(Answering(usual, 2), topics("a"), concurrency=3)
    with pytest.raises(ParameterError, match="concurrency"):
        search(Answering(usual, 2), topics("a"), concurrency=0)


def test_an_engine_that_answers_all_at_once() -> None:
    outcome = search(AllAtOnce(usual), topics("a", "nothing", "b"), k=1)
    assert outcome.run.to_dict() == {"1": {"a-1": 1.0}, "3": {"b-1": 1.0}}
    assert outcome.failures == {"2": "the engine returned nothing for this topic"}
    assert outcome.latencies == {}
    assert outcome.latency is None
    assert outcome.queries_per_second is not None


def test_an_engine_that_fails_for_all_at_once() -> None:
    outcome = search(AllAtOnce(failing), topics(*["down"] * 20), k=1)
    assert outcome.failures == {str(number): "it is down" for number in range(1, 21)}


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    search(Answering(failing), topics("a", "down", "b"), k=1, tell=lambda *done: told.append(done))
    assert told == [(1, 3), (2, 3), (3, 3)]


@given(st.lists(st.booleans(), min_size=1, max_size=12), st.sampled_from([1, 3]))
def test_a_search_that_is_gone_on_with_gives_the_run_of_one_that_was_not_broken(
    up: list[bool], concurrency: int
) -> None:
    import tempfile

    queries = topics(*(f"q{number}" for number in range(len(up))))
    whole = search(Answering(usual), queries, k=3).run
    working = {f"q{number}" for number, state in enumerate(up) if state}

    def sometimes(query: str, k: int) -> Hits:
        return usual(query, k) if query in working else failing("down", k)

    with tempfile.TemporaryDirectory() as folder:
        with Journal(Path(folder, "j"), {}) as journal:
            search(Answering(sometimes, concurrency), queries, k=3, journal=journal)
        engine = Answering(usual)
        with Journal(Path(folder, "j"), {}, resume=True) as journal:
            outcome = search(engine, queries, k=3, journal=journal)
    assert outcome.complete
    assert outcome.run.to_dict() == whole.to_dict()
    assert set(outcome.latencies) == set(queries)
    assert outcome.resumed == len(queries) - len(engine.asked)


def test_topics_without_any_document() -> None:
    outcome = search(Answering(lambda query, k: []), topics("a", "b"))
    assert (len(outcome.run), outcome.empty, outcome.complete) == (0, 2, True)
    assert isinstance(outcome.run, cf.Run)
