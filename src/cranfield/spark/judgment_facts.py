"""The few things about all judgments together that have to be known where no one sees all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cranfield.data.qrels import Qrels
from cranfield.data.sampling import CERTAIN_METHODS
from cranfield.data.strings import Strings
from cranfield.errors import DataError
from cranfield.spark.failures import in_words

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from cranfield.spark.session import Cluster


def example_judgments(cluster: Cluster, judgments: DataFrame, name: str) -> Qrels:
    """Two or three judgments of which an evaluator thinks what it would think of all.

    They have the lowest and the highest grade that there is, a grade that is a fraction, two iterations, and a chance
    below 1, wherever some judgment has. Whatever else evaluators ask of judgments they ask of each query.
    """
    from pyspark.sql import functions as f

    fraction = f.when(f.col("value") != f.floor("value"), f.col("value"))
    asked = [
        f.max("value").alias("highest"),
        f.max_by("document", "value").alias("best"),
        f.max_by("query", "value").alias("query"),
        f.min("value").alias("lowest"),
        f.min_by("document", "value").alias("worst"),
        f.max(fraction).alias("fraction"),
        f.max_by("document", fraction).alias("fractional"),
        f.min("label").alias("first_label"),
        f.max("label").alias("last_label"),
    ]
    if "probability" in judgments.columns:
        chance = f.col("probability")
        if "method" in judgments.columns:
            certain = [f.lit(method) for method in CERTAIN_METHODS]
            chance = f.when(f.col("method").isin(certain), 1.0).otherwise(chance)
        asked.append(f.min(chance).alias("chance"))
    with in_words(cluster, name):
        (found,) = judgments.agg(*asked).collect()
    if found.highest is None:
        raise DataError(f"{name}: the file has no records")
    rows = [(found.best, found.highest, found.last_label), (found.worst, found.lowest, found.first_label)]
    if found.fraction is not None:
        rows.append((found.fractional, found.fraction, found.first_label))
    documents = [bytes(document) + b"'" * at for at, (document, _, _) in enumerate(rows)]

    def column(*items: bytes) -> Strings:
        return Strings.from_list([bytes(item) for item in items])

    same = [b"0"] * len(rows)
    sampled = "chance" in found.asDict()
    return Qrels(
        column(*[found.query] * len(rows)),
        column(*documents),
        np.array([grade for _, grade, _ in rows]),
        column(*(label for _, _, label in rows)) if found.first_label is not None else None,
        stratum=column(*same) if "stratum" in judgments.columns else None,
        method=column(*[b"1"] * len(rows)) if sampled and "method" in judgments.columns else None,
        probability=np.full(len(rows), found.chance) if sampled else None,
        name=name,
    )
