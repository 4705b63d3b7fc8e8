"""Starting up loads only what is needed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = (
    "pandas",
    "polars",
    "pyarrow",
    "scipy",
    "narwhals",
    "zstandard",
    "matplotlib",
    "altair",
    "vl_convert",
    "django",
    "duckdb",
)


def loaded_after(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint('\\n'.join(sys.modules))"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return set(done.stdout.split())


@pytest.mark.parametrize("code", ["import cranfield", "from cranfield.compat import ir_measures"])
def test_import_loads_not_even_numpy(code: str) -> None:
    assert not loaded_after(code) & {"numpy", *HEAVY}


@pytest.mark.parametrize(
    "code",
    [
        "import cranfield as cf; cf.evaluate({'q': {'d': 1}}, {'q': {'d': 1.0}})",
        "import cranfield.cli.evaluate",
        "from cranfield.compat import pytrec_eval as p; p.RelevanceEvaluator({'q': {'d': 1}}, {'official'}).evaluate("
        "{'q': {'d': 1.0, 'e': 1.0}})",
        "from cranfield.compat import ir_measures as m; m.calc_aggregate([m.AP, m.nDCG @ 10], {'q': {'d': 1}}, "
        "m.read_trec_run('q Q0 d 1 1.0 t\\n'))",
        "import cranfield.cli.similarity; import cranfield as cf; cf.similarity({'q': {'d': 1.0}}, {'q': {'d': 1.0}})",
        "import cranfield.cli.compare",
        "import cranfield.cli.failures",
        "import cranfield.cli.report",
        "import cranfield.cli.correlate",
        "import cranfield.cli.power",
        "import cranfield.cli.curve; import cranfield as cf; cf.curves.roc({'q': {'d': 1, 'e': 0}}, {'q': {'d': 1.0}})",
        "import cranfield.cli.mix",
        "import cranfield.cli.plot; import cranfield as cf; cf.plot; cf.report.charts",
        "import cranfield.cli.main",
    ],
)
def test_evaluating_loads_no_optional_library(code: str) -> None:
    assert not loaded_after(code) & set(HEAVY)


def test_commands_that_are_given_paths_load_nothing_of_the_workspace() -> None:
    commands = ("evaluate", "compare", "failures", "explain", "curve", "plot")
    loaded = loaded_after("\n".join(f"import cranfield.cli.{name}" for name in commands))
    own = {name for name in loaded if name.startswith("cranfield.experiments.")}
    assert own == {"cranfield.experiments.finding"}


def test_the_command_that_evaluates_loads_nothing_for_other_judgments_than_plain_ones() -> None:
    rare = {
        "cranfield.data.preference_counts",
        "cranfield.data.subtopics",
        "cranfield.evaluation.best_possible",
        "cranfield.formats.costs",
        "cranfield.formats.intents",
        "cranfield.measures.judgment_groups",
    }
    loaded = loaded_after("import cranfield.cli.evaluate")
    assert "cranfield.evaluation.evaluator" in loaded
    assert not loaded & rare


def test_evaluating_files_loads_no_more_than_it_needs(tmp_path: Path) -> None:
    """It has to be quick: nothing of the workspace or of other formats, and not the paths of the standard library."""
    (tmp_path / "qrels").write_text("q 0 d 1\n")
    (tmp_path / "run").write_text("q Q0 d 1 1.0 t\n")
    files = [str(tmp_path / "qrels"), str(tmp_path / "run")]
    ours = loaded_after(f"from cranfield.cli.main import cli; cli.main(['evaluate', *{files}], standalone_mode=False)")
    needless = {"pathlib", "cranfield.experiments.workspace", "cranfield.formats.letor", "cranfield.formats.parquet"}
    assert not (ours - loaded_after("import numpy, click")) & needless
