"""How many of the assessors' preferences a run fulfils."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cranfield.data.preferences import Preferences
from cranfield.data.qrels import Qrels
from cranfield.data.query_sums import totals
from cranfield.data.rankings import Rankings
from cranfield.data.run import Run
from cranfield.data.strings import Bools, Codes, Floats, Ints, Strings, decode
from cranfield.errors import DataError

if TYPE_CHECKING:
    from cranfield.data.working import Working

GROUP_COLUMNS = (
    "fulfilled",
    "possible",
    "fulfilled_implied",
    "possible_implied",
    "neither",
    "relevant",
    "relevant_retrieved",
    "nonrelevant",
    "nonrelevant_retrieved",
    "fulfilled_among_r",
    "possible_among_r",
    "fulfilled_among_r_retrieved",
    "possible_among_r_retrieved",
)
PAIR_COLUMNS = ("pair_score", "pairs", "pair_score_implied", "pairs_implied", "pairs_neither")
SYMBOLS = {
    "f2": "fulfilled",
    "f1": "fulfilled_implied",
    "p2": "possible",
    "p1": "possible_implied",
    "p0": "neither",
    "s2": "pair_score",
    "s1": "pair_score_implied",
    "d2": "pairs",
    "d1": "pairs_implied",
    "d0": "pairs_neither",
}
"""What formulas call the counts: 2 where both documents are retrieved, 1 where one is, 0 where none is."""


@dataclass(frozen=True, eq=False)
class PreferenceCounts:
    """Counts for each judgment group (an assessor with one need) and for each query.

    A preference for A over B is fulfilled if A stands above B. It is *implied* where only one of the two is retrieved,
    and *neither* where none is. `groups` has a row for each group, with the columns of GROUP_COLUMNS; `pairs` a row
    for each query, with those of PAIR_COLUMNS: a pair of documents scores the share of the preferences between them
    that are fulfilled. The `among_r` columns leave only as many non-relevant documents as there are relevant ones.
    """

    query_ids: tuple[bytes, ...]
    retrieved: Ints
    query: Codes
    groups: dict[str, Floats]
    pairs: dict[str, Floats]
    level: Floats | None = None
    """The level of each retrieved document that has one, where that orders all of them: see `levels`."""
    working: Working | None = None
    """What measures write their arithmetic on, where the value of a single query is to be explained."""

    def __len__(self) -> int:
        return len(self.query_ids)

    def total(self, *columns: str) -> Floats:
        """For each query, the columns added up over its groups."""
        return totals(self.query, np.sum([self.groups[column] for column in columns], axis=0), len(self))

    def mean(self, values: Floats) -> Floats:
        """For each query, the mean over its groups."""
        size = np.bincount(self.query, minlength=len(self))
        return totals(self.query, values, len(self)) / np.maximum(size, 1)

    def step(self, name: str, formula: str, value: Floats) -> Floats:
        """The value, which follows from the counts of `SYMBOLS` as the formula says; see `Step`."""
        if self.working is not None:
            counts = {
                symbol: float((self.total(column) if column in self.groups else self.pairs[column])[0])
                for symbol, column in SYMBOLS.items()
                if symbol in formula
            }
            self.working.step(name, formula, value[0], counts)
        return value

    def mean_step(self, name: str, values: Floats) -> Floats:
        """For each query, the mean over its groups, as a step of the arithmetic."""
        mean = self.mean(values)
        if self.working is not None:
            each = {f"group_{number}": float(of_group) for number, of_group in enumerate(values, 1)}
            self.working.step(name, f"({' + '.join(each) or 0}) / {max(len(each), 1)}", mean[0], each)
        return mean


def count_preferences(
    preferences: Preferences, run: Run, *, single: bool = False, depth: int | None = None
) -> PreferenceCounts:
    """Rank the run (ties by document, first first, as trec_eval does for preferences) and count."""
    rankings = rank_for_preferences(preferences, run, single=single)
    return count_ranked(preferences, rankings if depth is None else rankings.cut(depth))


def rank_for_preferences(
    preferences: Preferences, run: Run, *, single: bool = False, keep_ties: bool = False
) -> Rankings:
    """The run joined with the documents that have preferences, as if they were judged."""
    documents = _distinct_documents(preferences)
    return Rankings.join(documents, run, single=single, ties_ascending=True, keep_ties=keep_ties)


Counted = dict[tuple[int, bytes], tuple[list[list[float]], list[float]]]
"""By query and order of the retrieved documents, what was counted."""


def count_ranked(preferences: Preferences, rankings: Rankings, known: Counted | None = None) -> PreferenceCounts:
    """Count the preferences that rankings fulfil; `known` keeps what was counted, for rankings that are much alike."""
    documents, known = rankings.qrels, {} if known is None else known
    found_at = rankings.offset
    query_of_group: list[int] = []
    group_rows: list[list[float]] = []
    pair_rows: list[list[float]] = []
    for query in range(len(preferences.query_ids)):
        found = rankings.judgment[found_at[query] : found_at[query + 1]] - documents.offset[query]
        key = (query, found.tobytes())
        if key not in known:
            names = documents.documents.take(slice(int(documents.offset[query]), int(documents.offset[query + 1])))
            known[key] = _count_query(preferences, query, _places(names, found), len(found))
        groups, pairs = known[key]
        query_of_group += [query] * len(groups)
        group_rows += groups
        pair_rows.append(pairs)
    by_group = np.array(group_rows, dtype=np.float64).reshape(-1, len(GROUP_COLUMNS))
    by_query = np.array(pair_rows, dtype=np.float64).reshape(-1, len(PAIR_COLUMNS))
    return PreferenceCounts(
        preferences.query_ids,
        rankings.retrieved,
        np.array(query_of_group, dtype=np.int32),
        dict(zip(GROUP_COLUMNS, by_group.T, strict=True)),
        dict(zip(PAIR_COLUMNS, by_query.T, strict=True)),
    )


def levels(preferences: Preferences) -> Floats | None:
    """The level of each document with preferences, query by query in byte order; None if a query has several orders.

    It has several if it has more than one judgment group, or one that is not of one piece.
    """
    query = preferences.query.tolist()
    pieces = set(zip(query, preferences.group.tolist(), preferences.subgroup.tolist(), strict=True))
    if len(pieces) > len(preferences.query_ids):
        return None
    rows = zip(query, preferences.documents.tolist(), preferences.level.tolist(), strict=True)
    return np.array([level for *_, level in sorted(rows)])


def _distinct_documents(preferences: Preferences) -> Qrels:
    """The documents with preferences as if they were judged, each query's in byte order."""
    pairs = sorted(set(zip(preferences.query.tolist(), preferences.documents.tolist(), strict=True)))
    query = Strings.from_list([preferences.query_ids[query] for query, _ in pairs])
    names = Strings.from_list([document for _, document in pairs])
    return Qrels(query, names, np.ones(len(pairs)))


