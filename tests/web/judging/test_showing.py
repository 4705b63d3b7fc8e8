"""What the browser gets: clean, and blind."""

from __future__ import annotations

import re
from html import escape, unescape

import pytest
from hypothesis import given
from hypothesis.strategies import lists, sampled_from, text

from cranfield.web.judging.markup import only_markup
from cranfield.web.judging.showing import clean_html, shown_document, words_to_mark
from cranfield.web.projects.models import Document

HARMFUL = [
    "<script>alert(1)</script>",
    "<p><img src=x onerror=alert(1)></p>",
    "<svg/onload=alert(1)><p>x</p>",
    '<p style="position:fixed">x</p>',
    '<a href="javascript:alert(1)">x</a>',
    "<style>*{display:none}</style><p>x</p>",
    '<iframe src="https://example.org"></iframe><p>x</p>',
    '<p><form action="/logout"><input type=submit></form></p>',
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    "<!--><img src=x onerror=alert(1)>-->",
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
]


@pytest.mark.parametrize("document", HARMFUL)
def test_markup_can_do_nothing(document: str) -> None:
    cleaned = clean_html(document)
    assert not re.search(r"<[^>]*[=:]", cleaned)
    assert not re.search(r"<\s*/?\s*(script|style|svg|img|iframe|form|input|a|math|noscript)\b", cleaned, re.I)


@given(
    lists(
        sampled_from(["<", ">", "p", "script", "svg", " onload=", "'", '"', "/", "!--", "-->", "x", "\n\n"]),
        max_size=25,
    )
)
def test_nor_can_anything_that_resembles_it(parts: list[str]) -> None:
    cleaned = clean_html("".join(parts))
    assert set(re.findall(r"<[^>]*>", cleaned)) <= {"<p>", "</p>"}


@given(text())
def test_plain_text_is_kept_word_by_word(plain: str) -> None:
    """The oracle: what an HTML parser makes of it again, the paragraphs put together."""
    if "<" not in plain:
        shown = unescape(re.sub(r"</?p>", "", clean_html(plain)))
        assert re.sub(r"\s", "", shown) == re.sub(r"\s", "", plain)


def test_text_that_only_looks_like_markup_stays_whole() -> None:
    assert clean_html("x<y and y>z, vector<int>") == "<p>x&lt;y and y&gt;z, vector&lt;int&gt;</p>"


ALTERED = (
    "if a <b and c> d then stop; x <i for all i> y",
    "Map<String, List<p>> is a <table of contents> by <ann@example.org>",
    "the <b> element and the <i> element",
    "5 <! 6 > 4, </3, <s>, <text>",
)


@pytest.mark.parametrize("plain", ALTERED)
def test_no_word_of_plain_text_is_lost_or_made_bold(plain: str) -> None:
    assert clean_html(plain) == f"<p>{escape(plain, quote=False)}</p>"


@pytest.mark.parametrize("plain", ALTERED)
def test_nor_of_such_text_within_html(plain: str) -> None:
    shown = clean_html(f"<h1>Soup</h1><p>Boil <em>it</em><br>well.</p><ul><li>Salt</li></ul><div>{plain}</div>")
    inside = shown[shown.index("<div>") + len("<div>") : shown.rindex("</div>")]
    # A <p> needs no end, and is one here.
    assert unescape(inside.replace("<p>", "").replace("</p>", "")) == plain.replace("<p>", "")


@pytest.mark.parametrize(
    ("html", "shown"),
    [
        ("A <b>hot</b> soup", "A <b>hot</b> soup"),
        ("<p>one<p>two", "<p>one</p><p>two</p>"),
        ("one<br>two", "one<br>two"),
        ("<DOC><TEXT>Boil it.</TEXT></DOC>", "Boil it."),
        ("<!DOCTYPE html><html hidden><body class=x>Boil <!-- not --> it.</body></html>", "Boil  it."),
        ("<TABLE><TR><TD nowrap>1<TD>2</TABLE>", "<table><tbody><tr><td>1</td><td>2</td></tr></tbody></table>"),
    ],
)
def test_html_keeps_its_structure(html: str, shown: str) -> None:
    assert clean_html(html) == shown


@pytest.mark.parametrize("piece", ["<!--", "<a b='", "<b>", "<", "<a x=1 "])
def test_a_long_text_takes_no_long_time(piece: str) -> None:
    """What takes longer with the square of its length would not come to an end."""
    assert only_markup(piece * (300_000 // len(piece))) is None


def test_names_and_numbers_are_words_too() -> None:
    assert words_to_mark("C++ R&D 3.5 x") == ["c++", "r&d", "3.5", "x"]
    assert words_to_mark("the soup's e-mail: l'eau, C#, a U.S. plan B") == ["soup", "mail", "eau", "c#", "plan", "b"]


def test_lists_are_read_without_the_signs_of_a_program() -> None:
    document = Document(name="d1", text="", fields={"authors": ["Ann", "Bob"], "size": {"cm": 3}, "items": 2})
    assert shown_document(document)["fields"] == [["authors", "Ann, Bob"], ["size", "cm: 3"], ["items", "2"]]


def test_words_to_mark_are_those_that_carry_meaning() -> None:
    assert words_to_mark("How hot is the SOUP? Die Suppe, Œuvres") == ["hot", "soup", "die", "suppe", "œuvres"]
