"""Looks at the test topics: when an evaluation is one, what is said of it, and how many comparisons they make."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cranfield.errors import UnknownMeasureError
from cranfield.evaluation.compared import why_not_tested
from cranfield.evaluation.provenance.fingerprints import of_file
from cranfield.experiments.ledger import Entry, Ledger, Problem, name_of, read_ledger
from cranfield.experiments.split_files import is_split, part_file, read_split
from cranfield.experiments.splits import TEST, TRAIN, VALIDATION
from cranfield.experiments.workspace import Workspace
from cranfield.formats.topics import read_topics
from cranfield.measures import parse_one

QUOTED = re.compile(rb"ledger head ([0-9a-f]{64})")
"""How a report quotes a head of the ledger."""
UNDIVIDED = "all"
"""What topics are called that were looked at before the workspace was divided."""


@dataclass(frozen=True)
class Looks:
    """Every look at the test topics of a workspace so far."""

    entries: tuple[Entry, ...]
    heads: tuple[str, ...]
    problems: tuple[Problem, ...] = ()
    """What is wrong with the ledger."""
    elsewhere: int = 0
    """How many looks were at topics of which none is a test topic now."""
    divided: bool = True
    """Whether there are test topics, or all may become some."""

    @property
    def before(self) -> int:
        """How many of them were before the workspace was divided, at topics that were not known for test topics yet."""
        return sum(entry.topics.split == UNDIVIDED for entry in self.entries)

    @property
    def runs(self) -> dict[str, list[str]]:
        """By name of the run, its hash at each look."""
        found: dict[str, list[str]] = {}
        for entry in self.entries:
            for run in entry.runs:
                found.setdefault(run.name, []).append(run.sha256)
        return found

    @property
    def sentence(self) -> str:
        """How often, and by which runs.

        >>> from cranfield.experiments.ledger import RunSeen, TopicsSeen
        >>> look = Entry("look", "cranfield evaluate", TopicsSeen.of("test", ["q1"]), "", (RunSeen("bm25", "00"),))
        >>> Looks((look, look), ()).sentence
        'test topics looked at 2 times, by these runs: bm25 (2)'
        """
        what = "test topics" if self.divided else "topics"
        said = [f"{what} not looked at yet"]
        if self.entries:
            times = "once" if len(self.entries) == 1 else f"{len(self.entries)} times"
            when = f", {self._when_before} the workspace was divided" if self.divided and self.before else ""
            said = [f"{what} looked at {times}{when}, by these runs: {', '.join(map(self._often, self.runs))}"]
        if not self.divided:
            said.append("none of them is set apart for test yet")
        if self.elsewhere:
            said.append(f"looks at other topics, which were test topics before: {self.elsewhere}")
        if self.problems:
            said.append("the ledger is damaged: `cranfield ledger verify` says how")
        return "; ".join(said)

    @property
    def _when_before(self) -> str:
        return "before" if self.before == len(self.entries) else f"{self.before} of them before"

    def _often(self, run: str) -> str:
        hashes = self.runs[run]
        versions = len(set(hashes))
        return f"{run} ({len(hashes)}, in {versions} versions)" if versions > 1 else f"{run} ({len(hashes)})"

    def comparisons(self, baseline: str = "", also: Iterable[tuple[str, str]] = ()) -> int:
        """How many values were seen: one for each different run, by its hash, and each measure that is tested.

        Each of them could have been the one that is reported. The run with the hash `baseline` is what others are
        compared with, and does not count; nor does it to look again at what one has seen. `also` are the hashes and
        measures of a look that is not in the ledger yet.
        """
        noted = [(run.sha256, measure) for one in self.entries for run in one.runs for measure in one.measures]
        return len({(run, measure) for run, measure in (*noted, *also) if run != baseline and _is_tested(measure)})

    def to_dict(self) -> dict[str, Any]:
        """As JSON would have it."""
        return {
            "times": len(self.entries),
            "before_split": self.before,
            "elsewhere": self.elsewhere,
            "runs": {name: {"times": len(hashes), "versions": len(set(hashes))} for name, hashes in self.runs.items()},
            "heads": list(self.heads),
            "sentence": self.sentence,
            "problems": [f"{one.entry}: {one.kind}: {one.said}" for one in self.problems],
        }


def looks(workspace: Workspace) -> Looks:
    """The looks in the ledger of a workspace at those topics that are test topics now, or some of them."""
    ledger = read_ledger(workspace.ledger)
    found = [entry for entry in ledger.looks if _is_at_test(workspace, ledger, entry)]
    problems = ledger_problems(workspace, ledger)
    elsewhere = len(ledger.looks) - len(found)
    return Looks(tuple(found), ledger.heads, tuple(problems), elsewhere, divided=is_split(workspace))


def _is_at_test(workspace: Workspace, ledger: Ledger, look: Entry) -> bool:
    """Which topics are test topics now is in the entry of the split; where that is lost, every look counts."""
    divided = ledger.entries.get(name_of(read_split(workspace).ledger)) if is_split(workspace) else None
    return divided is None or not divided.topics.names or look.topics.overlap(divided.topics.names)


def looked_at_before(ledger: Ledger, topics: Iterable[str], test_qrels: str) -> tuple[str, ...]:
    """Which of these topics were looked at as test topics, by other judgments than those of the test topics now."""
    as_test = [look for look in ledger.looks if look.qrels != test_qrels and look.topics.split != UNDIVIDED]
    seen = {name for look in as_test for name in look.topics.names}
    return tuple(sorted(seen.intersection(topics)))


def ledger_problems(workspace: Workspace, ledger: Ledger, *, reports: Iterable[Path] = ()) -> list[Problem]:
    """What is wrong with the ledger, held against the split, and against the heads that reports quote."""
    known = (read_split(workspace).ledger,) if is_split(workspace) else ()
    return ledger.problems(known=known, quoted={head for report in reports for head in heads_quoted(report)})


def heads_quoted(report: Path) -> list[str]:
    """The heads of the ledger that a report quotes."""
    return list(dict.fromkeys(found.decode() for found in QUOTED.findall(report.read_bytes())))


def touches_test(workspace: Workspace, topics: Iterable[str] | None, qrels: str) -> frozenset[str]:
    """Which test topics an evaluation looks at; of those that are judged there all, where it is not said which.

    None, if its judgments are the file of training or validation topics, or lie outside the workspace.
    """
    if not is_split(workspace) or not is_within(workspace, qrels):
        return frozenset()
    record = read_split(workspace)
    if sha256_of(qrels) in {record.files[record.file(part, "qrels")] for part in (TRAIN, VALIDATION)}:
        return frozenset()
    held = frozenset(read_topics(part_file(workspace, TEST, "topics"), format="jsonl"))
    return held if topics is None else held.intersection(topics)


def shows_something_new(ledger: Ledger, look: Entry) -> bool:
    """Whether a look is at runs, by measures, of which no look before it was at these topics with these judgments."""
    topics = frozenset(look.topics.names)
    alike = [
        one
        for one in ledger.looks
        if one.qrels == look.qrels and (one.topics == look.topics or (topics and topics <= frozenset(one.topics.names)))
    ]
    seen = {(run.sha256, measure) for one in alike for run in one.runs for measure in one.measures}
    return not seen.issuperset((run.sha256, measure) for run in look.runs for measure in look.measures)


def sha256_of(file: str | os.PathLike[str]) -> str:
    """The hash of a file; of what can be read only once there is none."""
    return of_file(os.fspath(file))[0].sha256 if Path(file).is_file() else ""


def is_within(workspace: Workspace, file: str) -> bool:
    """Whether judgments are those of the workspace, as far as one can tell; of standard input one cannot."""
    if not Path(file).is_file():
        return True
    own = workspace.qrels_place or workspace.collection_place
    places = (workspace.root.resolve(), Path(own).resolve())
    return any(Path(file).resolve().is_relative_to(place) for place in places)


def _is_tested(measure: str) -> bool:
    try:
        return why_not_tested(parse_one(measure)) is None
    except UnknownMeasureError:
        return True  # a later version knows it
