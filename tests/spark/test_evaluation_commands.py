"""Commands on a cluster say what they say here."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cranfield.cli.main import cli
from cranfield.spark.session import Cluster
from tests.spark import drawn_runs


def ran(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


@pytest.mark.slow
def test_commands_say_the_same_on_spark(cluster: Cluster, tmp_path: Path) -> None:
    chance = random.Random(10)
    qrels, runs = drawn_runs.plain_qrels(tmp_path, chance), drawn_runs.runs(tmp_path, chance)
    on_spark = ["--engine", "spark", "--master", cluster.master]
    for command in (
        ["evaluate", qrels, *runs, "-q"],
        ["evaluate", qrels, runs[0], "--format", "trec", "--profile", "trec_eval-9"],
        ["compare", qrels, *runs, "-m", "AP", "-m", "nDCG@10", "--test", "t,wilcoxon"],
    ):
        here, there = ran(*command), ran(*command, *on_spark)
        assert there.exit_code == here.exit_code == 0, there.output
        assert there.output == here.output
    folder = tmp_path / "values"
    folder.mkdir()
    taken = ran("evaluate", qrels, runs[0], *on_spark, "--per-query", folder)
    assert "there is something of that name already" in str(taken.exception)
    for where, more in (("here", []), ("there", on_spark)):
        done = ran("pool", "build", *runs, "-k", "5", "-o", tmp_path / where, *more)
        assert done.exit_code == 0, done.output
    assert (tmp_path / "there").read_bytes() == (tmp_path / "here").read_bytes()
