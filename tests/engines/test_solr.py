"""Solr: the adapter against a stand-in."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs

import pytest

from cranfield.data.documents import Document
from cranfield.engines.solr import SolrEngine
from cranfield.errors import EngineError, ParameterError
from tests.engines.local_server import Answer, serving

DOCUMENTS = [Document("a", {"title": "soup", "text": "hot"}), Document("b", {"title": "bread", "text": "soup"})]


def asked_last(server: dict[str, Any]) -> dict[str, Any]:
    form = parse_qs(server["stand_in"].asked[-1].body.decode(), keep_blank_values=True)
    return {name: values[0] for name, values in form.items()}


def test_asks_the_select_handler(solr_stand_in: dict[str, Any]) -> None:
    engine = SolrEngine(url=solr_stand_in["url"])
    engine.index(DOCUMENTS)
    assert engine.search('"hot" soup: (1+1)', 7) == [("a", 2.0), ("b", 1.0)]
    assert asked_last(solr_stand_in) == {
        "q": r"\"hot\" soup\: \(1\+1\)",
        "defType": "edismax",
        "q.op": "OR",
        "qf": "text_txt_en^1",
        "rows": "7",
        "fl": "id,score",
        "wt": "json",
    }


def test_parameters_of_ones_own(solr_stand_in: dict[str, Any]) -> None:
    given = {"q": "{!func}query($user)", "user": "{{raw_query}}", "fq": "year:[1990 TO *]", "defType": "lucene"}
    engine = SolrEngine(url=solr_stand_in["url"], fields={"title": 2, "text": 0.5}, parameters=given)
    engine.index(DOCUMENTS)
    engine.search("soup: hot", 7)
    asked = asked_last(solr_stand_in)
    assert asked | {**given, "user": "soup: hot", "qf": "title^2 text^0.5"} == asked


def test_documents_that_are_there_are_not_deleted_unasked(solr_stand_in: dict[str, Any]) -> None:
    engine = SolrEngine(url=solr_stand_in["url"])
    engine.index(DOCUMENTS)
    with pytest.raises(
        EngineError, match=r"has 2 documents already\. replace = true deletes them, or choose another core"
    ):
        engine.index(DOCUMENTS)
    SolrEngine(url=solr_stand_in["url"], replace=True).index(DOCUMENTS[:1])
    assert engine.count() == 1


def test_what_goes_wrong_leaves_the_old_documents(solr_stand_in: dict[str, Any]) -> None:
    engine = SolrEngine(url=solr_stand_in["url"], replace=True)
    engine.index(DOCUMENTS)
    with pytest.raises(EngineError, match=r"has 2 documents after 3 were sent\. Are identifiers repeated\?"):
        engine.index([*DOCUMENTS, DOCUMENTS[0]])

    def broken():
        yield Document("c", {"text": "tea"})
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        engine.index(broken())
    assert engine.count() == 2


def test_a_core_that_is_not_there(solr_stand_in: dict[str, Any]) -> None:
    url = solr_stand_in["url"].replace("documents", "papers")
    with pytest.raises(EngineError, match=r"404 Not Found: a web page \('Error 404 Not Found'\). Are URL and index"):
        SolrEngine(url=url).search("soup", 10)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (
            {"responseHeader": {"partialResults": True}, "response": {"numFound": 1, "docs": []}},
            "answered in part only",
        ),
        ({"responseHeader": {}, "response": {"numFound": 1, "docs": [{"id": "a"}]}}, "no list of scored documents"),
    ],
)
def test_answers_that_cannot_be_used(said: dict[str, Any], expected: str) -> None:
    with serving(lambda asked: Answer(said)) as url, pytest.raises(EngineError, match=expected):
        SolrEngine(url=f"{url}/solr/papers").search("soup", 10)


def test_impossible_parameters() -> None:
    with pytest.raises(ParameterError, match=r"parameters\.q has a place \{\{topic\}\}"):
        SolrEngine(url="http://127.0.0.1/solr/papers", parameters={"q": "{{topic}}"})
    with pytest.raises(ParameterError, match="replace is 'yes'; expected true or false"):
        SolrEngine(url="http://127.0.0.1/solr/papers", replace="yes")  # type: ignore[arg-type]
