"""Time pytrec_eval's `evaluate` on a run in memory as dicts: QRELS RUN. Prints seconds, then means."""

import sys
from time import perf_counter

import pytrec_eval


def main() -> None:
    """Parse, evaluate under the clock, print."""
    qrels_path, run_path = sys.argv[1:]
    with open(qrels_path) as lines:
        evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(lines), {"official"})
    with open(run_path) as lines:
        run = pytrec_eval.parse_run(lines)
    start = perf_counter()
    per_query = evaluator.evaluate(run)
    print(f"seconds\tall\t{perf_counter() - start:.6f}")
    for measure in next(iter(per_query.values())):
        if measure != "runid":
            values = [scores[measure] for scores in per_query.values()]
            mean = pytrec_eval.compute_aggregated_measure(measure, values)
            print(f"{measure}\tall\t{mean:.{0 if measure.startswith('num_') else 4}f}")


main()
