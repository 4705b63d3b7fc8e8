"""The options of `evaluate` that ask how far values can be trusted: ties, unjudged documents, other topics."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import click

from cranfield.errors import UsageError
from cranfield.evaluation.inputs import TIES

_OPTIONS = (
    click.option(
        "--ties",
        type=click.Choice(TIES),
        default="docid",
        show_default=True,
        help="Documents with tied scores in the order of their ids; the expected value over all their orders instead; "
        "or that, the lowest and the highest value beside the value.",
    ),
    click.option(
        "--residuals",
        is_flag=True,
        help="Also the smallest and the largest value there could be if the unjudged documents were judged.",
    ),
    click.option(
        "--highest-grade",
        type=float,
        metavar="G",
        help="The highest grade these could have. Default: that of the judgments.",
    ),
    click.option(
        "--intervals",
        is_flag=True,
        help="Draw what other topics, unjudged documents and ties could make of each mean.",
    ),
    click.option("--bootstrap", is_flag=True, help="With --intervals: draw samples of topics instead of Student's t."),
    click.option(
        "--confidence", type=float, default=0.95, show_default=True, help="With --intervals: that of the topics'."
    ),
    click.option(
        "--seed",
        type=int,
        default=0,
        show_default=True,
        help="Of the orders and samples that are drawn. The same seed gives the same numbers.",
    ),
)


class DoubtOptions(NamedTuple):
    """What these options said."""

    ties: str
    residuals: bool
    highest_grade: float | None
    intervals: bool
    bootstrap: bool
    confidence: float
    seed: int

    @property
    def keywords(self) -> dict[str, Any]:
        """What `Evaluator` is told."""
        said = {name: getattr(self, name) for name in ("ties", "residuals", "highest_grade", "seed")}
        if not self.intervals:
            return said
        return said | {"intervals": "bootstrap" if self.bootstrap else "t", "confidence": self.confidence}

    def check(self, layout: str, *, standardised: bool, by_query: bool) -> None:
        """An error where what is asked for cannot be shown."""
        elsewhere = "-Z" if standardised else "--format trec"
        plain_values = layout == "trec" or standardised
        if self.ties == "range" and plain_values:
            raise UsageError(
                f"--ties range shows several values side by side, which {elsewhere} does not; --ties expected shows one"
            )
        if self.residuals and plain_values:
            raise UsageError(f"--residuals shows values with their bounds, which {elsewhere} does not")
        if self.intervals and plain_values:
            raise UsageError(f"--intervals shows what could become of means, which {elsewhere} does not")
        if self.intervals and (by_query or self.ties != "docid" or self.residuals):
            also = "-q" if by_query else "--residuals" if self.residuals else f"--ties {self.ties}"
            raise UsageError(f"--intervals is about means, and has ties and unjudged documents in it; leave out {also}")
        if not self.intervals and (self.bootstrap or self.confidence != 0.95):
            raise UsageError(f"{'--bootstrap' if self.bootstrap else '--confidence'} goes with --intervals")


def doubt_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """A command with these options; it gets what they said in one argument, `doubts`."""

    @functools.wraps(command)
    def with_options(**given: Any) -> Any:
        doubts = DoubtOptions(**{name: given.pop(name) for name in DoubtOptions._fields})
        return command(doubts=doubts, **given)

    for option in reversed(_OPTIONS):
        with_options = option(with_options)
    return with_options
