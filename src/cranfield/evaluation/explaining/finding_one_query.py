"""Finding one query in judgments and runs: of large files only what concerns it is read."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np

from cranfield.data.frames import as_qrels, as_run
from cranfield.data.preferences import Preferences
from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.data.strings import Numbered, Strings, decode, encode
from cranfield.errors import UsageError, did_you_mean
from cranfield.evaluation.evaluator import Evaluator
from cranfield.evaluation.explaining.one_query import Grade, OneQuery
from cranfield.evaluation.inputs import is_file, source_name
from cranfield.formats import read_preferences, read_qrels, read_run
from cranfield.formats.one_query import of_query, read_query
from cranfield.measures import Measure, parse_one

_LARGE = 4 << 20
"""Judgments in files of more bytes are not read whole."""
_READ: dict[str, Callable[..., Any]] = {"qrels": read_qrels, "run": read_run, "preferences": read_preferences}
_LACKS = {"qrels": "is not judged", "run": "has no documents", "preferences": "has no preferences"}


def one_query(measure: str | Measure, qrels: Any, run: Any, query: Any, options: Mapping[str, Any]) -> OneQuery:
    """One query of judgments and a run in whatever form; `options` are those of `Evaluator`."""
    one, wanted = parse_one(measure), encode(str(query))
    if options.get("ties", "docid") != "docid":
        raise UsageError("--ties (ties=) is about all orders of tied documents, and an explanation about one of them")
    others = {name: value for name, value in options.items() if name != "qrels_format"}
    kind = "preferences" if options.get("relevance") == "prefs" else "qrels"
    small = _bytes_on_disk(qrels) < _LARGE or one.definition.needs == "subtopics"
    judged = _find(kind, qrels, wanted, options.get("qrels_format"), whole=small)
    evaluator = Evaluator(judged, one, **others)
    grades = shown_grades(of_query(judged, wanted), evaluator)
    return OneQuery(_narrowed(evaluator, wanted), _ranking(run, wanted, evaluator), grades, {})


def another_run(one: OneQuery, run: Any) -> OneQuery:
    """The same query of another run."""
    return replace(one, run=_ranking(run, one.query, one.evaluator))


def _ranking(run: Any, query: bytes, evaluator: Evaluator) -> Run:
    """The ranking of the query; an empty one where the run has nothing for it."""
    ranks = {"ranks": True} if evaluator.rules[evaluator.measures[0]].ties == "rank" else {}
    found = _find("run", run, query, evaluator.run_format, whole=False, **ranks)
    if query in found.query_ids:
        ranking: Run = of_query(found, query)
        return ranking
    if evaluator.missing == "error":
        raise _absent(_where("run", run), "run", decode(query), found.queries)
    nothing = Numbered([], np.zeros(0, dtype=np.int32))
    return Run(nothing, Strings.from_list([]), np.zeros(0), name=found.name, tag=found.tag, rank=np.zeros(0))


def _find(kind: str, what: Any, query: bytes, format: str | None, *, whole: bool, **more: bool) -> Any:
    """Judgments or preferences that have the query, or a run: all there are, or those of the query alone."""
    where = _where(kind, what)
    found: Any
    if not is_file(what):
        found = as_qrels(what) if kind == "qrels" else as_run(what) if kind == "run" else what
    elif whole or not _bytes_on_disk(what):
        found = _READ[kind](what, format=format, name=None if kind == "run" else where, **more)
    else:
        found = read_query(kind, what, query, format=format, **more)
    if found is None:
        found = _READ[kind](what, format=format)  # for what it has instead
    if query not in found.query_ids and kind != "run":
        raise _absent(where, kind, decode(query), found.queries)
    return found


def _where(kind: str, what: Any) -> str:
    where = source_name(what, getattr(what, "name", kind))
    return "standard input" if where == "-" else where


def _absent(where: str, kind: str, query: str, known: tuple[str, ...]) -> UsageError:
    hint = did_you_mean(query, known)
    if hint == "." and known:
        hint = f"; there is only {known[0]}" if len(known) == 1 else f"; there are {len(known)}, such as {known[0]}"
    return UsageError(f"{where}: query {query!r} {_LACKS[kind]}{hint}")


def _bytes_on_disk(what: Any) -> int:
    """How large a file is; 0 for what is no file that can be read again."""
    return os.path.getsize(what) if isinstance(what, (str, os.PathLike)) and os.path.isfile(what) else 0


def _narrowed(evaluator: Evaluator, query: bytes) -> Evaluator:
    """The evaluator with the judgments of one query alone."""
    alone = copy(evaluator)
    if alone.subtopics is not None:
        alone.subtopics = alone.subtopics.of_query(query)
        alone.qrels = alone.subtopics.qrels
    else:
        alone.qrels = of_query(alone.qrels, query)
    return alone


def shown_grades(judged: Qrels | Preferences, evaluator: Evaluator) -> dict[bytes, Grade]:
    """What is to be shown as the grade of each judged document."""
    if evaluator.relevance == "qrels" and evaluator.subtopics is None:
        assert isinstance(judged, Qrels)
        return dict(zip(judged.documents.tolist(), judged.grade.tolist(), strict=True))
    by_document: dict[bytes, dict[bytes, float]] = {}
    if isinstance(judged, Preferences):
        rows = zip(judged.documents.tolist(), judged.group.tolist(), judged.level.tolist(), strict=True)
    else:
        names = [judged.iteration_ids[code] for code in judged.iteration_code.tolist()]
        rows = zip(judged.documents.tolist(), names, judged.grade.tolist(), strict=True)
    for document, by, grade in rows:
        by_document.setdefault(document, {})[by] = grade
    return {document: grades_text(grades, evaluator.subtopics is None) for document, grades in by_document.items()}


def grades_text(grades: Mapping[bytes, float], zeros: bool) -> str:
    """Grades by subtopic, assessor or group in one text.

    >>> grades_text({b"a": 1.0, b"b": 2.0, b"c": 0.0}, zeros=False)
    'a:1 b:2'
    """
    shown = [f"{decode(by)}:{grade:g}" for by, grade in grades.items() if zeros or grade > 0]
    return " ".join(shown) or "0"
