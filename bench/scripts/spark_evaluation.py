"""Runs evaluated on Spark: MASTER SETTINGS QRELS RUN... Prints the seconds until a session was there, and from then to
the means; then these, as `cranfield evaluate` does."""

import json
import sys
from time import perf_counter

from cranfield.spark.evaluating import SparkEvaluator
from cranfield.spark.session import Cluster


def main(master: str, settings: str, qrels: str, *runs: str) -> None:
    cluster = Cluster(master, json.loads(settings))
    begin = perf_counter()
    cluster.session()
    there = perf_counter()
    evaluator = SparkEvaluator(qrels, "official", cluster=cluster, profile="trec_eval-9")
    found = evaluator.evaluate_all(runs).mean
    print(there - begin, perf_counter() - there, sep="\t")
    print("run", "measure", "query", "value", sep="\t")
    for name, means in found.items():
        for measure, value in means.items():
            print(name, measure, "all", value, sep="\t")


if __name__ == "__main__":
    main(*sys.argv[1:])
