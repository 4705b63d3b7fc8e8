"""`cranfield aggregate`."""

from __future__ import annotations

import os

import click

from cranfield.cli.command_line import command_line
from cranfield.cli.completion import FILE
from cranfield.cli.named_runs import run_files
from cranfield.cli.options import run_format_option
from cranfield.cli.progress import showing_progress
from cranfield.cli.search_outcome import say_run
from cranfield.engines.aggregation import METHODS, aggregate
from cranfield.engines.passages import read_mapping
from cranfield.engines.run_provenance import write_provenance
from cranfield.evaluation.provenance.origin import read_input
from cranfield.experiments.finding import find_workspace
from cranfield.formats import read_run, write_run


@click.command(
    "aggregate",
    context_settings={"max_content_width": 100},
    epilog="Example: cranfield aggregate passages.run -o documents.run --method MaxP",
)
@click.argument("run", metavar="RUN", type=FILE)
@click.option("-o", "output", required=True, metavar="FILE", type=FILE, help="The run to write; - is standard output.")
@click.option(
    "--method",
    type=click.Choice(list(METHODS), case_sensitive=False),
    default="MaxP",
    show_default=True,
    help="What the score of a document is: that of its best passage, of the first of it that was returned, the sum or "
    "the mean.",
)
@click.option("--separator", help="The document is what stands before the last of these.  [default: #]")
@click.option("--pattern", metavar="REGEX", help="The document is what the first group, or (?P<document>...), matches.")
@click.option("--mapping", metavar="FILE", type=FILE, help="Lines of passage, tab, document.")
@click.option("-k", "--depth", type=click.IntRange(1), default=1000, show_default=True, help="Documents per topic.")
@click.option("--tag", help="The tag of the run.  [default: made from the name]")
@run_format_option
def command(
    run: str,
    output: str,
    method: str,
    separator: str | None,
    pattern: str | None,
    mapping: str | None,
    depth: int,
    tag: str | None,
    input_format: str | None,
) -> None:
    """Make a run of documents of a run of passages.

    Which document a passage is of follows from its identifier (--separator, --pattern) or a table (--mapping). What the
    run was made of is written beside it, in FILE.provenance.json.

    In a workspace the name of a system stands for its run.
    """
    (run,), there = run_files(find_workspace(), [run]), os.path.exists(output)
    with showing_progress():
        passages, source = read_input("run", run, lambda: read_run(run, format=input_format), hashed=output != "-")
        table = None if mapping is None else read_mapping(mapping)
        made = aggregate(passages, method, separator=separator, pattern=pattern, mapping=table, depth=depth)
    made.tag = tag or made.name
    write_run(made, output, queries=passages.queries_as_given)
    ways = {"separator": separator, "pattern": pattern, "mapping": mapping}
    given = {name: way for name, way in ways.items() if way is not None} or {"separator": "#"}
    content = {
        "system": made.tag,
        "made_by": "aggregation",
        "settings": {"method": method, **given, "k": depth},
        "inputs": [source._replace(run=passages.name).to_dict()],
        "command": command_line(),
    }
    write_provenance(output, content)
    say_run(output, replaced=there)
