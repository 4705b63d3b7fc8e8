"""`cranfield logs score`."""

from __future__ import annotations

import click

from cranfield.cli.completion import FILE
from cranfield.cli.logs.plot_option import plot_option, write_plot
from cranfield.cli.options import formats_option, run_format_option
from cranfield.cli.progress import showing_progress
from cranfield.cli.sections import Section, show_sections, table_option
from cranfield.evaluation.named_runs import named_runs
from cranfield.formats import read_preferences, read_run
from cranfield.logs.preferred_runs import PreferredRun, PreferredRuns, score_on_preferences
from cranfield.stats.significance.outcome import Outcome

HEADER = ("run", "topics", "agree", "disagree", "neither", "tau", "low", "high", "bpref")


@click.command(
    "score",
    context_settings={"max_content_width": 100},
    epilog="Example: cranfield logs score prefs.tsv old.run new.run",
)
@click.argument("prefs", metavar="PREFS", type=FILE)
@click.argument("runs", nargs=-1, required=True, metavar="RUN...", type=FILE)
@plot_option("how far runs agree")
@table_option(("runs", "topics"), "runs")
@run_format_option
@formats_option
def command(
    prefs: str,
    runs: tuple[str, ...],
    plot: str | None,
    wanted: str | None,
    input_format: str | None,
    layout: str | None,
) -> None:
    """Which run agrees more with preferences, such as `cranfield logs infer-preferences` makes?

    In each topic P preferences agree with the order of a run and Q do not: tau = (P - Q) / (P + Q), BPREF = P / (P +
    Q). Means over topics, with the 95 % interval of tau (Student, cut off at -1 and 1). A document that a run has
    stands above one that it has not; preferences between two that it has not are counted as neither, and left out.
    """
    with showing_progress():
        read = [read_run(run, format=input_format, name=name) for name, run in named_runs(list(runs)).items()]
        found = score_on_preferences(read_preferences(prefs), read)
    rows = [_row(one) for one in found.runs]
    if plot is not None:
        from cranfield.report.charts.run_estimates import Estimate, run_estimates

        drawn = [Estimate(one.run, one.tau, *_bounds(one)) for one in found.runs]
        notes = ["line: 95 % interval over topics"]
        write_plot(run_estimates(drawn, "How far runs agree with preferences", "Kendall's tau", notes), plot)
    taus = [one.by_topic.tolist() for one in found.runs]
    sentences = _sentences(found)
    show_sections(
        {
            "runs": Section(HEADER, rows),
            "topics": Section(("topic", *(one.run for one in found.runs)), list(zip(found.topics, *taus, strict=True))),
        },
        layout,
        wanted,
        usual=("runs",),
        whole={"runs": [dict(zip(HEADER, row, strict=True)) for row in rows], "said": sentences},
        notes=sentences,
    )


def _row(one: PreferredRun) -> tuple[str | float | None, ...]:
    counts = (one.topics, int(one.agree.sum()), int(one.disagree.sum()), one.neither)
    return (one.run, *counts, one.tau, *_bounds(one), one.bpref)


def _bounds(one: PreferredRun) -> tuple[float | None, float | None]:
    return (None, None) if one.interval is None else (one.interval.lower, one.interval.upper)


def _sentences(found: PreferredRuns) -> list[str]:
    best, *others = found.runs
    return [
        f"{best.run} against {other.run}: they have one topic in common, too few to say more."
        if outcome is None
        else f"{_of_both(best, other, outcome)}{outcome.describe(best.run, other.run)}"
        for other, outcome in zip(others, found.behind.values(), strict=True)
    ]


def _of_both(best: PreferredRun, other: PreferredRun, outcome: Outcome) -> str:
    """Over which topics they are compared, where each has some of its own."""
    if outcome.n == best.topics == other.topics:
        return ""
    return f"On the {outcome.n} topics of which both have something to say, "
