"""pytrec_eval's face: a script that has `from cranfield.compat import pytrec_eval` in the place of its import runs on.

    qrel = pytrec_eval.parse_qrel(open("qrels.txt"))
    run = pytrec_eval.parse_run(open("bm25.run"))
    results = pytrec_eval.RelevanceEvaluator(qrel, {"map", "ndcg_cut_10"}).evaluate(run)

The numbers are those of pytrec_eval (trec_eval 9: scores compared as 32-bit floats, ties in descending order of the
documents' identifiers, topics that the run lacks left out). docs/compat.md lists what is different, and why.
"""

from __future__ import annotations

from cranfield.compat.pytrec_eval.aggregation import compute_aggregated_measure
from cranfield.compat.pytrec_eval.evaluator import RelevanceEvaluator
from cranfield.compat.pytrec_eval.names import supported_measures, supported_nicknames
from cranfield.compat.pytrec_eval.parsing import parse_qrel, parse_run

__version__ = "0.5.11"
"""The version of pytrec-eval-terrier whose face this is."""

__all__ = [
    "RelevanceEvaluator",
    "compute_aggregated_measure",
    "parse_qrel",
    "parse_run",
    "supported_measures",
    "supported_nicknames",
]
