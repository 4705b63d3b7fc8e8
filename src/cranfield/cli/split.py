"""`cranfield split`."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from cranfield.cli.command_line import command_line
from cranfield.cli.options import formats_option
from cranfield.cli.tables import render, write_lines
from cranfield.cli.workspace_options import needed_workspace, no_wait_option
from cranfield.cli.workspace_steps import working
from cranfield.experiments.finding import PARTS
from cranfield.experiments.split_files import SCHEMA, SplitRecord
from cranfield.experiments.splits import KINDS, Shares
from cranfield.experiments.tuned_on import named, why_test_is_tuned_on

if TYPE_CHECKING:
    from cranfield.experiments.looks import Looks

SHARE = click.FloatRange(0, 1)


@click.command("split", epilog="Example: cranfield split --train .5 --validation .2 --test .3 --seed 1")
@click.option("--by", type=click.Choice(KINDS), help="What is divided.  [default: query]")
@click.option("--train", type=SHARE, help="The share for learning.  [default: 0.5]")
@click.option("--validation", type=SHARE, help="The share for choosing; 0: none.  [default: 0.2]")
@click.option("--test", type=SHARE, help="The share that is looked at last.  [default: 0.3]")
@click.option("--seed", type=int, help="Another seed divides otherwise.  [default: 0]")
@click.option("--stratify", metavar="FIELD", help="Keep the values of this field of topics in proportion; '': of none.")
@click.option("--folds", type=click.IntRange(0), help="Also divide what is not test into so many folds.")
@click.option("--force", is_flag=True, help="Divide anew what is divided already.")
@no_wait_option
@formats_option
def command(
    by: str | None,
    train: float | None,
    validation: float | None,
    test: float | None,
    seed: int | None,
    stratify: str | None,
    folds: int | None,
    force: bool,
    no_wait: bool,
    layout: str | None,
) -> None:
    """Divide the topics of the workspace into training, validation and test.

    Each part gets files of its own in splits/: topics and judgments. `cranfield tune` is given those for training and
    validation and no others. Evaluations are of the validation topics from then on, unless --split says otherwise, and
    those that look at test topics are noted in the ledger.

    By query, a part has topics with all their judgments; by document it has documents, and the judgments of all topics
    about them. The result depends on the names of topics, the shares and the seed, and not on any order.

    Evaluations before this were looks at the test topics too: they are in the ledger, and counted. With --force, what
    is not said is as [splits] in cranfield.toml has it. Topics that were looked at as test topics, and are none any
    more, are named; so are test topics on which parameters were tuned.
    """
    from cranfield.experiments.looks import looks
    from cranfield.experiments.splitting import SplitRequest, split_workspace, usual_request

    workspace = needed_workspace()
    usual = usual_request(workspace)
    shares = {"train": train, "validation": validation, "test": test}
    request = SplitRequest(
        by=usual.by if by is None else by,
        shares=Shares(**{**usual.shares.by_part, **{part: one for part, one in shares.items() if one is not None}}),
        seed=usual.seed if seed is None else seed,
        stratify=usual.stratify if stratify is None else stratify or None,
        folds=usual.folds if folds is None else folds,
    )
    with working(workspace, wait=not no_wait):
        record = split_workspace(workspace, request, what=command_line(), force=force)
    _say_what_was_seen(record, looks(workspace), why_test_is_tuned_on(workspace))
    if record.too_small:
        sizes = ", ".join(f"{part} {count}" for part, count in record.too_small.items())
        click.echo(f"cranfield: few topics: {sizes}. A mean over so few says little about others", err=True)
    _show(record, layout or ("table" if sys.stdout.isatty() else "tsv"))


def _say_what_was_seen(record: SplitRecord, seen: Looks, tuned_on: str | None) -> None:
    """On standard error: looks at the test topics before this, tuning on them, and test topics that are none now."""
    if seen.entries:
        click.echo(f"cranfield: {seen.sentence}. What was seen stays seen", err=True)
    if record.looked_at:
        click.echo(
            f"cranfield: looked at as test topics before, and now among training or validation: "
            f"{named(record.looked_at)}. What was seen of them stays seen",
            err=True,
        )
    if tuned_on:
        click.echo(f"cranfield: {tuned_on}", err=True)


def _show(record: SplitRecord, layout: str) -> None:
    if layout == "json":
        click.echo(json.dumps({"schema": SCHEMA, **asdict(record)}, indent=2))
        return
    what = "topics" if record.by == "query" else "documents"
    header = ["part", "file", what, "judgments"]
    rows = [
        [part, f"splits/{record.file(part, 'qrels')}", str(record.counts[part]), str(record.judgments[part])]
        for part in PARTS
    ]
    write_lines(map("\t".join, [header, *rows]) if layout == "tsv" else [render(header, rows, left=2)])
    if record.folds:
        sizes = ", ".join(str(len(fold)) for fold in record.folds)
        click.echo(f"folds of training and validation {what}: {sizes}", err=True)
    if record.unjudged:
        click.echo(f"cranfield: without judgments, and in no part: {named(record.unjudged)}", err=True)
