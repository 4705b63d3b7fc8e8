"""Time Cranfield's `Evaluator` on a run in memory: QRELS RUN. Prints seconds, then means."""

import sys
from time import perf_counter

import cranfield as cf


def main() -> None:
    """Parse, evaluate under the clock (the first call: nothing is left from an earlier one), print."""
    qrels_path, run_path = sys.argv[1:]
    evaluator = cf.Evaluator(cf.read_qrels(qrels_path), ["official"], profile="trec_eval-9")
    run = cf.read_run(run_path)
    start = perf_counter()
    mean = evaluator(run).mean
    print(f"seconds\tall\t{perf_counter() - start:.6f}")
    for measure, value in mean.items():
        print(f"{measure}\tall\t{value:.4f}")


main()
