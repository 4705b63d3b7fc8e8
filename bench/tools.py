"""The command lines that are measured: Cranfield's, and scripts that use the peers as users do."""

import sys
from collections.abc import Sequence
from pathlib import Path

from bench.data import Files
from bench.processes import Command

OURS = "cranfield"
PEERS = ("pytrec_eval", "ir_measures", "ranx")
SCRIPTS = Path(__file__).parent / "scripts"


def evaluate(tool: str, files: Files, *, every_measure: bool = False) -> Command:
    """The command with which `tool` prints the means of trec_eval's default measures, or of all it has."""
    paths = [str(files.qrels), *map(str, files.runs)]
    if tool == OURS:
        # Several runs do not fit trec_eval's output, which has no column for the run.
        output = ["--format", "trec"] if len(files.runs) == 1 else ["--format", "tsv", "-m", "official"]
        command = [sys.executable, "-m", "cranfield", "evaluate", *paths, "--profile", "trec_eval-9", *output]
        return [*command, "-m", "all_trec"] if every_measure else command
    return [sys.executable, str(SCRIPTS / f"with_{tool}.py"), *(["--all"] if every_measure else []), *paths]


def explain(files: Files, measure: str) -> Command:
    """The command that explains the value of a query from the middle of a run."""
    with files.qrels.open("rb") as lines:
        queries = [line.split()[0].decode() for line in lines]
    paths = [str(files.qrels), str(files.runs[0])]
    query = queries[len(queries) // 2]
    return [sys.executable, "-m", "cranfield", "explain", measure, *paths, "--query", query, "--format", "table"]


def with_layout(files: Files, layout: str) -> Command:
    """The command with which we print trec_eval's default measures in this layout; json has the hashes of all files."""
    paths = [str(files.qrels), str(files.runs[0])]
    return [sys.executable, "-m", "cranfield", "evaluate", *paths, "-m", "official", "--format", layout]


def report(files: Files, page: Path) -> Command:
    """The command that writes a report with all its plots."""
    paths = [str(files.qrels), *map(str, files.runs)]
    return [sys.executable, "-m", "cranfield", "report", *paths, "-o", str(page)]


def in_memory(work: str, tool: str, files: Files) -> Command:
    """The command that times `tool` at some work on a run it has parsed before."""
    return [sys.executable, str(SCRIPTS / f"{work}_{tool}.py"), str(files.qrels), str(files.runs[0])]


def migrated(script: str, module: str, files: Files, options: Sequence[str]) -> Command:
    """The command that runs a script with one of the modules that it can import."""
    return [sys.executable, str(SCRIPTS / f"{script}.py"), *options, module, str(files.qrels), str(files.runs[0])]


def every_measure(files: Files, repeats: int) -> Command:
    """The command that times each of our measures on a run in memory."""
    return [sys.executable, str(SCRIPTS / "every_measure.py"), str(files.qrels), str(files.runs[0]), str(repeats)]


def curves(files: Files, repeats: int) -> Command:
    """The command that times the numbers of curves, ours and scikit-learn's."""
    return [sys.executable, str(SCRIPTS / "curves.py"), str(files.qrels), str(files.runs[0]), str(repeats)]


def json_documents(path: Path, repeats: int) -> Command:
    """The command that times the reading of documents, ours and json.loads."""
    return [sys.executable, str(SCRIPTS / "json_documents.py"), str(path), str(repeats)]


def fusion(runs: Sequence[Path], repeats: int) -> Command:
    """The command that times the fusion of runs, ours and ranx's."""
    return [sys.executable, str(SCRIPTS / "fusion.py"), str(repeats), *map(str, runs)]


def pool(tool: str, runs: Sequence[Path], depth: int, written: Path) -> Command:
    """The command with which `tool` makes a depth pool of run files; ours writes it to a file."""
    paths = [str(run) for run in runs]
    if tool == OURS:
        command = [sys.executable, "-m", "cranfield", "pool", "build", *paths]
        return [*command, "-k", str(depth), "-o", str(written), "--force"]
    return [sys.executable, str(SCRIPTS / f"pool_{tool}.py"), str(depth), *paths]


def bias(qrels: Path, runs: Sequence[Path], depth: int, measures: Sequence[str]) -> Command:
    """The command that leaves every run out of a pool in turn."""
    command = [sys.executable, "-m", "cranfield", "pool", "bias", str(qrels), *map(str, runs), "-k", str(depth)]
    return [*command, *(word for measure in measures for word in ("-m", measure))]


def tantivy_share(source: int | Path, repeats: int) -> Command:
    """The command that times the engine tantivy, and Tantivy alone, on so many documents or on those of a folder."""
    return [sys.executable, str(SCRIPTS / "tantivy_share.py"), str(source), str(repeats)]


def significance(repeats: int) -> Command:
    """The command that times significance tests, ours and the peers'."""
    return [sys.executable, str(SCRIPTS / "significance.py"), str(repeats)]


def by_default(files: Files, *options: str) -> Command:
    """The command that prints the means of our default measures, with some options."""
    paths = [str(files.qrels), *map(str, files.runs)]
    return [sys.executable, "-m", "cranfield", "evaluate", *paths, "--format", "tsv", *options]
