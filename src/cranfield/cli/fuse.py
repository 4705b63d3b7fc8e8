"""`cranfield fuse`."""

from __future__ import annotations

import inspect
import os

import click

from cranfield.cli.command_line import command_line
from cranfield.cli.completion import FILE, complete_fusion_method
from cranfield.cli.named_runs import run_files
from cranfield.cli.options import run_format_option
from cranfield.cli.progress import showing_progress
from cranfield.cli.search_outcome import say_run
from cranfield.engines.fusion import METHODS, NORMALISATIONS, fuse
from cranfield.engines.fusion.fuse import fusion_notes
from cranfield.engines.fusion.methods import parse_method
from cranfield.engines.run_provenance import write_provenance
from cranfield.errors import UsageError
from cranfield.evaluation.inputs import run_names
from cranfield.evaluation.provenance.origin import read_input
from cranfield.experiments.finding import find_workspace
from cranfield.formats import read_run, write_run


@click.command(
    "fuse",
    context_settings={"max_content_width": 120},
    epilog="Example: cranfield fuse bm25.run dense.run -o hybrid.run --method RRF",
)
@click.argument("runs", nargs=-1, required=True, metavar="RUN...", type=FILE)
@click.option("-o", "output", required=True, metavar="FILE", type=FILE, help="The run to write; - is standard output.")
@click.option(
    "--method",
    default="RRF",
    show_default=True,
    metavar="NAME",
    shell_complete=complete_fusion_method,
    help="How lists become one (below), with parameters in brackets: 'RRF(k=10)'.",
)
@click.option(
    "--normalisation",
    "--norm",
    type=click.Choice(list(NORMALISATIONS)),
    help="How scores are made comparable, where scores are used.  [default: min-max]",
)
@click.option("--weights", metavar="NUMBER,...", help="The weight of each run, in their order.")
@click.option("-k", "--depth", type=click.IntRange(1), default=1000, show_default=True, help="Documents per topic.")
@click.option("--input-depth", type=click.IntRange(1), help="Look at the first documents of each list only.")
@click.option("--tag", help="The tag of the run.  [default: made from the names]")
@run_format_option
def command(
    runs: tuple[str, ...],
    output: str,
    method: str,
    normalisation: str | None,
    weights: str | None,
    depth: int,
    input_depth: int | None,
    tag: str | None,
    input_format: str | None,
) -> None:
    """Make one run of several.

    Topics that only some of the runs have are kept, in the order of the first run that has them; what is uneven is said
    on standard error. What the run was made of is written beside it, in FILE.provenance.json.

    In a workspace the names of systems stand for their runs.
    """
    chosen, parameters = parse_method(method)
    files, there = run_files(find_workspace(), runs), os.path.exists(output)
    with showing_progress():
        read = [
            read_input("run", run, lambda run=run: read_run(run, format=input_format), hashed=output != "-")  # type: ignore[misc]
            for run in files
        ]
        named = dict(zip(run_names(files), (run for run, _ in read), strict=True))
        fused = fuse(
            named,
            method,
            normalisation=normalisation,
            weights=_numbers(weights),
            depth=depth,
            input_depth=input_depth,
        )
    fused.tag = tag or fused.name
    topics = dict.fromkeys(topic for run in named.values() for topic in run.queries_as_given)
    write_run(fused, output, queries=list(topics))
    settings = {
        "method": chosen.name,
        "parameters": parameters,
        "normalisation": (normalisation or "min-max") if chosen.uses_scores else None,
        "weights": _numbers(weights),
        "k": depth,
        "input_depth": input_depth,
    }
    inputs = [source._replace(run=name).to_dict() for name, (_, source) in zip(named, read, strict=True)]
    system = {"system": fused.tag, "made_by": "fusion", "settings": settings}
    write_provenance(output, {**system, "inputs": inputs, "command": command_line()})
    for note in fusion_notes(named):
        click.echo(f"cranfield: {note}", err=True)
    say_run(output, replaced=there)


def _numbers(text: str | None) -> list[float] | None:
    if text is None:
        return None
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise UsageError(f"--weights {text}: expected numbers with commas between them") from None


_listed = "\n".join(f"{name:<{max(map(len, METHODS))}}  {method.meaning}" for name, method in METHODS.items())
_ways = "\n".join(f"{name:<{max(map(len, NORMALISATIONS))}}  {way.meaning}" for name, way in NORMALISATIONS.items())
command.help = f"{inspect.cleandoc(command.help or '')}\n\n\b\nMethods:\n{_listed}\n\n\b\nNormalisations:\n{_ways}"
