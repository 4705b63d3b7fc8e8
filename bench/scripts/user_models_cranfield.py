"""Time Cranfield's user models on a run in memory: QRELS RUN. Prints seconds, then the expected utilities."""

import sys
from time import perf_counter

import cranfield as cf

MODELS = (
    *("P(value=all)@10", "RBP(p=0.8,value=all)@1000", "SDCG(value=all)@10", "RR(value=all)@1000"),
    *("INST(T=2,value=all)@1000", "INSQ(T=2,value=all)@1000", "BPM(T=1,value=all)@10", "BPMD(T=1,value=all)@10"),
    *("TBG(halflife=22,value=all)@1000", "U(L=50,value=all)@1000", "IFT_C1(T=2,value=all)@1000"),
    *("IFT_C2(A=0.2,value=all)@1000", "IFT_C1_C2(T=2,A=0.2,value=all)@1000"),
)


def main() -> None:
    """Parse, evaluate under the clock (the first call: nothing is left from an earlier one), print."""
    qrels_path, run_path = sys.argv[1:]
    evaluator = cf.Evaluator(cf.read_qrels(qrels_path), MODELS)
    run = cf.read_run(run_path)
    start = perf_counter()
    mean = evaluator(run).mean
    print(f"seconds\tall\t{perf_counter() - start:.6f}")
    for measure, value in mean.items():
        if "value=" not in measure:
            print(f"{measure}\tall\t{value:.4f}")


main()
