"""Any endpoint that answers in JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, NoReturn, Unpack
from urllib.parse import parse_qsl, urlsplit

from cranfield.data.documents import Document
from cranfield.engines.engine import Engine, Hits
from cranfield.engines.environment import Given, given_as, sounds_secret, value_of
from cranfield.engines.http_client import IMMATERIAL, Connection, HttpClient
from cranfield.engines.json_path import JsonPath, NotThereError, shape
from cranfield.engines.parameters import choice, in_words, text
from cranfield.engines.templates import Template, json_template, quoted
from cranfield.errors import EngineError, ParameterError


class HttpEngine(Engine):
    """A search service of any kind, which is asked and not indexed.

    The URL and the body have `{{query}}` and `{{k}}` where these belong; `hits` leads to the list of results in the
    answer, `id` and `score` from there to what they are called. Without `score` a document is worth 1/rank.
    """

    kind: ClassVar[str] = "http"
    embedded: ClassVar[bool] = False
    indexes: ClassVar[bool] = False
    immaterial: ClassVar[frozenset[str]] = IMMATERIAL

    def __init__(
        self,
        *,
        url: str,
        method: str | None = None,
        body: str | Mapping[str, Any] | None = None,
        parameters: Mapping[str, Given | float] | None = None,
        hits: str = "$",
        id: str = "id",
        score: str | None = None,
        concurrency: int = 4,
        **connection: Unpack[Connection],
    ) -> None:
        self.concurrency = concurrency
        sent = {name: in_words(value) for name, value in (parameters or {}).items()}
        self._parameters = {name: value_of(f"parameters.{name}", value) for name, value in sent.items()}
        hidden = [quoted(self._parameters[name]) for name, value in sent.items() if not isinstance(value, str)]
        address = text("url", url).partition("?")[0]
        self._client = HttpClient(self.kind, address, connections=concurrency, hidden=hidden, **connection)
        for name, value in (*parse_qsl(urlsplit(url).query), *sent.items()):
            if sounds_secret(name) and isinstance(value, str) and "{{" not in value:
                raise ParameterError(
                    f"{name} in the URL looks like a secret: put it in an environment variable and write "
                    f'parameters = {{{name} = {{env = "NAME"}}}}'
                )
        self._url = url
        self._given = {name: given_as(value) for name, value in sent.items()}
        self._target = Template("url", self._with_parameters(url), quoted)
        self._body = None if body is None else json_template("body", body)
        if "query" not in self._target.places and self._body is None:
            raise ParameterError("neither url nor body has a place for the query: write {{query}} where it belongs")
        self.method = choice("method", method or ("GET" if body is None else "POST"), ("GET", "POST", "PUT"))
        self._hits, self._id = JsonPath("hits", hits), JsonPath("id", id)
        self._score = None if score is None else JsonPath("score", score)

    def _with_parameters(self, url: str) -> str:
        parts = urlsplit(url)
        added = [f"{quoted(name)}={quoted(value)}" for name, value in self._parameters.items()]
        query = "&".join(part for part in (parts.query, *added) if part)
        return (parts.path or "/") + (f"?{query}" if query else "")

    def index(self, documents: Iterable[Document]) -> NoReturn:
        """Refused: only its owner knows how."""
        raise EngineError("an http engine is only searched: give it its documents by its own means")

    def search(self, query: str, k: int) -> Hits:
        """The hits in the answer, in its order."""
        target = self._target.fill(query=query, k=k)
        body = None if self._body is None else self._body.fill(query=query, k=k)
        answer = self._client.json(self.method, target, body)
        try:
            return self._read(answer)
        except (NotThereError, ValueError) as problem:
            raise self._client.error(target, f"answered what {problem}") from None

    def _read(self, answer: Any) -> Hits:
        found = self._hits.find(answer)
        if not self._hits.many:
            (found,) = found
        if not isinstance(found, list):
            raise ValueError(f"has no list at hits = {self._hits.text!r}, but {shape(found)}")
        ids = [_identifier(self._id.one(hit)) for hit in found]
        if self._score is None:
            return [(document, 1 / rank) for rank, document in enumerate(ids, 1)]
        return list(zip(ids, (_number(self._score.one(hit)) for hit in found), strict=True))

    def count(self) -> int | None:
        """Not known."""
        return None

    def description(self) -> Mapping[str, Any]:
        """Where it is, how it is asked and how its answers are read; secrets by the names of their variables."""
        return {
            "parameters": {
                "url": self._url,
                **({"parameters": self._given} if self._given else {}),
                **self._client.description(),
                "method": self.method,
                "body": None if self._body is None else self._body.text,
                "hits": self._hits.text,
                "id": self._id.text,
                "score": "1/rank" if self._score is None else self._score.text,
            }
        }

    def close(self) -> None:
        """Let go of the connections."""
        self._client.close()


def _identifier(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    raise ValueError(f"has {shape(value)} where the identifier of a document is expected")


def _number(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ValueError(f"has {shape(value)} where the score of a document is expected") from None
