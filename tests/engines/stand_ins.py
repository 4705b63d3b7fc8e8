"""Stand-ins for OpenSearch, Solr and a JSON endpoint: not the servers, but strict about what these would refuse.

They keep to the requests and answers that the servers document, so that the adapters can be tested where no server is.
"""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import parse_qsl

from tests.engines.local_server import Answer, Request
from tests.engines.word_index import WordIndex, text_of


class OpenSearchStandIn:
    """As in the REST reference of OpenSearch 2.19: create and delete an index, _mapping, _bulk, _count, _search."""

    def __init__(self) -> None:
        self.indexes: dict[str, dict[str, Any]] = {}
        self.asked: list[Request] = []

    def __call__(self, request: Request) -> Answer:
        self.asked.append(request)
        name, _, action = request.path.strip("/").partition("/")
        if not name:
            return Answer({"version": {"distribution": "opensearch", "number": "0.0.0", "lucene_version": "0.0.0"}})
        if request.method == "PUT" and not action:
            return self._create(name, request.json())
        if name not in self.indexes:
            reason = {"type": "index_not_found_exception", "reason": f"no such index [{name}]"}
            return Answer({"error": {"root_cause": [reason], **reason}, "status": 404}, 404)
        index = self.indexes[name]
        if request.method == "DELETE":
            del self.indexes[name]
            return Answer({"acknowledged": True})
        if action == "_bulk":
            return self._bulk(index, request)
        if action == "_search":
            return self._search(index, request)
        return Answer(
            {
                "_mapping": {name: {"mappings": index["mappings"]}},
                "_refresh": {},
                "_flush": {},
                "_count": {"count": len(index["searchable"])},
                "_stats/store": {"_all": {"primaries": {"store": {"size_in_bytes": 1000}}}},
            }[action]
        )

    def _create(self, name: str, body: dict[str, Any]) -> Answer:
        if name in self.indexes:
            return Answer({"error": {"reason": f"index [{name}] already exists"}}, 400)
        self.indexes[name] = {"mappings": body["mappings"], "searchable": WordIndex(), "sources": {}}
        return Answer({"acknowledged": True, "index": name})

    def _bulk(self, index: dict[str, Any], request: Request) -> Answer:
        if request.headers["content-type"] != "application/x-ndjson" or not request.body.endswith(b"\n"):
            return Answer({"error": "The bulk request must be terminated by a newline [\\n]"}, 400)
        lines = [json.loads(line) for line in request.body.splitlines()]
        items = []
        for action, source in zip(lines[::2], lines[1::2], strict=True):
            name = action["index"]["_id"]
            known = index["mappings"].get("properties", {})
            unknown = [field for field in source if field not in known]
            if index["mappings"].get("dynamic") == "strict" and unknown:
                how = f"mapping set to strict, dynamic introduction of [{unknown[0]}] within [_doc] is not allowed"
                error = {"type": "strict_dynamic_mapping_exception", "reason": how}
                items.append({"index": {"_id": name, "status": 400, "error": error}})
                continue
            index["sources"][name] = source
            index["searchable"][name] = source.get("all_texts", text_of(source))
            items.append({"index": {"_id": name, "status": 201}})
        return Answer({"errors": any("error" in item["index"] for item in items), "items": items})

    def _search(self, index: dict[str, Any], request: Request) -> Answer:
        body = request.json()
        (clause,) = body["query"].values()
        query = clause["query"] if "query" in clause else next(iter(clause.values()))
        hits = [{"_id": name, "_score": score} for name, score in index["searchable"].search(query, body["size"])]
        # What filter_path leaves of no hits is nothing.
        return Answer({"timed_out": False, "_shards": {"failed": 0}, **({"hits": {"hits": hits}} if hits else {})})


class SolrStandIn:
    """As in the reference guide of Solr 9: /update in JSON, /select with parameters in a form, /admin of a core."""

    def __init__(self) -> None:
        self.committed = WordIndex()
        self.pending = WordIndex()
        self.asked: list[Request] = []

    def __call__(self, request: Request) -> Answer:
        self.asked.append(request)
        core, _, action = request.path.removeprefix("/solr/").partition("/")
        if core != "documents":
            return Answer(b"<html><head><title>Error 404 Not Found</title></head></html>", 404)
        if action == "update":
            return self._update(request)
        if action == "select":
            return self._select(request)
        return Answer(
            {
                "admin/segments": {"segments": {"_0": {"sizeInBytes": 1000}}},
                "admin/system": {"lucene": {"solr-spec-version": "0.0.0", "lucene-spec-version": "0.0.0"}},
            }[action]
        )

    def _update(self, request: Request) -> Answer:
        commands = request.json()
        if isinstance(commands, list):
            for document in commands:
                if "id" not in document:
                    return Answer({"error": {"msg": "Document is missing mandatory uniqueKey field: id"}}, 400)
                self.pending[document["id"]] = text_of({name: text for name, text in document.items() if name != "id"})
        elif "delete" in commands:
            self.pending = WordIndex()
        elif "rollback" in commands:
            self.pending = WordIndex(self.committed)
        if request.parameters.get("commit") == "true":
            self.committed = WordIndex(self.pending)
        return Answer({"responseHeader": {"status": 0}})

    def _select(self, request: Request) -> Answer:
        form = dict(parse_qsl(request.body.decode(), keep_blank_values=True)) | request.parameters
        if form["q"] == "*:*":
            return Answer({"responseHeader": {"status": 0}, "response": {"numFound": len(self.committed), "docs": []}})
        plain = re.sub(r"\\(.)", r"\1", form["q"])
        hits = self.committed.search(plain, int(form["rows"]))
        found = [{"id": name, "score": score} for name, score in hits]
        return Answer({"responseHeader": {"status": 0}, "response": {"numFound": len(found), "docs": found}})


class EndpointStandIn:
    """A service of somebody's own: GET /search?q=...&n=..., with a list of what was found."""

    def __init__(self) -> None:
        self.documents = WordIndex()

    def __call__(self, request: Request) -> Answer:
        hits = self.documents.search(request.parameters.get("q", ""), int(request.parameters["n"]))
        return Answer({"results": [{"doc": {"id": name}, "relevance": score} for name, score in hits]})
