"""`cranfield tune`."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from cranfield.cli.command_line import command_line
from cranfield.cli.completion import FILE, complete_measure
from cranfield.cli.options import formats_option
from cranfield.cli.progress import progress_bar, showing_progress
from cranfield.cli.tables import render, wrapped, write_lines
from cranfield.cli.workspace_options import complete_system, nearer, needed_workspace, no_wait_option
from cranfield.cli.workspace_steps import say_index, working
from cranfield.errors import MissingExtraError, UsageError
from cranfield.experiments.trial_search import METHODS
from cranfield.experiments.tuned import Tuning, shown
from cranfield.experiments.tuning import Tell
from cranfield.experiments.workspace import System, Workspace
from cranfield.report.export import format_of

SHOWN = 10


@click.command("tune", epilog="Example: cranfield tune bm25 --param k1=0.6..2.0 --param b=0.1..0.9 -m AP")
@click.argument("system", shell_complete=complete_system)
@click.option(
    "--param",
    "parameters",
    multiple=True,
    required=True,
    metavar="NAME=VALUES",
    help="A parameter: k1=0.6..2.0, in steps k1=0.6..2.0:0.2, logarithmic mu=1..1000:log, or a list b=0.3,0.75. May be "
    "repeated; names lead into tables: parts.0.weight.",
)
@click.option(
    "-m",
    "--measure",
    metavar="MEASURE",
    shell_complete=complete_measure,
    help="What is to be good.  [default: the first of the workspace]",
)
@click.option("--trials", type=click.IntRange(1), default=50, show_default=True, help="How many values to try.")
@click.option("--folds", type=click.IntRange(0), default=0, help="Cross-validation with so many folds.")
@click.option(
    "--method",
    type=click.Choice(METHODS),
    help="tpe: Optuna's choice of the next trial. random. grid: all points.  [default: grid if small enough, or tpe]",
)
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same trials.")
@click.option(
    "-o",
    "plot",
    metavar="FILE",
    type=FILE,
    help="Where the surface is drawn: html, svg, png, pdf, json.  [default: tuning/SYSTEM.html]",
)
@click.option("--add", metavar="NAME", help="Add the system with the best values to cranfield.toml under this name.")
@no_wait_option
@formats_option
def command(
    system: str,
    parameters: tuple[str, ...],
    measure: str | None,
    trials: int,
    folds: int,
    method: str | None,
    seed: int,
    plot: str | None,
    add: str | None,
    no_wait: bool,
    layout: str | None,
) -> None:
    """Look for good values of the parameters of a system, by training and validation topics alone.

    Trials are scored by the validation topics, or with --folds by all that are not test, in cross-validation: values
    that are best without a fold are scored on it. Nothing here is given the judgments of the test topics, and no index
    is made anew for parameters that are free for every query. The ledger notes by which topics values were chosen.
    """
    from cranfield.experiments.parameter_space import ParameterSpace
    from cranfield.experiments.split_files import why_judgments_must_have_changed
    from cranfield.experiments.tuned_engines import TunedEngines
    from cranfield.experiments.tuned_on import note_tuning
    from cranfield.experiments.tuning import tune
    from cranfield.experiments.tuning_material import tuning_material

    workspace = needed_workspace()
    chosen = workspace.system(system)
    space = ParameterSpace.of(parameters)
    if plot is not None:
        format_of(plot)
    if add is not None and add in workspace.systems:
        raise UsageError(f"--add {add}: there is a system of that name; give another")
    material = tuning_material(workspace)
    with working(workspace, wait=not no_wait):
        _make_index(workspace, chosen)
        engines = TunedEngines(workspace, chosen, lambda varied: _make_index(workspace, varied))
        with contextlib.closing(engines), _progress() as tell:
            found = tune(
                material,
                engines,
                space,
                measure or (workspace.measures or ("AP",))[0],
                trials=trials,
                method=method,
                folds=folds,
                seed=seed,
                k=chosen.k,
                fields=chosen.fields,
                name=system,
                tell=tell,
                accepts=engines.accepts,
            )
        note_tuning(workspace, material.judged, str(found.measure), command=command_line())
        drawn = _draw(workspace, found, plot)
        if add is not None:
            _add(workspace, chosen, found, add)
    if changed := why_judgments_must_have_changed(workspace):
        click.echo(f"cranfield: {changed}", err=True)
    _show(found, layout or ("table" if sys.stdout.isatty() else "tsv"))
    _say(found, drawn, add)


def _make_index(workspace: Workspace, system: System) -> None:
    """Make the index of a system if it is not there, or not of these documents."""
    from cranfield.engines.index_record import is_index, read_index_record
    from cranfield.experiments import materials, updating
    from cranfield.experiments.systems import index_folder

    folder = index_folder(workspace, system)
    if folder is None:
        return
    documents = materials.documents_content(workspace)
    if is_index(folder) and read_index_record(folder).collection.sha256 == documents.sha256:
        return
    with showing_progress():
        record = updating.index_system(workspace, system)
    say_index(record, nearer(folder))


@contextlib.contextmanager
def _progress() -> Iterator[Tell | None]:
    with progress_bar() as show:
        yield None if show is None else lambda done, all_of: show(f"{done} of {all_of} trials", done / all_of)


def _draw(workspace: Workspace, found: Tuning, plot: str | None) -> str | None:
    """Draw the surface; where nothing is named and nothing can be drawn, nothing is."""
    target = workspace.root / "tuning" / f"{found.system}.html" if plot is None else Path(plot)
    try:
        from cranfield.report.charts.tuning_surface import surface
        from cranfield.report.export import write_chart

        if plot is None:
            target.parent.mkdir(exist_ok=True)
        write_chart(surface(found), target)
    except MissingExtraError:
        if plot is not None:
            raise
        return None
    return nearer(target)


def _add(workspace: Workspace, system: System, found: Tuning, name: str) -> None:
    from cranfield.experiments.toml_sections import write_table
    from cranfield.experiments.tuned_engines import with_values

    values = with_values(system.parameters, found.best.values)
    comment = f"{system.name}, tuned by {found.measure} on {found.topics_in_words}"
    search = {"search": {"fields": list(system.fields), "k": system.k}} if system.fields or system.k != 1000 else {}
    write_table(workspace, ("systems", name), {"engine": system.engine, **values, **search}, comment)


def _show(found: Tuning, layout: str) -> None:
    if layout == "json":
        click.echo(json.dumps(found.to_dict(), indent=2))
        return
    names = found.parameters.names
    header = ["trial", *names, *(f"{found.measure} {portion}" for portion in found.portions)]
    if layout == "tsv":
        rows = [
            [str(one.number), *(str(one.values[name]) for name in names), *(str(one.scores[p]) for p in found.portions)]
            for one in found.trials
        ]
        write_lines(map("\t".join, [header, *rows]))
        return
    best = found.best_first[:SHOWN]
    table = [
        [
            str(one.number),
            *(shown(one.values[name]) for name in names),
            *(f"{one.scores[portion]:.4f}" for portion in found.portions),
        ]
        for one in best
    ]
    write_lines([render(header, table, bold={(0, at) for at in range(len(header))})])
    if len(found.trials) > SHOWN:
        write_lines([f"... the best {SHOWN} of {len(found.trials)} trials"])


def _say(found: Tuning, drawn: str | None, add: str | None) -> None:
    values = ", ".join(f"{name} = {shown(value)}" for name, value in found.best.values.items())
    score = found.best.scores[found.chosen_by]
    said = [f"best by {found.measure} on {found.topics_in_words}: {values} ({score:.4f})", *found.notes]
    said.append(f"{found.searches} trials, {found.trials_per_minute:,.0f} a minute; no test topic was looked at")
    said += [f"the surface is drawn in {drawn}"] if drawn else []
    said += [f"[systems.{add}] is in cranfield.toml: `cranfield search {add}`"] if add else []
    click.echo("\n".join(line for one in said for line in wrapped(one)), err=True)
