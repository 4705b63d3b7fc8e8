"""Dicts of dicts are ranked as any other run is: by `Run`, which sorts all documents."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.compat.ir_measures.dicts import places_of, rank_dicts
from cranfield.data.qrels import Qrels
from cranfield.data.rankings import Rankings
from cranfield.data.run import Run

NAMES = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=3)
SCORES = st.sampled_from([-1.5, -0.0, 0.0, 1, 1.0, 1.0000000001, 2, 1e300])


@given(
    st.dictionaries(NAMES, st.dictionaries(NAMES, st.integers(-1, 2), min_size=1), min_size=1),
    st.data(),
)
def test_ranks_are_those_of_a_sorted_run(judged: dict[str, dict[str, int]], data: st.DataObject) -> None:
    documents = st.sampled_from(sorted({document for inner in judged.values() for document in inner})) | NAMES
    queries = st.sampled_from(sorted(judged)) | NAMES
    run = data.draw(st.dictionaries(queries, st.dictionaries(documents, SCORES)))
    qrels = Qrels.from_dict(judged)
    ours = rank_dicts(run, qrels, places_of(qrels))
    expected = Rankings.join(qrels, Run.from_dict(run))
    assert ours is not None
    for column in ("retrieved", "query", "rank", "judgment"):
        assert getattr(ours, column).tolist() == getattr(expected, column).tolist()


@pytest.mark.parametrize(
    "run",
    [{1: {"a": 1.0}}, {"q": {7: 1.0}}, {"q": ["a"]}, {"q": {"a": math.nan}}, {"q": {"a": "x"}}, {"q": {"a": None}}],
)
def test_what_needs_a_closer_look_is_left_alone(run: Any) -> None:
    qrels = Qrels.from_dict({"q": {"a": 1}})
    assert rank_dicts(run, qrels, places_of(qrels)) is None
