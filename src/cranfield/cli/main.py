"""The `cranfield` command. Each subcommand lives in a module of its own, loaded only when it is used."""

from __future__ import annotations

import contextlib
import gc
import io
import os
import sys

# Nothing here multiplies matrices: the threads that NumPy's linear algebra starts when it is loaded only cost time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Loading modules makes objects by the ten thousand and no garbage: look for it less often.
gc.set_threshold(50_000)

import click  # noqa: E402

import cranfield  # noqa: E402
from cranfield.cli.lazy_group import LazyGroup  # noqa: E402
from cranfield.errors import CranfieldError, reason  # noqa: E402

COMMANDS = {
    "init": ("cranfield.cli.init", "Begin a workspace: a folder that knows what is searched and compared."),
    "status": ("cranfield.cli.status", "Say what is in the workspace, what is stale, and what to do next."),
    "update": ("cranfield.cli.update", "Make everything in the workspace that is stale."),
    "diff-systems": ("cranfield.cli.diff_systems", "Say what differs between two systems of the workspace."),
    "split": ("cranfield.cli.split", "Divide the topics of the workspace into training, validation and test."),
    "tune": ("cranfield.cli.tune", "Look for good parameters of a system, by training and validation topics alone."),
    "ledger": ("cranfield.cli.ledger", "Show every look at the test topics of the workspace."),
    "export-ltr": ("cranfield.cli.export_ltr", "Write training data for learning to rank."),
    "import-ltr": ("cranfield.cli.import_ltr", "Make a run of the scores of a learned ranker."),
    "evaluate": ("cranfield.cli.evaluate", "Score runs against judgments."),
    "explain": ("cranfield.cli.explain", "Show the arithmetic behind the value of one topic."),
    "compare": ("cranfield.cli.compare", "Say whether runs are better than a baseline, and how sure that is."),
    "failures": ("cranfield.cli.failures", "Say which topics fail, and which documents every run missed."),
    "curve": ("cranfield.cli.curve", "Print the numbers behind a curve."),
    "plot": ("cranfield.cli.plot", "Draw curves, topics, differences and systems."),
    "report": ("cranfield.cli.report", "Write a report that opens in any browser."),
    "index": ("cranfield.cli.index", "Index the documents of a collection with a search engine."),
    "search": ("cranfield.cli.search", "Put topics to a search engine, which gives a run."),
    "engines": ("cranfield.cli.engines", "List the search engines, or describe one."),
    "fuse": ("cranfield.cli.fuse", "Make one run of several."),
    "aggregate": ("cranfield.cli.aggregate", "Make a run of documents of a run of passages."),
    "pool": ("cranfield.cli.pool", "Say what to judge, what is missing, and what could change a verdict."),
    "judge": ("cranfield.cli.judge", "Judge the documents of a pool, with others in browsers or in the terminal."),
    "mix": ("cranfield.cli.mix", "Mix two runs by the flip of a coin."),
    "confusion": ("cranfield.cli.confusion", "Draw the confusion matrix of a run, or of labels."),
    "similarity": ("cranfield.cli.similarity", "Say how alike the lists of two runs are."),
    "logs": ("cranfield.cli.logs", "Say what query logs tell: what people ask, and what they click."),
    "topics": ("cranfield.cli.topics", "Draw topics for a test collection from a log."),
    "spark": ("cranfield.cli.spark", "Look after Spark: whether a cluster is fit, and what its workers need."),
    "correlate": ("cranfield.cli.correlate", "Say how alike two measures or judgments put systems in order."),
    "agreement": ("cranfield.cli.agreement", "Say how far judges agree, and whether it matters."),
    "power": ("cranfield.cli.power", "Say how many topics it takes, and what they can show."),
    "whydiff": ("cranfield.cli.whydiff", "Say why two tools give different numbers for the same run."),
    "verify": ("cranfield.cli.verify", "Say whether a result still holds."),
    "validate": ("cranfield.cli.validate", "Say everything that is wrong with a qrels or run file."),
    "convert": ("cranfield.cli.convert", "Convert qrels and runs between formats."),
    "collection": ("cranfield.cli.collection", "Import, describe and verify test collections."),
    "measures": ("cranfield.cli.measures", "List the measures, or describe one."),
    "web": ("cranfield.cli.web", "Look after the judging application: database, backups, accounts."),
    "demo": ("cranfield.cli.demo", "Show all of it on the documentation of Python: search, compare, explain, report."),
    "completion": ("cranfield.cli.completion", "Print the script that completes commands in your shell."),
}
"""Name, module (which has a click command `command`), and one line for the overview."""


INTERRUPTED = 130
"""The exit code of a command that Ctrl-C ended, as shells have it."""


@click.group(
    cls=LazyGroup,
    commands_of=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(cranfield.__version__, "-V", "--version", prog_name="cranfield")
def cli() -> None:
    """Is this search system good, and is it better than that one?

    Every command has its own --help, which ends with an example.
    """


def main() -> None:
    """Run the command line, and leave."""
    _keep_freed_memory()
    try:
        code = run()
        sys.stderr.flush()
    except OSError:  # the terminal is gone, and with it whoever could be told
        code = 1
    # All is written: taking the interpreter down in order would take a tenth of the time of a small evaluation.
    os._exit(code)


def _keep_freed_memory() -> None:
    """Tell the C library to use freed memory again instead of handing it back to the system after every array.

    Blocks of a file are worked on with arrays of some hundred kilobytes, which it would otherwise map anew each time.
    """
    if sys.platform != "linux":
        return
    import ctypes

    with contextlib.suppress(AttributeError):  # not the GNU C library
        tune = ctypes.CDLL(None).mallopt
        for parameter in (-1, -3):  # M_TRIM_THRESHOLD, M_MMAP_THRESHOLD
            tune(parameter, 1 << 24)


def run() -> int:
    """Run the command line; a user's mistake gives one or two lines and an exit code, never a traceback."""
    _prepare_streams()
    try:
        code = cli.main(prog_name="cranfield", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as mistake:
        mistake.show()
        return mistake.exit_code
    except click.Abort:
        click.echo("cranfield: interrupted", err=True)
        return INTERRUPTED
    except CranfieldError as error:
        click.echo(f"cranfield: {error}", err=True)
        return error.exit_code
    except BrokenPipeError:  # whoever read our output has stopped reading
        return 1
    except OSError as error:  # the disk that standard output goes to is full, or the like
        click.echo(f"cranfield: cannot write: {reason(error)}", err=True)
        return 1


def _prepare_streams() -> None:
    """Standard streams that can be used whatever the shell did to them."""
    if sys.stdin is None:  # closed (<&-): as good as empty
        sys.stdin = open(os.devnull)  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors in ("strict", "surrogateescape"):
            stream.reconfigure(errors="replace")  # not every encoding has a Σ
