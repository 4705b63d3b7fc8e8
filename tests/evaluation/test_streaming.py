"""A run file is joined with the judgments while it is read; the result is that of reading it whole."""

from __future__ import annotations

import gzip
import os
import random
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield.data.rankings import Rankings
from cranfield.errors import FormatError
from cranfield.evaluation import streaming
from cranfield.evaluation.streaming import rank_file

Line = tuple[str, str, str]


def make_lines(seed: int, queries: int = 30, documents: int = 40, scores: int = 1000) -> list[Line]:
    rng = random.Random(seed)
    lines = []
    for query in range(queries):
        for document in rng.sample(range(200), documents):
            lines.append((f"q{query}", f"document-{document}", f"{rng.randrange(scores) / 100:.2f}"))
    return lines


def write(path: Path, lines: list[Line]) -> Path:
    path.write_text("".join(f"{q} Q0 {d} 0 {s} tag\n" for q, d, s in lines))
    return path


def make_qrels(seed: int, queries: int = 35) -> cf.Qrels:
    rng = random.Random(seed)
    return cf.Qrels.from_dict(
        {f"q{q}": {f"document-{d}": rng.randint(-1, 3) for d in rng.sample(range(200), 30)} for q in range(queries)}
    )


def same(one: Rankings, other: Rankings) -> bool:
    columns = ("retrieved", "tied", "query", "rank", "grade")
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in columns)


@pytest.fixture
def small_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    """Split even small files between several processes."""
    monkeypatch.setattr(streaming, "WORTH_SPLITTING", 1)
    monkeypatch.setattr(streaming, "cores", lambda: 3)


def sort_by_score(lines: list[Line]) -> list[Line]:
    return sorted(lines, key=lambda line: (line[0], -float(line[2]), line[1]))


@pytest.mark.parametrize("scores", [100000, 50, 1], ids=["few ties", "many ties", "all tied"])
@pytest.mark.parametrize("single", [False, True], ids=["double", "single"])
@pytest.mark.parametrize(
    "arrange",
    [sort_by_score, list, lambda lines: random.Random(5).sample(lines, len(lines))],
    ids=["sorted", "unsorted", "shuffled"],
)
@pytest.mark.usefixtures("small_ranges")
def test_same_as_in_memory(
    tmp_path: Path, arrange: Callable[[list[Line]], list[Line]], single: bool, scores: int
) -> None:
    lines = arrange(make_lines(1, scores=scores))
    qrels = make_qrels(2)
    path = write(tmp_path / "x.run", lines)
    run = cf.Run.from_tuples([(q, d, float(s)) for q, d, s in lines])
    ranked = rank_file(path, qrels, single=single)
    assert same(ranked.rankings, Rankings.join(qrels, run, single=single))
    assert ranked.tag == "tag"
    # Oracle for the ranks themselves: Python's sort by score and document, both descending.
    as_number = np.float32 if single else float
    for query in range(30):
        mine = sorted(((as_number(s), d) for q, d, s in lines if q == f"q{query}"), reverse=True)
        judged = qrels[f"q{query}"]
        expected = [(rank, judged[d]) for rank, (_, d) in enumerate(mine, 1) if d in judged]
        rows = ranked.rankings.query == qrels.position[f"q{query}".encode()]
        found = zip(ranked.rankings.rank[rows].tolist(), ranked.rankings.grade[rows].tolist(), strict=True)
        assert list(found) == expected


def test_packed_and_shuffled_files(tmp_path: Path) -> None:
    lines = make_lines(3)
    plain = write(tmp_path / "plain.run", lines)
    packed = tmp_path / "packed.run.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    shuffled = write(tmp_path / "shuffled.run", random.Random(7).sample(lines, len(lines)))
    qrels = make_qrels(4)
    one, two, three = (rank_file(path, qrels, single=False) for path in (plain, packed, shuffled))
    assert same(one.rankings, two.rankings)
    assert same(one.rankings, three.rankings)


