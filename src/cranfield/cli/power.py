"""`cranfield power`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator

import click

from cranfield.cli.completion import FILE, complete_measure
from cranfield.cli.options import (
    depth_option,
    digits_option,
    formats_option,
    level_option,
    profile_option,
    qrels_format_option,
    run_format_option,
)
from cranfield.cli.power_tables import tables, tsv
from cranfield.cli.progress import showing_progress
from cranfield.cli.tables import write_lines
from cranfield.errors import UsageError
from cranfield.evaluation.evaluator import Evaluator
from cranfield.evaluation.power import DEFAULT_MEASURES, DEFAULT_POWER, Finding, Pilot, Plan, Planning
from cranfield.stats.arguments import ALTERNATIVES, Alternative
from cranfield.stats.planning import power
from cranfield.stats.planning.discriminative_power import TESTS, DiscriminativePower, discriminative_power
from cranfield.stats.planning.error_rates import error_rates
from cranfield.stats.significance.paired_tests import PAIRED_TESTS

NO_ANSWER = 1
"""The exit code where nothing that was asked has an answer."""

_ALTERNATIVES: dict[str, Alternative] = {**{name: name for name in ALTERNATIVES}, "better": "greater", "worse": "less"}


def _tests(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    """The tests that are named, one at a time or with commas."""
    names = [name.strip().lower() for names in given for name in names.split(",")]
    for name in names:
        if name not in TESTS:
            raise click.BadParameter(f"{name!r} is not one of {', '.join(TESTS)}.", context, parameter)
    return tuple(dict.fromkeys(names))


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
    metavar="TEST,...",
    callback=_tests,
    help=f"{', '.join(TESTS)}; several with commas.  [default: t; with --discriminative: tukey (randomised Tukey HSD)]",
)
@click.option(
    "--alternative",
    type=click.Choice(list(_ALTERNATIVES)),
    default="two-sided",
    show_default=True,
    help="What the test is to find: any difference, one above 0 (better, greater), one below (worse, less).",
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
@level_option
@depth_option
@profile_option
@formats_option
@qrels_format_option
@run_format_option
@digits_option
def command(
    files: tuple[str, ...],
    difference: float | None,
    sd: float | None,
    topics: int | None,
    wanted: float | None,
    tests: tuple[str, ...],
    alternative: str,
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
) -> int:
    """How many topics an experiment needs, what it can find, and which measure finds most.

    Of --difference, --topics and --power give two, and the third is the answer. How much differences vary from topic to
    topic is said by --sd, or taken from a pilot: QRELS and two RUNs or more, of which the differences of all pairs are
    taken together. With a pilot, --difference alone gives the power with the pilot's topics and the topics needed.

    Put in the smallest difference that would matter to you, not the one that the pilot happened to show. Topics that no
    run of the pilot has are left out. The exit code is 1 where there is no answer, as for a difference of 0.
    """
    layout = layout or ("table" if sys.stdout.isatty() else "tsv")
    tests = tests or (("tukey",) if discriminative else ("t",))
    plan = Plan(difference, topics, wanted, systems, width, tests, _ALTERNATIVES[alternative], alpha)
    _check(plan, files, sd, simulate, discriminative, curve, measures)
    if sd is not None:
        planning = Planning(tuple(Finding(None, answer) for answer in plan.answers(sd, sd, topics)))
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
            pilot = Pilot.of(evaluator.evaluate_all(list(files[1:])))
        if discriminative:
            planning = Planning(tuple(_separations(pilot, plan, resamples or 10_000, seed)), pilot)
        elif simulate:
            planning = Planning(tuple(_simulations(pilot, plan, trials, resamples or 1_000, seed)), pilot)
        else:
            planning = Planning.from_pilot(pilot, plan)
    if layout == "json":
        click.echo(json.dumps(planning.to_dict(), indent=2, ensure_ascii=True))
    elif layout == "tsv":
        write_lines(tsv(planning.findings, curve=curve))
        _say_what_the_numbers_lack(planning)
    else:
        write_lines(tables(planning, curve=curve, digits=digits))
    return NO_ANSWER if all(finding.answer.undefined for finding in planning.findings) else 0


def _say_what_the_numbers_lack(planning: Planning) -> None:
    """Where only numbers are printed, say on standard error what they rest on, and why there are none."""
    said = [finding.sentence for finding in planning.findings if finding.answer.undefined]
    if planning.pilot:
        left_out = planning.pilot.scores[0].left_out or planning.pilot.in_no_run
        said += [*([planning.pilot.sentence] if left_out else []), *planning.pilot.notes]
    uncorrected = [
        finding.answer
        for finding in planning.findings
        if isinstance(finding.answer, DiscriminativePower)
        and not finding.answer.corrected
        and finding.answer.comparisons > 1
    ]
    if uncorrected:
        tests = ", ".join(dict.fromkeys(answer.test for answer in uncorrected))
        said.append(f"{tests}: not corrected for {uncorrected[0].comparisons} comparisons")
    for line in said:
        click.echo(f"cranfield: {line}", err=True)


def _simulations(pilot: Pilot, plan: Plan, trials: int, resamples: int, seed: int) -> Iterator[Finding]:
    """How often each test errs on scores like these."""
    for matrix in pilot.scores:
        for test in plan.tests:
            found = error_rates(
                matrix.by_run,
                plan.difference or 0.0,
                topics=plan.topics,
                test=test,
                alternative=plan.alternative,
                alpha=plan.alpha,
                trials=trials,
                resamples=resamples,
                seed=seed,
            )
            yield Finding(str(matrix.measure), found)


def _separations(pilot: Pilot, plan: Plan, resamples: int, seed: int) -> Iterator[Finding]:
    """How many pairs of runs each test can tell apart."""
    for matrix in pilot.scores:
        for test in plan.tests:
            found = discriminative_power(matrix.by_run, test=test, alpha=plan.alpha, resamples=resamples, seed=seed)
            yield Finding(str(matrix.measure), found)


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
        told = {"--difference": plan.difference, "--topics": plan.topics, "--power": plan.wanted,
                "--systems": plan.systems, "--width": plan.width}  # fmt: skip
        for name, value in told.items():
            if value is not None:
                raise UsageError(f"{name} has no part in --discriminative, which counts pairs of runs; leave it out")
        return
    if simulate and plan.difference is None:
        raise UsageError("--simulate needs --difference")
    plan.check()
    if plan.width is None and plan.difference is None and plan.topics is None and not files:
        raise UsageError("give --difference, --topics or --width")
