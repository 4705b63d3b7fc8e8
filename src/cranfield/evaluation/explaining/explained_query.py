"""The arithmetic that a measure writes down about one query, put together for a reader."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from cranfield.data.arithmetic import value_of
from cranfield.data.preferences import Preferences
from cranfield.data.qrels import Qrels
from cranfield.data.rankings import Rankings
from cranfield.data.strings import decode
from cranfield.data.subtopics import SubtopicRankings
from cranfield.data.working import Cell, Step, Working
from cranfield.evaluation.explaining.explained_judgments import ideal_documents, parameters_of, relevant_documents
from cranfield.evaluation.explaining.explained_shares import Shares, needed_steps, shares_by_rank, shares_of_sum
from cranfield.evaluation.explaining.explanation import Explanation, How, Relevant, Row
from cranfield.evaluation.explaining.one_query import OneQuery, Value
from cranfield.evaluation.measure_warnings import warnings_of
from cranfield.measures.description import describe, symbols
from cranfield.measures.judgment_groups import GroupedRankings

_FEW, _FIRST = 100, 20
"""Of few documents, what each adds is found even where that takes an evaluation; of many, what the first ones add."""
_CLOSE = 1e-12
"""How far, beside 1 or the value, the same arithmetic over more rows may be off."""
_ROUNDING = 1e-9
"""How far shares may be off, which are worked out one by one."""
_PLACE = "place"
_GRADES = {"subtopics": "relevant to", "groups": "grades", "preferences": "levels"}


class _Part(NamedTuple):
    """What was written down about all judgments, or about those of one assessor."""

    working: Working
    documents: Sequence[bytes] = ()
    """The documents that the rows of its columns are about."""
    assessor: str = ""
    places: Mapping[bytes, float] = {}
    """The ranks that counted, where they are not those of the list."""

    def name(self, column: str) -> str:
        """What a column is called beside those of other assessors."""
        return f"{self.assessor}: {column}" if self.assessor and column else column

    @property
    def columns(self) -> Iterator[tuple[str, dict[bytes, Cell]]]:
        """The columns with their cells by document."""
        if self.places:
            yield self.name(_PLACE), dict(self.places)
        for column, cells in self.working.columns.items():
            yield self.name(column), {self.documents[row]: cell for row, cell in cells.items()}

    @property
    def steps(self) -> Iterator[Step]:
        for step in needed_steps(self.working):
            yield step._replace(column=self.name(step.column), assessor=self.assessor)


class _Written(NamedTuple):
    """All that was written down: in one part, or in one for each assessor, of which the value is the mean."""

    parts: tuple[_Part, ...]
    mean: tuple[Step, ...] = ()

    @property
    def steps(self) -> tuple[Step, ...]:
        return (*(step for part in self.parts for step in part.steps), *self.mean)


def explained(one: OneQuery) -> Explanation:
    """The value of a query, explained."""
    written = _write(one)
    columns: dict[str, dict[bytes, Cell]] = {}
    for part in written.parts:
        columns.update(part.columns)
    how, shares, rest = _shares(one, written)
    rows = tuple(_rows(one, columns, how, shares))
    left = 0.0
    if how and not isinstance(one.value, str):
        left = one.value - rest - math.fsum(row.share for row in rows if row.share is not None)
    definition = one.measure.definition
    formulas = describe(definition).formulas
    return Explanation(
        one.measure,
        "" if one.labels else decode(one.query),
        "" if one.labels else one.run.name,
        one.value,
        formulas[0] if formulas else "",
        tuple(symbols(one.measure)) if formulas else (),
        parameters_of(one.measure),
        tuple(columns),
        rows,
        {column: tuple(values) for part in written.parts for column, values in part.working.ideal.items()},
        written.steps,
        *_judged_documents(one, written),
        how,
        rest,
        left if abs(left) > _ROUNDING else 0.0,
        _GRADES.get(definition.needs, "grade"),
        tuple(_notes(one)),
        settings={"profile": one.evaluator.profile.name, **one.evaluator.settings},
    )


# What the measure wrote


def _write(one: OneQuery) -> _Written:
    """Have the measure computed once more, with something to write on.

    All documents that are retrieved have a row, if the value is the same as without those that are not judged.
    """
    definition = one.measure.definition
    if definition.needs == "preferences" or isinstance(one.evaluator.qrels, Preferences):
        return _written(one, one.data)[0]
    if definition.sampling in ("none", "unjudged") and one.rules.negative == "unjudged":
        written, value = _written(one, one.data_of_all)
        if _same(value, one.exact):
            return written
    return _written(one, one.data)[0]


def _written(one: OneQuery, data: Any) -> tuple[_Written, Value]:
    """What the measure writes down, and the value it comes to."""
    judged_only = bool(one.measure.parameters.get("judged_only"))
    working = Working()
    if isinstance(data, GroupedRankings):
        condensed = one.evaluator.judged_only
        assert isinstance(one.evaluator.qrels, Qrels)
        names = [decode(name) for name in one.evaluator.qrels.iteration_ids]
        parts = tuple(_part(group, condensed, name) for (_, group), name in zip(data.groups, names, strict=True))
        groups = [(at, replace(r, working=part.working)) for (at, r), part in zip(data.groups, parts, strict=True)]
        value = one.computed.compute(GroupedRankings(len(data), tuple(groups), working))[0]
        return _Written(parts, tuple(working.steps)), float(value)
    if isinstance(data, SubtopicRankings):
        part = _part(data.rankings, judged_only)
        data = SubtopicRankings(replace(data.rankings, working=part.working), data.judgments)
    elif isinstance(data, Rankings):
        part = _part(data, judged_only)
        data = replace(data, working=part.working)
    else:
        part = _Part(working)
        data = replace(data, working=working)
    value = one.computed.compute(data)[0]
    return _Written((part,)), value if isinstance(value, str) else float(value)


def _part(rankings: Rankings, judged_only: bool, assessor: str = "") -> _Part:
    """A part to write on; where judged documents alone count, with the ranks they have among themselves."""
    documents = rankings.qrels.documents.tolist()
    alone = rankings.condensed() if judged_only else None
    at = [] if alone is None else zip(alone.judgment.tolist(), alone.rank.tolist(), strict=True)
    return _Part(Working(), documents, assessor, {documents[row]: float(rank) for row, rank in at})


def _same(one: Value, other: Value) -> bool:
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    return math.isclose(one, other, rel_tol=_CLOSE, abs_tol=_CLOSE)


def _judged_documents(one: OneQuery, written: _Written) -> tuple[tuple[str, ...], Relevant | None]:
    """The documents of the ideal list, and those that there are to be found."""
    if len(written.parts) > 1:
        return (), None
    (part,) = written.parts
    ideal = ideal_documents(one, part.working, part.documents)
    return tuple(map(one.label, ideal)), relevant_documents(one, part.working)


# What documents add


def _shares(one: OneQuery, written: _Written) -> tuple[How, Mapping[bytes, float], float]:
    """How shares are found, what they are by document, and the rest."""
    if isinstance(one.value, str) or not math.isfinite(one.value):
        return "", {}, 0.0
    summed = _shares_of_sums(written)
    if summed is not None and _same_total(summed, float(one.exact)):
        return "sum", *summed
    found = None
    if not one.measure.definition.without_run:
        found = shares_by_rank(lambda depth: float(one.first(depth).exact), _ranks_in_question(one))
    if found is None or (found.rest == one.exact and not any(found.of_row.values())):
        return "", {}, one.value
    return "rank", {one.documents[rank - 1]: share for rank, share in found.of_row.items()}, found.rest


def _shares_of_sums(written: _Written) -> tuple[dict[bytes, float], float] | None:
    """Shares by document and the rest, where the value is a sum, or the mean of such values."""
    parts: list[Shares] = []
    for part in written.parts:
        shares = shares_of_sum(part.working)
        if shares is None:
            return None
        parts.append(shares)
    inputs = written.mean[-1].inputs if written.mean else {"": 1.0}
    by_document: dict[bytes, float] = {}
    rest = 0.0
    for part, shares, name in zip(written.parts, parts, inputs, strict=True):
        weight = value_of(written.mean[-1].formula, {**dict.fromkeys(inputs, 0.0), name: 1.0}) if name else 1.0
        rest += weight * shares.rest
        for row, share in shares.of_row.items():
            document = part.documents[row]
            by_document[document] = by_document.get(document, 0.0) + weight * share
    return by_document, rest


def _same_total(summed: tuple[dict[bytes, float], float], value: float) -> bool:
    return math.isclose(math.fsum(summed[0].values()) + summed[1], value, rel_tol=_ROUNDING, abs_tol=_ROUNDING)


def _ranks_in_question(one: OneQuery) -> list[int]:
    """The ranks of which it is found out what they add: all of a short list, else the first and those judged good."""
    documents = one.documents
    return [
        rank
        for rank, document in enumerate(documents, 1)
        if len(documents) <= _FEW or rank <= _FIRST or one.is_good(document)
    ]


# The table


def _rows(
    one: OneQuery, columns: Mapping[str, Mapping[bytes, Cell]], how: How, shares: Mapping[bytes, float]
) -> Iterator[Row]:
    """Documents in the order of rank, and then those that were not retrieved and count."""
    tied = {rank for first, last in one.ties for rank in range(first, last + 1)}
    rank_of = {document: rank for rank, document in enumerate(one.documents, 1)}
    counting = dict.fromkeys(document for cells in columns.values() for document in cells)
    for document in (*rank_of, *(other for other in counting if other not in rank_of)):
        rank = rank_of.get(document)
        by_rank = how == "rank" and document in shares
        share = shares.get(document, None if how != "sum" else 0.0)
        yield Row(
            rank,
            one.label(document),
            one.grades.get(document),
            rank in tied,
            {column: cells[document] for column, cells in columns.items() if document in cells},
            share,
            float(one.without(document).value) if by_rank else None,
        )


_ORDERS = {
    "document-down": "stand in descending order of their identifiers",
    "document-up": "stand in ascending order of their identifiers",
    "given": "stand in the order of the run",
    "any": "stand in the order of the run, though {} may put them in any",
}


_WITHOUT = {
    "zero": "it scores {}",
    "skip": "an empty list scores {}, and the topic is left out of the mean unless all topics are asked for (-c)",
}


def _subtopics(one: OneQuery) -> list[str]:
    """The subtopics to which a document is relevant, as they are named in the grades that are shown."""
    named = (text.split() for text in one.grades.values() if isinstance(text, str) and text != "0")
    return list(dict.fromkeys(sorted(by.rpartition(":")[0] for texts in named for by in texts)))


def _some(names: Sequence[str], most: int = 10) -> str:
    """Names, the first of many."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return (", ".join(names[:most]) or "none with a relevant document") + more


