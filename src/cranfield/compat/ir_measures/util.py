"""What ir_measures has in its module of this name, as far as scripts use it."""

from __future__ import annotations

from cranfield.compat.ir_measures.parsing import convert_trec_name, parse_measure, parse_trec_measure
from cranfield.compat.ir_measures.reading import parse_trec_qrels, parse_trec_run, read_trec_qrels, read_trec_run
from cranfield.compat.ir_measures.records import CalcResults, GenericQrel, GenericScoredDoc, Metric, Qrel, ScoredDoc

__all__ = [
    "CalcResults",
    "GenericQrel",
    "GenericScoredDoc",
    "Metric",
    "Qrel",
    "ScoredDoc",
    "convert_trec_name",
    "parse_measure",
    "parse_trec_measure",
    "parse_trec_qrels",
    "parse_trec_run",
    "read_trec_qrels",
    "read_trec_run",
]
