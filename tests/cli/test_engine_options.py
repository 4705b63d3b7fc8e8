"""`--engine spark` on commands that score: what is refused before any cluster is asked."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from cranfield.cli.main import cli
from cranfield.errors import UsageError


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--master", "spark://a:1"], "--master is about Spark: add --engine spark"),
        (["--conf", "a=b"], "--conf is about Spark: add --engine spark"),
        (["--engine", "spark", "--conf", "a"], "--conf 'a': expected KEY=VALUE"),
        (["--engine", "spark", "--best"], "--best needs all judgments in one place"),
        (["--engine", "spark", "--residuals"], "--residuals (residuals=) needs more of each run than its values"),
        (["--engine", "spark", "--ties", "range"], "--ties (ties=) needs more"),
        (["--engine", "spark", "-R", "prefs"], "-R prefs (relevance='prefs') is not read by Spark"),
        (["--per-query", "folder"], "--per-query is about Spark"),
    ],
)
def test_refusals(arguments: list[str], said: str) -> None:
    done = CliRunner().invoke(cli, ["evaluate", "qrels", "a.run", *arguments])
    assert isinstance(done.exception, UsageError)
    assert said in str(done.exception)
