"""What differs between systems."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from cranfield.experiments.compared_runs import run_differences
from cranfield.experiments.differences import differences, things
from cranfield.experiments.systems import configuration
from cranfield.experiments.updating import update
from cranfield.experiments.workspace_file import read_workspace
from tests.experiments.kitchen import OWN, SYSTEMS, make_kitchen

MORE = """
[systems.both]
engine = "bm25"
b = 0.3
k1 = 2.0

[systems.two]
engine = "hybrid"
parts = [{engine = "bm25"}, {engine = "sqlite"}]

[systems.weighted]
engine = "hybrid"
parts = [{engine = "bm25", k1 = 2.0}, {engine = "sqlite", weight = 0.5}]
"""


def between(folder: Path, first: str, second: str) -> list[str]:
    workspace = read_workspace(folder)
    found = differences(*(configuration(workspace, workspace.system(name)) for name in (first, second)))
    return [str(one) for one in things(found)]


def test_systems(tmp_path: Path) -> None:
    folder = make_kitchen(tmp_path, SYSTEMS + MORE)
    assert between(folder, "bm25", "bm25") == []
    assert between(folder, "bm25", "flat") == ["b: 0.75 → 0.0"]
    assert between(folder, "bm25", "both") == ["k1: 1.2 → 2.0", "b: 0.75 → 0.3"]
    assert between(folder, "bm25", "two") == ["engine: bm25 → hybrid"]
    assert between(folder, "two", "weighted") == ["parts[1].k1: 1.2 → 2.0", "parts[2].weight: 1.0 → 0.5"]


def test_another_engine_and_a_parameter_that_both_have() -> None:
    first = {"engine": "bm25", "parameters": {"k1": 1.2, "stem": True}, "k": 10}
    second = {"engine": "tantivy", "parameters": {"memory": 300, "stem": False}, "k": 10}
    found = differences(first, second)
    assert [(one.what, one.follows) for one in found] == [
        ("engine", False),
        ("k1", True),
        ("stem", False),
        ("memory", True),
    ]


def test_a_parameter_that_only_one_has_of_the_same_engine_counts() -> None:
    first: dict[str, Any] = {"engine": "http", "parameters": {"url": "u"}}
    second = {"engine": "http", "parameters": {"url": "u", "headers": {"A": "b"}}}
    assert [str(one) for one in things(differences(first, second))] == ["headers.A: none → b"]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text("ab", max_size=2),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.sampled_from("xyz"), inside, max_size=3),
    max_leaves=8,
)
CONFIGURATIONS = st.fixed_dictionaries(
    {
        "engine": st.sampled_from(["bm25", "hybrid"]),
        "parameters": st.dictionaries(st.sampled_from(["k1", "b", "parts"]), VALUES, max_size=3),
        "k": st.integers(1, 2),
    }
)


@given(CONFIGURATIONS, CONFIGURATIONS)
def test_none_where_they_are_the_same_and_some_where_they_are_not(
    first: dict[str, Any], second: dict[str, Any]
) -> None:
    assert differences(first, first) == []
    found, back = differences(first, second), differences(second, first)
    assert bool(found) == (first != second)
    assert {(one.what, str(one.first), str(one.second)) for one in found} == {
        (one.what, str(one.second), str(one.first)) for one in back
    }


def test_runs_by_what_is_written_beside_them(tmp_path: Path) -> None:
    folder = make_kitchen(tmp_path, SYSTEMS + OWN)
    list(update(read_workspace(folder)))
    runs = {name: folder / "runs" / f"{name}.run" for name in ("bm25", "flat", "sqlite", "own")}
    assert [str(one) for one in run_differences(runs["bm25"], runs["flat"]) or []] == ["b: 0.75 → 0.0"]
    record = Path(f"{runs['flat']}.provenance.json")
    content = json.loads(record.read_text())
    content["versions"]["tantivy"] = "0.1"
    content["versions"]["python"] = "2.7"
    content["topics"]["sha256"] = "0" * 64
    record.write_text(json.dumps(content))
    found = [one.what for one in run_differences(runs["bm25"], runs["flat"]) or []]
    assert found == ["b", "topics", "version of tantivy"]
    record.unlink()
    assert run_differences(runs["bm25"], runs["flat"]) is None
