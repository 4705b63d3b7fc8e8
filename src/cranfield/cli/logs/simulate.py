"""`cranfield logs simulate`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

import click

from cranfield.cli.completion import FILE
from cranfield.cli.options import formats_option, qrels_format_option, run_format_option
from cranfield.cli.progress import progress_bar, showing_progress
from cranfield.cli.runs_to_evaluate import to_evaluate
from cranfield.cli.sections import Section, show_sections
from cranfield.errors import UsageError
from cranfield.logs.simulation.settings import ATTRACTIVENESS, SATISFACTION, Settings
from cranfield.logs.simulation.users import USERS, user_model

_USUAL = {each.name: each.default for each in fields(Settings)}


def _table(context: click.Context, option: click.Parameter, given: str | None) -> Mapping[float, float] | None:
    """A table such as 0=.1,1=.5."""
    if given is None:
        return None
    table = {}
    for part in given.split(","):
        grade, _, value = part.partition("=")
        try:
            table[float(grade)] = float(value)
        except ValueError:
            raise UsageError(f"{option.opts[-1]} {part}: expected grades and chances, such as 0=.1,1=.5") from None
    return table


def _said(table: Mapping[float, float]) -> str:
    return ",".join(f"{grade:g}={value:g}" for grade, value in table.items())


@click.command(
    "simulate",
    context_settings={"max_content_width": 120},
    epilog="Example: cranfield logs simulate qrels.txt *.run --sessions 10000 --model dbn --seed 1 -o made-up-log",
)
@click.argument("qrels", required=False, metavar="[QRELS]", type=FILE)
@click.argument("runs", nargs=-1, metavar="[RUN]...", type=FILE)
@click.option(
    "-o", "--output", "log", required=True, metavar="LOG", type=FILE, help="The folder of the log; a new one."
)
@click.option("--sessions", type=click.IntRange(1), default=_USUAL["sessions"], show_default=True, help="How many.")
@click.option(
    "--model", type=click.Choice(list(USERS)), default="dbn", show_default=True, help="How users read a page."
)
@click.option(
    "--decay",
    type=float,
    help="pbm, ubm: a rank, or a distance from the last click, is looked at with the chance it^-decay.  [default: 1]",
)
@click.option("--goes-on", type=float, help="dbn, dcm: how likely users go on.  [default: 0.9, dcm 0.4]")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="The same seed gives the same log.")
@click.option(
    "-k", "--depth", type=click.IntRange(1), default=_USUAL["depth"], show_default=True, help="Documents a page shows."
)
@click.option(
    "--attractiveness",
    metavar="GRADE=CHANCE,...",
    callback=_table,
    help=f"How likely who looks at a document clicks it.  [default: {_said(ATTRACTIVENESS)}]",
)
@click.option(
    "--satisfaction",
    metavar="GRADE=CHANCE,...",
    callback=_table,
    help=f"How likely a click gives what was sought.  [default: {_said(SATISFACTION)}]",
)
@click.option(
    "--spread",
    type=float,
    default=_USUAL["spread"],
    show_default=True,
    help="How far the attractiveness of a document may be from that of its grade.",
)
@click.option(
    "--skew",
    type=float,
    default=_USUAL["skew"],
    show_default=True,
    help="The k-th topic is asked for in proportion to k^-skew.",
)
@click.option(
    "--phrasings",
    type=click.IntRange(1),
    default=_USUAL["phrasings"],
    show_default=True,
    help="In how many ways a topic is put at most: as it is, or with a word left out.",
)
@click.option(
    "--shuffled", type=float, default=_USUAL["shuffled"], show_default=True, help="The share of pages in random order."
)
@click.option("--days", type=click.IntRange(1), default=_USUAL["days"], show_default=True, help="Over how many days.")
@click.option("--start", metavar="DAY", default=_USUAL["start"], show_default=True, help="The first of them.")
@click.option(
    "--topics",
    metavar="FILE",
    type=FILE,
    help="What topics ask.  [default: those of the workspace, or else their identifiers]",
)
@click.option(
    "--ubi", metavar="FILE", type=FILE, help="Write it as User Behavior Insights 1.3 too, one JSON object to a line."
)
@run_format_option
@qrels_format_option
@formats_option
def command(
    qrels: str | None,
    runs: tuple[str, ...],
    log: str,
    sessions: int,
    model: str,
    decay: float | None,
    goes_on: float | None,
    seed: int,
    depth: int,
    attractiveness: Mapping[float, float] | None,
    satisfaction: Mapping[float, float] | None,
    spread: float,
    skew: float,
    phrasings: int,
    shuffled: float,
    days: int,
    start: str,
    topics: str | None,
    ubi: str | None,
    input_format: str | None,
    qrels_format: str | None,
    layout: str | None,
) -> None:
    """Make up a log: users search a test collection, and its judgments say what they like.

    Each query is answered by one of the runs, and users read the page as the model says. What they look at they click
    the more likely the better its grade; documents without a judgment are of grade 0, topics without any are not asked
    for. The truth stands beside the tables of the log, in truth.json and truth.parquet. In a workspace, judgments, runs
    and topics are its own; in a divided one, those of the validation topics.
    """
    from cranfield.formats import read_qrels, read_run
    from cranfield.logs.simulating import simulate

    settings = Settings(
        sessions=sessions,
        seed=seed,
        depth=depth,
        attractiveness=attractiveness or ATTRACTIVENESS,
        satisfaction=satisfaction or SATISFACTION,
        spread=spread,
        skew=skew,
        phrasings=phrasings,
        shuffled=shuffled,
        days=days,
        start=start,
    )
    chosen = {name: value for name, value in (("decay", decay), ("goes_on", goes_on)) if value is not None}
    users = user_model(model, **chosen)
    with showing_progress():
        given = to_evaluate(qrels, runs, [])
        read = [run if not isinstance(run, str) else read_run(run, format=input_format) for run in given.scored()]
        judged = read_qrels(given.qrels, format=qrels_format)
        texts = given.topic_texts() if topics is None else _texts(topics)
    with progress_bar() as progress:
        found = simulate(read, judged, log, users=users, texts=texts, settings=settings, ubi=ubi, progress=progress)
    rows = found.record.rows
    show_sections(
        {"rows": Section(("table", "rows"), list(rows.items()))},
        layout,
        None,
        usual=("rows",),
        whole={"log": log, "rows": rows, "model": model, "looked": found.truth.looked.round(6).tolist()},
        said=[f"{log}: {found.record.sources[0].name}"],
        notes=[f"{ubi}: the same as User Behavior Insights"] if ubi else [],
    )


def _texts(topics: str) -> dict[str, str]:
    from cranfield.formats.topics import read_topics

    return read_topics(topics).queries()
