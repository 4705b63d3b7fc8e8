"""How much of a ranking was judged, and what the judgments say rank by rank: Judged, Unjudged, RelString."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats
from cranfield.measures.parameters import Cutoff, Whole
from cranfield.measures.registry import measure, ratio
from cranfield.measures.tie_forms import TieForm


def _worth(r: Rankings, **_: Any) -> Floats:
    return (r.grade >= 0).astype(np.float64)


_TIES = TieForm(shares=True, worth=_worth)


@measure(
    "Judged", at="cutoff", at_needed=True, defaults_at=(10,), more_is_better=None, ties=_TIES, cites=("macavaney-2022",)
)
def judged(r: Rankings, *, cutoff: Cutoff = None) -> Floats:
    r"""The share of the first k documents that were judged.

    .. math:: \frac{\mathrm{judged}@k}{\min(k, n)}

    n is the number of documents retrieved. A negative grade means pooled but not judged. 0 if nothing is retrieved.

    Elsewhere:
        ir_measures: `Judged@k`, where a negative grade counts as judged.

    >>> evaluate_one("Judged@10", [1, None, 0])  # 2 of 3
    0.6667
    """
    assert cutoff is not None
    value = ratio(r.count(r.grade >= 0, cutoff, name="judged", column="judged"), np.minimum(cutoff, r.retrieved))
    return r.step("Judged", "judged / min(k, n)", value, k=cutoff, n=r.retrieved)


@measure(
    "Unjudged",
    aliases=("unj",),
    at="cutoff",
    at_needed=True,
    defaults_at=(5, 10, 20),
    more_is_better=None,
    ties=_TIES,
    cites=("trec_eval",),
)
def unjudged(r: Rankings, *, cutoff: Cutoff = None) -> Floats:
    r"""The number of unjudged documents among the first k, divided by k; ranks that are not filled do not count.

    .. math:: \frac{\min(k, n) - \mathrm{judged}@k}{k}

    n is the number of documents retrieved; 0 if nothing is. A negative grade means pooled but not judged. For a list
    shorter than k it is not 1 − Judged@k, which divides by n.

    Elsewhere:
        trec_eval: `unj_k`, in version 10 only.

    >>> evaluate_one("Unjudged@5", [1, None, 0])  # 1 of 5
    0.2
    """
    assert cutoff is not None
    known = r.count(r.grade >= 0, cutoff, name="judged", column="judged")
    value = (np.minimum(cutoff, r.retrieved) - known) / cutoff
    return r.step("Unjudged", "(min(k, n) - judged) / k", value, k=cutoff, n=r.retrieved)


@measure("RelString", at="cutoff", aggregate="none", bounds=(0.0, np.inf), cites=("trec_eval",))
def relevance_string(r: Rankings, *, cutoff: Annotated[int, Whole(1)] = 10) -> list[str]:
    """The grades of the first k documents as a string, one character each.

    A grade from 0 to 9 is its digit (fractions cut off), a higher one `>`; `-` is a document outside the qrels, `.` one
    with a negative grade. It has no mean.

    Elsewhere:
        trec_eval: `relstring_k`, the same.

    >>> import cranfield as cf
    >>> cf.evaluate({"q": {"a": 2, "c": 0}}, {"q": {"a": 3, "b": 2, "c": 1}}, "RelString")["RelString"]  # b is unjudged
    {'q': '2-0'}
    """
    rows = np.flatnonzero(r.rank <= cutoff)
    characters = ["." if grade < 0 else ">" if grade >= 10 else str(int(grade)) for grade in r.grade[rows].tolist()]
    r.show("character", characters, rows=rows)
    strings = [["-"] * int(n) for n in np.minimum(r.retrieved, cutoff)]
    for query, rank, character in zip(r.query[rows].tolist(), r.rank[rows].tolist(), characters, strict=True):
        strings[query][rank - 1] = character
    return ["".join(string) for string in strings]
