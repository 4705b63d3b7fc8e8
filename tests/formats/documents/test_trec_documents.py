"""Documents between tags."""

from __future__ import annotations

import pytest

from cranfield.data.documents import Document
from tests.formats.documents.reading import fields, message, read
from tests.formats.test_fuzz import failure

NEWSWIRE = """<DOC>
<DOCNO> AP880212-0001 </DOCNO>
<FILEID>AP-NR-02-12-88 2344EST</FILEID>
<FIRST>u i AM-Vietnam-Amnesty</FIRST>
<HEAD>Reports Former Saigon Officials Released from Re-education Camp</HEAD>
<DATELINE>BANGKOK, Thailand (AP) </DATELINE>
<TEXT>
   More than 150 former officers of the overthrown
South Vietnamese government were released.
</TEXT>
</DOC>
<doc>
<docno>AP880212-0002</docno>
<head>First</head>
<head>Second</head>
<text>Small letters.</text>
</doc>
"""


def test_fields_by_their_tags_in_small_letters() -> None:
    first, second = read(NEWSWIRE)
    assert first.id == "AP880212-0001"
    assert list(first.fields) == ["fileid", "first", "head", "dateline", "text"]
    assert first.fields["text"] == (
        "More than 150 former officers of the overthrown\nSouth Vietnamese government were released."
    )
    assert second == Document("AP880212-0002", {"head": "First\nSecond", "text": "Small letters."})


def test_tags_within_a_field_leave_its_text() -> None:
    content = "<DOC><DOCNO>1</DOCNO><TEXT><P>One H<SUB>2</SUB>O</P><F P=106>two</F><!-- not this --></TEXT></DOC>"
    assert fields(content) == {"text": "One H2O\n\ntwo"}


def test_fields_that_are_never_closed_end_at_the_next() -> None:
    content = "<DOC>\n<DOCNO>1\n<TITLE>Rain\n<AUTHOR>Ann\n<TEXT>It rains.\n<P>And pours.\n</DOC>\n"
    assert fields(content) == {"title": "Rain", "author": "Ann", "text": "It rains.\n\nAnd pours."}


def test_documents_that_are_never_closed_end_at_the_next() -> None:
    documents = read("<DOC><DOCNO>1</DOCNO>one\n<DOC>\n<DOCNO>2</DOCNO>two\n")
    assert documents == [Document("1", {"text": "one"}), Document("2", {"text": "two"})]


def test_text_outside_of_fields_is_text() -> None:
    content = "<DOC><DOCNO>1</DOCNO>before <TITLE>t</TITLE> after <TEXT>within</TEXT></DOC>"
    assert fields(content) == {"title": "t", "text": "within\nbefore  after"}


def test_characters_are_understood_and_no_other_entities() -> None:
    content = (
        '<?xml version="1.0"?>\n<!DOCTYPE docs [\n<!ENTITY a "aaaa">\n<!ENTITY b "&a;&a;">\n'
        '<!ENTITY c SYSTEM "file:///etc/passwd">\n]>\n'
        "<docs><doc><docno>1</docno><text>&b;&c; AT&T &lt;b&gt; &amp;amp; &#233;&#xe9;&eacute; &hyph; &notit;</text></doc></docs>"
    )
    assert fields(content) == {"text": "&b;&c; AT&T <b> &amp; ééé &hyph; &notit;"}


def test_sections_of_characters_are_taken_as_they_are() -> None:
    content = "<doc><docno>1</docno><text><![CDATA[a < b & <i>c</i> &amp;]]></text></doc>"
    assert fields(content) == {"text": "a < b & <i>c</i> &amp;"}


def test_attributes_are_fields_and_can_name_the_document() -> None:
    content = "<doc id='12' url=\"http://a/?x=1&amp;y\" title=Soup>\nSoup\n\nBoil.\n</doc>"
    assert read(content) == [Document("12", {"url": "http://a/?x=1&y", "title": "Soup", "text": "Soup\n\nBoil."})]


