"""Pools from runs: what is said, what is refused, and what nothing depends on."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import cranfield as cf
from cranfield.data.pool import Pool
from cranfield.errors import CoverageError, DataError, UsageError
from cranfield.formats.pools import write_pool
from cranfield.pooling.added_documents import AddedDocuments
from cranfield.pooling.building import build_pool, extend_pool
from cranfield.pooling.depth import Depth
from cranfield.pooling.sampling import RandomSample
from tests.pooling.made_runs import noisy_runs, run_of

ONE = run_of({"q1": list("abcd"), "q2": list("ab")}, "one")
TWO = run_of({"q1": list("cdef")}, "two")


def test_a_pool_of_files_is_the_pool_of_runs_in_any_order(tmp_path: Path) -> None:
    runs, _ = noisy_runs(runs=4, topics=3, documents=40, depth=12, seed=3)
    paths = [str(tmp_path / f"{run.name}.run") for run in runs]
    for run, path in zip(runs, paths, strict=True):
        cf.write_run(run, path)
    contents = set()
    for seed in range(3):
        write_pool(build_pool(random.Random(seed).sample(paths, 4), Depth(7), seed=5).pool, tmp_path / "pool")
        contents.add((tmp_path / "pool").read_bytes())
    assert len(contents) == 1
    assert build_pool(runs, Depth(7), seed=5).pool.to_judge() == build_pool(paths, Depth(7), seed=5).pool.to_judge()


def test_what_is_short_or_missing_is_said_and_counted() -> None:
    assert build_pool([ONE, TWO], Depth(3)).notes == (
        "1 run with fewer than 3 documents for some topic: one (1 topic, the shortest list has 2)",
        "1 run without any document for some topic: two (1 topic)",
    )
    many = [run_of({"q": ["a"]}, f"run-{number}") for number in range(7)]
    (note,) = build_pool(many, Depth(2)).notes
    assert note.startswith("7 runs with fewer than 2 documents for some topic: run-0 (1 topic, ")
    assert note.endswith(" and 2 more")
    assert build_pool([ONE], Depth(2)).notes == ()


def test_runs_without_common_topics_are_refused() -> None:
    stranger = run_of({"Q1": ["a"], "Q2": ["b"]}, "stranger")
    with pytest.raises(CoverageError, match=r"stranger: none of its 2 topics \(Q1, Q2\) is one of any other run"):
        build_pool([ONE, TWO, stranger])
    pool = build_pool([ONE]).pool
    with pytest.raises(CoverageError, match=r"stranger: none of its 2 topics \(Q1, Q2\) is one of the pool"):
        extend_pool(pool, [stranger])
    other = run_of({"x": ["a"]}, "other")
    with pytest.raises(
        CoverageError, match=r"any other run: stranger \(2 topics: Q1, Q2\), other \(1 topic: x\)\. Are"
    ):
        build_pool([stranger, other])


def test_a_run_that_is_named_twice_is_said(tmp_path: Path) -> None:
    one, copy = str(tmp_path / "one.run"), str(tmp_path / "copy.run")
    for path in (one, copy):
        cf.write_run(ONE, path)
    assert build_pool([one, copy], Depth(2)).notes == ("2 runs with the same content, each of which counts: one, copy",)
    assert build_pool([one, one], Depth(2)).notes[0].startswith("2 runs with the same content")


def test_added_documents_that_the_collection_does_not_have_are_said() -> None:
    hand = AddedDocuments(Pool.from_dict({"q1": ["a", "nosuch"], "q2": ["nosuch"]}), "hand.txt")
    built = build_pool([ONE], Depth(2), added=[hand], documents=lambda: iter(["a", "b", "c"]))
    assert built.notes == ("hand.txt: 1 document that the collection does not have: nosuch",)
    assert "nosuch" in built.pool["q1"]
    assert build_pool([ONE], Depth(2), added=[hand], documents=lambda: ["a", "nosuch"]).notes == ()


def test_topics_that_are_not_asked_are_left_out_and_said() -> None:
    built = build_pool([ONE], Depth(2), topics=["q2", "q9"], added=[AddedDocuments(Pool.from_dict({"q1": ["z"]}))])
    assert list(built.pool) == ["q2"]
    assert built.notes == (
        "1 topic of the runs left out, not asked: q1",
        "1 topic without a document to judge: q9",
    )
    with pytest.raises(CoverageError, match=r"none of the 2 topics of the runs \(q1, q2\) is among the 1 topics"):
        build_pool([ONE], topics=["q9"])


def test_a_document_returned_twice_is_an_error_that_names_the_line(tmp_path: Path) -> None:
    (tmp_path / "twice.run").write_text("q1 Q0 a 1 3 t\nq1 Q0 b 2 2 t\nq1 Q0 a 3 1 t\n")
    with pytest.raises(DataError, match=r"twice.run:3: document 'a' is returned twice for query 'q1'"):
        build_pool([str(tmp_path / "twice.run")], Depth(1))


def test_an_extension_says_what_is_new() -> None:
    pool = build_pool([TWO], Depth(2)).pool
    built = extend_pool(pool, [ONE], Depth(2))
    assert built.new == 4  # a and b of q1, a and b of q2
    assert built.notes == ("1 topic that the pool did not have: q2",)
    assert [each["strategy"] for each in built.pool.recipe] == ["depth", "depth"]


def test_hand_added_documents(tmp_path: Path) -> None:
    (tmp_path / "found.txt").write_text("q1 z\nq1 z\nq2 y\n")
    added = AddedDocuments.read(str(tmp_path / "found.txt"))
    built = build_pool([], added=[added])
    assert {topic: sorted(built.pool[topic]) for topic in built.pool} == {"q1": ["z"], "q2": ["y"]}
    assert built.notes == ("found.txt: 1 line named a document once more",)
    (recipe,) = built.pool.recipe
    assert (recipe["strategy"], recipe["runs"]) == ("added", [])
    assert recipe["added"][0]["name"] == "found.txt"
    assert len(recipe["added"][0]["sha256"]) == 64


def test_nothing_makes_no_pool() -> None:
    with pytest.raises(UsageError, match="there is nothing to make a pool of"):
        build_pool([])
    with pytest.raises(UsageError, match="either all files or all in memory"):
        build_pool([ONE, "two.run"])


def test_the_recipe_has_all_that_is_needed_to_do_it_again(tmp_path: Path) -> None:
    path = str(tmp_path / "one.run")
    cf.write_run(ONE, path)
    (recipe,) = build_pool([path], RandomSample(rate=0.5), seed=7).pool.recipe
    assert recipe["parameters"] == {"rate": 0.5, "depth": 100}
    assert (recipe["strategy"], recipe["seed"], recipe["order"]) == ("random", 7, "random")
    assert [run["name"] for run in recipe["runs"]] == ["one"]
