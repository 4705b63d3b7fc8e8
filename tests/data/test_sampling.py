"""How judged documents were drawn from the pool."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cranfield.data.qrels import Qrels
from cranfield.data.sampling import Strata
from cranfield.data.strings import Strings

rows = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4), st.integers(-1, 2)), max_size=20)


@given(rows=rows)
def test_strata_are_counted_query_by_query(rows: list[tuple[int, int, int]]) -> None:
    rows.sort(key=lambda row: row[0])
    query, stratum, grade = (np.array([row[at] for row in rows], dtype=np.int32) for at in range(3))
    strata = Strata.of(query, stratum, grade.astype(np.float64))
    assert len(strata) == len({row[:2] for row in rows})
    for at, row in enumerate(rows):
        same = [other for other in rows if other[:2] == row[:2]]
        judged = [other for other in same if other[2] >= 0]
        which = strata.of_judgment[at]
        assert (strata.size[which], strata.judged[which]) == (len(same), len(judged))
        assert strata.chance[at] == len(judged) / len(same)


def sampled(stratum: list[bytes] | None = None, method: list[bytes] | None = None) -> Qrels:
    return Qrels(
        Strings.from_list([b"q2", b"q1", b"q2"]),
        Strings.from_list([b"a", b"b", b"c"]),
        np.array([1.0, 0.0, -1.0]),
        stratum=None if stratum is None else Strings.from_list(stratum),
        method=None if method is None else Strings.from_list(method),
        probability=None if method is None else np.array([0.25, 0.5, 0.75]),
    )


def test_strata_follow_their_judgments() -> None:
    qrels = sampled(stratum=[b"x", b"y", b"x"])
    chosen = qrels.only([b"q2"])
    for kept, expected in ((qrels, [b"y", b"x", b"x"]), (chosen, [b"x", b"x"])):
        assert kept.stratum is not None
        assert kept.stratum.tolist() == expected
        assert kept.to_columns().ids["stratum"].tolist() == expected
    assert qrels.inclusion.tolist() == [1.0, 0.5, 0.5]


def test_probabilities_count_before_strata_and_certain_methods_before_both() -> None:
    everything = [b"x", b"x", b"x"]
    assert sampled(stratum=everything, method=[b"1", b"1", b"4"]).inclusion.tolist() == [0.5, 0.25, 0.75]
    assert sampled(stratum=everything, method=[b"2", b"1", b"0"]).inclusion.tolist() == [0.5, 1.0, 1.0]


def test_without_strata_a_query_is_one() -> None:
    assert sampled().inclusion.tolist() == [1.0, 0.5, 0.5]
