"""How often to measure, and what turned out wrong, missed or lost on the way."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from bench.agreement import differences, read_means
from bench.processes import Command, Times, timed
from bench.report import Table, ratio, seconds, verdict
from bench.tools import OURS

VERDICTS = "What was missed or lost"


@dataclass
class Session:
    """The parts that are measured, how often, and what was found; `part` is the one that is being measured."""

    parts: Sequence[str]
    small_repeats: int
    large_repeats: int
    most_lines: int
    part: str = ""
    findings: list[tuple[str, str, str]] = field(default_factory=list)
    """Part, kind and words."""

    @property
    def wrong(self) -> bool:
        """Whether something was not measured because it failed or gave wrong values."""
        return any(kind == "wrong" for _, kind, _ in self.findings)

    def note_wrong(self, what: str) -> None:
        """What could not be measured."""
        self.findings.append((self.part, "wrong", what))

    def note_missed(self, met: bool | None, what: str) -> None:
        """What was asked for, and not met."""
        if met is False:
            self.findings.append((self.part, "floor missed", what))

    def agree(self, name: str, commands: dict[str, Command], peer: str = "pytrec_eval") -> bool:
        """Whether ours and a peer print the same; this also brings the files into the system's cache."""
        ours, theirs = (read_means(timed(commands[tool])[1]) for tool in (OURS, peer))
        found = differences(ours, theirs)
        if found:
            self.note_wrong(f"{name}: {len(found)} means differ from {peer}'s, such as {'; '.join(found[:3])}")
        return not found

    def compare(self, work: str, ours: Times, peer: str, theirs: Times, floor: float | None) -> list[str]:
        """Four cells: the ratios, what was asked for, and whether it was met."""
        of_best, of_median = theirs.best / ours.best, theirs.median / ours.median
        reached = min(of_best, of_median)
        met = None if floor is None else reached >= floor
        self.note_missed(met, f"{work}: {ratio(reached)} {peer}, asked for {floor}x")
        if reached < 1:
            self.findings.append((self.part, "slower than a peer", f"{work}: {ratio(reached)} {peer}"))
        return [ratio(of_best), ratio(of_median), "report" if floor is None else f"{floor}x", verdict(met)]

    def times_as_long(self, work: str, plain: Times, more: Times, allowed: float | None) -> list[str]:
        """Four cells: how many times as long as `plain` it takes, what is allowed, and whether that was met."""
        of_best, of_median = more.best / plain.best, more.median / plain.median
        met = None if allowed is None else max(of_best, of_median) <= allowed
        self.note_missed(met, f"{work}: {max(of_best, of_median):.2f} times as long, allowed {allowed}")
        asked = "report" if allowed is None else f"{allowed}x"
        return [ratio(of_best), ratio(of_median), asked, verdict(met)]

    def verdicts(self, parts: Sequence[str]) -> Table:
        """What was wrong and what was lost, in one place."""
        notes = ["A part that was measured and has no row here met all that was asked for."]
        return Table(("part", "kind", "what"), [*self.findings], notes, VERDICTS, parts, timed=False)


def both(times: Times) -> list[str]:
    """The best time and the one in the middle, as cells."""
    return [seconds(times.best), seconds(times.median)]
