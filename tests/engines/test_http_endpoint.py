"""Any endpoint that answers in JSON, and all that can be wrong with its answers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pytest

from cranfield.engines import engine_class
from cranfield.engines.http_endpoint import HttpEngine
from cranfield.engines.parameters import check_names
from cranfield.errors import EngineError, ParameterError
from tests.engines.faulty_server import FaultyServer, faulty_server


@pytest.fixture
def server() -> Iterator[tuple[str, FaultyServer]]:
    with faulty_server() as found:
        yield found


def search(url: str, kind: str, **settings: Any) -> list[tuple[str, float]]:
    given = {"hits": "$.hits", "score": "score", "retries": 0, **settings}
    with HttpEngine(url=f"{url}/{kind}?q={{{{query}}}}", **given) as engine:
        return list(engine.search("soup", 5))


def test_reads_ids_and_scores(server: tuple[str, FaultyServer]) -> None:
    assert search(server[0], "fine") == [("d1", 9.0), ("d2", 8.0), ("d3", 7.0), ("d4", 6.0), ("d5", 5.0)]
    assert search(server[0], "fine", hits="hits[*]") == search(server[0], "fine")
    assert search(server[0], "numbers") == [("17", 2.5)]
    assert search(server[0], "fewer") == [("d1", 9.0), ("d2", 8.0)]
    assert search(server[0], "none") == []


def test_without_scores_ranks_count(server: tuple[str, FaultyServer]) -> None:
    assert search(server[0], "fewer", score=None) == [("d1", 1.0), ("d2", 0.5)]
    engine = HttpEngine(url=f"{server[0]}/fewer?q={{{{query}}}}", hits="hits")
    assert engine.description()["parameters"]["score"] == "1/rank"


def test_a_list_of_names_alone(server: tuple[str, FaultyServer]) -> None:
    assert search(server[0], "fewer", hits="$.hits[*].id", id="$", score=None) == [("d1", 1.0), ("d2", 0.5)]


def test_hands_on_what_the_search_has_to_judge(server: tuple[str, FaultyServer]) -> None:
    assert [name for name, _ in search(server[0], "twice")] == ["d1", "d2", "d1"]
    ((name, score),) = search(server[0], "NaN")
    assert name == "d1"
    assert math.isnan(score)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("other shape", "answered what has no $.hits (hits = '$.hits'): at $ there is an object with took, data"),
        ("an object of hits", "answered what has no list at hits = '$.hits', but an object with d1"),
        ("no id", "answered what has no $.id (id = 'id'): at $ there is an object with name, score"),
        ("null hits", "answered what has no list at hits = '$.hits', but null"),
        ("null id", "answered what has null where the identifier of a document is expected"),
        ("null score", "answered what has null where the score of a document is expected"),
        ("html", "answered a web page ('Sign in & go on') where JSON is expected"),
        ("garbage", "answered what is not JSON"),
        ("cut short", "broke off its answer"),
        ("500", "answered 500 Internal Server Error: out of memory"),
    ],
)
def test_answers_that_cannot_be_used(server: tuple[str, FaultyServer], kind: str, expected: str) -> None:
    address = f"{server[0]}/{kind.replace(' ', '%20')}"
    with pytest.raises(EngineError) as raised:
        search(server[0], kind.replace(" ", "%20"))
    assert str(raised.value).startswith(f"http at {address} {expected}")


def test_asks_with_a_body(server: tuple[str, FaultyServer]) -> None:
    url, faulty = server
    body = {"text": "{{query}}", "limit": "{{k}}"}
    HttpEngine(url=f"{url}/fine", body=body, hits="hits").search('a "quoted" soup', 7)
    asked = faulty.asked[-1]
    assert (asked.method, asked.json()) == ("POST", {"text": 'a "quoted" soup', "limit": 7})
    assert asked.headers["content-type"] == "application/json"


def test_asks_with_a_url(server: tuple[str, FaultyServer], monkeypatch: pytest.MonkeyPatch) -> None:
    url, faulty = server
    monkeypatch.setenv("SEARCH_KEY", "s3cr/t")
    engine = HttpEngine(
        url=f"{url}/fine?q={{{{query}}}}&size={{{{k}}}}", parameters={"api_key": {"env": "SEARCH_KEY"}}, hits="hits"
    )
    engine.search("hot & cold soup", 7)
    asked = faulty.asked[-1]
    assert (asked.method, asked.parameters) == ("GET", {"q": "hot & cold soup", "size": "7", "api_key": "s3cr/t"})
    assert "s3cr" not in repr(engine.description())
    described = engine.description()["parameters"]
    assert described["url"] == f"{url}/fine?q={{{{query}}}}&size={{{{k}}}}"
    assert described["parameters"] == {"api_key": {"env": "SEARCH_KEY"}}


def test_all_that_shapes_the_answers_is_described(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEARCH_KEY", "s3cr3t")
    usual: dict[str, Any] = {"url": "http://h/?q={{query}}&index=A"}
    others: list[dict[str, Any]] = [
        {"url": "http://h/?q={{query}}&index=B"},
        {"parameters": {"index": "B"}},
        {"headers": {"X-Index": "B"}},
        {"headers": {"Authorization": {"env": "SEARCH_KEY"}}},
        {"basic_auth": {"env": "SEARCH_KEY"}},
        {"body": {"text": "{{query}}"}},
        {"method": "POST"},
        {"hits": "hits"},
        {"id": "name"},
        {"score": "score"},
    ]
    described = [repr(HttpEngine(**usual, timeout=5).description())]
    described += [repr(HttpEngine(**{**usual, **other}).description()) for other in others]
    assert described[0] == repr(HttpEngine(**usual, timeout=10, retries=1, concurrency=2).description())
    assert len(set(described)) == len(others) + 1
    assert "s3cr3t" not in str(described)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"url": "http://h/"}, "neither url nor body has a place for the query"),
        ({"url": "http://h/?q={{query}}&api_key=abc"}, "api_key in the URL looks like a secret"),
        ({"url": "http://h/?q={{query}}", "parameters": {"token": "abc"}}, "token in the URL looks like a secret"),
        ({"url": "http://h/?q={{query}}&sig=abc"}, "sig in the URL looks like a secret"),
        ({"url": "http://h/?q={{query}}", "method": "FETCH"}, "method is 'FETCH'"),
        ({"url": "http://h/?q={{query}}", "hits": "$.a..b"}, "hits = '$.a..b' is not understood from '..b' on"),
        ({"url": "http://h/?q={{query}}", "id": "a[?x]"}, "id = 'a[?x]' is not understood"),
    ],
)
def test_impossible_parameters(settings: dict[str, Any], expected: str) -> None:
    with pytest.raises(ParameterError) as raised:
        HttpEngine(**settings)
    assert expected in str(raised.value)
    assert "abc" not in str(raised.value)


def test_parameters_of_the_connection_are_known_by_name() -> None:
    check_names(engine_class("http"), {"url": "http://h", "timeout": 5, "headers": {}})
    with pytest.raises(ParameterError, match=r"has no parameter 'timeuot'\. Did you mean timeout"):
        check_names(engine_class("http"), {"url": "http://h", "timeuot": 5})
    with pytest.raises(ParameterError, match="needs the parameter 'url'"):
        check_names(engine_class("http"), {})


def test_is_only_searched() -> None:
    engine = HttpEngine(url="http://127.0.0.1/?q={{query}}")
    assert (engine.count(), engine.size_on_disk()) == (None, None)
    with pytest.raises(EngineError, match="is only searched"):
        engine.index([])