def _notes(one: OneQuery) -> Iterator[str]:
    """What is to be said beside the numbers."""
    rules, depth = one.rules, one.evaluator.depth
    if one.query not in one.run.query_ids:
        value = one.value if isinstance(one.value, str) else f"{one.value:g}"
        yield f"the run has nothing for topic {decode(one.query)}: {_WITHOUT[one.evaluator.missing].format(value)}"
    if one.evaluator.subtopics is not None and not one.labels:
        yield f"subtopics are the second column of the judgments: {_some(_subtopics(one))}"
    if one.ties:
        order = _ORDERS[one.order_of_ties]
        some = ", ".join(f"{begin} to {end}" for begin, end in one.ties[:3])
        more = f" and {len(one.ties) - 3} more" if len(one.ties) > 3 else ""
        yield f"tied scores at ranks {some}{more}: these documents {order.format(rules.tool)}"
    if depth is not None and len(one.run) > depth:
        yield f"only the first {depth} of {len(one.run)} documents are looked at (-M)"
    if rules.topic_places is not None:
        yield f"the value is rounded to {rules.topic_places} places, as {rules.tool} does for each topic"
    for warning in warnings_of(one.measure, one.evaluator.qrels, one.evaluator.costs):
        yield f"{one.measure}: {warning}"
