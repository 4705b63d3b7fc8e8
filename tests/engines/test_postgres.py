"""PostgreSQL: the adapter against a real server."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest

from cranfield.data.documents import Document
from cranfield.engines import postgres
from cranfield.engines.postgres import PostgresEngine
from cranfield.errors import EngineError, ParameterError
from tests.engines.faulty_server import Clock, closed_port

DOCUMENTS = [
    Document("a", {"title": "soup", "text": "hot soup with bread"}),
    Document("b", {"title": "bread", "text": "bread from an oven"}),
    Document("c", {"title": "tea", "text": "cold tea, no oven"}),
]


Opening = Callable[..., PostgresEngine]


@pytest.fixture
def opened() -> Iterator[Opening]:
    """Makes engines, and closes them in the end."""
    with contextlib.ExitStack() as stack:
        yield lambda **settings: stack.enter_context(PostgresEngine(**settings))


@pytest.fixture
def server(postgres_server: dict[str, Any]) -> dict[str, Any]:
    with PostgresEngine(**postgres_server) as engine:
        engine.index(DOCUMENTS)
    return postgres_server


def names(engine: PostgresEngine, query: str) -> list[str]:
    return [name for name, _ in engine.search(query, 10)]


@pytest.mark.parametrize(
    ("match", "query", "expected"),
    [
        ("any", "soups oven", {"a", "b", "c"}),
        ("all", "soups oven", set()),
        ("all", "bread oven", {"b"}),
        ("web", "bread -soup", {"b"}),
        ("web", '"hot soup" or tea', {"a", "c"}),
    ],
)
def test_which_documents_match(
    opened: Opening, server: dict[str, Any], match: str, query: str, expected: set[str]
) -> None:
    assert set(names(opened(**server, match=match), query)) == expected


@pytest.mark.parametrize("rank", ["ts_rank", "ts_rank_cd"])
@pytest.mark.parametrize("normalization", [0, 1, 2, 32])
def test_scores_are_those_of_the_server(opened: Opening, server: dict[str, Any], rank: str, normalization: int) -> None:
    engine = opened(**server, rank=rank, normalization=normalization)
    hits = dict(engine.search("bread oven", 10))
    with psycopg.connect(server["dsn"]) as connection:
        for document in DOCUMENTS:
            function = f"{rank}(to_tsvector('english', %s), 'bread | oven'::tsquery, {normalization})"
            row = connection.execute(f"SELECT {function}::float8", [document.text()]).fetchone()
            assert row is not None
            assert hits[document.id] == row[0]


def test_languages(opened: Opening, postgres_server: dict[str, Any]) -> None:
    engine = opened(**postgres_server, language="german")
    engine.index([Document("d", {"text": "die heißen Suppen"})])
    assert names(engine, "heiße Suppe") == ["d"]
    with pytest.raises(EngineError, match="does not know the language 'klingon'"):
        opened(**postgres_server, language="klingon").index(DOCUMENTS)


def test_a_failed_index_leaves_the_old_one(opened: Opening, server: dict[str, Any]) -> None:
    engine = opened(**server)
    with pytest.raises(EngineError, match=r"got a document twice: Key \(id\)=\(a\) is duplicated"):
        engine.index([*DOCUMENTS, DOCUMENTS[0]])
    assert engine.count() == 3
    assert names(engine, "tea") == ["c"]


def test_a_table_of_somebody_else_is_left_alone(opened: Opening, postgres_server: dict[str, Any]) -> None:
    with psycopg.connect(postgres_server["dsn"], autocommit=True) as connection:
        connection.execute(f"CREATE TABLE {postgres_server['table']} (id text)")
    with pytest.raises(EngineError, match=r"that Cranfield did not make\. Choose another name, or drop it yourself"):
        opened(**postgres_server).index(DOCUMENTS)


def test_names_of_tables_are_names_only(opened: Opening, postgres_server: dict[str, Any]) -> None:
    table = f'{postgres_server["table"]}"; DROP TABLE x; --'
    engine = opened(dsn=postgres_server["dsn"], table=table)
    engine.index(DOCUMENTS)
    assert engine.count() == 3
    with psycopg.connect(postgres_server["dsn"], autocommit=True) as connection:
        connection.execute(psycopg.sql.SQL("DROP TABLE {}").format(psycopg.sql.Identifier(table)))


def test_a_document_that_is_too_long(opened: Opening, postgres_server: dict[str, Any]) -> None:
    long = " ".join(f"word{number}" for number in range(200_000))
    with pytest.raises(EngineError, match="cannot take a document of this length: string is too long for tsvector"):
        opened(**postgres_server).index([Document("d", {"text": long})])


def test_a_query_that_takes_too_long(opened: Opening, server: dict[str, Any]) -> None:
    engine = opened(**server, timeout=0.2)
    with psycopg.connect(server["dsn"]) as connection:
        connection.execute(f"LOCK TABLE {server['table']}")
        with pytest.raises(EngineError, match=r"took more than 0\.2 seconds to answer\. timeout says how long to wait"):
            engine.search("soup", 10)
    assert names(engine, "soup") == ["a"]


def test_a_connection_that_was_cut_is_not_used_again(opened: Opening, server: dict[str, Any]) -> None:
    engine = opened(**server)
    engine.search("soup", 10)
    with psycopg.connect(server["dsn"], autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE application_name = 'cranfield' AND query LIKE %s",
            [f"%{server['table']}%"],
        )
    assert names(engine, "soup") == ["a"]


def test_a_server_that_went_away_is_waited_for(
    opened: Opening, server: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    monkeypatch.setattr(postgres, "time", clock)
    engine = opened(**server, retries=2)
    engine.count()
    engine.close()
    engine._dsn = f"postgresql://cranfield@127.0.0.1:{closed_port()}/papers"
    with pytest.raises(EngineError, match="cannot be reached"):
        engine.count()
    assert len(clock.pauses) == 2


def test_a_table_that_is_not_there(opened: Opening, postgres_server: dict[str, Any]) -> None:
    with pytest.raises(EngineError, match=r"has no table test_\w+. Index documents first"):
        opened(**postgres_server).search("soup", 10)


def test_a_server_that_is_down() -> None:
    port = closed_port()
    with pytest.raises(EngineError) as raised:
        PostgresEngine(dsn=f"postgresql://cranfield@127.0.0.1:{port}/papers").search("soup", 10)
    said = str(raised.value)
    assert said.startswith(f"postgres at 127.0.0.1:{port}/papers cannot be reached: ")
    assert said.endswith("Is it running, and is the dsn right?")


def test_a_password_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAPERS", f"postgresql://anna:hunter2@127.0.0.1:{closed_port()}/papers")
    with pytest.raises(EngineError) as raised:
        PostgresEngine(dsn={"env": "PAPERS"}).search("soup", 10)
    assert "hunter2" not in str(raised.value)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"dsn": "postgresql://anna:hunter2@127.0.0.1/papers"}, "dsn holds a password: put it in an environment"),
        ({"dsn": "papers = "}, "dsn is no connection string of PostgreSQL"),
        ({"dsn": {"env": "CRANFIELD_NOT_SET"}}, "dsn comes from the environment variable CRANFIELD_NOT_SET"),
        ({"dsn": "dbname=x", "match": "some"}, "match is 'some'"),
        ({"dsn": "dbname=x", "rank": "bm25"}, "rank is 'bm25'"),
        ({"dsn": "dbname=x", "normalization": 64}, "normalization is 64; expected a whole number from 0 to 63"),
        ({"dsn": "dbname=x", "fields": {"title": 2}}, "this engine takes names without weights"),
        ({"dsn": "dbname=x", "timeout": 0}, "timeout is 0"),
    ],
)
def test_impossible_parameters(settings: dict[str, Any], expected: str) -> None:
    with pytest.raises(ParameterError) as raised:
        PostgresEngine(**settings)
    assert expected in str(raised.value)
    assert "hunter2" not in str(raised.value)
