"""Which runs belong together."""

from __future__ import annotations

from pathlib import Path

import pytest

from cranfield.errors import CranfieldError
from cranfield.pooling.missing.groups import read_groups

RUNS = ["bm25", "bm25-rm3", "dense", "hybrid"]


def test_prefixes_and_files(tmp_path: Path) -> None:
    file = tmp_path / "groups"
    file.write_text("# run group\ndense\tneural nets\n\nhybrid\tneural nets\n")
    found = read_groups(["words=bm25", str(file)], RUNS)
    assert found.names == ("words", "neural nets")
    assert found.of_run.tolist() == [0, 0, 1, 1]
    assert found.several
    assert not read_groups([], RUNS).several


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("dense\n", ":1: expected a run and its group, found 1 fields"),
        ("bm25 words\nbm52 words\n", ":2: 'bm52' is none of the runs. Did you mean bm25"),
        ("dense a\ndense b\n", ":2: dense is in a and in b; a run has one group"),
        ("\n", "there is no line `run group` in it"),
    ],
)
def test_files_that_cannot_be_used(content: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "groups"
    file.write_text(content)
    with pytest.raises(CranfieldError) as error:
        read_groups([str(file)], RUNS)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["x=sparse"], "no run has a name that begins 'sparse'. The runs are bm25, bm25-rm3, dense, hybrid"),
        (["=bm25"], "expected name=prefix, or a file"),
        (["x="], "expected name=prefix, or a file"),
        (["a=bm25", "b=bm25-"], "bm25-rm3 is in a and in b; a run has one group"),
        (["dense=bm25"], "dense is the name of a group and of a run that is not in it"),
        (["missing"], "missing: No such file or directory. --groups takes name=prefix, or a file"),
    ],
)
def test_texts_that_cannot_be_used(given: list[str], message: str) -> None:
    with pytest.raises(CranfieldError) as error:
        read_groups(given, RUNS)
    assert message in str(error.value)
