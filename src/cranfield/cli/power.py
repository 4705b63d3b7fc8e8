"""`cranfield power`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import click

from cranfield.cli.completion import FILE, complete_format, complete_measure
from cranfield.cli.power_tables import Answer, Finding, tables, tsv
from cranfield.cli.progress import showing_progress
from cranfield.cli.tables import write_lines
from cranfield.errors import DataError, UsageError
from cranfield.evaluation.evaluator import Evaluator
from cranfield.evaluation.score_matrix import ScoreMatrix, score_matrices
from cranfield.measures.profiles import PROFILES
from cranfield.stats.arguments import ALTERNATIVES, Alternative
from cranfield.stats.planning import power, topic_set_size
from cranfield.stats.planning.discriminative_power import TESTS, discriminative_power
from cranfield.stats.planning.error_rates import error_rates
from cranfield.stats.planning.topic_set_size import PilotVariance, pilot_variance
from cranfield.stats.significance.paired_tests import PAIRED_TESTS

SCHEMA = "cranfield.power/1"
DEFAULT_MEASURES = ("nDCG@10", "AP")
DEFAULT_POWER = 0.8


@dataclass(frozen=True)
class Plan:
    """What was asked for, as options say it."""

    difference: float | None
    topics: int | None
    wanted: float | None
    """The power."""
    systems: int | None
    width: float | None
    tests: tuple[str, ...]
    alternative: Alternative
    alpha: float

    def answers(self, sd: float, scores_sd: float, topics: int | None) -> Iterator[Answer]:
        """What follows from the standard deviation of differences and that of scores, and from so many topics."""
        target = DEFAULT_POWER if self.wanted is None else self.wanted
        if self.width is not None:
            yield topic_set_size.topics_for_interval(self.width, sd, level=1 - self.alpha)
        elif self.systems is not None:
            asked = (self.difference or 0.0, scores_sd, self.systems)
            if topics is not None:
                yield power.power_of_anova(*asked, topics, alpha=self.alpha)
            if self.topics is None:
                yield topic_set_size.topics_for_anova(*asked, power=target, alpha=self.alpha)
        else:
            for test in self.tests:
                more: Any = {"test": test, "alternative": self.alternative, "alpha": self.alpha}
                if topics is not None and self.difference is None:
                    yield topic_set_size.difference_for_power(sd, topics, power=target, **more)
                if topics is not None and self.difference is not None:
                    yield power.power_of_test(self.difference, sd, topics, **more)
                if self.topics is None and self.difference is not None:
                    yield topic_set_size.topics_for_power(self.difference, sd, power=target, **more)

    def simulations(self, pilot: ScoreMatrix, trials: int, resamples: int, seed: int) -> Iterator[Answer]:
        """How often each test errs on scores like these."""
        for test in self.tests:
            yield error_rates(
                pilot.by_run,
                self.difference or 0.0,
                topics=self.topics,
                test=test,
                alternative=self.alternative,
                alpha=self.alpha,
                trials=trials,
                resamples=resamples,
                seed=seed,
            )

    def separations(self, pilot: ScoreMatrix, resamples: int, seed: int) -> Iterator[Answer]:
        """How many pairs of runs each test can tell apart."""
        for test in self.tests:
            yield discriminative_power(pilot.by_run, test=test, alpha=self.alpha, resamples=resamples, seed=seed)


@click.command(
    "power",
    context_settings={"max_content_width": 100},
    epilog="Example: cranfield power --difference 0.03 --sd 0.12 --power 0.8",
)
@click.argument("files", nargs=-1, metavar="[QRELS RUN RUN...]", type=FILE)
@click.option("--difference", type=float, metavar="D", help="The difference of means to be found.")
@click.option("--sd", type=float, metavar="S", help="Standard deviation of the differences; or from QRELS and RUNs.")
@click.option("--topics", type=click.IntRange(min=0), metavar="N", help="How many topics there are.")
@click.option("--power", "wanted", type=float, metavar="P", help=f"How likely it is found. Default: {DEFAULT_POWER}.")
@click.option(
    "--test",
    "tests",
    multiple=True,
    type=click.Choice(TESTS),
    help="May be repeated. Default: t; with --discriminative: tukey (randomised Tukey HSD).",
)
@click.option(
    "--alternative",
    type=click.Choice(ALTERNATIVES),
    default="two-sided",
    show_default=True,
    help="What the test is to find: any difference, one above 0, one below.",
)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="The level of significance.")
@click.option(
    "--systems",
    type=click.IntRange(min=2),
    metavar="K",
    help="Compare so many systems by one-way ANOVA; --sd is then that of the scores, --difference best to worst.",
)
@click.option("--width", type=float, metavar="W", help="How wide the interval of the difference may be, in all.")
@click.option("--simulate", is_flag=True, help="Type I and II errors by simulation from the runs.")
@click.option("--discriminative", is_flag=True, help="How many pairs of runs each measure can tell apart.")
@click.option("--curve", is_flag=True, help="With --discriminative: every pair, by its p-value.")
@click.option(
    "-m",
    "measures",
    multiple=True,
    metavar="MEASURE",
    shell_complete=complete_measure,
    help=f"A measure, in any spelling; may be repeated. Default: {', '.join(DEFAULT_MEASURES)}.",
)
@click.option("--trials", type=click.IntRange(min=1), default=2000, show_default=True, help="Of the simulation.")
@click.option(
    "--resamples",
    type=click.IntRange(min=1),
    help="Of tests that use random samples. Default: 10000; with --simulate: 1000.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of everything random.")
@click.option("-l", "level", type=float, default=1, show_default=True, help="The least grade that is relevant.")
@click.option("-M", "depth", type=int, help="Look at the first M documents of each topic only.")
@click.option(
    "--profile", type=click.Choice(list(PROFILES)), default="cranfield", show_default=True, help="Whose semantics."
)
@click.option(
    "--format",
    "layout",
    type=click.Choice(["table", "tsv", "json"]),
    help="Default: table in a terminal, tsv elsewhere.",
)
@click.option(
    "--qrels-format",
    metavar="NAME",
    shell_complete=complete_format,
    help="The format of the judgments, if the guess is wrong.",
)
@click.option(
    "--input-format",
    metavar="NAME",
    shell_complete=complete_format,
    help="The format of the runs, if the guess is wrong.",
)
@click.option("--digits", type=click.IntRange(0, 17), default=4, show_default=True, help="Decimal places in the table.")
def command(
    files: tuple[str, ...],
    difference: float | None,
    sd: float | None,
    topics: int | None,
    wanted: float | None,
    tests: tuple[str, ...],
    alternative: Alternative,
    alpha: float,
    systems: int | None,
    width: float | None,
    simulate: bool,
    discriminative: bool,
    curve: bool,
    measures: tuple[str, ...],
    trials: int,
    resamples: int | None,
    seed: int,
    level: float,
    depth: int | None,
    profile: str,
    layout: str | None,
    qrels_format: str | None,
    input_format: str | None,
    digits: int,
) -> None:
    """How many topics an experiment needs, what it can find, and which measure finds most.

    Of --difference, --topics and --power give two, and the third is the answer. How much differences vary from topic to
    topic is said by --sd, or taken from a pilot: QRELS and two RUNs or more, of which the differences of all pairs are
    taken together. With a pilot, --difference alone gives the power with the pilot's topics and the topics needed.

    Put in the smallest difference that would matter to you, not the one that the pilot happened to show.
    """
    layout = layout or ("table" if sys.stdout.isatty() else "tsv")
    tests = tests or (("tukey",) if discriminative else ("t",))
    plan = Plan(difference, topics, wanted, systems, width, tests, alternative, alpha)
    _check(plan, files, sd, simulate, discriminative, curve, measures)
    findings: list[Finding] = []
    pilot: list[ScoreMatrix] = []
    variances: dict[str, PilotVariance] = {}
    if sd is not None:
        findings = [Finding(None, answer) for answer in plan.answers(sd, sd, topics)]
    else:
        with showing_progress():
            evaluator = Evaluator(
                files[0],
                measures or DEFAULT_MEASURES,
                profile=profile,
                level=level,
                depth=depth,
                qrels_format=qrels_format,
                run_format=input_format,
            )
            evaluation = evaluator.evaluate_all(list(files[1:]))
        for run in evaluation.values():
            if run.coverage.incomplete:
                click.echo(f"cranfield: {run.name}: {run.coverage.sentence()}", err=True)
        pilot = score_matrices(evaluation)
    for matrix in pilot:
        name = str(matrix.measure)
        if discriminative:
            answers = plan.separations(matrix, resamples or 10_000, seed)
        elif simulate:
            answers = plan.simulations(matrix, trials, resamples or 1_000, seed)
        else:
            variances[name] = seen = _variance(matrix)
            answers = plan.answers(seen.difference_sd, seen.scores_sd, seen.topics if topics is None else topics)
        findings += [Finding(name, answer) for answer in answers]
    if layout == "json":
        click.echo(json.dumps(_json(findings, pilot, variances), indent=2, ensure_ascii=True))
    elif layout == "tsv":
        write_lines(tsv(findings, curve=curve))
        for finding in findings:
            if finding.answer.undefined:
                click.echo(f"cranfield: {finding.sentence}", err=True)
    else:
        write_lines(tables(findings, pilot, curve=curve, digits=digits))


def _variance(matrix: ScoreMatrix) -> PilotVariance:
    seen = pilot_variance(matrix.by_run)
    if seen.undefined:
        raise DataError(f"{matrix.measure}: no variance can be taken from the pilot: {seen.undefined}. Give --sd.")
    return seen


def _check(
    plan: Plan,
    files: tuple[str, ...],
    sd: float | None,
    simulate: bool,
    discriminative: bool,
    curve: bool,
    measures: tuple[str, ...],
) -> None:
    """An error for options that do not go together, or do not suffice."""
    if sd is not None and files:
        raise UsageError("the standard deviation is either given (--sd) or taken from QRELS and RUNs, not both")
    if sd is None and not files:
        raise UsageError("how much do differences vary? Give --sd, or a pilot: QRELS and two RUNs or more")
    if files and len(files) < 3:
        raise UsageError(f"a pilot is QRELS and two RUNs or more, found {len(files)} file{'s' * (len(files) > 1)}")
    if measures and not files:
        raise UsageError("-m is for a pilot: give QRELS and two RUNs or more")
    for name, used in (("--simulate", simulate), ("--discriminative", discriminative)):
        if used and not files:
            raise UsageError(f"{name} needs scores: give QRELS and two RUNs or more")
    if simulate and discriminative:
        raise UsageError("--simulate and --discriminative are two questions; ask one at a time")
    if curve and not discriminative:
        raise UsageError("--curve goes with --discriminative")
    known = TESTS if discriminative else tuple(PAIRED_TESTS) if simulate else tuple(power.TESTS)
    for test in plan.tests:
        if test not in known:
            hint = "; its power can be simulated (--simulate)" if test in PAIRED_TESTS else ""
            raise UsageError(f"--test {test} is not for this question{hint}; there are: {', '.join(known)}")
    if discriminative:
        return
    if plan.wanted is not None and plan.difference is not None and plan.topics is not None:
        raise UsageError("of --difference, --topics and --power give two: the third is the answer")
    if plan.difference is None and (simulate or plan.systems is not None):
        raise UsageError(f"{'--simulate' if simulate else '--systems'} needs --difference")
    if plan.width is None and plan.difference is None and plan.topics is None and not files:
        raise UsageError("give --difference, --topics or --width")


def _json(findings: list[Finding], pilot: list[ScoreMatrix], variances: dict[str, PilotVariance]) -> dict[str, Any]:
    whole: dict[str, Any] = {"schema": SCHEMA}
    if pilot:
        whole["pilot"] = {
            "runs": list(pilot[0].runs),
            "topics": len(pilot[0].topics),
            "topics_left_out": list(pilot[0].left_out),
            "variance": {name: asdict(seen) for name, seen in variances.items()},
        }
    whole["findings"] = [one.to_dict() for one in findings]
    return whole
