"""Evaluate a run with pytrec_eval or its face here: [--dicts] MODULE QRELS RUN. Prints seconds, then means.

With --dicts the judgments and the run are in dicts before the clock starts.
"""

import importlib
import sys
from collections import defaultdict
from collections.abc import Callable
from time import perf_counter
from typing import Any


def read_dicts(path: str, number: int, convert: Callable[[str], float]) -> dict[str, dict[str, Any]]:
    """A file as a script would read it that has its own way."""
    found: dict[str, dict[str, Any]] = defaultdict(dict)
    with open(path) as lines:
        for line in lines:
            fields = line.split()
            found[fields[0]][fields[2]] = convert(fields[number])
    return dict(found)


def main() -> None:
    """Read, evaluate, mean, under the clock; print."""
    dicts = sys.argv[1] == "--dicts"
    module, qrels_path, run_path = sys.argv[1 + dicts :]
    pytrec_eval = importlib.import_module(module)
    if dicts:
        qrels, run = read_dicts(qrels_path, 3, int), read_dicts(run_path, 4, float)
        start = perf_counter()
    else:
        start = perf_counter()
        with open(qrels_path) as lines:
            qrels = pytrec_eval.parse_qrel(lines)
        with open(run_path) as lines:
            run = pytrec_eval.parse_run(lines)
    per_query = pytrec_eval.RelevanceEvaluator(qrels, {"official"}).evaluate(run)
    means = {
        measure: pytrec_eval.compute_aggregated_measure(measure, [values[measure] for values in per_query.values()])
        for measure in next(iter(per_query.values()))
    }
    print(f"seconds\tall\t{perf_counter() - start:.6f}")
    for measure, mean in means.items():
        if measure != "runid":
            print(f"{measure}\tall\t{mean:.{0 if measure.startswith('num_') else 4}f}")


main()
