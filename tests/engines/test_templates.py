"""Places in texts that are filled."""

from __future__ import annotations

import json
from urllib.parse import parse_qs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.engines.templates import Template, json_template, quoted, table_of
from cranfield.errors import ParameterError

any_text = st.text(st.characters(exclude_categories=["Cs"]))


@given(any_text, st.integers(1, 10_000))
def test_json_stays_json_whatever_the_query_is(query: str, k: int) -> None:
    template = json_template("body", '{"a": {"q": "<{{query}}>"}, "size": {{ k }}, "again": ["{{query}}"]}')
    assert json.loads(template.fill(query=query, k=k)) == {"a": {"q": f"<{query}>"}, "size": k, "again": [query]}


@given(any_text)
def test_a_table_is_a_template(query: str) -> None:
    table = {"query": {"match": {"text": "{{query}}"}}, "size": "{{k}}"}
    filled = json_template("query", table).fill(query=query, k=3)
    assert json.loads(filled) == {"query": {"match": {"text": query}}, "size": 3}


@given(any_text)
def test_a_url_stays_a_url_whatever_the_query_is(query: str) -> None:
    filled = Template("url", "q={{query}}&n={{k}}", quoted).fill(query=query, k=7)
    assert parse_qs(filled, keep_blank_values=True) == {"q": [query], "n": ["7"]}


def test_what_is_no_text_is_replaced() -> None:
    assert json.loads(json_template("body", '"{{query}}"').fill(query="a\ud800b", k=1)) == "a?b"
    assert quoted("a\ud800b") == "a%3Fb"


def test_a_query_is_not_filled_in_turn() -> None:
    assert json_template("body", '["{{query}}", {{k}}]').fill(query="{{k}} {{query}}", k=5) == '["{{k}} {{query}}", 5]'


def test_a_template_as_a_table_again() -> None:
    text = '{"size": {{k}}, "note": "k is {{k}}", "q\\"": "{{query}}"}'
    assert table_of("query", text) == {"size": "{{k}}", "note": "k is {{k}}", 'q"': "{{query}}"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"q": "{{query}}", "x": "{{topic}}"}', "query has a place {{topic}}"),
        ('{"q": "soup"}', "query has no place for the query: write {{query}} where it belongs"),
        ('{"q": "{{query}}"', "query is not JSON once {{query}} is filled in"),
        ('["{{query}}"]', "query is to be a JSON object"),
    ],
)
def test_impossible_templates(text: str, expected: str) -> None:
    with pytest.raises(ParameterError) as raised:
        table_of("query", text)
    assert expected in str(raised.value)
