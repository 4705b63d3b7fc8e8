"""Joining a run file with the judgments while it is read, so that a run need not fit in memory.

Only documents in the qrels leave a trace. That works where the lines of a query stand together, as they nearly always
do; a file in which they do not is read whole and sorted.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

import numpy as np

from cranfield.data.costs import Costs
from cranfield.data.qrels import Qrels, repetition
from cranfield.data.rankings import Rankings
from cranfield.data.run import Run, as_single, ranking_order, tie_places, ties_with_next
from cranfield.data.strings import Codes, Ints, Words, decode, repeated_pairs
from cranfield.data.ties import TieGroups
from cranfield.errors import DataError
from cranfield.evaluation.parallel import cores, fork_map
from cranfield.formats import module, read_run, recognise, run_name, trec_run
from cranfield.formats.files import Readable, Source, open_source, progress_within, telling_progress
from cranfield.formats.lines import empty

WORTH_SPLITTING = 4 << 20
_LONGEST_SEARCH = 64 << 20


class RankedRun(NamedTuple):
    """A run joined with the judgments, and what is to be said about it."""

    rankings: Rankings
    tag: str
    unjudged_queries: tuple[str, ...]
    """Queries of the run that the qrels do not have."""


class _Scores(NamedTuple):
    """What is made of the scores: compared as 32-bit floats or not, and whether ties are kept."""

    single: bool
    keep_ties: bool


class _Part(NamedTuple):
    """What is left of a stretch of a run file."""

    query_ids: list[bytes]
    size: Ints
    tied: Ints
    query: Codes
    rank: Ints
    judgment: Ints
    tag: bytes
    ties: TieGroups | None


class _NotGroupedError(Exception):
    """The lines of a query do not stand together."""


def rank_run(run: Run, qrels: Qrels, *, single: bool, costs: Costs | None = None, keep_ties: bool = False) -> RankedRun:
    """Join a run in memory with the judgments, and with what its documents cost."""
    rankings = Rankings.join(qrels, run, single=single, costs=costs, keep_ties=keep_ties)
    extra = tuple(decode(query) for query in run.query_ids if query not in qrels.position)
    return RankedRun(rankings, run.tag, extra)


def rank_file(
    what: Readable,
    qrels: Qrels,
    *,
    single: bool,
    input_format: str | None = None,
    split: bool = True,
    keep_ties: bool = False,
) -> RankedRun:
    """Join a run file with the judgments; with `split` a large one is read by several processes."""
    with open_source(what) as source:
        source.head()
        chosen = module(input_format, "run") if input_format else recognise("run", source)
        can_open_again = isinstance(what, (str, os.PathLike)) and os.fspath(what) != "-" and os.path.isfile(what)
        if chosen is trec_run and can_open_again:
            try:
                return _assemble(_stream(source, qrels, _Scores(single, keep_ties), split=split), qrels)
            except _NotGroupedError:
                pass
        else:
            run = chosen.read_run(source, name=run_name(what))
            return rank_run(run, qrels, single=single, keep_ties=keep_ties)
    return rank_run(read_run(what, format=trec_run.NAME), qrels, single=single, keep_ties=keep_ties)


def _stream(source: Source, qrels: Qrels, scores: _Scores, *, split: bool) -> list[_Part]:
    """The parts of a file; _NotGroupedError if it has to be read whole."""
    _ = qrels.table  # built before the processes part
    path = source.path
    ranges = _ranges(path, cores()) if path is not None and split else []
    if path is None or len(ranges) < 2:
        return [_join(trec_run.iter_rows(source, whole_queries=True), qrels, scores, source.name)]
    try:
        parts = fork_map([partial(_read_range, path, source.name, begin, end, qrels, scores) for begin, end in ranges])
    except DataError:
        # A part counts its lines from its own beginning: read from the beginning of the file to name the right one.
        return [_join(trec_run.iter_rows(source, whole_queries=True), qrels, scores, source.name)]
    seen: set[bytes] = set()
    for part in parts:
        if not seen.isdisjoint(part.query_ids):
            raise _NotGroupedError
        seen.update(part.query_ids)
    return parts


def _ranges(path: str, wanted: int) -> list[tuple[int, int]]:
    """Stretches of about the same size, each beginning with the first line of a query; one if the file is small."""
    size = os.stat(path).st_size
    if size < WORTH_SPLITTING:
        return [(0, size)]
    edges = [0]
    with open(path, "rb", buffering=0) as file:
        for number in range(1, wanted):
            edge = _next_query(file.fileno(), size * number // wanted)
            if edge is not None and edge > edges[-1]:
                edges.append(edge)
    return list(zip(edges, [*edges[1:], size], strict=True))


def _next_query(file: int, begin: int) -> int | None:
    """The place at or after `begin` where a line has another query than the line before it."""
    length = 1 << 16
    while length <= _LONGEST_SEARCH:
        text = os.pread(file, length, begin)
        lines = text.split(b"\n")[1:-1]
        at = begin + text.find(b"\n") + 1
        before: bytes | None = None
        for line in lines:
            fields = line.split(None, 1)
            if fields:
                if before is not None and fields[0] != before:
                    return at
                before = fields[0]
            at += len(line) + 1
        if len(text) < length:
            return None
        length *= 8
    return None


def _read_range(path: str, name: str, begin: int, end: int, qrels: Qrels, scores: _Scores) -> _Part:
    size = os.stat(path).st_size
    with open_source(path, name) as source, telling_progress(progress_within(begin / size, end / size)):
        source.stream.seek(begin)
        return _join(trec_run.iter_rows(source, stop=end - begin, whole_queries=True), qrels, scores, name)


def _join(pieces: Iterable[trec_run.Rows], qrels: Qrels, scores: _Scores, name: str) -> _Part:
    ids: list[bytes] = []
    seen: set[bytes] = set()
    columns: list[tuple[Ints, Ints, Codes, Ints, Ints]] = []
    ties: list[TieGroups | None] = []
    tag = b""
    for rows in pieces:
        heads = rows.block.heads
        assert heads is not None
        new = rows.query.take(heads).tolist()
        ids += new
        before = len(seen)
        seen.update(new)
        if len(seen) < before + len(new):
            raise _NotGroupedError
        found, groups = _join_rows(rows, heads, new, qrels, scores, name)
        columns.append(found)
        ties.append(groups)
        tag = rows.tag
    if not columns:
        raise empty(name, trec_run.LAYOUT)
    size, tied, query, rank, judgment = (np.concatenate(parts) for parts in zip(*columns, strict=True))
    return _Part(ids, size, tied, query, rank, judgment, tag, TieGroups.joined(ties))


def _join_rows(
    rows: trec_run.Rows, heads: Ints, ids: list[bytes], qrels: Qrels, scores: _Scores, name: str
) -> tuple[tuple[Ints, Ints, Codes, Ints, Ints], TieGroups | None]:
    size = np.diff(np.append(heads, len(rows.query)))
    group = np.repeat(np.arange(len(heads), dtype=np.int32), size)
    hashes = distinct_hashes(rows, group, ids, name)
    score = as_single(rows.score).astype(np.float64) if scores.single else rows.score
    code = np.array([qrels.position.get(query, -1) for query in ids], dtype=np.int32)
    row, judgment = qrels.table.find(code[group], rows.documents, hashes)
    tied = np.zeros(len(heads), dtype=np.int64)
    ties = TieGroups.none() if scores.keep_ties else None
    rank = row - heads[group[row]] + 1
    falls = score[1:] < score[:-1]
    falls[heads[1:] - 1] = True
    if not falls.all():
        order = ranking_order(group, score, rows.documents)
        if order is not None:
            place = np.empty(len(order), dtype=np.int64)
            place[order] = np.arange(len(order))
            sort = np.argsort(place[row])
            row, judgment, score = row[sort], judgment[sort], score[order]
            rank = place[row] - heads[group[row]] + 1
        tied_with_next = ties_with_next(group, score)
        tied = np.bincount(group[tie_places(tied_with_next)], minlength=len(heads))
        ties = TieGroups.of(tied_with_next, group, heads, code) if scores.keep_ties else None
    return (size, tied, code[group[row]], rank, judgment), ties


def distinct_hashes(rows: trec_run.Rows, group: Codes, ids: list[bytes], name: str) -> Words:
    """The hash of each document; an error if one is returned twice for a query, by whose numbers rows are grouped."""
    hashes = rows.documents.hash64()
    twice = repeated_pairs(group, rows.documents, hashes)
    if twice is not None:
        _first, second = twice
        reason = (
            f"document {decode(rows.documents[second])!r} is returned twice for query {decode(ids[group[second]])!r}"
        )
        raise repetition(reason, twice, None, name, rows.block.lines())
    return hashes


def _assemble(parts: list[_Part], qrels: Qrels) -> RankedRun:
    where = np.array([qrels.position.get(query, -1) for part in parts for query in part.query_ids], dtype=np.int64)
    known = where >= 0
    retrieved = np.zeros(len(qrels.query_ids), dtype=np.int64)
    tied = np.zeros(len(qrels.query_ids), dtype=np.int64)
    retrieved[where[known]] = np.concatenate([part.size for part in parts])[known]
    tied[where[known]] = np.concatenate([part.tied for part in parts])[known]
    rankings = Rankings(
        qrels,
        retrieved,
        tied,
        np.concatenate([part.query for part in parts]).astype(np.int32),
        np.concatenate([part.rank for part in parts]),
        np.concatenate([part.judgment for part in parts]),
        ties=TieGroups.joined([part.ties for part in parts]),
    ).in_query_order()
    ids = [query for part in parts for query in part.query_ids]
    extra = tuple(decode(query) for query, judged in zip(ids, known.tolist(), strict=True) if not judged)
    return RankedRun(rankings, decode(parts[-1].tag), extra)
