"""trec_eval's normalised gain: G and BinG."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats
from cranfield.measures.gains import Gains, Ideal, gain_of
from cranfield.measures.long_sums import sums_to
from cranfield.measures.parameters import Rel
from cranfield.measures.registry import measure, ratio
from cranfield.measures.tie_forms import TieForm

if TYPE_CHECKING:
    from cranfield.data.shared_ranks import SharedRankings


@measure("G", improves=False, completion="whole_range", cites=("trec_eval",))
def normalised_gain(r: Rankings, *, gains: Gains = None) -> Floats:
    r"""Gain divided by the logarithm of how far the ranking lags behind the ideal one, as a share of all gain there is.

    .. math:: \frac{1}{\sum_j g^*_j} \sum_i \frac{g_i}{\log_2(2 + c_i - s_i)}

    g is the grade; the `gains` of single grades are named as in `gains=1:3;2:9`. s_i is the gain of the first i
    documents, c_i what the ideal ranking has cost by then: its gain, at least 1 for each document. A query without
    relevant documents scores 0. Moving a better document up can lower the value, since the gain it gets earlier is
    weighed against an ideal that has gained less by then.

    Elsewhere:
        trec_eval: `G`, the same.

    >>> evaluate_one("G", [0, 1])  # c = 2, s = 1 at rank 2: 1/log2(3)
    0.6309
    """
    ideal = Ideal.of(r, "linear", gains)
    worth = gain_of(r.grade, "linear", gains)
    beyond = np.maximum(r.rank - ideal.size()[r.query], 0)
    cost = ideal.at(ideal.cumulative(np.maximum(ideal.gain, 1.0)), r.query, r.rank) + beyond
    so_far = r.cumulative(worth)
    lag = np.log2(2.0 + cost - so_far)
    for column, values in (("gain", worth), ("c", cost), ("s", so_far), ("lag = log2(2 + c - s)", lag)):
        r.show(column, values)
    total = r.sum(np.where(worth != 0, worth / lag, 0.0), name="sum", column="gain / lag")
    possible = ideal.sum(ideal.gain)
    r.show_ideal({"gain": ideal.gain}, name="IdealGain", total=possible)
    return r.step("G", "sum / IdealGain", ratio(total, possible))


def _expected(r: SharedRankings, *, rel: float | None) -> Floats:
    """Of the m other documents of its tie, 0, 1, ..., m stand above a relevant one, all as likely."""
    relevant = r.at_least(rel)
    before, tied = r.rows.before_and_in_tie(relevant.astype(np.float64))
    above = np.rint(r.rows.first_of_tie(r.rank) - 1 - before).astype(np.int64)
    others = np.rint(r.size - tied).astype(np.int64)
    upto = sums_to(lambda rank: 1.0 / np.log2(1.0 + rank), np.concatenate((above, above + others + 1)))
    value = (upto[len(above) :] - upto[: len(above)]) / (others + 1)
    return ratio(r.sum(np.where(relevant, value, 0.0)), r.relevant(rel))


@measure(
    "BinG", completion="cells", ties=TieForm(shares=True, expected=_expected, across_depth=False), cites=("trec_eval",)
)
def binary_normalised_gain(r: Rankings, *, rel: Rel = None) -> Floats:
    r"""The mean over the relevant documents of 1 / log2(2 + the number of other documents above it), missed ones 0.

    .. math:: \frac{1}{R} \sum_{i : \mathrm{rel}_i} \frac{1}{\log_2(2 + i - \mathrm{rel}_{\le i})}

    A query without relevant documents scores 0.

    Elsewhere:
        trec_eval: `binG`, the same.

    >>> evaluate_one("BinG", [1, 0, 1])  # (1/log2(2) + 1/log2(3)) / 2
    0.8155
    """
    relevant = r.at_least(rel)
    others = r.rank - r.cumulative(relevant)
    value = 1.0 / np.log2(2.0 + others)
    r.show("rel", relevant)
    r.show("others above", others)
    total = r.sum(np.where(relevant, value, 0.0), name="sum", column="rel / log2(2 + others)")
    return r.step("BinG", "sum / R", ratio(total, r.relevant(rel)), R=r.relevant(rel))
