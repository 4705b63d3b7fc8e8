"""Everything that is wrong with a file of judgments, results or preferences, not only the first thing."""

from __future__ import annotations

import os
import re
from typing import Any

from cranfield.data.qrels import Qrels
from cranfield.data.shapes import SHAPES
from cranfield.data.values import shown
from cranfield.errors import CranfieldError, DataError
from cranfield.formats import module, recognise
from cranfield.formats.files import UTF8_BOM, Readable, Source, open_source
from cranfield.formats.guessing import guess_kind
from cranfield.formats.validation.findings import ERROR, WARNING, Findings, Validation
from cranfield.formats.validation.qrels import PreferencesExamination, QrelsExamination
from cranfield.formats.validation.run import RunExamination
from cranfield.formats.validation.text import examine_text
from cranfield.formats.validation.topics import examine_topics


def validate(
    what: Readable, *, kind: str = "auto", format: str | None = None, qrels: Qrels | None = None
) -> Validation:
    """Read a file to its end and gather what is wrong or odd; with `qrels`, also how a run meets them.

    >>> import io
    >>> report = validate(io.StringIO("q1 Q0 d1 1 0.5 tag\\nq1 Q0 d1 2 0.4 tag\\n"))
    >>> [(finding.severity, finding.kind, finding.places) for finding in report.findings]
    [('error', 'duplicate', (2,))]
    """
    findings = Findings()
    try:
        with open_source(what) as source:
            if source.stream.peek(len(UTF8_BOM)).startswith(UTF8_BOM):  # type: ignore[attr-defined]
                findings.add(WARNING, "bom", 1, [1])
            source.head()
            kind = guess_kind(source).kind if kind == "auto" else kind
            chosen = module(format, kind) if format else recognise(kind, source)
            findings.unit = getattr(chosen, "UNIT", "line")
            if isinstance(what, (str, os.PathLike)) and os.path.isfile(what):  # a pipe can be read once only
                findings.document_at = lambda place: _document_at(place, what, kind, chosen.NAME)
            return _examine(source, kind, chosen, qrels, findings)
    except DataError as error:
        return unusable(what, error, kind=kind, format=format, findings=findings)


def unusable(
    what: Readable,
    error: CranfieldError,
    *,
    kind: str = "auto",
    format: str | None = None,
    findings: Findings | None = None,
) -> Validation:
    """The report on a file of which no record can be read, or that cannot be opened at all."""
    findings = findings or Findings()
    name = str(getattr(what, "name", what))
    findings.add(ERROR, "file", 1, (), _without_name(error, name))
    return Validation(name, kind, format or "unknown", "line", 0, 0, findings.result())


def _document_at(place: int, what: Readable, kind: str, format: str) -> str | None:
    """The document at a place. Documents are not kept while a file is examined, so it is read again up to there."""
    try:
        with open_source(what) as source:
            source.head()
            for piece in module(format, kind).iter_records(source, SHAPES[kind], lambda *problem: None):
                rows = (piece.place == place).nonzero()[0]
                if len(rows):
                    return shown(piece.columns.ids["doc_id"][int(rows[0])])
    except CranfieldError:
        pass  # it has changed since
    return None


def _examine(source: Source, kind: str, chosen: Any, qrels: Qrels | None, findings: Findings) -> Validation:
    examination: RunExamination | QrelsExamination | PreferencesExamination
    if kind == "run":
        examination = RunExamination(keep_top=qrels is not None)
    elif kind == "qrels":
        examination = QrelsExamination()
    else:
        examination = PreferencesExamination()
    records = 0
    try:
        for piece in chosen.iter_records(source, SHAPES[kind], findings.problem):
            if piece.block is not None:
                examine_text(piece.block, findings)
            if len(piece.place):
                examination.add(piece, findings)
                records += len(piece.place)
        if not records:
            findings.add(ERROR, "file", 1, (), "there are no records in it that can be read")
    except DataError as error:
        findings.add(ERROR, "file", 1, (), _without_name(error, source.name))
    facts = examination.finish(findings)
    if qrels is not None and isinstance(examination, RunExamination):
        facts.update(examine_topics(examination.top(), qrels, findings))
    queries = len(examination.codes.code)
    return Validation(source.name, kind, chosen.NAME, findings.unit, records, queries, findings.result(), facts)


def _without_name(error: CranfieldError, name: str) -> str:
    """The message as it reads under a heading that has the name already."""
    found = re.match(rf"{re.escape(name)}:(\d+)?:? ", str(error))
    if found is None:
        return str(error)
    return ("" if found[1] is None else f"line {found[1]}: ") + str(error)[found.end() :]
