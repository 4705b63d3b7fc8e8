"""The options that say where work is done: in this process, or by Spark."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from cranfield.errors import UsageError

if TYPE_CHECKING:
    from cranfield.spark.session import Cluster

MASTER = "CRANFIELD_SPARK_MASTER"
"""The variable that names the master, where the command line does not."""
SPARK = "spark"


class EngineOptions(NamedTuple):
    """What these options said."""

    engine: str
    master: str | None
    settings: dict[str, str]

    @property
    def on_spark(self) -> bool:
        return self.engine == SPARK

    @property
    def cluster(self) -> Cluster:
        """Where Spark runs: the master of the command line, of the environment, or this machine."""
        from cranfield.spark.session import HERE, Cluster

        return Cluster(self.master or os.environ.get(MASTER) or HERE, self.settings)


_master_option = click.option(
    "--master",
    metavar="ADDRESS",
    help=f"Where Spark runs: spark://HOST:PORT, yarn, k8s://... [default: ${MASTER}, or else local[*]]",
)
_conf_option = click.option(
    "--conf",
    multiple=True,
    metavar="KEY=VALUE",
    help="A setting of Spark, such as spark.executor.memory=4g. May be repeated.",
)


def cluster_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """A command that is about Spark anyway; it gets the `cluster`."""

    @functools.wraps(command)
    def told(master: str | None, conf: tuple[str, ...], **given: Any) -> Any:
        return command(cluster=EngineOptions(SPARK, master, dict(map(_setting, conf))).cluster, **given)

    return _master_option(_conf_option(told))


def engine_options(usual: str = "local") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A command with these options, of which the first engine is the usual one; it gets them as `engine`."""

    def with_options(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def told(engine: str, master: str | None, conf: tuple[str, ...], **given: Any) -> Any:
            if engine != SPARK and (master is not None or conf):
                raise UsageError(f"{'--master' if master is not None else '--conf'} is about Spark: add --engine spark")
            return command(engine=EngineOptions(engine, master, dict(map(_setting, conf))), **given)

        option = click.option(
            "--engine",
            type=click.Choice([usual, SPARK]),
            default=usual,
            show_default=True,
            help="Who does the work: this process, or a Spark cluster.",
        )
        return option(_master_option(_conf_option(told)))

    return with_options


def _setting(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign or not name.strip().startswith("spark."):
        raise UsageError(f"--conf {text!r}: expected KEY=VALUE, such as spark.executor.memory=4g")
    return name.strip(), value.strip()
