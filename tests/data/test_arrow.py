"""Columns to Arrow and back."""

from __future__ import annotations

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from cranfield.data.arrow import identifiers_from_arrow, identifiers_to_arrow
from cranfield.data.strings import Strings
from cranfield.data.values import in_row


@given(st.lists(st.binary(max_size=20)))
def test_any_bytes_there_and_back(items: list[bytes]) -> None:
    array = identifiers_to_arrow(Strings.from_list(items))
    assert identifiers_from_arrow(array, "doc_id", in_row("t")).tolist() == items
    if all(_is_utf8(item) for item in items):
        assert array.type == pa.large_string()
        assert array.to_pylist() == [item.decode() for item in items]


def _is_utf8(item: bytes) -> bool:
    try:
        item.decode()
    except UnicodeDecodeError:
        return False
    return True