def _places(names: Strings, found: Ints) -> dict[bytes, int]:
    """A number for each document: the retrieved ones in ranking order, then the others in byte order."""
    ids = names.tolist()
    missing = np.setdiff1d(np.arange(len(ids)), found)
    return {ids[row]: place for place, row in enumerate([*found.tolist(), *missing.tolist()])}


def _count_query(
    preferences: Preferences, query: int, place: dict[bytes, int], found: int
) -> tuple[list[list[float]], list[float]]:
    rows = range(int(preferences.offset[query]), int(preferences.offset[query + 1]))
    by_group: dict[bytes, dict[bytes, list[tuple[int, float]]]] = {}
    for row in rows:
        subgroups = by_group.setdefault(preferences.group[row], {})
        entry = (place[preferences.documents[row]], float(preferences.level[row]))
        subgroups.setdefault(preferences.subgroup[row], []).append(entry)
    n = len(place)
    counted = np.zeros((n, n), dtype=np.int32)
    groups = []
    for name in sorted(by_group):
        subgroups = by_group[name]
        level = np.full(n, np.nan)
        prefers = np.zeros((n, n), dtype=np.bool_)
        for subgroup in sorted(subgroups):
            at = np.array([spot for spot, _ in subgroups[subgroup]])
            values = np.array([value for _, value in subgroups[subgroup]])
            level[at] = values
            prefers[np.ix_(at, at)] |= values[:, None] > values[None, :]
        if len(subgroups) > 1:
            prefers = _transitive(prefers)
        if (prefers & prefers.T).any():
            raise DataError(
                f"{preferences.name}: query {decode(preferences.query_ids[query])!r}, group {decode(name)!r}: the "
                f"preferences contradict each other. Give contradicting preferences different groups."
            )
        counted += prefers
        groups.append(_count_group(prefers, level, found, one_class_per_level=len(subgroups) == 1))
    return groups, _count_pairs(counted, found)


