"""What can be odd about a run. Of each record 28 bytes are kept: enough for duplicates, ties and ranks."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from cranfield.data.columns import Columns, stack
from cranfield.data.judgments import pair_keys
from cranfield.data.run import Run, as_single, tie_places, ties_with_next
from cranfield.data.strings import Codes, Floats, Ints, Strings, Words, decode, number
from cranfield.data.values import shown
from cranfield.formats.numbers import parse_numbers
from cranfield.formats.records import Records
from cranfield.formats.validation.findings import ERROR, MOST_PLACES, WARNING, Findings

TOP = 10
_NO_RANK = np.iinfo(np.int32).min


class QueryCodes:
    """Numbers the queries of a file in the order in which they first appear."""

    def __init__(self) -> None:
        self.code: dict[bytes, int] = {}

    def __call__(self, query: Strings) -> Codes:
        ids, local = number(query)
        first = np.unique(local, return_index=True)[1]
        for at in np.argsort(first).tolist():
            self.code.setdefault(ids[at], len(self.code))
        return np.array([self.code[query_id] for query_id in ids], dtype=np.int32)[local]

    @property
    def ids(self) -> list[bytes]:
        return list(self.code)


def examine_order(code: Codes, line: Codes, ids: list[bytes], findings: Findings) -> None:
    """Queries whose lines do not stand together."""
    heads = np.concatenate(([0], np.flatnonzero(code[1:] != code[:-1]) + 1))
    first = np.unique(code[heads], return_index=True)[1]
    again = np.delete(heads, first)
    if len(again):
        example = f"query {shown(ids[code[again[0]]])}"
        findings.add(WARNING, "order", len(again), line[again[:MOST_PLACES]].tolist(), example)


def examine_repetition(
    key: Words, code: Codes, line: Codes, ids: list[bytes], findings: Findings, kind: str = "duplicate"
) -> None:
    """Records with the same key as an earlier one. Keys are 64-bit hashes; two that meet by chance are as good as
    impossible (3 in a million for 10 million lines)."""
    in_order = np.sort(key)
    shared = np.unique(in_order[1:][in_order[1:] == in_order[:-1]])
    del in_order
    if not len(shared):
        return
    rows = np.flatnonzero(shared[np.minimum(np.searchsorted(shared, key), len(shared) - 1)] == key)
    rows = rows[np.argsort(key[rows], kind="stable")]
    same = np.flatnonzero(key[rows][1:] == key[rows][:-1])
    again = rows[same + 1]
    at = int(np.argmin(again))
    second, first = int(again[at]), int(rows[same[at]])
    document = findings.document_at(int(line[second]))
    what = "the same document" if document is None else f"document {document}"
    example = f"query {shown(ids[code[second]])}: {what} as at {findings.unit} {line[first]}"
    severity = ERROR if kind == "duplicate" else WARNING
    findings.add(severity, kind, len(again), np.sort(line[again])[:MOST_PLACES].tolist(), example)


class RunExamination:
    """Looks at a run piece by piece, and at the end at the whole."""

    def __init__(self, *, keep_top: bool = False) -> None:
        self.codes = QueryCodes()
        self.tags: dict[bytes, int] = {}
        self._keep_top = keep_top
        self._top: list[Columns] = []
        self._kept: dict[str, list[npt.NDArray[Any]]] = {
            "code": [],
            "line": [],
            "key": [],
            "score": [],
            "rank": [],
        }

    def add(self, records: Records, findings: Findings) -> None:
        ids, values = records.columns.ids, records.columns.numbers
        query, documents = ids["query_id"], ids["doc_id"]
        code = self.codes(query)
        rank, odd = self._ranks(records)
        findings.add(WARNING, "rank-number", len(odd), records.place[odd[:MOST_PLACES]].tolist())
        score = values["score"] if "score" in values else -values["rank"]
        columns: tuple[npt.NDArray[Any], ...] = (code, records.place, pair_keys(code, documents.hash64()), score, rank)
        for kept, column in zip(self._kept.values(), columns, strict=True):
            kept.append(column)
        if "tag" in ids:
            names, which = number(ids["tag"])
            for name, at in zip(names, np.unique(which, return_index=True)[1].tolist(), strict=True):
                self.tags.setdefault(name, int(records.place[at]))
        if self._keep_top:
            piece = Run(query, documents, score)
            self._top.append(piece.to_columns().take(piece.rank <= TOP).detached())

    @staticmethod
    def _ranks(records: Records) -> tuple[npt.NDArray[np.int32], Ints]:
        """The rank column, and the rows where it is not a whole number."""
        ids, values = records.columns.ids, records.columns.numbers
        if "rank" in ids:
            given, bad = parse_numbers(ids["rank"])
        elif "rank" in values:
            given, bad = values["rank"], np.zeros(0, dtype=np.int64)
        else:
            return np.full(len(records.place), _NO_RANK, dtype=np.int32), np.zeros(0, dtype=np.int64)
        whole = (given == np.floor(given)) & (np.abs(given) < 2**31 - 1)
        whole[bad] = False
        return np.where(whole, given, _NO_RANK).astype(np.int32), np.flatnonzero(~whole)

    def top(self) -> Run:
        """The first ten documents of each query."""
        run = Run.from_columns(stack(self._top)) if self._top else Run.from_tuples([])
        return Run.from_columns(run.to_columns().take(run.rank <= TOP))

    def finish(self, findings: Findings) -> dict[str, object]:
        """What only the whole file shows; returns facts about it."""
        if self.codes.code:
            code, line = self._column("code"), self._column("line")
            examine_order(code, line, self.codes.ids, findings)
            examine_repetition(self._column("key"), code, line, self.codes.ids, findings)
            score, rank = self._column("score"), self._column("rank")
            if (code[1:] < code[:-1]).any():
                order = np.argsort(code, kind="stable")
                code, line, score, rank = code[order], line[order], score[order], rank[order]
            self._examine_ranks(code, line, score, rank, findings)
            self._examine_scores(code, line, score, findings)
        if len(self.tags) > 1:
            names = ", ".join(map(shown, list(self.tags)[:3])) + ", ..." * (len(self.tags) > 3)
            findings.add(WARNING, "tags", len(self.tags), sorted(self.tags.values()), names)
        return {"tags": [decode(tag) for tag in list(self.tags)[:10]]}

    def _column(self, name: str) -> npt.NDArray[Any]:
        """All of a column; its pieces are given up, so that no more than one column is in memory twice."""
        return np.concatenate(self._kept.pop(name))

    def _examine_ranks(
        self, code: Codes, line: Codes, score: Floats, rank: npt.NDArray[np.int32], findings: Findings
    ) -> None:
        known = rank != _NO_RANK
        if not known.all():
            code, line, score, rank = code[known], line[known], score[known], rank[known]
        if not len(code):
            return
        same = code[1:] == code[:-1]
        if (same & (rank[1:] < rank[:-1])).any():
            order = np.lexsort((rank, code))
            line, score, rank = line[order], score[order], rank[order]
        heads = np.flatnonzero(np.concatenate(([True], ~same)))
        late = heads[rank[heads] != 1]
        if len(late):
            example = f"query {shown(self.codes.ids[code[late[0]]])} starts at rank {rank[late[0]]}"
            findings.add(WARNING, "rank-start", len(late), line[late[:MOST_PLACES]].tolist(), example)
        wrong = np.flatnonzero(same & (score[1:] > score[:-1])) + 1
        if len(wrong):
            at = int(wrong[0])
            example = f"rank {rank[at]} has score {score[at]:g}, above the {score[at - 1]:g} of rank {rank[at - 1]}"
            findings.add(WARNING, "rank-order", len(wrong), np.sort(line[wrong])[:MOST_PLACES].tolist(), example)

    def _examine_scores(self, code: Codes, line: Codes, score: Floats, findings: Findings) -> None:
        rising = np.flatnonzero((code[1:] == code[:-1]) & (score[1:] > score[:-1])) + 1
        if len(rising):
            findings.add(WARNING, "unsorted", len(rising), line[rising[:MOST_PLACES]].tolist())
            order = np.lexsort((-score, code))
            code, line, score = code[order], line[order], score[order]
        tied = tie_places(ties_with_next(code, score))
        if len(tied):
            queries = len(np.unique(code[tied]))
            example = "1 query has such documents" if queries == 1 else f"{queries} queries have such documents"
            findings.add(WARNING, "ties", len(tied), line[tied[:MOST_PLACES]].tolist(), example)
        further = np.setdiff1d(tie_places(ties_with_next(code, as_single(score))), tied)
        findings.add(WARNING, "ties-single", len(further), line[further[:MOST_PLACES]].tolist())
