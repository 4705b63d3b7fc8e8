"""What came of a search, and how far it has come, for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click

from cranfield.cli.progress import progress_bar
from cranfield.cli.tables import wrapped
from cranfield.engines.journal import journal_file
from cranfield.engines.searching import SearchOutcome, Tell

_NAMED = 10
"""How many topics that failed for one reason are all named."""


@contextmanager
def topic_progress() -> Iterator[Tell | None]:
    """What is told how many topics of how many are done shows it on a terminal as long as this lasts."""
    with progress_bar() as show:
        yield None if show is None else lambda done, all_of: show(f"{done} of {all_of} topics", done / all_of)


def say_outcome(outcome: SearchOutcome, output: str, k: int, allow_gaps: bool, *, replaced: bool = False) -> None:
    """On standard error: what came of it, what failed, and what to do."""
    for reason, topics in _by_reason(outcome).items():
        _say_why(topics, reason)
    speed = outcome.queries_per_second
    said = [f"{len(outcome.topics) - len(outcome.failures)} of {len(outcome.topics)} topics answered"]
    said += [f"{outcome.resumed} of them before"] * bool(outcome.resumed)
    said += [] if speed is None else [f"{speed:,.1f} queries a second"]
    if latency := outcome.latency:
        said.append(f"latency median {_time(latency.median)}, p95 {_time(latency.p95)}, p99 {_time(latency.p99)}")
    said += [f"fewer than {k} documents for {outcome.fewer}"] * bool(outcome.fewer)
    said += [f"none for {outcome.empty}"] * bool(outcome.empty)
    said += [f"put in the order of the scores for {outcome.put_in_order}"] * bool(outcome.put_in_order)
    click.echo("\n".join(wrapped("; ".join(said))), err=True)
    click.echo("\n".join(wrapped(_where(outcome, output, allow_gaps, replaced))), err=True)


def _say_why(topics: Sequence[str], reason: str) -> None:
    """Which topics failed for a reason; its first line in the width of the terminal, the lines of a program as it wrote
    them."""
    named = topics if len(topics) <= _NAMED else topics[:3]
    more = f" and {len(topics) - len(named)} more" if len(named) < len(topics) else ""
    of = "topic" if len(topics) == 1 else f"{len(topics)} topics"
    first, *quoted = reason.splitlines()
    click.echo("\n".join([*wrapped(f"{of} {', '.join(named)}{more}: {first}"), *quoted]), err=True)


def _where(outcome: SearchOutcome, output: str, allow_gaps: bool, replaced: bool) -> str:
    """Where the run is, or why there is none and what to do."""
    if outcome.makes_a_run(allow_gaps=allow_gaps):
        gaps = "" if outcome.complete else ", incomplete: its provenance names the topics that are missing"
        return f"{run_line(output, replaced=replaced)}{gaps}"
    if outcome.complete:
        return (
            "no run was written: no document was found for any topic. Are these the topics for this index, and the "
            "right fields of them (--fields)?"
        )
    failed = "every topic failed" if len(outcome.failures) == len(outcome.topics) else "topics failed"
    there = journal_file(output)
    kept = f"; what was found is in {there}, and --resume asks for the rest" if there.exists() else ""
    without = "; --allow-gaps writes it without them" if outcome.makes_a_run(allow_gaps=True) else ""
    return f"no run was written: {failed}{kept}{without}"


def run_line(output: str, *, replaced: bool) -> str:
    """Where a run was written, and whether there was one."""
    return f"run: {output}{' (in the place of the one that was there)' if replaced else ''}"


def say_run(output: str, *, replaced: bool) -> None:
    """The same on standard error; nothing of standard output, where one sees it."""
    if output != "-":
        click.echo("\n".join(wrapped(run_line(output, replaced=replaced))), err=True)


def _by_reason(outcome: SearchOutcome) -> dict[str, list[str]]:
    reasons: dict[str, list[str]] = {}
    for topic, reason in outcome.failures.items():
        reasons.setdefault(reason, []).append(topic)
    return reasons


def _time(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1000:.1f} ms"
