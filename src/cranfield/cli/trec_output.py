"""trec_eval's own output, byte for byte."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from cranfield.evaluation.result import RunEvaluation
from cranfield.measures import parse, trec_eval
from cranfield.measures.profiles import Profile
from cranfield.measures.trec_eval import Column


def columns(names: Sequence[str], profile: Profile) -> list[Column]:
    """The lines that the names given with -m ask for, in trec_eval's order; names it does not know come last.

    As in trec_eval, parameters hold whether or not the measure is also named without them; those given first win.
    """
    chosen: dict[str, list[Column]] = {}
    given: set[str] = set()
    others: list[Column] = []
    for name in names:
        found = trec_eval.columns(name)
        if found is None:
            for measure in parse(name):
                others.append(Column(str(measure), measure, _entry(measure.definition.counts)))
            continue
        by_entry: dict[str, list[Column]] = {}
        for column in found:
            by_entry.setdefault(column.entry.name, []).append(column)
        for entry, found_lines in by_entry.items():
            explicit = name not in trec_eval.NICKNAMES and name != entry
            if entry in profile.lacks and name in trec_eval.NICKNAMES:
                continue
            if entry not in chosen or (explicit and entry not in given):
                chosen[entry] = found_lines
            if explicit:
                given.add(entry)
    order = [entry.name for entry in trec_eval.TABLE]
    return [line for name in sorted(chosen, key=order.index) for line in chosen[name]] + others


def _entry(counts: bool) -> trec_eval.Entry:
    return trec_eval.Entry("", lambda _: [], "count" if counts else "real")


def lines(run: RunEvaluation, wanted: Sequence[Column], *, by_query: bool, summary: bool) -> Iterator[str]:
    """The lines for a run: topics in byte order, then all of them."""
    marks = "Z" if run.standardised else ""
    if by_query:
        for row in np.flatnonzero(run.listed).tolist():
            for column in wanted:
                if column.entry.by_query and column.measure is not None:
                    value = run.columns[column.measure][row]
                    yield _line(column, run.queries[row], value, marks)
    if summary:
        for column in wanted:
            if column.measure is None:
                yield f"{column.label:<22}\tall\t{run.tag}"
            elif column.entry.overall:
                yield _line(column, "all", run.mean[str(column.measure)], marks)


def _line(column: Column, query: str, value: float | str, marks: str) -> str:
    if column.entry.form == "text":
        return f"{column.label:<22}\t{query}\t'{value}'"
    text = f"{int(value)}" if column.entry.form == "count" and not marks else f"{value:6.4f}"
    return f"{marks}{column.label:<22}\t{query}\t{text}"
