"""Judgments in memory."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.data.qrels import Qrels
from cranfield.data.strings import Strings
from cranfield.errors import DataError, FormatError

ids = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=5)
judgments = st.dictionaries(ids, st.dictionaries(ids, st.integers(-1, 4), min_size=1, max_size=6), max_size=6)


@given(judgments)
def test_a_dict_of_dicts_comes_back(given_judgments: dict[str, dict[str, int]]) -> None:
    qrels = Qrels.from_dict(given_judgments)
    assert qrels.to_dict() == given_judgments
    assert list(qrels) == list(qrels.queries) == sorted(given_judgments, key=str.encode)
    assert len(qrels) == sum(map(len, given_judgments.values()))


@given(judgments, st.integers(-1, 4))
def test_count(given_judgments: dict[str, dict[str, int]], level: int) -> None:
    qrels = Qrels.from_dict(given_judgments)
    expected = [sum(grade >= level for grade in given_judgments[query].values()) for query in qrels]
    assert qrels.count(level).tolist() == expected


@given(judgments)
def test_best_first_is_the_ideal_ranking(given_judgments: dict[str, dict[str, int]]) -> None:
    qrels = Qrels.from_dict(given_judgments)
    ideal = qrels.grade[qrels.best_first].tolist()
    expected = [sorted(given_judgments[query].values(), reverse=True) for query in qrels]
    assert ideal == [grade for grades in expected for grade in grades]


def test_whole_grades_are_whole_and_others_are_not() -> None:
    assert Qrels.from_tuples([("q", "a", 1.0), ("q", "b", 0.5)])["q"] == {"a": 1, "b": 0.5}


def test_the_same_document_for_two_subtopics() -> None:
    qrels = Qrels.from_tuples([("q", "s1", "d", 1), ("q", "s2", "d", 0)])
    assert qrels.judged_twice == ("q", "d")
    assert list(qrels.rows()) == [("q", "s1", "d", 1), ("q", "s2", "d", 0)]
    assert qrels.of_iteration(b"s2")["q"] == {"d": 0}
    with pytest.raises(DataError, match="document 'd' of query 'q' is judged more than once"):
        qrels.refuse_judged_twice("that will not do")


def test_a_document_judged_twice() -> None:
    with pytest.raises(FormatError) as error:
        Qrels.from_tuples([("q2", "d", 1), ("q1", "d", 2), ("q1", "d", 0)])
    assert str(error.value) == ("qrels: document 'd' is judged twice for query 'q1': grades 2 and 0. Keep one of them.")


def test_the_lines_of_a_document_judged_twice_are_those_of_the_file() -> None:
    query, documents = Strings.from_list([b"q2", b"q1", b"q2"]), Strings.from_list([b"d", b"d", b"d"])
    with pytest.raises(FormatError) as error:
        Qrels(query, documents, np.array([1.0, 2.0, 3.0])).checked(source="f", line=np.array([10, 20, 30]))
    assert str(error.value) == (
        "f:30: document 'd' is judged twice for query 'q2': grades 1 and 3 (first at line 10). Keep one of them."
    )


def test_rows_of_different_lengths() -> None:
    with pytest.raises(DataError) as error:
        Qrels.from_tuples([("q", "d", 1), ("q", "d")])
    assert str(error.value) == (
        "qrels: expected rows (query, document, grade) or (query, iteration, document, grade), "
        "found rows of 2, 3 values"
    )


def test_probabilities_follow_their_judgments() -> None:
    query = Strings.from_list([b"q2", b"q1", b"q2"])
    documents = Strings.from_list([b"a", b"b", b"c"])
    method = Strings.from_list([b"0", b"1", b"2"])
    grade, chance = np.array([1.0, 0.0, 2.0]), np.array([0.25, 0.5, 0.75])
    qrels = Qrels(query, documents, grade, method=method, probability=chance)
    chosen = qrels.only([b"q2"])
    for kept, expected in ((qrels, [(b"b", b"1", 0.5), (b"a", b"0", 0.25), (b"c", b"2", 0.75)]),
                           (chosen, [(b"a", b"0", 0.25), (b"c", b"2", 0.75)])):  # fmt: skip
        assert kept.method is not None
        assert kept.probability is not None
        found = zip(kept.documents.tolist(), kept.method.tolist(), kept.probability.tolist(), strict=True)
        assert list(found) == expected


def test_which_judgments_are_a_sample() -> None:
    query, documents = Strings.from_list([b"q", b"q"]), Strings.from_list([b"a", b"b"])
    complete = Qrels(query, documents, np.array([1.0, -1.0]))
    assert not complete.is_sample  # nothing is said of sampling
    one, two = Strings.from_list([b"1", b"1"]), Strings.from_list([b"1", b"2"])
    assert Qrels(query, documents, np.array([1.0, -1.0]), stratum=one).is_sample
    assert not Qrels(query, documents, np.array([1.0, 0.0]), stratum=two).is_sample
    half = np.array([1.0, 0.5])
    assert Qrels(query, documents, np.array([1.0, 0.0]), probability=half).is_sample
    outright = Strings.from_list([b"1", b"0"])  # method 0: chosen for certain
    assert not Qrels(query, documents, np.array([1.0, 0.0]), probability=half, method=outright).is_sample


def test_nothing_judged_is_allowed_in_memory() -> None:
    assert len(Qrels.from_dict({})) == len(Qrels.from_tuples([])) == 0
    assert Qrels.from_dict({}).queries == ()
