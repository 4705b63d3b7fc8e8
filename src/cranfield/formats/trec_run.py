"""TREC run files: `query Q0 document rank score tag`, anything further on a line ignored.

The rank column is ignored, as trec_eval does: the score decides. Lines whose first field begins with `#` are comments.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, repeat
from typing import BinaryIO, NamedTuple

import numpy as np

from cranfield.data.run import Run
from cranfield.data.shapes import Shape
from cranfield.data.strings import Floats, Numbered, Strings, concatenate, decode, encode, group_heads, number
from cranfield.data.values import shown
from cranfield.errors import FormatError
from cranfield.formats.files import Source
from cranfield.formats.lines import Block, Layout, OnProblem, empty, iter_blocks
from cranfield.formats.numbers import parse_number, parse_numbers
from cranfield.formats.records import Records, iter_line_records
from cranfield.formats.text_fields import number_texts, refuse_white_space

NAME = "trec"
DESCRIPTION = "TREC: query Q0 document rank score tag"
HOLDS = frozenset({"score", "tag"})


def _check(fields: list[bytes]) -> str | None:
    return f"score {shown(fields[4])} is not a finite number" if parse_number(fields[4]) is None else None


LAYOUT = Layout(("query", "Q0", "document", "rank", "score", "tag"), _check, more=True)


class Rows(NamedTuple):
    """Consecutive lines of a run file."""

    block: Block
    query: Strings
    documents: Strings
    score: Floats
    tag: bytes
    rank: Floats | None = None


def iter_rows(
    source: Source, *, stop: int | None = None, whole_queries: bool = False, ranks: bool = False
) -> Iterator[Rows]:
    """The file in pieces of about a megabyte, with the rank column if that is asked for; see `iter_blocks`."""
    fields = (0, 2, 4, 5, 3) if ranks else (0, 2, 4, 5)
    for block in iter_blocks(source, LAYOUT, stop=stop, whole_groups=whole_queries, fields=fields):
        query, documents, score_text, tag, *rank_text = block.columns
        score = _numbers("score", score_text, block, source)
        rank = _numbers("rank", rank_text[0], block, source) if rank_text else None
        yield Rows(block, query, documents, score, tag[len(tag) - 1], rank)


def _numbers(name: str, text: Strings, block: Block, source: Source) -> Floats:
    numbers, bad = parse_numbers(text)
    if len(bad):
        row = int(bad[0])
        reason = f"{name} {shown(text[row])} is not a finite number"
        raise FormatError(reason, source=source.name, line=block.line_of(row))
    return numbers


def recognise(head: bytes) -> bool:
    """Six or more fields, the fifth a number."""
    return LAYOUT.fits(head)


def read_run(source: Source, *, name: str, ranks: bool = False) -> Run:
    """The whole file in memory, with the rank column if that is asked for."""
    heads: list[bytes] = []
    size, documents, score, line, rank = [], [], [], [], []
    tag = b""
    for rows in iter_rows(source, ranks=ranks):
        begins = group_heads(rows.query)
        heads += rows.query.take(begins).tolist()
        size.append(np.diff(begins, append=len(rows.query)))
        documents.append(rows.documents.compact())
        score.append(rows.score)
        line.append(rows.block.lines())
        if rows.rank is not None:
            rank.append(rows.rank)
        tag = rows.tag
    if not score:
        raise empty(source.name, LAYOUT)
    ids, code = number(Strings.from_list(heads))
    query = Numbered(ids, np.repeat(code, np.concatenate(size)))
    run = Run(
        query,
        concatenate(documents),
        np.concatenate(score),
        name=name,
        tag=decode(tag),
        rank=np.concatenate(rank) if ranks else None,
    )
    return run.checked(source=source.name, line=np.concatenate(line))


def iter_records(source: Source, shape: Shape, on_problem: OnProblem) -> Iterator[Records]:
    """The file in pieces of about a megabyte, with the rank and tag columns as they stand."""
    ids = {"query_id": 0, "doc_id": 2, "rank": 3, "tag": 5}
    return iter_line_records(source, LAYOUT, on_problem, ids=ids, numbers={"score": 4})


def write_run(run: Run, out: BinaryIO, *, queries: Sequence[str] | None = None) -> None:
    """Write in ranking order, ranks counted from 1; the queries in an order of their own, where that is given."""
    ids = run.to_columns().ids
    refuse_white_space({"query": ids["query_id"], "document": ids["doc_id"]}, "a TREC run")
    ranks = [b" %d " % rank for rank in range(1, int(np.diff(run.offset).max(initial=0)) + 1)]
    end = b" %b\n" % encode("_".join(run.tag.split()) or "run")
    places = [run.position[encode(query)] for query in queries] if queries else range(len(run.query_ids))
    for place in places:
        rows = slice(int(run.offset[place]), int(run.offset[place + 1]))
        begin = run.query_ids[place] + b" Q0 "
        documents, scores = run.documents.take(rows).tolist(), number_texts(run.score[rows])
        lines = zip(repeat(begin), documents, ranks, scores, repeat(end), strict=False)
        out.write(b"".join(chain.from_iterable(lines)))
