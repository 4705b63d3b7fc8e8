"""The judgments of a pool: qrels, or the events of one or more assessors."""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence

import click

from cranfield.cli.workspace_options import nearer
from cranfield.data.judging_record import RULES, JudgingRecord, grades_by_document, to_assessor_qrels, to_qrels
from cranfield.data.qrels import Qrels
from cranfield.errors import DataError, UsageError
from cranfield.experiments.finding import find_workspace
from cranfield.formats import read_qrels, run_name
from cranfield.formats.files import open_source
from cranfield.formats.judging_events import holds_events, read_several_events

rule_option = click.option(
    "--rule",
    type=click.Choice(list(RULES)),
    default="majority",
    show_default=True,
    help="What becomes of the grades of several assessors: "
    + "; ".join(f"{name}, {words}" for name, (_, words) in RULES.items())
    + ".",
)


def judgments_given(files: Sequence[str], rule: str) -> Qrels:
    """One grade for each document: of qrels, of events, or without either of the workspace."""
    if not files:
        own = _of_workspace()
        _say(f"the judgments are those of the workspace: {own}")
        return read_qrels(own)
    if not _hold_events(files):
        return _one_file(files)
    record = _record(files)
    several = [grades for grades in grades_by_document(record).values() if len(grades) > 1]
    if several:
        differ = sum(len(set(grades)) > 1 for grades in several)
        _say(f"{len(several)} documents have grades of several assessors, {differ} of them differ: {RULES[rule][1]}")
    return to_qrels(record, rule)


def judgments_of_assessors(files: Sequence[str]) -> Qrels:
    """Every assessor's grades, with the assessor in the second column."""
    if not files or not _hold_events(files):
        raise UsageError("--to qrels_jg needs judging events, which say who judged: name their files")
    return to_assessor_qrels(_record(files))


def events_of_workspace(pool: str) -> list[str]:
    """The files in which a pool of the workspace was judged, as `cranfield judge` names them; none elsewhere."""
    workspace = find_workspace()
    if workspace is None:
        return []
    files = workspace.judgments.glob(f"{glob.escape(run_name(pool))}.*.events.jsonl")
    return sorted(nearer(file) for file in files if file.stat().st_size)


def judgments_told(files: Sequence[str], rule: str) -> dict[str, list[tuple[str, float | None]]]:
    """What has been said for each topic, in the order in which it was said, each document once; None: no grade.

    Of several assessors the first has the place, and the rule makes the grade.
    """
    told: dict[str, dict[str, float | None]] = {}
    files = [name for name in files if name == "-" or not _is_empty(name)]  # judging has begun, and nothing is judged
    if files and _hold_events(files):
        record = read_several_events(files, _say)
        grades = grades_by_document(record)
        combine, _ = RULES[rule]
        for event in record.told():
            several = grades.get((event.topic, event.document))
            told.setdefault(event.topic, {}).setdefault(event.document, combine(several) if several else None)
    elif files:
        for topic, _, document, grade in _one_file(files).rows():
            told.setdefault(topic, {}).setdefault(document, grade if grade >= 0 else None)
    return {topic: list(documents.items()) for topic, documents in told.items()}


def _is_empty(path: str) -> bool:
    return os.path.isfile(path) and not os.path.getsize(path)


def _one_file(files: Sequence[str]) -> Qrels:
    if len(files) > 1:
        raise UsageError(f"{files[1]}: only judging events may be in several files; qrels are one file")
    return read_qrels(files[0])


def _record(files: Sequence[str]) -> JudgingRecord:
    record = read_several_events(files, _say)
    found = list(record.decisions())
    scales = sorted({str(one.scale) for one in found if one.action == "grade"})
    if len(scales) > 1:
        _say(f"the grades were given by different scales (versions {', '.join(scales)}): do they mean the same?")
    for action, words in (("unsure", "of which an assessor was unsure"), ("skip", "that were skipped")):
        count = sum(one.action == action for one in found)
        if count:
            _say(f"{count} documents {words} have no grade of that assessor")
    if not any(one.action == "grade" for one in found):
        raise DataError(f"{', '.join(files)}: there is no grade in it yet")
    return record


def _hold_events(files: Sequence[str]) -> bool:
    held = [name != "-" and _holds_events(name) for name in files]
    if any(held) and not all(held):
        raise UsageError(f"{files[held.index(False)]}: this has no judging events, and {files[held.index(True)]} has")
    return all(held)


def _holds_events(path: str) -> bool:
    with open_source(path) as source:
        return holds_events(source.head())


def _of_workspace() -> str:
    workspace = find_workspace()
    if workspace is None:
        raise click.UsageError("Missing argument 'JUDGMENTS'. Only in a workspace can it be left out.")
    from cranfield.experiments import materials

    return nearer(materials.qrels(workspace))


def _say(what: str) -> None:
    click.echo(f"cranfield: {what}", err=True)
