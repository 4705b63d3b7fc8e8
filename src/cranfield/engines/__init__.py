"""Search engines behind one small protocol: index, search, count, size on disk, close."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from cranfield.engines.engine import Engine, Hits
from cranfield.engines.parameters import check_names
from cranfield.errors import UsageError, did_you_mean

ENGINES = {
    "tantivy": ("tantivy_index", "TantivyEngine", "embedded, BM25 (default)"),
    "bm25": ("bm25", "Bm25Engine", "sparse matrices of our own, for studies of parameters"),
    "sqlite": ("sqlite", "SqliteEngine", "full-text search in SQLite (FTS5)"),
    "dense": ("dense", "DenseEngine", "vectors of any model, searched exactly"),
    "hybrid": ("hybrid", "HybridEngine", "several of these, fused"),
    "opensearch": ("opensearch", "OpenSearchEngine", "OpenSearch over HTTP"),
    "elasticsearch": ("opensearch", "ElasticsearchEngine", "Elasticsearch over HTTP"),
    "solr": ("solr", "SolrEngine", "Apache Solr over HTTP"),
    "postgres": ("postgres", "PostgresEngine", "full-text search in PostgreSQL"),
    "http": ("http_endpoint", "HttpEngine", "any endpoint that answers in JSON"),
    "command": ("command", "CommandEngine", "a program that reads topics and writes a run"),
    "python": ("python_function", "PythonEngine", "a function of yours"),
}
"""For each engine its module, its class, and what it is."""


def engine_class(kind: str) -> type[Engine]:
    """The class of an engine.

    >>> engine_class("tantvy")
    Traceback (most recent call last):
    ...
    cranfield.errors.UsageError: unknown engine 'tantvy'. Did you mean tantivy? There are: tantivy, bm25, ...
    """
    if kind not in ENGINES:
        raise UsageError(f"unknown engine {kind!r}{did_you_mean(kind, ENGINES)} There are: {', '.join(ENGINES)}")
    module, name, _ = ENGINES[kind]
    found: type[Engine] = getattr(importlib.import_module(f"cranfield.engines.{module}"), name)
    return found


def make_engine(kind: str, settings: Mapping[str, Any], *, folder: str | Path | None = None) -> Engine:
    """An engine with its parameters; one that keeps its index in files is given the folder.

    >>> make_engine("bm25", {"k": 1.2}, folder="index")
    Traceback (most recent call last):
    ...
    cranfield.errors.ParameterError: the engine bm25 has no parameter 'k'. Did you mean k1? There are: k1, b, ...
    """
    found = engine_class(kind)
    check_names(found, settings)
    make: Callable[..., Engine] = found
    if not found.embedded:
        return make(**settings)
    if folder is None:
        raise UsageError(f"the engine {kind} keeps its index in a folder: name one")
    return make(folder, **settings)


__all__ = ["ENGINES", "Engine", "Hits", "engine_class", "make_engine"]
