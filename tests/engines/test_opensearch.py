"""OpenSearch: the adapter against a stand-in, and against a real server where one runs."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest

from cranfield.data.documents import Document
from cranfield.engines import engine_class
from cranfield.engines.opensearch import OpenSearchEngine
from cranfield.errors import DataError, EngineError, ParameterError
from tests.engines.local_server import Answer, Request, serving

DOCUMENTS = [
    Document("a", {"title": "soup", "text": "hot soup with bread", "year": 1962}),
    Document("b", {"title": "bread", "text": "bread from an oven", "year": 1963}),
    Document("c", {"title": "tea", "text": "cold tea", "year": 1964}),
]


@pytest.fixture(params=["opensearch_server", "opensearch_stand_in"])
def server(request: pytest.FixtureRequest) -> dict[str, Any]:
    found = dict(request.getfixturevalue(request.param))
    found.pop("stand_in", None)
    return found


def bm25(query: list[str], documents: dict[str, list[str]]) -> dict[str, float]:
    """BM25 of Robertson et al. (TREC-3, 1994) with Lucene's idf, log(1 + (N - n + .5) / (n + .5)); k1 = 1.2, b = .75."""
    average = sum(map(len, documents.values())) / len(documents)
    scores: dict[str, float] = defaultdict(float)
    for word in query:
        having = [name for name, words in documents.items() if word in words]
        for name in having:
            weight = math.log(1 + (len(documents) - len(having) + 0.5) / (len(having) + 0.5))
            times = documents[name].count(word)
            scores[name] += weight * 2.2 * times / (times + 1.2 * (0.25 + 0.75 * len(documents[name]) / average))
    return dict(scores)


def test_scores_are_bm25(opensearch_server: dict[str, Any]) -> None:
    engine = OpenSearchEngine(**opensearch_server)
    engine.index(DOCUMENTS)
    # The English analyser leaves out "with" and "an".
    words = {
        "a": ["soup", "hot", "soup", "bread"],
        "b": ["bread", "bread", "from", "oven"],
        "c": ["tea", "cold", "tea"],
    }
    assert dict(engine.search("breads and soups", 10)) == pytest.approx(bm25(["bread", "soup"], words), rel=1e-5)


def test_the_query_is_a_template(opensearch_server: dict[str, Any]) -> None:
    OpenSearchEngine(**opensearch_server).index(DOCUMENTS)
    recent = {"bool": {"must": {"match": {"text": "{{query}}"}}, "filter": {"range": {"year": {"gte": 1963}}}}}
    for query in (recent, {"query": recent}, json.dumps(recent)):
        engine = OpenSearchEngine(**opensearch_server, query=query)
        assert [name for name, _ in engine.search("bread", 10)] == ["b"]


def test_one_hit_and_the_most_there_may_be(server: dict[str, Any]) -> None:
    engine = OpenSearchEngine(**server)
    engine.index(Document(f"d{number}", {"text": "soup"}) for number in range(3000))
    assert len(engine.search("soup", 1)) == 1
    assert len({name for name, _ in engine.search("soup", 10_000)}) == 3000
    with pytest.raises(ParameterError, match="k is 10001; OpenSearch and Elasticsearch give 10000 hits at most"):
        engine.search("soup", 10_001)


