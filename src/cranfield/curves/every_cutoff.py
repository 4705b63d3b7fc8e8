"""Measures at all cutoffs at once: one pass over the rankings in place of an evaluation for each cutoff.

A form gives the values of some queries at every cutoff, as a matrix, by the formula that the measure has for one. It is
made of sums over documents, which are added up for so many queries at a time as fit in the processor's cache.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from cranfield.data.rankings import Rankings
from cranfield.data.strings import Codes, Floats, Ints
from cranfield.measures import Measure
from cranfield.measures.gains import Ideal, discount_of, gain_of
from cranfield.measures.registry import ratio

_CELLS = 1 << 17
"""How many values of one sum are worked on at once."""


def has_form(measure: Measure) -> bool:
    """Whether the measure is known at all cutoffs at once.

    >>> from cranfield.measures import parse_one
    >>> has_form(parse_one("nDCG@10")), has_form(parse_one("INST@10"))
    (True, False)
    """
    return measure.name in _FORMS and measure.parameters.get("value", "EU") == measure.definition.own_value


class EveryCutoff:
    """The values of measures that have a form, for the queries of rankings, at each of some cutoffs (rising)."""

    def __init__(self, measures: Sequence[Measure], rankings: Rankings, cutoffs: Ints) -> None:
        self.queries = len(rankings)
        self.cutoffs = cutoffs
        views: dict[bool, _View] = {}
        self._forms = []
        for measure in measures:
            parameters = measure.parameters
            judged_only = parameters.pop("judged_only", False)
            if judged_only not in views:
                views[judged_only] = _View(rankings.condensed() if judged_only else rankings, cutoffs)
            for name in ("cutoff", "value"):
                parameters.pop(name, None)
            self._forms.append(_FORMS[measure.name](views[judged_only], **parameters))

    def scores(self) -> list[Floats]:
        """For each measure, a row for each query, a column for each cutoff."""
        found = [np.empty((self.queries, len(self.cutoffs))) for _ in self._forms]
        for rows, values in self._pieces(self._forms):
            for whole, piece in zip(found, values, strict=True):
                whole[rows] = piece
        return found

    def means(self, counted: Floats) -> list[Floats]:
        """For each measure, at each cutoff the mean over the queries that count (1, others 0)."""
        totals = [form.total(counted) if form.is_share else np.zeros(len(self.cutoffs)) for form in self._forms]
        others = [at for at, form in enumerate(self._forms) if not form.is_share]
        for rows, values in self._pieces([self._forms[at] for at in others]) if others else ():
            for at, piece in zip(others, values, strict=True):
                totals[at] += counted[rows] @ piece
        return [total / max(counted.sum(), 1.0) for total in totals]

    def _pieces(self, forms: Sequence[_Form]) -> Iterator[tuple[slice, list[Floats]]]:
        """For some queries after the other, the values of each of these."""
        step = max(_CELLS // len(self.cutoffs), 1)
        for begin in range(0, self.queries, step):
            rows = slice(begin, min(begin + step, self.queries))
            known: dict[int, Floats] = {}
            values = []
            for form in forms:
                for one in form.sums:
                    if id(one) not in known:
                        known[id(one)] = one.of(rows)
                values.append(form.value(rows, *(known[id(one)] for one in form.sums)))
            yield rows, values


class _Sums(NamedTuple):
    """What is added up over the documents of each query, to each cutoff."""

    cell: Ints
    """For each document the number of the query times that of the cutoffs, plus the number of its first cutoff."""
    values: Floats | None
    """What each counts; 1 if there are none."""
    cutoffs: int

    def of(self, rows: slice) -> Floats:
        """Of some queries: a row for each, a column for each cutoff."""
        first, last = rows.start * self.cutoffs, rows.stop * self.cutoffs
        piece = slice(*np.searchsorted(self.cell, (first, last)).tolist())
        weights = None if self.values is None else self.values[piece]
        table = np.bincount(self.cell[piece] - first, weights=weights, minlength=last - first)
        summed: Floats = np.cumsum(table.reshape(-1, self.cutoffs), axis=1, dtype=np.float64)
        return summed


class _Form(NamedTuple):
    """A measure: the sums it is made of, and the value of some queries from theirs.

    If it is a sum divided by a number of the query, and by one of the cutoff, these two say it all.
    """

    sums: tuple[_Sums, ...]
    value: Callable[..., Floats]
    of_query: Floats | Ints | None = None
    of_cutoff: Floats | Ints | None = None
    is_share: bool = False

    @classmethod
    def share(
        cls, sums: _Sums, *, of_query: Floats | Ints | None = None, of_cutoff: Floats | Ints | None = None
    ) -> _Form:
        """A sum divided by a number of the query, or by one of the cutoff."""

        def value(rows: slice, summed: Floats) -> Floats:
            if of_cutoff is not None:
                return summed / of_cutoff
            return summed if of_query is None else _share(summed, _each(of_query[rows]))

        return cls((sums,), value, of_query, of_cutoff, is_share=True)

    def total(self, counted: Floats) -> Floats:
        """At each cutoff the values of all queries added up, those that count (1, others 0), if it is such a share."""
        (sums,) = self.sums
        weight = counted if self.of_query is None else ratio(counted, self.of_query)
        query, column = np.divmod(sums.cell, sums.cutoffs)
        each = weight[query] if sums.values is None else weight[query] * sums.values
        total: Floats = np.cumsum(np.bincount(column, weights=each, minlength=sums.cutoffs))
        return total if self.of_cutoff is None else total / self.of_cutoff


class _View:
    """Rankings, and sums over their documents to each of the cutoffs k; what was asked for before is there."""

    def __init__(self, rankings: Rankings, k: Ints) -> None:
        self.rankings = rankings
        self.k = k
        self._known: dict[Any, _Sums] = {}

    def sums(self, query: Codes, rank: Ints, values: Floats | None) -> _Sums:
        """Over documents in the order of query and rank."""
        column = np.searchsorted(self.k, rank)  # the first cutoff at or below the document
        inside = column < len(self.k)
        cell = query[inside].astype(np.int64) * len(self.k) + column[inside]
        return _Sums(cell, None if values is None else values[inside], len(self.k))

    def once(self, key: Any, make: Callable[[], _Sums]) -> _Sums:
        """The sums of this name."""
        if key not in self._known:
            self._known[key] = make()
        return self._known[key]

    def found(self, rel: float | None) -> _Sums:
        """How many relevant documents there are to each cutoff."""

        def make() -> _Sums:
            rows = np.flatnonzero(self.rankings.at_least(rel))
            return self.sums(self.rankings.query[rows], self.rankings.rank[rows], None)

        return self.once(("found", rel), make)

    def of_rows(self, rows: Ints, values: Floats | None = None) -> _Sums:
        """Over some rows of the rankings."""
        return self.sums(self.rankings.query[rows], self.rankings.rank[rows], values)


def _share(numerator: Floats, denominator: Any) -> Floats:
    """numerator / denominator, 0 where the denominator is 0."""
    known = np.asarray(denominator) != 0
    where: Any = True if known.all() else known
    share: Floats = np.divide(numerator, denominator, out=np.zeros_like(numerator), where=where)
    return share


def _each(values: Any) -> Any:
    """A value of each query as a column, to go with a row of cutoffs."""
    return values[:, np.newaxis]


def _precision(view: _View, *, rel: float | None, denominator: str) -> _Form:
    k, retrieved = view.k, view.rankings.retrieved
    if denominator == "k":
        return _Form.share(view.found(rel), of_cutoff=k)
    return _Form((view.found(rel),), lambda rows, found: _share(found, np.minimum(k, _each(retrieved[rows]))))


def _recall(view: _View, *, rel: float | None) -> _Form:
    return _Form.share(view.found(rel), of_query=view.rankings.relevant(rel))


def _f_measure(view: _View, *, rel: float | None, beta: float, alpha: float | None) -> _Form:
    k, relevant = view.k, view.rankings.relevant(rel)
    share = 1.0 / (1.0 + beta * beta) if alpha is None else alpha

    def value(rows: slice, found: Floats) -> Floats:
        # P R / (share R + (1 - share) P), with found / k for P and found / relevant for R
        return _share(found, share * k + _each((1.0 - share) * relevant[rows]))

    return _Form((view.found(rel),), value)


def _success(view: _View, *, rel: float | None) -> _Form:
    return _Form((view.found(rel),), lambda rows, found: (found > 0).astype(np.float64))


def _reciprocal_rank(view: _View, *, rel: float | None) -> _Form:
    r = view.rankings
    rows = np.flatnonzero(r.at_least(rel))
    first = rows[np.unique(r.query[rows], return_index=True)[1]]
    return _Form.share(view.of_rows(first, 1.0 / r.rank[first]))


def _average_precision(view: _View, *, rel: float | None, denominator: str) -> _Form:
    r, k, relevant = view.rankings, view.k, view.rankings.relevant(rel)
    chosen = r.at_least(rel)
    rows = np.flatnonzero(chosen)
    total = view.of_rows(rows, (r.cumulative(chosen) / r.rank)[rows])
    if denominator == "found":
        return _Form((total, view.found(rel)), lambda rows, total, found: _share(total, found))
    if denominator == "min-k-R":
        return _Form((total,), lambda rows, total: _share(total, np.minimum(_each(relevant[rows]), k)))
    return _Form.share(total, of_query=relevant)


def _judged(view: _View) -> _Form:
    r, k = view.rankings, view.k
    judged = view.of_rows(np.flatnonzero(r.grade >= 0))
    return _Form((judged,), lambda rows, judged: _share(judged, np.minimum(k, _each(r.retrieved[rows]))))


def _cumulative_gain(view: _View, **worth: Any) -> _Form:
    return _Form.share(_gains(view, **worth, discount="none", base=2))


def _discounted_gain(view: _View, **worth: Any) -> _Form:
    return _Form.share(_gains(view, **worth))


def _ideal_gain(view: _View, **worth: Any) -> _Form:
    return _Form.share(_ideal_gains(view, **worth))


def _normalised_gain(view: _View, *, ideal: str, **worth: Any) -> _Form:
    sums = (_gains(view, **worth), _ideal_gains(view, ideal=ideal, **worth))
    return _Form(sums, lambda rows, gained, possible: _share(gained, possible))


def _gains(view: _View, *, gain: str, gains: Any, discount: str, base: float) -> _Sums:
    r = view.rankings

    def make() -> _Sums:
        return view.sums(r.query, r.rank, gain_of(r.grade, gain, gains) / discount_of(r.rank, discount, base))

    return view.once(("gains", gain, gains, discount, base), make)


def _ideal_gains(view: _View, *, gain: str, gains: Any, discount: str, base: float, ideal: str) -> _Sums:
    def make() -> _Sums:
        best = Ideal.of(view.rankings, gain, gains, retrieved_only=ideal == "retrieved")
        worth = best.gain / discount_of(best.rank, discount, base)
        if ideal == "shortened":
            worth = np.where(best.rank <= view.rankings.retrieved[best.query], worth, 0.0)
        return view.sums(best.query, best.rank, worth)

    return view.once(("ideal", gain, gains, discount, base, ideal), make)


_FORMS: dict[str, Callable[..., _Form]] = {
    "P": _precision,
    "R": _recall,
    "F": _f_measure,
    "Success": _success,
    "RR": _reciprocal_rank,
    "AP": _average_precision,
    "Judged": _judged,
    "CG": _cumulative_gain,
    "DCG": _discounted_gain,
    "IdealDCG": _ideal_gain,
    "nDCG": _normalised_gain,
}
