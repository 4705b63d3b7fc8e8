"""`cranfield demo`."""

from __future__ import annotations

import contextlib
import platform
import shlex
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import click

from cranfield.cli import demo_tables
from cranfield.cli.command_line import command_line
from cranfield.cli.completion import FILE
from cranfield.cli.progress import progress_bar
from cranfield.cli.tables import in_bold, write_lines
from cranfield.cli.workspace_options import no_wait_option
from cranfield.cli.workspace_steps import working
from cranfield.data.topics import Topics
from cranfield.errors import MissingExtraError
from cranfield.evaluation.agreement import agreement
from cranfield.evaluation.compare import compare
from cranfield.evaluation.comparison import Comparison
from cranfield.evaluation.explaining.explain import explain
from cranfield.evaluation.explaining.explanation import ExplainedDifference
from cranfield.experiments.demonstration.folder import LABELS, make_workspace, refuse_others
from cranfield.experiments.demonstration.material import TOPICS, Material, gather_material
from cranfield.experiments.updating import Step, update
from cranfield.experiments.workspace import Workspace
from cranfield.formats.topics import read_topics

FOLDER = "cranfield-demo"
TITLE = "Which search finds its way through Python's documentation?"
BASELINE, EXPLAINED, MEASURE = "bm25", "hybrid", "nDCG@10"
NEXT = {
    "cranfield failures qrels.txt runs/*.run": "which topics fail, and why",
    "cranfield diff-systems bm25 untuned": "what makes the difference",
    "cranfield split && cranfield tune bm25 --param k1=0.3..2.1:0.3": "can it do better?",
}


@click.command("demo", epilog="Example: cranfield demo my-demo")
@click.argument("folder", required=False, default=FOLDER, metavar="[DIR]", type=FILE)
@click.option("--small", is_flag=True, help="Only evaluate and compare two small runs that come with the package.")
@no_wait_option
@click.pass_context
def command(context: click.Context, folder: str, small: bool, no_wait: bool) -> None:
    """Show what Cranfield does: search, evaluate, compare, explain, report.

    The documents are the docstrings of this Python's standard library; fifty topics and their judgments come with the
    package. DIR, ./cranfield-demo if none is given, becomes a workspace in which four systems index and search. Nothing
    is fetched from a network.
    """
    if small:
        from cranfield.cli.demo_small import show_small_example

        show_small_example()
    else:
        refuse_others(folder)
        _show(context, folder, wait=not no_wait)


def _show(context: click.Context, folder: str, *, wait: bool) -> None:
    """The demonstration, step by step."""
    clock = _Clock()
    with clock.step("documents"):
        material = gather_material()
        workspace = make_workspace(material, folder)
        topics = read_topics(workspace.root / TOPICS)
    write_lines(_heading(material, topics, folder))
    with clock.step("searching"):
        seconds = _search(workspace, wait=wait)
    systems = demo_tables.systems(workspace, seconds)
    write_lines(_section("update", "index the documents, search for every topic", systems))
    with clock.step("evaluating"):
        comparison = _compare(workspace)
        explained = _explain(workspace, comparison)
        judges = agreement(workspace.root / LABELS)
    shown = [demo_tables.means(comparison), *demo_tables.unjudged(comparison)]
    write_lines(_section("evaluate", "how good is each?", *shown))
    family = f"or is it luck? {comparison.comparisons} paired t-tests, corrected after Holm"
    write_lines(_section("compare", family, demo_tables.differences(comparison)))
    topic = explained.run.query
    runs = f"qrels.txt runs/{EXPLAINED}.run --against runs/{BASELINE}.run --query {topic}"
    why = demo_tables.explanation(explained, topics[topic].query())
    write_lines(_section(f"explain {MEASURE} {runs}", "why?", *why))
    write_lines(_section(f"agreement {LABELS}", "would others judge alike?", *demo_tables.judges(judges)))
    write_lines(_section("report", "all of it in one page, topic by topic"))
    with clock.step("report"):
        report = _report(context, workspace)
    write_lines([report, *_ending(folder, clock)])


