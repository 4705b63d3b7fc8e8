"""Topics in every format: what is read, what is refused, what comes back after writing."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cranfield.data.topics import Topic, Topics
from cranfield.errors import DataError, UsageError
from cranfield.formats.topics import FORMATS, module, read_topics, write_topics

EXAMPLES = {
    "trec": "<top>\n<num> Number: 7\n<title> hot soup\n</top>\n",
    "toml": '[[topic]]\nid = "7"\ntitle = "hot soup"\n',
    "jsonl": '{"_id": "7", "text": "hot soup", "metadata": {}}\n',
    "smart": ".I 7\n.W\nhot\nsoup\n",
    "csv": "id,title\n7,hot soup\n",
    "tsv": "7\thot soup\n",
    "numbered": "   7   hot  soup \n",
}


def topics(content: str | bytes, format: str | None = None) -> dict[str, dict[str, Any]]:
    raw = content.encode() if isinstance(content, str) else content
    return {topic.id: dict(topic.fields) for topic in read_topics(io.BytesIO(raw), format=format).values()}


def test_every_format_has_an_example_here() -> None:
    assert set(EXAMPLES) == set(FORMATS)


@pytest.mark.parametrize("format", EXAMPLES)
def test_formats_are_recognised_by_content(format: str) -> None:
    found = read_topics(io.StringIO(EXAMPLES[format]))
    assert {name: topic.query() for name, topic in found.items()} == {"7": "hot soup"}
    assert topics(EXAMPLES[format], format) == topics(EXAMPLES[format])
    assert module(format).recognise(EXAMPLES[format].encode())
    assert format == module(format).NAME


def test_trec_fields_closed_or_not() -> None:
    # The topic of the notes (TREC 5, number 225) has no title, and its end tag is misspelt there.
    content = """
        <top>

        <num> Number: 225

        <desc> Description:

        What is the main function of the Federal Emergency Management Agency (FEMA) &amp; the
        funding level?

        </ton>
        <top>
        <num> Number: 051
        <dom> Domain: International Economics
        <title> Topic: Airbus Subsidies
        <desc> Description: one
        <smry> Summary: two
        <narr> Narrative: 3 < 4
        <con> Concept(s):
        1. Airbus
        <def> Definition(s):
        </top>
        <TOP><NUM>7</NUM><TITLE>Closed <i>at</i> once</TITLE>
        <!-- not a <title> --> <DESC>Described</DESC></TOP> and what is said behind it
    """
    assert topics(content) == {
        "225": {
            "description": "What is the main function of the Federal Emergency Management Agency (FEMA) & the "
            "funding level?"
        },
        "051": {
            "domain": "International Economics",
            "title": "Airbus Subsidies",
            "description": "one",
            "summary": "two",
            "narrative": "3 < 4",
            "concepts": "1. Airbus",
        },
        "7": {"title": "Closed at once", "description": "Described"},
    }


def test_topics_in_xml() -> None:
    content = (
        '<?xml version="1.0"?><!DOCTYPE topics [<!ENTITY bomb "bang">]>\n<topics>\n'
        '<topic number="1" type="faceted"><query>obama &bomb; &lt;tree&gt;</query>'
        '<description>Find it.</description><subtopic number="1" type="nav">first</subtopic>'
        '<subtopic number="2" type="inf">second</subtopic></topic><topic number="2"><query>two</query></topic></topics>'
    )
    assert topics(content) == {
        "1": {
            "type": "faceted",
            "query": "obama &bomb; <tree>",
            "description": "Find it.",
            "subtopic": ["first", "second"],
        },
        "2": {"query": "two"},
    }


def test_objects_and_tables_in_several_spellings() -> None:
    content = '{"qid": 7, "query": "soup"}\n\n{"_id": "x", "text": "t", "title": "", "metadata": {"year": 1962}}\n'
    assert topics(content) == {"7": {"query": "soup"}, "x": {"year": 1962, "text": "t"}}
    assert topics("Query_ID\ttitle\tdescription\n1\ta\t\n2\tb\tc\n") == {
        "1": {"title": "a"},
        "2": {"title": "b", "description": "c"},
    }
    assert topics('title,id\n"a, ""b""\nc",1\n') == {"1": {"title": 'a, "b"\nc'}}
    assert topics('q1\t"quick"  pasta \r\n\r\n301\ta\tb\n') == {"q1": {"text": '"quick" pasta'}, "301": {"text": "a b"}}
    assert topics('# ours\n[[topics]]\nid = 1\ntitle = "a"\nlanguages = ["de", "en"]\n') == {
        "1": {"title": "a", "languages": ["de", "en"]}
    }
    assert topics("20001:obama family\nwt09-2 :  french lick\n") == {
        "20001": {"text": "obama family"},
        "wt09-2": {"text": "french lick"},
    }


@pytest.mark.parametrize(
    "content",
    [
        "q1\tfifa cup 1998\n",
        "1\tgalaxy phone 9\n2\tgalaxy phone 8\n",
        "1\t0 degrees in 2000\n2\t0 d1 1\n",
        "1\ttop 5 phones 2 8 gb\n",
    ],
)
def test_queries_that_end_in_a_number_are_no_judgments(content: str) -> None:
    expected = dict(line.split("\t") for line in content.splitlines())
    assert {name: fields["text"] for name, fields in topics(content).items()} == expected


def test_what_looks_like_judgments_may_be_topics_after_all() -> None:
    assert topics("1\t0 d1 1\n", "tsv") == {"1": {"text": "0 d1 1"}}


def test_judgments_are_known_though_the_last_line_is_cut() -> None:
    with pytest.raises(DataError, match="this looks like judgments"):
        topics("".join(f"{topic} 0 document-{topic} 1\n" for topic in range(99_999)))


def test_a_topic_without_text() -> None:
    found = read_topics(io.StringIO("q1\t\nq2\tfoo\n"))
    assert dict(found["q2"].fields) == {"text": "foo"}
    with pytest.raises(DataError, match="topic q1 has no text"):
        found.queries()


LATIN = {
    "trec": "<top>\n<num> 7\n<title> caf\u00e9\n</top>\n",
    "toml": '[[topic]]\nid = "7"\ntitle = "café"\n',
    "jsonl": '{"_id": "7", "text": "café"}\n',
    "smart": ".I 7\n.W\ncafé\n",
    "csv": "id,title\n7,café\n",
    "tsv": "7\tcafé\n",
    "numbered": "7 café\n",
}
AT = {
    "trec": (3, 12),
    "toml": (3, 13),
    "jsonl": (1, 26),
    "smart": (3, 4),
    "csv": (2, 6),
    "tsv": (1, 6),
    "numbered": (1, 6),
}


@pytest.mark.parametrize("format", FORMATS)
def test_what_is_not_utf8_is_an_error_unless_the_encoding_is_named(format: str, tmp_path: Path) -> None:
    path = tmp_path / "topics"
    path.write_bytes(LATIN[format].encode("latin-1"))
    line, column = AT[format]
    with pytest.raises(DataError, match=rf"topics:{line}: byte 0xE9, the {column}\. of the line, is not UTF-8"):
        read_topics(path)
    for encoding in ("latin-1", "utf-16"):
        path.write_bytes(LATIN[format].encode(encoding))
        assert read_topics(path, encoding=encoding)["7"].query() == "café"
        assert read_topics(path, encoding=encoding, format=format)["7"].query() == "café"


def test_a_file_may_say_which_encoding_it_is_in() -> None:
    content = '<?xml version="1.0" encoding="ISO-8859-1"?>\n<topics><topic number="1">café</topic></topics>'
    assert topics(content.encode("latin-1")) == {"1": {"text": "café"}}


@pytest.mark.parametrize("format", FORMATS)
def test_a_byte_order_mark_is_no_text(format: str) -> None:
    assert topics(b"\xef\xbb\xbf" + EXAMPLES[format].encode(), format) == topics(EXAMPLES[format])


def test_smart_queries() -> None:
    content = (
        ".I 1\r\n.T \r\nA title\r\n.A\r\nBrookes, B.C.\r\n.W\r\nfirst line\r\nsecond .\r\n\r\n.I 002\r\n.W\r\nb\r\n"
    )
    found = topics(content)
    assert set(found) == {"1", "002"}
    assert found["1"]["title"] == "A title"
    assert found["1"]["text"].split() == ["first", "line", "second", "."]
    assert found["002"] == {"text": "b"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "f: the file is empty; expected topics"),
        (
            "1 0 d1 1\n2 0 d2 0\n",
            "f: this looks like judgments, not like topics. If these are topics, name their format, such as "
            "--topics-format tsv (in cranfield.toml topics_format = \"tsv\" in [reading], in Python format='tsv').",
        ),
        ("1 Q0 d1 1 0.5 x\n", "f: this looks like a run, not like topics"),
        (
            "soup\nbread\n",
            "f: these are topics in no format known here; the file begins with 'soup'. Expected one of: ",
        ),
        ("q1\tone\nq2 two\n", "f:2: expected an identifier, a tab and a text, found 'q2 two'"),
        ("q1\tone\nq1\ttwo\n", "f:2: topic 'q1' is there twice (first at line 1). Keep one of them."),
        ("1 one\n2 two\n" * 9999 + "three\n", "f:3: topic '1' is there twice (first at line 1)"),
        ('{"id": 1}\n{"id": 2\n', "f:2: expected a JSON object on a line of its own"),
        ('{"id": 1}\n[1]\n', "f:2: expected a JSON object on a line of its own"),
        ('{"name": 1, "text": "a"}\n', "f:1: the object lacks an identifier (_id, id, "),
        ('{"id": null, "text": "a"}\n', "f:1: the object lacks an identifier"),
        ('{"id": " ", "text": "a"}\n', "f:1: the object lacks an identifier"),
        ("<top>\n<title> one\n</top>\n", "f:1: the topic has no number (<num>, <docno>, number=...)"),
        ("\n<top>\n<num> seven of nine\n<title> x\n", "f:2: the topic's number is 'seven of nine', which is no number"),
        ("[[topic]]\nid = \n", "f: this is no TOML: Invalid value (at line 2, column 6)"),
        ('[[topic]]\nid = 1\n\n[[topic]]\ntitle = "a"\n', "f:4: the topic has no id (_id, id, "),
        ("id,title\n1,a\n2\n", "f:3: expected 2 cells (id, title), found 1"),
        ('id,title\n1,"a\n', "f:2: unexpected end of data"),
        ("id,title\n,a\n", "f:2: the identifier is missing"),
        ("id\ttitle\n\ta\n", "f:2: the identifier is missing"),
        ("<topics></topics>", "f: these are topics in no format known here"),
        ("id,title\n", "f: there is no topic in it"),
    ],
)
def test_what_cannot_be_read(content: str | bytes, message: str) -> None:
    file = io.BytesIO(content.encode() if isinstance(content, str) else content)
    file.name = "f"
    with pytest.raises(DataError) as error:
        read_topics(file)
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


def test_wrong_usage(tmp_path: Path) -> None:
    some = Topics([Topic("1", {"title": "a", "description": "b"})])
    with pytest.raises(UsageError, match=r"unknown topics format 'trek'. Did you mean trec"):
        write_topics(some, tmp_path / "t", format="trek")
    with pytest.raises(UsageError, match=r"topics are not written in the format 'smart'. There are: toml, jsonl, trec"):
        write_topics(some, tmp_path / "t", format="smart")
    with pytest.raises(UsageError, match="there is no such file"):
        read_topics(tmp_path / "t")
    with pytest.raises(DataError, match="topic 1 has the fields title, description; a line has room for one text"):
        write_topics(some, tmp_path / "t.tsv")
    with pytest.raises(DataError, match="topic 1 has a field 'id', which in a file would be its identifier"):
        write_topics(Topics([Topic("1", {"id": "2"})]), tmp_path / "t.jsonl")
    with pytest.raises(DataError, match=r"topic 1 has a value that is no text: 3. Write jsonl instead."):
        write_topics(Topics([Topic("1", {"year": 3})]), tmp_path / "t.trec")
    with pytest.raises(DataError, match="topic 1 has a year that is no text"):
        write_topics(Topics([Topic("1", {"year": 3})]), tmp_path / "t.csv")
    with pytest.raises(DataError, match=r"topic 1 has a value that TOML cannot hold: \{'a': 1}"):
        write_topics(Topics([Topic("1", {"year": {"a": 1}})]), tmp_path / "t.toml")
    assert list(tmp_path.iterdir()) == []


anything = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\0"), min_size=1, max_size=20)
plain = anything.map(lambda text: " ".join(text.split())).filter(bool)
identifiers = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,6}", fullmatch=True)
names = st.sampled_from(["title", "description", "narrative", "query", "question", "concepts"])


def some_topics(texts: st.SearchStrategy[Any], *, fields: int) -> st.SearchStrategy[Topics]:
    each = st.dictionaries(names, texts, min_size=1, max_size=fields)
    return st.dictionaries(identifiers, each, min_size=1, max_size=5).map(
        lambda found: Topics(Topic(name, fields) for name, fields in found.items())
    )


VALUES = {
    "jsonl": st.one_of(anything, st.integers(), st.booleans(), st.lists(anything, min_size=1, max_size=2)),
    "toml": st.one_of(anything, st.integers(-(2**63), 2**63 - 1), st.booleans(), st.floats(allow_nan=False)),
    "csv": anything.map(str.strip).filter(bool),
    "trec": plain,
}


@pytest.mark.parametrize("format", VALUES)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_round_trips(tmp_path: Path, format: str, data: st.DataObject) -> None:
    written = data.draw(some_topics(VALUES[format], fields=4))
    write_topics(written, tmp_path / "topics.gz", format=format)
    back = read_topics(tmp_path / "topics.gz", format=format)
    assert list(back.values()) == list(written.values())
    assert back.sha256 == written.sha256


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_round_trip_of_lines_with_one_text(tmp_path: Path, data: st.DataObject) -> None:
    written = data.draw(some_topics(plain, fields=1))
    write_topics(written, tmp_path / "topics.tsv")
    back = read_topics(tmp_path / "topics.tsv", format="tsv")
    assert back.queries(["text"]) == {topic.id: topic.query(list(topic.fields)) for topic in written.values()}


def test_the_name_of_the_file_asks_for_a_format(tmp_path: Path) -> None:
    some = Topics([Topic("1", {"title": "a"})])
    for name, begin in (
        ("t.jsonl", b'{"_id": "1"'),
        ("t.toml", b"[[topic]]"),
        ("t.csv", b"id,title"),
        ("t.tsv", b"1\ta"),
        ("t.txt", b"<top>"),
    ):
        write_topics(some, tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(begin)


@pytest.mark.real_data
def test_real_topics(real_data: Path) -> None:
    # Oracle: the files, read by eye: their number of topics, and the first and the last of them.
    covid = read_topics(real_data / "trec_covid_r1" / "topics.covid-round1.xml")
    assert covid.field_names == ("query", "question", "narrative")
    assert (len(covid), covid["1"].query(), covid["30"].query()) == (30, "coronavirus origin", "coronavirus remdesivir")
    assert covid["1"].query(["question"]) == "what is the origin of COVID-19"
    deep = read_topics(real_data / "dl19" / "topics.dl19-passage.txt")
    assert (len(deep), deep["156493"].query()) == (43, "do goldfish grow")
    collections = real_data / "collections"
    cacm = read_topics(collections / "cacm" / "topics.cacm.txt")
    assert len(cacm) == 64
    assert cacm["3"].query() == "Intermediate languages used in construction of multi-targeted compilers; TCOLL"
    time = read_topics(collections / "time" / "preguntas_TIME.txt")
    assert (len(time), next(iter(time)), list(time)[-1]) == (83, "1", "83")
    assert time["23"].query() == "WHAT COUNTRIES HAVE NEWLY JOINED THE UNITED NATIONS ."
    cranfield = read_topics(collections / "cranfield" / "cran.qry")
    assert (len(cranfield), list(cranfield)[:3], list(cranfield)[-1]) == (225, ["001", "002", "004"], "365")
    cisi = read_topics(collections / "cisi" / "CISI.QRY")
    assert (len(cisi), list(cisi)[-1]) == (112, "112")
    assert cisi["3"].query() == "What is information science? Give definitions where possible."
