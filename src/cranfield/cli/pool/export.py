"""`cranfield pool export`."""

from __future__ import annotations

import click

from cranfield.cli.completion import FILE
from cranfield.cli.pool.judgments_given import judgments_given, judgments_of_assessors, rule_option
from cranfield.cli.pool.pool_inputs import output_of
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
    qrels     what is judged; with --with-unjudged what infAP reads
    qrels_jg  every assessor's grades, with the assessor in the second column
    strata    every document of the pool with its stratum: what xinfAP, infNDCG, infP and statAP read
    prels     what is judged, with the chance it had of being judged: what statAP and its error read

    JUDGMENTS are qrels, or the events of `cranfield judge`, of one or more assessors; in a workspace they are its own
    unless others are named.
    """
    layout = layout or ("qrels" if judgments else LIST)
    with showing_progress():
        read = read_pool(pool)
        place = output_of(output, None, force=force)
        if layout == LIST:
            if judgments:
                raise UsageError("--to list writes no judgments: leave them out, or write qrels, strata or prels")
            write_document_list(read, place, number)
            return
        if number is not None:
            raise UsageError("--round is for --to list")
        if layout == JUDGES:
            write_thing("qrels", judgments_of_assessors(judgments), place, module("trec", "qrels"))
            return
        judged = JudgedPool.of(read, judgments_given(judgments, rule))
    if layout != "qrels" and not partial:
        judged.refuse_unfinished()
    for note in judged.notes():
        click.echo(f"cranfield: {note}", err=True)
    made = {"qrels": lambda: judged.to_qrels(with_unjudged=with_unjudged), "strata": judged.to_strata}
    qrels = made.get(layout, judged.to_prels)()
    write_thing("qrels", qrels, place, module("trec" if layout == "qrels" else layout, "qrels"))
