"""What engines talk to: real servers where there are any, and stand-ins everywhere."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import pytest

from tests.engines.local_server import serving
from tests.engines.services import address
from tests.engines.stand_ins import EndpointStandIn, OpenSearchStandIn, SolrStandIn


@pytest.fixture
def opensearch_server() -> Iterator[dict[str, Any]]:
    """A real OpenSearch, and the name of an index that is gone after the test."""
    import urllib3

    url, index = address("opensearch"), f"test-{uuid.uuid4().hex}"
    yield {"url": url, "index": index}
    urllib3.request("DELETE", f"{url}/{index}", timeout=30)


@pytest.fixture
def postgres_server() -> Iterator[dict[str, Any]]:
    """A real PostgreSQL, and the name of a table that is gone after the test."""
    import psycopg
    from psycopg import sql

    dsn, table = address("postgres"), f"test_{uuid.uuid4().hex}"
    yield {"dsn": dsn, "table": table}
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(sql.SQL("DROP TABLE IF EXISTS {}").format(sql.Identifier(table)))


@pytest.fixture
def opensearch_stand_in() -> Iterator[dict[str, Any]]:
    stand_in = OpenSearchStandIn()
    with serving(stand_in) as url:
        yield {"url": url, "index": "documents", "stand_in": stand_in}


@pytest.fixture
def solr_stand_in() -> Iterator[dict[str, Any]]:
    stand_in = SolrStandIn()
    with serving(stand_in) as url:
        yield {"url": f"{url}/solr/documents", "stand_in": stand_in}


@pytest.fixture
def endpoint_stand_in() -> Iterator[dict[str, Any]]:
    stand_in = EndpointStandIn()
    with serving(stand_in) as url:
        yield {"url": url, "stand_in": stand_in}
