"""Judgments and runs in every shape that ir_measures takes: files, tuples with names, dicts of dicts, DataFrames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from types import GeneratorType
from typing import Any

from cranfield.compat.ir_measures.failures import UnsupportedError
from cranfield.compat.ir_measures.reading import QrelsReader, RunReader, TrecReader
from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.data.values import identifiers, in_row, numbers

_QREL = ("query_id", "doc_id", "relevance")
_SCORED = ("query_id", "doc_id", "score")


def as_qrels(qrels: Any) -> Qrels:
    """Judgments from whatever holds them."""
    if isinstance(qrels, Qrels):
        return qrels
    if isinstance(qrels, QrelsReader) and not qrels.begun:
        from cranfield.formats import read_qrels

        return Qrels.from_dict({}) if qrels.is_empty() else read_qrels(qrels.source(), format="trec", name="qrels")
    if isinstance(qrels, Mapping):
        return Qrels.from_dict(qrels)
    if is_frame(qrels):
        return Qrels.from_frame(_chosen(qrels, "qrels", _QREL, "iteration"))
    rows = _named_rows(qrels, "qrels", _QREL)
    where = in_row("qrels")
    query, documents, grades = _columns(rows, _QREL)
    iteration = identifiers(_columns(rows, ("iteration",))[0], "iteration", where) if _have(rows, "iteration") else None
    return Qrels(
        identifiers(query, "query", where),
        identifiers(documents, "document", where),
        numbers(grades, "grade", where),
        iteration,
    ).checked(unit="row")


def as_run(run: Any) -> Run:
    """A run, in memory, from whatever holds it."""
    if isinstance(run, Run):
        return run
    if isinstance(run, RunReader) and not run.begun:
        from cranfield.formats import read_run

        return Run.from_dict({}) if run.is_empty() else read_run(run.source(), format="trec")
    if isinstance(run, Mapping):
        return Run.from_dict(run)
    if is_frame(run):
        return Run.from_frame(_chosen(run, "run", _SCORED))
    rows = _named_rows(run, "run", _SCORED)
    where = in_row("run")
    query, documents, scores = _columns(rows, _SCORED)
    return Run(
        identifiers(query, "query", where), identifiers(documents, "document", where), numbers(scores, "score", where)
    ).checked(unit="row")


def as_dicts(run: Any) -> Mapping[Any, Mapping[Any, Any]] | None:
    """A run as `{query: {document: score}}` where it is that or tuples with names, each document once; else None.

    >>> from cranfield.compat.ir_measures import ScoredDoc
    >>> as_dicts([ScoredDoc("q1", "a", 2.0), ScoredDoc("q2", "b", 1.0)])
    {'q1': {'a': 2.0}, 'q2': {'b': 1.0}}
    """
    if isinstance(run, Mapping):
        return run
    if not isinstance(run, (list, tuple)) or not all(hasattr(row, "_fields") for row in run[:1]):
        return None
    dicts: dict[Any, dict[Any, Any]] = {}
    try:
        for query, rows in groupby(run, attrgetter("query_id")):
            dicts.setdefault(query, {}).update(map(attrgetter("doc_id", "score"), rows))
    except (AttributeError, TypeError):
        return None
    return dicts if sum(map(len, dicts.values())) == len(run) else None


def is_frame(table: Any) -> bool:
    """Whether it is a DataFrame: of pandas, or another that has columns and knows Arrow."""
    return hasattr(table, "itertuples") or (hasattr(table, "columns") and hasattr(table, "__arrow_c_stream__"))


def repeatable(rows: Any) -> Any:
    """The same judgments or run, in a shape that can be gone through more than once."""
    once = hasattr(rows, "__next__") and not (isinstance(rows, TrecReader) and not rows.begun)
    return list(rows) if once else rows


def _chosen(frame: Any, kind: str, needed: Sequence[str], *also: str) -> Any:
    """The columns of a DataFrame that say something here."""
    import narwhals as nw

    table = nw.from_native(frame)
    missing = [name for name in needed if name not in table.columns]
    if missing:
        raise UnsupportedError(
            f"{kind}: the DataFrame has no column {', '.join(missing)}; it has {', '.join(map(str, table.columns))}"
        )
    return table.select([*needed, *(name for name in also if name in table.columns)]).to_native()


def _named_rows(rows: Any, kind: str, needed: Sequence[str]) -> list[Any]:
    if isinstance(rows, (str, bytes)) or not isinstance(rows, Iterable):
        path = f"; a file is read by read_trec_{kind}({rows!r:.60})" if isinstance(rows, str) else ""
        raise UnsupportedError(
            f"{kind}: expected tuples with the names {', '.join(needed)}, a dict of dicts or a DataFrame, "
            f"found {type(rows).__name__}{path}"
        )
    if isinstance(rows, GeneratorType) and rows.gi_frame is None:
        raise UnsupportedError(f"{kind}: this generator is used up; make a list of it to use it more than once")
    found = list(rows)
    if not found:
        return found
    fields = getattr(found[0], "_fields", None)
    if fields is None:
        raise UnsupportedError(
            f"{kind}: expected tuples with the names {', '.join(needed)}, such as "
            f"{'Qrel' if kind == 'qrels' else 'ScoredDoc'}, found {type(found[0]).__name__} {found[0]!r:.60}"
        )
    missing = [name for name in needed if name not in fields]
    if missing:
        raise UnsupportedError(f"{kind}: the tuples have no {', '.join(missing)}; they have {', '.join(fields)}")
    return found


def _columns(rows: list[Any], names: Sequence[str]) -> list[list[Any]]:
    return [list(map(attrgetter(name), rows)) for name in names]


def _have(rows: list[Any], name: str) -> bool:
    return bool(rows) and name in rows[0]._fields
