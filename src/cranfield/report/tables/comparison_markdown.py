"""Comparisons as Markdown, fit for a pull request."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from cranfield.evaluation.compared import Compared
from cranfield.evaluation.comparison import Comparison
from cranfield.report.tables.comparison_cells import best_means, bounds, columns, signed, topics_line
from cranfield.report.tables.comparison_letters import lettered
from cranfield.report.tables.comparison_words import MOST_SENTENCES, outcome, readings
from cranfield.stats.wording import interval_name

_SPECIAL = re.compile(r"([\\`*_\[\]|])")


def markdown(comparison: Comparison, *, by_query: bool, digits: int) -> Iterator[str]:
    """A heading that says how it ended, tables, and what the numbers rest on."""
    names = comparison.evaluation if comparison.all_pairs and not comparison.verdicts else comparison.runs
    runs = ", ".join(map(escape, names))
    title = f"{runs}: all pairs" if names is comparison.evaluation else f"{runs} against {escape(comparison.baseline)}"
    if comparison.verdicts:
        title = f"{'Passed' if comparison.passed else 'Failed'}: {title}"
    yield f"## {title}"
    yield ""
    for run, text in comparison.change.items():
        yield f"Changed in {escape(run)}: {escape(text)}"
        yield ""
    if comparison.verdicts:
        yield from _table(
            ["", "requirement", "run", "topics", "found"],
            [
                [
                    verdict.status if verdict.met else f"**{verdict.status}**",
                    _code(verdict.requirement.text),
                    escape(verdict.run),
                    f"{escape(verdict.where)} ({verdict.topics})",
                    escape(verdict.found),
                ]
                for verdict in comparison.verdicts
            ],
            left=5,
        )
        yield ""
        yield outcome(comparison)
        yield ""
    yield from _measures(comparison, digits)
    yield ""
    rows = comparison.rows if len(comparison.rows) <= MOST_SENTENCES else ()
    for row in rows:
        topics = topics_line(row, digits)
        said = "".join(f" {escape(sentence)}" for sentence in readings(row))
        yield f"- {escape(row.sentence)}{f' ({escape(topics)})' if topics and not row.not_tested else ''}{said}"
    if rows:
        yield ""
    for table in lettered(comparison, digits):
        yield from _table(list(map(escape, table.header)), [[escape(name), *rest] for name, *rest in table.rows])
        yield ""
        yield escape(table.sentence)
        yield ""
    if comparison.by_slice:
        yield from _slices(comparison, digits)
        yield ""
    if by_query:
        yield from _topics(comparison, digits)
        yield ""
    assumed = [f"{test} assumes: {words}" for test, words in comparison.assumptions.items()]
    for note in (comparison.family_sentence, *assumed, *comparison.notes):
        yield f"- {escape(note)}"


def _measures(comparison: Comparison, digits: int) -> Iterator[str]:
    found = columns(comparison, digits)
    header = ["measure", "run", "baseline", "mean", *(column.header for column in found)]
    best = best_means(comparison, digits)

    def mean(row: Compared, value: float) -> str:
        text = f"{value:.{digits}f}"
        return f"**{text}**" if text == best.get(row.measure) else text

    cells = []
    for row in comparison.rows:
        baseline = mean(row, row.baseline_mean)
        if comparison.all_pairs:
            baseline = f"{escape(row.baseline)} {baseline}"
        star = "\\*" if row.significant else ""
        values = [column.cell(row) + (star if column.kind == "difference" else "") for column in found]
        cells.append([escape(str(row.measure)), escape(row.run), baseline, mean(row, row.mean), *values])
    yield from _table([escape(name) for name in header], cells, left=2)
    marks = []
    if any(row.significant for row in comparison.rows):
        marks.append(f"\\* significant at {comparison.significance.alpha:g}, all comparisons considered")
    if best:
        marks.append("**bold**: the best mean")
    if marks:
        yield ""
        yield "; ".join(marks)


def _slices(comparison: Comparison, digits: int) -> Iterator[str]:
    level = interval_name(comparison.significance.level, "t")
    cells = [
        [
            escape(one.name),
            escape(str(one.compared.measure)),
            escape(one.compared.run),
            str(len(one.compared.topics)),
            f"{one.compared.baseline_mean:.{digits}f}",
            f"{one.compared.mean:.{digits}f}",
            signed(one.compared.difference, digits),
            bounds(one.interval, digits - 1),
        ]
        for one in comparison.by_slice
    ]
    yield from _table(["slice", "measure", "run", "topics", "baseline", "mean", "difference", level], cells, left=3)


def _topics(comparison: Comparison, digits: int) -> Iterator[str]:
    cells = [
        [
            escape(topic),
            escape(str(row.measure)),
            escape(row.run),
            escape(row.baseline),
            f"{old:.{digits}f}",
            f"{new:.{digits}f}",
            signed(new - old, digits),
        ]
        for row in comparison.rows
        for topic, old, new in zip(row.topics, row.baseline_scores.tolist(), row.scores.tolist(), strict=True)
    ]
    header = ["topic", "measure", "run", "baseline", "baseline value", "value", "difference"]
    yield from _table(header, cells, left=4)


def _table(header: Sequence[str], rows: Sequence[Sequence[str]], *, left: int = 1) -> Iterator[str]:
    yield f"| {' | '.join(header)} |"
    yield f"|{'|'.join('---' if at < left else '---:' for at in range(len(header)))}|"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _code(text: str) -> str:
    """Text as it was typed; a bar would end the cell of a table."""
    typed = text.replace("`", "").replace("|", r"\|")
    return f"`{typed}`"


def escape(text: str) -> str:
    r"""Text in which nothing is a mark.

    >>> escape("a_b|c <d>")
    'a\\_b\\|c &lt;d&gt;'
    """
    one_line = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _SPECIAL.sub(r"\\\1", one_line)
