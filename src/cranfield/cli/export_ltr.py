"""`cranfield export-ltr`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from cranfield.cli.command_line import command_line
from cranfield.cli.completion import FILE
from cranfield.cli.progress import showing_progress
from cranfield.cli.tables import render, write_lines
from cranfield.cli.workspace_options import complete_system, nearer, needed_workspace
from cranfield.cli.workspace_steps import say_stale_split
from cranfield.experiments.training_data import WAYS


@click.command("export-ltr", epilog="Example: cranfield export-ltr bm25 hybrid -o ltr")
@click.argument("systems", nargs=-1, metavar="[SYSTEM...]", shell_complete=complete_system)
@click.option("-o", "output", metavar="DIR", type=FILE, default="ltr", show_default=True, help="Where files go.")
@click.option(
    "--normalisation",
    type=click.Choice(WAYS),
    default="min-max",
    show_default=True,
    help="How the scores of a topic are made comparable.",
)
@click.option("--test-grades", is_flag=True, help="Also the grades of test documents: a look, which the ledger notes.")
def command(systems: tuple[str, ...], output: str, normalisation: str, test_grades: bool) -> None:
    """Write training data for learning to rank, part by part of the split, in the format of LETOR and SVMlight.

    The features of a document are its scores in the runs of the systems, all of the workspace unless some are named.
    PART.letor has the judged documents and their grades. PART.candidates.letor has every document that a system found,
    and no grades: what a learner scores there, `cranfield import-ltr` makes a run of. features.tsv says which feature
    is which system.
    """
    from cranfield.experiments.training_files import export_training_data

    workspace = needed_workspace()
    with showing_progress():
        written = export_training_data(
            workspace,
            Path(output),
            systems,
            normalisation=normalisation,
            test_grades=test_grades,
            what=command_line(),
        )
    say_stale_split(workspace)
    header = ["file", "topics", "documents", "grades"]
    rows = [
        [nearer(one.path.absolute()), str(one.topics), str(one.documents), "yes" if one.graded else "no"]
        for one in written
    ]
    write_lines([render(header, rows)] if sys.stdout.isatty() else map("\t".join, [header, *rows]))
