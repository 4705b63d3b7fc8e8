"""Pool files: what is written is read, equal pools are equal files, and what is not whole is refused."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.data.pool import Pool
from cranfield.errors import DataError, FormatError
from cranfield.formats.pools import MARK, read_pool, write_pool
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.depth import Depth
from cranfield.pooling.extending import EMPTY, extended
from cranfield.pooling.sampling import RandomSample
from cranfield.pooling.strategy import Strategy
from tests.pooling.made_runs import noisy_runs

NAMES = st.text(st.characters(codec="utf-8", exclude_characters="\t\n"), min_size=1, max_size=12)


def columns(pool: Pool) -> list[object]:
    values = (pool.topic, pool.chosen, pool.method, pool.round, pool.stratum, pool.probability)
    return [
        pool.topic_ids,
        pool.documents.tolist(),
        *(None if value is None else value.tolist() for value in values),
        pool.recipe,
        pool.collection_sha256,
        pool.topics_sha256,
    ]


@pytest.mark.parametrize("strategy", [Depth(5), RandomSample(rate=0.3)])
@pytest.mark.parametrize("name", ["pool.tsv", "pool.tsv.gz", "pool.tsv.zst"])
def test_what_is_written_is_read(tmp_path: Path, strategy: Strategy, name: str) -> None:
    runs, _ = noisy_runs(runs=3, topics=4, documents=30, depth=10, seed=1)
    empty = replace(EMPTY, collection_sha256="ab" * 32)
    pool = extended(empty, Candidates.of(runs), strategy, recipe={"strategy": strategy.name, "runs": ["é", "b"]})
    write_pool(pool, tmp_path / name)
    assert columns(read_pool(tmp_path / name)) == columns(pool)


@settings(max_examples=25)
@given(documents=st.dictionaries(NAMES, st.lists(NAMES, min_size=1, max_size=4, unique=True), min_size=1, max_size=4))
def test_any_names(documents: dict[str, list[str]], tmp_path_factory: pytest.TempPathFactory) -> None:
    place = tmp_path_factory.getbasetemp() / "any.tsv"
    write_pool(Pool.from_dict(documents), place)
    assert read_pool(place).to_judge() == {topic: documents[topic] for topic in sorted(documents, key=str.encode)}


def test_equal_pools_are_equal_files_that_name_no_system_beside_a_document(tmp_path: Path) -> None:
    runs, _ = noisy_runs(runs=3, topics=2, documents=30, depth=10, seed=1)
    for name, several in (("one", runs), ("two", runs[::-1])):
        write_pool(extended(EMPTY, Candidates.of(several), Depth(4)), tmp_path / name)
    text = (tmp_path / "one").read_text()
    assert text == (tmp_path / "two").read_text()
    first, header, *lines = text.splitlines()
    assert first.startswith('# cranfield pool 1 {"documents": ')
    assert header == "topic\tdocument\tchosen\tstratum\tprobability\tmethod\tround"
    assert len(lines) == json.loads(first.split(" ", 4)[4])["documents"]
    assert {line.split("\t")[2:6][0] for line in lines} == {"1"}
    assert not any("run-" in line for line in lines)


@pytest.fixture
def content(tmp_path: Path) -> bytes:
    write_pool(Pool.from_dict({"q1": ["d1", "d2", "d3"], "q2": ["d1"]}), tmp_path / "pool.tsv")
    return (tmp_path / "pool.tsv").read_bytes()


def test_wherever_it_is_cut_short_it_is_refused(content: bytes) -> None:
    for end in range(len(content)):
        with pytest.raises(DataError):
            read_pool(io.BytesIO(content[:end]))


def test_a_pool_cut_short_says_how_much_is_left(content: bytes) -> None:
    lines = content.splitlines(keepends=True)
    with pytest.raises(DataError, match=r"cut short: it had 4 documents, 2 lines are left\. Take a copy"):
        read_pool(io.BytesIO(b"".join(lines[:4])))
    with pytest.raises(DataError, match=r"4 documents, 2 lines are left, and the last line is not whole"):
        read_pool(io.BytesIO(b"".join(lines[:4])[:-3]))
    with pytest.raises(FormatError, match=r":1: the first line is not whole: the file was cut short"):
        read_pool(io.BytesIO(lines[0][:40]))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b"d2", b"d9", "changed after it was written: some line is another"),
        (b"q2\td1", b"q2\td0\t1\t-\t-\t0\t0\nq2\td1", "it had 4 documents, now there are 5"),
        (b"pool 1", b"pool 2", "the pool has version 2; this cranfield reads version 1"),
        (b'"sha256"', b'"sha"', "the first line lacks documents, sha256, recipe"),
        (b"# cranfield pool", b"# pool", "this is no pool: expected a first line"),
    ],
)
def test_a_pool_that_was_changed(content: bytes, old: bytes, new: bytes, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_pool(io.BytesIO(content.replace(old, new, 1)))


@pytest.mark.parametrize("name", ["", "a\tb", "a\nb"])
def test_names_that_a_line_cannot_hold(tmp_path: Path, name: str) -> None:
    (tmp_path / "pool.tsv").write_text("old")
    with pytest.raises(DataError, match="cannot be written in a pool: it is empty, or holds a tab or line end"):
        write_pool(Pool.from_dict({"q": ["d", name]}), tmp_path / "pool.tsv")
    assert (tmp_path / "pool.tsv").read_text() == "old"


def test_a_chance_of_zero_is_refused(tmp_path: Path) -> None:
    pool = replace(
        Pool.from_dict({"q": ["a", "b"]}),
        probability=np.array([0.5, 0.0]),
        stratum=np.ones(2, dtype=np.int32),
        method=np.ones(2, dtype=np.int32),
    )
    write_pool(pool, tmp_path / "pool.tsv")
    with pytest.raises(DataError, match="document 'b' of topic 'q': inclusion probability 0 is not above 0"):
        read_pool(tmp_path / "pool.tsv")


def test_a_version_of_any_length_is_told(tmp_path: Path) -> None:
    (tmp_path / "pool.tsv").write_bytes(MARK + b" " + b"9" * 5000 + b" {}\n")
    with pytest.raises(FormatError, match=r"the pool has version 9{20}; this cranfield"):
        read_pool(tmp_path / "pool.tsv")
