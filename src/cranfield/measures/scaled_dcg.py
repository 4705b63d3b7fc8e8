"""Discounted cumulative gain as a user model: SDCG."""

from __future__ import annotations

from cranfield.measures.patience import logarithmic
from cranfield.measures.readers import user_model
from cranfield.measures.user_model import UserModel


@user_model(
    "SDCG",
    at_needed=True,
    defaults_at=(10,),
    perfect=False,
    completion="reading",
    cites=("jarvelin-kekalainen-2002", "moffat-2017"),
)
def scaled_discounted_cumulative_gain() -> UserModel:
    r"""DCG divided by the DCG of k documents of the highest gain, whether the collection has so many or not.

    .. math:: \mathrm{SDCG}@k = \frac{\sum_{i=1}^{k} g_i / \log_2(i+1)}{\sum_{i=1}^{k} 1 / \log_2(i+1)}, \qquad
        C(i) = \frac{\log_2(i+1)}{\log_2(i+2)} \ \mathrm{for}\ i < k

    The second formula is its user model: C(i) is the chance that a reader goes on from rank i to the next, and after k
    nobody does. The `gain` g is 1 for a relevant document (`binary`), the grade divided by gmax (`linear`) or (2^grade
    − 1) / (2^gmax − 1) (`exponential`). Unlike nDCG it needs no ideal ranking: a query with few relevant documents
    scores low however good the ranking is, and a query without any scores 0. A list shorter than k is filled up with
    documents without a gain.

    Elsewhere:
        ir_measures: `SDCG(max_rel=3)@10` is `SDCG(gain=linear,gmax=3)@10`.
        cwl_eval: `NDCGCWLMetric(k)`, although it is not nDCG; the grades as they are are the gains.

    >>> evaluate_one("SDCG@3", [1, 0, 1])  # (1/1 + 1/2) / (1/1 + 1/1.585 + 1/2)
    0.7039
    """
    return logarithmic()
