"""Comparisons as a LaTeX table, for a paper."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

from cranfield.evaluation.compared import Compared
from cranfield.evaluation.comparison import Comparison
from cranfield.report.tables.comparison_cells import NOTHING, Column, best_means, columns
from cranfield.report.tables.comparison_letters import Lettered, lettered

_ESCAPED = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        # The usual font has a straight mark among the letters of a typewriter alone.
        '"': r"{\ttfamily\char34}",
        "`": r"\textasciigrave{}",
        # Behind the end of a row these would be read as part of the command that ends it.
        **{mark: f"{{{mark}}}" for mark in "[]*"},
        **{mark: f"\\{mark}" for mark in "&%$#_{}"},
    }
)
_LIGATURES = re.compile(r"(?<=-)(?=-)|(?<=')(?=')|(?<=,)(?=,)")
"""Between these letters TeX would make one of two."""
_NO_TEXT = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffd]")
_NAMES = {"p": "$p$", "d_z": "$d_z$", "+/=/-": "$+$/$=$/$-$"}
_MARK = r"$^{\dagger}$"
_TEXT_WIDTH = 345
"""Of an article, in points."""
_SIZES = (("small", 4.5, 4), ("footnotesize", 4.1, 3), ("scriptsize", 3.8, 2))
"""Sizes of type, how wide a letter is in each of them, about, and what to leave beside a column, in points."""
_SMALLEST = ("scriptsize", 2)


def latex(comparison: Comparison, *, digits: int) -> Iterator[str]:
    """A table with the rules of booktabs, daggers on significant differences, the best means in bold, and a caption
    that explains them."""
    found, best = columns(comparison, digits), best_means(comparison, digits)
    yield r"% \usepackage{booktabs}"
    yield from opening(_caption(comparison, in_bold=bool(best)), _widths(comparison, found, digits))
    yield rf"\begin{{tabular}}{{l{'r' * (len(found) + 1)}}}"
    yield r"\toprule"
    header = ["", "mean", *(_name(column.header) for column in found)]
    yield _line([header[0], *(f"\\multicolumn{{1}}{{c}}{{{name}}}" for name in header[1:])])
    for measure in comparison.measures:
        yield r"\midrule"
        yield _line([rf"\multicolumn{{{len(found) + 2}}}{{l}}{{\textit{{{escape(str(measure))}}}}}"])
        rows = [row for row in comparison.rows if row.measure == measure]
        yield from _measure(rows, found, digits, best.get(measure))
    yield r"\bottomrule"
    yield r"\end{tabular}"
    yield r"\end{table}"
    for table in lettered(comparison, digits):
        yield from _letters(table)


def opening(caption: str, widths: Sequence[int] = ()) -> Iterator[str]:
    """How a table begins: so much smaller and tighter than text that it fits between the margins of a page.

    `widths` are the letters that columns have.
    """

    def width(letter: float, gap: int) -> float:
        return sum(widths) * letter + 2 * gap * len(widths)

    size, gap = next(((size, gap) for size, letter, gap in _SIZES if width(letter, gap) <= _TEXT_WIDTH), _SMALLEST)
    yield r"\begin{table}"
    yield rf"\centering\{size}\setlength{{\tabcolsep}}{{{gap}pt}}"
    yield rf"\caption{{{caption}}}"
    yield r"\medskip"


def _widths(comparison: Comparison, found: Sequence[Column], digits: int) -> list[int]:
    names = [max(len(row.baseline), len(row.run) + 2) for row in comparison.rows]
    means = [len(f"{row.mean:.{digits}f}") + row.significant for row in comparison.rows]
    others = [max(len(column.header), *(len(column.cell(row)) for row in comparison.rows)) for column in found]
    return [max(names), max(means), *others]


def _name(header: str) -> str:
    """The header of a column; a p-value that is corrected has the name of the correction as an index."""
    if header.startswith("p "):
        return rf"$p_{{\mathrm{{{escape(header[2:])}}}}}$"
    return _NAMES.get(header, escape(header))


def _letters(table: Lettered) -> Iterator[str]:
    """A table of its own for the runs that cannot be told apart."""
    yield from opening(f"{escape(table.header[0])}. {escape(table.sentence)}")
    yield r"\begin{tabular}{lrl}"
    yield r"\toprule"
    yield _line(["", *map(escape, table.header[1:])])
    yield r"\midrule"
    for name, mean, letters in table.rows:
        yield _line([escape(name), f"${mean}$", escape(letters)])
    yield r"\bottomrule"
    yield r"\end{tabular}"
    yield r"\end{table}"


def _measure(rows: Sequence[Compared], found: Sequence[Column], digits: int, best: str | None) -> Iterator[str]:
    def mean(value: float) -> str:
        text = f"{value:.{digits}f}"
        return rf"\textbf{{{text}}}" if text == best else text

    baselines: set[str] = set()
    for row in rows:
        baseline = _line([escape(row.baseline), mean(row.baseline_mean), *([""] * len(found))])
        if baseline not in baselines:
            if baselines:
                yield r"\addlinespace"
            yield baseline
            baselines.add(baseline)
        cells = [_cell(column, row, digits) for column in found]
        mark = _MARK if row.significant else ""
        yield _line([rf"\quad {escape(row.run)}", f"{mean(row.mean)}{mark}", *cells])


def _cell(column: Column, row: Compared, digits: int) -> str:
    text = column.cell(row)
    if text == NOTHING:
        return "--"
    if column.kind == "topics":
        return text
    if column.kind != "interval":
        return f"${text}$"
    assert row.interval is not None
    lower, upper = (f"{bound:.{max(digits - 1, 0)}f}" for bound in (row.interval.lower, row.interval.upper))
    if math.isinf(row.interval.upper):
        return rf"$\ge {lower}$"
    if math.isinf(row.interval.lower):
        return rf"$\le {upper}$"
    times = r"\times" if row.is_geometric else ""
    return f"${times}[{lower}, {upper}]$"


def _caption(comparison: Comparison, *, in_bold: bool) -> str:
    topics = sorted({len(row.topics) for row in comparison.rows})
    number = str(topics[0]) if len(topics) == 1 else f"{topics[0]} to {topics[-1]}"
    words = f"Means over {number} topic{'s' * (topics[-1] != 1)} and differences to "
    words += "the run at the head of each block" if comparison.all_pairs else escape(comparison.baseline)
    bold = " Best mean in bold." if in_bold else ""
    if comparison.first_test is None:
        return f"{words}.{bold}"
    test = comparison.first_test.test
    correction = comparison.significance.correction
    if comparison.comparisons == 1:
        corrected = "one comparison"
    elif correction == "none":
        corrected = f"not corrected for {comparison.comparisons} comparisons"
    else:
        corrected = f"{correction.title()} correction for {comparison.comparisons} comparisons"
    alternative = comparison.significance.alternative
    intervals = escape(f"{comparison.interval_name}s").replace(" ", r"\,", 1)
    notes = "".join(f" {escape(note[:1].upper() + note[1:])}." for note in comparison.test_notes)
    sided = "two-sided" if alternative == "two-sided" else f"one-sided: {alternative}"
    return (
        f"{words}, with {intervals}. {_MARK}: significant at "
        f"{comparison.significance.alpha:g} ({escape(test)}, {sided}, {corrected}). $+$/$=$/$-$: topics on which "
        f"the run is better, equal and worse.{bold}{notes}"
    )


def _line(cells: Sequence[str]) -> str:
    return f"{' & '.join(cells)} \\\\"


def escape(text: str) -> str:
    r"""Text in which nothing is a command.

    >>> escape("bm25_k1 50%")
    'bm25\\_k1 50\\%'
    """
    shown = _NO_TEXT.sub("?", text)
    return "{}".join(part.translate(_ESCAPED) for part in _LIGATURES.split(shown))