@pytest.mark.parametrize("page", ["<html><title>T</title><p>Boil", "<!DOCTYPE html>\n<title>T</title>Boil</html>"])
def test_a_page_within_a_document(page: str) -> None:
    content = f"<DOC>\n<DOCNO>G1</DOCNO>\n<DOCHDR>\nhttp://a/\n</DOCHDR>\n{page}<script>if (a<b) x()</script>\n</DOC>"
    assert fields(content) == {"dochdr": "http://a/", "title": "T", "text": "Boil"}


def test_a_tag_over_several_lines_and_line_ends_of_other_systems() -> None:
    content = '<doc\r\n  id="1"\r\n>\r\n<text>one\r\ntwo</text>\r\n</doc>\r\n<doc\r\nid="2">three</doc>\r\n'
    assert read(content) == [Document("1", {"text": "one\ntwo"}), Document("2", {"text": "three"})]


def test_a_document_that_ends_far_from_where_it_begins() -> None:
    long = "word " * 700_000
    content = f"<DOC><DOCNO>1</DOCNO><TEXT>{long}</TEXT></DOC>\n<DOC><DOCNO>2</DOCNO></DOC>\n"
    assert [(document.id, len(document.text())) for document in read(content)] == [("1", len(long) - 1), ("2", 0)]


@pytest.mark.parametrize("size", range(2**20 - 40, 2**20 + 4))
def test_tags_across_the_edge_of_what_is_read_at_once(size: int) -> None:
    head = "<DOC><DOCNO>1</DOCNO>"
    content = head + "x" * (size - len(head)) + '</DOC>\n<DOC\nid="2"\n>\ny</DOC>\n'
    first, second = read(content)
    assert (first.id, len(first.text()), second) == ("1", size - len(head), Document("2", {"text": "y"}))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("<DOC>\n<TEXT>x</TEXT></DOC>", "f:1: this document has no <DOCNO>, or an empty one"),
        ("\n<DOC><DOCNO> </DOCNO></DOC>", "f:2: this document has no <DOCNO>, or an empty one"),
        (
            "<DOC><DOCNO>1</DOCNO>\n<DOCNO>2</DOCNO></DOC>",
            "f:1: this document has two <DOCNO>; the first is '1'",
        ),
        (
            "<DOC><DOCNO>1</DOCNO></DOC>\n<DOC>\n<DOCNO>2</DOCNO>\n<DOC><DOCNO>3</DOCNO></DOC>",
            "f:2: this document has no </DOC> before the next begins at line 4",
        ),
        (
            "<DOC><DOCNO>1</DOCNO></DOC>\n\n<DOC><DOCNO>2</DOCNO>\n<TEXT>It w",
            "f:3: this document has no </DOC> before the file ends. Is it cut short?",
        ),
        (
            "<DOC><DOCNO>1</DOCNO></DOC>\n lost words\n<DOC><DOCNO>2</DOCNO></DOC>",
            "f:1: expected <DOC>, found 'lost words' between documents",
        ),
    ],
)
def test_what_is_wrong(content: str, expected: str) -> None:
    assert message(content) == expected


def test_a_file_that_is_called_trec_and_holds_no_document() -> None:
    assert message("<docs>\n</docs>\n", format="trec") == "f: there is no document in it"


@pytest.mark.parametrize(
    "part", ["<doc ", "</doc ", "<doc a", "<", "<!DOCTYPE [", "<!--", "</dochdr ", "<text>", "a=' "]
)
def test_damage_repeated_a_hundred_thousand_times_costs_no_more_than_text(part: str) -> None:
    """Where the cost grows with the square of the text this does not end."""
    content = f"<DOC {part * 100_000}><DOCNO>1</DOCNO>{part * 100_000}</DOC>{part * 100_000}"
    for begin in (content, f"<DOC><DOCNO>1</DOCNO>{part * 100_000}"):
        problem = failure(read, begin, format="trec")
        assert problem is None or str(problem).startswith("f:1: ")
