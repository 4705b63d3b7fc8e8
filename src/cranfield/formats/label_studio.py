"""Label Studio's JSON: a list of tasks, each with `data` and the `annotations` that people gave it.

A task's data say which topic and document it is about (`query_id` and `doc_id`, or another name that tables of
judgments have for them). The grade is a choice or a rating of the first result that has one. Choices are numbers, or
begin with one (`2 relevant`), unless it is said what each is worth. An annotation that was cancelled is one that was
skipped. Also read is the format JSON-MIN, if what was chosen is called `relevance` in the labelling configuration.

Exports say who annotated as a number or as an object with an email address. Label Studio takes an annotation only if
it knows that person, and gives one without `completed_by` to whoever imports; so files from here leave it out, and have
the assessor's name under `assessor`, which Label Studio passes over and this reader takes first.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, BinaryIO, NamedTuple

from cranfield.data.qrels import Qrels
from cranfield.data.shapes import QRELS, Shape, folded
from cranfield.errors import DataError
from cranfield.formats.files import Source
from cranfield.formats.given_labels import GivenLabel, finite_number, label_records
from cranfield.formats.json_values import brief, dumps, load_document
from cranfield.formats.lines import OnProblem
from cranfield.formats.records import Records, reader

NAME = "label-studio"
DESCRIPTION = "label-studio: JSON of Label Studio, a list of tasks with data and annotations"
UNIT = "task"
HOLDS = frozenset({"iteration"})
FROM, TO = "relevance", "text"
"""What the choices, and what they are about, are called in the labelling configuration."""

_HEAD = re.compile(rb"\s*\[\s*\{")
_KEY = re.compile(rb'"(annotations|completions|annotation_id|annotator)"\s*:')
_LEADING = re.compile(r"\s*([+-]?\d+(?:\.\d+)?)\b")


def recognise(head: bytes) -> bool:
    """A list of objects that have annotations."""
    return bool(_HEAD.match(head) and _KEY.search(head))


def iter_labels(
    source: Source, on_problem: OnProblem, grades: Mapping[str, float] | None = None
) -> Iterator[GivenLabel]:
    """The labels of every annotation; `grades` says what each choice is worth."""
    tasks = load_document(source)
    if not isinstance(tasks, list):
        raise DataError(f"{source.name}: expected a list of tasks, as Label Studio exports with the format JSON")
    for number, task in enumerate(tasks, 1):
        try:
            yield from _labels(number, task, grades)
        except DataError as error:
            on_problem("missing", number, str(error))


def _labels(number: int, task: Any, grades: Mapping[str, float] | None) -> Iterator[GivenLabel]:
    if not isinstance(task, dict):
        raise DataError(f"expected an object with data and annotations, found {brief(task)}")
    data, annotations = task.get("data"), task.get("annotations", task.get("completions"))
    if data is None and annotations is None:  # JSON-MIN: what was in the data, and one annotation, in one object
        data, annotations = task, [_of_minimal(task)]
    if not isinstance(data, dict):
        raise DataError("data is missing, which says what topic and document the task is about")
    if not isinstance(annotations, list):
        raise DataError("annotations is missing: were the tasks exported without them?")
    topic, document = (_identifier(data, column) for column in ("query_id", "doc_id"))
    for annotation in annotations:
        if not isinstance(annotation, dict):
            raise DataError(f"expected an annotation, found {brief(annotation)}")
        grade = None if annotation.get("was_cancelled") else _grade(annotation.get("result"), grades)
        yield GivenLabel(
            number,
            topic,
            document,
            _assessor(annotation),
            grade,
            reason=_note(annotation.get("result")),
            time=_time(annotation.get("created_at")),
            active_ms=_milliseconds(annotation.get("lead_time")),
        )


def _of_minimal(task: Mapping[str, Any]) -> dict[str, Any]:
    """The annotation of a task in the short form."""
    value = task.get(FROM)
    if isinstance(value, dict):
        result = {"type": "choices", "value": value}
    elif isinstance(value, (str, int, float)):
        result = {"type": "choices", "value": {"choices": [str(value)]}}
    else:
        raise DataError(f"{FROM} is missing, which has the grade in Label Studio's format JSON-MIN")
    return {**task, "completed_by": task.get("annotator"), "result": [result]}


def _identifier(data: Mapping[str, Any], column: str) -> str:
    known = {folded(name): value for name, value in reversed(list(data.items()))}
    for name in QRELS[column].names:
        value = known.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if isinstance(value, str) and value:
            return value
    raise DataError(f"data has no {column} (or {', '.join(QRELS[column].others)}); it has {brief(list(data))}")


def _assessor(annotation: Mapping[str, Any]) -> str:
    own, who = annotation.get("assessor"), annotation.get("completed_by")
    if isinstance(own, str) and own:
        return own
    if isinstance(who, dict):
        who = who.get("email") or who.get("username") or who.get("id")
    if isinstance(who, bool) or not isinstance(who, (str, int)) or not str(who).strip():
        return "unknown"
    return who if isinstance(who, str) else f"annotator{who}"


def _grade(result: Any, grades: Mapping[str, float] | None) -> float:
    for one in result if isinstance(result, list) else []:
        value = one.get("value") if isinstance(one, dict) else None
        if not isinstance(value, dict):
            continue
        rating, choices = value.get("rating"), value.get("choices")
        if isinstance(rating, (int, float)) and not isinstance(rating, bool):
            return _finite(rating)
        if isinstance(choices, list) and choices:
            if len(choices) > 1:
                raise DataError(f"an annotation has several choices, {brief(choices)}; expected one")
            return _of_choice(str(choices[0]), grades)
    raise DataError("an annotation has neither a choice nor a rating")


def _finite(rating: float) -> float:
    grade = finite_number(repr(rating))
    if grade is None:
        raise DataError(f"the rating is {brief(rating)}; expected a number")
    return grade


def _of_choice(choice: str, grades: Mapping[str, float] | None) -> float:
    if grades is not None and choice in grades:
        return grades[choice]
    found = finite_number(choice.strip())
    if found is None and (leading := _LEADING.match(choice)):
        found = finite_number(leading[1])
    if found is None:
        there = f" The scale has {', '.join(grades)}." if grades else ""
        raise DataError(f"the choice {choice!r:.60} is no grade: expected a number, or one in front of it.{there}")
    return found


def _note(result: Any) -> str | None:
    """What somebody wrote beside it, in a text area."""
    for one in result if isinstance(result, list) else []:
        value = one.get("value") if isinstance(one, dict) else None
        text = value.get("text") if isinstance(value, dict) and one.get("type") == "textarea" else None
        lines = [text] if isinstance(text, str) else text
        if isinstance(lines, list) and lines and all(isinstance(line, str) for line in lines):
            return "\n".join(lines)
    return None


def _time(value: Any) -> str | None:
    try:
        time = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        return None
    time = time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
    return f"{time:%Y-%m-%dT%H:%M:%S.%f}"[:-3] + "Z"


def _milliseconds(seconds: Any) -> int | None:
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not 0 <= seconds < 2**31 / 1000:
        return None
    return round(seconds * 1000)


def iter_records(source: Source, shape: Shape, on_problem: OnProblem) -> Iterator[Records]:
    """The labels as judgments, with the assessor for an iteration; what was cancelled is left out."""
    return label_records(iter_labels(source, on_problem), assessors=True)


read_qrels = reader("qrels", iter_records, UNIT)


class TaskLabel(NamedTuple):
    """One annotation of a task."""

    assessor: str
    choice: str | None
    """None: cancelled."""
    time: str | None = None
    active_ms: int | None = None
    reason: str | None = None


def iter_tasks(tasks: Iterable[tuple[Mapping[str, Any], Sequence[TaskLabel]]]) -> Iterator[bytes]:
    """The pieces of a file of tasks, each of some data and the labels it has; without labels it is to be labelled.

    >>> b"".join(iter_tasks([({"query_id": "q1", "doc_id": "d1"}, [])]))
    b'[\\n{"data": {"query_id": "q1", "doc_id": "d1"}, "annotations": []}\\n]\\n'
    """
    before = b"[\n"
    for data, labels in tasks:
        yield before + dumps({"data": data, "annotations": [_annotation(label) for label in labels]})
        before = b",\n"
    yield b"[]\n" if before == b"[\n" else b"\n]\n"


def _annotation(label: TaskLabel) -> dict[str, Any]:
    result = []
    if label.choice is not None:
        result.append({"from_name": FROM, "to_name": TO, "type": "choices", "value": {"choices": [label.choice]}})
    if label.reason:
        result.append({"from_name": "note", "to_name": TO, "type": "textarea", "value": {"text": [label.reason]}})
    seconds = None if label.active_ms is None else label.active_ms / 1000
    times = {} if label.time is None else {"created_at": label.time}
    return {
        "assessor": label.assessor,
        "result": result,
        "was_cancelled": label.choice is None,
        "ground_truth": False,
        **times,
        **({} if seconds is None else {"lead_time": seconds}),
    }


def write_qrels(qrels: Qrels, out: BinaryIO) -> None:
    """Write judgments as tasks that are labelled, the grade as the choice."""
    tasks: dict[tuple[str, str], list[TaskLabel]] = {}
    for query, assessor, document, grade in qrels.rows():
        tasks.setdefault((query, document), []).append(TaskLabel(assessor, json.dumps(grade)))
    for piece in iter_tasks(({"query_id": place[0], "doc_id": place[1]}, labels) for place, labels in tasks.items()):
        out.write(piece)
