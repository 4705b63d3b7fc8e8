"""A function as an engine, and how it is found."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cranfield.engines.callables import source_of
from cranfield.engines.python_function import PythonEngine
from cranfield.errors import EngineError, ParameterError

SOURCE = """
def search(query, k):
    return [(f"{query}-{rank}", 1 / rank) for rank in range(1, k + 1)]

class Index:
    @staticmethod
    def search(query, k):
        return [query]

answer = 42
"""


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "engine_of_mine.py").write_text(SOURCE)
    (tmp_path / "broken_engine_of_mine.py").write_text("1 / 0")
    (tmp_path / "needy_engine_of_mine.py").write_text("import no_such_module_anywhere")
    yield tmp_path
    for name in [name for name in sys.modules if name.endswith("engine_of_mine")]:
        del sys.modules[name]


@pytest.mark.parametrize("name", ["engine_of_mine:search", "engine_of_mine.py:search", "./engine_of_mine.py:search"])
def test_a_function_beside_the_users_files(modules: Path, name: str) -> None:
    before = list(sys.path)
    assert PythonEngine(function=name).search("soup", 2) == [("soup-1", 1.0), ("soup-2", 0.5)]
    assert sys.path == before


@pytest.mark.parametrize("name", ["engine_of_mine:search", "engine_of_mine.py:Index.search"])
def test_a_changed_file_is_another_engine(modules: Path, name: str) -> None:
    def described() -> dict[str, Any]:
        return dict(PythonEngine(function=name).description()["parameters"])

    before = described()
    assert before == {"function": name, "sha256": hashlib.sha256(SOURCE.encode()).hexdigest()}
    (modules / "engine_of_mine.py").write_text(SOURCE + "\n")
    assert described()["sha256"] != before["sha256"]


def test_where_a_function_is(modules: Path) -> None:
    (modules / "package").mkdir()
    (modules / "package" / "__init__.py").write_text("1 / 0")  # nothing is imported to find it
    (modules / "package" / "inside.py").write_text(SOURCE)
    assert source_of("package.inside:search") == modules / "package" / "inside.py"
    assert source_of("package:search") == modules / "package" / "__init__.py"
    assert source_of(test_where_a_function_is) == Path(__file__)
    for named in ("package.nowhere:search", "nowhere.py:search", "http://localhost:9200", "sys:exit", "lsa", len):
        assert source_of(named) is None


def test_a_function_of_a_class(modules: Path) -> None:
    assert PythonEngine(function="engine_of_mine:Index.search").search("soup", 2) == [("soup", 1.0)]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("engine_of_mine", "function is 'engine_of_mine'; expected module:function or file.py:function"),
        (":search", "expected module:function"),
        (7, "function is 7; expected module:function"),
        ("engine_of_mine:serch", r"there is no 'serch' in 'engine_of_mine'. Did you mean search\?"),
        ("engine_of_mine:answer", "which is no function but int"),
        ("engine_of_yours:search", "there is no module 'engine_of_yours', in .* or among the installed ones"),
        ("needy_engine_of_mine:search", "there is no module 'no_such_module_anywhere'"),
        ("broken_engine_of_mine:search", "cannot be imported: ZeroDivisionError: division by zero"),
        ("nowhere.py:search", "cannot be imported: FileNotFoundError"),
    ],
)
def test_a_function_that_is_not_there(modules: Path, name: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        PythonEngine(function=name)


@pytest.mark.parametrize(
    ("answer", "hits"),
    [
        ([("d1", 2), ("d2", np.float32(0.5))], [("d1", 2.0), ("d2", 0.5)]),
        (["d1", "d2", "d3"], [("d1", 1.0), ("d2", 1 / 2), ("d3", 1 / 3)]),
        ({"d1": 1, "d2": 3}, [("d2", 3.0), ("d1", 1.0)]),
        (iter([(17, 0.5)]), [("17", 0.5)]),
        (np.array([["d1", "0.5"]]), [("d1", 0.5)]),
        ([], []),
    ],
)
def test_what_a_function_may_give(answer: Any, hits: list[tuple[str, float]]) -> None:
    found = PythonEngine(function=lambda query, k: answer).search("soup", 10)
    assert found == hits
    assert {type(part) for hit in found for part in hit} <= {str, float}


@pytest.mark.parametrize("answer", [None, 7, "d1", [7], [("d1",)], [("d1", "high")], [("d1", 1.0), "d2"]])
def test_what_it_may_not(answer: Any) -> None:
    with pytest.raises(EngineError, match="expected pairs of identifier and score, best first, or identifiers alone"):
        PythonEngine(function=lambda query, k: answer).search("soup", 10)


def test_what_it_raises_and_that_it_does_not_index() -> None:
    engine = PythonEngine(function=lambda query, k: 1 / 0)
    with pytest.raises(EngineError, match="raised ZeroDivisionError: division by zero"):
        engine.search("soup", 10)
    with pytest.raises(EngineError, match="the engine python does not index"):
        engine.index([])
