"""What kind of thing a file holds: judgments, a run or preferences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from cranfield.data.shapes import PREFERENCES, QRELS, RUN, folded
from cranfield.errors import DataError
from cranfield.formats import (
    beir,
    comma_separated,
    delimited,
    json_document,
    json_lines,
    label_studio,
    msmarco,
    opensearch_judgments,
    parquet,
    preference_pairs,
    prels,
    strata,
    tab_separated,
    trec_prefs,
    trec_qrels,
    trec_run,
)
from cranfield.formats.files import Source
from cranfield.formats.lines import iter_fields

KINDS = ("qrels", "run", "preferences")
_LINES = {
    "run": (trec_run, msmarco),
    "qrels": (trec_qrels, strata, prels),
    "preferences": (preference_pairs, trec_prefs),
}
_NUMBER = re.compile(rb":\s*(-?\d[\d.eE+-]*)")
_ONLY_RUN = {*RUN["rank"].names, *RUN["tag"].names}
_ONLY_QRELS = {
    name for column in ("relevance", "iteration", "stratum", "probability") for name in QRELS[column].names
} - {"score"}
_ONLY_PREFERENCES = {*PREFERENCES["group"].names, *PREFERENCES["subgroup"].names}


@dataclass(frozen=True, slots=True)
class Guess:
    """The kind, and whether it could also be another."""

    kind: str
    sure: bool = True


def guess_kind(source: Source) -> Guess:
    """Judge by the number of fields on a line, the names of columns, or whether numbers are whole."""
    head = source.head()
    if not head.strip():
        raise DataError(f"{source.name}: the file is empty")
    if any(format.recognise(head) for format in (label_studio, opensearch_judgments)):
        return Guess("qrels")
    names = _column_names(source, head)
    if names is not None:
        return guess_from_names(names)
    if json_document.recognise(head):
        fractions = [number for number in _NUMBER.findall(head) if not number.isdigit()]
        return Guess("run" if fractions else "qrels", sure=False)
    return _guess_from_lines(source.name, head)


def _guess_from_lines(name: str, head: bytes) -> Guess:
    first = next((fields for _, fields in iter_fields(head)), [])
    if len(first) > 4 and first[1] == b"Q0":
        return Guess("run")
    for kind, modules in _LINES.items():
        if any(module.recognise(head) for module in modules):
            return Guess(kind)
    if b"\0" in head:
        raise DataError(f"{name}: this is not a text file, and no known binary format")
    for kind, modules in _LINES.items():
        if any(module.LAYOUT.fits_mostly(head) for module in modules):
            return Guess(kind)
    if len(first) == 4 or len(first) > 5:  # wrong in some way, which the reader will say
        return Guess("qrels" if len(first) == 4 else "run", sure=False)
    raise DataError(
        f"{name}: this is neither qrels nor a run nor preferences in any format known here. --kind says which of them "
        f"it should be; the error then says what is wrong."
    )


def guess_from_names(names: Sequence[object]) -> Guess:
    """The kind of table that has such columns.

    >>> guess_from_names(["qid", "docno", "label"]), guess_from_names(["q_id", "doc_id", "score"])
    (Guess(kind='qrels', sure=True), Guess(kind='run', sure=False))
    """
    known = {folded(name) for name in names}
    if known & _ONLY_PREFERENCES:
        return Guess("preferences")
    if known & _ONLY_QRELS or [folded(name) for name in names] == [folded(name) for name in beir.HEADER]:
        return Guess("qrels")
    return Guess("run", sure=bool(known & _ONLY_RUN))


def _column_names(source: Source, head: bytes) -> list[str] | None:
    if parquet.recognise(head):
        return parquet.column_names(source)
    if json_lines.recognise(head):
        return json_lines.key_names(head)
    if head.lstrip().startswith(b"[") and json_document.recognise(head):
        return json_lines.key_names(head.lstrip()[1:])
    for module, delimiter in ((tab_separated, b"\t"), (comma_separated, b",")):
        if module.recognise(head):
            return delimited.header_names(head, delimiter)
    return None
