"""A search whose run goes to a file: resumable, complete or marked as incomplete, with its provenance beside it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cranfield.data.topics import Topics
from cranfield.engines.engine import Engine
from cranfield.engines.index_record import IndexedCollection
from cranfield.engines.journal import Journal, belongs, journal_file
from cranfield.engines.run_provenance import write_provenance
from cranfield.engines.searching import SearchOutcome, Tell, search
from cranfield.errors import UsageError
from cranfield.evaluation.provenance.beside_run import provenance_file
from cranfield.formats import format_of_name, run_name, write_run


@dataclass(frozen=True)
class SearchRequest:
    """What is searched for, and how."""

    topics: Topics
    k: int = 1000
    fields: Sequence[str] = ()
    manual: bool = False
    """Whether a person had a hand in the queries."""
    collection: IndexedCollection | None = None
    """The documents that are searched, where these are known."""
    system: str | None = None
    """The name of the system, which is the tag of the run; None: the name of the file."""
    configuration: Mapping[str, Any] | None = None
    """All that the system was told, for the record; a search with another one does not go on with this one."""


def search_to_file(
    engine: Engine,
    request: SearchRequest,
    output: str | os.PathLike[str],
    *,
    concurrency: int | None = None,
    resume: bool = False,
    allow_gaps: bool = False,
    tell: Tell | None = None,
    command: str | None = None,
) -> SearchOutcome:
    """Search, and write the run and its provenance.

    What is found is kept in a journal beside the run until that is written, so that whatever ends the search,
    `resume` goes on from there. A run with gaps, topics that failed, is written only with `allow_gaps`; its provenance
    says that it is incomplete, and why. Where no document was found for any topic there is no run.
    """
    name = request.system or (engine.kind if os.fspath(output) == "-" else run_name(output))
    plain = format_of_name("run", output) == "trec"
    described = dict(engine.description())
    if os.fspath(output) == "-":
        outcome = _searched(engine, request, None, concurrency, plain, tell, name)
        if outcome.makes_a_run(allow_gaps=allow_gaps):
            write_run(outcome.run, output, queries=_answered(outcome))
        return outcome
    _refuse_unwritable(Path(output))
    with Journal(journal_file(output), _identity(engine, described, request), resume=resume) as journal:
        outcome = _searched(engine, request, journal, concurrency, plain, tell, name)
        if outcome.makes_a_run(allow_gaps=allow_gaps):
            write_run(outcome.run, output, queries=_answered(outcome))
            record = _provenance(engine, described, request, outcome, concurrency, command)
            write_provenance(output, record)
        if outcome.complete:
            journal.remove()
    return outcome


def forget_another_search(engine: Engine, request: SearchRequest, output: str | os.PathLike[str]) -> None:
    """Remove what a search left behind that did not end, unless this one can go on with it."""
    journal = journal_file(output)
    if journal.is_file() and not belongs(journal, _identity(engine, engine.description(), request)):
        journal.unlink(missing_ok=True)


def _searched(
    engine: Engine,
    request: SearchRequest,
    journal: Journal | None,
    concurrency: int | None,
    plain: bool,
    tell: Tell | None,
    name: str,
) -> SearchOutcome:
    return search(
        engine,
        request.topics,
        k=request.k,
        fields=request.fields,
        concurrency=concurrency,
        journal=journal,
        plain=plain,
        tell=tell,
        name=name,
    )


def _answered(outcome: SearchOutcome) -> list[str]:
    """The topics that have documents, in the order of the topics."""
    there = set(outcome.run.queries)
    return [topic for topic in outcome.topics if topic in there]


def _refuse_unwritable(output: Path) -> None:
    """Say before the search, and not after it, that the run cannot be written."""
    if output.is_dir():
        raise UsageError(f"{output}: this is a directory; give the name of a file")
    if not output.absolute().parent.is_dir():
        raise UsageError(f"{output}: cannot be written: there is no folder {str(output.parent)!r}")


def _identity(engine: Engine, described: Mapping[str, Any], request: SearchRequest) -> dict[str, Any]:
    """What has to be the same for answers to belong to one run."""
    return {
        "engine": engine.kind,
        "parameters": described.get("parameters", {}),
        "collection": request.collection.sha256 if request.collection else None,
        "topics": request.topics.sha256,
        "fields": list(request.fields),
        "k": request.k,
        **_configured(request),
    }


def _configured(request: SearchRequest) -> dict[str, Any]:
    return {} if request.configuration is None else {"configuration": dict(request.configuration)}


def _provenance(
    engine: Engine,
    described: Mapping[str, Any],
    request: SearchRequest,
    outcome: SearchOutcome,
    concurrency: int | None,
    command: str | None,
) -> dict[str, Any]:
    return {
        "system": outcome.run.name,
        "made_by": "search",
        "engine": {"kind": engine.kind, "parameters": described.get("parameters", {})},
        "collection": asdict(request.collection) if request.collection else None,
        "topics": {"name": request.topics.name, "count": len(request.topics), "sha256": request.topics.sha256},
        "query_fields": list(request.fields),
        "queries": "manual" if request.manual else "automatic",
        "k": request.k,
        "concurrency": concurrency or engine.concurrency,
        "complete": outcome.complete,
        "failures": dict(outcome.failures),
        "topics_with_fewer_than_k": outcome.fewer,
        "topics_without_documents": outcome.empty,
        "topics_cut_to_k": outcome.cut,
        "topics_put_in_order": outcome.put_in_order,
        "topics_resumed": outcome.resumed,
        "seconds": outcome.seconds,
        "queries_per_second": outcome.queries_per_second,
        "latency": asdict(outcome.latency) if outcome.latency else None,
        "versions": dict(described.get("versions", {})),
        **_configured(request),
        **({"command": command} if command else {}),
    }


__all__ = ["SearchRequest", "forget_another_search", "journal_file", "provenance_file", "search_to_file"]
