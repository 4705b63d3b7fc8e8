"""`cranfield pool export`."""

from __future__ import annotations

import click

from cranfield.cli.completion import FILE
from cranfield.cli.pool.judgments_given import (
    events_of_workspace,
    judgments_given,
    judgments_of_assessors,
    rule_option,
)
from cranfield.cli.pool.pool_inputs import refuse_overwriting
from cranfield.cli.progress import showing_progress
from cranfield.errors import UsageError
from cranfield.formats import module, write_thing
from cranfield.formats.document_lists import write_document_list
from cranfield.formats.pools import read_pool
from cranfield.pooling.judged_pool import JudgedPool

LIST, JUDGES = "list", "qrels_jg"


@click.command(
    "export",
    context_settings={"max_content_width": 120},
    epilog="Example: cranfield pool export pool.tsv judgments.qrels --to strata -o sample.strata",
)
@click.argument("pool", metavar="POOL", type=FILE)
@click.argument("judgments", nargs=-1, metavar="[JUDGMENTS]...", type=FILE)
@click.option(
    "--to",
    "layout",
    type=click.Choice([LIST, "qrels", JUDGES, "strata", "prels"]),
    help="What is written (below).  [default: qrels with judgments, list without]",
)
@click.option("--round", "number", type=click.IntRange(0), help="For list: only what was chosen in this round.")
@rule_option
@click.option("--with-unjudged", is_flag=True, help="For qrels: also what is not judged, with grade -1.")
@click.option("--partial", is_flag=True, help="Take those that are judged for the sample, though not all are judged.")
@click.option(
    "-o", "output", default="-", metavar="FILE", type=FILE, help="The file to write.  [default: standard output]"
)
@click.option("--force", is_flag=True, help="Write it in the place of a file that is there.")
def command(
    pool: str,
    judgments: tuple[str, ...],
    layout: str | None,
    number: int | None,
    rule: str,
    with_unjudged: bool,
    partial: bool,
    output: str,
    force: bool,
) -> None:
    """Write a pool with its judgments as qrels, strata or prels.

    \b
    list      `topic document`, what is to be judged, in the order of judging
    qrels     what is judged; with --with-unjudged what infAP reads, which needs a sample without strata
    qrels_jg  every assessor's grades, with the assessor in the second column
    strata    every document of the pool with its stratum: what xinfAP, infNDCG, infP, statAP and its error read
    prels     what is judged, with the chance it had of being judged: for statAP of other programs (its error: strata)

    JUDGMENTS are qrels, or the events of `cranfield judge`, of one or more assessors. In a workspace they are, unless
    others are named, the events of this pool in judgments/; if it was not judged there, with --to the qrels of the
    workspace. Which they are is said.
    """
    own = [] if judgments or layout == LIST or number is not None else events_of_workspace(pool)
    layout = layout or ("qrels" if judgments or own else LIST)
    with showing_progress():
        read = read_pool(pool)
        refuse_overwriting(output, force=force)
        if layout == LIST:
            if judgments:
                raise UsageError("--to list writes no judgments: leave them out, or write qrels, strata or prels")
            write_document_list(read, output, number)
            return
        if number is not None:
            raise UsageError("--round is for --to list")
        if own:
            click.echo(f"cranfield: the judgments are those of the workspace: {', '.join(own)}", err=True)
        if layout == JUDGES:
            write_thing("qrels", judgments_of_assessors(judgments or own), output, module("trec", "qrels"))
            return
        judged = JudgedPool.of(read, judgments_given(judgments or own, rule))
    if layout != "qrels" and not partial:
        judged.refuse_unfinished()
    notes = judged.notes()
    if layout != "qrels":
        notes += judged.notes_on_strata()
    elif with_unjudged:
        notes += judged.notes_on_infap()
    for note in notes:
        click.echo(f"cranfield: {note}", err=True)
    made = {"qrels": lambda: judged.to_qrels(with_unjudged=with_unjudged), "strata": judged.to_strata}
    qrels = made.get(layout, judged.to_prels)()
    write_thing("qrels", qrels, output, module("trec" if layout == "qrels" else layout, "qrels"))
