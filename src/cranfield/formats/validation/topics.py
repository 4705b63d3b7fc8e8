"""How a run and the judgments meet: topics that are missing, and identifiers that were written differently."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

import numpy as np

from cranfield.data.qrels import Qrels
from cranfield.data.rankings import Rankings
from cranfield.data.run import Run
from cranfield.data.strings import decode
from cranfield.data.values import shown
from cranfield.formats.validation.findings import ERROR, WARNING, Findings

_WAYS: dict[str, Callable[[str], str]] = {
    "upper and lower case": str.casefold,
    "leading zeros": lambda text: text.lstrip("0") or "0",
    "a decimal point": lambda text: text.removesuffix(".0"),
    "a prefix": lambda text: re.sub(r"^.*?0*(\d+)$", r"\1", text),
    "an ending": lambda text: re.sub(r"\.\w+$", "", text),
}
"""Ways in which the same identifier may be written differently, and what undoes them."""


def examine_topics(top: Run, qrels: Qrels, findings: Findings) -> dict[str, object]:
    """Compare the first documents of a run with the judgments; returns how many of them are judged."""
    found, judged = set(top.query_ids), set(qrels.query_ids)
    missing, unjudged = sorted(judged - found), sorted(found - judged)
    if not found & judged:
        example = f"the run has {_some(unjudged)}; the judgments have {_some(missing)}"
        findings.add(ERROR, "topics-apart", 1, (), example)
    else:
        findings.add(ERROR, "topics-missing", len(missing), (), _some(missing))
        findings.add(WARNING, "topics-unjudged", len(unjudged), (), _some(unjudged))
    _note_alike("topics-alike", unjudged, missing, findings)
    rankings = Rankings.join(qrels, top)
    shown_documents = int(rankings.retrieved.sum())
    judged_documents = int(np.count_nonzero(rankings.grade >= 0))
    if shown_documents and not judged_documents:
        findings.add(WARNING, "documents-apart", 1, (), f"{qrels.name}: {len(qrels)} judgments")
        _note_alike("documents-alike", top.documents.tolist(), qrels.documents.tolist(), findings)
    return {
        "topics_judged": len(judged),
        "topics_found": len(found & judged),
        "top_10": shown_documents,
        "top_10_judged": judged_documents,
    }


def _note_alike(kind: str, theirs: Collection[bytes], ours: Collection[bytes], findings: Findings) -> None:
    alike = find_alike({decode(name) for name in theirs}, {decode(name) for name in ours})
    if alike is not None:
        way, pairs = alike
        one, other = min(pairs)
        example = f"{one!r} in the run and {other!r} in the judgments differ in {way}"
        findings.add(ERROR, kind, len(pairs), (), example)


def find_alike(theirs: set[str], ours: set[str]) -> tuple[str, list[tuple[str, str]]] | None:
    """The first way to write identifiers differently that explains some of them, and which.

    >>> find_alike({"001", "002"}, {"1", "2"})
    ('leading zeros', [('001', '1'), ('002', '2')])
    """
    for way, undo in _WAYS.items():
        plain = {undo(name): name for name in ours}
        pairs = sorted((name, plain[undo(name)]) for name in theirs - ours if undo(name) in plain)
        pairs = [(name, other) for name, other in pairs if other not in theirs]
        if pairs:
            return way, pairs
    return None


def _some(ids: Collection[bytes]) -> str:
    return ", ".join(shown(name) for name in list(ids)[:5]) + ", ..." * (len(ids) > 5)
