"""The options that say what is evaluated and how, for every command that scores runs."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import click

from cranfield.cli.completion import FILE, complete_format, complete_measure
from cranfield.cli.options import depth_option, level_option, profile_option, qrels_format_option
from cranfield.evaluation.judgments_given import RELEVANCE
from cranfield.measures import Measure, parse_all
from cranfield.measures.parameters import Whole

_OF_SEVERAL = (
    click.option(
        "-m",
        "measures",
        multiple=True,
        metavar="MEASURE",
        shell_complete=complete_measure,
        help="A measure, in any spelling, such as nDCG@10; P@5,10 and P@1..10 are several. May be repeated.",
    ),
    click.option(
        "-c", "complete", is_flag=True, help="Count judged topics the run lacks as 0, where the profile does not."
    ),
)
_OF_ONE = (
    level_option,
    depth_option,
    click.option("-N", "documents", type=int, help="The size of the collection, for accuracy and others."),
    click.option("-J", "judged_only", is_flag=True, help="Drop unjudged documents before ranking."),
    click.option(
        "-R",
        "relevance",
        type=click.Choice(list(RELEVANCE)),
        default="qrels",
        show_default=True,
        help="What the judgments are.",
    ),
    click.option(
        "--intents",
        metavar="FILE",
        type=FILE,
        help="How likely each subtopic is meant (query subtopic probability), for diversity measures. "
        "Default: all alike.",
    ),
    click.option(
        "--costs",
        metavar="FILE",
        type=FILE,
        help="What it costs to read documents ([query] document cost), for TBG, U, BPM, IFT_C2 and value=EC. "
        "Default: 1 each.",
    ),
    click.option(
        "--default-cost",
        type=float,
        help="What a document costs that --costs does not list, or that comes below the end of a list (there the mean, "
        "if it is not given).",
    ),
    profile_option,
    qrels_format_option,
    click.option(
        "--input-format",
        "run_format",
        metavar="NAME",
        shell_complete=complete_format,
        help="The format of the runs, if the guess is wrong.",
    ),
)


class EvaluatorOptions(NamedTuple):
    """What these options said."""

    level: float
    depth: int | None
    documents: int | None
    judged_only: bool
    relevance: str
    intents: str | None
    costs: str | None
    default_cost: float | None
    profile: str
    qrels_format: str | None
    run_format: str | None
    measures: tuple[str, ...] = ()
    complete: bool = False

    @property
    def keywords(self) -> dict[str, Any]:
        """What `Evaluator` is told beside the judgments and the measures."""
        return {name: value for name, value in self._asdict().items() if name not in ("measures", "documents")}

    def sized_all(self, names: Sequence[str | Measure]) -> Sequence[str | Measure]:
        """The measures with the size of the collection, where it is given and they take it."""
        if self.documents is None:
            return names
        Whole(1).accept(self.documents, "the size of the collection (-N)")
        return [self.sized(measure) for measure in parse_all(names)]

    def sized(self, measure: Measure) -> Measure:
        """The measure with the size of the collection, if it takes that and says neither it nor what excludes it."""
        excluded = {"documents", *measure.definition.alternatives}.intersection(dict(measure.given))
        takes = "documents" in measure.definition.parameters and not excluded
        return measure(documents=self.documents) if takes and self.documents is not None else measure


def evaluator_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """A command with these options; it gets what they said in one argument, `options`."""
    return _with(command, (*_OF_SEVERAL, *_OF_ONE))


def options_for_one_value(command: Callable[..., Any]) -> Callable[..., Any]:
    """A command about one measure and one topic with those of the options that then say anything."""
    return _with(command, _OF_ONE)


def _with(command: Callable[..., Any], options: Sequence[Callable[..., Any]]) -> Callable[..., Any]:
    @functools.wraps(command)
    def with_options(**given: Any) -> Any:
        known = [name for name in EvaluatorOptions._fields if name in given]
        return command(options=EvaluatorOptions(**{name: given.pop(name) for name in known}), **given)

    for option in reversed(options):
        with_options = option(with_options)
    return with_options
