"""Queries and events straight from a server: a stand-in, and a real one where it runs."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cranfield.errors import DataError, EngineError
from cranfield.logs.importing import Ways, import_files
from cranfield.logs.opensearch import import_from_opensearch
from tests.engines.local_server import Answer, Request, serving
from tests.engines.services import address
from tests.logs.making import event, query, shown, tables, write

WAYS = Ways(salt="pepper")
QUERIES = [query(f"q{place}", f"soup {place}", place, client_id=f"u{place}") for place in range(7)]
EVENTS = [*shown("q1", ["d1", "d2"], 1), event("click", "q1", "d2", 2, 4)]


class Server(NamedTuple):
    url: str
    indices: tuple[str, str]


class StandIn:
    """Answers scrolling as OpenSearch's documentation has it."""

    def __init__(self, content: dict[str, list[dict[str, Any]]]) -> None:
        self.content = content
        self.open: dict[str, list[dict[str, Any]]] = {}
        self.broken: dict[str, Any] = {}

    def __call__(self, request: Request) -> Answer:
        if request.path == "/_search/scroll" and request.method == "DELETE":
            for name in request.json()["scroll_id"]:
                del self.open[name]
            return Answer({"succeeded": True})
        if request.path == "/_search/scroll":
            name = request.json()["scroll_id"]
        else:
            name = index = request.path.split("/")[1]
            if index not in self.content:
                return Answer(
                    {"error": {"type": "index_not_found_exception", "reason": f"no such index [{index}]"}}, 404
                )
            assert request.parameters["scroll"]
            self.size = request.json()["size"]
            self.open[name] = list(self.content[index])
        page, self.open[name] = self.open[name][: self.size], self.open[name][self.size :]
        hits = {
            "total": {"value": len(self.content[name]), "relation": "eq"},
            "hits": [{"_source": row} for row in page],
        }
        return Answer({"_scroll_id": name, "timed_out": False, "_shards": {"failed": 0}, "hits": hits} | self.broken)


@pytest.fixture
def stand_in() -> Iterator[tuple[StandIn, Server]]:
    made = StandIn({"ubi_queries": QUERIES, "ubi_events": EVENTS})
    with serving(made) as url:
        yield made, Server(url, ("ubi_queries", "ubi_events"))


@pytest.fixture
def real_server() -> Iterator[Server]:
    """A real OpenSearch with two indices, which are gone after the test."""
    import urllib3

    url, name = address("opensearch"), f"test-{uuid.uuid4().hex}"
    indices = (f"{name}-queries", f"{name}-events")
    for index, rows in zip(indices, (QUERIES, EVENTS), strict=True):
        lines = "".join(f'{{"index":{{}}}}\n{json.dumps(row)}\n' for row in rows)
        answer = urllib3.request(
            "POST", f"{url}/{index}/_bulk?refresh=true", body=lines, headers={"content-type": "application/x-ndjson"}
        )
        assert not answer.json()["errors"]
    yield Server(url, indices)
    for index in indices:
        urllib3.request("DELETE", f"{url}/{index}", timeout=30)


@pytest.fixture(params=["real_server", "stand_in"])
def server(request: pytest.FixtureRequest) -> Server:
    found = request.getfixturevalue(request.param)
    return found if isinstance(found, Server) else found[1]


def test_a_server_says_what_a_file_says(tmp_path: Path, server: Server) -> None:
    found = import_from_opensearch(server.url, tmp_path / "log", WAYS, indices=server.indices, page=3)
    assert found.added[0].kept == {"query": 7, "impression": 2, "event": 1}
    assert found.added[0].name.startswith(server.url)
    import_files([write(tmp_path / "file.ndjson", [*QUERIES, *EVENTS])], tmp_path / "file", WAYS)
    assert tables(tmp_path / "log") == tables(tmp_path / "file")


def test_what_the_log_has_counts_once(tmp_path: Path, stand_in: tuple[StandIn, Server]) -> None:
    made, server = stand_in
    import_from_opensearch(server.url, tmp_path / "log", WAYS)
    made.content["ubi_queries"] = [*QUERIES, query("q9", "tea", 90)]
    found = import_from_opensearch(server.url, tmp_path / "log", WAYS)
    assert found.record.rows == {"queries": 8, "impressions": 2, "events": 1}
    assert made.open == {}


def test_a_server_without_ubi_says_so(tmp_path: Path, stand_in: tuple[StandIn, Server]) -> None:
    made, server = stand_in
    with pytest.raises(EngineError, match=r"no such index \[ubi_clicks\]"):
        import_from_opensearch(server.url, tmp_path / "log", WAYS, indices=("ubi_clicks",))
    made.content = {"ubi_queries": [], "ubi_events": []}
    with pytest.raises(DataError, match="ubi_queries and ubi_events are empty"):
        import_from_opensearch(server.url, tmp_path / "log", WAYS)


@pytest.mark.parametrize(
    ("broken", "what"),
    [
        ({"_shards": {"failed": 1}}, "answered without all of its shards"),
        ({"hits": {"total": {"value": 99}, "hits": []}}, "gave 0 of 99 documents"),
        ({"hits": {}}, "'total' is missing"),
    ],
)
def test_half_an_answer_is_none(tmp_path: Path, stand_in: tuple[StandIn, Server], broken: Any, what: str) -> None:
    made, server = stand_in
    made.broken = broken
    with pytest.raises(EngineError, match=what):
        import_from_opensearch(server.url, tmp_path / "log", WAYS)
    assert not (tmp_path / "log" / "log.json").exists()
