"""Columns of byte strings against Python's own lists, sets and sorting."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cranfield.data.strings import Strings, concatenate, decode, encode, group_heads, number, repeated_pairs

any_bytes = st.binary(max_size=30)
# Few distinct strings of which many share their first eight bytes, so that words beyond the first decide.
similar = st.builds(lambda head, tail: head + tail, st.sampled_from([b"", b"12345678", b"12345678" * 2]), any_bytes)
columns = st.lists(similar, max_size=40)


def without_nul(items: list[bytes]) -> list[bytes]:
    """Files cannot hold NUL bytes; comparing word by word takes them for the end of a string."""
    return [item.replace(b"\0", b"0") for item in items]


@given(columns)
def test_a_column_gives_back_its_strings(items: list[bytes]) -> None:
    column = Strings.from_list(items)
    assert column.tolist() == items
    assert [column[row] for row in range(len(column))] == items
    assert column.compact().tolist() == items


@given(columns, st.data())
def test_take_chooses_rows(items: list[bytes], data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.integers(0, len(items) - 1), max_size=60)) if items else []
    taken = Strings.from_list(items).take(np.array(rows, dtype=np.int64))
    assert taken.tolist() == [items[row] for row in rows]
    own = taken.compact()
    assert own.data.tobytes() == b"".join(taken.tolist()) + bytes(8)
    assert own.tolist() == taken.tolist()


@given(
    st.lists(st.tuples(st.binary(max_size=20).map(lambda b: b.replace(b"\0", b"x")), st.integers(1, 9)), max_size=60)
)
def test_detached_columns_hold_the_same(groups: list[tuple[bytes, int]]) -> None:
    items = [item for item, times in groups for _ in range(times)]
    column = Strings.from_list([b"before", *items]).take(slice(1, None))
    own = column.detached()
    assert own.tolist() == items
    assert not np.shares_memory(own.data, column.data)
    assert concatenate([own, own]).tolist() == items * 2


@given(columns, columns)
def test_hashes_agree_exactly_where_strings_do(one: list[bytes], other: list[bytes]) -> None:
    hashes = Strings.from_list(one + other).hash64().tolist()
    assert len(set(hashes)) == len({*one, *other})
    # The same string has the same hash whatever stands beside it.
    assert Strings.from_list(other).hash64().tolist() == hashes[len(one) :]


@given(st.lists(st.tuples(similar, similar), max_size=30))
def test_equal(pairs: list[tuple[bytes, bytes]]) -> None:
    left = Strings.from_list([one for one, _ in pairs])
    right = Strings.from_list([other for _, other in pairs])
    assert left.equal(right).tolist() == [one == other for one, other in pairs]


@given(columns)
def test_number_is_the_place_among_the_sorted_distinct_strings(items: list[bytes]) -> None:
    ids, codes = number(Strings.from_list(items))
    assert ids == sorted(set(items))
    assert [ids[code] for code in codes.tolist()] == items


@given(columns)
def test_sort_keys_order_as_bytes_do(items: list[bytes]) -> None:
    items = without_nul(items)
    keys = Strings.from_list(items).sort_keys()
    order = np.lexsort(list(reversed(keys))) if keys else np.arange(len(items))
    assert [items[row] for row in order.tolist()] == sorted(items)


@given(columns)
def test_group_heads_begin_runs_of_equal_strings(items: list[bytes]) -> None:
    expected = [row for row in range(len(items)) if row == 0 or items[row] != items[row - 1]]
    assert group_heads(Strings.from_list(items)).tolist() == expected


@given(st.lists(columns, max_size=4))
def test_concatenate(parts: list[list[bytes]]) -> None:
    joined = concatenate(Strings.from_list(part) for part in parts)
    assert joined.tolist() == [item for part in parts for item in part]


@given(st.lists(st.tuples(st.integers(0, 3), similar), max_size=60))
def test_repeated_pairs_finds_the_first_repetition(pairs: list[tuple[int, bytes]]) -> None:
    seen: dict[tuple[int, bytes], int] = {}
    expected = None
    for row, pair in enumerate(pairs):
        if pair in seen:
            expected = (seen[pair], row)
            break
        seen[pair] = row
    strings = Strings.from_list([text for _, text in pairs])
    code = np.array([code for code, _ in pairs], dtype=np.int32)
    assert repeated_pairs(code, strings, strings.hash64()) == expected


@given(any_bytes)
def test_any_bytes_survive_being_text(identifier: bytes) -> None:
    assert encode(decode(identifier)) == identifier
