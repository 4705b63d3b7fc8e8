"""Precision blended with cumulative gain: Q, O, P_measure, P_plus, NCU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

import numpy as np

from cranfield.data.rankings import Rankings
from cranfield.data.strings import Codes, Floats, Ints
from cranfield.measures.gains import Gain, Gains, Ideal, gain_of
from cranfield.measures.parameters import Choice, Cutoff, NotNegative, Persistence, Rel
from cranfield.measures.registry import measure, ratio
from cranfield.measures.tie_forms import SHARES, TieForm

if TYPE_CHECKING:
    from cranfield.data.shared_ranks import SharedRankings

Beta = NotNegative


class Found(NamedTuple):
    """The relevant documents of the rankings: which of its query's each one is, and how good its rank is.

    `blended` is the blended ratio: relevant documents and gain down to the rank, as a share of what the ideal has.
    """

    rankings: Rankings
    rows: Ints
    query: Codes
    grade: Floats
    rank: Ints
    gain: Floats
    nth: Floats
    blended: Floats

    @classmethod
    def of(
        cls,
        r: Rankings,
        rel: float | None,
        gain: str,
        gains: tuple[tuple[float, float], ...] | None,
        beta: float,
    ) -> Found:
        rows = np.flatnonzero(r.at_least(rel))
        query, rank, grade = r.query[rows], r.rank[rows], r.grade[rows]
        worth = gain_of(grade, gain, gains)
        found = r.only(r.at_least(rel))
        nth, so_far = found.cumulative(np.ones(len(rows))), found.cumulative(worth)
        ideal = Ideal.of(r, gain, gains, least=r.level if rel is None else rel)
        possible = ideal.at(ideal.cumulative_gain, query, rank)
        for column, values in (("gain", worth), ("C", nth), ("cg", so_far), ("cg*", possible)):
            r.show(column, values, rows=rows)
        return cls(r, rows, query, grade, rank, worth, nth, (nth + beta * so_far) / (rank + beta * possible))

    def sum(
        self, values: Floats | Ints, chosen: Ints | slice = slice(None), *, name: str = "sum", column: str = "BR"
    ) -> Floats:
        """For each query, the values of its documents, or of the chosen ones, added up."""
        return self.rankings.sum(values[chosen], rows=self.rows[chosen], name=name, column=column)

    def best(self) -> Ints:
        """The first document of the highest grade of each query: the preferred ones."""
        highest = np.full(len(self.rankings), -np.inf)
        np.maximum.at(highest, self.query, self.grade)
        among = np.flatnonzero(self.grade == highest[self.query])
        return among[np.diff(self.query[among], prepend=-1) > 0]


@measure(
    "Q", aliases=("Q-measure", "Q_measure"), at="cutoff", completion="blended", ties=SHARES, cites=("sakai-song-2011",)
)
def q_measure(
    r: Rankings,
    *,
    rel: Rel = None,
    beta: Beta = 1,
    gain: Gain = "linear",
    gains: Gains = None,
    cutoff: Cutoff = None,
) -> Floats:
    r"""Average precision in which precision is blended with the gain so far, as a share of the gain there could be.

    .. math:: Q = \frac{1}{R} \sum_{i=1}^{n} \mathrm{rel}_i \, \mathrm{BR}(i), \qquad
        \mathrm{BR}(i) = \frac{C(i) + \beta \, \mathrm{cg}(i)}{i + \beta \, \mathrm{cg}^*(i)}

    C(i) counts the relevant documents down to rank i, cg(i) adds up their gains and cg*(i) those of the ideal ranking.
    `beta` is the weight of the gain: 0 makes it average precision. The `gain` of a document is its grade, or
    2^grade − 1 with `gain=exponential`; documents below `rel` gain nothing. `gains=1:1;2:4;3:9` names the gains of
    single grades. With a cutoff k only the first k ranks are summed, and the divisor is the smaller of k and R. A query
    without relevant documents scores 0.

    Elsewhere:
        NTCIREVAL: `Q-measure`, `Q@k`: the same; `gains` is its `-g`.

    >>> evaluate_one("Q", [0, 3, None, 2], unretrieved=[3])  # ((1 + 3)/(2 + 6) + (2 + 5)/(4 + 8)) / 3
    0.3611
    """
    found = Found.of(r if cutoff is None else r.cut(cutoff), rel, gain, gains, beta)
    total, relevant = found.sum(found.blended), r.relevant(rel)
    if cutoff is None:
        return r.step("Q", "sum / R", ratio(total, relevant), R=relevant)
    return r.step("Q", "sum / min(k, R)", ratio(total, np.minimum(relevant, cutoff)), k=cutoff, R=relevant)


def _expected_at_first(
    r: SharedRankings,
    *,
    rel: float | None,
    beta: float,
    gain: str,
    gains: tuple[tuple[float, float], ...] | None,
) -> Floats:
    """The blended ratio where a document is the first relevant one, by the chance that it is."""
    relevant = r.at_least(rel).astype(np.float64)
    ideal = Ideal.of(r, gain, gains, least=r.level if rel is None else rel)
    possible = r.rank + beta * ideal.at(ideal.cumulative_gain, r.query, r.rank)
    return r.sum(relevant * r.reached(relevant) * (1.0 + beta * gain_of(r.grade, gain, gains)) / possible)


@measure(
    "O",
    aliases=("O-measure", "O_measure"),
    completion="whole_range",
    ties=TieForm(shares=True, expected=_expected_at_first),
    cites=("sakai-2007",),
)
def o_measure(r: Rankings, *, rel: Rel = None, beta: Beta = 1, gain: Gain = "linear", gains: Gains = None) -> Floats:
    r"""The blended ratio of Q-measure at the first relevant document: a reciprocal rank that knows grades.

    .. math:: O = \mathrm{BR}(r_1) = \frac{1 + \beta \, g(r_1)}{r_1 + \beta \, \mathrm{cg}^*(r_1)}

    r₁ is the rank of the first relevant document, g its gain and cg* the gain of the ideal ranking down to there.
    `beta` is the weight of the gain: 0 makes it the reciprocal rank. The `gain` of a document is its grade, or
    2^grade − 1 with `gain=exponential`; documents below `rel` gain nothing. `gains=1:1;2:4;3:9` names the gains of
    single grades. A ranking without relevant documents scores 0.

    Elsewhere:
        NTCIREVAL: `O-measure`, the same.

    >>> evaluate_one("O", [0, 2, 3])  # (1 + 2) / (2 + 3 + 2)
    0.4286
    """
    found = Found.of(r, rel, gain, gains, beta)
    return found.sum(found.blended, np.flatnonzero(found.nth == 1), name="O")


@measure("P_measure", aliases=("P-measure",), improves=False, completion="whole_range", cites=("sakai-2007",))
def p_measure(r: Rankings, *, rel: Rel = None, beta: Beta = 1, gain: Gain = "linear", gains: Gains = None) -> Floats:
    r"""The blended ratio of Q-measure at the preferred rank, where the best document that was found stands first.

    .. math:: P = \mathrm{BR}(r_p), \qquad
        \mathrm{BR}(i) = \frac{C(i) + \beta \, \mathrm{cg}(i)}{i + \beta \, \mathrm{cg}^*(i)}

    The reader looks for one document of the highest grade the ranking has, and stops at the first. C, cg and cg* are
    those of Q. `beta` is the weight of the gain. The `gain` of a document is its grade, or 2^grade − 1 with
    `gain=exponential`; documents below `rel` gain nothing. `gains=1:1;2:4;3:9` names the gains of single grades. A
    ranking without relevant documents scores 0. Moving the best document up can lower the value, where relevant
    documents above it are passed.

    Elsewhere:
        NTCIREVAL: `P-measure`, the same.

    >>> evaluate_one("P_measure", [0, 2, 3])  # at rank 3: (2 + 5) / (3 + 5)
    0.875
    """
    found = Found.of(r, rel, gain, gains, beta)
    return found.sum(found.blended, found.best(), name="P_measure")


@measure("P_plus", aliases=("P-plus", "P+"), improves=False, completion="whole_range", cites=("sakai-2007",))
def p_plus(r: Rankings, *, rel: Rel = None, beta: Beta = 1, gain: Gain = "linear", gains: Gains = None) -> Floats:
    r"""The mean blended ratio of the relevant documents down to the preferred rank, where the best one found stands.

    .. math:: P^+ = \frac{1}{C(r_p)} \sum_{i=1}^{r_p} \mathrm{rel}_i \, \mathrm{BR}(i)

    The preferred rank is that of P_measure, BR and C are those of Q. `beta` is the weight of the gain. The `gain` of a
    document is its grade, or 2^grade − 1 with `gain=exponential`; documents below `rel` gain nothing.
    `gains=1:1;2:4;3:9` names the gains of single grades. A ranking without relevant documents scores 0.

    Elsewhere:
        NTCIREVAL: `P-plus`, the same.

    >>> evaluate_one("P_plus", [0, 2, 3])  # ((1 + 2)/(2 + 5) + (2 + 5)/(3 + 5)) / 2
    0.6518
    """
    found = Found.of(r, rel, gain, gains, beta)
    passed = found.sum(found.nth, found.best(), name="passed", column="C of the best")
    total = found.sum(found.blended, np.flatnonzero(found.nth <= passed[found.query]))
    return r.step("P_plus", "sum / passed", ratio(total, passed))


_GRADED = {"stop": ("graded-uniform",), "utility": ("blended-ratio",)}


@measure(
    "NCU",
    shown=("stop", "utility"),
    only_with={
        "gamma": {"stop": ("rank-biased",)},
        "beta": {"utility": ("blended-ratio",)},
        "gain": _GRADED,
        "gains": _GRADED,
    },
    improves=False,
    completion="whole_range",
    ties=TieForm(lambda parameters: parameters["stop"] != "rank-biased"),
    cites=("sakai-robertson-2008",),
)
def normalised_cumulative_utility(
    r: Rankings,
    *,
    stop: Annotated[str, Choice(("graded-uniform", "rank-biased", "uniform"))] = "graded-uniform",
    utility: Annotated[str, Choice(("blended-ratio", "precision"))] = "blended-ratio",
    rel: Rel = None,
    beta: Beta = 1,
    gamma: Persistence = 0.95,
    gain: Gain = "linear",
    gains: Gains = None,
) -> Floats:
    r"""The utility of the ranking down to the document at which a reader stops, averaged over a population of readers.

    .. math:: \mathrm{NCU} = \sum_{i=1}^{n} \mathrm{rel}_i \, S(i) \, U(i)

    `stop` says how many readers stop at the relevant document at rank i. With `uniform`, the same share 1/R for each
    relevant document; with `graded-uniform`, in proportion to its gain; with `rank-biased`, in proportion to
    γ^(C(i) − 1), where C(i) counts the relevant documents down to rank i. All relevant documents, found or not, share
    the readers.

    `utility` says what U is: `precision` C(i)/i, or the `blended-ratio` BR(i) of Q. So `NCU(stop=uniform)` is Q, and
    with `utility=precision` it is AP. `gamma` is the γ of the rank-biased readers. `beta` is the weight of the gain in
    BR. The `gain` of a document is its grade, or 2^grade − 1 with `gain=exponential`; documents below `rel` gain
    nothing. `gains=1:1;2:4;3:9` names the gains of single grades. A query without relevant documents scores 0.

    Elsewhere:
        NTCIREVAL: `NCUgu,BR` is `NCU`; `NCUrb,BR` has `stop=rank-biased`; `NCUgu,P` and `NCUrb,P` have
            `utility=precision`. Its stop values `-s` are the gains unless others are given.

    >>> evaluate_one("NCU", [0, 3, None, 2], unretrieved=[3])  # BR 4/8, 7/12: (3 · 4/8 + 2 · 7/12) / (3 + 3 + 2)
    0.3333
    >>> evaluate_one("NCU(stop=rank-biased,utility=precision)", [0, 3, None, None, 2])  # (1/2 + .95 · 2/5) / 1.95
    0.4513
    """
    found = Found.of(r, rel, gain, gains, beta)
    useful, column = (found.blended, "BR") if utility == "blended-ratio" else (found.nth / found.rank, "P@i")
    relevant = r.relevant(rel)
    if stop == "uniform":
        return r.step("NCU", "sum / R", ratio(found.sum(useful, column=column), relevant), R=relevant)
    r.show(column, useful, rows=found.rows)
    if stop == "rank-biased":
        total = found.sum(gamma ** (found.nth - 1.0) * useful, column=f"gamma^(C - 1) · {column}")
        value = ratio(total, (1.0 - gamma**relevant) / (1.0 - gamma))
        return r.step("NCU", "sum / ((1 - gamma**R) / (1 - gamma))", value, gamma=gamma, R=relevant)
    total = found.sum(found.gain * useful, column=f"gain · {column}")
    ideal = Ideal.of(r, gain, gains, least=r.level if rel is None else rel)
    possible = ideal.sum(ideal.gain)
    r.show_ideal({"gain": ideal.gain}, name="IdealGain", total=possible)
    return r.step("NCU", "sum / IdealGain", ratio(total, possible))
