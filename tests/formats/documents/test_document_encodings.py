"""Bytes that are not UTF-8."""

from __future__ import annotations

import pytest

from tests.formats.documents.reading import fields, message, read

ADVICE = (
    'If it is in another encoding, name that (--encoding latin-1; in a workspace encoding = "latin-1" in [reading]; '
    "in Python encoding='latin-1'), or convert it (iconv)."
)
SMALL = {
    "jsonl": '{"id": "0"}\n{"id": "1", "text": "café"}\n',
    "tsv": "0\t\n1\tcafé\n",
    "csv": 'id,text\n1,"a\ncafé"\n',
    "trec": "<DOC><DOCNO>1</DOCNO>\n<TEXT>caf\u00e9</TEXT></DOC>",
    "smart": ".I 1\n.W\ncafé\n",
    "html": "<html>\n<p>café</html>",
    "text": "one\ncafé",
}
AT = {"jsonl": (2, 25), "tsv": (2, 6), "csv": (3, 4), "trec": (2, 10), "smart": (3, 4), "html": (2, 7), "text": (2, 4)}


@pytest.mark.parametrize("format", SMALL)
def test_what_is_not_utf8_is_an_error_that_says_where(format: str) -> None:
    line, column = AT[format]
    content = SMALL[format].encode("latin-1")
    assert message(content, format=format) == (
        f"f:{line}: byte 0xE9, the {column}. of the line, is not UTF-8. {ADVICE}"
    )


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-16", "utf-16-le", "utf-8-sig", "UTF8", "utf-32"])
@pytest.mark.parametrize("format", SMALL)
def test_every_format_in_every_encoding(format: str, encoding: str) -> None:
    documents = read(SMALL[format].encode(encoding), encoding=encoding, format=None if format != "text" else "text")
    assert "café" in documents[-1].text()
    assert documents == read(SMALL[format], format=format)


def test_the_format_is_recognised_whatever_the_encoding() -> None:
    assert message('{"id": "1", "text": "café"}\n'.encode("latin-1")) == (
        f"f:1: byte 0xE9, the 25. of the line, is not UTF-8. {ADVICE}"
    )


def test_a_byte_order_mark_is_no_text() -> None:
    assert [document.id for document in read("\ufeffd1\tx\n")] == ["d1"]


@pytest.mark.parametrize(
    "content",
    [
        '<?xml version="1.0" encoding="ISO-8859-1"?>\n<DOC><DOCNO>1</DOCNO><TEXT>café</TEXT></DOC>',
        "<html><head><meta charset=iso-8859-1></head>café</html>",
        '<html><meta http-equiv="Content-Type" content="text/html; charset=ISO-8859-1">café</html>',
    ],
)
def test_a_file_may_say_which_encoding_it_is_in(content: str) -> None:
    assert fields(content.encode("latin-1"))["text"] == "café"
    assert fields(content.encode(), encoding="utf-8")["text"] == "café"


def test_encodings_that_are_not_known() -> None:
    assert message("d1\tx", encoding="latin-11") == (
        "encoding='latin-11': there is no such encoding. Did you mean latin-1?"
    )
    assert message("d1\tx", encoding="rot13") == "encoding='rot13': there is no such encoding."
    assert message("d1\tx", encoding="base64").startswith("encoding='base64': there is no such encoding.")
    assert message('<?xml version="1.0" encoding="klingon"?><DOC><DOCNO>1</DOCNO></DOC>') == (
        f"f:1: the file says that it is in the encoding 'klingon', which is not known. {ADVICE}"
    )


def test_the_wrong_encoding() -> None:
    assert message(b"d1\tx\nd2\t\x81\n", encoding="cp1252") == (
        "f:2: byte 0x81 is not cp1252. Name the encoding that the file is in."
    )
    assert message("d1\tx\nd2\té\n", encoding="ascii") == (
        "f:2: byte 0xC3 is not ascii. Name the encoding that the file is in."
    )
    assert message("d1\tx\n".encode("utf-16-le")[:-1], encoding="utf-16-le") == (
        "f:1: byte 0x0A is not utf-16-le. Name the encoding that the file is in."
    )


def test_sixteen_bits_that_are_not_announced() -> None:
    assert message("d1\tx\n".encode("utf-16")) == (
        "f: this is UTF-16 text. Convert it to UTF-8 first (iconv -f UTF-16); documents and topics can also be read as they "
        "are (--encoding utf-16)."
    )
