"""Decimal numbers from bytes, a whole column at a time, rounded as `float()` would."""

from __future__ import annotations

import numpy as np

from cranfield.data.strings import WORD, Bools, Floats, Ints, Strings, Words

_ASCII_ZERO = np.uint64(0x3030303030303030)
_DOT = np.uint64(0x2E2E2E2E2E2E2E2E)
_ONES = np.uint64(0x0101010101010101)
_HIGH = np.uint64(0x8080808080808080)
_SIXES = np.uint64(0x0606060606060606)
_NIBBLES = np.uint64(0xF0F0F0F0F0F0F0F0)
_PAIRS = np.uint64(0x000000FF000000FF)
_FIRST = np.uint64(100 + (1000000 << 32))
_SECOND = np.uint64(1 + (10000 << 32))
_KEEP = np.array([(1 << (8 * n)) - 1 for n in range(9)], dtype=np.uint64)
_LEFT = np.array([64 - 8 * n for n in range(9)], dtype=np.uint64)
_TENS = np.array([10**n for n in range(20)], dtype=np.uint64)
_EXACT = np.uint64(1 << 53)
_EXACT_FRACTION = 8
_LONGEST_FRACTION = 16
_MOST_DIGITS = 19


def parse_numbers(field: Strings) -> tuple[Floats, Ints]:
    """The value of each field, and the rows that are not finite numbers.

    >>> parse_numbers(Strings.from_list([b"-0.5", b"12", b"1e3", b"x"]))
    (array([-5.0e-01,  1.2e+01,  1.0e+03,  0.0e+00]), array([3]))
    """
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        values, plain = _plain_decimals(field)
    unusual = np.flatnonzero(~plain)
    bad = []
    for row in unusual.tolist():
        value = parse_number(field[row])
        if value is None:
            bad.append(row)
        values[row] = 0.0 if value is None else value
    return values, np.array(bad, dtype=np.int64)


def parse_number(text: bytes) -> float | None:
    """One number, or None if it is not finite; what `parse_numbers` says of it too, but faster for a few."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if np.isfinite(value) and b"_" not in text else None


def _plain_decimals(field: Strings) -> tuple[Floats, Bools]:
    """Values of fields like -12.345: at most 8 digits before the point and 16 after; and which fields are such."""
    start, length = field.start, field.length
    word = field.word(0)
    negative = (word & np.uint64(0xFF)) == np.uint64(ord("-"))
    if negative.any():
        start, length = start + negative, length - negative
        word = Strings(field.data, start, length).word(0)
    point = _dot_position(word)
    has_point = point < WORD
    if has_point.all():
        whole_digits, fraction_digits = point, length - point - 1
    else:
        whole_digits = np.where(has_point, point, np.minimum(length, WORD))
        fraction_digits = np.where(has_point, length - point - 1, 0)
    plain = has_point | (length <= WORD)
    if int(fraction_digits.max(initial=0)) > _EXACT_FRACTION:
        plain &= (fraction_digits <= _LONGEST_FRACTION) & (whole_digits + fraction_digits <= _MOST_DIGITS)
        fraction_digits = np.where(plain, fraction_digits, 0)
    plain &= whole_digits + fraction_digits > 0
    mantissa, good = _digits(word, whole_digits)
    plain &= good
    fraction = Strings(field.data, start + whole_digits + has_point, fraction_digits)
    for j in range(fraction.words()):
        digits = np.clip(fraction_digits - WORD * j, 0, WORD)
        value, good = _digits(fraction.word(j), digits)
        mantissa = mantissa * _TENS[digits] + value
        plain &= good
    values = _scaled(mantissa, fraction_digits)
    if negative.any():
        values = np.where(negative, -values, values)
    return values, plain


def _dot_position(word: Words) -> Ints:
    """The place of the first '.' among the eight bytes, 8 if there is none."""
    x = word ^ _DOT
    found = (x - _ONES) & ~x & _HIGH
    below = (found & (~found + np.uint64(1))) - np.uint64(1)
    return (np.bitwise_count(below) >> np.uint8(3)).astype(np.int64)


def _digits(word: Words, count: Ints) -> tuple[Words, Bools]:
    """The first `count` bytes of each word read as a decimal number, and whether they are all digits."""
    keep = _KEEP[count]
    x = (word & keep) ^ (_ASCII_ZERO & keep)
    good = ((x | (x + _SIXES)) & _NIBBLES) == 0
    x = x << _LEFT[count]
    x = x * np.uint64(10) + (x >> np.uint64(8))
    value = ((x & _PAIRS) * _FIRST + ((x >> np.uint64(16)) & _PAIRS) * _SECOND) >> np.uint64(32)
    return value & np.uint64(0xFFFFFFFF), good


def _scaled(mantissa: Words, exponent: Ints) -> Floats:
    """mantissa / 10**exponent, correctly rounded.

    A mantissa below 2**53 and the power of ten are exact, so one division is right. Above it the quotient is
    corrected by its own remainder, worked out without rounding (Dekker's product).
    """
    scale = _TENS[exponent].astype(np.float64)
    values: Floats = mantissa.astype(np.float64) / scale
    wide = np.flatnonzero(mantissa > _EXACT)
    if len(wide):
        m, q, d = mantissa[wide], values[wide], scale[wide]
        high = m.astype(np.float64)
        low = (m - high.astype(np.uint64)).astype(np.int64).astype(np.float64)
        q_high, q_low = _halves(q)
        d_high, d_low = _halves(d)
        product = q * d
        error = ((q_high * d_high - product) + q_high * d_low + q_low * d_high) + q_low * d_low
        values[wide] = q + ((high - product) + (low - error)) / d
    return values


def _halves(x: Floats) -> tuple[Floats, Floats]:
    c = x * 134217729.0
    high = c - (c - x)
    return high, x - high