def _transitive(prefers: Bools) -> Bools:
    """A over B and B over C give A over C."""
    while True:
        further = prefers | ((prefers.astype(np.float32) @ prefers.astype(np.float32)) > 0)
        if (further == prefers).all():
            return prefers
        prefers = further


def _count_group(prefers: Bools, level: Floats, found: int, *, one_class_per_level: bool) -> list[float]:
    fulfilled, possible = _counts(prefers[:found, :found])
    implied, failed = int(prefers[:found, found:].sum()), int(prefers[found:, :found].sum())
    neither = int(prefers[found:, found:].sum())
    relevant, nonrelevant = level > 0, level <= 0
    r, r_found = int(relevant.sum()), int(relevant[:found].sum())
    n, n_found = int(nonrelevant.sum()), int(nonrelevant[:found].sum())
    if r >= n:
        of_r = (fulfilled + implied + r_found * (r - n), possible + implied + failed + neither + r * (r - n))
    elif one_class_per_level:
        of_r = _among_r(prefers, level, r, found, len(level))
    else:
        kept = _first_nonrelevant(level, r)
        ful_kept, pos_kept = _counts(prefers[np.ix_(kept[:found].nonzero()[0], kept[:found].nonzero()[0])])
        inside, outside = np.flatnonzero(kept[:found]), found + np.flatnonzero(kept[found:])
        ful_kept += int(prefers[np.ix_(inside, outside)].sum())
        pos_kept += int(prefers[np.ix_(inside, outside)].sum() + prefers[np.ix_(outside, inside)].sum())
        pos_kept += int(prefers[np.ix_(outside, outside)].sum())
        of_r = (ful_kept, pos_kept)
    if r_found >= n_found:
        of_r_found = (fulfilled + r_found * (r_found - n_found), possible + r * (r_found - n_found))
    elif one_class_per_level:
        of_r_found = _among_r(prefers, level, r_found, found, found)
    else:
        inside = np.flatnonzero(_first_nonrelevant(level[:found], r))
        of_r_found = _counts(prefers[np.ix_(inside, inside)])
    return [
        fulfilled, possible, implied, implied + failed, neither, r, r_found, n, n_found, *of_r, *of_r_found,
    ]  # fmt: skip


def _counts(prefers: Bools) -> tuple[int, int]:
    """How many preferences the order of the rows fulfils, and how many there are."""
    return int(np.triu(prefers, 1).sum()), int(prefers.sum())


def _among_r(prefers: Bools, level: Floats, r: int, found: int, depth: int) -> tuple[int, int]:
    """Preferences fulfilled and possible with only the first r documents of the lowest level.

    trec_eval, whose definition this is, counts every document of the group against these r, those of the lowest level
    included: a document that stands above one of the r fulfils a preference, itself and those below it fail one.
    """
    lowest = level == np.nanmin(level)
    upper = np.flatnonzero(~np.isnan(level[:depth]) & ~lowest[:depth])
    among = prefers[np.ix_(upper, upper)]
    fulfilled = int(np.triu(among, 1)[upper < found].sum())
    possible = int(among.sum())
    members = np.flatnonzero(~np.isnan(level[:depth]))
    chosen = np.flatnonzero(lowest[:depth])[:r]
    above = (members[:, None] < chosen[None, :]) & (members[:, None] < found)
    return fulfilled + int(above.sum()), possible + above.size


def _first_nonrelevant(level: Floats, r: int) -> Bools:
    """Which documents stay when only the first r non-relevant ones do; documents outside the group stay too."""
    nonrelevant: Bools = level == 0
    kept: Bools = ~nonrelevant | (np.cumsum(nonrelevant) <= r)
    return kept


def _count_pairs(counted: Codes, found: int) -> list[float]:
    both = counted + counted.T
    share = np.where(both > 0, counted / np.maximum(both, 1), 0.0)
    some = np.triu(both > 0, 1)
    upper = np.triu(share, 1)
    return [
        float(upper[:found, :found].sum()),
        int(some[:found, :found].sum()),
        float(upper[:found, found:].sum()),
        int(some[:found, found:].sum()),
        int(some[found:, found:].sum()),
    ]
