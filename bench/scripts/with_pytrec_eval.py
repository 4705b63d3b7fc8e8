"""Evaluate runs with pytrec_eval, as its documentation shows: [--all] QRELS RUN... (--all: every measure)."""

import sys

import pytrec_eval


def main() -> None:
    """Print each run's means in trec_eval's three columns."""
    arguments = sys.argv[1:]
    every = arguments[:1] == ["--all"]
    qrels_path, *run_paths = arguments[every:]
    with open(qrels_path) as lines:
        qrels = pytrec_eval.parse_qrel(lines)
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, pytrec_eval.supported_measures if every else {"official"})
    for path in run_paths:
        with open(path) as lines:
            run = pytrec_eval.parse_run(lines)
        per_query = evaluator.evaluate(run)
        print(f"runid\tall\t{path}")
        for measure in next(iter(per_query.values())):
            # Strings have no mean; pytrec_eval gives 0 for them.
            if measure in ("runid", "relstring"):
                continue
            values = [scores[measure] for scores in per_query.values()]
            mean = pytrec_eval.compute_aggregated_measure(measure, values)
            print(f"{measure}\tall\t{mean:.{0 if measure.startswith('num_') else 4}f}")


main()
