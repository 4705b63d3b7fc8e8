"""What validation finds in a file, gathered by kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

ERROR, WARNING = "error", "warning"
MOST_PLACES = 1000

TITLES = {
    "file": "the file cannot be used",
    "fields": "too few or too many fields",
    "nul": "NUL bytes",
    "number": "not a number that can be used",
    "missing": "a value is missing",
    "identifier": "an identifier of the wrong type",
    "json": "not a JSON object",
    "pair": "an impossible pair",
    "duplicate": "the same document again for the same query",
    "contradiction": "preferences of one group contradict each other",
    "topics-apart": "no topic in common with the judgments",
    "topics-alike": "topics that differ from judged ones only in the way they are written",
    "topics-missing": "judged topics without documents; they count as 0, and trec_eval 10 stops without -c",
    "documents-alike": "documents that differ from judged ones only in the way they are written",
    "documents-apart": "no document of the first 10 of any topic is judged",
    "topics-unjudged": "topics that are not judged and will be passed over",
    "bom": "a byte-order mark, which trec_eval takes for part of the first topic",
    "crlf": "lines end in CR LF",
    "comments": "comment lines, which trec_eval 9 takes for records",
    "trailing": "text after the tag, which is ignored",
    "tags": "more than one tag; the last one counts",
    "rank-number": "the rank is not a whole number; it is ignored",
    "rank-start": "queries whose ranks do not start at 1",
    "rank-order": "the rank column disagrees with the scores; the scores count",
    "ties": "documents with the same score as another of their query; they are ordered by identifier",
    "ties-single": "further documents with the same score in 32-bit precision (trec_eval 9, pytrec_eval)",
    "order": "a query comes back after the lines of another one",
    "unsorted": "a document with a higher score than the one before it",
    "negative-grades": "negative grades: in the pool, but not judged",
    "fractions": "grades that are not whole numbers: trec_eval cuts them off, the trec_eval profiles here refuse them",
    "strata-unjudged": "strata of which no document is judged; they count as without relevant documents",
    "no-relevant": "queries with no relevant document",
    "iterations": "the iteration column has several values; only qrels_jg and diversity measures look at it",
    "judged-more": "documents judged again under another iteration: for -R qrels_jg or diversity; plain measures stop",
}
"""Each kind of finding in a few words."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One kind of problem: how often it occurs, and where first."""

    severity: str
    kind: str
    count: int
    places: tuple[int, ...]
    example: str

    @property
    def title(self) -> str:
        return TITLES[self.kind]


@dataclass(frozen=True, slots=True)
class Validation:
    """Everything found in one file. `unit` is what places count: lines, rows or entries."""

    name: str
    kind: str
    format: str
    unit: str
    records: int
    queries: int
    findings: tuple[Finding, ...]
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def errors(self) -> int:
        """How many kinds of problems would change a number or stop an evaluation."""
        return sum(finding.severity == ERROR for finding in self.findings)

    @property
    def warnings(self) -> int:
        """How many kinds of things are worth knowing but change nothing."""
        return len(self.findings) - self.errors

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        content = asdict(self)
        for entry, finding in zip(content["findings"], self.findings, strict=True):
            entry["title"] = finding.title
            entry["places"] = list(finding.places)
        return {"valid": not self.errors, **content}


class Findings:
    """Gathers problems as they turn up; of each kind it keeps the number, the first places and the first reason."""

    def __init__(self) -> None:
        self.unit = "line"
        """What places count."""
        self.document_at: Callable[[int], str | None] = lambda place: None
        """The document at a place, where that can still be found out."""
        self._severity: dict[str, str] = {}
        self._count: dict[str, int] = {}
        self._places: dict[str, list[int]] = {}
        self._example: dict[str, str] = {}

    def problem(self, kind: str, place: int, reason: str) -> None:
        """One record that cannot be read."""
        self.add(ERROR, kind, 1, [place], reason)

    def add(self, severity: str, kind: str, count: int, places: Sequence[int] = (), example: str = "") -> None:
        """So many of a kind; nothing if there are none."""
        if not count:
            return
        self._severity[kind] = severity
        self._count[kind] = self._count.get(kind, 0) + count
        kept = self._places.setdefault(kind, [])
        kept.extend(int(place) for place in places[: MOST_PLACES - len(kept)])
        self._example.setdefault(kind, example)

    def result(self) -> tuple[Finding, ...]:
        """Errors first, in the order of TITLES."""
        order = [kind for kind in TITLES if kind in self._count]
        order.sort(key=lambda kind: self._severity[kind] != ERROR)
        return tuple(
            Finding(
                self._severity[kind],
                kind,
                self._count[kind],
                tuple(sorted(self._places[kind])),
                self._example[kind],
            )
            for kind in order
        )
