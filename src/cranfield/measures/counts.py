"""How many queries, documents and relevant documents there are: NumQ, NumRet, NumRel, NumRelRet, NumNonrelRet."""

from __future__ import annotations

from collections.abc import Sized

import numpy as np

from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats
from cranfield.measures.parameters import Rel
from cranfield.measures.registry import measure
from cranfield.measures.tie_forms import TieForm, no_matter

_COUNT = {"aggregate": "sum", "counts": True, "more_is_better": None, "bounds": (0.0, np.inf), "cites": ("trec_eval",)}


def _relevant(r: Rankings, *, rel: float | None) -> Floats:
    return r.at_least(rel).astype(np.float64)


def _nonrelevant(r: Rankings, *, rel: float | None) -> Floats:
    return ((r.grade >= 0) & ~r.at_least(rel)).astype(np.float64)


@measure("NumQ", needs="anything", without_run=True, completion="corners", **_COUNT)
def number_of_queries(r: Sized) -> Floats:
    """The number of queries evaluated: 1 for each query, added up.

    Elsewhere:
        trec_eval: `num_q`, shown for all queries only.
        ir_measures: `NumQ`.

    >>> evaluate_one("NumQ", [1, 0])
    1.0
    """
    value = np.ones(len(r))
    return r.step("NumQ", "1", value) if isinstance(r, Rankings) else value


@measure("NumRet", completion="corners", ties=TieForm(shares=True, worth=no_matter), **_COUNT)
def number_retrieved(r: Rankings) -> Floats:
    """The number of documents retrieved, added up over the queries.

    Elsewhere:
        trec_eval: `num_ret`.
        ir_measures: `NumRet`; with `rel`, `NumRelRet`.

    >>> evaluate_one("NumRet", [1, None, 0])
    3.0
    """
    return r.step("NumRet", "n", r.retrieved.astype(np.float64), n=r.retrieved)


@measure("NumRel", without_run=True, completion="corners", **_COUNT)
def number_relevant(r: Rankings, *, rel: Rel = None) -> Floats:
    """R, the number of documents judged relevant, added up over the queries.

    Elsewhere:
        trec_eval: `num_rel`.
        ir_measures: `NumRel`.

    >>> evaluate_one("NumRel", [1, 0], unretrieved=[1, 1])
    3.0
    """
    relevant = r.relevant(rel)
    return r.step("NumRel", "R", relevant.astype(np.float64), R=relevant)


@measure("NumRelRet", aliases=("hits",), completion="corners", ties=TieForm(shares=True, worth=_relevant), **_COUNT)
def number_relevant_retrieved(r: Rankings, *, rel: Rel = None) -> Floats:
    """The number of relevant documents retrieved, added up over the queries.

    Elsewhere:
        trec_eval: `num_rel_ret`.
        ir_measures: `NumRelRet`, or `NumRet(rel=1)`.
        ranx: `hits`, the mean over the queries rather than the sum.

    >>> evaluate_one("NumRelRet", [1, 0, 2], unretrieved=[1])
    2.0
    """
    return r.count(r.at_least(rel), name="NumRelRet")


@measure("NumNonrelRet", ties=TieForm(shares=True, worth=_nonrelevant), **_COUNT)
def number_nonrelevant_retrieved(r: Rankings, *, rel: Rel = None) -> Floats:
    """The number of documents retrieved that were judged and are not relevant, added up over the queries.

    Unjudged documents do not count.

    Elsewhere:
        trec_eval: `num_nonrel_judged_ret`.

    >>> evaluate_one("NumNonrelRet", [1, 0, None])
    1.0
    """
    return r.count((r.grade >= 0) & ~r.at_least(rel), name="NumNonrelRet", column="non-rel")
