"""Comparisons as tables for people and as lines for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cranfield.cli.tables import render, wrapped
from cranfield.evaluation.compared import Compared
from cranfield.evaluation.comparison import Comparison
from cranfield.measures import Measure
from cranfield.report.tables.comparison_cells import NOTHING, Column, bounds, columns, signed, topics_line
from cranfield.report.tables.comparison_letters import EXPLAINED, lettered_by_tukey, letters_header, letters_of_pairs
from cranfield.report.tables.comparison_records import records
from cranfield.report.tables.comparison_words import MOST_SENTENCES, outcome, readings
from cranfield.stats.wording import interval_name


def tsv(comparison: Comparison, *, by_query: bool) -> Iterator[str]:
    """A line for each measure, run and test; by topic a line for each measure, run and topic."""
    return map("\t".join, records(comparison, by_query=by_query))


def tables(comparison: Comparison, *, by_query: bool, digits: int) -> Iterator[str]:
    """Everything, from the values of each topic to what was required."""
    for run, text in comparison.change.items():
        yield from wrapped(f"changed in {run}: {text}")
    if comparison.change:
        yield ""
    if by_query:
        yield _topics(comparison, digits)
        yield ""
    found = columns(comparison, digits)
    for measure in comparison.measures:
        rows = [row for row in comparison.rows if row.measure == measure]
        yield _matrix(rows, comparison, digits) if comparison.all_pairs else _measure(rows, found, digits)
        yield ""
    if comparison.all_pairs and comparison.comparisons:
        yield from wrapped(f"Row minus column; *: significant ({comparison.significance.tests[0]}). {EXPLAINED}")
        yield ""
    if len(comparison.rows) <= MOST_SENTENCES or any(row.assumptions or row.posterior for row in comparison.rows):
        yield from _sentences(comparison.rows, digits)
    for table in lettered_by_tukey(comparison, digits):
        yield render(table.header, table.rows)
        yield from wrapped(table.sentence)
        yield ""
    if comparison.by_slice:
        yield _slices(comparison, digits)
        yield ""
    yield from _foot(comparison)
    if comparison.verdicts:
        yield ""
        yield from requirements(comparison)


def _measure(rows: Sequence[Compared], found: Sequence[Column], digits: int) -> str:
    """The baseline, and the runs below it. Where the profile leaves topics out, each run has its own baseline."""
    if not any(row.first for row in rows):
        found = [column for column in found if column.kind == "difference"]
    lines: list[list[str]] = []
    for row in rows:
        baseline = [row.baseline, f"{row.baseline_mean:.{digits}f}", *([""] * len(found))]
        if baseline not in lines:
            lines.append(baseline)
        lines.append([row.run, f"{row.mean:.{digits}f}", *(column.cell(row) for column in found)])
    return render([str(rows[0].measure), "mean", *(column.header for column in found)], lines)


def _matrix(rows: Sequence[Compared], comparison: Comparison, digits: int) -> str:
    """Every run (down) minus every other (across); an asterisk says that the difference is significant."""
    names = list(comparison.evaluation)
    order, means, letters = letters_of_pairs(comparison, rows[0].measure)
    place = {names[at]: number for number, at in enumerate(order)}
    cells = [[""] * len(names) for _ in names]
    for row in rows:
        first, second = place[row.run], place[row.baseline]
        sign = 1 if first > second else -1
        star = "*" if row.significant else " "
        cells[max(first, second)][min(first, second)] = signed(sign * row.difference, digits) + star
    header = [str(rows[0].measure), "mean", *([letters_header(comparison)] if letters else []), *list(place)[:-1]]
    lines = [
        [names[at], f"{means[at]:.{digits}f}", *([letters[at]] if letters else []), *cells[number][:-1]]
        for number, at in enumerate(order)
    ]
    return render(header, lines)


def _sentences(rows: Sequence[Compared], digits: int) -> Iterator[str]:
    for row in rows:
        yield from wrapped(row.sentence)
        if row.not_tested is None and topics_line(row, digits):
            yield from wrapped(topics_line(row, digits), indent="  ")
        for sentence in readings(row):
            yield from wrapped(sentence, indent="  ")
        yield ""


def _topics(comparison: Comparison, digits: int) -> str:
    """The values of every topic: those of the baseline, of each run, and how far the run is above it."""
    against = [row for row in comparison.rows if row.baseline == comparison.baseline]
    values: dict[tuple[str, Measure], dict[str, list[str]]] = {}
    for row in against:
        numbers = zip(row.topics, row.baseline_scores.tolist(), row.scores.tolist(), strict=True)
        for topic, old, new in numbers:
            cells = values.setdefault((topic, row.measure), {row.baseline: [f"{old:.{digits}f}"]})
            cells[row.run] = [f"{new:.{digits}f}", signed(new - old, digits)]
    header = ["topic", "measure", comparison.baseline]
    for run in comparison.runs:
        header += [run, "difference"]
    lines = []
    order = {topic: at for at, topic in enumerate(dict.fromkeys(topic for topic, _ in values))}
    for (topic, measure), cells in sorted(values.items(), key=lambda item: order[item[0][0]]):
        line = [topic, str(measure), *cells[comparison.baseline]]
        for run in comparison.runs:
            line += cells.get(run, [NOTHING, NOTHING])
        lines.append(line)
    return render(header, lines, left=2)


def _slices(comparison: Comparison, digits: int) -> str:
    lines = [
        [
            one.name,
            str(one.compared.measure),
            one.compared.run,
            str(len(one.compared.topics)),
            f"{one.compared.baseline_mean:.{digits}f}",
            f"{one.compared.mean:.{digits}f}",
            signed(one.compared.difference, digits),
            bounds(one.interval, digits - 1),
        ]
        for one in comparison.by_slice
    ]
    level = interval_name(comparison.significance.level, "t")
    header = ["slice", "measure", "run", "topics", comparison.baseline, "mean", "difference", level]
    return render(header, lines, left=3)


def _foot(comparison: Comparison) -> Iterator[str]:
    """How many comparisons, what was assumed, what the numbers rest on."""
    yield from wrapped(comparison.family_sentence)
    for test, assumed in comparison.assumptions.items():
        yield from wrapped(f"{test} assumes: {assumed}")
    for note in comparison.notes:
        yield from wrapped(note)


def requirements(comparison: Comparison) -> Iterator[str]:
    """What became of the requirements, one below the other."""
    for text in dict.fromkeys(verdict.requirement.text for verdict in comparison.verdicts):
        yield text
        lines = [
            [
                f"  {verdict.status if verdict.met else verdict.status.upper()}",
                verdict.run,
                f"{verdict.where} ({verdict.topics})",
                verdict.found,
            ]
            for verdict in comparison.verdicts
            if verdict.requirement.text == text
        ]
        yield render(lines[0], lines[1:], left=4)
        yield ""
    yield outcome(comparison)
