"""`cranfield import-ltr`."""

from __future__ import annotations

import click

from cranfield.cli.completion import FILE


@click.command("import-ltr", epilog="Example: cranfield import-ltr test.letor scores.txt -o learned.run")
@click.argument("features", type=FILE)
@click.argument("scores", type=FILE)
@click.option("-o", "--output", required=True, metavar="RUN", type=FILE, help="The run to write; - is standard output.")
@click.option("--tag", help="The name of the system.  [default: the name of the file]")
def command(features: str, scores: str, output: str, tag: str | None) -> None:
    """Make a run of the scores of a learned ranker.

    FEATURES is the file that was scored, in the format of LETOR and SVMlight, with the names of documents in comments,
    as `cranfield export-ltr` writes it. SCORES has one score on each line, or as its last field, in the same order.
    """
    from cranfield.experiments.training_data import run_of_scores
    from cranfield.formats import run_name, write_run
    from cranfield.formats.letor import read_features
    from cranfield.formats.scores import read_scores

    run = run_of_scores(read_features(features), read_scores(scores), name=tag or run_name(output))
    write_run(run, output)
