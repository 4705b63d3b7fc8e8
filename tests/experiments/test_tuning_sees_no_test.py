"""Test judgments cannot be reached from tuning: not through what it is given, not through files, not by mistake."""

from __future__ import annotations

import dataclasses
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cranfield.errors import CranfieldError, DataError, UsageError
from cranfield.experiments.ledger import read_ledger
from cranfield.experiments.split_files import read_split
from cranfield.experiments.splitting import SplitRequest
from cranfield.experiments.tuned_engines import TunedEngines
from cranfield.experiments.tuning_material import TuningMaterial, tuning_material
from cranfield.experiments.workspace import Workspace
from cranfield.experiments.workspace_file import read_workspace
from cranfield.formats import read_qrels
from tests.cli.running import run_cranfield
from tests.experiments.divided import divided_words

TUNE = ("tune", "bm25", "--param", "b=0.0..1.0:0.25", "--measure", "AP", "--format", "json", "-o", "plot.json")


@pytest.fixture(params=["query", "document"])
def words(request: pytest.FixtureRequest, tmp_path: Path) -> Workspace:
    return divided_words(tmp_path / "words", SplitRequest(by=request.param, seed=1))


def tuned(workspace: Workspace, *more: str) -> dict[str, Any]:
    done = run_cranfield(*TUNE, *more, cwd=workspace.root)
    assert done.exit_code == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return {name: found[name] for name in ("best", "trials", "cross_validation")}


def reachable(thing: Any, seen: set[int]) -> Iterator[Any]:
    """Everything that hangs on an object: public attributes, items, and what they have."""
    if id(thing) in seen:
        return
    seen.add(id(thing))
    yield thing
    if isinstance(thing, (str, bytes, int, float, type(None))):
        return
    if isinstance(thing, dict):
        for key, value in thing.items():
            yield from reachable(key, seen)
            yield from reachable(value, seen)
    elif isinstance(thing, (list, tuple, set, frozenset)):
        for item in thing:
            yield from reachable(item, seen)
    elif type(thing).__module__.startswith("cranfield"):
        names = {field.name for field in dataclasses.fields(thing)} if dataclasses.is_dataclass(thing) else set()
        for name in names | {one for one in dir(thing) if not one.startswith("__")}:
            value = getattr(thing, name, None)
            if not callable(value):
                yield from reachable(value, seen)
        if hasattr(thing, "rows"):
            yield from reachable(list(thing.rows()), seen)


def test_what_tuning_is_given_holds_neither_test_judgments_nor_a_path(words: Workspace) -> None:
    material = tuning_material(words)
    test = read_qrels(words.splits_folder / "test.qrels.txt")
    found = list(reachable(material, set()))
    assert not [one for one in found if isinstance(one, Path)]
    texts = {one for one in found if isinstance(one, str)}
    assert not [text for text in texts if "/" in text or text.endswith(".txt")]
    given = {(query, document) for one in material.portions.values() for query, _, document, _ in one.qrels.rows()}
    hidden = {(query, document) for query, _, document, _ in test.rows()}
    assert len(given) + len(hidden) == 40
    assert not given & hidden
    # The walk does find what is there.
    assert "train" in texts
    assert next(iter(given))[1] in texts


def test_tuning_gives_the_same_without_the_test_files_and_without_all_judgments(words: Workspace) -> None:
    before = tuned(words), tuned(words, "--folds", "3")
    for file in (*words.splits_folder.glob("test.*"), words.root / "qrels.txt", *words.ledger.iterdir()):
        file.unlink()
    assert (tuned(words), tuned(words, "--folds", "3")) == before


def test_tuning_gives_the_same_whatever_the_test_judgments_say(words: Workspace) -> None:
    before = tuned(words)
    turned = {"0": "1", "1": "0"}
    for file in (words.splits_folder / "test.qrels.txt", words.root / "qrels.txt"):
        lines = [line.split() for line in file.read_text().splitlines()]
        file.write_text("".join(f"{q} {i} {d} {turned[g]}\n" for q, i, d, g in lines))
    assert tuned(words) == before


