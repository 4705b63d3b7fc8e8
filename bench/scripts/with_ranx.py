"""Evaluate a run with ranx: QRELS RUN. Its nearest to trec_eval's default set: no gm_map, no iprec."""

import sys

from ranx import Qrels, Run, evaluate

NAMES = {
    "hits": "num_rel_ret",
    "map": "map",
    "r-precision": "Rprec",
    "bpref": "bpref",
    "mrr": "recip_rank",
    **{f"precision@{k}": f"P_{k}" for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)},
}


def main() -> None:
    """Print the run's means in trec_eval's three columns."""
    qrels_path, run_path = sys.argv[1:]
    qrels = Qrels.from_file(qrels_path, kind="trec")
    run = Run.from_file(run_path, kind="trec")
    means = evaluate(qrels, run, list(NAMES))
    print(f"runid\tall\t{run_path}")
    for measure, name in NAMES.items():
        print(f"{name}\tall\t{means[measure]:.4f}")


main()
