"""`cranfield demo --small`: two runs of six topics, to look at and to try commands on."""

from __future__ import annotations

import shutil
from importlib import resources

import click

from cranfield.cli import comparison_tables
from cranfield.cli.score_tables import tables
from cranfield.evaluation.compare import compare
from cranfield.evaluation.evaluator import DEFAULT_MEASURES, Evaluator
from cranfield.formats.writing import writing_folder


def show_small_example(target: str | None = None) -> None:
    """Evaluate and compare the two runs, and say where they are: in a folder, if one is named."""
    with resources.as_file(resources.files("cranfield.cli") / "small_example") as folder:
        if target is not None:
            with writing_folder(target) as made:
                shutil.copytree(folder, made, dirs_exist_ok=True)
        qrels, runs = folder / "qrels.txt", [folder / "keyword.run", folder / "semantic.run"]
        evaluator = Evaluator(qrels, DEFAULT_MEASURES)
        click.echo("Six topics about recipes, judged by hand (0 no, 1 partly, 2 yes), and two search systems.")
        click.echo("\n$ cranfield evaluate qrels.txt keyword.run semantic.run\n")
        click.echo("\n".join(tables(list(evaluator.evaluate_all(runs).values()), by_query=False, summary=True)))
        click.echo("\n$ cranfield evaluate qrels.txt keyword.run semantic.run -q -n -m nDCG@10\n")
        by_topic = list(Evaluator(qrels, ["nDCG@10"]).evaluate_all(runs).values())
        click.echo("\n".join(tables(by_topic, by_query=True, summary=False)))
        click.echo("\n$ cranfield compare qrels.txt keyword.run semantic.run -m nDCG@10\n")
        compared = compare(qrels, runs[0], runs[1], "nDCG@10")
        click.echo("\n".join(comparison_tables.tables(compared, by_query=False, digits=4)))
        click.echo(f"\nThe files are in {target or folder}: try the commands on them, or on your own.")