def test_no_file_with_test_judgments_is_opened(words: Workspace) -> None:
    """Python tells of every file that is opened."""
    watched = (
        "import runpy, sys\n"
        "sys.addaudithook(lambda what, with_: what == 'open' and print('OPENED', with_[0], file=sys.stderr))\n"
        f"sys.argv = {['cranfield', *TUNE]!r}\n"
        "runpy.run_module('cranfield', run_name='__main__')\n"
    )
    done = subprocess.run([sys.executable, "-c", watched], cwd=words.root, capture_output=True, text=True, check=True)
    named = [line.split(" ", 1)[1] for line in done.stderr.splitlines() if line.startswith("OPENED ")]
    places = {(words.root / name).resolve() for name in named}
    opened = {place.name for place in places if place.is_relative_to(words.root)}
    assert {"train.qrels.txt", "validation.qrels.txt", "train.topics.jsonl"} <= opened
    assert {name for name in opened if "qrels" in name} == {"train.qrels.txt", "validation.qrels.txt"}
    assert not [name for name in opened if name.startswith("test.")]


@pytest.mark.parametrize("how", ["copy", "link", "append"])
def test_test_judgments_in_the_place_of_others_are_noticed(words: Workspace, how: str) -> None:
    test, validation = (words.splits_folder / f"{part}.qrels.txt" for part in ("test", "validation"))
    if how == "append":
        validation.write_bytes(validation.read_bytes() + test.read_bytes())
    else:
        validation.unlink()
        if how == "copy":
            shutil.copy(test, validation)
        else:
            validation.symlink_to(test)
    with pytest.raises(DataError, match=r"validation.qrels.txt: this is not what `cranfield split` wrote"):
        tuning_material(words)
    done = run_cranfield(*TUNE, cwd=words.root)
    assert done.exit_code == 1
    assert "this is not what `cranfield split` wrote" in done.stderr


def test_no_option_and_no_setting_leads_there(words: Workspace) -> None:
    for more in (
        ["--split", "test"],
        ["--qrels", "qrels.txt"],
        ["--topics", "topics.jsonl"],
        ["splits/test.qrels.txt"],
    ):
        assert run_cranfield(*TUNE, *more, cwd=words.root).exit_code == 2
    for parameter in ("qrels=splits/test.qrels.txt", "folder=splits"):
        done = run_cranfield("tune", "bm25", "--param", parameter, cwd=words.root)
        assert done.exit_code == 2
        assert "has no parameter" in done.stderr
    file = words.root / "cranfield.toml"
    changed = file.read_text().replace('qrels = "qrels.txt"', 'qrels = "splits/test.qrels.txt"')
    before = tuned(words)
    file.write_text(changed)
    assert tuned(words) == before


def test_a_portion_of_test_topics_is_refused(words: Workspace) -> None:
    material = tuning_material(words)
    with pytest.raises(DataError, match="not at test"):
        TuningMaterial(material.topics, {"test": material.portions["train"]})


def test_a_workspace_that_is_not_divided_is_not_tuned(words: Workspace) -> None:
    shutil.rmtree(words.splits_folder)
    with pytest.raises(UsageError, match=r"the topics are not divided .* `cranfield split` does that"):
        tuning_material(words)
    assert run_cranfield(*TUNE, cwd=words.root).exit_code == 2


def test_tuning_is_no_look(words: Workspace) -> None:
    tuned(words)
    divided, noted = read_ledger(words.ledger).in_order
    assert (divided.kind, noted.kind) == ("split", "tune")
    if read_split(words).by == "query":
        assert not set(noted.topics.names) & set(divided.topics.names)


def test_engines_of_trials_say_nothing_of_judgments(words: Workspace) -> None:
    engines = TunedEngines(read_workspace(words.root), words.system("bm25"), lambda system: None)
    engine = engines({"b": 0.5})
    assert not [name for name in dir(engine) if "qrels" in name or "judg" in name or "workspace" in name]
    with pytest.raises(CranfieldError):
        engines({"qrels": 1})
    engines.close()
