"""The engines that the one suite runs over. A new engine is added to ENGINES_UNDER_TEST, and every test runs on it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cranfield.data.documents import Document
from cranfield.engines.bm25 import Bm25Engine
from cranfield.engines.command import CommandEngine
from cranfield.engines.dense import DenseEngine
from cranfield.engines.engine import Engine
from cranfield.engines.http_endpoint import HttpEngine
from cranfield.engines.hybrid import HybridEngine
from cranfield.engines.opensearch import OpenSearchEngine
from cranfield.engines.postgres import PostgresEngine
from cranfield.engines.python_function import PythonEngine
from cranfield.engines.solr import SolrEngine
from cranfield.engines.sqlite import SqliteEngine
from cranfield.engines.tantivy_index import TantivyEngine
from tests.engines.word_index import WordIndex


@dataclass(frozen=True)
class EngineUnderTest:
    """How to get at an engine, and what may be asked of it."""

    name: str
    open: Callable[[Path, Any], Engine]
    """Makes the engine. The folder is the test's own: an engine elsewhere takes its name for the name of an index. The
    second argument is what the fixture gave. To call it again is to come back to what is there."""
    fixture: str | None = None
    """The fixture of tests/engines/conftest.py that starts what the engine talks to, a server or a stand-in, and skips
    the test where it cannot."""
    fill: Callable[[Path, Any, Iterable[Document]], Engine] | None = None
    """Makes the engine with these documents, where it does not index by itself."""
    only_with_words: bool = True
    """Whether it finds only documents that have a word of the query."""


def searching_function(documents: Iterable[Document]) -> Callable[[str, int], list[tuple[str, float]]]:
    """Counts the words of the query in the documents."""
    words = {document.id: document.text().lower().split() for document in documents}

    def search(query: str, k: int) -> list[tuple[str, float]]:
        asked = set(query.lower().split())
        scores = {name: float(sum(word in asked for word in found)) for name, found in words.items()}
        hits = [(name, score) for name, score in scores.items() if score]
        return sorted(hits, key=lambda hit: (hit[1], hit[0]), reverse=True)[:k]

    return search


def letters(texts: list[str]) -> list[list[int]]:
    """An embedding that anyone can work out: how often each letter is there."""
    return [[text.lower().count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts]


def opensearch(folder: Path, server: Any) -> Engine:
    return OpenSearchEngine(url=server["url"], index=server["index"])


def endpoint(folder: Path, server: Any) -> Engine:
    url = f"{server['url']}/search?q={{{{query}}}}&n={{{{k}}}}"
    return HttpEngine(url=url, hits="$.results", id="doc.id", score="relevance")


def filled_endpoint(folder: Path, server: Any, documents: Iterable[Document]) -> Engine:
    server["stand_in"].documents = WordIndex((document.id, document.text()) for document in documents)
    return endpoint(folder, server)


def command(folder: Path, _: Any) -> Engine:
    program = Path(__file__).parent / "searching_program.py"
    arguments = [sys.executable, str(program), str(folder / "documents.json"), "{{k}}"]
    return CommandEngine(program=arguments, missing="empty")


def filled_command(folder: Path, _: Any, documents: Iterable[Document]) -> Engine:
    folder.mkdir(exist_ok=True)
    (folder / "documents.json").write_text(json.dumps({document.id: document.text() for document in documents}))
    return command(folder, _)


ENGINES_UNDER_TEST = [
    EngineUnderTest("tantivy", lambda folder, _: TantivyEngine(folder)),
    EngineUnderTest("tantivy-weights", lambda folder, _: TantivyEngine(folder, fields={"title": 2, "text": 1})),
    EngineUnderTest("bm25", lambda folder, _: Bm25Engine(folder)),
    EngineUnderTest("sqlite", lambda folder, _: SqliteEngine(folder)),
    EngineUnderTest("sqlite-weights", lambda folder, _: SqliteEngine(folder, fields={"title": 2, "text": 1})),
    EngineUnderTest("dense-lsa", lambda folder, _: DenseEngine(folder), only_with_words=False),
    EngineUnderTest("dense-letters", lambda folder, _: DenseEngine(folder, encode=letters), only_with_words=False),
    EngineUnderTest(
        "hybrid",
        lambda folder, _: HybridEngine(folder, parts=[{"engine": "bm25"}, {"engine": "sqlite", "weight": 2}]),
    ),
    EngineUnderTest(
        "hybrid-scores",
        lambda folder, _: HybridEngine(folder, parts=[{"engine": "tantivy"}, {"engine": "dense"}], method="CombSUM"),
        only_with_words=False,
    ),
    EngineUnderTest(
        "python",
        lambda folder, _: PythonEngine(function=searching_function([])),
        fill=lambda folder, _, documents: PythonEngine(function=searching_function(documents)),
    ),
    EngineUnderTest("opensearch", opensearch, fixture="opensearch_server"),
    EngineUnderTest("opensearch-stand-in", opensearch, fixture="opensearch_stand_in"),
    EngineUnderTest(
        "opensearch-weights",
        lambda _, server: OpenSearchEngine(url=server["url"], index=server["index"], fields={"title": 2, "text": 1}),
        fixture="opensearch_server",
    ),
    EngineUnderTest(
        "solr-stand-in", lambda _, server: SolrEngine(url=server["url"], replace=True), fixture="solr_stand_in"
    ),
    EngineUnderTest("postgres", lambda _, server: PostgresEngine(**server), fixture="postgres_server"),
    EngineUnderTest("http", endpoint, fixture="endpoint_stand_in", fill=filled_endpoint),
    EngineUnderTest("command", command, fill=filled_command),
]
