"""Ids of documents: judgments belong to them, so that they must not change."""

from __future__ import annotations

import csv
import heapq
import importlib
import inspect
import json
import os
import sys
from collections import OrderedDict
from typing import Any

import pytest

from cranfield.experiments.demonstration.docstrings import members, text, words
from cranfield.experiments.demonstration.material import docstrings


@pytest.fixture(scope="module")
def documents() -> dict[str, dict[str, Any]]:
    lines = docstrings().splitlines()
    found = {one["id"]: one for one in map(json.loads, lines)}
    assert len(found) == len(lines)
    return found


@pytest.mark.parametrize(
    ("identifier", "documented"),
    [
        ("csv", csv),
        ("csv.DictWriter.writerows", csv.DictWriter.writerows),
        ("sorted", sorted),
        ("dict.fromkeys", dict.fromkeys),
        ("collections.OrderedDict.move_to_end", OrderedDict.move_to_end),
        ("heapq.nlargest", heapq.nlargest),
        ("json.JSONDecodeError", json.JSONDecodeError),
    ],
)
def test_a_document_is_the_docstring_of_what_it_is_called_by(
    documents: dict[str, dict[str, Any]], identifier: str, documented: Any
) -> None:
    if documented.__doc__:
        # Oracle: inspect.getdoc, which looks for the docstring as help() does.
        assert documents[identifier]["text"] == (inspect.getdoc(documented) or "").strip()
    else:
        assert identifier not in documents


@pytest.mark.skipif(os.name != "posix", reason="there os.path is another module")
def test_paths_have_the_name_that_one_imports(documents: dict[str, dict[str, Any]]) -> None:
    assert "os.path.join" in documents
    assert not any(name.startswith("posixpath") for name in documents)


def test_what_several_modules_export_is_one_document(documents: dict[str, dict[str, Any]]) -> None:
    # JSONDecodeError is defined in json.decoder; the shorter name is kept. OrderedDict is in typing and in collections.
    assert "json.decoder.JSONDecodeError" not in documents
    assert "typing.OrderedDict.move_to_end" not in documents


def test_what_begins_with_an_underscore_is_there_only_if_it_is_listed(documents: dict[str, dict[str, Any]]) -> None:
    private = [name for name in documents if any(part.startswith("_") for part in name.split("."))]
    assert "os._exit" in private
    for name in private:
        module, _, member = name.rpartition(".")
        assert member in importlib.import_module(module).__all__


def test_every_document_has_a_title_and_a_text(documents: dict[str, dict[str, Any]]) -> None:
    assert all(one["text"].startswith(one["title"]) and one["title"] and one["name"] for one in documents.values())
    assert documents["sorted"]["name"] == "sorted"


def test_words_of_names() -> None:
    assert words("xml.sax.saxutils.XMLGenerator.start_element") == "xml sax saxutils XMLGenerator start element"
    assert words("uuid.uuid4") == "uuid uuid4"


def test_members_without_a_list_are_those_that_a_module_defines() -> None:
    # heapq has __all__; csv's DictReader is its own; keyword.iskeyword is a method of a frozenset, and listed.
    assert "nlargest" in dict(members(heapq))
    assert "OrderedDict" not in dict(members(json))
    assert text(object()) == object.__doc__.strip()  # type: ignore[union-attr]


def test_importing_everything_leaves_no_trace_here() -> None:
    before = set(sys.modules)
    docstrings()
    assert not {name for name in set(sys.modules) - before if not name.startswith("cranfield")}
