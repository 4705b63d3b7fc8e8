"""How documents are chosen: the options of `cranfield pool build` and `extend`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from cranfield.errors import UsageError
from cranfield.pooling.sampling import StratifiedSample
from cranfield.pooling.strategies import STRATEGIES
from cranfield.pooling.strategy import Strategy

Command = TypeVar("Command", bound=Callable[..., Any])

_TAKES = {
    "depth": ("depth",),
    "run-share": ("budget", "depth"),
    "rrf": ("budget", "depth", "k"),
    "rbp": ("budget", "depth", "p"),
    "random": ("rate", "budget", "depth"),
    "strata": ("strata",),
}
"""Which of the options below each strategy can do something with."""
_SHOWN = {"depth": "-k", "k": "--rrf-k", "p": "--rbp-p"}


def strategy_options(command: Command) -> Command:
    """The options from which `strategy_of` makes a strategy."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


_OPTIONS = (
    click.option(
        "--strategy",
        type=click.Choice(list(STRATEGIES)),
        help="How documents are chosen (below).  [default: depth; with --strata: strata]",
    ),
    click.option(
        "-k",
        "--depth",
        type=click.IntRange(1),
        help="So many documents of each list are looked at.  [default: 100 for depth and random, else all]",
    ),
    click.option("--budget", type=click.IntRange(1), metavar="N", help="So many new documents to judge per topic."),
    click.option("--rate", type=float, metavar="SHARE", help="Draw this share of each topic's documents."),
    click.option(
        "--strata",
        metavar="RANK:SHARE,...",
        help="Draw shares of bands by best rank: 10:1.0,50:0.5,100:0.1 takes all down to rank 10, half of the rest "
        "down to 50, a tenth of the rest down to 100.",
    ),
    click.option("--rrf-k", "k", type=click.FloatRange(0), help="The k of rrf's 1 / (k + rank).  [default: 60]"),
    click.option(
        "--rbp-p", "p", type=click.FloatRange(0, 1, max_open=True), help="The persistence p of rbp.  [default: 0.8]"
    ),
)


def strategy_of(strategy: str | None, **given: Any) -> Strategy:
    """The strategy that the options ask for; an error for one that is missing, or has nothing to do here."""
    name = strategy or ("strata" if given.get("strata") else "depth")
    named = {option: value for option, value in given.items() if value is not None}
    for option in named:
        if option not in _TAKES[name]:
            takes = ", ".join(_SHOWN.get(each, f"--{each}") for each in _TAKES[name])
            raise UsageError(
                f"{_SHOWN.get(option, f'--{option}')} says nothing to the strategy {name}, which takes {takes}"
            )
    if name == "strata":
        if "strata" not in named:
            raise UsageError("--strategy strata needs --strata, such as 10:1.0,50:0.5,100:0.1")
        return StratifiedSample.parse(named["strata"])
    if name == "random" and ("rate" in named) == ("budget" in named):
        raise UsageError("--strategy random needs either --rate or --budget")
    if name in ("run-share", "rrf", "rbp") and "budget" not in named:
        raise UsageError(f"--strategy {name} needs --budget: how many documents to judge per topic")
    return STRATEGIES[name](**named)


def refuse_without_runs(runs: Sequence[str], **given: Any) -> None:
    """An error for options of a strategy where there is no run of which it could choose."""
    named = [option for option, value in given.items() if value is not None]
    if named and not runs:
        raise UsageError(
            f"{_SHOWN.get(named[0], f'--{named[0]}')} says which documents of runs are judged, and there is no run: "
            "name runs, or leave it out"
        )


STRATEGIES_HELP = "\n".join(
    [
        "\b",
        "Strategies:",
        "depth      everything that any run has among its first k",
        "run-share  runs take turns, each with its best document that is not there yet, up to the budget",
        "rrf        the documents with the highest sum of 1 / (k + rank) over the runs, up to the budget",
        "rbp        the documents that weigh most in the RBP of the runs, up to the budget",
        "random     a random sample of what the runs have among their first k",
        "strata     a random sample of each band of ranks",
    ]
)
