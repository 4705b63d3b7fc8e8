"""`cranfield demo`."""

from __future__ import annotations

import contextlib
import platform
import shlex
import shutil
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from cranfield.cli import demo_log
from cranfield.cli.completion import FILE
from cranfield.cli.tables import in_bold, wrapped, write_lines
from cranfield.cli.workspace_options import given, no_wait_option
from cranfield.data.topics import Topics
from cranfield.errors import MissingExtraError
from cranfield.experiments.demonstration.folder import LABELS, make_workspace, refuse_others
from cranfield.experiments.demonstration.material import TOPICS, Material, gather_material
from cranfield.experiments.workspace import Workspace
from cranfield.formats.topics import read_topics

FOLDER = "cranfield-demo"
TITLE = "Which search finds its way through Python's documentation?"
COMMANDS = {
    "update": "index the documents, search for every topic",
    "evaluate": "how good is each?",
    "compare": "or is it luck?",
    "explain nDCG@10 hybrid --against bm25 --query 3 --rows 5": "why?",
    f"agreement {LABELS}": "would others judge alike?",
    f'report --title "{TITLE}"': "all of it in one page",
    demo_log.SIMULATE: "and if people used it?",
}
"""What is shown, and the question to which it is the answer."""
WITHOUT_TABLES = ("update", "report")
NEXT = {
    "cranfield failures": "which topics fail, and why",
    "cranfield diff-systems bm25 untuned": "what makes the difference",
    "cranfield split && cranfield tune bm25 --param k1=0.3..2.1:0.3": "can it do better?",
}


@click.command("demo", epilog="Example: cranfield demo my-demo")
@click.argument("folder", required=False, default=FOLDER, metavar="[DIR]", type=FILE)
@click.option("--small", is_flag=True, help="Only evaluate and compare two small runs, which DIR gets if it is given.")
@no_wait_option
@click.pass_context
def command(context: click.Context, folder: str, small: bool, no_wait: bool) -> None:
    """Show what Cranfield does: search, evaluate, compare, explain, report, and a query log to play with.

    The documents are the docstrings of this Python's standard library; fifty topics and their judgments come with the
    package. DIR, ./cranfield-demo if none is given, becomes a workspace in which four systems index and search, and in
    which the commands are carried out that are shown. Nothing is fetched from a network.
    """
    if small:
        from cranfield.cli.demo_small import show_small_example

        show_small_example(folder if given(context, "folder") else None)
    else:
        refuse_others(folder)
        context.exit(_show(folder, wait=not no_wait))


def _show(folder: str, *, wait: bool) -> int:
    """The demonstration, command by command; gives the exit code of the first that fails, which is the last."""
    clock = _Clock()
    with clock.step("documents"):
        material = gather_material()
        workspace = make_workspace(material, folder)
        topics = read_topics(workspace.root / TOPICS)
    write_lines(_heading(material, topics, folder))
    for words, question in COMMANDS.items():
        line = words if wait or words != "update" else f"{words} --no-wait"
        write_lines(["", f"{in_bold(f'$ cranfield {line}')}  # {question}"])
        with clock.step(shlex.split(line)[0]):
            code = _carry_out(workspace, shlex.split(line))
        if code:
            return code
    about_log = demo_log.NEXT if demo_log.has_log(workspace.root) else {}
    write_lines(_ending(folder, clock, {**about_log, **NEXT}))
    return 0


def _carry_out(workspace: Workspace, words: list[str]) -> int:
    """Carry out a command in the workspace, and show what a terminal would show; gives its exit code."""
    from cranfield.cli.main import cli

    if words[0] == "logs" and not demo_log.room_for_log(workspace.root):
        click.echo(f"not written: {demo_log.LOG} is yours, and is left as it is")
        return 0
    as_in_a_terminal = [] if words[0] in WITHOUT_TABLES else ["--format", "table"]
    with contextlib.chdir(workspace.root), contextlib.redirect_stderr(sys.stdout):
        try:
            return cli.main([*words, *as_in_a_terminal], standalone_mode=False) or 0
        except MissingExtraError as error:  # without what draws there is no report, but all the rest; so with logs
            click.echo(f"not written: {error}")
            return 0


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


def _heading(material: Material, topics: Topics, folder: str) -> Iterator[str]:
    yield in_bold(TITLE)
    yield ""
    example = next(iter(topics.values())).query()
    judgments = f"{len(material.judgments):,} from 0 (not relevant) to 3 (answers), by language models"
    lacking = f"; {material.dropped} more are of documents this Python lacks" if material.dropped else ""
    yield from _facts(
        {
            "documents": f"{len(material.ids):,} docstrings of Python {platform.python_version()}",
            "topics": f"{len(topics)} questions of programmers, such as “{example}”",
            "judgments": judgments + lacking,
            "workspace": str(Path(folder)),
        }
    )


def _facts(rows: Mapping[str, str]) -> Iterator[str]:
    """What is there, below each other."""
    width = max(map(len, rows)) + 2
    for name, text in rows.items():
        first, *more = wrapped(text, indent=" " * width)
        yield from (name.ljust(width) + first[width:], *more)


def _ending(folder: str, clock: _Clock, more: Mapping[str, str]) -> Iterator[str]:
    yield ""
    yield from _facts({"time": str(clock)})
    yield f"next  cd {shlex.quote(folder)}{_naming_the_program()}"
    width = max(map(len, more))
    yield from (f"      {command.ljust(width)}  # {why}" for command, why in more.items())


def _naming_the_program() -> str:
    """What lets a shell find `cranfield` that does not: after `make demo` it is in an environment of its own."""
    if shutil.which("cranfield"):
        return ""
    program = Path(sys.executable).with_name("cranfield")
    words = [str(program)] if program.is_file() else [sys.executable, "-m", "cranfield"]
    return f"; alias cranfield={shlex.quote(shlex.join(words))}"
