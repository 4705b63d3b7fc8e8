"""Lists taken while a file is read are those of the run read whole, whatever the file is like."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield.errors import DataError
from cranfield.pooling.run_lists import RunLists, lists_of, read_lists

LINES = st.lists(
    st.tuples(st.sampled_from(["9", "10", "2"]), st.sampled_from([f"d{n}" for n in range(12)]), st.integers(0, 4)),
    unique_by=lambda line: line[:2],
    min_size=1,
    max_size=30,
)


def content(lists: RunLists) -> list[object]:
    return [lists.topic_ids, lists.size.tolist(), lists.documents.tolist(), lists.hashes.tolist()]


@settings(max_examples=60)
@given(lines=LINES, depth=st.integers(1, 5), grouped=st.booleans())
def test_what_is_read_is_what_the_run_has(
    lines: list[tuple[str, str, int]], depth: int, grouped: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "lists.run"
    if grouped:
        topics = list(dict.fromkeys(topic for topic, _, _ in lines))
        lines = sorted(lines, key=lambda line: topics.index(line[0]))
    path.write_text("".join(f"{topic} Q0 {document} 1 {score} tag\n" for topic, document, score in lines))
    (found,) = read_lists([str(path)], depth)
    assert content(found) == content(lists_of(cf.read_run(path), depth, "lists"))


@pytest.mark.parametrize("name", ["a.run.gz", "a.jsonl"])
def test_files_that_are_read_whole(tmp_path: Path, name: str) -> None:
    run = cf.Run.from_dict({"q": {"a": 3, "b": 2, "c": 1}})
    cf.write_run(run, tmp_path / name)
    (found,) = read_lists([str(tmp_path / name)], 2)
    assert (found.name, found.documents.tolist()) == ("a", [b"a", b"b"])
    if name.endswith(".gz"):
        assert gzip.decompress((tmp_path / name).read_bytes()).startswith(b"q Q0 a")


def test_what_is_wrong_below_the_depth_is_an_error_too(tmp_path: Path) -> None:
    lines = [f"q Q0 d{rank} {rank} {-rank} tag\n" for rank in range(1, 50)]
    (tmp_path / "twice.run").write_text("".join([*lines, "q Q0 d7 50 -50 tag\n"]))
    with pytest.raises(
        DataError, match=r"twice.run:50: document 'd7' is returned twice for query 'q' \(first at line 7\)"
    ):
        read_lists([str(tmp_path / "twice.run")], 5)
    (tmp_path / "empty.run").write_text("")
    with pytest.raises(DataError, match=r"empty.run: the file is empty"):
        read_lists([str(tmp_path / "empty.run")], 5)


def test_the_error_of_the_first_file_in_order_is_told(tmp_path: Path) -> None:
    for name in ("one", "two", "three"):
        (tmp_path / name).write_text("q Q0 d1 1 none tag\n")
    with pytest.raises(DataError, match=r"one:1: score 'none' is not a finite number"):
        read_lists([str(tmp_path / name) for name in ("one", "two", "three")], 5)
