"""What is in a bundle of judgments, and whether it holds together: the qrels have to come out of the events alone."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from cranfield.data.judging import DECISIONS as DECISIVE
from cranfield.data.judging import JudgingEvent
from cranfield.data.judging_record import RULES, JudgingRecord, to_assessor_qrels, to_qrels
from cranfield.data.qrels import Qrels
from cranfield.errors import DataError
from cranfield.formats import json_lines, trec_qrels
from cranfield.formats.bundle_archive import BundleReader, reading_bundle
from cranfield.formats.judging_events import parse_judging_events

SCHEMA = "cranfield.judging-bundle/1"
EVENTS, DECISIONS, TOPICS = "events.jsonl", "decisions.jsonl", "topics.jsonl"
QRELS, ASSESSOR_QRELS = "qrels", "qrels_jg"
_ELSEWHERE = ("gold", "repeat", "late")


@dataclass(frozen=True)
class Verified:
    """What a bundle holds that was found to be as it should."""

    files: int
    events: int
    judgments: int
    """How many documents have a grade."""
    decided: int
    """How many of these have it from an adjudicator."""
    assessors: int


def verify_bundle(path: str | os.PathLike[str]) -> Verified:
    """Compare every file with its hash, and make the judgments again from the events; an error says what differs."""
    with reading_bundle(path, SCHEMA) as bundle:
        bundle.check_hashes()
        rule = str(bundle.manifest.get("rule"))
        if rule not in RULES:
            raise DataError(f"{bundle.source}: the manifest has the rule {rule!r:.60}; there are: {', '.join(RULES)}")
        record = parse_judging_events(bundle.read(EVENTS), f"{bundle.source}/{EVENTS}").record
        counted = counted_record(record.events)
        decided = decisions_of(bundle)
        topics = [str(row.get("name")) for row in bundle.rows(TOPICS)]
        judged = with_decisions(to_qrels(counted, rule), decided)
        of_assessors = to_assessor_qrels(counted)
        for stem, qrels in ((QRELS, judged), (ASSESSOR_QRELS, of_assessors)):
            name, content = qrels_file(stem, qrels, topics)
            if name not in bundle or bundle.read(name) != content:
                raise DataError(f"{bundle.source}: {name} is not what comes out of {EVENTS} and {DECISIONS}")
        assessors = {assessor for _, assessor, _, _ in of_assessors.rows()}
        return Verified(len(bundle.names), len(record.events), len(judged), len(decided), len(assessors))


def decisions_of(bundle: BundleReader) -> dict[tuple[str, str], float]:
    """What adjudicators decided, the last decision of each document."""
    found = {}
    for row in bundle.rows(DECISIONS):
        item = row.get("item")
        if not isinstance(item, list) or len(item) != 3 or not isinstance(row.get("grade"), (int, float)):
            raise DataError(f"{bundle.source}/{DECISIONS}: expected decisions with an item and a grade")
        topic, document, other = item
        if other is None:
            found[topic, document] = row["grade"]
    return found


def counted_record(events: Iterable[JudgingEvent]) -> JudgingRecord:
    """The events that judgments come from: not those on gold documents, on documents shown again, or too late.

    Where a judgment was asked for again, and somebody else gave it, what the first assessor had said counts no more.
    """
    events = [event for event in events if (event.assignment or "").partition(" ")[0] not in _ELSEWHERE]
    withdrawn = {event.supersedes for event in events if event.action == "withdraw"}
    last = {
        event.assignment: event.assessor
        for event in events
        if event.assignment and event.action in DECISIVE and event.event not in withdrawn
    }
    return JudgingRecord(
        event for event in events if last.get(event.assignment or "", event.assessor) == event.assessor
    )


def with_decisions(qrels: Qrels, decided: Mapping[tuple[str, str], float]) -> Qrels:
    """Judgments, and for documents on which assessors differed what was decided."""
    grades = {(topic, name): grade for topic, documents in qrels.to_dict().items() for name, grade in documents.items()}
    return Qrels.from_tuples([(*place, grade) for place, grade in (grades | dict(decided)).items()], name=qrels.name)


def qrels_file(stem: str, qrels: Qrels, topics: Sequence[str]) -> tuple[str, bytes]:
    """The name and content of a file of judgments: TREC's format, or lines of JSON where an identifier has spaces."""
    out = io.BytesIO()
    if not len(qrels):
        return f"{stem}.txt", b""
    try:
        trec_qrels.write_qrels(qrels, out, queries=topics)
        return f"{stem}.txt", out.getvalue()
    except DataError:
        out = io.BytesIO()
        json_lines.write(qrels.to_columns(), "qrels", out)
        return f"{stem}.jsonl", out.getvalue()
