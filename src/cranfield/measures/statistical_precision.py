"""Precision and R from judgments with known inclusion probabilities: statNumRel, statP, statRprec."""

from __future__ import annotations

from typing import Any

import numpy as np

from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats
from cranfield.measures.parameters import Cutoff, Rel
from cranfield.measures.precision import CUTOFFS
from cranfield.measures.registry import measure, ratio
from cranfield.measures.statistical_ap import estimated_relevant, needs_sampling, relevant_weights
from cranfield.measures.tie_forms import TieForm


def _worth(r: Rankings, *, rel: float | None, **_: Any) -> Floats:
    return relevant_weights(r, rel)[r.judgment]


_TIES = TieForm(shares=True, worth=_worth)
_STATISTICAL = {
    "check": needs_sampling,
    "sampling": "chances",
    "bounds": (0.0, np.inf),
    "perfect": False,
    "improves": False,
    "cites": ("aslam-pavlu-2007", "horvitz-thompson-1952"),
}


@measure(
    "statNumRel",
    aggregate="sum",
    without_run=True,
    **_STATISTICAL | {"more_is_better": None, "improves": True},
)
def statistical_number_relevant(r: Rankings, *, rel: Rel = None) -> Floats:
    r"""R estimated from a sample: how many relevant documents there should be in the whole pool.

    .. math:: \hat{R} = \sum_{d\ \mathrm{relevant}} \frac{1}{\pi_d}

    where π is the chance a document had of being judged: its inclusion probability (1 for method 0 or 2 of prels), or
    else the share of its stratum that was judged. Over all queries it is added up. A query without relevant documents
    has 0, and so has a stratum of which nothing was judged.

    Elsewhere:
        statAP_MQ_eval: `Relevant`, the same.
        sample_eval: `inum_rel`, the same.

    >>> evaluate_one("statNumRel", [1, 0], unretrieved=[1], probabilities=[0.5, 0.5, 0.25])  # 1/0.5 + 1/0.25
    6.0
    >>> evaluate_one("statNumRel", [1, -1, 0], unretrieved=[1], strata="aaab")  # [a] 1 · 3/2 + [b] 1
    2.5
    """
    return r.step("statNumRel", "R", estimated_relevant(r, rel))


@measure("statP", at="cutoff", at_needed=True, defaults_at=CUTOFFS, ties=_TIES, **_STATISTICAL)
def statistical_precision(r: Rankings, *, rel: Rel = None, cutoff: Cutoff = None) -> Floats:
    r"""Precision at k estimated where each document was judged with a known probability.

    .. math:: \frac{1}{k} \sum_{i \le k,\ \mathrm{rel}_i} \frac{1}{\pi_i}

    where π is the chance the document had of being judged (see statNumRel). The mean over all samples that might have
    been drawn is P@k; a single estimate may be above 1. A list shorter than k is filled up with documents that are not
    relevant, and documents not judged count nothing.

    Elsewhere:
        statAP_MQ_eval: `Prec_at_k`, the same; version 4 gives 0 for a list shorter than k.

    >>> evaluate_one("statP@5", [1, 0, None, 1], probabilities=[1, 0.5, 0.25])  # (1/1 + 1/0.25) / 5
    1.0
    """
    assert cutoff is not None
    found = r.sum(relevant_weights(r, rel)[r.judgment], cutoff, name="found", column="stands for")
    return r.step("statP", "found / k", found / cutoff, k=cutoff)


@measure("statRprec", ties=_TIES, **_STATISTICAL)
def statistical_r_precision(r: Rankings, *, rel: Rel = None) -> Floats:
    r"""R-precision estimated where each document was judged with a known probability: statP at the estimated R.

    .. math:: \frac{1}{k} \sum_{i \le k,\ \mathrm{rel}_i} \frac{1}{\pi_i}, \qquad k = \lfloor \hat{R} + 1/2 \rfloor

    where R̂ is statNumRel. For a list shorter than k the divisor is R̂ itself. A query without relevant documents
    scores 0.

    Elsewhere:
        statAP_MQ_eval: `R-prec`, the same.

    >>> # R is estimated as 1 + 2 = 3; among the first 3 stands the first one: 1/3
    >>> evaluate_one("statRprec", [1, 0, None, 1], probabilities=[1, 0.5, 0.5])
    0.3333
    """
    estimated = estimated_relevant(r, rel)
    cutoff = np.floor(estimated + 0.5).astype(np.int64)
    found = r.sum(relevant_weights(r, rel)[r.judgment], cutoff, name="found", column="found")
    divisor = np.where(r.retrieved < cutoff, estimated, cutoff)
    return r.step("statRprec", "found / k", ratio(found, divisor), k=divisor)
