"""The one text of data in memory: the same for all shapes of the same data, and different for different data."""

from __future__ import annotations

import io
import random
from pathlib import Path
from typing import Any

import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.data.costs import Costs
from cranfield.errors import DataError
from cranfield.formats.canonical import write_canonical


def text_of(data: Any) -> bytes:
    out = io.BytesIO()
    write_canonical(data, out)
    return out.getvalue()


def test_judgments_are_sorted_by_query_iteration_and_document() -> None:
    rows = [("q2", "b", "d1", 1), ("q10", "b", "d2", 0.5), ("q10", "b", "d10", -1), ("q10", "a", "d9", 2)]
    # By bytes: q10 before q2, d10 before d2.
    assert text_of(cf.Qrels.from_tuples(rows)) == b"q10 a d9 2\nq10 b d10 -1\nq10 b d2 0.5\nq2 b d1 1\n"


def test_an_iteration_that_is_the_same_everywhere_says_nothing() -> None:
    plain = cf.Qrels.from_dict({"q1": {"d1": 1}})
    assert text_of(cf.Qrels.from_tuples([("q1", "Q0", "d1", 1)])) == text_of(plain) == b"q1 0 d1 1\n"


def test_more_columns_of_judgments_are_named() -> None:
    frame = pandas.DataFrame({"qid": ["q1"], "docno": ["d1"], "label": [1], "probability": [0.25], "stratum": ["top"]})
    expected = b"query iteration document grade stratum probability\nq1 0 d1 1 top 0.25\n"
    assert text_of(cf.Qrels.from_frame(frame)) == expected


def test_a_run_is_in_ranking_order_whatever_its_tag() -> None:
    run = cf.Run.from_dict({"q1": {"d1": 0.5, "d2": 0.5, "d3": 1}, "q0": {"d1": -0.0}}, tag="bm25")
    # Equal scores by document, last first, as trec_eval ranks them.
    assert text_of(run) == b"q0 Q0 d1 1 0.0 run\nq1 Q0 d3 1 1.0 run\nq1 Q0 d2 2 0.5 run\nq1 Q0 d1 3 0.5 run\n"


def test_costs_intents_and_preferences() -> None:
    assert text_of(Costs.from_dict({"d2": 1, "d1": 2.5})) == b"d1 2.5\nd2 1\n"
    assert text_of(Costs.from_dict({"q2": {"d1": 1}, "q1": {"d2": 3}})) == b"q1 d2 3\nq2 d1 1\n"
    assert text_of({"q1": {"film": 0.75, "bird": 0.25}}) == b"q1 bird 0.25\nq1 film 0.75\n"
    preferences = cf.Preferences.from_tuples([("q1", "ann", "1", "d2", 0), ("q1", "ann", "0", "d1", 2.5)])
    assert text_of(preferences) == b"q1 ann 0 d1 2.5\nq1 ann 1 d2 0\n"


def test_what_could_be_mistaken_is_quoted() -> None:
    qrels = cf.Qrels.from_dict({"q 1": {'"a"': 1, "b\tc": 1, "d": 1}})
    assert text_of(qrels) == b'"q 1" 0 "\\"a\\"" 1\n"q 1" 0 "b\\tc" 1\n"q 1" 0 d 1\n'
    assert text_of(cf.Run.from_dict({"a b": {"c": 1}})) != text_of(cf.Run.from_dict({"a": {"b c": 1}}))


def test_what_has_no_text() -> None:
    with pytest.raises(TypeError, match="there is no text of int"):
        text_of(3)
    with pytest.raises(DataError, match="intents, query 'q1': expected"):
        text_of({"q1": 1})


def test_it_is_what_a_trec_file_has(tmp_path: Path) -> None:
    run = cf.Run.from_dict({"q1": {"d1": 0.5, "d2": 0.25}})
    cf.write_run(run, tmp_path / "a.run")
    assert text_of(run) == (tmp_path / "a.run").read_bytes()
    qrels = cf.Qrels.from_dict({"q1": {"d1": 2, "d2": 0}})
    cf.write_qrels(qrels, tmp_path / "qrels.txt")
    assert text_of(qrels) == (tmp_path / "qrels.txt").read_bytes()


IDS = st.text(st.characters(codec="utf-8"), max_size=12)
TABLE = st.dictionaries(
    st.tuples(IDS, IDS), st.floats(-1e9, 1e9).map(lambda number: number + 0.0), min_size=1, max_size=12
)


def shuffled(table: dict[tuple[str, str], float], seed: int) -> list[tuple[str, str, float]]:
    rows = [(query, document, number) for (query, document), number in table.items()]
    random.Random(seed).shuffle(rows)
    return rows


@given(TABLE, st.integers(0, 5))
def test_the_order_in_which_rows_came_does_not_matter(table: dict[tuple[str, str], float], seed: int) -> None:
    for kind in (cf.Qrels, cf.Run):
        assert text_of(kind.from_tuples(shuffled(table, 0))) == text_of(kind.from_tuples(shuffled(table, seed)))


@given(TABLE, TABLE)
def test_different_data_has_a_different_text(
    one: dict[tuple[str, str], float], other: dict[tuple[str, str], float]
) -> None:
    for kind in (cf.Qrels, cf.Run):
        same = text_of(kind.from_tuples(shuffled(one, 0))) == text_of(kind.from_tuples(shuffled(other, 0)))
        assert same == (one == other)
