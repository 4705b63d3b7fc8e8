"""What stands in the way of believing a result: few topics, unjudged documents, ties, and runs that do not fit."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cranfield.evaluation.bounds.intervals import MeanInterval
from cranfield.evaluation.compared import Compared, scores_to_test
from cranfield.evaluation.coverage import DEPTH, some
from cranfield.report.html.contents import ReportContents
from cranfield.stats.planning.topic_set_size import difference_for_power
from cranfield.stats.wording import number

_POWER = 0.8
_FEW_TOPICS = 25
"""With fewer topics than that the order of systems is known to change with the topics (Buckley and Voorhees 2000)."""
_VISIBLE = 0.0005
"""A change that shows in three decimals."""


def obstacles(contents: ReportContents) -> Iterator[str]:
    """One sentence, or a few, for each thing that is in the way; the weightiest first."""
    yield from _topics(contents)
    yield from _unjudged(contents)
    yield from _ties(contents)
    yield from _runs(contents)
    yield from _files(contents)


def _rows(contents: ReportContents) -> list[Compared]:
    return list(contents.against_baseline(contents.measure).values())


def _interesting(contents: ReportContents) -> list[str]:
    """The runs that the summary is about: the best and the baseline, or the other of two."""
    return list(dict.fromkeys([contents.best_first[0], contents.baseline, *list(contents.runs)[:2]]))[:2]


def _topics(contents: ReportContents) -> Iterator[str]:
    count = len(next(iter(contents.evaluation.values())).queries)
    if count == 1:
        yield "There is but one topic: nothing can be said about others."
        return
    found = [row for row in _rows(contents) if row.run in _interesting(contents) and not row.is_geometric]
    if not found or len(found[0].topics) < 2:
        if count < _FEW_TOPICS:
            yield f"{count} topics are few: with others the numbers could be quite different."
        return
    row = found[0]
    new, old = (scores_to_test(row.measure, scores) for scores in (row.scores, row.baseline_scores))
    sd = float(np.std(new - old, ddof=1))
    if sd <= row.tolerance:
        return
    least = difference_for_power(sd, len(row.topics), power=_POWER).difference
    few = f"{len(row.topics)} topics {'are few: ' if len(row.topics) < _FEW_TOPICS else 'show only so much: '}"
    low, high = row.measure.bounds
    if min(row.scores.min(), row.baseline_scores.min()) >= 0:
        low = max(low, 0.0)
    if not least < high - low:
        yield f"{few}with differences as varied as these not even the largest there can be would be found reliably."
        return
    yield (
        f"{few}differences as varied as these must be {number(least)} or more on average to be found four times in "
        f"five, before any correction."
    )


def _unjudged(contents: ReportContents) -> Iterator[str]:
    """How much of what is shown is not judged, and whether that could turn the result around."""
    shares = {name: 1 - run.coverage.judged_at_10 for name, run in contents.evaluation.items()}
    low, high = min(shares.values()), max(shares.values())
    if high == 0:
        return
    most = max(shares, key=lambda name: shares[name])
    if low == high:
        every = "" if len(shares) == 1 else " of every run"
        told = f"{_percent(high)} of the first {DEPTH} documents{every} are not judged"
    elif len(shares) == 2:
        told = f"Not judged of the first {DEPTH} documents: " + ", ".join(
            f"{_percent(share)} ({name})" for name, share in shares.items()
        )
    else:
        told = f"Not judged of the first {DEPTH} documents: {_percent(low)} to {_percent(high)}, most of {most}"
    bounds = {name: contents.intervals[name][contents.measure] for name in _interesting(contents)}
    if contents.options.get("judged_only"):
        yield f"{told}; they are left out, and the documents below them move up."
    else:
        yield f"{told}; unjudged documents count as not relevant.{_turned(contents, bounds)}"


def _turned(contents: ReportContents, bounds: dict[str, MeanInterval]) -> str:
    known = {name: one.unjudged for name, one in bounds.items() if one.unjudged is not None}
    if len(known) < len(bounds):
        return ""
    said = " and ".join(f"{name} {number(one.lower)} to {number(one.upper)}" for name, one in known.items())
    words = f" If everything retrieved were judged, at whatever rank, {contents.measure} could be: {said}"
    means = contents.means(contents.measure)
    if len(known) < 2 or len({round(means[name], 12) for name in known}) == 1:
        return f"{words}."
    (_, first), (_, second) = known.items()
    apart = first.lower > second.upper or second.lower > first.upper
    return f"{words}: the order of the two {'would stay as it is' if apart else 'could turn around'}."


def _percent(share: float) -> str:
    return "none" if not share else f"{100 * share:.0f} %" if share >= 0.005 else "below 1 %"


def _ties(contents: ReportContents) -> Iterator[str]:
    moved = {}
    for name, intervals in contents.intervals.items():
        ties = intervals[contents.measure].ties
        if ties is not None and ties.upper - ties.lower >= _VISIBLE:
            moved[name] = f"{name} {number(ties.lower)} to {number(ties.upper)}"
    if not moved:
        return
    widest = max(moved, key=lambda name: _width(contents, name))
    listed = ", ".join(moved.values()) if len(moved) <= 3 else f"{len(moved)} runs, most of all {moved[widest]}"
    yield (
        f"Documents share scores, and their order is settled by their names alone. With other orders "
        f"{contents.measure} would be: {listed}."
    )


def _width(contents: ReportContents, name: str) -> float:
    ties = contents.intervals[name][contents.measure].ties
    return 0.0 if ties is None else ties.upper - ties.lower


def _runs(contents: ReportContents) -> Iterator[str]:
    lacking = {name: run.coverage for name, run in contents.evaluation.items() if run.coverage.missing}
    for name, coverage in list(lacking.items())[:3]:
        yield (
            f"{name} has nothing for {len(coverage.missing)} of {coverage.judged} topics ({some(coverage.missing)}: "
            f"{coverage.missing_means})."
        )
    if len(lacking) > 3:
        yield f"{len(lacking) - 3} more runs lack topics too."
    without = next(iter(contents.evaluation.values())).coverage.without_relevant
    if without:
        topics = f"{len(without)} topic{'s have' if len(without) > 1 else ' has'} no relevant document"
        yield f"{topics} ({some(without)}), so that no run can do well there."
    yield from _alike(contents)
    for note in contents.evaluation.depth_notes():
        yield f"{note[0].upper()}{note[1:]}."


def _alike(contents: ReportContents) -> Iterator[str]:
    """Runs that return the same, as far as it is shown."""
    seen: dict[tuple[tuple[int, ...], ...], str] = {}
    for number_of_run, name in enumerate(contents.runs):
        lists = tuple(topic.rankings[number_of_run] for topic in contents.rankings)
        if not any(lists):
            continue
        if lists in seen:
            yield f"{name} and {seen[lists]} return the same first documents for every topic: is it one run twice?"
        seen.setdefault(lists, name)


def _files(contents: ReportContents) -> Iterator[str]:
    wrong = [one for one in contents.validations if one.errors]
    if wrong:
        files = ", ".join(one.name for one in wrong[:3]) + (", ..." if len(wrong) > 3 else "")
        yield f"Something is wrong with {files}: see below, under data quality."
