"""Binary preference: Bpref, BprefUncapped, GMBpref."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import numpy as np

from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats
from cranfield.measures.parameters import Choice, Rel
from cranfield.measures.registry import measure, ratio
from cranfield.measures.tie_forms import SHARES_WHOLE_LISTS, TieForm

if TYPE_CHECKING:
    from cranfield.data.shared_ranks import SharedRankings

Form = Annotated[str, Choice(("trec_eval", "notes", "pairs"))]


def _mean_preference(r: Rankings, rel: float | None, share: Floats, *, name: str, column: str) -> Floats:
    """For each query 1 − share over the relevant documents; missed ones count 0."""
    relevant = r.relevant(rel)
    r.show(column, share)
    total = r.sum(np.where(r.at_least(rel), 1.0 - share, 0.0), name="sum", column="rel · (1 - s)")
    return r.step(name, "sum / R", ratio(total, relevant), R=relevant)


def _nonrelevant_above(r: Rankings, rel: float | None) -> Floats:
    """For each row, how many documents judged not relevant stand above it."""
    relevant = r.at_least(rel)
    above = r.cumulative((r.grade >= 0) & ~relevant)
    r.show("rel", relevant)
    r.show("n", above)
    return above


def _expected(r: SharedRankings, *, rel: float | None, form: str = "trec_eval") -> Floats:
    """Of the m judged non-relevant documents of its tie, 0, 1, ..., m stand above a relevant one, all as likely."""
    if form == "pairs":
        return binary_preference(r, rel=rel, form=form)
    relevant, nonrelevant = r.relevant(rel), r.nonrelevant(rel)
    most = (relevant if form == "notes" else np.minimum(nonrelevant, relevant))[r.query]
    before, tied = r.rows.before_and_in_tie(((r.grade >= 0) & ~r.at_least(rel)).astype(np.float64))
    cap = relevant[r.query]
    uncapped = np.clip(cap - before, 0, tied + 1)  # how many of the m + 1 outcomes are below the cap
    total = uncapped * (before + (uncapped - 1) / 2) + (tied + 1 - uncapped) * cap
    share = ratio(total, (tied + 1) * most)
    return ratio(r.sum(np.where(r.at_least(rel), 1.0 - share, 0.0)), relevant)


_TIES = TieForm(shares=True, expected=_expected, across_depth=False)


@measure("Bpref", sampling="unjudged", ties=_TIES, cites=("buckley-voorhees-2004",))
def binary_preference(r: Rankings, *, rel: Rel = None, form: Form = "trec_eval") -> Floats:
    r"""How often a relevant document stands above the documents judged not relevant; unjudged ones are passed over.

    .. math:: \frac{1}{R} \sum_{d\ \mathrm{relevant}} \left(1 - \frac{\min(n_d, R)}{\min(N, R)}\right)

    where n_d counts the judged non-relevant documents above d and N all of them. A relevant document with none above
    it contributes 1, one that is not retrieved 0. A query without relevant documents scores 0. A negative grade, pooled
    but not judged, counts as unjudged.

    `form` chooses what n_d is divided by. With `form=trec_eval` n_d is capped at R and divided by the smaller of N and
    R, as above. The lecture notes divide by R and have no cap, see BprefUncapped. With `form=notes` n_d is capped at R
    and divided by R, so that the value cannot go below 0.

    .. math:: \frac{1}{R} \sum_{d\ \mathrm{relevant}} \left(1 - \frac{\min(n_d, R)}{R}\right)

    With `form=pairs` n_d is divided by N, without a cap. That is P/(P + Q), the share of the pairs of a relevant and a
    non-relevant document that are in the right order.

    .. math:: \frac{1}{R} \sum_{d\ \mathrm{relevant}} \left(1 - \frac{n_d}{N}\right) = \frac{P}{P + Q}

    A pair of which neither is retrieved counts as wrong here; AUC counts it as half right.

    Erratum: One of the lecture notes has (1/R) Σ (1 − n_d/R) = P/(P + Q). The two differ unless N = R or nothing
    irrelevant precedes a relevant document.

    Erratum: The notes have no cap on n_d, so that their sum is negative where n_d is above R: I I I R with R = 1 gives
    −2 (`BprefUncapped`). With the cap it is 0 (`Bpref(form=notes)`).

    Elsewhere:
        trec_eval: `bpref`.
        ir_measures: `Bpref`, from trec_eval.
        ranx: `bpref` counts negative grades as not relevant, and divides by 0 where R or N is 0.

    >>> evaluate_one("Bpref", [0, 1, None, None, 1, 0])  # R = N = 2: (1/2 + 1/2) / 2
    0.5
    >>> evaluate_one("Bpref(form=notes)", [0, 1, 0, 1, 1])  # R = 3, N = 2: (2/3 + 1/3 + 1/3) / 3
    0.4444
    >>> evaluate_one("Bpref(form=pairs)", [0, 1, 0, 1, 1])  # N = 2: (1/2 + 0 + 0) / 3
    0.1667
    """
    relevant, nonrelevant = r.relevant(rel), r.nonrelevant(rel)
    above = _nonrelevant_above(r, rel)
    if form == "pairs":
        r.step("most", "N", nonrelevant, N=nonrelevant)
        return _mean_preference(r, rel, ratio(above, nonrelevant[r.query]), name="Bpref", column="s = n / most")
    most = relevant if form == "notes" else np.minimum(nonrelevant, relevant)
    r.step("most", "R" if form == "notes" else "min(N, R)", most, N=nonrelevant, R=relevant)
    share = ratio(np.minimum(above, relevant[r.query]), most[r.query])
    return _mean_preference(r, rel, share, name="Bpref", column="s = min(n, R) / most")


@measure("BprefUncapped", sampling="unjudged", bounds=(-np.inf, 1.0), ties=SHARES_WHOLE_LISTS, cites=("lavrenko-2011",))
def uncapped_binary_preference(r: Rankings, *, rel: Rel = None) -> Floats:
    r"""Binary preference by the formula of the lecture notes: divided by R and not capped, so that it can go below 0.

    .. math:: \frac{1}{R} \sum_{d\ \mathrm{relevant}} \left(1 - \frac{n_d}{R}\right)

    where n_d counts the judged non-relevant documents above d. It has no lower bound, and a relevant document far below
    is worse than one that is missed, which contributes 0. A query without relevant documents scores 0. `Bpref` is what
    trec_eval computes: it caps n_d at R and divides by the smaller of N, the number of judged non-relevant documents,
    and R. `Bpref(form=notes)` caps n_d at R and divides by R.

    Erratum: The notes have no cap on n_d. It is to be capped at R: I I I R with R = 1 gives −2 here and 0 with
    `Bpref(form=notes)`.

    >>> evaluate_one("BprefUncapped", [0, 0, 0, 1])  # 1 − 3/1
    -2.0
    """
    share = ratio(_nonrelevant_above(r, rel), r.relevant(rel)[r.query])
    return _mean_preference(r, rel, share, name="BprefUncapped", column="s = n / R")


@measure(
    "GMBpref", sampling="unjudged", aggregate="geometric", ties=_TIES, cites=("robertson-2006", "buckley-voorhees-2004")
)
def geometric_mean_binary_preference(r: Rankings, *, rel: Rel = None) -> Floats:
    r"""The geometric mean of Bpref over the queries, values below 0.00001 counting as that.

    .. math:: \exp\Big(\frac{1}{|Q|} \sum_q \ln \max(\mathrm{Bpref}_q, 10^{-5})\Big)

    A single query's value is its Bpref; that of a query without relevant documents is 0.

    Elsewhere:
        trec_eval: `gm_bpref`, the same; shown for all queries only.

    >>> evaluate_one("GMBpref", [0, 1, 1, 0])  # one query: its Bpref
    0.5
    """
    return r.step("GMBpref", "Bpref", binary_preference(r, rel=rel))
