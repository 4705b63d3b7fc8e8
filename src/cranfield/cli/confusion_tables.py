"""Confusion matrices as tables for people and as lines for programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from cranfield.cli.boxes import drawn
from cranfield.cli.tables import render, terminal_width
from cranfield.evaluation.confusion import RunConfusion, ThresholdConfusion
from cranfield.evaluation.confusion_matrix import AVERAGES, Outcomes, Rate
from cranfield.evaluation.label_confusion import LabelConfusion

MOST_CONFUSIONS = 20
_MARKS = (("TP", "FN"), ("FP", "TN"))
_LABELS = {
    "precision": "precision",
    "recall": "recall (sensitivity, TPR)",
    "f": "F",
    "g": "G",
    "jaccard": "Jaccard",
    "false_negative_rate": "miss rate (FNR)",
    "false_positive_rate": "fallout (FPR)",
    "specificity": "specificity (TNR)",
    "accuracy": "accuracy",
    "error_rate": "error rate",
}
_MAIN = ("precision", "recall", "f")
Show = Callable[[Rate], str]
"""How a rate is written."""


def run_tables(result: RunConfusion, layout: str, *, by_query: bool, percent: bool, digits: int) -> Iterator[str]:
    """The matrix of all topics, the rates in each average, and how far judgments and run meet."""
    show = partial(_rate, percent=percent, digits=digits)
    count = len(result.queries)
    yield f"{result.name}: {_set(result)}; {count} topic{'s' * (count != 1)} pooled"
    yield ""
    yield from drawn(result.matrix, layout, terminal_width(), _MARKS)
    yield "Percentages: shares of the relevant documents, and of the others."
    yield "FP are Type I errors, FN are Type II errors. A document that is not judged counts as not relevant."
    if result.pooled.tn is None:
        yield "TN, and what needs it, is unknown without the size of the collection (-N)."
    yield ""
    if by_query:
        yield _outcome_table("topic", result.per_query, result.settings["beta"], show)
        yield ""
    rows = [
        [_name(name, result.settings["beta"], _LABELS), *(show(result.averages[how][name]) for how in AVERAGES)]
        for name in result.pooled.rates
    ]
    yield render(["rate", *AVERAGES], rows)
    yield ""
    yield "micro: topics pooled; macro: mean of topics; weighted: by relevant documents"
    if result.without_documents:
        yield f"{result.without_documents} of {count} topics have an empty set: their precision is 0"
    yield result.coverage.sentence()


def threshold_tables(result: ThresholdConfusion, *, percent: bool, digits: int) -> Iterator[str]:
    """Precision and recall side by side at each threshold; with the size of the collection also fallout."""
    show = partial(_rate, percent=percent, digits=digits)
    first = result[0]
    sized = first.pooled.tn is not None
    f = _name("f", first.settings["beta"])
    yield f"{first.name}: documents with a score of at least the threshold; {len(first.queries)} topics"
    yield ""
    names = [*_MAIN, *(["false_positive_rate"] if sized else [])]
    header = ["threshold", "TP", "FP", "FN", *(["TN"] if sized else [])]
    header += [f"{how} {m}" for how in AVERAGES[:2] for m in ("P", "R", f, "FPR")[: len(names)]]
    rows = []
    for step in result:
        counts = (step.pooled.tp, step.pooled.fp, step.pooled.fn, *([step.pooled.tn] if sized else []))
        values = [show(step.averages[how][name]) for how in AVERAGES[:2] for name in names]
        rows.append([f"{step.settings['threshold']:.6g}", *map(str, counts), *values])
    yield render(header, rows)
    yield ""
    yield "micro: topics pooled; macro: mean of topics; a document that is not judged counts as not relevant"
    empty = max(result, key=lambda step: step.without_documents)
    if empty.without_documents:
        yield (
            f"at {empty.settings['threshold']:.6g}, {empty.without_documents} of {len(first.queries)} topics have an "
            f"empty set: their precision is 0"
        )
    yield first.coverage.sentence()


def label_tables(result: LabelConfusion, layout: str, *, percent: bool, digits: int) -> Iterator[str]:
    """The matrix, or the pairs most often confused if there are too many classes, and the rates of each class."""
    show = partial(_rate, percent=percent, digits=digits)
    yield f"{result.items} items of {len(result.labels)} classes"
    yield ""
    matrix = drawn(result.matrix, layout, terminal_width())
    if matrix:
        yield from matrix
        if "%" in "".join(matrix):
            yield "Percentages: shares of the actual class."
    else:
        yield from _confusions(result)
    yield ""
    rows = _outcome_rows(result.per_class, show)
    for how in AVERAGES:
        rows.append([how, "", "", "", "", *(show(result.averages[how][name]) for name in _MAIN)])
    yield render(["class", "TP", "FP", "FN", "TN", "precision", "recall", _name("f", result.beta)], rows)
    yield ""
    yield "FP of a class (Type I errors): items of other classes taken for it."
    yield "FN of a class (Type II errors): items of it taken for other classes."
    yield "micro: classes pooled; macro: mean of classes; weighted: by items of the class"
    yield f"accuracy {show(result.accuracy)}, error rate {show(result.error_rate)}"


def _confusions(result: LabelConfusion) -> Iterator[str]:
    pairs = result.confusions
    yield f"Too many classes to draw. Most often confused, {min(len(pairs), MOST_CONFUSIONS)} of {len(pairs)} pairs:"
    yield ""
    size = {label: one.tp + one.fn for label, one in result.per_class.items()}
    rows = [[a, p, str(times), f"{times / size[a]:.1%}"] for a, p, times in pairs[:MOST_CONFUSIONS]]
    yield render(["actual", "predicted", "times", "of the class"], rows, left=2)


def _outcome_table(first: str, named: dict[str, Outcomes], beta: float, show: Show) -> str:
    header = [first, "TP", "FP", "FN", "TN", "precision", "recall", _name("f", beta)]
    return render(header, _outcome_rows(named, show))


def _outcome_rows(named: dict[str, Outcomes], show: Show) -> list[list[str]]:
    return [
        [
            name, str(one.tp), str(one.fp), str(one.fn), "?" if one.tn is None else str(one.tn),
            *(show(one.rates[rate]) for rate in _MAIN),
        ]
        for name, one in named.items()
    ]  # fmt: skip


def _set(result: RunConfusion) -> str:
    """What was taken as the set, in words."""
    if result.settings["cutoff"] is not None:
        return f"the first {result.settings['cutoff']} documents of each topic"
    if result.settings["threshold"] is not None:
        return f"documents with a score of at least {result.settings['threshold']:.6g}"
    return "everything retrieved"


def _name(rate: str, beta: float, labels: dict[str, str] | None = None) -> str:
    return f"F{beta:g}" if rate == "f" else (labels or {}).get(rate, rate)


def _rate(value: Rate, *, percent: bool, digits: int) -> str:
    """A rate with so many decimal places; a percentage has two places less."""
    if value is None:
        return "?"
    return f"{value:.{max(digits - 2, 0)}%}" if percent else f"{value:.{digits}f}"


# Lines for programs


def run_tsv(result: RunConfusion, *, by_query: bool, percent: bool) -> Iterator[str]:
    """A line for each topic, if asked for, and for each average."""
    rates = list(result.pooled.rates)
    yield "\t".join(["of", "name", "tp", "fp", "fn", "tn", *rates])
    if by_query:
        yield from (_line("topic", name, one, one.rates.values(), percent) for name, one in result.per_query.items())
    for how in AVERAGES:
        counts = result.pooled if how == "micro" else None
        yield _line("average", how, counts, result.averages[how].values(), percent)


def threshold_tsv(result: ThresholdConfusion, *, percent: bool) -> Iterator[str]:
    """A line for each threshold and average."""
    yield "\t".join(["threshold", "average", "tp", "fp", "fn", "tn", *result[0].pooled.rates])
    for step in result:
        for how in AVERAGES:
            counts = step.pooled if how == "micro" else None
            yield _line(repr(step.settings["threshold"]), how, counts, step.averages[how].values(), percent)


def label_tsv(result: LabelConfusion, *, percent: bool) -> Iterator[str]:
    """A line for each class, with what its items were taken for, for each average, and for all items."""
    rates = list(next(iter(result.per_class.values())).rates)
    yield "\t".join(["of", "name", "tp", "fp", "fn", "tn", *rates, *(f"as {label}" for label in result.labels)])
    for (name, one), row in zip(result.per_class.items(), result.table.tolist(), strict=True):
        yield "\t".join([_line("class", name, one, one.rates.values(), percent), *map(str, row)])
    empty = "\t" * len(result.labels)
    for how in AVERAGES:
        values = [result.averages[how].get(rate) for rate in rates]
        yield _line("average", how, None, values, percent) + empty
    overall = {"accuracy": result.accuracy, "error_rate": result.error_rate}
    yield _line("all", "items", None, map(overall.get, rates), percent) + empty


def _line(first: str, second: str, counts: Outcomes | None, rates: Iterable[Rate], percent: bool) -> str:
    """Cells that are unknown or mean nothing are empty."""
    four = (counts.tp, counts.fp, counts.fn, counts.tn) if counts else (None,) * 4
    shown = ["" if count is None else str(count) for count in four]
    values = ["" if rate is None else f"{100 * rate:.12g}%" if percent else repr(rate) for rate in rates]
    return "\t".join([first, second, *shown, *values])
