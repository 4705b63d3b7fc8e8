"""Cumulative gain, discounted and normalised: CG, DCG, IdealDCG, nDCG."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import numpy as np

from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats
from cranfield.measures.gains import Base, Discount, Gain, Gains, Ideal, discount_of, gain_of
from cranfield.measures.parameters import Choice, Cutoff
from cranfield.measures.registry import measure, ratio
from cranfield.measures.tie_forms import TieForm, no_matter

IdealFrom = Annotated[str, Choice(("judged", "shortened", "retrieved"))]
_BASE = {"base": {"discount": ("log1p", "log")}}


def _worth(
    r: Rankings, *, gain: str = "linear", gains: tuple[tuple[float, float], ...] | None = None, **_: Any
) -> Floats:
    return gain_of(r.grade, gain, gains)


_BY_GAIN = TieForm(shares=True, worth=_worth)


def _ideal_is_fixed(parameters: Mapping[str, Any]) -> bool:
    """Whether the ideal ranking does not depend on which documents are retrieved."""
    return bool(parameters["ideal"] != "retrieved")


@measure(
    "CG",
    at="cutoff",
    bounds=(-np.inf, np.inf),
    completion="corners",
    ties=_BY_GAIN,
    cites=("jarvelin-kekalainen-2002",),
)
def cumulative_gain(r: Rankings, *, gain: Gain = "linear", gains: Gains = None, cutoff: Cutoff = None) -> Floats:
    r"""The gain of the documents added up, wherever they stand.

    .. math:: \mathrm{CG}@k = \sum_{i=1}^{k} g_i

    The `gain` g of a document is its grade, or 2^grade − 1 with `gain=exponential`. `gains=1:3;2:9` names the gains of
    single grades. A document that is not judged gains nothing.

    >>> evaluate_one("CG@3", [3, 2, 3, 0, 1, 2])  # 3 + 2 + 3
    8.0
    """
    top = r if cutoff is None else r.cut(cutoff)
    return top.sum(gain_of(top.grade, gain, gains), name="CG", column="gain")


@measure(
    "DCG",
    aliases=("dcg_score",),
    at="cutoff",
    only_with=_BASE,
    bounds=(-np.inf, np.inf),
    completion="corners",
    ties=_BY_GAIN,
    cites=("jarvelin-kekalainen-2002",),
)
def discounted_cumulative_gain(
    r: Rankings,
    *,
    gain: Gain = "linear",
    gains: Gains = None,
    discount: Discount = "log1p",
    base: Base = 2,
    cutoff: Cutoff = None,
) -> Floats:
    r"""The gain of the documents added up, each divided by the logarithm of its rank.

    .. math:: \mathrm{DCG}@k = \sum_{i=1}^{k} \frac{g_i}{d_i}, \qquad d_i = \log_2(i + 1)

    The `gain` g of a document is its grade, or 2^grade − 1 with `gain=exponential`. `gains=1:3;2:9` names the gains of
    single grades. A document that is not judged gains nothing.

    The `discount` d is the logarithm of i + 1 (`log1p`), the logarithm of i (`log`), the rank i (`zipf`) or 1 (`none`).
    The logarithm has the `base` 2 unless another is given; where it is below 1 the gain counts in full. So
    `discount=log` is rel₁ + Σ relᵢ / log₂ i, and with `discount=log,base=10` the first ten ranks count in full, as
    Järvelin and Kekäläinen defined it.

    The lecture notes work out all their examples with log₂ i, which is `DCG(discount=log)` here. Their other formulas
    have log₂(1 + i), the default here: rel / log₂(1 + i) is `DCG`, and (2^rel − 1) / log₂(1 + i) is
    `DCG(gain=exponential)`.

    Erratum: One of the lecture notes prints the gain as 2·r − 1; it is 2^r − 1. Another prints the sum of log₂(1 + i);
    it is the sum of relᵢ / log₂(1 + i).

    Erratum: The notes say that any base will do. With a base above 2 the logarithm of the first ranks is below 1, and
    dividing by it would raise their gain: they are left undiscounted.

    Elsewhere:
        trec_eval: `dcg`, the same.
        ranx: `dcg`, the same; `dcg_burges` is `DCG(gain=exponential)`.
        scikit-learn: `dcg_score`, the same; tied scores share the mean of their gains; `log_base` divides all ranks.
        Elasticsearch: `dcg` is `DCG(gain=exponential)@10`.
        gdeval: the natural logarithm, which cancels in its nDCG.

    >>> evaluate_one("DCG@3", [3, 2, 3])  # 3/1 + 2/1.585 + 3/2
    5.7619
    >>> # An example of the lecture notes: 3 + 2/1 + 3/1.585 + 0/2 + 1/2.3219 + 2/2.585
    >>> evaluate_one("DCG(discount=log)@6", [3, 2, 3, 0, 1, 2])
    8.0972
    >>> evaluate_one("DCG(gain=exponential)@3", [3, 2, 3])  # 7/1 + 3/1.585 + 7/2
    12.3928
    """
    top = r if cutoff is None else r.cut(cutoff)
    worth, discounted = gain_of(top.grade, gain, gains), discount_of(top.rank, discount, base)
    top.show("gain", worth)
    top.show("discount", discounted)
    return top.sum(worth / discounted, name="DCG", column="gain / discount")


@measure(
    "IdealDCG",
    aliases=("IDCG",),
    at="cutoff",
    only_with=_BASE,
    more_is_better=None,
    bounds=(0.0, np.inf),
    completion="ideal_gains",
    ties=TieForm(shares=True, worth=no_matter, across_depth=_ideal_is_fixed),
    cites=("jarvelin-kekalainen-2002",),
)
def ideal_discounted_cumulative_gain(
    r: Rankings,
    *,
    gain: Gain = "linear",
    gains: Gains = None,
    discount: Discount = "log1p",
    base: Base = 2,
    ideal: IdealFrom = "judged",
    cutoff: Cutoff = None,
) -> Floats:
    r"""The DCG of the best possible ranking: all judged documents, best first.

    .. math:: \mathrm{IdealDCG}@k = \sum_{i=1}^{k} \frac{g^*_i}{d_i}, \qquad g^*_1 \ge g^*_2 \ge \dots

    The `ideal` ranking is made of all `judged` documents; `retrieved` takes only those the run has, anywhere in its
    list, and `shortened` stops after as many of the judged ones as the run has documents. The `gain` g of a document is
    its grade, or 2^grade − 1 with `gain=exponential`. `gains=1:3;2:9` names the gains of single grades; documents whose
    gain is below 0 are left out. The `discount` d is the logarithm of i + 1 (`log1p`), the logarithm of i (`log`), the
    rank i (`zipf`) or 1 (`none`). The logarithm has the `base` 2 unless another is given; where it is below 1 the gain
    counts in full. A query without relevant documents scores 0.

    Erratum: One of the lecture notes prints the ideal DCG of its ten documents as 10.52 at rank 6 and 10 at rank 10;
    it is 10.53 and 10.88.

    Elsewhere:
        trec_eval: `ideal_dcg`, the same.

    >>> evaluate_one("IdealDCG@2", [0, 2], unretrieved=[3])  # 3/1 + 2/1.585
    4.2619
    >>> evaluate_one("IdealDCG(ideal=retrieved)@2", [0, 2], unretrieved=[3])  # 2/1 + 0/1.585
    2.0
    """
    best = Ideal.of(r, gain, gains, retrieved_only=ideal == "retrieved")
    length = r.retrieved if cutoff is None else np.minimum(r.retrieved, cutoff)
    depth = length if ideal == "shortened" else cutoff
    discounted = discount_of(best.rank, discount, base)
    worth = best.gain / discounted
    value = best.sum(worth, depth)
    columns = {"gain": best.gain, "discount": discounted, "gain / discount": worth}
    r.show_ideal(columns, depth, name="IdealDCG", total=value)
    return value


@measure(
    "nDCG",
    aliases=("MSnDCG", "ndcg_score"),
    at="cutoff",
    only_with=_BASE,
    bounds=(-np.inf, 1.0),
    completion="ideal_gains",
    ties=_BY_GAIN._replace(across_depth=_ideal_is_fixed),
    cites=("jarvelin-kekalainen-2002", "burges-2005"),
)
def normalised_discounted_cumulative_gain(
    r: Rankings,
    *,
    gain: Gain = "linear",
    gains: Gains = None,
    discount: Discount = "log1p",
    base: Base = 2,
    ideal: IdealFrom = "judged",
    cutoff: Cutoff = None,
) -> Floats:
    r"""DCG divided by the DCG of the best possible ranking of all judged documents.

    .. math:: \mathrm{nDCG}@k = \frac{\mathrm{DCG}@k}{\mathrm{IdealDCG}@k}, \qquad
        \mathrm{DCG}@k = \sum_{i=1}^{k} \frac{g_i}{d_i}, \qquad d_i = \log_2(i + 1)

    The `gain` g of a document is its grade, or 2^grade − 1 with `gain=exponential`. `gains=1:3;2:9` names the gains of
    single grades. A document that is not judged gains nothing.

    The `discount` d is the logarithm of i + 1 (`log1p`), the logarithm of i (`log`), the rank i (`zipf`) or 1 (`none`).
    The logarithm has the `base` 2 unless another is given; where it is below 1 the gain counts in full.

    The `ideal` ranking is made of all `judged` documents; `retrieved` takes only those the run has, anywhere in its
    list, and `shortened` stops after as many of the judged ones as the run has documents. With `retrieved`, a run that
    missed every good document can still score 1. The lecture notes work out their examples with `discount=log`, most of
    them with `ideal=retrieved`.

    A list shorter than k ends where it ends; its ideal, unless `shortened`, still goes to k. A query without relevant
    documents scores 0. Below 0 only if some gain is negative.

    Erratum: One of the lecture notes prints NDCG@4 of 3, 2, 3, 0, 0, 1, 2, 2, 3, 0 as 0.76; it is 6.893 / 8.893 =
    0.775. (Its numbers are those of `nDCG(discount=log,ideal=retrieved)`.)

    Elsewhere:
        trec_eval: `ndcg`, `ndcg_cut_k`: the same.
        ir_measures: `nDCG@k`, the same; `nDCG(dcg='exp-log2')@k` is `nDCG(gain=exponential)@k`.
        ranx: `ndcg`, the same; `ndcg_burges` is `nDCG(gain=exponential)`.
        gdeval: `ndcg@k` is `nDCG(gain=exponential)@k`, to five places.
        scikit-learn: `ndcg_score`, the same; tied scores share the mean of their gains.
        LightGBM: `ndcg` is `nDCG(gain=exponential)` of the documents in the data; 1 for a query without relevant ones.
        Elasticsearch: `dcg` with `normalize` is `nDCG(gain=exponential,ideal=shortened)@10`; older versions had the
            ideal ranking of the hits alone, `ideal=retrieved`.
        NTCIREVAL: `nDCG@k` is `nDCG(discount=log)@k`; `MSnDCG@k` the same as here.

    >>> evaluate_one("nDCG@10", [0, 2], unretrieved=[3])  # (2/1.585) / (3/1 + 2/1.585) = 1.2619/4.2619
    0.2961
    >>> evaluate_one("nDCG(discount=log)@10", [0, 2], unretrieved=[3])  # (2/1) / (3 + 2/1)
    0.4
    >>> evaluate_one("nDCG(ideal=retrieved)@10", [0, 2], unretrieved=[3])  # (2/1.585) / (2/1)
    0.6309
    """
    reached = discounted_cumulative_gain(r, gain=gain, gains=gains, discount=discount, base=base, cutoff=cutoff)
    possible = ideal_discounted_cumulative_gain(
        r, gain=gain, gains=gains, discount=discount, base=base, ideal=ideal, cutoff=cutoff
    )
    return r.step("nDCG", "DCG / IdealDCG", ratio(reached, possible))
