"""Numbers from bytes against float()."""

from __future__ import annotations

import math
import struct

from hypothesis import example, given
from hypothesis import strategies as st

from cranfield.data.strings import Strings
from cranfield.formats.numbers import parse_number, parse_numbers

decimals = st.from_regex(rb"-?[0-9]{0,12}\.?[0-9]{0,22}", fullmatch=True)
written_by_python = st.floats().map(lambda value: repr(value).encode())
written_in_c = st.floats(-1e6, 1e6).map(lambda value: b"%.6f" % value)
with_exponents = st.from_regex(rb"[+-]?[0-9]{1,6}(\.[0-9]{0,6})?[eE][+-]?[0-9]{1,3}", fullmatch=True)
oddities = st.sampled_from(
    [
        b"nan",
        b"NaN",
        b"-inf",
        b"Infinity",
        b"1e400",
        b"1_000",
        b"0x10",
        b"--1",
        b"+1",
        b"+.5",
        b".",
        b"-",
        b"1.",
        b"-.5",
    ]
)
fields = st.one_of(decimals, written_by_python, written_in_c, with_exponents, oddities, st.binary(max_size=12))


def parse_simply(text: bytes) -> float | None:
    """float(), but for what it accepts and no file should hold: not finite, underscores."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and b"_" not in text else None


@given(st.lists(fields, max_size=30))
@example([b"9007199254740993", b"9007199254740992.5", b"0.1000000000000000055511151231257827"])
@example([b"99999999.9999999999999999", b"1.0000000000000002", b"123456.1234567890123"])
@example([b"18446744073709551616", b"1844674407370955.1616", b"-0", b"-0.0"])
def test_numbers_are_those_of_float(texts: list[bytes]) -> None:
    expected = [parse_simply(text) for text in texts]
    values, bad = parse_numbers(Strings.from_list(texts))
    assert bad.tolist() == [row for row, value in enumerate(expected) if value is None]
    assert [_bits(value) for value in values.tolist()] == [_bits(0.0 if value is None else value) for value in expected]
    assert [parse_number(text) for text in texts] == expected


def _bits(value: float) -> bytes:
    """So that 0.0 and -0.0 differ."""
    return struct.pack("d", value)


@given(st.lists(st.decimals(-(10**8), 10**8, places=7).map(lambda value: str(value).encode()), min_size=1))
def test_the_usual_scores(texts: list[bytes]) -> None:
    values, bad = parse_numbers(Strings.from_list(texts))
    assert values.tolist() == [float(text) for text in texts]
    assert not len(bad)
