"""Evaluate a run with ir_measures or its face here: [--dicts | --frames] MODULE QRELS RUN. Prints seconds, then means.

With --dicts or --frames judgments and run are in dicts or in DataFrames before the clock starts. NumPy is imported
before it too, by either.
"""

import importlib
import sys
from time import perf_counter
from typing import Any

import numpy as np

assert np.__version__
MEASURES = ("AP", "nDCG@10", "P@10", "RR", "R@1000", "Rprec", "Bpref", "NumRelRet")


def in_dicts(rows: Any) -> dict[str, dict[str, Any]]:
    """Rows as a script would keep them."""
    found: dict[str, dict[str, Any]] = {}
    for query, document, value, *_ in rows:
        found.setdefault(query, {})[document] = value
    return found


def in_frame(rows: Any) -> Any:
    """Rows as a DataFrame."""
    import pandas as pd

    return pd.DataFrame(rows)


def main() -> None:
    """Read, evaluate, mean, under the clock; print."""
    *options, module, qrels_path, run_path = sys.argv[1:]
    ir_measures = importlib.import_module(module)
    measures = [ir_measures.parse_measure(name) for name in MEASURES]
    if options:
        keep = in_dicts if options == ["--dicts"] else in_frame
        qrels, run = keep(ir_measures.read_trec_qrels(qrels_path)), keep(ir_measures.read_trec_run(run_path))
    start = perf_counter()
    if not options:
        qrels, run = ir_measures.read_trec_qrels(qrels_path), ir_measures.read_trec_run(run_path)
    means = ir_measures.calc_aggregate(measures, qrels, run)
    print(f"seconds\tall\t{perf_counter() - start:.6f}")
    for measure in measures:
        print(f"{measure}\tall\t{means[measure]:.4f}")


main()
