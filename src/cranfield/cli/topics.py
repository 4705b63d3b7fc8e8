"""`cranfield topics`: sample."""

from __future__ import annotations

import click

from cranfield.cli.completion import FILE
from cranfield.cli.logs.log_options import log_options
from cranfield.cli.options import formats_option
from cranfield.cli.sections import Section, show_sections
from cranfield.evaluation.query_draws import WAYS
from cranfield.logs.log import Log
from cranfield.logs.topic_sample import Likeness, LogSample, sample_log


@click.group("topics", epilog="Example: cranfield topics sample shop-log -n 50 -o topics.tsv")
def command() -> None:
    """Draw topics for a test collection from a log."""


@command.command("sample", epilog="Example: cranfield topics sample shop-log --by uniform -n 50 -o topics.tsv")
@log_options
@click.option(
    "--by", type=click.Choice(list(WAYS)), default="frequency", show_default=True, help="How likely each query is."
)
@click.option("-n", "size", type=click.IntRange(1), default=50, show_default=True, help="How many topics.")
@click.option("--seed", type=int, default=1, show_default=True, help="Another seed draws others.")
@click.option(
    "--users",
    "least_users",
    type=click.IntRange(1),
    metavar="K",
    help="Leave out queries that fewer people put.  [default: 2, or as `logs import --anonymity` was told]",
)
@click.option(
    "-o", "--output", "out", type=FILE, required=True, metavar="FILE", help="Where to: .tsv, .jsonl or .toml."
)
@formats_option
def sample_command(
    log: Log, by: str, size: int, seed: int, least_users: int | None, out: str, layout: str | None
) -> None:
    """Draw different queries of a log as topics, so that what is measured on them can be said of the log.

    \b
    frequency   each query as likely as it was put often
    uniform     each different query as likely as any other
    stratified  as many from the head, the torso and the tail, which have a third of the traffic each

    The file has for each topic how often it was asked, by how many people, its stratum, the chance it had to be drawn
    (inclusion), and the share of the traffic that it stands for (weight): a mean weighted by it is an estimate for all
    queries that people put. Queries that few people put are left out, as they may say who these are.

    LOG is one that `cranfield logs import` made; of a plain list of queries `cranfield collection sample-topics` draws.
    """
    found = sample_log(log, size, by=by, seed=seed, least_users=least_users)
    found.write(out)
    show_sections(
        {"likeness": Section(Likeness._fields, found.likeness)},
        layout,
        None,
        usual=("likeness",),
        whole=_whole(found),
        said=[
            f"{out}: {len(found.topics):,} topics of {found.different:,} different queries; {found.left_out:,} others, "
            f"{found.left_out_traffic:.1%} of the traffic, were left out: fewer than {found.least_users} people put "
            "them."
        ],
    )


def _whole(found: LogSample) -> dict[str, object]:
    return {
        "by": found.by,
        "seed": found.seed,
        "least_users": found.least_users,
        "different": found.different,
        "left_out": found.left_out,
        "left_out_traffic": found.left_out_traffic,
        "topics": [{"id": topic.id, **topic.fields} for topic in found.topics.values()],
        "likeness": [one._asdict() for one in found.likeness],
    }
