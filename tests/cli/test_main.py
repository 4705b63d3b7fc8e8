"""The command itself: help, version, completion, and the small commands."""

from __future__ import annotations

import json
import re

import pytest

import cranfield
from cranfield.cli.main import COMMANDS
from cranfield.measures import REGISTRY
from tests.cli.running import run_cranfield


def test_version() -> None:
    assert run_cranfield("--version").text == f"cranfield, version {cranfield.__version__}\n"


def test_overview_lists_every_command() -> None:
    text = run_cranfield("--help").text
    assert all(re.search(rf"^  {name} ", text, re.MULTILINE) for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_help_ends_with_an_example(name: str) -> None:
    done = run_cranfield(name, "--help")
    assert done.exit_code == 0
    assert done.text.rstrip().splitlines()[-1].strip().startswith("Example: cranfield ")


def test_an_unknown_command() -> None:
    done = run_cranfield("evalute")
    assert done.exit_code == 2
    assert "No such command 'evalute'" in done.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell: str) -> None:
    done = run_cranfield("completion", shell)
    assert done.exit_code == 0
    assert "_CRANFIELD_COMPLETE" in done.text


def test_the_list_of_measures() -> None:
    rows = run_cranfield("measures").text.splitlines()
    assert rows[0] == "name\tother names\tmeaning"
    assert {row.split("\t")[0] for row in rows[1:]} == set(REGISTRY)
    assert len(json.loads(run_cranfield("measures", "--format", "json").text)) == len(REGISTRY)


def test_one_measure() -> None:
    text = run_cranfield("measures", "map").text
    assert text.startswith("AP @cutoff\n\nThe mean of the precision at each relevant document")
    assert "    AP = 1/R Σ(i=1..n) rel_i P@i" in text
    assert "Also called: map, map_cut, MAP." in text
    assert "  cutoff: a whole number of at least 1; default not set" in text
    assert "Buckley" in text


@pytest.mark.parametrize("name", REGISTRY)
def test_every_measure_can_be_explained(name: str) -> None:
    done = run_cranfield("measures", name)
    assert done.exit_code == 0
    assert "\\" not in done.text, "a formula was not turned into plain text"


def test_a_measure_that_is_not_there() -> None:
    done = run_cranfield("measures", "nDGC")
    assert (done.exit_code, done.stdout) == (2, b"")
    assert "Did you mean nDCG" in done.stderr


def test_the_demonstration() -> None:
    done = run_cranfield("demo")
    assert done.exit_code == 0
    # Oracle: pytrec_eval on the same files, see test_the_demonstration_agrees_with_pytrec_eval.
    assert "nDCG@10     0.6796    0.9183" in done.text


def test_the_demonstration_agrees_with_pytrec_eval() -> None:
    from importlib import resources

    import pytrec_eval

    with resources.as_file(resources.files("cranfield.cli") / "demo_data") as folder:
        with (folder / "qrels.txt").open() as file:
            qrels = pytrec_eval.parse_qrel(file)
        for name, expected in (("keyword", "0.6796"), ("semantic", "0.9183")):
            with (folder / f"{name}.run").open() as file:
                run = pytrec_eval.parse_run(file)
            values = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10"}).evaluate(run)
            mean = sum(value["ndcg_cut_10"] for value in values.values()) / len(values)
            assert f"{mean:.4f}" == expected
