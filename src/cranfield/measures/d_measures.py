"""nDCG by what a document is worth to all intents together: D_nDCG, Dsharp_nDCG."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import numpy as np

from cranfield.data.qrels import Qrels
from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats, Strings
from cranfield.data.subtopics import SubtopicRankings
from cranfield.measures.dcg import normalised_discounted_cumulative_gain
from cranfield.measures.gains import Gain, Gains, gain_of
from cranfield.measures.parameters import Cutoff, Number, Rel
from cranfield.measures.registry import measure
from cranfield.measures.subtopic_recall import subtopic_recall
from cranfield.measures.tie_forms import SHARES, TieForm

_TRAITS = {"at": "cutoff", "needs": "subtopics", "cites": ("sakai-song-2011",)}


def _by_global_gain(r: SubtopicRankings, gain: str, gains: tuple[tuple[float, float], ...] | None) -> Rankings:
    """The rankings with the global gain of each document as its grade."""
    j = r.judgments
    worth = j.probability[j.subtopic] * gain_of(j.grade, gain, gains)
    together: Floats = np.bincount(j.document, weights=worth, minlength=len(j.qrels)).astype(np.float64, copy=False)
    query = Strings.from_list(j.qrels.query_ids).take(j.qrels.query)
    return replace(r.rankings, qrels=Qrels(query, j.qrels.documents, together, name=j.qrels.name))


def _worth(r: SubtopicRankings, *, gain: str, gains: tuple[tuple[float, float], ...] | None, **_: Any) -> Floats:
    return gain_of(_by_global_gain(r, gain, gains).grade, "linear", None)


@measure("D_nDCG", aliases=("D-nDCG",), ties=TieForm(shares=True, worth=_worth), **_TRAITS)
def d_ndcg(r: SubtopicRankings, *, gain: Gain = "linear", gains: Gains = None, cutoff: Cutoff = None) -> Floats:
    r"""nDCG in which the gain of a document is its expected gain over the intents of the query.

    .. math:: \mathrm{DnDCG}@k = \frac{\sum_{i=1}^{k} \mathrm{GG}_i / \log_2(i+1)}
        {\sum_{i=1}^{k} \mathrm{GG}^{*}_i / \log_2(i+1)}, \qquad \mathrm{GG}_i = \sum_{t} P(t) \, g_{t,i}

    An intent t is what the other measures call a subtopic. P(t) is its probability (--intents), the same for all if
    none are given. g is the gain of the document for it, its grade. `gain=exponential` makes that 2^grade − 1.
    `gains=1:3;2:9` names the gains of single grades. GG* are the global gains GG of all judged documents, best first. A
    document that repeats what was seen before loses nothing, other than in alpha_nDCG. A query without relevant
    documents scores 0.

    Elsewhere:
        NTCIREVAL: `D-nDCG`, with MSnDCG's discount, which is this one; an option sets the gain of each grade.

    >>> evaluate_one("D_nDCG@2", ["b", {"a": 2, "b": 1}])  # GG are 0.5 and 1.5: (0.5 + 1.5/1.585) / (1.5 + 0.5/1.585)
    0.7967
    >>> evaluate_one("D_nDCG@2", ["b", "a"], intents={"a": 0.8, "b": 0.2})  # (0.2 + 0.8/1.585) / (0.8 + 0.2/1.585)
    0.7609
    """
    return r.step(
        "D_nDCG", "nDCG", normalised_discounted_cumulative_gain(_by_global_gain(r, gain, gains), cutoff=cutoff)
    )


@measure("Dsharp_nDCG", aliases=("D#-nDCG", "D#_nDCG", "Dsharp-nDCG"), ties=SHARES, **_TRAITS)
def d_sharp_ndcg(
    r: SubtopicRankings,
    *,
    gamma: Annotated[float, Number(0, 1)] = 0.5,
    gain: Gain = "linear",
    gains: Gains = None,
    rel: Rel = None,
    cutoff: Cutoff = None,
) -> Floats:
    r"""D_nDCG and the share of the intents that are covered, half of each: relevance and diversity in one number.

    .. math:: \gamma \, \mathrm{StRecall}@k + (1 - \gamma) \, \mathrm{DnDCG}@k

    `gamma` is the weight of diversity. StRecall goes by the name of intent recall (I-rec) here. `rel` is the least
    grade with which a document covers an intent. `gain=exponential` and `gains=1:3;2:9` change what grades are worth,
    as in D_nDCG. A query without relevant documents scores 0.

    Elsewhere:
        NTCIREVAL: `D#-nDCG`, the official measure of NTCIR's INTENT task.

    >>> evaluate_one("Dsharp_nDCG@2", ["a", "a", "b"])  # 0.5 · 1/2 + 0.5 · 1
    0.75
    """
    relevance = d_ndcg(r, gain=gain, gains=gains, cutoff=cutoff)
    value = gamma * subtopic_recall(r, rel=rel, cutoff=cutoff) + (1.0 - gamma) * relevance
    return r.step("Dsharp_nDCG", "gamma * StRecall + (1 - gamma) * D_nDCG", value, gamma=gamma)
