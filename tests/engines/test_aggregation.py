"""Runs of passages made into runs of documents."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.engines import aggregation
from cranfield.engines.passages import read_mapping
from cranfield.errors import CranfieldError

RUN = {"q1": {"d1#2": 0.5, "d2#0": 0.75, "d1#10": 0.625, "d3": 0.25}, "q2": {"d1#0": 1.0}}


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("MaxP", {"d2": 0.75, "d1": 0.625, "d3": 0.25}),
        ("FirstP", {"d2": 0.75, "d1": 0.5, "d3": 0.25}),  # 2 comes before 10
        ("sump", {"d1": 0.5 + 0.625, "d2": 0.75, "d3": 0.25}),
        ("AvgP", {"d2": 0.75, "d1": (0.5 + 0.625) / 2, "d3": 0.25}),
    ],
)
def test_by_hand(method: str, expected: dict[str, float]) -> None:
    made = cf.aggregate(RUN, method)
    assert list(made["q1"].items()) == list(expected.items())
    assert made["q2"] == {"d1": 1.0}


def test_where_documents_are_named_otherwise() -> None:
    run = {"q1": {"d#1%%7": 3, "d#1%%8": 2, "d#2%%1": 1}}
    assert cf.aggregate(run, separator="%%").to_dict() == {"q1": {"d#1": 3, "d#2": 1}}
    assert cf.aggregate(run, pattern=r"(d)#.*").to_dict() == {"q1": {"d": 3}}
    numbered = {"q1": {"9-d": 3, "10-d": 2}}
    pattern = r"(?P<passage>\d+)-(?P<document>.*)"
    assert cf.aggregate(numbered, "FirstP", pattern=pattern).to_dict() == {"q1": {"d": 3}}
    table = {"10-d": "x", "9-d": "x"}
    assert cf.aggregate(numbered, "FirstP", mapping=table).to_dict() == {"q1": {"x": 2}}


def test_passages_whose_places_are_words_are_in_their_byte_order() -> None:
    assert cf.aggregate({"q": {"d#end": 3, "d#begin": 2}}, "FirstP").to_dict() == {"q": {"d": 2}}


RUNS = st.dictionaries(
    st.sampled_from(["1", "2", "10"]),
    st.dictionaries(
        st.tuples(st.sampled_from("abc"), st.integers(0, 12)).map(lambda pair: f"{pair[0]}#{pair[1]}"),
        st.integers(-4, 4).map(float),
        min_size=1,
    ),
    min_size=1,
)


def spelled_out(run: dict[str, dict[str, float]], method: str) -> dict[str, dict[str, float]]:
    """The definitions, one document at a time."""
    made: dict[str, dict[str, float]] = {}
    for query, found in run.items():
        passages: dict[str, dict[int, float]] = {}
        for name, score in found.items():
            document, place = name.split("#")
            passages.setdefault(document, {})[int(place)] = score
        made[query] = {
            document: {
                "MaxP": max(of.values()),
                "FirstP": of[min(of)],
                "SumP": sum(of.values()),
                "AvgP": sum(of.values()) / len(of),
            }[method]
            for document, of in passages.items()
        }
    return made


@given(RUNS, st.sampled_from(sorted(aggregation.METHODS)), st.sampled_from([1, 1 << 16]))
def test_as_the_definitions_say(run: dict[str, dict[str, float]], method: str, rows_at_once: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(aggregation, "ROWS_AT_ONCE", rows_at_once)
        assert cf.aggregate(run, method).to_dict() == spelled_out(run, method)


def test_depth() -> None:
    assert cf.aggregate(RUN, depth=1).to_dict() == {"q1": {"d2": 0.75}, "q2": {"d1": 1.0}}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "BestP"}, "unknown way to make documents of passages 'BestP'"),
        ({"separator": "@"}, "no passage has '@' in its identifier, as 'd2#0'"),
        ({"separator": ""}, "the separator between document and passage is empty"),
        ({"separator": "d"}, "has no document before 'd'"),
        ({"pattern": "("}, "is no regular expression"),
        ({"pattern": ".*"}, "has no group (in brackets)"),
        ({"pattern": "(.*)#.*"}, "passage 'd3' does not match the pattern"),
        ({"mapping": {"d2#0": "d2"}}, "passage 'd1#10' is not in the table"),
        ({"mapping": {}, "separator": "#"}, "say in one way which document a passage is of"),
        ({"depth": 0}, "the depth of a run of documents must be"),
    ],
)
def test_what_cannot_be_done(options: dict[str, Any], message: str) -> None:
    with pytest.raises(CranfieldError, match=re.escape(message)):
        cf.aggregate(RUN, **options)


def test_an_empty_run() -> None:
    with pytest.raises(CranfieldError, match="there are no passages in it"):
        cf.aggregate({})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("p1\td1\np1\td2\n", "mapping.tsv:2: passage 'p1' is there twice"),
        ("p1 d1\n", "mapping.tsv:1: expected a passage and a document with a tab between, found 1 fields"),
        ("\n", "mapping.tsv: the file is empty"),
    ],
)
def test_tables_that_cannot_be_used(text: str, message: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mapping.tsv").write_text(text)
    with pytest.raises(CranfieldError, match=re.escape(message)):
        read_mapping("mapping.tsv")
