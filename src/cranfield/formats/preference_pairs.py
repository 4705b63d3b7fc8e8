"""Preferences pair by pair: `query document document preferred`, the last field naming one of the two.

People who judge the same pair may differ, so each line becomes a judgment group of its own, numbered within its query:
the groups of trec_eval must not contradict themselves, and nothing here says who judged which pair.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import BinaryIO

import numpy as np

from cranfield.data.columns import Columns
from cranfield.data.preferences import Preferences
from cranfield.data.shapes import Shape
from cranfield.data.strings import Strings, encode
from cranfield.data.values import shown
from cranfield.errors import DataError
from cranfield.formats.files import Source
from cranfield.formats.lines import Layout, OnProblem, iter_blocks
from cranfield.formats.numbers import parse_number
from cranfield.formats.records import Records, reader
from cranfield.formats.text_fields import refuse_white_space, write_lines

NAME = "pairs"
DESCRIPTION = "pairs: query document document preferred"
HOLDS: frozenset[str] = frozenset()
_JUDGMENTS = "Are these judgments? Then leave out -R prefs, or make preferences of the grades with -R qrels_prefs."


def _check(fields: list[bytes]) -> str | None:
    _, one, other, preferred = fields
    if one == other:
        return f"document {shown(one)} is compared with itself"
    if preferred not in (one, other):
        reason = f"{shown(preferred)} is preferred, but the two documents are {shown(one)} and {shown(other)}"
        return reason if parse_number(preferred) is None else f"{reason}. {_JUDGMENTS}"
    return None


LAYOUT = Layout(("query", "document", "document", "preferred"), _check)


def recognise(head: bytes) -> bool:
    """Four fields, the last the same as one of the two before it."""
    return LAYOUT.fits(head)


def iter_records(source: Source, shape: Shape, on_problem: OnProblem) -> Iterator[Records]:
    """The file in pieces of about a megabyte; each line gives two records."""
    seen: defaultdict[bytes, int] = defaultdict(int)
    for block in iter_blocks(source, LAYOUT, on_problem=on_problem):
        line = block.lines()
        rows = []
        for row, fields in enumerate(zip(*(column.tolist() for column in block.columns), strict=True)):
            reason = _check(list(fields))
            if reason:
                on_problem("pair", int(line[row]), reason)
                continue
            seen[fields[0]] += 1
            rows.append((row, fields, b"%d" % seen[fields[0]]))
        documents = [document for _, fields, _ in rows for document in fields[1:3]]
        twice = np.repeat(np.arange(len(rows)), 2)
        ids = {
            "query_id": Strings.from_list([fields[0] for _, fields, _ in rows]).take(twice),
            "group": Strings.from_list([group for _, _, group in rows]).take(twice),
            "subgroup": Strings.from_list([b"0"]).take(twice * 0),
            "doc_id": Strings.from_list(documents),
        }
        preferred = [document == fields[3] for _, fields, _ in rows for document in fields[1:3]]
        columns = Columns(ids, {"level": np.array(preferred, dtype=np.float64)})
        yield Records(columns, line[[row for row, _, _ in rows]][twice], block)


read_preferences = reader("preferences", iter_records)


def write_preferences(preferences: Preferences, out: BinaryIO) -> None:
    """Write one line for each subgroup, which must hold two documents of different levels."""
    refuse_white_space({"query": preferences.to_columns().ids["query_id"], "document": preferences.documents}, "pairs")
    by_subgroup: defaultdict[tuple[str, str, str], list[tuple[str, float]]] = defaultdict(list)
    for query, group, subgroup, document, level in preferences.rows():
        by_subgroup[query, group, subgroup].append((document, level))
    lines = []
    for (query, group, subgroup), judged in by_subgroup.items():
        if len(judged) != 2 or judged[0][1] == judged[1][1]:
            raise DataError(
                f"group {group!r}, subgroup {subgroup!r} of query {query!r} is not one document preferred to one "
                f"other, so it cannot be written as pairs. Write trec instead."
            )
        preferred = max(judged, key=lambda entry: entry[1])[0]
        lines.append((query, judged[0][0], judged[1][0], preferred))
    write_lines([Strings.from_list([encode(line[at]) for line in lines]) for at in range(4)], out)
