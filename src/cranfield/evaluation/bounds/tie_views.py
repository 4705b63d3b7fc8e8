"""What measures get of rankings with other orders of tied documents, by what the judgments are."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from cranfield.data.preference_counts import Counted, PreferenceCounts, count_ranked, levels
from cranfield.data.preferences import Preferences
from cranfield.data.qrels import Qrels
from cranfield.data.rankings import Rankings
from cranfield.data.shared_ranks import SharedRankings
from cranfield.data.shared_subtopics import SharedSubtopicRankings
from cranfield.data.strings import Ints, Numbered
from cranfield.data.subtopics import SubtopicRankings, Subtopics
from cranfield.data.tied_documents import TiedDocuments
from cranfield.measures.judgment_groups import GroupedRankings


class PlainView:
    """Plain judgments: rankings as they are."""

    separable = True
    """Whether topics can be taken out by themselves, and copied."""
    drops_unjudged = False
    """Whether it drops documents that are not judged, so that it matters which are above the depth."""

    def see(self, r: Rankings) -> Rankings:
        """What a measure is computed from."""
        return r

    def share(self, r: Rankings, depth: int | None) -> Rankings:
        """The same where tied documents share their ranks, to a depth or to the end."""
        return _shared(r, self.kind(r), depth)

    def kind(self, r: Rankings) -> Ints:
        """What kind of document each row is: with the same grade, sampled in the same way, they are alike."""
        qrels = r.qrels
        columns: list[Any] = [qrels.grade]
        if qrels.stratum is not None or qrels.probability is not None:
            columns += [qrels.strata.of_judgment, qrels.inclusion]
        kind = np.zeros(len(qrels), dtype=np.int64)
        for column in columns:
            _, code = np.unique(column, return_inverse=True)
            kind = kind * (int(code.max(initial=0)) + 1) + code
        return np.unique(kind, return_inverse=True)[1][r.judgment]


class SubtopicView:
    """Judgments by subtopic."""

    separable = drops_unjudged = False

    def __init__(self, subtopics: Subtopics) -> None:
        self._subtopics = subtopics

    def see(self, r: Rankings) -> SubtopicRankings:
        return SubtopicRankings(r, self._subtopics)

    def share(self, r: Rankings, depth: int | None) -> SubtopicRankings:
        return SharedSubtopicRankings(_shared(r, r.judgment, depth), self._subtopics)

    def kind(self, r: Rankings) -> Ints:
        """Each document is of a kind of its own."""
        return r.judgment


class _Assessor(NamedTuple):
    """The judgments of one assessor, among those of all."""

    qrels: Qrels
    query: Ints
    """Of each of its queries, the number among all."""
    judgment: Ints
    """Of each document that anybody judged, the row of these judgments; -1 if there is none."""


class GroupView:
    """Judgments of several assessors; rankings have a row for each document that one of them judged."""

    separable = False

    def __init__(self, qrels: Qrels, *, judged_only: bool) -> None:
        first = qrels.table.find(qrels.query, qrels.documents, qrels.hashes)[1]
        rows, document = np.unique(first, return_inverse=True)
        query = Numbered(list(qrels.query_ids), qrels.query[rows])
        self.judged_by_anyone = Qrels(query, qrels.documents.take(rows), np.zeros(len(rows)), name=qrels.name)
        self.drops_unjudged = judged_only
        self._assessors = []
        for number, name in enumerate(qrels.iteration_ids):
            own = qrels.of_iteration(name)
            judgment = np.full(len(rows), -1)
            judgment[document[qrels.iteration_code == number]] = np.arange(len(own))
            where = np.array([qrels.position[query] for query in own.query_ids], dtype=np.int64)
            self._assessors.append(_Assessor(own, where, judgment))

    def see(self, r: Rankings) -> GroupedRankings:
        return GroupedRankings(len(r), tuple((a.query, self._seen_by(a, r)) for a in self._assessors))

    def share(self, r: Rankings, depth: int | None) -> GroupedRankings:
        whole = r.cut(depth) if self.drops_unjudged and depth is not None else r
        each = ((a.query, self._seen_by(a, whole)) for a in self._assessors)
        return GroupedRankings(len(r), tuple((query, _shared(own, own.judgment, depth)) for query, own in each))

    def kind(self, r: Rankings) -> Ints:
        """Each document is of a kind of its own."""
        return r.judgment

    def _seen_by(self, assessor: _Assessor, r: Rankings) -> Rankings:
        number = np.full(len(r), -1, dtype=np.int32)
        number[assessor.query] = np.arange(len(assessor.query))
        rows = np.flatnonzero(assessor.judgment[r.judgment] >= 0)
        ties = r.ties and r.ties.take(number[r.ties.query] >= 0)
        own = replace(
            r,
            qrels=assessor.qrels,
            retrieved=r.retrieved[assessor.query],
            tied=r.tied[assessor.query],
            query=number[r.query[rows]],
            rank=r.rank[rows],
            judgment=assessor.judgment[r.judgment[rows]],
            ties=ties and replace(ties, query=number[ties.query]),
        )
        return own.condensed() if self.drops_unjudged else own


class PreferenceView:
    """Preferences; rankings have a row for each document that has one."""

    separable = drops_unjudged = False

    def __init__(self, preferences: Preferences) -> None:
        self._preferences = preferences
        self._level = levels(preferences)
        self._counted: Counted = {}

    def see(self, r: Rankings) -> PreferenceCounts:
        counts = count_ranked(self._preferences, r, self._counted)
        return counts if self._level is None else replace(counts, level=self._level[r.judgment])

    def share(self, r: Rankings, depth: int | None) -> PreferenceCounts:
        """Of two tied documents each stands above the other with the same chance.

        So it does where every tie is once in one order and once in the opposite one.
        """
        tied = TiedDocuments.of(r, r.judgment, depth)
        opposite = tied.arranged(tied.ties.size[tied.tie] - 1 - tied.slot)
        one, other = self.see(r), self.see(opposite)
        return replace(
            one,
            groups={name: (column + other.groups[name]) / 2 for name, column in one.groups.items()},
            pairs={name: (column + other.pairs[name]) / 2 for name, column in one.pairs.items()},
        )

    def kind(self, r: Rankings) -> Ints:
        """Each document is of a kind of its own."""
        return r.judgment


View = PlainView | SubtopicView | GroupView | PreferenceView


def _shared(r: Rankings, kind: Ints, depth: int | None) -> Rankings:
    shared = SharedRankings.of(r, kind)
    return shared if depth is None else shared.cut(depth)
