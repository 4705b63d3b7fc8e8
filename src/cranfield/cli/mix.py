"""`cranfield mix`."""

from __future__ import annotations

import json

import click

from cranfield.cli.completion import FILE
from cranfield.cli.options import level_option, qrels_format_option, run_format_option
from cranfield.cli.progress import showing_progress
from cranfield.cli.tables import wrapped
from cranfield.curves.coin_flip import Mixture, mix, mix_at
from cranfield.errors import UsageError
from cranfield.formats import write_run


@click.command(
    "mix",
    context_settings={"max_content_width": 100},
    epilog="Example: cranfield mix bm25.run dense.run --probability 0.3 -o mixed.run",
)
@click.argument("runs", nargs=-1, required=True, metavar="RUN...", type=FILE)
@click.option("-o", "output", required=True, metavar="FILE", type=FILE, help="The run to write; - is standard output.")
@click.option("--probability", type=float, help="That of the first run, for each topic by itself.  [default: 0.5]")
@click.option(
    "-k",
    "cutoffs",
    type=int,
    multiple=True,
    help="How many documents of each topic are taken: once for both runs, or once for each.",
)
@click.option("--qrels", metavar="FILE", type=FILE, help="Judgments, from which the ROC curves of the runs are made.")
@click.option("--fpr", type=float, help="Mix what is expected to reach this false positive rate; needs --qrels.")
@click.option("--tpr", type=float, help="Mix what is expected to reach this true positive rate; needs --qrels.")
@click.option("-N", "documents", type=int, help="The size of the collection, all of which then counts.")
@level_option
@click.option("--seed", type=int, default=0, show_default=True, help="Which way the coins fall.")
@click.option("--tag", help="The tag of the run.  [default: made from the names]")
@click.option("--json", "as_json", is_flag=True, help="Say what was done as JSON, on standard output.")
@qrels_format_option
@run_format_option
def command(
    runs: tuple[str, ...],
    output: str,
    probability: float | None,
    cutoffs: tuple[int, ...],
    qrels: str | None,
    fpr: float | None,
    tpr: float | None,
    documents: int | None,
    level: float,
    seed: int,
    tag: str | None,
    as_json: bool,
    qrels_format: str | None,
    input_format: str | None,
) -> None:
    """Make the coin-flip system of two runs: for each topic a coin decides whose list it has.

    What is to be expected of the mixture lies on the straight line between the two. With --qrels and a rate the runs
    (any number) are mixed so that the mixture is expected to lie on the convex hull of their ROC curves: which two, how
    many documents of each, and the probability follow from the hull (see `cranfield curve hull`), whose rates are means
    over topics after each number of documents (the cutoff average; `cranfield curve roc` takes the vertical one).

    The coin of a topic depends on its name and --seed alone. What was done is said on standard error.
    """
    if as_json and output == "-":
        raise UsageError("--json and -o - both write to standard output")
    with showing_progress():
        if fpr is None and tpr is None:
            mixed = _flipped(runs, probability, cutoffs, qrels, seed, input_format)
        else:
            if qrels is None:
                raise UsageError("--fpr and --tpr need --qrels, from which rates are known")
            if probability is not None or cutoffs:
                raise UsageError("--probability and -k follow from the rate that is asked for; leave them out")
            mixed = mix_at(
                qrels,
                list(runs),
                fpr=fpr,
                tpr=tpr,
                documents=documents,
                level=level,
                seed=seed,
                qrels_format=qrels_format,
                run_format=input_format,
            )
    if tag is not None:
        mixed.run.tag = tag
    write_run(mixed.run, output)
    if as_json:
        click.echo(json.dumps(mixed.to_dict(), indent=2))
        return
    for sentence in mixed.sentences():
        click.echo("\n".join(wrapped(sentence)), err=True)


def _flipped(
    runs: tuple[str, ...],
    probability: float | None,
    cutoffs: tuple[int, ...],
    qrels: str | None,
    seed: int,
    run_format: str | None,
) -> Mixture:
    if len(runs) != 2:
        raise UsageError(
            f"a coin has two sides: expected two runs, found {len(runs)}; with --qrels and --fpr, any number"
        )
    if qrels is not None:
        raise UsageError("--qrels is for a rate to reach: add --fpr or --tpr")
    if len(cutoffs) > 2:
        raise UsageError(f"-k is given once for both runs or once for each, found {len(cutoffs)}")
    first, second = (cutoffs * 2)[:2] if len(cutoffs) == 1 else cutoffs or (None, None)
    chance = 0.5 if probability is None else probability
    return mix(*runs, chance, cutoffs=(first, second), seed=seed, run_format=run_format)
