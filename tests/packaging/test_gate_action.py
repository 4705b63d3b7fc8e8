"""The steps of the GitHub Action, run as a runner runs them: values in variables, files for summary and outputs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
import yaml

from cranfield.evaluation.requirements import parse_requirement

ROOT = Path(__file__).parent.parent.parent
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
WORKFLOW = yaml.safe_load((ROOT / "examples" / "gate" / "relevance.yml").read_text())
INSTALL, COMPARE = ACTION["runs"]["steps"]


@dataclass(frozen=True)
class Done:
    """What a step leaves behind."""

    code: int
    log: str
    outputs: str
    summary: str


@pytest.fixture
def workplace(tmp_path: Path) -> Path:
    """A checkout with the small example, and beside it the folder for temporary files of a runner."""
    with resources.as_file(resources.files("cranfield.cli") / "small_example") as folder:
        shutil.copytree(folder, tmp_path / "checkout")
    (tmp_path / "temp").mkdir()
    return tmp_path


@pytest.fixture
def with_cranfield(workplace: Path) -> Path:
    """As it is after the first step, with this interpreter's Cranfield."""
    program = workplace / "temp" / "cranfield" / "bin" / "cranfield"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cranfield "$@"\n')
    program.chmod(0o755)
    return workplace


def run_step(step: dict[str, Any], workplace: Path, **given: str) -> Done:
    """A step of shell bash: `bash --noprofile --norc -eo pipefail FILE`."""
    inputs = {name: one.get("default", "") for name, one in ACTION["inputs"].items()} | given
    known = {f"inputs.{name}": value for name, value in inputs.items()} | {"github.action_path": str(ROOT)}
    variables = {
        name: re.sub(r"\$\{\{ (\S+) \}\}", lambda match: known[match[1]], value) for name, value in step["env"].items()
    }
    temp = workplace / "temp"
    files = {"GITHUB_OUTPUT": temp / "outputs", "GITHUB_STEP_SUMMARY": temp / "summary"}
    for file in files.values():
        file.touch()
    script = temp / "step.sh"
    script.write_text(step["run"])
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", script],
        cwd=workplace / "checkout",
        env={**os.environ, **variables, "RUNNER_TEMP": str(temp), **{name: str(file) for name, file in files.items()}},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return Done(done.returncode, done.stdout, *(file.read_text() for file in files.values()))


def compare(workplace: Path, **given: str) -> Done:
    files = {"qrels": "qrels.txt", "baseline": "semantic.run", "run": "keyword.run"}
    return run_step(COMPARE, workplace, **{**files, **given})


def test_a_run_that_meets_every_requirement_passes(with_cranfield: Path) -> None:
    requirements = "AP rise >= 0.1\n\n  Judged@10 >= 0.8\n"
    done = compare(with_cranfield, baseline="keyword.run", run="semantic.run", require=requirements, measures="RR")
    assert (done.code, done.outputs) == (0, "outcome=met\n"), done.log
    assert "## Passed" in done.summary
    assert "| met | `AP rise >= 0.1` |" in done.summary
    assert "| met | `Judged@10 >= 0.8` |" in done.summary
    assert "| RR |" in done.summary
    assert "::error" not in done.log


def test_a_run_that_does_not_fails_the_job_and_says_why(with_cranfield: Path) -> None:
    done = compare(with_cranfield, require="AP drop <= 0.01", slices="slices.csv", change="-x $(touch intruder) `id`")
    assert (done.code, done.outputs) == (3, "outcome=failed\n"), done.log
    assert "::error title=Relevance gate::A requirement is not met" in done.log
    # By hand, of the means .8995 and .4632 that docs/gate.md shows.
    assert "| **failed** | `AP drop <= 0.01` | keyword | all topics (6) | drop 0.4363 |" in done.summary
    assert "weekend (3)" in done.summary
    assert "touch intruder" in done.log
    assert not (with_cranfield / "checkout" / "intruder").exists()


def test_one_of_several_runs_is_enough_to_fail(with_cranfield: Path) -> None:
    shutil.copy(with_cranfield / "checkout" / "semantic.run", with_cranfield / "checkout" / "same one.run")
    done = compare(with_cranfield, run="same one.run\nkeyword.run\n", require="AP drop <= 0.01")
    assert done.code == 3
    assert "| met | `AP drop <= 0.01` | same one |" in done.summary


@pytest.mark.parametrize(
    ("given", "code", "said"),
    [
        ({"require": "AP drop <= 0.01", "run": "slices.csv"}, 1, "slices.csv"),
        ({"require": "AP drop <= 0.01", "run": "none.run"}, 2, "none.run"),
        ({"require": "APP drop <= 0.01"}, 2, "APP"),
        ({"require": " \n"}, 2, "every run would pass"),
        ({"require": "AP drop <= 0.01", "run": ""}, 2, "Say where qrels, baseline and run are"),
        ({"require": "AP drop <= 0.01", "qrels": ""}, 2, "Say where qrels, baseline and run are"),
    ],
    ids=["not a run", "missing file", "unknown measure", "no requirement", "no run", "no qrels"],
)
def test_a_gate_that_cannot_look_does_not_pass(
    with_cranfield: Path, given: dict[str, str], code: int, said: str
) -> None:
    done = compare(with_cranfield, **given)
    assert (done.code, done.outputs, done.summary) == (code, "outcome=error\n", "")
    assert said in done.log
    assert "::error title=Relevance gate::" in done.log
    assert "Traceback" not in done.log


def test_nothing_that_users_give_is_part_of_a_script() -> None:
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step["run"]
        assert step["shell"] == "bash"


def test_every_input_is_used_and_no_other() -> None:
    values = [value for step in ACTION["runs"]["steps"] for value in step["env"].values()]
    assert {name for value in values for name in re.findall(r"inputs\.(\w+)", value)} == set(ACTION["inputs"])


def test_the_example_gives_what_the_action_takes() -> None:
    (step,) = (step for step in WORKFLOW["jobs"]["relevance"]["steps"] if "cranfield" in step.get("uses", ""))
    given = step["with"]
    assert set(given) <= set(ACTION["inputs"])
    assert {name for name, one in ACTION["inputs"].items() if one.get("required")} <= set(given)
    assert [parse_requirement(line).text for line in given["require"].splitlines()] == given["require"].splitlines()


@pytest.mark.slow
def test_both_steps_with_what_the_first_one_installs(workplace: Path) -> None:
    """The requirements, with their hashes, come from a package index."""
    installed = run_step(INSTALL, workplace, python=sys.executable)
    assert installed.code == 0, installed.log
    done = compare(workplace, require="AP drop <= 0.01")
    assert (done.code, done.outputs) == (3, "outcome=failed\n"), done.log


def test_an_interpreter_that_is_too_old_is_named(workplace: Path) -> None:
    old = workplace / "python2"
    old.write_text(
        f'#!/bin/sh\nexec "{sys.executable}" -c "import sys; sys.version_info = (3, 9); exec(sys.argv[1])" "$2"\n'
    )
    old.chmod(0o755)
    done = run_step(INSTALL, workplace, python=str(old))
    assert done.code == 1
    assert "needs Python 3.11 or newer" in done.log
