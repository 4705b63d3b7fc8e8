"""What ROC curves are made of: for each query which documents count, and where the relevant ones stand among them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from cranfield.curves.roc_curve import RocCurve
from cranfield.data.rankings import Rankings
from cranfield.data.strings import Bools, Floats, Ints
from cranfield.errors import DataError, UsageError
from cranfield.measures import Measure
from cranfield.measures.registry import ratio
from cranfield.measures.roc import RelevantAmongOthers


class Population(NamedTuple):
    """Which documents count, of which the rates are shares."""

    over: str
    """`judged`, `retrieved` or `collection`."""
    documents: int | None
    """The size of the collection, all of which then counts."""

    @classmethod
    def of(cls, over: str | None, documents: int | None) -> Population:
        """Judged documents unless something else is said; checked as the measure AUC checks it."""
        said = {"over": over, "documents": documents}
        parameters = Measure("AUC")(**{name: value for name, value in said.items() if value is not None}).parameters
        sized = parameters["documents"] is not None
        return cls("collection" if sized else parameters["over"], parameters["documents"])

    @property
    def settings(self) -> dict[str, Any]:
        return self._asdict()

    @property
    def judged(self) -> bool:
        """Whether only judged documents count."""
        return self.over == "judged"

    def measure(self, name: str) -> Measure:
        """The measure of this name (AUC, EER) over these documents."""
        measure = Measure(name)
        return measure(over=self.over) if self.documents is None else measure(documents=self.documents)

    def in_words(self) -> str:
        if self.over == "collection":
            return f"a collection of {self.documents} documents; those not judged count as not relevant"
        if self.over == "retrieved":
            return "the retrieved documents; those not judged count as not relevant"
        return "the judged documents; others are left out"


class RocCounts(NamedTuple):
    """The counts of each query, and of each relevant document that is retrieved.

    `defined` says which queries have a curve: there must be a relevant and a non-relevant document.
    """

    rankings: Rankings
    population: Population
    defined: Bools
    relevant: Floats
    nonrelevant: Floats
    found: Floats
    """How many relevant documents are retrieved."""
    returned: Floats
    """How many non-relevant documents are retrieved."""
    row: Ints
    """The rows of the rankings that are relevant documents, of queries that have a curve."""
    above: Floats
    """For each of these, how many non-relevant documents stand above it."""

    @classmethod
    def of(cls, r: Rankings, population: Population, counted: Bools) -> RocCounts:
        """Of the queries that count."""
        counts = RelevantAmongOthers.of(r, None, population.over, population.documents)
        relevant, nonrelevant = (count.astype(np.float64) for count in (counts.relevant, counts.nonrelevant))
        defined = counted & (relevant > 0) & (nonrelevant > 0)
        row = np.flatnonzero(r.at_least(None) & defined[r.query])
        found, returned, above = counts.found, counts.returned, counts.above[row]
        return cls(r, population, defined, relevant, nonrelevant, found, returned, row, above)

    def require_some(self, name: str) -> None:
        """An error that says what is lacking, if no query has a curve."""
        if self.defined.any():
            return
        lacking = "relevant" if not (self.relevant > 0).any() else "non-relevant"
        advice = {
            (True, "non-relevant"): " Say how large the collection is (-N, documents=), so that documents that are not "
            "judged count as not relevant.",
        }.get((self.population.judged, lacking), "")
        which = "the judged documents" if self.population.judged else "the documents"
        raise DataError(f"{name}: there is no ROC curve: among {which} of no topic are {lacking} ones.{advice}")

    @property
    def last(self) -> tuple[Floats, Floats]:
        """For each query the false and the true positive rate at the end of the list; 0 where there is no curve."""
        return ratio(self.returned, self.nonrelevant), ratio(self.found, self.relevant)

    def corners(self) -> tuple[Ints, Floats, Floats]:
        """The curves of all queries one after the other: where each begins (one more), and the points.

        Points are (0, 0), those right before and at each relevant document, the end of the list, and (1, 1), to which
        a straight line leads: what is not retrieved is tied. Queries without a curve have no points.
        """
        query = self.rankings.query[self.row]
        queries = len(self.defined)
        count = np.bincount(query, minlength=queries)
        size = np.where(self.defined, 2 * count + 3, 0)
        begin = np.append(0, np.cumsum(size))
        fpr, tpr = np.zeros(begin[-1]), np.zeros(begin[-1])
        number = np.arange(len(query)) - (np.cumsum(count) - count)[query]
        place = begin[query] + 2 * number + 1
        fpr[place] = fpr[place + 1] = self.above / self.nonrelevant[query]
        tpr[place], tpr[place + 1] = number / self.relevant[query], (number + 1) / self.relevant[query]
        end = begin[1:][self.defined] - 2
        last_fpr, last_tpr = self.last
        fpr[end], tpr[end] = last_fpr[self.defined], last_tpr[self.defined]
        fpr[end + 1] = tpr[end + 1] = 1.0
        same = np.append(False, (np.diff(fpr) == 0) & (np.diff(tpr) == 0))
        same[begin[:-1][self.defined]] = False
        kept = np.append(0, np.cumsum(~same))
        return kept[begin], fpr[~same], tpr[~same]

    def vertical_mean(self) -> RocCurve:
        """At each false positive rate the mean of the true positive rates of all queries, exactly.

        Every relevant document lifts the mean by its share, at the rate where it stands; behind the end of its list a
        query rises in a straight line.
        """
        query, queries = self.rankings.query[self.row], np.flatnonzero(self.defined)
        last_fpr, last_tpr = self.last
        end, reached = last_fpr[queries], last_tpr[queries]
        inside = end < 1
        slope = (1.0 - reached[inside]) / (1.0 - end[inside])
        at = np.concatenate([self.above / self.nonrelevant[query], end[inside], [0.0, 1.0]])
        points, place = np.unique(at, return_inverse=True)
        jumps = np.bincount(place[: len(query)], weights=1.0 / self.relevant[query], minlength=len(points))
        jumps[-1] += (1.0 - reached[~inside]).sum()
        bends = np.bincount(place[len(query) : -2], weights=slope, minlength=len(points))
        rises = np.append(0.0, np.cumsum(bends)[:-1] * np.diff(points))
        low = (np.cumsum(rises) + np.cumsum(jumps) - jumps) / len(queries)
        high = low + jumps / len(queries)
        fpr, tpr = np.repeat(points, 2), np.stack([low, high], axis=1).ravel()
        kept = np.append(True, (np.diff(fpr) != 0) | (np.diff(tpr) != 0))
        tpr = np.minimum(np.maximum.accumulate(tpr[kept]), 1.0)
        tpr[-1] = 1.0
        return RocCurve(fpr[kept], tpr)

    def by_cutoff(self) -> RocCurve:
        """The means of both rates over all queries after 0, 1, 2, ... documents, and (1, 1) at the end."""
        r, weight = self.rankings, self.defined / max(int(self.defined.sum()), 1)
        deepest = int(r.retrieved[self.defined].max(initial=0))
        of_relevant, of_other = ratio(weight, self.relevant), ratio(weight, self.nonrelevant)
        rises = np.bincount(r.rank[self.row], weights=of_relevant[r.query[self.row]], minlength=deepest + 1)
        if self.population.judged:
            rows = np.flatnonzero((r.grade >= 0) & ~r.at_least(None) & self.defined[r.query])
            falls = np.bincount(r.rank[rows], weights=of_other[r.query[rows]], minlength=deepest + 1)
        else:
            ended = np.bincount(r.retrieved, weights=of_other, minlength=deepest + 1)[: deepest + 1]
            still = of_other.sum() - np.cumsum(ended) + ended  # whose list goes to this rank
            still[0] = 0.0
            falls = still - np.bincount(r.rank[self.row], weights=of_other[r.query[self.row]], minlength=deepest + 1)
        return RocCurve(np.append(_running(falls), 1.0), np.append(_running(rises), 1.0))


def refuse_retrieved(population: Population) -> None:
    """An error where runs are compared and the documents that count would be others for each."""
    if population.over == "retrieved":
        raise UsageError(
            "every run retrieves other documents, so that rates over the retrieved ones cannot be compared; leave out "
            "--over (over=), or say how large the collection is (-N, documents=)"
        )


def _running(steps: Floats | Ints) -> Floats:
    """Running sums that never fall, and are 1 where rounding alone keeps them from it."""
    sums = np.maximum.accumulate(np.cumsum(steps))
    whole: Floats = np.where(sums > 1.0 - 1e-12, 1.0, sums)
    return whole
