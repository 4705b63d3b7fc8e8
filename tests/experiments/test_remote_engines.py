"""Systems of a workspace whose engines are elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cranfield.engines import engine_class
from cranfield.errors import EngineError
from cranfield.experiments.parameter_space import ParameterSpace
from cranfield.experiments.staleness import status
from cranfield.experiments.tuned_engines import TunedEngines
from cranfield.experiments.updating import index_system, update
from cranfield.experiments.workspace_file import read_workspace
from tests.engines.local_server import Answer, Request, serving
from tests.engines.stand_ins import OpenSearchStandIn
from tests.experiments.kitchen import HEAD, make_kitchen


def make(folder: Path) -> list[str]:
    """Update the workspace; gives what was made, or why not."""
    done = update(read_workspace(folder))
    return [f"{one.step.what} {one.step.of}" + (f": {one.error}" if one.error else "") for one in done]


def states(folder: Path, what: str = "run") -> dict[str, str]:
    return {one.system.name: str(getattr(one, what)) for one in status(read_workspace(folder)).systems}


class Weighing:
    """An endpoint that finds the document that `w` says."""

    def __call__(self, request: Request) -> Answer:
        return Answer({"hits": [{"id": f"d{float(request.parameters['w']):g}", "score": 1.0}]})


ENDPOINT = """
[systems.remote]
engine = "http"
url = "{url}/search?q={{{{query}}}}"
hits = "hits"
score = "score"
retries = 0
timeout = {timeout}
parameters = {{w = {weight}}}
"""


def test_an_endpoint(tmp_path: Path) -> None:
    with serving(Weighing()) as url:
        folder = make_kitchen(tmp_path / "kitchen", ENDPOINT.format(url=url, timeout=5, weight=1))
        assert (states(folder), states(folder, "index")) == ({"remote": "missing"}, {"remote": "elsewhere"})
        assert make(folder) == ["run remote"]
        assert {line.split()[2] for line in (folder / "runs/remote.run").read_text().splitlines()} == {"d1"}
        # How patiently it is asked changes nothing in what it answers; what it is asked for does.
        (folder / "cranfield.toml").write_text(HEAD + ENDPOINT.format(url=url, timeout=9, weight=1))
        assert states(folder) == {"remote": "current"}
        (folder / "cranfield.toml").write_text(HEAD + ENDPOINT.format(url=url, timeout=9, weight=2))
        assert states(folder) == {"remote": "stale: parameters.w was 1, is 2"}
        workspace = read_workspace(folder)
        engines = TunedEngines(workspace, workspace.system("remote"), lambda system: None)
        tried = [engines(values).search("soup", 1) for values in ParameterSpace.of("parameters.w=3,4.5").grid(2)]
        assert tried == [[("d3", 1.0)], [("d4.5", 1.0)]]
        engines.close()
    (failed,) = make(folder)
    assert failed.startswith("run remote: topic 10 and 2 others failed: http at http://127.0.0.1:")
    assert "is the URL right? What was found is kept; the next search goes on" in failed
    assert states(folder)["remote"].startswith("stale")


TWO_OF_ONE_NAME = """
[systems.whole]
engine = "opensearch"
url = "{url}"
index = "kitchen"

[systems.titles]
engine = "opensearch"
url = "{url}/"
index = "kitchen"
fields = ["title"]

[systems.again]
engine = "opensearch"
url = "{url}"
index = "kitchen"
query = {{match = {{all_texts = "{{{{query}}}}"}}}}
"""


def test_systems_that_name_one_index_of_a_server_take_turns(tmp_path: Path) -> None:
    """What a run is made of is on the server when it is made, and no record says that it still is when it is not."""
    server = OpenSearchStandIn()
    with serving(server) as url:
        folder = make_kitchen(tmp_path / "kitchen", TWO_OF_ONE_NAME.format(url=url))
        (folder / "topics.tsv").write_text("9\tbread\n10\trecipe\n")
        made = make(folder)
        assert made == ["index whole", "run whole", "index titles", "run titles", "run again"]
        found = {
            name: {tuple(line.split()[0:3:2]) for line in (folder / f"runs/{name}.run").read_text().splitlines()}
            for name in ("whole", "titles", "again")
        }
        every = {("10", f"d{number}") for number in range(8)}  # the title of each is "recipe" and a number
        bread = {("9", f"d{number}") for number in (0, 2, 5, 7)}  # the texts with the word
        assert found == {"whole": every | bread, "titles": every, "again": every | bread}
        assert states(folder, "index") == {"whole": "current", "titles": "missing", "again": "current"}
        assert make(folder) == []


def test_an_index_that_was_not_finished_on_a_server_is_not_taken_for_one(tmp_path: Path) -> None:
    def breaking(request: Request) -> Answer:
        return Answer(b"", 500) if request.path.endswith("_bulk") else server(request)

    server = OpenSearchStandIn()
    systems = TWO_OF_ONE_NAME.split("[systems.titles]")[0] + "retries = 0\n"
    with serving(server) as url, serving(breaking) as broken:
        folder = make_kitchen(tmp_path / "kitchen", systems.format(url=url))
        make(folder)
        record = next((folder / "indexes").glob("*/index.json"))
        record.write_text(
            json.dumps({**json.loads(record.read_text()), "settings": {"url": broken, "index": "kitchen"}})
        )
        (folder / "cranfield.toml").write_text(HEAD + systems.format(url=broken))
        workspace = read_workspace(folder)
        with pytest.raises(EngineError, match="500"):
            index_system(workspace, workspace.system("whole"))
    assert not record.exists()


@pytest.mark.parametrize("kind", ["opensearch", "elasticsearch", "solr", "postgres"])
def test_engines_on_servers_say_where_their_index_is(kind: str) -> None:
    here = {"url": "http://h:1/papers/", "index": "a", "dsn": {"env": "DSN"}}
    place = engine_class(kind).place(here)
    assert place is not None
    assert place != engine_class(kind).place({**here, "url": "http://h:2", "dsn": {"env": "OTHER"}})
    assert place == engine_class(kind).place({**here, "url": "http://h:1/papers", "timeout": 3, "language": "german"})
