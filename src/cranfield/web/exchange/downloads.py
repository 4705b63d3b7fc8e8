"""What managers can take out of a project, each as a file in pieces."""

from __future__ import annotations

import gzip
import io
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cranfield.errors import DataError, UsageError, did_you_mean
from cranfield.web.judging.events import events_of
from cranfield.web.judging.judgments import judgments, record_of
from cranfield.web.projects.models import Document, Project, ScaleVersion

if TYPE_CHECKING:
    from cranfield.data.judging import JudgingEvent
    from cranfield.data.qrels import Qrels
    from cranfield.formats.label_studio import TaskLabel

TEXT, JSON, LINES, CSV = "text/plain", "application/json", "application/x-ndjson", "text/csv"
_AT_ONCE = 256
_UNSAFE = re.compile(r"[^A-Za-z0-9]+")


@dataclass(frozen=True)
class Download:
    """A kind of file."""

    title: str
    words: str
    ending: str
    content_type: str
    pieces: Callable[[Project, str], Iterable[bytes]]
    """Of a project, by a rule that makes one grade of several."""
    sample: bool = False
    """Only for a pool of which some was left to chance."""
    of_grades: bool = True
    """Only for a project in which documents are graded."""

    def file_name(self, project: Project) -> str:
        """A name that is safe on every system, and says what the file is."""
        name = _UNSAFE.sub("-", project.name).strip("-").lower()[:60] or "project"
        return f"{name}.{self.ending}"


def _qrels(project: Project, rule: str) -> Iterator[bytes]:
    yield _written("trec", judgments(project, rule), project)


def _undecided_qrels(project: Project, rule: str) -> Iterator[bytes]:
    from cranfield.data.judging_record import to_qrels

    yield _written("trec", to_qrels(record_of(project), rule), project)


def _assessor_qrels(project: Project, rule: str) -> Iterator[bytes]:
    from cranfield.data.judging_record import to_assessor_qrels

    yield _written("trec", to_assessor_qrels(record_of(project)), project)


def _strata(project: Project, rule: str) -> Iterator[bytes]:
    yield _written("strata", _judged_pool(project, rule).to_strata(), project)


def _prels(project: Project, rule: str) -> Iterator[bytes]:
    yield _written("prels", _judged_pool(project, rule).to_prels(), project)


def _judged_pool(project: Project, rule: str) -> Any:
    from cranfield.formats.pools import read_pool
    from cranfield.pooling.judged_pool import JudgedPool

    last = project.pools.last()
    if last is None:
        raise DataError("no pool was brought into this project as a whole, so nothing is known of chances and strata")
    return JudgedPool.of(read_pool(io.BytesIO(gzip.decompress(last.content))), judgments(project, rule))


def _written(format: str, qrels: Qrels, project: Project) -> bytes:
    from cranfield.formats import module

    if not len(qrels):
        raise DataError("there is no judgment yet")
    out = io.BytesIO()
    topics = list(project.topics.values_list("name", flat=True))
    module(format, "qrels").write_qrels(qrels, out, **({"queries": topics} if format == "trec" else {}))
    return out.getvalue()


def _events(project: Project, rule: str) -> Iterator[bytes]:
    from cranfield.formats.judging_events import event_line

    return _joined(event_line(event) for event in events_of(project, everything=True))


def _quepid(project: Project, rule: str) -> Iterator[bytes]:
    from cranfield.formats.quepid import iter_lines

    words = query_words(project)
    graded = judgments(project, rule)
    return _joined(iter_lines((words[topic], name, grade) for topic, _, name, grade in graded.rows()))


def _book(project: Project, rule: str) -> Iterator[bytes]:
    from cranfield.formats.quepid_book import iter_lines

    words = query_words(project)
    book: dict[tuple[str, str], dict[str, float]] = {}
    for event in record_of(project).decisions():
        if event.action == "grade" and event.grade is not None:
            book.setdefault((event.topic, event.document), {})[event.assessor] = event.grade
    assessors = sorted({name for grades in book.values() for name in grades})
    return _joined(iter_lines(assessors, ((words[topic], name, grades) for (topic, name), grades in book.items())))


def query_words(project: Project) -> dict[str, str]:
    """What each topic is called in Quepid: its query, or its name if it has none, or another topic has the same."""
    titles = dict(project.topics.values_list("name", "title"))
    all_titles = list(titles.values())
    return {name: title if title and all_titles.count(title) == 1 else name for name, title in titles.items()}


