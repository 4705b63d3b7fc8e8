"""Apache Solr."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar, Unpack
from urllib.parse import urlencode

from cranfield.data.documents import Document
from cranfield.engines.engine import Engine, Hits
from cranfield.engines.fields import FieldChoice, Fields
from cranfield.engines.http_client import IMMATERIAL, Connection, HttpClient
from cranfield.engines.parameters import in_words, text, yes_or_no
from cranfield.engines.templates import Template
from cranfield.errors import EngineError

_BATCH_BYTES = 4_000_000
_OPERATORS = re.compile(r'([-+&|!(){}\[\]^"~*?:\\/])')


class SolrEngine(Engine):
    """A core or collection of a Solr server, which has to be there.

    Each document is one text in `text_field`, of all its fields or of those that `fields` lists; fields with weights
    are sent under their own names, which the schema has to know, and searched as `qf`. `parameters` are sent to the
    select handler beside or instead of ours, with `{{query}}` for the words, in which nothing is an operator, and
    `{{raw_query}}` for the query as it is. Documents in a core are deleted by `index` only with `replace`.
    """

    kind: ClassVar[str] = "solr"
    embedded: ClassVar[bool] = False
    free: ClassVar[frozenset[str]] = frozenset({"parameters", "replace", "concurrency", *Connection.__annotations__})

    immaterial: ClassVar[frozenset[str]] = IMMATERIAL | {"replace"}

    @classmethod
    def place(cls, settings: Mapping[str, Any]) -> tuple[Any, ...]:
        """The core or collection."""
        return (str(settings.get("url")).rstrip("/"),)

    def __init__(
        self,
        *,
        url: str,
        fields: FieldChoice = None,
        text_field: str = "text_txt_en",
        parameters: Mapping[str, str | float] | None = None,
        replace: bool = False,
        concurrency: int = 4,
        **connection: Unpack[Connection],
    ) -> None:
        self.concurrency = concurrency
        self._client = HttpClient(self.kind, url, connections=concurrency, **connection)
        self._fields = Fields(fields)
        self._names = list(fields) if isinstance(fields, Mapping) else [text("text_field", text_field)]
        self._replace = yes_or_no("replace", replace)
        self._known_to_be_filled = False
        weighted = fields.items() if isinstance(fields, Mapping) else [(text_field, 1)]
        searched = " ".join(f"{name}^{weight}" for name, weight in weighted)
        asked = {"q": "{{query}}", "defType": "edismax", "q.op": "OR", "qf": searched, **(parameters or {})}
        self._parameters = {
            name: Template(
                f"parameters.{name}", text(f"parameters.{name}", in_words(value)), str, ("query", "raw_query", "k")
            )
            for name, value in asked.items()
        }

    def index(self, documents: Iterable[Document]) -> None:
        """Fill the core; it is committed when all documents are in. Solr may commit by itself before, if told to."""
        there = self.count()
        if there and not self._replace:
            raise self._client.error(
                self._client.path, f"has {there} documents already. replace = true deletes them, or choose another core"
            )
        update = f"{self._client.path}/update"
        try:
            self._client.json("POST", update, json.dumps({"delete": {"query": "*:*"}}))
            sent = 0
            for batch in self._batches(documents):
                self._client.json("POST", update, json.dumps(batch))
                sent += len(batch)
            self._client.json("POST", f"{update}?commit=true&waitSearcher=true", "{}")
        except BaseException:
            with contextlib.suppress(EngineError):
                self._client.request("POST", update, json.dumps({"rollback": {}}))
            raise
        if (found := self.count()) != sent:
            raise self._client.error(
                self._client.path, f"has {found} documents after {sent} were sent. Are identifiers repeated?"
            )

    def _batches(self, documents: Iterable[Document]) -> Iterator[list[dict[str, str]]]:
        batch, size = list[dict[str, str]](), 0
        for document in self._fields.checked(documents):
            texts = self._fields.texts(document)
            batch.append({"id": document.id, **dict(zip(self._names, texts, strict=True))})
            size += sum(map(len, texts))
            if size > _BATCH_BYTES or len(batch) == 1000:
                yield batch
                batch, size = [], 0
        if batch:
            yield batch

    def search(self, query: str, k: int) -> Hits:
        """The best k documents; an answer of only some shards is an error."""
        if not self._known_to_be_filled:
            self._check_filled()
        target = f"{self._client.path}/select"
        plain = _OPERATORS.sub(r"\\\1", query)
        asked = {name: template.fill(query=plain, raw_query=query, k=k) for name, template in self._parameters.items()}
        body = urlencode({**asked, "rows": k, "fl": "id,score", "wt": "json"}, errors="replace")
        answer = self._client.json("POST", target, body, content_type="application/x-www-form-urlencoded")
        try:
            if answer["responseHeader"].get("partialResults"):
                raise self._client.error(target, "answered in part only: it ran out of time, or of shards")
            return [(hit["id"], float(hit["score"])) for hit in answer["response"]["docs"]]
        except (KeyError, TypeError):
            raise self._client.error(
                target, f"answered what is no list of scored documents: {json.dumps(answer):.100}"
            ) from None

    def _check_filled(self) -> None:
        if self.count() == 0:
            raise self._client.error(self._client.path, "has no documents. Index them first")
        self._known_to_be_filled = True

    def count(self) -> int:
        """How many documents are in the core."""
        answer = self._client.json("GET", f"{self._client.path}/select?q=*:*&rows=0&wt=json")
        return int(answer["response"]["numFound"])

    def size_on_disk(self) -> int | None:
        """The bytes of the index; None for a collection of several cores."""
        answer = self._client.json("GET", f"{self._client.path}/admin/segments?coreInfo=true&wt=json", allowed=(404,))
        segments = answer.get("segments") if isinstance(answer, dict) else None
        return sum(int(segment["sizeInBytes"]) for segment in segments.values()) if segments else None

    def description(self) -> Mapping[str, Any]:
        """The core, what is sent to it, and the versions of Solr and Lucene."""
        system = self._client.json("GET", f"{self._client.path}/admin/system?wt=json")["lucene"]
        return {
            "parameters": {
                "url": self._client.where(self._client.path),
                **self._client.description(),
                **{name: template.text for name, template in self._parameters.items()},
            },
            "versions": {"solr": system["solr-spec-version"], "lucene": system["lucene-spec-version"]},
        }

    def close(self) -> None:
        """Let go of the connections; the core stays."""
        self._client.close()
