"""The configurations on the pages of engines that are elsewhere work as they stand, but for the address."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest

from cranfield import evaluate, import_collection, open_collection
from cranfield.data.documents import Document
from cranfield.engines import engine_class
from cranfield.engines.configuration import Configuration, read_configuration
from cranfield.engines.engine import Engine
from cranfield.engines.opensearch import OpenSearchEngine
from cranfield.engines.parameters import parameter_names
from cranfield.engines.postgres import PostgresEngine
from cranfield.engines.searching import search
from tests.engines.word_index import WordIndex

PAGES = Path(__file__).parent.parent.parent / "docs" / "engines"
DOCUMENTS = [
    Document("a", {"title": "Soup", "text": "hot soup with bread", "year": 1962}),
    Document("b", {"title": "Bread", "text": "bread from an oven", "year": 1950}),
]


def configurations(page: str, folder: Path) -> list[Configuration]:
    found = []
    for number, block in enumerate(re.findall(r"```toml\n(.*?)```", (PAGES / f"{page}.md").read_text(), re.DOTALL)):
        file = folder / f"{page}{number}.toml"
        file.write_text(block)
        found.append(read_configuration(file))
    assert found
    return found


def made(configuration: Configuration, **address: Any) -> Engine:
    settings = {name: value for name, value in configuration.settings.items() if name not in ("ca_file", "headers")}
    return engine_class(configuration.kind)(**{**settings, **address})


@pytest.fixture(params=["opensearch_server", "opensearch_stand_in"])
def opensearch(request: pytest.FixtureRequest) -> dict[str, Any]:
    server = dict(request.getfixturevalue(request.param))
    server.pop("stand_in", None)
    return server


def test_opensearch(opensearch: dict[str, Any], tmp_path: Path) -> None:
    plain, _ = configurations("opensearch", tmp_path)
    engine = made(plain, **opensearch)
    engine.index(DOCUMENTS)
    assert engine.search("hot soups", 10)[0][0] == "a"


def test_opensearch_with_a_query(opensearch_server: dict[str, Any], tmp_path: Path) -> None:
    plain, queried = configurations("opensearch", tmp_path)
    made(plain, **opensearch_server).index(DOCUMENTS)
    # Of the two documents with bread one is from before 1960, which the filter on the page leaves out.
    assert [name for name, _ in made(queried, **opensearch_server).search("bread", 10)] == ["a"]


def test_solr(solr_stand_in: dict[str, Any], tmp_path: Path) -> None:
    for configuration in configurations("solr", tmp_path):
        engine = made(configuration, url=solr_stand_in["url"])
        engine.index(DOCUMENTS)
        assert [name for name, _ in engine.search("hot soup", 10)] == ["a"]


def test_postgres(postgres_server: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (configuration,) = configurations("postgres", tmp_path)
    monkeypatch.setenv("PAPERS_DSN", postgres_server["dsn"])
    with made(configuration, table=postgres_server["table"]) as engine:
        engine.index(DOCUMENTS)
        assert [name for name, _ in engine.search("hot soups", 10)] == ["a"]


def test_http(endpoint_stand_in: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, posted = configurations("http", tmp_path)
    endpoint_stand_in["stand_in"].documents = WordIndex((document.id, document.text()) for document in DOCUMENTS)
    url = asked.settings["url"].replace("http://localhost:8000", endpoint_stand_in["url"])
    assert made(asked, url=url).search("hot soup", 10) == [("a", 3.0)]
    monkeypatch.setenv("SEARCH_KEY", "s3cr3t")
    posted.make().close()


def test_command(tmp_path: Path) -> None:
    plain, _ = configurations("command", tmp_path)
    (tmp_path / "search.py").write_text(
        "import sys\nfor line in sys.stdin: print(line.split()[0], 'Q0 a 1', sys.argv[2], 'tag')\n"
    )
    program = [sys.executable, *plain.settings["program"][1:]]
    assert made(plain, program=program, folder=str(tmp_path)).search("soup", 7) == [("a", 7.0)]


@pytest.mark.parametrize("kind", ["opensearch", "solr", "postgres", "http", "command"])
def test_every_parameter_is_in_a_table(kind: str) -> None:
    of_all = (PAGES / "http.md").read_text().partition("## The connection")[2] if kind != "command" else ""
    cells = re.findall(r"^\| `(\w+)` \|", (PAGES / f"{kind}.md").read_text() + of_all, re.MULTILINE)
    assert parameter_names(engine_class(kind)).keys() <= set(cells)


@pytest.mark.slow
@pytest.mark.real_data
def test_figures_on_the_page_about_postgres(
    postgres_server: dict[str, Any], opensearch_server: dict[str, Any], real_data: Path, tmp_path: Path
) -> None:
    import_collection("cranfield", real_data / "collections" / "cranfield", tmp_path / "cranfield")
    collection = open_collection(tmp_path / "cranfield")
    assert collection.topics is not None
    found = {}
    engines = {
        "any": PostgresEngine(**postgres_server),
        "all": PostgresEngine(**postgres_server, match="all"),
        "opensearch": OpenSearchEngine(**opensearch_server),
    }
    for name, engine in engines.items():
        with engine:
            if name != "all":
                engine.index(collection.documents())
            run = search(engine, collection.topics).run
            found[name] = evaluate(collection.qrels, run, ["AP"]).mean["AP"]
    page = " ".join((PAGES / "postgres.md").read_text().split())
    said = re.search(
        r'is (\.\d\d) with `match = "any"` and (\.\d\d) with `"all"`.*OpenSearch, with BM25, has (\.\d\d)', page
    )
    assert said is not None
    assert [f"{value:.2f}" for value in found.values()] == [f"0{figure}" for figure in said.groups()]