def _label_studio(project: Project, rule: str) -> Iterator[bytes]:
    """Every item that is not gold as a task, with the labels that stand."""
    from cranfield.formats.label_studio import iter_tasks

    labels: dict[tuple[str, str], list[JudgingEvent]] = {}
    for event in record_of(project).decisions():
        labels.setdefault((event.topic, event.document), []).append(event)
    names = {
        (version.version, grade["value"]): f"{grade['value']:g} {grade['name']}"
        for version in project.scales.all()
        for grade in version.content
    }
    items = project.items.filter(other=None).exclude(origin="gold").select_related("topic", "document")
    return _joined(
        iter_tasks(
            (
                _task_data(item.topic.name, item.topic.title, item.document),
                [_label(event, names) for event in labels.get((item.topic.name, item.document.name), [])],
            )
            for item in items.order_by("topic__place", "place").iterator(chunk_size=500)
        )
    )


def _task_data(topic: str, query: str, document: Document) -> dict[str, Any]:
    return {
        "query_id": topic,
        "query": query,
        "doc_id": document.name,
        "title": document.title,
        "text": document.text,
        "sha256": document.sha256,
    }


def _label(event: JudgingEvent, names: dict[tuple[str, float], str]) -> TaskLabel:
    from cranfield.formats.label_studio import TaskLabel

    choice = None
    if event.action == "grade" and event.grade is not None:
        choice = names.get((event.scale or "", event.grade), f"{event.grade:g}")
    return TaskLabel(event.assessor, choice, event.time, event.active_ms, event.reason)


def _documents(project: Project, rule: str) -> Iterator[bytes]:
    from cranfield.formats.json_values import dumps

    fields = ("name", "title", "text", "fields", "image", "sha256", "changed_sha256")
    rows = project.documents.order_by("name").values(*fields).iterator(chunk_size=500)
    return _joined(dumps({"_id": row.pop("name"), **row}) + b"\n" for row in rows)


def _topics(project: Project, rule: str) -> Iterator[bytes]:
    from cranfield.formats.json_values import dumps

    rows = project.topics.values_list("name", "title", "description", "narrative")
    return _joined(
        dumps(dict(zip(("_id", "title", "description", "narrative"), row, strict=True))) + b"\n" for row in rows
    )


def labelling_configuration(scale: ScaleVersion) -> str:
    """What Label Studio has to show for tasks from here."""
    from django.utils.html import escape

    names = (f"{grade['value']:g} {grade['name']}" for grade in scale.content)
    choices = "\n".join(f'    <Choice value="{escape(name)}"/>' for name in names)
    return (
        '<View>\n  <Header value="$query"/>\n  <Header value="$title" size="5"/>\n'
        '  <Text name="text" value="$text"/>\n'
        f'  <Choices name="relevance" toName="text" choice="single" required="true">\n{choices}\n  </Choices>\n'
        '  <TextArea name="note" toName="text" required="false"/>\n</View>\n'
    )


def _joined(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Some lines at a time: a response with a piece for each line would be slow."""
    held: list[bytes] = []
    for line in lines:
        held.append(line)
        if len(held) == _AT_ONCE:
            yield b"".join(held)
            held = []
    yield b"".join(held)


DOWNLOADS = {
    "qrels": Download(
        "Judgments", "qrels: a grade for each document, what was adjudicated on top", "qrels", TEXT, _qrels
    ),
    "qrels-undecided": Download(
        "Without decisions",
        "qrels by the rule alone, as if nothing were adjudicated",
        "undecided.qrels",
        TEXT,
        _undecided_qrels,
    ),
    "qrels_jg": Download(
        "Of each assessor", "qrels_jg: the assessor in the second column", "qrels_jg", TEXT, _assessor_qrels
    ),
    "strata": Download("Strata", "for xinfAP, infNDCG and statAP", "strata", TEXT, _strata, sample=True),
    "prels": Download("Prels", "for statAP of other programs", "prels", TEXT, _prels, sample=True),
    "events": Download("Every event", "all that assessors ever did, as JSON lines", "events.jsonl", LINES, _events),
    "quepid": Download("Quepid ratings", "CSV: query,docid,rating", "quepid.csv", CSV, _quepid),
    "quepid-book": Download("Quepid book", "CSV with a column for each assessor", "book.csv", CSV, _book),
    "label-studio": Download(
        "Label Studio", "JSON: every document as a task, with its labels", "label-studio.json", JSON, _label_studio
    ),
    "documents": Download(
        "Documents", "JSON lines, with hashes", "documents.jsonl", LINES, _documents, of_grades=False
    ),
    "topics": Download("Topics", "JSON lines", "topics.jsonl", LINES, _topics, of_grades=False),
}


def download_of(what: str) -> Download:
    """A kind of file by its name."""
    if what not in DOWNLOADS:
        raise UsageError(f"unknown file {what!r:.40}{did_you_mean(what, DOWNLOADS)} There are: {', '.join(DOWNLOADS)}")
    return DOWNLOADS[what]
