"""Drawings from judgments and runs, in one call."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from cranfield.errors import UsageError, did_you_mean
from cranfield.evaluation.evaluator import Evaluator, Measures
from cranfield.evaluation.named_runs import named_runs
from cranfield.measures import Measure
from cranfield.report.kinds import KINDS, Kind, Request, kind_named

if TYPE_CHECKING:
    from cranfield.report.drawing import AnyChart

JOINED = ("profile", "level", "depth", "judged_only", "complete", "qrels_format", "run_format")
"""The options of an evaluation with which runs can be looked up once for many points."""


def plot(
    kind: str,
    qrels: Any = None,
    runs: Any = None,
    measures: Measures | None = None,
    *,
    theme: str = "light",
    title: str | None = None,
    **options: Any,
) -> AnyChart:
    """Draw: an Altair chart, which a notebook shows and `cranfield.report.write_chart` writes to a file.

    `kind` is one of those that `cranfield plot --help` lists; docs/plots.md shows them. Judgments and runs have any
    shape that `evaluate` takes; `options` are those of `Evaluator` and those of the kind, as on that page. `theme` is
    `light` or `dark`.

    >>> qrels, run = {"q1": {"d1": 1}, "q2": {"d2": 1}}, {"q1": {"d1": 2.0}, "q2": {"d1": 2.0, "d2": 1.0}}
    >>> chart = plot("per-topic", qrels, {"bm25": run}, "RR")  # 1 and 1/2
    >>> chart.title.text
    ['RR by topic: bm25, 2 topics']
    """
    from cranfield.report.theme import ground_named, on

    chosen, ground = kind_named(kind), ground_named(theme)
    said, common = _sorted_out(kind, chosen, options)
    wanted = () if measures is None else (measures,) if isinstance(measures, (str, Measure)) else tuple(measures)
    if wanted and not chosen.measured:
        raise UsageError(f"{kind} is of no measure in particular: leave out {', '.join(map(str, wanted))}")
    if chosen.measured:
        wanted = wanted or chosen.usual
    named = _runs(kind, chosen, qrels, runs)
    chart = chosen.draw(Request(kind, qrels, named, wanted, said, common))
    if title is not None:
        chart = _titled(chart, title)
    return on(chart, ground)


def _sorted_out(kind: str, chosen: Kind, options: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options of the kind, and those of an evaluation; an error if one is neither."""
    own = {name: value for name, value in options.items() if name in chosen.options}
    common = {name: value for name, value in options.items() if name not in own}
    evaluating = JOINED if chosen.joined else tuple(inspect.signature(Evaluator).parameters)
    for name in common:
        if name in evaluating:
            continue
        fitting = [other for other, one in KINDS.items() if name in one.options]
        if fitting:
            raise UsageError(f"{name} says nothing about {kind}; it is for {', '.join(fitting)}")
        if name in inspect.signature(Evaluator).parameters:
            raise UsageError(f"{name} cannot be used with {kind}, which knows {', '.join(JOINED)}")
        known: Iterable[str] = (*chosen.options, *evaluating, "theme", "title")
        raise TypeError(f"plot() has no option {name!r}{did_you_mean(name, known)}")
    return own, common


def _runs(kind: str, chosen: Kind, qrels: Any, runs: Any) -> dict[str, Any]:
    if chosen.most_runs == 0:
        if qrels is not None or runs is not None:
            raise UsageError(f"{kind} is about measures alone: leave out judgments and runs")
        return {}
    if qrels is None or runs is None:
        raise UsageError(f"{kind} needs judgments and {'a run' if chosen.least_runs == 1 else 'runs'}")
    named = named_runs(runs)
    least, most = chosen.least_runs, chosen.most_runs
    if len(named) < least or (most is not None and len(named) > most):
        expected = f"{least} runs" if most == least else f"{least} runs or more"
        raise UsageError(f"{kind} needs {expected}, found {len(named)}")
    return named


def _titled(chart: AnyChart, title: str) -> AnyChart:
    from cranfield.report.captions import caption

    titled = chart.copy(deep=False)
    titled.title = titled.title.copy(deep=False)
    titled.title.text = caption(title).text
    return titled
