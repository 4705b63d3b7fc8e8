"""`cranfield.toml`: what it says, and what is said of mistakes in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from cranfield.errors import DataError, FormatError, ParameterError, UsageError
from cranfield.experiments.finding import find_workspace
from cranfield.experiments.workspace import System
from cranfield.experiments.workspace_file import read_workspace
from tests.experiments.kitchen import HEAD, SYSTEMS, make_kitchen


def test_what_the_file_says(tmp_path: Path) -> None:
    search = '\n[search]\nfields = ["title"]\nk = 50\n\n[systems.flat.search]\nk = 10\n'
    workspace = read_workspace(make_kitchen(tmp_path, SYSTEMS + search))
    assert workspace.name == "kitchen"
    assert workspace.root == tmp_path
    assert workspace.measures == ("nDCG@10", "AP")
    assert workspace.systems == {
        "bm25": System("bm25", "bm25", {}, ("title",), 50),
        "flat": System("flat", "bm25", {"b": 0.0}, ("title",), 10),
        "sqlite": System("sqlite", "sqlite", {}, ("title",), 50),
    }
    assert workspace.topics_place == str(tmp_path / "topics.tsv")
    assert workspace.run_file("flat") == tmp_path / "runs" / "flat.run"


def test_it_is_found_from_below_and_nowhere_else(tmp_path: Path) -> None:
    make_kitchen(tmp_path / "kitchen")
    below = tmp_path / "kitchen" / "a" / "b"
    below.mkdir(parents=True)
    found = find_workspace(below)
    assert found is not None
    assert found.root == tmp_path / "kitchen"
    assert find_workspace(tmp_path) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        # line numbers are counted here: HEAD has six lines
        (HEAD.replace("qrels =", "qerls ="), "cranfield.toml:5: qerls: there is no such key. Did you mean qrels?"),
        (HEAD.replace("version = 1\n", ""), "there is no version = ...; expected version = 1"),
        (HEAD + '[reading]\nencodng = "latin-1"', ":8: reading.encodng: there is no such key. Did you mean encoding?"),
        (HEAD + '[reading]\nencoding = "latn-1"', "encoding='latn-1': there is no such encoding. Did you mean"),
        (HEAD + '[reading]\nids = "name"', ":8: reading.ids: is 'name', which is not known"),
        (HEAD.replace("version = 1", "version = 0"), ":1: version: is 0; this cranfield reads version 1"),
        (HEAD.replace("version = 1", "version = 2"), ":1: version: is 2, and this cranfield reads version 1"),
        (HEAD.replace("version = 1", "version = true"), ":1: version: is True"),
        (HEAD.replace('collection = "documents.jsonl"\n', ""), "there is no collection = ..."),
        (HEAD.replace('"topics.tsv"', "7"), ":4: topics: is 7; expected a text"),
        (HEAD.replace('["nDCG@10", "AP"]', '"AP"'), ":6: measures: is 'AP'; expected a list of texts"),
        (HEAD.replace("nDCG@10", "nDGC@10"), ":6: measures: unknown measure 'nDGC@10'. Did you mean nDCG"),
        (HEAD + "\nsystems = 3\n", ":8: systems: is 3; expected a table, [systems]"),
        (HEAD + '\n[systems.a]\nk1 = 1.2\n', ':8: systems.a: there is no engine = "..."'),
        (HEAD + '\n[systems.a]\nengine = "bm52"\n', ":9: systems.a.engine: unknown engine 'bm52'. Did you mean bm25"),
        (HEAD + '\n[systems."a/b"]\nengine = "bm25"\n', ':8: systems."a/b": the name of a system is also that'),
        (HEAD + '\n[systems.a]\nengine = "bm25"\n[systems.a.search]\nfield = ["x"]\n', ":11: systems.a.search.field"),
        (HEAD + "\n[search]\nk = 0\n", ":9: search.k: is 0; expected a whole number of at least 1"),
        (HEAD + "\n[systems.a\n", ":8: this is no TOML"),
        (HEAD + "\nname = 'twice'\n", ":8: this is no TOML: Cannot overwrite a value"),
    ],
)  # fmt: skip
def test_mistakes_are_said_with_their_line(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "cranfield.toml").write_text(text)
    with pytest.raises(FormatError) as caught:
        read_workspace(tmp_path)
    assert message in str(caught.value)
    assert caught.value.exit_code == 1


def test_secrets_do_not_belong_in_it(tmp_path: Path) -> None:
    system = '\n[systems.a]\nengine = "opensearch"\nurl = "http://localhost"\nindex = "i"\nbasic_auth = "me:secret"\n'
    (tmp_path / "cranfield.toml").write_text(HEAD + system)
    with pytest.raises(ParameterError, match=r"cranfield.toml:12: systems.a.basic_auth: a secret does not belong"):
        read_workspace(tmp_path)


def test_no_file_no_text_and_no_system(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="`cranfield init` makes one"):
        read_workspace(tmp_path)
    (tmp_path / "cranfield.toml").write_bytes(b"name = '\xff'")
    with pytest.raises(FormatError, match="no text in UTF-8"):
        read_workspace(tmp_path)
    with pytest.raises(UsageError, match=r"no system 'bm52'\. Did you mean bm25\? There are: bm25, flat, sqlite"):
        read_workspace(make_kitchen(tmp_path)).system("bm52")
