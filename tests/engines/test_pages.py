"""The pages of docs/engines about embedded engines: their configurations work, and no parameter is left out."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from cranfield.data.documents import Document
from cranfield.engines import engine_class, make_engine
from cranfield.engines.parameters import parameter_names

PAGES = Path(__file__).parents[2] / "docs" / "engines"
KINDS = ("tantivy", "bm25", "sqlite", "dense", "hybrid", "python")

DOCUMENTS = [
    Document("d1", {"title": "Hot soup", "text": "Boil water and carrots."}),
    Document("d2", {"title": "Bread", "text": "Bake flour and yeast."}),
    Document("d3", {"title": "Tea", "text": "Boil water again."}),
]


@pytest.mark.parametrize("kind", KINDS)
def test_configurations_work(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = (PAGES / f"{kind}.md").read_text()
    for name, source in re.findall(r"```python\n# (\w+\.py)\n(.*?)```", page, re.DOTALL):
        (tmp_path / name).write_text(source)
    configurations = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    assert configurations
    for number, text in enumerate(configurations):
        settings = tomllib.loads(text)
        assert settings.pop("engine") == kind
        with make_engine(kind, settings, folder=tmp_path / str(number)) as engine:
            if engine.embedded:
                engine.index(DOCUMENTS)
                assert engine.count() == 3
            assert engine.search("soup", 10)[0][0] in ("d1", "d2")


@pytest.mark.parametrize("kind", KINDS)
def test_every_parameter_is_in_the_table(kind: str) -> None:
    page = (PAGES / f"{kind}.md").read_text()
    first_cells = " ".join(re.findall(r"^\| (`[^|]*) \|", page, re.MULTILINE))
    assert parameter_names(engine_class(kind)).keys() <= set(re.findall(r"`(\w+)`", first_cells))