class _Clock:
    """How long each step took."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}

    @contextlib.contextmanager
    def step(self, name: str) -> Iterator[None]:
        begun = time.perf_counter()
        yield
        self._seconds[name] = time.perf_counter() - begun

    def __str__(self) -> str:
        each = ", ".join(f"{name} {seconds:.1f}" for name, seconds in self._seconds.items())
        return f"{sum(self._seconds.values()):.1f} s ({each})"


def _search(workspace: Workspace, *, wait: bool) -> dict[Path, float]:
    """Every system indexes and searches; how long each index and run took that was not there before."""
    seconds = {}
    with working(workspace, wait=wait), progress_bar(patience=0.0) as show:

        def begin(step: Step, number: int, count: int) -> None:
            if show is not None:
                show(str(step), (number - 1) / count)

        for done in update(workspace, begin=begin, command=command_line()):
            if done.error is not None:
                raise done.error
            seconds[done.step.target] = done.seconds
    return seconds


def _compare(workspace: Workspace) -> Comparison:
    others = [workspace.run_file(name) for name in workspace.systems if name != BASELINE]
    return compare(workspace.qrels_place, workspace.run_file(BASELINE), others, list(workspace.measures))


def _explain(workspace: Workspace, comparison: Comparison) -> ExplainedDifference:
    """The topic on which the two systems differ most."""
    row = comparison[MEASURE, EXPLAINED]
    differences = dict(zip(row.topics, (row.scores - row.baseline_scores).tolist(), strict=True))
    topic = max(differences, key=lambda name: abs(differences[name]))
    run, against = (workspace.run_file(name) for name in (EXPLAINED, BASELINE))
    return explain(workspace.qrels_place, run, MEASURE, topic, against=against)


def _report(context: click.Context, workspace: Workspace) -> str:
    """Where the report is; without what draws, how to get that."""
    from cranfield.cli.report import command as report

    try:
        with contextlib.chdir(workspace.root):
            context.invoke(report, title=TITLE)
    except MissingExtraError as error:
        return f"not written: {error}"
    return workspace.report.as_uri()


def _heading(material: Material, topics: Topics, folder: str) -> Iterator[str]:
    yield in_bold(TITLE)
    yield ""
    example = next(iter(topics.values())).query()
    lacking = f"; {material.dropped} more are of documents this Python lacks" if material.dropped else ""
    yield from demo_tables.facts(
        {
            "documents": f"{len(material.ids):,} docstrings of Python {platform.python_version()}",
            "topics": f"{len(topics)} questions of programmers, such as “{example}”",
            "judgments": f"{len(material.judgments):,} from 0 (not relevant) to 3 (answers){lacking}",
            "workspace": str(Path(folder)),
        }
    )


def _section(command: str, question: str, *lines: str) -> Iterator[str]:
    """A step: the command that does the same, what it is for, and what came of it."""
    yield ""
    yield f"{in_bold(f'$ cranfield {command}')}  # {question}"
    yield from lines


def _ending(folder: str, clock: _Clock) -> Iterator[str]:
    yield ""
    yield from demo_tables.facts({"time": str(clock)})
    yield f"next  cd {shlex.quote(folder)}{_naming_the_program()}"
    width = max(map(len, NEXT))
    yield from (f"      {command.ljust(width)}  # {why}" for command, why in NEXT.items())


def _naming_the_program() -> str:
    """What lets a shell find `cranfield` that does not: after `make demo` it is in an environment of its own."""
    if shutil.which("cranfield"):
        return ""
    program = Path(sys.executable).with_name("cranfield")
    words = [str(program)] if program.is_file() else [sys.executable, "-m", "cranfield"]
    return f"; alias cranfield={shlex.quote(shlex.join(words))}"