def test_documents_in_several_batches(server: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cranfield.engines.opensearch._BATCH_BYTES", 200)
    engine = OpenSearchEngine(**server)
    engine.index(Document(f"d{number}", {"text": f"soup {number}"}) for number in range(20))
    assert engine.count() == 20


def test_documents_that_are_refused_are_named(server: dict[str, Any]) -> None:
    texts = {name: {"type": "text"} for name in ("title", "text", "all_texts")}
    strict = {"mappings": {"dynamic": "strict", "properties": {**texts, "year": {"type": "integer"}}}}
    engine = OpenSearchEngine(**server, settings=strict)
    bad = [Document(name, {"text": "soup", "colour": "red"}) for name in ("p", "q", "r", "s")]
    reason = r"mapping set to strict, dynamic introduction of \[colour\] within \[_doc\] is not allowed"
    with pytest.raises(
        EngineError, match=rf"refused 4 of 7 documents: p: {reason}; q: {reason}; r: {reason}; and 1 more"
    ):
        engine.index([*DOCUMENTS, *bad])
    with pytest.raises(EngineError, match="404"):
        engine.count()


def test_repeated_identifiers_are_noticed(server: dict[str, Any]) -> None:
    with pytest.raises(EngineError, match=r"has 3 documents after 4 were sent\. Are identifiers repeated\?"):
        OpenSearchEngine(**server).index([*DOCUMENTS, DOCUMENTS[0]])


def test_an_index_of_somebody_else_is_left_alone(server: dict[str, Any]) -> None:
    import urllib3

    urllib3.request("PUT", f"{server['url']}/{server['index']}", json={"mappings": {}})
    engine = OpenSearchEngine(**server)
    with pytest.raises(EngineError, match=r"is an index that Cranfield did not make\. Choose another name"):
        engine.index(DOCUMENTS)
    with pytest.raises(EngineError, match="did not make: say with weights of fields, or with query, what is searched"):
        engine.search("soup", 10)
    assert engine.count() == 0
    assert list(OpenSearchEngine(**server, query={"match": {"text": "{{query}}"}}).search("soup", 10)) == []


def test_a_field_that_no_document_has(server: dict[str, Any]) -> None:
    with pytest.raises(DataError, match=r"no document has a field 'titel'\. Did you mean title\?"):
        OpenSearchEngine(**server, fields={"titel": 2, "text": 1}).index(DOCUMENTS)


def test_says_what_the_server_is(opensearch_server: dict[str, Any]) -> None:
    versions = OpenSearchEngine(**opensearch_server).description()["versions"]
    assert versions["opensearch"].startswith("2.")
    assert versions["lucene"].startswith("9.")


def test_an_index_that_is_not_there(server: dict[str, Any]) -> None:
    with pytest.raises(EngineError, match=r"404 Not Found: no such index \[.*Are URL and index right\?"):
        OpenSearchEngine(**server).count()


def test_a_query_that_the_server_does_not_understand(opensearch_server: dict[str, Any]) -> None:
    OpenSearchEngine(**opensearch_server).index(DOCUMENTS)
    with pytest.raises(EngineError, match=r"400 Bad Request: unknown query \[mtch\].*Is the query template right\?"):
        OpenSearchEngine(**opensearch_server, query={"mtch": {"text": "{{query}}"}}).search("soup", 10)


def test_elasticsearch_is_the_same_under_its_own_name(opensearch_stand_in: dict[str, Any]) -> None:
    stand_in = opensearch_stand_in.pop("stand_in")
    engine = engine_class("elasticsearch")(**opensearch_stand_in)
    assert engine.kind == "elasticsearch"
    engine.index(DOCUMENTS)
    assert len(engine.search("soup", 10)) == 1
    assert stand_in.asked[-1].json()["query"] == {"match": {"all_texts": "soup"}}


@pytest.fixture(
    params=[
        ({"timed_out": True, "_shards": {"failed": 0}}, "answered without all of its shards: it ran out of time"),
        (
            {"timed_out": False, "_shards": {"failed": 1, "failures": [{"reason": {"reason": "too many clauses"}}]}},
            "answered without all of its shards: too many clauses",
        ),
        ({"took": 5}, 'answered what is no list of scored hits: {"took": 5}'),
        (
            {"timed_out": False, "_shards": {"failed": 0}, "hits": {"hits": [{"_id": "a", "_score": None}]}},
            "answered what is no list of scored hits",
        ),
    ]
)
def bad_answer(request: pytest.FixtureRequest) -> Iterator[tuple[str, str]]:
    said, expected = request.param

    def answer(asked: Request) -> Answer:
        return Answer(said)

    with serving(answer) as url:
        yield url, expected


def test_an_answer_in_part_is_an_error(bad_answer: tuple[str, str]) -> None:
    url, expected = bad_answer
    engine = OpenSearchEngine(url=url, index="papers", query={"match": {"text": "{{query}}"}})
    with pytest.raises(EngineError) as raised:
        engine.search("soup", 10)
    assert str(raised.value).startswith(f"opensearch at {url}/papers/_search {expected}")
