"""Time cwl_eval's user models on a run in memory: QRELS RUN. Prints seconds, then the expected utilities."""

import sys
from time import perf_counter

import numpy as np
from cwl.ruler.measures.cwl_bpm import BPMCWLMetric, BPMDCWLMetric
from cwl.ruler.measures.cwl_dcg import NDCGCWLMetric
from cwl.ruler.measures.cwl_ift import IFTGoalCWLMetric, IFTGoalRateCWLMetric, IFTRateCWLMetric
from cwl.ruler.measures.cwl_insq import INSQCWLMetric
from cwl.ruler.measures.cwl_inst import INSTCWLMetric
from cwl.ruler.measures.cwl_precision import PrecisionCWLMetric
from cwl.ruler.measures.cwl_rbp import RBPCWLMetric
from cwl.ruler.measures.cwl_rr import RRCWLMetric
from cwl.ruler.measures.cwl_tbg import TBGCWLMetric
from cwl.ruler.measures.cwl_umeasure import UMeasureCWLMetric
from cwl.ruler.ranking import Ranking

MODELS = {
    "P@10": PrecisionCWLMetric(10),
    "RBP(p=0.8)@1000": RBPCWLMetric(0.8),
    "SDCG@10": NDCGCWLMetric(10),
    "RR@1000": RRCWLMetric(),
    "INST(T=2)@1000": INSTCWLMetric(2.0),
    "INSQ(T=2)@1000": INSQCWLMetric(2.0),
    "BPM(T=1)@10": BPMCWLMetric(1, 10),
    "BPMD(T=1)@10": BPMDCWLMetric(1, 10),
    "TBG(halflife=22)@1000": TBGCWLMetric(22),
    "U(L=50)@1000": UMeasureCWLMetric(50),
    "IFT_C1(T=2)@1000": IFTGoalCWLMetric(2.0, 0.9, 10),
    "IFT_C2(A=0.2)@1000": IFTRateCWLMetric(0.2, 0.9, 10),
    "IFT_C1_C2(T=2,A=0.2)@1000": IFTGoalRateCWLMetric(2.0, 0.9, 10, 0.2, 0.9, 10),
}


def main() -> None:
    """Parse, evaluate under the clock, print."""
    qrels_path, run_path = sys.argv[1:]
    relevant: dict[tuple[str, str], float] = {}
    with open(qrels_path) as lines:
        for query, _, document, grade in map(str.split, lines):
            relevant[query, document] = float(int(grade) >= 1)
    gains: dict[str, list[float]] = {}
    with open(run_path) as lines:
        for query, _, document, *_ in map(str.split, lines):
            gains.setdefault(query, []).append(relevant.get((query, document), np.nan))
    rankings = [Ranking(query, np.array(found), np.ones(len(found))) for query, found in gains.items()]
    totals = dict.fromkeys(MODELS, 0.0)
    for metric in MODELS.values():
        metric.residuals = True
    start = perf_counter()
    for ranking in rankings:
        for name, metric in MODELS.items():
            totals[name] += metric.measure(ranking)
    print(f"seconds\tall\t{perf_counter() - start:.6f}")
    for name, total in totals.items():
        print(f"{name}\tall\t{total / len(rankings):.4f}")


main()
