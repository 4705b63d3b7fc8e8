"""Judgments of OpenSearch's Search Relevance Workbench: one JSON object, whose `judgmentRatings` have documents with a
rating for each query, which is called by its words. A rating is a text or a number.

It is what `PUT _plugins/_search_relevance/judgments` takes, by its documentation; what `GET` answers has it as the one
hit of a search, which is read too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from cranfield.data.qrels import Qrels
from cranfield.data.shapes import Shape
from cranfield.errors import DataError
from cranfield.formats.files import Source
from cranfield.formats.given_labels import GivenLabel, finite_number, label_records
from cranfield.formats.json_values import brief, dumps, load_document
from cranfield.formats.lines import OnProblem
from cranfield.formats.quepid import number_text
from cranfield.formats.records import Records, reader

NAME = "opensearch"
DESCRIPTION = "opensearch: judgments of OpenSearch's Search Relevance Workbench, JSON with judgmentRatings"
UNIT = "rating"
HOLDS = frozenset[str]()
_HEAD = re.compile(rb'\s*\{(?s:.)*("judgmentRatings"\s*:|"hits"\s*:\s*\{(?s:.)*"hits"\s*:\s*\[)')


def recognise(head: bytes) -> bool:
    """An object that says somewhere at its beginning that ratings follow, or hits of a search."""
    return bool(_HEAD.match(head))


def iter_labels(source: Source, on_problem: OnProblem) -> Iterator[GivenLabel]:
    """The ratings, of nobody in particular."""
    whole = _found(load_document(source), source.name)
    queries = whole.get("judgmentRatings") if isinstance(whole, dict) else None
    if not isinstance(queries, list):
        raise DataError(f"{source.name}: expected an object with a list judgmentRatings, as OpenSearch has judgments")
    place = 1
    for query in queries:
        words, ratings = (query.get("query"), query.get("ratings")) if isinstance(query, dict) else (None, None)
        if not isinstance(words, str) or not words or not isinstance(ratings, list):
            on_problem("missing", place, f"expected a query with a list of ratings, found {brief(query)}")
            continue
        for one in ratings:
            document, rating = (one.get("docId"), one.get("rating")) if isinstance(one, dict) else (None, None)
            grade = _number(rating)
            if not isinstance(document, str) or not document:
                on_problem("missing", place, f"docId is missing, of the query {words!r:.60}")
            elif grade is None:
                on_problem("number", place, f"rating {brief(rating)} is not a finite number")
            else:
                yield GivenLabel(place, words, document, "", grade)
            place += 1


def _found(whole: Any, name: str) -> Any:
    """The one hit, of the answer to a search."""
    try:
        hits = [hit["_source"] for hit in whole["hits"]["hits"]]
    except (KeyError, TypeError):
        return whole
    if len(hits) != 1:
        raise DataError(
            f"{name}: this is an answer of OpenSearch with {len(hits)} lists of judgments, and one is read; ask for it "
            "by its id: GET _plugins/_search_relevance/judgments/ID"
        )
    return hits[0]


def _number(rating: Any) -> float | None:
    if isinstance(rating, bool) or not isinstance(rating, str | int | float):
        return None
    return finite_number(str(rating).strip())


def iter_records(source: Source, shape: Shape, on_problem: OnProblem) -> Iterator[Records]:
    """The ratings as judgments."""
    return label_records(iter_labels(source, on_problem), assessors=False)


read_qrels = reader("qrels", iter_records, UNIT)


def write_qrels(qrels: Qrels, out: BinaryIO) -> None:
    """Write judgments to be imported, the query's name for its words."""
    qrels.refuse_judged_twice("OpenSearch has one rating for each: write another format, or settle on one judgment")
    ratings: dict[str, list[dict[str, str]]] = {}
    for query, _, document, grade in qrels.rows():
        ratings.setdefault(query, []).append({"docId": document, "rating": number_text(grade)})
    about = {"name": qrels.name or "judgments", "description": "", "type": "IMPORT_JUDGMENT"}
    out.write(b'{"judgmentRatings": [\n')
    before = b""
    for query, its in ratings.items():
        out.write(before + dumps({"query": query, "ratings": its}))
        before = b",\n"
    out.write(b"\n], " + dumps(about).lstrip(b"{") + b"\n")
