"""Evaluate a run with ir_measures: QRELS RUN. Its nearest to trec_eval's default set: no gm_map."""

import sys

import ir_measures
from ir_measures import AP, RR, Bpref, IPrec, NumQ, NumRel, NumRet, P, Rprec

NAMES = {
    NumQ: "num_q",
    NumRet: "num_ret",
    NumRel: "num_rel",
    NumRet(rel=1): "num_rel_ret",
    AP: "map",
    Rprec: "Rprec",
    Bpref: "bpref",
    RR: "recip_rank",
    **{IPrec @ (tenths / 10): f"iprec_at_recall_{tenths / 10:.2f}" for tenths in range(11)},
    **{P @ k: f"P_{k}" for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)},
}


def main() -> None:
    """Print the run's means in trec_eval's three columns."""
    qrels_path, run_path = sys.argv[1:]
    qrels = ir_measures.read_trec_qrels(qrels_path)
    run = ir_measures.read_trec_run(run_path)
    # The provider that ir_measures would choose for all of these, named so that the choice is visible.
    means = ir_measures.pytrec_eval.calc_aggregate(list(NAMES), qrels, run)
    print(f"runid\tall\t{run_path}")
    for measure, name in NAMES.items():
        print(f"{name}\tall\t{means[measure]:.{0 if name.startswith('num_') else 4}f}")


main()
