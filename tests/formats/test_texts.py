"""Texts of topics and titles of documents."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest

from cranfield.errors import DataError, FormatError
from cranfield.formats.texts import read_texts


def texts(content: str) -> dict[str, str]:
    return read_texts(io.StringIO(content))


def test_lines_of_identifier_and_text() -> None:
    assert texts("q1\tquick  pasta \r\n\r\n301\ta\tb\n") == {"q1": "quick pasta", "301": "a b"}


def test_json_lines_in_several_spellings() -> None:
    content = '{"_id": "d1", "title": "Soup", "text": "Boil."}\n\n{"qid": 7, "query": "soup"}\n{"id": "x", "title": " ", "text": "t"}\n'
    assert texts(content) == {"d1": "Soup", "7": "soup", "x": "t"}


def test_trec_topics_closed_or_not() -> None:
    content = """
        <top>
        <num> Number: 301
        <title> International Organized Crime &amp; Law
        <desc> Description:
        Identify organizations.
        <narr> Narrative: all of it
        </top>
        <top><num>302</num><title>Topic: Poliomyelitis and
        Post-Polio</title></top>
        <top><num> Number: 303 <desc> Description: Hubble Telescope</top>
    """
    assert texts(content) == {
        "301": "International Organized Crime & Law",
        "302": "Poliomyelitis and Post-Polio",
        "303": "Hubble Telescope",
    }


def test_several_topics_on_a_line() -> None:
    content = (
        '<topics><topic number="1"><query>one</query></topic><topic number="2"><query>two</query></topic></topics>'
    )
    assert texts(content) == {"1": "one", "2": "two"}


def test_trec_documents() -> None:
    content = "<DOC>\n<DOCNO> FT911-3 </DOCNO>\n<HEADLINE>\nFT 14 MAY / Correction\n</HEADLINE>\n<TEXT>a < b</TEXT>\n</DOC>\n<DOC>\n<DOCNO>2</DOCNO>\n\n no title\n</DOC>\n"
    assert texts(content) == {"FT911-3": "FT 14 MAY / Correction", "2": "no title"}


def test_packed_and_only_what_is_wanted(tmp_path: Path) -> None:
    path = tmp_path / "titles.tsv.gz"
    path.write_bytes(gzip.compress(b"d1\tone\nd2\ttwo\nd2\ttwo again\n"))
    assert read_texts(path, wanted={"d1"}) == {"d1": "one"}
    assert read_texts(path, wanted={"d9"}) == {}


def test_a_folder_is_a_collection(tmp_path: Path) -> None:
    (tmp_path / "corpus.jsonl").write_text('{"_id": "d1", "title": "Soup", "text": "Boil."}\n')
    (tmp_path / "queries.jsonl").write_text('{"_id": "q1", "text": "hot soup"}\n')
    assert read_texts(tmp_path) == {"q1": "hot soup"}
    assert read_texts(tmp_path, part="documents") == {"d1": "Soup"}
    (tmp_path / "queries.jsonl").unlink()
    with pytest.raises(DataError, match=r"there are no topics in this folder\. Name the file"):
        read_texts(tmp_path)


@pytest.mark.parametrize(
    ("content", "error", "words"),
    [
        ("", DataError, "the file is empty"),
        ("q1\tone\nq2 two\n", FormatError, ":2: expected an identifier, a tab and a text, found 'q2 two'"),
        ("q1\tone\nq1\ttwo\n", DataError, "'q1' is there twice"),
        ('{"id": 1, "text": "a"}\n{"id": 2\n', FormatError, ":2: expected a JSON object on a line of its own"),
        ('{"name": 1, "text": "a"}\n', FormatError, "the object lacks an identifier"),
        ('{"id": 1, "body": 3}\n', DataError, "no identifier with a text is found in it"),
        ("<top>\n<title> one\n</top>\n", FormatError, ":1: the topic has no number"),
    ],
)
def test_what_cannot_be_read(content: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        texts(content)


@pytest.mark.real_data
def test_real_topics(real_data: Path) -> None:
    # Oracle: the files, read by eye: their number of topics, and the first and the last of them.
    covid = read_texts(real_data / "trec_covid_r1" / "topics.covid-round1.xml")
    assert (len(covid), covid["1"], covid["30"]) == (30, "coronavirus origin", "coronavirus remdesivir")
    deep = read_texts(real_data / "dl19" / "topics.dl19-passage.txt")
    assert (len(deep), deep["156493"]) == (43, "do goldfish grow")
    cacm = read_texts(real_data / "collections" / "cacm" / "topics.cacm.txt")
    assert len(cacm) == 64
    assert cacm["3"] == "Intermediate languages used in construction of multi-targeted compilers; TCOLL"