def test_a_shuffled_run_from_a_pipe_is_read_once(tmp_path: Path) -> None:
    lines = make_lines(3)
    shuffled = write(tmp_path / "shuffled.run", random.Random(7).sample(lines, len(lines)))
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(shuffled.read_bytes(),))
    writer.start()
    qrels = make_qrels(4)
    piped = rank_file(tmp_path / "pipe", qrels, single=False)
    writer.join()
    assert same(piped.rankings, rank_file(shuffled, qrels, single=False).rankings)


def test_topics_that_are_not_judged_are_named(tmp_path: Path) -> None:
    path = write(tmp_path / "x.run", [("q1", "a", "1"), ("q7", "a", "1")])
    ranked = rank_file(path, cf.Qrels.from_dict({"q1": {"a": 1}}), single=False)
    assert ranked.unjudged_queries == ("q7",)


@pytest.mark.usefixtures("small_ranges")
def test_an_error_in_a_later_part_has_its_line_in_the_whole_file(tmp_path: Path) -> None:
    lines = make_lines(8)
    lines[-3] = (lines[-3][0], lines[-3][1], "high")
    path = write(tmp_path / "x.run", lines)
    with pytest.raises(FormatError, match=r"x\.run:1198: score 'high' is not a finite number"):
        rank_file(path, make_qrels(9), single=False)


@pytest.mark.usefixtures("small_ranges")
def test_a_repeated_document_in_a_later_part(tmp_path: Path) -> None:
    lines = make_lines(8)
    lines[-1] = (lines[-1][0], lines[-4][1], "0.5")
    path = write(tmp_path / "x.run", lines)
    with pytest.raises(FormatError, match=r"x\.run:1200: document 'document-\d+' is returned twice for query 'q29'"):
        rank_file(path, make_qrels(9), single=False)


def test_a_repeated_document_megabytes_apart(tmp_path: Path) -> None:
    first = "q1 Q0 twin 1 9.5 tag\n"
    filler = "".join(f"q1 Q0 document-{i} 2 1.5 tag\n" for i in range(200_000))  # one query of five megabytes
    (tmp_path / "x.run").write_text(first + filler + first)
    with pytest.raises(FormatError, match=r"x\.run:200002: .*'twin' is returned twice .*first at line 1"):
        rank_file(tmp_path / "x.run", cf.Qrels.from_dict({"q1": {"twin": 1}}), single=False)


def test_a_repeated_document_where_lines_of_a_query_stand_apart(tmp_path: Path) -> None:
    others = "".join(f"q{i} Q0 document 1 1.5 tag\n" for i in range(2, 100_000))
    (tmp_path / "x.run").write_text("q1 Q0 twin 1 9.5 tag\n" + others + "q1 Q0 twin 1 9.5 tag\n")
    with pytest.raises(FormatError, match=r"x\.run:100000: .*'twin' is returned twice .*first at line 1"):
        rank_file(tmp_path / "x.run", cf.Qrels.from_dict({"q1": {"twin": 1}}), single=False)


@settings(max_examples=60, deadline=None)
@given(
    lines=st.lists(
        st.tuples(
            st.sampled_from(["1", "2", "10", "x" * 20]),
            st.sampled_from(["a", "b", "c" * 9, "c" * 17, "é"]),
            st.integers(0, 3).map(str),
        ),
        unique_by=lambda line: line[:2],
        min_size=1,
    )
)
def test_any_order_of_lines_gives_the_same_ranking(tmp_path_factory: pytest.TempPathFactory, lines: list[Line]) -> None:
    qrels = cf.Qrels.from_dict({q: dict.fromkeys(("a", "c" * 9, "é"), 1) for q in ("1", "2", "10")})
    folder = tmp_path_factory.mktemp("any")
    given_order = rank_file(write(folder / "a.run", lines), qrels, single=False)
    sorted_order = rank_file(write(folder / "b.run", sort_by_score(lines)), qrels, single=False)
    assert same(given_order.rankings, sorted_order.rankings)
