"""Tags and characters, whatever is done to them."""

from __future__ import annotations

import html

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.formats.documents.hypertext import page_fields
from cranfield.formats.documents.markup import iter_tags, with_characters


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('a<p title="x > y">b', [("p", "a"), ("", "b")]),
        ("a<p don't>b", [("p", "a"), ("", "b")]),
        ("a < b > c", [("", "a < b > c")]),
        ("a<b", [("", "a<b")]),
        ("<a<b>c", [("b", "<a"), ("", "c")]),
        ("<?php x ?>a<!ELEMENT b>c", [("", "ac")]),
        ("a<!-- <b> -->c", [("", "ac")]),
        ("a<!-- b <i>c", [("i", "a b "), ("", "c")]),
        ("<![CDATA[a<b>&]]>c", [("", "a&lt;b&gt;&amp;c")]),
        ("<![CDATA[a<b>", [("b", "a"), ("", "")]),
        ("<br/>x<BR />", [("br", ""), ("br", "x"), ("", "")]),
        ("<Script>if (a<b) '</p>'</SCRIPT >x", [("script", ""), ("/script", ""), ("", "x")]),
        ("<style>never closed <p>", [("style", ""), ("", "")]),
    ],
)
def test_what_is_a_tag(text: str, expected: list[tuple[str, str]]) -> None:
    assert list(iter_tags(text)) == expected


@pytest.mark.parametrize(
    "part",
    [
        "<",
        "</",
        "<a",
        "<!--",
        "<!",
        "<?",
        "<![CDATA[",
        '<p a="',
        "<p a='",
        "<p '\"",
        "&",
        "&#",
        "&a",
        "<a b",
        "]]>",
        "-->",
    ],
)
@pytest.mark.parametrize("end", ["", ">", "-->"])
def test_damage_repeated_a_hundred_thousand_times_costs_no_more_than_text(part: str, end: str) -> None:
    """Where the cost grows with the square of the text this does not end: html.parser takes minutes for a tenth."""
    text = part * 100_000 + end
    assert page_fields(text).keys() <= {"text"}
    with_characters(text)


@given(st.text(alphabet="<>/!-abp&;#\"'=? \n"))
def test_text_comes_out_in_its_order_and_is_lost_only_to_tags(text: str) -> None:
    kept = "".join(before for _, before in iter_tags(text))
    letters = iter(text)
    assert all(letter in letters for letter in kept)
    assert ">" in text or kept == text.replace("<!--", "")


@given(st.text())
def test_escaped_text_comes_back(text: str) -> None:
    escaped = html.escape(text)
    assert list(iter_tags(escaped)) == [("", escaped)]
    assert with_characters(escaped) == text


@given(st.lists(st.text(alphabet="abc &<>é\u00a0", min_size=1)), st.text(alphabet="xyz <&"))
def test_pages_give_back_their_words(paragraphs: list[str], title: str) -> None:
    body = "".join(f"<p>{html.escape(paragraph)}</p>" for paragraph in paragraphs)
    found = page_fields(f"<html><head><title>{html.escape(title)}</title></head><body>{body}</body></html>")
    assert found.get("text", "").split() == " ".join(paragraphs).split()
    assert found.get("title", "").split() == title.split()
