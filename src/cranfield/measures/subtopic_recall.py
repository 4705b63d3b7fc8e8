"""The share of subtopics that are covered: StRecall."""

from __future__ import annotations

from cranfield.data.strings import Floats
from cranfield.data.subtopics import SubtopicRankings
from cranfield.measures.parameters import Cutoff, Rel
from cranfield.measures.registry import measure, ratio
from cranfield.measures.tie_forms import SHARES


@measure(
    "StRecall",
    aliases=("strec", "S-recall", "I-rec", "Irec", "subtopic_recall", "subtopic-recall"),
    at="cutoff",
    needs="subtopics",
    ties=SHARES,
    cites=("zhai-2003", "sakai-song-2011"),
)
def subtopic_recall(r: SubtopicRankings, *, rel: Rel = None, cutoff: Cutoff = None) -> Floats:
    r"""The share of the subtopics for which a relevant document is among the first k.

    .. math:: \mathrm{StRecall}@k = \frac{|\{t : \mathrm{rel}_{t,i} = 1\ \mathrm{for}\ \mathrm{some}\ i \le k\}|}{M}

    M counts the subtopics with a relevant document; the others do not count. Every subtopic counts the same, even if
    probabilities of the subtopics are given. A query without relevant documents scores 0.

    Elsewhere:
        ndeval: `strec@k`, for k = 5, 10 and 20.
        ir_measures: `StRecall@k`, from pyndeval, for k up to 20.
        NTCIREVAL: `I-rec@k`, intent recall.

    >>> evaluate_one("StRecall@2", ["ab", "a", "c"])  # a and b of three
    0.6667
    """
    c = r.covered(rel)
    subtopics = r.relevant(rel).subtopics
    found = r.sum(c, r.novel(c, 1.0), cutoff, name="covered", column="new subtopics")
    return r.step("StRecall", "covered / M", ratio(found, subtopics), M=subtopics)
