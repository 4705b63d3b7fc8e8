"""Time ir_measures' diversity measures (pyndeval) on a run in memory: QRELS RUN. Prints seconds, then means."""

import sys
from time import perf_counter

import ir_measures
from ir_measures import ERR_IA, alpha_nDCG


def main() -> None:
    """Parse, evaluate under the clock, print."""
    qrels_path, run_path = sys.argv[1:]
    measures = [alpha_nDCG @ 20, ERR_IA @ 20]
    evaluator = ir_measures.pyndeval.evaluator(measures, list(ir_measures.read_trec_qrels(qrels_path)))
    run = list(ir_measures.read_trec_run(run_path))
    start = perf_counter()
    mean = evaluator.calc_aggregate(run)
    print(f"seconds\tall\t{perf_counter() - start:.6f}")
    for measure, value in mean.items():
        print(f"{measure}\tall\t{value:.4f}")


main()
