"""Pools made by commands, in a process of their own or in this one, and without any."""

from __future__ import annotations

from pathlib import Path

import click
from click.testing import CliRunner, Result

from cranfield.data.pool import Pool
from cranfield.formats.pools import write_pool
from cranfield.pooling.building import build_pool
from cranfield.pooling.strategy import Strategy
from tests.cli.running import run_cranfield


def in_process(command: click.Command, *arguments: str) -> Result:
    done = CliRunner().invoke(command, arguments, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done


def build(folder: Path, *options: str, runs: tuple[str, ...] = ("run-0.run", "run-1.run")) -> str:
    done = run_cranfield("pool", "build", *runs, *options, cwd=folder)
    assert done.exit_code == 0, done.stderr
    return done.text


def made(folder: Path, strategy: Strategy) -> Pool:
    """A pool of the first two runs in pool.tsv, without a process."""
    pool = build_pool([str(folder / f"run-{number}.run") for number in range(2)], strategy).pool
    write_pool(pool, folder / "pool.tsv")
    return pool
