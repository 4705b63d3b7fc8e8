"""Average precision and what is made of it: AP, GMAP, YAAP."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from cranfield.data.query_sums import row_sums
from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats
from cranfield.measures.parameters import Choice, Cutoff, Rel
from cranfield.measures.registry import measure, ratio
from cranfield.measures.tie_forms import SHARES, TieForm, by_grade

if TYPE_CHECKING:
    from cranfield.measures.user_model import Ranks, Reader

Denominator = Annotated[str, Choice(("R", "min-k-R", "found"))]


def sum_of_precisions(r: Rankings, rel: float | None, cutoff: int | None = None) -> Floats:
    """For each query, the precision at each relevant document, added up."""
    relevant = r.at_least(rel)
    precision = r.cumulative(relevant) / r.rank
    r.show("rel", relevant, cutoff)
    r.show("P@i", precision, cutoff)
    return r.sum(np.where(relevant, precision, 0.0), cutoff, name="sum", column="rel · P@i")


def _reader(r: Rankings, *, rel: float | None, denominator: str, cutoff: int | None) -> Reader:
    """A reader who goes on with the share of Σ rel_j / j, from rank i on, that is left below i."""
    from cranfield.measures.user_model import Reader, UserModel

    relevant = r.at_least(rel)
    missed = r.relevant(rel) - r.count(relevant, cutoff)

    def continuation(at: Ranks) -> Floats:
        left = np.cumsum((at.gain / at.rank)[:, ::-1], axis=1)[:, ::-1]
        below = np.append(left[:, 1:], np.zeros((len(left), 1)), axis=1)
        share: Floats = np.divide(below, left, out=np.zeros_like(left), where=left > 0)
        return share

    def beyond(at: Ranks) -> Floats:
        """Relevant documents that were missed are read infinitely deep."""
        if at.below and cutoff is None:
            return np.full(len(at.query), np.inf)
        unread = missed[at.query] if denominator != "found" else np.zeros(len(at.query))
        if denominator == "min-k-R" and cutoff is not None:
            unread = np.minimum(unread, cutoff - at.gain.sum(axis=1))
        return ratio(unread, row_sums(at.gain / at.rank))

    return Reader(UserModel(continuation, beyond=beyond), r, relevant.astype(np.float64), cutoff)


def _divided_by_a_number(parameters: Mapping[str, Any]) -> bool:
    """Whether it is the usual value, and what it is divided by does not depend on the order."""
    return parameters["value"] == "EU" and (parameters["denominator"] != "found" or parameters["cutoff"] is None)


def _worth(r: Rankings, **parameters: Any) -> Floats | None:
    return by_grade(r, parameters) if _divided_by_a_number(parameters) else None


_TIES = TieForm(
    _divided_by_a_number, worth=_worth, across_depth=lambda parameters: parameters["denominator"] != "found"
)


@measure(
    "AP",
    aliases=("MAP",),
    at="cutoff",
    reader=_reader,
    completion="precisions",
    ties=_TIES,
    cites=("buckley-voorhees-2005",),
)
def average_precision(r: Rankings, *, rel: Rel = None, denominator: Denominator = "R", cutoff: Cutoff = None) -> Floats:
    r"""The mean of the precision at each relevant document, missed ones counting zero.

    .. math:: \mathrm{AP} = \frac{1}{R} \sum_{i=1}^{n} \mathrm{rel}_i \, P@i

    With a cutoff only the first k ranks are summed; the divisor is still R, so that AP@k stays below 1 where R is above
    k. `denominator=min-k-R` divides by the smaller of k and R, so that the best ranking has 1 at every k;
    `denominator=found` by the relevant documents among those looked at, which rewards a system for stopping early. A
    query without relevant documents scores 0. MAP is the mean over the queries.

    .. math:: C(i) = \frac{\sum_{j > i} \mathrm{rel}_j / j}{\sum_{j \ge i} \mathrm{rel}_j / j}, \qquad
        W(i) = \frac{1}{R} \sum_{j \ge i} \frac{\mathrm{rel}_j}{j}

    .. math:: L(i) = \frac{W(i) - W(i+1)}{W(1)} = \frac{\mathrm{rel}_i / i}{\sum_j \mathrm{rel}_j / j}

    This is its user model: a reader goes on from rank i with the chance C(i), rank i gets the share W(i) of all reading
    and is the last one read with the chance L(i). Relevant documents that were missed are read infinitely deep, so that
    1 / W(1), the expected depth, counts them too. Where none is found the reader leaves after the first rank.

    Erratum: Some of the lecture notes call AP the mean over the ranks where recall changes. It is divided by R, not by
    the number of such ranks: relevant documents at 2, 5, 6, 7 of 5 give .3943, not .4929.

    Erratum: One of the notes has in P@i the documents above rank i. P@i counts those up to and including rank i.

    Erratum: One of the notes calls AP the expected relevance at a document chosen at random. It is the expected
    precision at a relevant document chosen at random.

    Erratum: In the formula of the notes for the chance that document i is the last one read, (P(i) − P(i+1)) / P(1), P
    is the weight W above. That chance falls off as rel_i / i: it is not the same for all i.

    Elsewhere:
        trec_eval: `map`, `map_cut_k`.
        ir_measures: `AP`, `AP@k`; `MAP` is the same.
        ranx: `map`, `map@k`.
        scikit-learn: `average_precision_score` is the same where every document has a score of its own.
        cwl_eval: `APCWLMetric` is denominator=found, to depth 1000. `TrAPCWLMetric`, described as that, divides by R.
        others: in competitions and recommender libraries AP@k is often denominator=min-k-R.

    >>> evaluate_one("AP", [1, 0, 1, 0, 0])  # (1/1 + 2/3) / 2
    0.8333
    >>> # The example of the lecture notes, relevant documents at 1, 3, 6, 9, 10: (1/1 + 2/3 + 3/6 + 4/9 + 5/10) / 5
    >>> evaluate_one("AP", [1, 0, 1, 0, 0, 1, 0, 0, 1, 1])
    0.6222
    >>> evaluate_one("AP@2", [1, 0, 1, 0, 0])  # (1/1) / 2
    0.5
    >>> evaluate_one("AP(denominator=found)@2", [1, 0, 1, 0, 0])  # (1/1) / 1
    1.0
    """
    total = sum_of_precisions(r, rel, cutoff)
    if denominator == "found":
        found = r.count(r.at_least(rel), cutoff, name="found")
        return r.step("AP", "sum / found", ratio(total, found))
    relevant = r.relevant(rel)
    if denominator == "min-k-R" and cutoff is not None:
        most = np.minimum(relevant, cutoff)
        return r.step("AP", "sum / min(k, R)", ratio(total, most), k=cutoff, R=relevant)
    return r.step("AP", "sum / R", ratio(total, relevant), R=relevant)


@measure("GMAP", aggregate="geometric", completion="precisions", ties=SHARES, cites=("robertson-2006",))
def geometric_mean_average_precision(r: Rankings, *, rel: Rel = None) -> Floats:
    r"""The geometric mean of AP over the queries, which gives weight to the queries that fail.

    .. math:: \mathrm{GMAP} = \exp\Big(\frac{1}{|Q|} \sum_q \ln \max(\mathrm{AP}_q, 10^{-5})\Big)

    A single query's value is its AP; one below 0.00001 counts as that in the mean, so that a single failure does not
    make all of it 0. A query without relevant documents is such a failure.

    Elsewhere:
        trec_eval: `gm_map`, the same; shown for all queries only.

    >>> evaluate_one("GMAP", [1, 0, 1, 0, 0])  # one query: its AP, (1/1 + 2/3) / 2
    0.8333
    """
    return r.step("GMAP", "AP", average_precision(r, rel=rel))


@measure("YAAP", bounds=(-np.inf, np.inf), perfect=False, completion="precisions", cites=("robertson-2012",))
def yet_another_average_precision(r: Rankings, *, rel: Rel = None) -> Floats:
    r"""Average precision on a logit-like scale, on which differences between very good or very bad systems count more.

    .. math:: \ln \frac{1 + s}{1 + R - s}, \qquad s = \sum_i \mathrm{rel}_i \, P@i

    A query without relevant documents scores 0.

    Elsewhere:
        trec_eval: `yaap`, the same.

    >>> evaluate_one("YAAP", [1, 0, 1])  # s = 1 + 2/3, R = 2: ln(2.6667 / 1.3333) = ln 2
    0.6931
    """
    total = sum_of_precisions(r, rel)
    relevant = r.relevant(rel)
    return r.step("YAAP", "ln((1 + sum) / (1 + R - sum))", np.log((1.0 + total) / (1.0 + relevant - total)), R=relevant)
