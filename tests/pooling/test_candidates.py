"""Candidates are what a dictionary of all places says, whatever the runs are, in memory and from files."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.data.strings import Strings
from cranfield.pooling.candidates import Candidates
from tests.pooling.made_runs import RESULTS

Places = dict[tuple[bytes, bytes], dict[int, int]]


def by_hand(runs: list[cf.Run], depth: int | None) -> Places:
    """Where each run has each document."""
    places: Places = defaultdict(dict)
    for number, run in enumerate(runs):
        for topic in run:
            for rank, document in enumerate(list(run[topic])[:depth], 1):
                places[topic.encode(), document.encode()][number] = rank
    return places


def in_columns(candidates: Candidates) -> Places:
    places: Places = {}
    for number in range(len(candidates)):
        rows = slice(*candidates.place_offset[number : number + 2].tolist())
        topic = candidates.topic_ids[candidates.topic[number]]
        runs, ranks = candidates.place_run[rows].tolist(), candidates.place_rank[rows].tolist()
        assert runs == sorted(runs)
        places[topic, candidates.documents[number]] = dict(zip(runs, ranks, strict=True))
    return places


@given(st.lists(RESULTS, min_size=1, max_size=4), st.none() | st.integers(1, 4))
def test_every_place_is_there(results: list[dict[str, dict[str, float]]], depth: int | None) -> None:
    runs = [cf.Run.from_dict(each, name=f"run-{number}") for number, each in enumerate(results)]
    candidates, expected = Candidates.of(runs, depth), by_hand(runs, depth)
    found = in_columns(candidates)
    assert found == expected
    assert list(found) == sorted(expected)
    assert candidates.votes.tolist() == [len(expected[key]) for key in found]
    assert candidates.best_rank.tolist() == [min(expected[key].values()) for key in found]
    for number, topic in enumerate(candidates.topic_ids):
        wanted = sorted(document for of, document in expected if of == topic)
        assert candidates.documents.take(candidates.documents_of(number)).tolist() == wanted
    assert candidates.returned.tolist() == [
        [sum(number in expected[key] for key in expected if key[0] == topic) for topic in candidates.topic_ids]
        for number in range(len(runs))
    ]


def test_files_give_the_same_and_their_hashes(tmp_path: Path) -> None:
    runs = [
        cf.Run.from_dict({"q1": {"a": 3, "b": 2}, "q2": {"c": 1}}, name="one"),
        cf.Run.from_dict({"q1": {"b": 5, "d": 4, "a": 3}}, name="two"),
    ]
    paths = [str(tmp_path / f"{run.name}.run") for run in runs]
    for run, path in zip(runs, paths, strict=True):
        cf.write_run(run, path)
    read, made = Candidates.of_files(paths, 2), Candidates.of(runs, 2)
    assert read.runs == made.runs == ("one", "two")
    assert in_columns(read) == in_columns(made)
    assert [len(str(each)) for each in read.sha256] == [64, 64]


def test_no_runs_are_no_candidates() -> None:
    candidates = Candidates.of([])
    assert (len(candidates), candidates.best_rank.tolist(), candidates.votes.tolist()) == (0, [], [])
    assert isinstance(candidates.documents, Strings)


@given(st.lists(RESULTS, min_size=1, max_size=3), st.sets(st.sampled_from([b"1", b"2", b"10"])))
def test_some_topics_are_as_if_the_runs_had_no_others(
    results: list[dict[str, dict[str, float]]], topics: set[bytes]
) -> None:
    runs = [cf.Run.from_dict(each) for each in results]
    some = [cf.Run.from_dict({t: docs for t, docs in each.items() if t.encode() in topics}) for each in results]
    assert in_columns(Candidates.of(runs).among(topics)) == in_columns(Candidates.of(some))
