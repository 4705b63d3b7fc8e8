"""Judgments in whatever file they come, as judging events: qrels, events, and what Quepid, Label Studio and OpenSearch
write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import ModuleType

from cranfield.data.judging import JudgingEvent, events_from_qrels
from cranfield.data.qrels import Qrels
from cranfield.errors import DataError, UsageError, did_you_mean
from cranfield.formats import label_studio, opensearch_judgments, quepid, quepid_book, recognise
from cranfield.formats.files import GZIP, Readable, Source, open_source
from cranfield.formats.given_labels import GivenLabel, label_events
from cranfield.formats.judging_events import holds_events, parse_judging_events
from cranfield.formats.records import strict

QRELS, JUDGES, EVENTS = "qrels", "qrels_jg", "events"
_LABELS: Mapping[str, ModuleType] = {
    module.NAME: module for module in (label_studio, opensearch_judgments, quepid, quepid_book)
}
FORMATS: Mapping[str, str] = {
    QRELS: "judgments of one assessor, in any format of qrels",
    JUDGES: "judgments with the assessor in the second column",
    EVENTS: "judging events, one JSON object on each line",
    quepid.NAME: "ratings of Quepid (query,docid,rating)",
    quepid_book.NAME: "a book of Quepid, with a column for each assessor",
    label_studio.NAME: "tasks with annotations, as Label Studio exports them (JSON)",
    opensearch_judgments.NAME: "judgments of OpenSearch's Search Relevance Workbench (JSON)",
}
_ELSEWHERE = ("gold", "repeat", "late")
"""What the judging application says of events that no judgment came from."""
_ZSTD = b"\x28\xb5\x2f\xfd"


@dataclass(frozen=True)
class GivenJudgments:
    """What a file says."""

    format: str
    events: tuple[JudgingEvent, ...]
    """One for each document that somebody judged or skipped, in the order of the file."""
    left_out: Counter[str] = field(default_factory=Counter)
    """What else was in the file, and why it is no judgment."""

    @property
    def read(self) -> int:
        """How much was in the file."""
        return len(self.events) + self.left_out.total()


def read_given_judgments(
    what: Readable,
    *,
    time: str,
    assessor: str = "imported",
    format: str | None = None,
    grades: Mapping[str, float] | None = None,
) -> GivenJudgments:
    """Judgments from a path or a file object, recognised by content unless `format` names one of FORMATS.

    `assessor` is who judged where the file does not say, `time` when, and `grades` what choices are worth that are no
    numbers.

    >>> import io
    >>> given = read_given_judgments(io.StringIO("query,docid,Ann Lee\\nsoup,d1,2\\n"), time="2026-03-01T09:30:00Z")
    >>> given.format, [(event.assessor, event.topic, event.grade) for event in given.events]
    ('quepid-book', [('Ann_Lee', 'soup', 2)])
    """
    if format is not None and format not in FORMATS:
        raise UsageError(f"unknown format {format!r}{did_you_mean(format, FORMATS)} There are: {', '.join(FORMATS)}")
    with open_source(what) as source:
        head = source.head()
        if not head.strip():
            raise DataError(f"{source.name}: the file is empty")
        if format == EVENTS or (format is None and holds_events(head)):
            return _events(source)
        fitting = (one for one in _LABELS.values() if format == one.NAME or (not format and one.recognise(head)))
        named = next(fitting, None)
        if named is not None:
            return _labels(source, named, time, assessor, grades)
        qrels = recognise("qrels", source).read_qrels(source, name=source.name)
        chosen = format or (JUDGES if _names_judges(qrels) else QRELS)
        events = events_from_qrels(qrels, time=time, assessor=assessor if chosen == QRELS else None)
        return GivenJudgments(chosen, tuple(events))


def refuse_packed(begin: bytes, name: str) -> None:
    """An error if a file that begins like this is packed: a small one may hold more than there is room for."""
    if begin.startswith((GZIP, _ZSTD)):
        raise DataError(f"{name}: this is packed; unpack it first")


def _events(source: Source) -> GivenJudgments:
    found = parse_judging_events(source.read(), source.name)
    if found.torn:
        raise DataError(f"{source.name}: the last line is not whole: the file was cut short")
    stands = {event.event for event in found.record.told()}
    events, left_out = [], Counter[str]()
    for event in found.record.events:
        kind = (event.assignment or "").partition(" ")[0]
        if event.event not in stands:
            left_out["a note" if event.action == "note" else "corrected or withdrawn later in the file"] += 1
        elif kind in _ELSEWHERE:
            left_out[f"did not count where it was made ({kind})"] += 1
        else:
            events.append(event)
    return GivenJudgments(EVENTS, tuple(events), left_out)


def _labels(
    source: Source, module: ModuleType, time: str, assessor: str, grades: Mapping[str, float] | None
) -> GivenJudgments:
    on_problem = strict(source.name, getattr(module, "UNIT", "line"))
    more = {"grades": grades} if module is label_studio else {}
    found: list[GivenLabel] = list(module.iter_labels(source, on_problem, **more))
    named = (label if label.assessor else label._replace(assessor=assessor) for label in found)
    events = tuple(label_events(named, time=time, source=source.name))
    if not events:
        raise DataError(f"{source.name}: there are no labels in the file")
    return GivenJudgments(module.NAME, events)


def _names_judges(qrels: Qrels) -> bool:
    """Whether the second column is more than the constant that it is in most files."""
    names = set(qrels.iteration_ids)
    return len(names) > 1 or any(not name.isdigit() and name != b"Q0" for name in names)
