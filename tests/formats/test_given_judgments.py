"""Judgments as Quepid, Label Studio and OpenSearch write them, and as events."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from cranfield.data.qrels import Qrels
from cranfield.errors import CranfieldError, UsageError
from cranfield.formats import read_qrels, write_qrels
from cranfield.formats.conversion import convert
from cranfield.formats.formula_cells import escaped, unescaped
from cranfield.formats.given_judgments import FORMATS, read_given_judgments, refuse_packed
from cranfield.formats.judge_labels import read_judge_labels
from cranfield.formats.judging_events import event_line
from cranfield.formats.validation import validate

TIME = "2026-03-01T09:30:00Z"

# The layout of a task that Label Studio's documentation has ("Label Studio JSON format of annotated tasks"), with the
# results of its tags Choices and Rating.
EXPORTED = [
    {
        "id": 1,
        "created_at": "2021-03-09T21:52:49.513742Z",
        "project": 83,
        "data": {"query_id": 301, "doc_id": "d1", "text": "Boil water."},
        "annotations": [
            {
                "id": 1001,
                "result": [
                    {"from_name": "rel", "to_name": "text", "type": "choices", "value": {"choices": ["relevant"]}},
                    {"from_name": "why", "to_name": "text", "type": "textarea", "value": {"text": ["it", "boils"]}},
                ],
                "was_cancelled": False,
                "ground_truth": False,
                "created_at": "2021-03-09T22:16:08.728353Z",
                "lead_time": 4.288,
                "completed_by": {"id": 10, "email": "ann@example.org", "first_name": "", "last_name": ""},
            },
            {
                "id": 1002,
                "result": [],
                "was_cancelled": True,
                "completed_by": 11,
                "created_at": "2021-03-10T00:00:00+02:00",
            },
        ],
        "predictions": [],
    },
    {
        "id": 2,
        "data": {"query_id": 301, "doc_id": "d2"},
        "annotations": [{"result": [{"type": "rating", "value": {"rating": 3}}], "completed_by": 11}],
    },
]


def rows(text: str, **options: object) -> list[tuple[object, ...]]:
    found = read_given_judgments(io.StringIO(text), time=TIME, **options)  # type: ignore[arg-type]
    return [(one.assessor, one.topic, one.document, one.action, one.grade) for one in found.events]


def test_label_studio() -> None:
    found = read_given_judgments(io.StringIO(json.dumps(EXPORTED)), time=TIME, grades={"relevant": 1.0})
    assert found.format == "label-studio"
    assert [(one.assessor, one.topic, one.document, one.action, one.grade) for one in found.events] == [
        ("ann@example.org", "301", "d1", "grade", 1),
        ("annotator11", "301", "d1", "skip", None),
        ("annotator11", "301", "d2", "grade", 3),
    ]
    first, second, third = found.events
    assert (first.time, first.active_ms, first.reason) == ("2021-03-09T22:16:08.728Z", 4288, "it\nboils")
    assert (second.time, third.time) == ("2021-03-09T22:00:00.000Z", TIME)


def test_the_short_form_of_label_studio() -> None:
    text = '[{"id": 7, "query_id": "q", "doc_id": "d", "relevance": "2 good", "annotator": 4, "annotation_id": 9}]'
    assert rows(text) == [("annotator4", "q", "d", "grade", 2)]


def test_a_book() -> None:
    text = 'query,docid,Ann Lee," @bob"\n"milk, oat",d1,2,\n"two\nlines"," -d2",,0.5\nnothing,d3,,\n'
    assert rows(text) == [
        ("Ann_Lee", "milk, oat", "d1", "grade", 2),
        ("@bob", "two\nlines", "-d2", "grade", 0.5),
    ]


def test_ratings_with_a_byte_order_mark_and_queries_without_any() -> None:
    text = "\ufeffquery,docid,rating\r\nsoup,d1,3.0\r\nbread\r\ncake,d2,\r\n"
    assert rows(text, assessor="ann") == [("ann", "soup", "d1", "grade", 3)]


def test_judgments_with_and_without_assessors() -> None:
    assert rows("1 0 d1 2\n1 0 d2 -1\n") == [
        ("imported", "1", "d1", "grade", 2),
        ("imported", "1", "d2", "skip", None),
    ]
    assert rows("1 ann d1 2\n") == [("ann", "1", "d1", "grade", 2)]
    assert rows("1 1 d1 2\n1 2 d1 1\n") == [("1", "1", "d1", "grade", 2), ("2", "1", "d1", "grade", 1)]
    assert rows("1 7 d1 2\n", format="qrels_jg") == [("7", "1", "d1", "grade", 2)]


def test_events_of_which_some_did_not_count() -> None:
    made = read_given_judgments(io.StringIO("1 0 d1 2\n1 0 d2 1\n"), time=TIME).events
    first, second = (json.loads(event_line(event)) for event in made)
    late = {**second, "assignment": "late"}
    note = {**second, "event": "00000000-0000-4000-8000-000000000001", "action": "note", "grade": None, "reason": "so"}
    text = "".join(json.dumps(one) + "\n" for one in (first, late, note))
    found = read_given_judgments(io.StringIO(text), time=TIME)
    assert [one.document for one in found.events] == ["d1"]
    assert found.left_out == {"did not count where it was made (late)": 1, "a note": 1}
    assert found.read == 3


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("query,docid,ann\nq,d,x\n", "f:2: the rating of 'ann' 'x' is not a finite number"),
        ("query,docid,ann\nq,d,1|2\n", "f:2: the cell of 'ann' holds several ratings, '1|2'; keep one of them, or none"),
        ("query,docid,ann,\nq,d,1,2\n", "f:1: column 4 has no name; expected that of an assessor"),
        ("query,docid,rating\nq,d,1\n,d,1\n", "f:3: query is missing"),
        ("query,docid,rating\nq,d,1,1\n", "f:2: expected 3 cells (query,docid,rating), found 4"),
        ('query,docid,rating\nq,d,1\n"q,d,1\n', "f:3: this is no CSV: unexpected end of data. Nothing below it could be read."),
        ("query,docid,ann\nq,d,\n", "f: there are no labels in the file"),
        ('[{"annotations": [], "data": {"a": 1}}]', 'f: task 1: data has no query_id (or qid, q_id, topic_id, topic, query); it has ["a"]'),
        ('[{"annotations": [], "data": [', "f:1: this is not valid JSON: Expecting value"),
        ('[{"data": {"qid": "q", "docid": "d"}, "annotations": [{"result": []}]}]', "f: task 1: an annotation has neither a choice nor a rating"),
        ('[{"data": {"qid": "q", "docid": "d"}, "annotations": [{"result": [{"value": {"choices": ["fine"]}}]}]}]', "f: task 1: the choice 'fine' is no grade: expected a number, or one in front of it."),
    ],
)  # fmt: skip
def test_what_cannot_be_read(text: str, said: str) -> None:
    file = io.StringIO(text)
    file.name = "f"
    with pytest.raises(CranfieldError) as error:
        read_given_judgments(file, time=TIME)
    assert str(error.value) == said


def test_a_format_that_there_is_not() -> None:
    with pytest.raises(UsageError, match="Did you mean quepid"):
        read_given_judgments(io.StringIO("x"), time=TIME, format="quepit")
    assert set(FORMATS) == {"qrels", "qrels_jg", "events", "quepid", "quepid-book", "label-studio", "opensearch"}


def test_what_is_packed() -> None:
    for begin in (b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd"):
        with pytest.raises(CranfieldError, match="f: this is packed; unpack it first"):
            refuse_packed(begin, "f")
    refuse_packed(b"1 0 d 1", "f")


@drawn(st.text(st.sampled_from(" =+-@\t\r\nab\uff1d"), max_size=6))
def test_no_cell_is_a_formula_and_each_comes_back(text: str) -> None:
    assert not escaped(text).startswith(tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20"))
    assert unescaped(escaped(text)) == text


def test_from_one_format_to_another(tmp_path: Path) -> None:
    """What `cranfield convert` does: judgments of two assessors through every format that has a place for them."""
    qrels = Qrels.from_tuples([("q1", "ann", "-d1", 2), ("q1", "bob", "-d1", 0), ("q 2", "ann", "d2", 1)])
    write_qrels(qrels, tmp_path / "0", format="csv")
    for number, format in enumerate(("quepid-book", "label-studio", "jsonl"), 1):
        done = convert(tmp_path / str(number - 1), tmp_path / str(number), output_format=format, kind="qrels")
        assert (done.records, done.lost) == (3, ())
    assert sorted(read_qrels(tmp_path / "3").rows()) == sorted(qrels.rows())
    assert (tmp_path / "1").read_text() == 'query,docid,ann,bob\n"q 2",d2,1,\nq1," -d1",2,0\n'
    assert read_judge_labels(tmp_path / "2").judges == ("ann", "bob")


def test_what_quepid_has_no_place_for(tmp_path: Path) -> None:
    (tmp_path / "jg").write_text("q1 ann d1 2\nq1 bob d1 0\n")
    with pytest.raises(CranfieldError, match="write quepid-book"):
        convert(tmp_path / "jg", tmp_path / "out.csv", output_format="quepid")


def test_ratings_of_opensearch(tmp_path: Path) -> None:
    """As its documentation has them: ratings are texts, and may be numbers."""
    file = tmp_path / "judgments.json"
    ratings = [{"docId": "d1", "rating": "2.000"}, {"docId": "d2", "rating": 0}]
    whole = {"name": "Soups", "type": "IMPORT_JUDGMENT", "judgmentRatings": [{"query": "hot soup", "ratings": ratings}]}
    file.write_text(json.dumps(whole, indent=2))
    given = read_given_judgments(file, time=TIME, assessor="ann")
    found = [(event.assessor, event.topic, event.document, event.grade) for event in given.events]
    assert (given.format, found) == ("opensearch", [("ann", "hot soup", "d1", 2), ("ann", "hot soup", "d2", 0)])
    convert(file, tmp_path / "again.json", output_format="opensearch")
    said = json.loads((tmp_path / "again.json").read_text())
    assert said["type"] == "IMPORT_JUDGMENT"
    assert said["judgmentRatings"] == [
        {"query": "hot soup", "ratings": [{"docId": "d1", "rating": "2"}, {"docId": "d2", "rating": "0"}]}
    ]


def test_what_opensearch_answers(tmp_path: Path) -> None:
    """As its documentation shows the answer to a GET: lists of judgments as hits of a search."""
    file = tmp_path / "answer.json"
    ratings = [{"rating": "3.000", "docId": "d1"}]
    source = {"id": "b5", "name": "Soups", "judgmentRatings": [{"query": "hot soup", "ratings": ratings}]}
    hit = {"_index": "search-relevance-judgment", "_id": "b5", "_score": 1, "_source": source}
    for number in (1, 2, 0):
        total = {"value": number, "relation": "eq"}
        file.write_text(json.dumps({"took": 36, "hits": {"total": total, "max_score": 1, "hits": [hit] * number}}))
        if number == 1:
            assert read_qrels(file).to_dict() == {"hot soup": {"d1": 3}}
        else:
            with pytest.raises(CranfieldError, match=f"with {number} lists of judgments.*judgments/ID"):
                read_qrels(file)


@pytest.mark.parametrize(
    ("ratings", "message"),
    [
        ([{"rating": "1"}], "rating 1: docId is missing, of the query 'soup'"),
        ([{"docId": "d1", "rating": 1}, {"docId": "d2", "rating": "good"}], 'rating 2: rating "good" is not a finite'),
        ([{"docId": "d1", "rating": True}], "rating 1: rating true is not a finite number"),
        ([{"docId": "d1"}], "rating 1: rating null is not a finite number"),
        ("none", "rating 1: expected a query with a list of ratings, found"),
    ],
)
def test_what_is_no_rating_of_opensearch(tmp_path: Path, ratings: object, message: str) -> None:
    file = tmp_path / "judgments.json"
    file.write_text(json.dumps({"judgmentRatings": [{"query": "soup", "ratings": ratings}]}))
    with pytest.raises(CranfieldError, match=re.escape(message)):
        read_given_judgments(file, time=TIME)


def test_all_that_is_wrong_with_ratings_of_opensearch(tmp_path: Path) -> None:
    """What is right beside it is read."""
    file = tmp_path / "judgments.json"
    ratings = [{"docId": "d1", "rating": "good"}, {"docId": "", "rating": 1}, {"docId": "d3", "rating": 1}]
    file.write_text(json.dumps({"judgmentRatings": [{"query": "soup", "ratings": ratings}]}))
    found = [(finding.severity, finding.kind, finding.places) for finding in validate(file).findings]
    assert sorted(found) == [("error", "missing", (2,)), ("error", "number", (1,))]
