"""Scoring runs as pytrec_eval does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from cranfield.compat.pytrec_eval.dicts import Nested, check_nested
from cranfield.compat.pytrec_eval.failures import WrongTypeError
from cranfield.compat.pytrec_eval.held import in_pieces, split
from cranfield.compat.pytrec_eval.judgments import Judgments
from cranfield.compat.pytrec_eval.names import PROFILE, Column, columns_of
from cranfield.compat.pytrec_eval.ranking import Found, rank_dicts, rank_piece
from cranfield.data.qrels import Qrels
from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats
from cranfield.measures.registry import SMALLEST_IN_GEOMETRIC_MEAN


class RelevanceEvaluator:
    """Judgments and measures prepared once, for many runs.

    >>> evaluator = RelevanceEvaluator({"q1": {"d1": 0, "d2": 1}}, {"map", "P_1"})
    >>> evaluator.evaluate({"q1": {"d1": 1.0, "d2": 0.5}})  # the relevant document is at rank 2
    {'q1': {'map': 0.5, 'P_1': 0.0}}
    """

    def __init__(
        self,
        query_relevance: Mapping[str, Mapping[str, float]],
        measures: Iterable[str],
        relevance_level: float = 1,
        judged_docs_only_flag: bool = False,
    ) -> None:
        """Prepare: `{query: {document: grade}}`, and names of measures as in `supported_measures`.

        Grades from `relevance_level` up are relevant (nDCG and its kin look at the grades themselves);
        `judged_docs_only_flag` drops unjudged documents before ranking. A query without judgments is left out.
        """
        self._columns = columns_of(measures)
        self._level = _positive(relevance_level)
        self._judged_only = bool(judged_docs_only_flag)
        check_nested(query_relevance, "query_relevance", "grade")
        self._judgments = Judgments(query_relevance)

    def evaluate(self, scores: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
        """Score a run, `{query: {document: score}}`: `{query: {measure: value}}`.

        The result has the queries of the run that are judged, in the order of the run. One without documents scores
        as an empty list does.
        """
        if not scores:
            return {}
        check_nested(scores, "scores", "score")
        known = self._judgments.number
        run = {query: inner for query, inner in scores.items() if query in known}
        if not run:
            return {}
        qrels, number = self._judgments.of(list(run))
        rankings = self._rankings(qrels, number, run)
        rows, labels = [number[query] for query in run], [column.label for column in self._columns]
        values = np.empty((len(rows), len(labels)))
        for at, column in enumerate(self._columns):
            values[:, at] = _values(column, rankings)[rows]
        return {query: dict(zip(labels, row, strict=True)) for query, row in zip(run, values.tolist(), strict=True)}

    def _rankings(self, qrels: Qrels, number: Mapping[str, int], run: Nested) -> Rankings:
        """Where the judged documents of a run stand; `number` has the place of each query in the judgments."""
        unread, dicts = split(run)
        retrieved = np.zeros(len(qrels.query_ids), dtype=np.int64)
        found: list[Found] = []
        for queries, piece in in_pieces(unread):
            code = np.array([number[query] for query in queries], dtype=np.int32)
            retrieved[code] = np.diff(piece.heads)
            found.append(rank_piece(qrels.table, code, piece))
        if dicts:
            code = np.array([number[query] for query in dicts], dtype=np.int32)
            retrieved[code] = [len(documents) for documents in dicts.values()]
            judged = [self._judgments.documents[query] for query in dicts]
            found.append(rank_dicts(dicts, judged, qrels.offset[code]))
        judgment, rank = (np.concatenate(parts) for parts in zip(*found, strict=True))
        query = qrels.query[judgment]
        order = np.lexsort((rank, query))
        rankings = Rankings(
            qrels,
            retrieved,
            np.zeros_like(retrieved),
            query[order],
            rank[order],
            judgment[order],
            level=self._level,
            recall_rounding=PROFILE.recall_rounding,
        )
        return rankings.condensed() if self._judged_only else rankings


def _values(column: Column, rankings: Rankings) -> Floats:
    """The value of each query; of a geometric mean its logarithm, of which the mean is taken later."""
    if column.measure is None:
        return np.zeros(len(rankings))
    values: Floats = column.measure.compute(rankings)
    if column.measure.definition.aggregate == "geometric":
        return np.log(np.maximum(values, SMALLEST_IN_GEOMETRIC_MEAN))
    return values


def _positive(level: Any) -> float:
    if not isinstance(level, (int, float, np.number)) or not 0 < level < np.inf:
        raise WrongTypeError(f"relevance_level is {level!r:.60}, not a number above 0")
    return float(level)
