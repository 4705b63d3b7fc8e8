"""What is judged in the demonstration, as scale and events."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

from cranfield import read_qrels, write_qrels
from cranfield.data.judging import events_from_qrels
from cranfield.data.judging_record import to_qrels
from cranfield.experiments.demonstration.material import GUIDELINE, JUDGMENTS, PACKAGE, SCALE, iter_judgments
from cranfield.formats.judging_events import event_line, read_judging_events
from cranfield.formats.scales import read_scale

FOLDER = Path(str(resources.files(PACKAGE)))


def test_the_scale_says_what_the_guideline_says() -> None:
    guideline = (FOLDER / GUIDELINE).read_text()
    scale = read_scale(FOLDER / SCALE)
    rows = re.findall(r"^\| (\d) \| (.*?) \| (.*?) \|$", guideline, re.MULTILINE)
    assert [(str(grade.value), grade.name, grade.definition) for grade in scale.grades] == rows
    assert scale.guideline == guideline


def test_judgments_as_events_give_the_same_judgments_byte_for_byte(tmp_path: Path) -> None:
    """In the order of the topics; the reasons go along."""
    given = tuple(iter_judgments(JUDGMENTS))
    written = "".join(f"{one.topic} 0 {one.document} {one.grade}\n" for one in given)
    (tmp_path / "qrels.txt").write_text(written)
    reasons = {(one.topic, one.document): one.why for one in given}
    events = events_from_qrels(
        read_qrels(tmp_path / "qrels.txt"), time="2026-01-01T00:00:00Z", assessor="first", reasons=reasons
    )
    (tmp_path / "events.jsonl").write_bytes(b"".join(map(event_line, events)))
    record = read_judging_events(tmp_path / "events.jsonl").record
    assert {(one.topic, one.document): one.reason for one in record.decisions()} == reasons
    topics = list(dict.fromkeys(one.topic for one in given))
    write_qrels(to_qrels(record), tmp_path / "again.txt", queries=topics)
    assert (tmp_path / "again.txt").read_bytes() == written.encode()
