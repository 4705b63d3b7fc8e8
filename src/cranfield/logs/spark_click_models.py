"""What click models make of a log on a cluster. Nothing but sums and shared parameters comes to the driver; what models
say of documents is written by the workers."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from functools import reduce
from typing import TYPE_CHECKING

from cranfield.logs.fitted_models import ALL, FittedModels, ModelNumbers, chosen
from cranfield.logs.log import Log
from cranfield.logs.models import MODELS
from cranfield.logs.models.fitting import ITERATIONS
from cranfield.logs.models.reading import DEPTH
from cranfield.logs.models.relevance import LEAST_LOOKS
from cranfield.logs.models.spark_fitting import SparkFit, spark_fit
from cranfield.logs.models.spark_pages import spark_pages
from cranfield.logs.spark_engine import SparkEngine
from cranfield.spark.failures import in_words
from cranfield.spark.folders import write_folder
from cranfield.spark.scratch import refuse_old

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def spark_click_models(
    log: Log,
    engine: SparkEngine,
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
    """See `cranfield.logs.click_models.click_models`.

    `output` is a folder of Parquet with what each model says of each document. Workers write down what they know into a
    folder beside the log, or in `scratch`, which is removed in the end.
    """
    names = chosen(models)
    if output is not None:
        refuse_old(engine.cluster, output)
    if progress is not None:
        progress("reading pages", 0.0)
    found, fits = dict[str, ModelNumbers](), contextlib.ExitStack()
    asked = spark_pages(log, engine, depth=depth, held_out=held_out, least_views=least_views, scratch=scratch)
    with asked as pages, fits, in_words(engine.cluster, log.path):
        documents: list[DataFrame] = []
        for done, name in enumerate(names):
            if progress is not None:
                progress(f"fitting {name}", done / len(names))
            fitted = spark_fit(MODELS[name], pages, iterations=iterations)
            fits.callback(fitted.close)
            found[name] = _numbers(fitted, least_looks)
            documents.append(fitted.documents(name, least_looks))
        if output is not None:
            write_folder(engine.cluster, reduce(lambda one, other: one.unionAll(other), documents), output)
        viewed = pages.viewed
        return FittedModels(
            found,
            int(viewed.fitted_to),
            int(viewed.tried_on),
            round(viewed.clicks),
            held_out if viewed.tried_on else 0.0,
            pages.moved.share,
        )


def _numbers(fitted: SparkFit, least_looks: float) -> ModelNumbers:
    tried, examined = fitted.tried()
    worth = fitted.worth(least_looks)
    return ModelNumbers(fitted.fit, tried.quality, examined.share, worth.documents, worth.abstains)
