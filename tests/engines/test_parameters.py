"""What engines are told is checked before anything else happens."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cranfield.engines import ENGINES, engine_class, make_engine
from cranfield.engines.parameters import parameter_names, text, whole_number
from cranfield.errors import ParameterError, UsageError


@pytest.mark.parametrize("kind", ENGINES)
def test_every_engine_is_there_and_refuses_what_it_does_not_know(kind: str, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="has no parameter 'flavour'"):
        make_engine(kind, {"flavour": "sweet"}, folder=tmp_path)
    assert engine_class(kind).kind


def test_what_an_engine_needs() -> None:
    assert parameter_names(engine_class("python")) == {"function": True, "concurrency": False}
    with pytest.raises(ParameterError, match="the engine python needs the parameter 'function'"):
        make_engine("python", {})
    with pytest.raises(UsageError, match="the engine tantivy keeps its index in a folder: name one"):
        make_engine("tantivy", {})


def test_parameters_that_engines_share_are_known() -> None:
    assert {"url", "timeout"} <= parameter_names(engine_class("http")).keys()


@pytest.mark.parametrize(("value", "least"), [(True, 0), (1.0, 0), ("1", 0), (0, 1), (None, 0)])
def test_whole_numbers(value: Any, least: int) -> None:
    with pytest.raises(ParameterError, match=f"n is {value!r}; expected a whole number of at least {least}"):
        whole_number("n", value, least=least)


@pytest.mark.parametrize("value", ["", "  ", 1, None])
def test_texts(value: Any) -> None:
    with pytest.raises(ParameterError, match=f"name is {value!r}; expected a text"):
        text("name", value)
