"""The face of ir_measures 0.4.3: a script that has `import ir_measures` takes this in its place.

    from cranfield.compat import ir_measures
    from cranfield.compat.ir_measures import *

Measures are values with the names, parameters and texts they have there; the numbers are the same but for what
docs/compat.md lists, where ir_measures is wrong or gives two answers.

>>> from cranfield.compat import ir_measures
>>> from cranfield.compat.ir_measures import AP, P, nDCG
>>> qrels = {"Q0": {"D0": 0, "D1": 1}, "Q1": {"D0": 0, "D3": 2}}
>>> run = {"Q0": {"D0": 1.2, "D1": 1.0}, "Q1": {"D0": 2.4, "D3": 3.6}}
>>> ir_measures.calc_aggregate([AP, P(rel=2) @ 10], qrels, run)  # (1/2 + 1)/2 and (0 + 1/10)/2
{AP: 0.75, P(rel=2)@10: 0.05}
"""

from __future__ import annotations

from cranfield.compat.ir_measures import measures, providers, util
from cranfield.compat.ir_measures.evaluator import Evaluator
from cranfield.compat.ir_measures.measure import BaseMeasure, MeanAgg, Measure, ParamInfo, SumAgg
from cranfield.compat.ir_measures.measures import (
    AP,
    AP_IA,
    BPM,
    ERR,
    ERR_IA,
    INSQ,
    INST,
    MAP,
    MAP_IA,
    MRR,
    NDCG,
    NERR8,
    NERR9,
    NERR10,
    NERR11,
    NRBP,
    P_IA,
    RBP,
    RR,
    SDCG,
    Accuracy,
    BPref,
    Bpref,
    Compat,
    IPrec,
    Judged,
    NumQ,
    NumRel,
    NumRelRet,
    NumRet,
    P,
    Precision,
    R,
    Recall,
    RPrec,
    Rprec,
    SetAP,
    SetF,
    SetP,
    SetR,
    SetRelP,
    StRecall,
    Success,
    alpha_DCG,
    alpha_nDCG,
    infAP,
    nDCG,
    nERR_IA,
    nNRBP,
    α_DCG,
    α_nDCG,
)
from cranfield.compat.ir_measures.parsing import convert_trec_name, parse_measure, parse_trec_measure
from cranfield.compat.ir_measures.provider import Provider
from cranfield.compat.ir_measures.providers import DefaultPipeline, registry
from cranfield.compat.ir_measures.reading import parse_trec_qrels, parse_trec_run, read_trec_qrels, read_trec_run
from cranfield.compat.ir_measures.records import (
    CalcResults,
    CwlMetric,
    GenericQrel,
    GenericScoredDoc,
    Metric,
    Qrel,
    ScoredDoc,
)
from cranfield.compat.ir_measures.runtime import define, define_byquery

__version__ = "0.4.3"
"""The version of ir_measures whose face this is."""

accuracy = registry["accuracy"]
compat = registry["compat"]
cwl_eval = registry["cwl_eval"]
gdeval = registry["gdeval"]
judged = registry["judged"]
msmarco = registry["msmarco"]
pyndeval = registry["pyndeval"]
pytrec_eval = registry["pytrec_eval"]
ranx = registry["ranx"]
runtime = registry["runtime"]
trectools = registry["trectools"]

evaluator = DefaultPipeline.evaluator
calc_ctxt = DefaultPipeline.calc_ctxt
iter_calc = DefaultPipeline.iter_calc
calc_aggregate = DefaultPipeline.calc_aggregate
calc = DefaultPipeline.calc
run_inputs = DefaultPipeline.run_inputs
qrel_inputs = DefaultPipeline.qrel_inputs

__all__ = [
    "AP",
    "AP_IA",
    "BPM",
    "ERR",
    "ERR_IA",
    "INSQ",
    "INST",
    "MAP",
    "MAP_IA",
    "MRR",
    "NDCG",
    "NERR8",
    "NERR9",
    "NERR10",
    "NERR11",
    "NRBP",
    "P_IA",
    "RBP",
    "RR",
    "SDCG",
    "Accuracy",
    "BPref",
    "BaseMeasure",
    "Bpref",
    "CalcResults",
    "Compat",
    "CwlMetric",
    "DefaultPipeline",
    "Evaluator",
    "GenericQrel",
    "GenericScoredDoc",
    "IPrec",
    "Judged",
    "MeanAgg",
    "Measure",
    "Metric",
    "NumQ",
    "NumRel",
    "NumRelRet",
    "NumRet",
    "P",
    "ParamInfo",
    "Precision",
    "Provider",
    "Qrel",
    "R",
    "RPrec",
    "Recall",
    "Rprec",
    "ScoredDoc",
    "SetAP",
    "SetF",
    "SetP",
    "SetR",
    "SetRelP",
    "StRecall",
    "Success",
    "SumAgg",
    "__version__",
    "accuracy",
    "alpha_DCG",
    "alpha_nDCG",
    "calc",
    "calc_aggregate",
    "calc_ctxt",
    "compat",
    "convert_trec_name",
    "cwl_eval",
    "define",
    "define_byquery",
    "evaluator",
    "gdeval",
    "infAP",
    "iter_calc",
    "judged",
    "measures",
    "msmarco",
    "nDCG",
    "nERR_IA",
    "nNRBP",
    "parse_measure",
    "parse_trec_measure",
    "parse_trec_qrels",
    "parse_trec_run",
    "providers",
    "pyndeval",
    "pytrec_eval",
    "qrel_inputs",
    "ranx",
    "read_trec_qrels",
    "read_trec_run",
    "run_inputs",
    "runtime",
    "trectools",
    "util",
    "α_DCG",
    "α_nDCG",
]
