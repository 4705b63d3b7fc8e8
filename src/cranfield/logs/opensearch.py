"""Queries and events straight from a server: the indices `ubi_queries` and `ubi_events` of OpenSearch's plugin."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Unpack
from urllib.parse import quote

from cranfield.engines.http_client import Connection, HttpClient
from cranfield.errors import DataError, EngineError
from cranfield.formats.files import progress_within
from cranfield.logs.importing import Imported, import_files
from cranfield.logs.settling import Rules
from cranfield.logs.staging.reading import Ways

INDICES = ("ubi_queries", "ubi_events")
_PAGE = 5000
_KEPT = "5m"


def import_from_opensearch(
    url: str,
    log: str | os.PathLike[str],
    ways: Ways,
    rules: Rules | None = None,
    *,
    indices: tuple[str, ...] = INDICES,
    page: int = _PAGE,
    **connection: Unpack[Connection],
) -> Imported:
    """Add what a server has to a log.

    All of it is fetched into a file first, by scrolling, which OpenSearch and Elasticsearch of all versions know. What
    the log has already counts once.
    """
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.closing(HttpClient("opensearch", url, connections=1, **connection)) as client,
    ):
        file = Path(folder) / "ubi.ndjson"
        with open(file, "wb") as out:
            for index in indices:
                for row in _documents(client, index, page):
                    out.write(json.dumps(row, ensure_ascii=False).encode(errors="replace") + b"\n")
        if not file.stat().st_size:
            raise DataError(f"{url}: {' and '.join(indices)} are empty: has anyone searched with UBI switched on?")
        return import_files([file], log, ways, rules, names={str(file): client.where(client.path)})


def _documents(client: HttpClient, index: str, page: int) -> Iterator[dict[str, Any]]:
    """All documents of an index; where the index does not exist, an error says so."""
    path = f"{client.path}/{quote(index, safe='')}/_search?scroll={_KEPT}"
    body = json.dumps({"size": page, "sort": ["_doc"], "track_total_hits": True})
    answer = client.json("POST", path, body, repeatable=False)
    tell, got, scroll = progress_within(0.0, 1.0), 0, None
    try:
        while True:
            scroll, hits, total = _page(client, path, answer)
            if not hits:
                break
            got += len(hits)
            if tell is not None:
                tell(f"fetching {index}", got / max(total, got))
            yield from (hit["_source"] for hit in hits)
            following = json.dumps({"scroll": _KEPT, "scroll_id": scroll})
            # A page that was asked for is gone: asked again, the server would give the one after it.
            answer = client.json("POST", f"{client.path}/_search/scroll", following, repeatable=False)
        if got != total:
            raise client.error(path, f"gave {got} of {total} documents: try again")
    finally:
        if scroll is not None:
            with contextlib.suppress(EngineError):
                client.request("DELETE", f"{client.path}/_search/scroll", json.dumps({"scroll_id": [scroll]}))


def _page(client: HttpClient, path: str, answer: Any) -> tuple[str, list[dict[str, Any]], int]:
    try:
        if answer["timed_out"] or answer["_shards"]["failed"]:
            raise client.error(path, "answered without all of its shards: try again when it is well")
        total = answer["hits"]["total"]
        return answer["_scroll_id"], answer["hits"]["hits"], total["value"] if isinstance(total, dict) else total
    except (KeyError, TypeError) as error:
        raise client.error(path, f"answered what is no page of a search: {error} is missing") from None
