"""The fast splitter against a line parser of a few lines of Python."""

from __future__ import annotations

import io

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cranfield.errors import FormatError
from cranfield.formats.files import Source
from cranfield.formats.lines import Layout, iter_blocks

FOUR = Layout(("a", "b", "c", "d"), lambda fields: None)
FOUR_OR_MORE = Layout(("a", "b", "c", "d"), lambda fields: None, more=True)
NUMBERED = Layout(("a", "n"), lambda fields: None if fields[1].isdigit() else f"{fields[1]!r} is no number")

Rows = list[tuple[int, list[bytes]]]

words = st.binary(min_size=1, max_size=12).map(lambda word: b"".join(word.split()).replace(b"\0", b"0") or b"#")
gaps = st.sampled_from([b" ", b"\t", b"  ", b" \t ", b"\x0b", b"\r"])
line_ends = st.sampled_from([b"\n", b"\r\n", b" \n", b"\n\n", b"\n  \n", b"\n# a comment\n", b"\n \t#x\n"])


@st.composite
def texts(draw: st.DrawFn) -> bytes:
    """Lines that are mostly regular, in blocks that are sometimes not."""
    tidy = draw(st.booleans())
    text = draw(st.sampled_from([b"", b"\n", b"# first\n"])) if not tidy else b""
    for _ in range(draw(st.integers(0, 12))):
        fields = draw(st.lists(words, min_size=4, max_size=4 if tidy else 6))
        gap = b" " if tidy else draw(gaps)
        text += gap.join(fields) + (b"\n" if tidy else draw(line_ends))
    return text[: -draw(st.integers(0, 1)) or None]


def parse_simply(text: bytes) -> Rows:
    """The same, written to be obviously right."""
    lines = [(number, line.split()) for number, line in enumerate(text.split(b"\n"), 1)]
    return [(number, fields) for number, fields in lines if fields and not fields[0].startswith(b"#")]


def as_source(text: bytes) -> Source:
    return Source("file", io.BufferedReader(io.BytesIO(text)))


def parse_in_blocks(text: bytes, layout: Layout, **options: object) -> Rows:
    rows: Rows = []
    for block in iter_blocks(as_source(text), layout, **options):  # type: ignore[arg-type]
        columns = [column.tolist() for column in block.columns]
        fields = [list(row) for row in zip(*columns, strict=True)]
        lines = block.lines().tolist()
        assert lines == [block.line_of(row) for row in range(len(block))]
        rows += zip(lines, fields, strict=True)
    return rows


@given(texts(), st.integers(1, 80))
@example(b"", 16)
@example(b"\n \n#\n", 16)
@example(b"a b c d", 1)
@example(b"a b c d\n" * 5 + b"a b c d e\n", 32)
def test_blocks_give_the_same_rows_as_lines_one_by_one(text: bytes, size: int) -> None:
    expected = [(number, fields[:4]) for number, fields in parse_simply(text)]
    assert parse_in_blocks(text, FOUR_OR_MORE, size=size) == expected


@given(texts(), st.integers(1, 80))
def test_whole_groups_change_nothing_but_the_blocks(text: bytes, size: int) -> None:
    expected = [(number, fields[:4]) for number, fields in parse_simply(text)]
    assert parse_in_blocks(text, FOUR_OR_MORE, size=size, whole_groups=True) == expected
    groups: list[bytes] = []
    for block in iter_blocks(as_source(text), FOUR_OR_MORE, size=size, whole_groups=True):
        assert not groups or groups[-1] != block.columns[0][0]
        groups += block.columns[0].tolist()


@given(texts(), st.integers(1, 80))
def test_the_first_line_that_is_wrong_is_named(text: bytes, size: int) -> None:
    wrong = [(number, len(fields)) for number, fields in parse_simply(text) if len(fields) != 4]
    if not wrong:
        parse_in_blocks(text, FOUR, size=size)
        return
    with pytest.raises(FormatError) as error:
        parse_in_blocks(text, FOUR, size=size)
    number, found = wrong[0]
    assert str(error.value) == f"file:{number}: expected 4 fields (a b c d), found {found}."


@given(texts(), st.integers(1, 80), st.booleans())
def test_all_lines_that_are_wrong_are_told_and_the_others_read(text: bytes, size: int, groups: bool) -> None:
    told: list[tuple[int, str]] = []
    rows = parse_in_blocks(
        text, FOUR, size=size, whole_groups=groups, on_problem=lambda kind, line, reason: told.append((line, kind))
    )
    lines = parse_simply(text)
    assert rows == [(number, fields) for number, fields in lines if len(fields) == 4]
    assert told == [(number, "fields") for number, fields in lines if len(fields) != 4]


def test_in_a_block_that_must_be_looked_at_numbers_are_checked_too() -> None:
    told: list[tuple[str, int, str]] = []
    text = b"a x\nb 1\nc\nd \0\ne 2\n"
    rows = parse_in_blocks(text, NUMBERED, on_problem=lambda *problem: told.append(problem))
    assert rows == [(2, [b"b", b"1"]), (5, [b"e", b"2"])]
    assert told == [
        ("number", 1, "b'x' is no number"),
        ("fields", 3, "expected 2 fields (a n), found 1. Is the n missing?"),
        ("nul", 4, "a NUL byte: this does not look like a text file"),
    ]


@given(texts(), st.integers(1, 40))
def test_only_so_many_bytes(text: bytes, size: int) -> None:
    stop = text.find(b"\n") + 1
    if stop:
        assert parse_in_blocks(text, FOUR_OR_MORE, stop=stop, size=size) == [
            (number, fields[:4]) for number, fields in parse_simply(text[:stop])
        ]


@pytest.mark.parametrize(
    ("head", "fits", "mostly", "counts"),
    [
        (b"a 1\n", True, True, True),
        (b"# x y z\n\n a 1\n", True, True, True),
        (b"a x\nb 2\nc 3\n", False, True, True),
        (b"a\nb 2\nc 3\n", False, True, False),
        (b"a 1 2\n", False, False, False),
        (b'{ "a": 1\n', False, False, False),
        (b"", False, False, False),
    ],
)
def test_whether_a_file_looks_like_it(head: bytes, fits: bool, mostly: bool, counts: bool) -> None:
    assert (NUMBERED.fits(head), NUMBERED.fits_mostly(head), NUMBERED.counts(head)) == (fits, mostly, counts)
