"""Documents in the format of SMART."""

from __future__ import annotations

import pytest

from cranfield.data.documents import Document
from tests.formats.documents.reading import fields, message, read

TWO = """.I 1
.T
18 Editions of the Dewey
Decimal Classifications
.A
Comaromi, J.P.
.A
Other, A.
.W
   The present study is
a history.
.X
1\t5\t1
92\t1\t1
.I 2
.T\x20
Use
.K
libraries
.B
Journal
.N
CA
"""


def test_fields_by_their_marks() -> None:
    assert read(TWO) == [
        Document(
            "1",
            {
                "title": "18 Editions of the Dewey\nDecimal Classifications",
                "author": "Comaromi, J.P.\nOther, A.",
                "text": "The present study is\na history.",
                "references": [[1, 5, 1], [92, 1, 1]],
            },
        ),
        Document("2", {"title": "Use", "keywords": "libraries", "source": "Journal", "note": "CA"}),
    ]


def test_marks_without_content_before_the_first_document_and_other_line_ends() -> None:
    assert read((".X\n" + TWO).replace("\n", "\r\n")) == read(TWO)


def test_a_mark_is_alone_on_its_line() -> None:
    assert fields(".I 1\n.W\n.NET is not a mark\n.Wx\n .T\n") == {"text": ".NET is not a mark\n.Wx\n .T"}


def test_a_document_may_be_empty() -> None:
    assert read(".I 1\n.T\n.W\n.I 2\n.W\nx") == [Document("1", {}), Document("2", {"text": "x"})]


def test_references_that_are_no_numbers_are_text() -> None:
    assert fields(".I 1\n.X\nsee 5\n") == {"references": "see 5"}


def test_a_number_with_much_white_space_behind_it_costs_no_more_than_its_length() -> None:
    """Where the cost grows with the square of the length this does not end."""
    assert [document.id for document in read(f".I 1 {' ' * 10**6}x{' ' * 10**6}\n.W\n")] == [f"1 {' ' * 10**6}x"]


@pytest.mark.parametrize("size", range(2**20 - 12, 2**20 + 3))
def test_marks_across_the_edge_of_what_is_read_at_once(size: int) -> None:
    content = ".I 1\n.W\n" + "x\n" * (size // 2) + "y" * (size % 2) + "\n.T\nt\n.I 2\n.W\nz\n"
    first, second = read(content)
    assert (first.fields["title"], second) == ("t", Document("2", {"text": "z"}))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (".I 1\n.W\nx\n.I\n.W\ny\n", "f:4: .I has no number behind it"),
        (".I 1\nwords\n.W\nx\n", "f:1: expected a mark such as .T or .W, found 'words' below .I"),
    ],
)
def test_what_is_wrong(content: str, expected: str) -> None:
    assert message(content) == expected


def test_text_before_the_first_document() -> None:
    assert message(".X\nwords\n.I 1\n", format="smart") == (
        "f:1: expected a mark such as .T or .W, found 'words' before the first .I"
    )
