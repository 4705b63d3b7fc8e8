"""OpenSearch and Elasticsearch, by what their HTTP interfaces have in common."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Unpack
from urllib.parse import quote

from cranfield.data.documents import Document
from cranfield.engines.engine import Engine, Hits
from cranfield.engines.fields import FieldChoice, Fields
from cranfield.engines.http_client import IMMATERIAL, Connection, HttpClient
from cranfield.engines.parameters import text
from cranfield.engines.templates import json_template, table_of
from cranfield.errors import EngineError, ParameterError

MOST_HITS = 10_000
"""What `index.max_result_window` allows unless someone changed it."""
_BATCH_BYTES = 4_000_000
_ONLY = "filter_path=hits.hits._id,hits.hits._score,timed_out,_shards.failed,_shards.failures.reason.reason"
"""The parts of an answer that are needed; with the rest it is several times as long."""
_OURS = {"made_by": "cranfield"}
_ALL_TEXTS = "all_texts"
_JSON = json.JSONEncoder(ensure_ascii=False, default=str)


class OpenSearchEngine(Engine):
    """An index of an OpenSearch or Elasticsearch server.

    A document is sent with its fields as they are, and once more as one text (`all_texts`: of every field, or of those
    that `fields` lists), which is searched, so that all engines search the same. With weights fields are searched by
    themselves, by `multi_match`. `query` is what is sent to `_search` instead, with `{{query}}` where the words belong:
    a whole body, or only the query in it.

    An index is made with one shard, so that the statistics of terms are those of the collection; `settings` gives it
    others. Only an index that Cranfield made is replaced.
    """

    kind: ClassVar[str] = "opensearch"
    embedded: ClassVar[bool] = False
    free: ClassVar[frozenset[str]] = frozenset({"query", "concurrency", *Connection.__annotations__})

    immaterial: ClassVar[frozenset[str]] = IMMATERIAL

    @classmethod
    def place(cls, settings: Mapping[str, Any]) -> tuple[Any, ...]:
        """The index of the server."""
        return str(settings.get("url")).rstrip("/"), settings.get("index")

    def __init__(
        self,
        *,
        url: str,
        index: str,
        query: str | Mapping[str, Any] | None = None,
        fields: FieldChoice = None,
        language: str = "english",
        settings: Mapping[str, Any] | None = None,
        concurrency: int = 4,
        **connection: Unpack[Connection],
    ) -> None:
        self.concurrency = concurrency
        self._client = HttpClient(self.kind, url, connections=concurrency, **connection)
        self.index_name = text("index", index)
        self._path = f"{self._client.path}/{quote(index, safe='')}"
        self._fields = Fields(fields)
        self._query = _whole_body(_by_fields(fields) if query is None else query)
        self._body = json_template("query", self._query)
        self._as_one_text = not isinstance(fields, Mapping)
        self._needs_all_texts = query is None and self._as_one_text
        self._settings = settings or _settings(text("language", language))

    def index(self, documents: Iterable[Document]) -> None:
        """Make the index anew; what goes wrong on the way leaves none behind."""
        self._remove_ours()
        made = {**self._settings, "mappings": {**self._settings.get("mappings", {}), "_meta": _OURS}}
        self._client.json("PUT", self._path, json.dumps(made), repeatable=False)
        try:
            sent = sum(self._send(batch) for batch in self._batches(documents))
            self._client.request("POST", f"{self._path}/_refresh")
            self._client.request("POST", f"{self._path}/_flush")
            if (there := self.count()) != sent:
                raise self._client.error(
                    self._path, f"has {there} documents after {sent} were sent. Are identifiers repeated?"
                )
        except BaseException:
            with contextlib.suppress(EngineError):
                self._client.request("DELETE", self._path, allowed=(404,))
            raise

    def _remove_ours(self) -> None:
        there = self._client.json("GET", f"{self._path}/_mapping", allowed=(404,))
        if "error" in there:
            return
        if not _is_ours(there):
            raise self._client.error(
                self._path, "is an index that Cranfield did not make. Choose another name, or delete it yourself"
            )
        self._client.request("DELETE", self._path, allowed=(404,))

    def _batches(self, documents: Iterable[Document]) -> Iterator[list[tuple[str, str]]]:
        """Pairs of lines for `_bulk`, some megabytes at a time."""
        batch, size = list[tuple[str, str]](), 0
        for document in self._fields.checked(documents):
            fields = dict(document.fields)
            if self._as_one_text:
                (fields[_ALL_TEXTS],) = self._fields.texts(document)
            pair = f'{{"index":{{"_id":{json.dumps(document.id)}}}}}\n', f"{_JSON.encode(fields)}\n"
            batch.append(pair)
            size += len(pair[0]) + len(pair[1])
            if size > _BATCH_BYTES:
                yield batch
                batch, size = [], 0
        if batch:
            yield batch

    def _send(self, batch: Sequence[tuple[str, str]]) -> int:
        lines = "".join(line for pair in batch for line in pair).encode("utf-8", "replace")
        target = f"{self._path}/_bulk"
        answer = self._client.json("POST", target, lines, content_type="application/x-ndjson")
        if answer.get("errors"):
            refused = [item["index"] for item in answer["items"] if "error" in item["index"]]
            first = "; ".join(f"{one['_id']}: {_why(one['error'])}" for one in refused[:3])
            more = f"; and {len(refused) - 3} more" if len(refused) > 3 else ""
            raise self._client.error(target, f"refused {len(refused)} of {len(batch)} documents: {first}{more}")
        return len(batch)

    def search(self, query: str, k: int) -> Hits:
        """The best k documents; an answer without all shards is an error."""
        if k > MOST_HITS:
            raise ParameterError(f"k is {k}; OpenSearch and Elasticsearch give {MOST_HITS} hits at most")
        if self._needs_all_texts:
            self._check_all_texts()
        target = f"{self._path}/_search?{_ONLY}"
        answer = self._client.json("POST", target, self._body.fill(query=query, k=k))
        try:
            shards = answer["_shards"]
            if answer["timed_out"] or shards["failed"]:
                causes = {failure["reason"]["reason"] for failure in shards.get("failures", ())}
                why = "; ".join(sorted(causes)) or "it ran out of time"
                raise self._client.error(target, f"answered without all of its shards: {why}")
            hits = answer["hits"]["hits"] if "hits" in answer else []
            return [(hit["_id"], float(hit["_score"])) for hit in hits]
        except (KeyError, TypeError):
            raise self._client.error(
                target, f"answered what is no list of scored hits: {json.dumps(answer):.100}"
            ) from None

    def _check_all_texts(self) -> None:
        if not _is_ours(self._client.json("GET", f"{self._path}/_mapping")):
            raise self._client.error(
                self._path,
                "is an index that Cranfield did not make: say with weights of fields, or with query, what is searched",
            )
        self._needs_all_texts = False

    def count(self) -> int:
        """How many documents are in the index."""
        return int(self._client.json("GET", f"{self._path}/_count")["count"])

    def size_on_disk(self) -> int:
        """The bytes of the primary shards."""
        answer = self._client.json("GET", f"{self._path}/_stats/store")
        return int(answer["_all"]["primaries"]["store"]["size_in_bytes"])

    def description(self) -> Mapping[str, Any]:
        """The index and the query, and the versions of the server and of Lucene."""
        version = self._client.json("GET", f"{self._client.path}/")["version"]
        server = version.get("distribution", "elasticsearch")
        return {
            "parameters": {
                "url": self._client.where(self._client.path),
                **self._client.description(),
                "index": self.index_name,
                "query": self._query,
            },
            "versions": {server: version["number"], "lucene": version["lucene_version"]},
        }

    def close(self) -> None:
        """Let go of the connections; the index stays."""
        self._client.close()


class ElasticsearchEngine(OpenSearchEngine):
    """The same, under its other name."""

    kind: ClassVar[str] = "elasticsearch"


def _by_fields(fields: FieldChoice) -> Mapping[str, Any]:
    if not isinstance(fields, Mapping):
        return {"match": {_ALL_TEXTS: "{{query}}"}}
    weighted = [f"{name}^{weight}" for name, weight in fields.items()]
    return {"multi_match": {"query": "{{query}}", "fields": weighted, "type": "most_fields"}}


def _whole_body(query: str | Mapping[str, Any]) -> Mapping[str, Any]:
    """The body of a search: k hits without their content, and no count of all that match."""
    if isinstance(query, str):
        query = table_of("query", query)
    body = query if query.keys() & {"query", "retriever"} else {"query": query}
    return {"size": "{{k}}", "_source": False, "track_total_hits": False, **body}


def _is_ours(mapping: Mapping[str, Any]) -> bool:
    return all(found["mappings"].get("_meta") == _OURS for found in mapping.values())


def _settings(language: str) -> dict[str, Any]:
    """One shard, and every text analysed for the language."""
    texts_of_the_language = {"match_mapping_type": "string", "mapping": {"type": "text", "analyzer": language}}
    return {
        "settings": {"index": {"number_of_shards": 1, "number_of_replicas": 0, "mapping.ignore_malformed": True}},
        "mappings": {"date_detection": False, "dynamic_templates": [{"texts": texts_of_the_language}]},
    }


def _why(error: Any) -> str:
    """The innermost reason that the server gives."""
    while isinstance(error, dict) and "caused_by" in error:
        error = error["caused_by"]
    return str(error.get("reason", error) if isinstance(error, dict) else error)
