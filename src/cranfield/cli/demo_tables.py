"""What the demonstration prints: a few lines of each result, where the commands it names print all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from cranfield.cli.tables import render, wrapped
from cranfield.evaluation.agreement import JudgeAgreement
from cranfield.evaluation.compared import Compared
from cranfield.evaluation.comparison import Comparison
from cranfield.evaluation.explaining.explanation import ExplainedDifference
from cranfield.experiments.systems import index_folder
from cranfield.experiments.workspace import Workspace
from cranfield.report.tables.comparison_cells import NOTHING, bounds, columns, signed

MOST_DOCUMENTS = 5
DIGITS = 4


def facts(rows: Mapping[str, str]) -> Iterator[str]:
    """What is there, below each other."""
    width = max(map(len, rows)) + 2
    for name, text in rows.items():
        first, *more = wrapped(text, indent=" " * width)
        yield from (name.ljust(width) + first[width:], *more)


def systems(workspace: Workspace, seconds: Mapping[Path, float]) -> str:
    """What the systems are, and how long it took to index and to search, where that was to be done."""
    rows, shown = [], set[Path | None]()
    for name, system in workspace.systems.items():
        index = index_folder(workspace, system)
        took = [seconds.get(path) if path else None for path in (index, workspace.run_file(system))]
        cells = ["kept" if time is None else f"{time:.1f} s" for time in took]
        rows.append(
            [name, system.engine, _parameters(system.parameters), "shared" if index in shown else cells[0], cells[1]]
        )
        shown.add(index)
    return render(["system", "engine", "parameters", "index", "search"], rows, left=3)


def _parameters(table: Mapping[str, Any]) -> str:
    """What an engine is told; of the parts of a hybrid each with what it is told."""
    if "parts" in table:
        parts = [(part["engine"], {key: part[key] for key in part if key != "engine"}) for part in table["parts"]]
        return ", ".join(f"{engine} ({_parameters(told)})" for engine, told in parts)
    return ", ".join(f"{key} {' '.join(value) if isinstance(value, list) else value}" for key, value in table.items())


def means(comparison: Comparison) -> str:
    """The mean of every measure and run."""
    evaluation = comparison.evaluation
    best = {m: max(f"{run.mean[str(m)]:.{DIGITS}f}" for run in evaluation.values()) for m in comparison.measures}
    rows = [
        [str(measure), *(f"{run.mean[str(measure)]:.{DIGITS}f}" for run in evaluation.values())]
        for measure in comparison.measures
    ]
    bold = {
        (row, at)
        for row, measure in enumerate(comparison.measures)
        for at, cell in enumerate(rows[row])
        if cell == best[measure] and len(set(rows[row][1:])) > 1
    }
    return render(["measure", *evaluation], rows, bold=bold)


def unjudged(comparison: Comparison) -> Iterator[str]:
    """How much of what the systems show first was not judged; nothing if all was."""
    shares = {name: run.coverage.judged_at_10 for name, run in comparison.evaluation.items()}
    if min(shares.values()) < 1:
        each = ", ".join(f"{name} {share:.1%}" for name, share in shares.items())
        yield from wrapped(f"Judged of the top 10: {each}. The others are documents of this Python that nobody judged.")


def differences(comparison: Comparison) -> str:
    """Every tested measure: each run beside the baseline, and what may be said of it."""
    found = [column for column in columns(comparison, DIGITS) if column.kind != "effect"]
    rows = [
        [str(row.measure), row.run, *(column.cell(row) for column in found), _verdict(row)]
        for row in comparison.rows
        if row.first
    ]
    return render(["measure", "run", *(column.header for column in found), "verdict"], rows, left=2)


def _verdict(row: Compared) -> str:
    if not row.significant:
        return "undecided"
    return "better" if row.difference > 0 else "worse"


def explanation(found: ExplainedDifference, question: str) -> Iterator[str]:
    """The documents that make the difference of two runs on a topic."""
    run, against = found.run.run, found.against.run
    yield from wrapped(
        f"{found.measure} of topic {found.run.query}, “{question}”: {run} {found.run.value:.{DIGITS}f}, {against} "
        f"{found.against.value:.{DIGITS}f}. The documents that make the difference:"
    )
    shown = found.documents[:MOST_DOCUMENTS]
    rows = [
        [one.document, _cell(one.grade), _cell(one.rank), _cell(one.against_rank), signed(one.difference, DIGITS)]
        for one in shown
    ]
    more = found.documents[MOST_DOCUMENTS:]
    if more:
        rest = signed(sum(one.difference for one in more), DIGITS)
        rows.append([f"({len(more)} more)", "", "", "", rest])
    yield render(["document", "grade", f"rank in {run}", f"rank in {against}", "difference"], rows)


def _cell(value: float | str | None) -> str:
    return NOTHING if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def judges(found: JudgeAgreement) -> Iterator[str]:
    """How far two readings of the same documents agree."""
    kappa, same = found["cohen_kappa"], found["percent_agreement"]
    topics = len(found.labels.topics or ())
    interval = f" ({100 * kappa.interval.level:g} % interval {bounds(kappa.interval, 2)})" if kappa.interval else ""
    yield from wrapped(
        f"{kappa.items} documents of {topics} topics were read twice, by language models under one guideline: "
        f"{same.value:.1%} have the same grade, Cohen's kappa {kappa.value:.2f}{interval}."
    )
