"""Click models of a log, wherever it is read: here, or by the workers of a cluster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from cranfield.errors import UsageError
from cranfield.logs.click_models import click_models
from cranfield.logs.fitted_models import ALL, FittedModels
from cranfield.logs.log import Log
from cranfield.logs.models.fitting import ITERATIONS
from cranfield.logs.models.reading import DEPTH
from cranfield.logs.models.relevance import LEAST_LOOKS
from cranfield.logs.spark_engine import SparkEngine


def fit_models(
    log: Log,
    models: Sequence[str] = (ALL,),
    *,
    held_out: float = 0.2,
    depth: int = DEPTH,
    least_views: int = 1,
    least_looks: float = LEAST_LOOKS,
    iterations: int = ITERATIONS,
    output: str | None = None,
    scratch: str | None = None,
    progress: Callable[[str, float], None] | None = None,
) -> FittedModels:
    """Fit models as `cranfield.logs.click_models.click_models` does, and write what they say of documents to `output`.

    On Spark that is a folder of Parquet, which the workers write, and what is returned has the numbers of models alone;
    here it is `ClickModels`, which has the documents too. `scratch` is a folder in which workers may write meanwhile.
    """
    asked: dict[str, Any] = {"held_out": held_out, "depth": depth, "least_views": least_views}
    asked |= {"least_looks": least_looks, "iterations": iterations, "progress": progress}
    if isinstance(log.engine, SparkEngine):
        from cranfield.logs.spark_click_models import spark_click_models

        if output is not None and not output.endswith(".parquet"):
            raise UsageError(f"{output}: on Spark the workers write a folder; give it a name that ends in .parquet")
        return spark_click_models(log, log.engine, models, **asked, output=output, scratch=scratch)
    found = click_models(log, models, **asked)
    if output is not None:
        found.write(output)
    return found
