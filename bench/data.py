"""Seeded runs and qrels to measure with, made on first use and kept in a folder outside the checkout.

Text is made as a matrix of bytes, one line of the file per row, in which 0 means "no byte here": numbers and
names of different lengths sit in columns of one width, and dropping the zeros leaves the file. This writes
two million lines a second, where a loop over lines would take minutes for the largest files.
"""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Integers = NDArray[np.int64]

DEPTH = 1000
L_QUERIES = 6980
L_JUDGMENTS = 7437
MSMARCO_DOCUMENTS = 8_841_823
# More than a line of the L files takes, to see whether a file fits on the disk.
L_LINE_BYTES = 40
BLOCK_QUERIES = 500


@dataclass(frozen=True)
class Files:
    """A qrels file and the runs to evaluate with it."""

    qrels: Path
    runs: tuple[Path, ...]


def folder() -> Path:
    """Where the files are kept: `$CRANFIELD_BENCH_DATA`, or a folder among the system's temporary files."""
    # The number changes whenever a maker below would write something else.
    default = Path(tempfile.gettempdir()) / "cranfield-bench"
    return Path(os.environ.get("CRANFIELD_BENCH_DATA", default)) / "1"


# --- The files by name ----------------------------------------------------------------------------


def l_files() -> Files:
    """6980 queries x 1000 documents like MS MARCO: numeric ids, one or a few relevant documents a query."""
    return _made("L", lambda place: _write_msmarco(place, L_QUERIES, seed=1))


def l_irregular_files() -> Files:
    """The same lines with tabs, runs of spaces and mixtures of both between the fields."""
    return _made("L-irregular", lambda place: _write_msmarco(place, L_QUERIES, seed=1, separators=IRREGULAR))


def l_tied_files(tied: int) -> Files:
    """L with scores that so many consecutive documents share."""
    return _made(f"L-tied-{tied}", lambda place: _write_msmarco(place, L_QUERIES, seed=1, tied=tied))


def s_files() -> Files:
    """250 topics x 1000 documents like a TREC ad hoc track, about 100 graded judgments a topic."""
    return _made("S", lambda place: _write_trec(place, topics=250, depth=DEPTH))


def s_shuffled_files() -> Files:
    """S with its lines in random order."""
    return _made("S-shuffled", lambda place: _write_trec(place, topics=250, depth=DEPTH, shuffled=True))


def s_tied_files() -> Files:
    """S with scores rounded down to whole numbers, which leaves about ten different ones."""
    return _made("S-tied", lambda place: _write_trec(place, topics=250, depth=DEPTH, score_step=1_000_000))


def x_files() -> Files:
    """50 runs of size S against one qrels."""
    return _made("X", lambda place: _write_trec(place, topics=250, depth=DEPTH, runs=50))


def tiny_files() -> Files:
    """50 topics x 100 documents."""
    return _made("tiny", lambda place: _write_trec(place, topics=50, depth=100))


def diversity_files() -> Files:
    """200 topics x 1000 documents like a TREC diversity task: a judged document has one to three of six subtopics."""
    return _made("diversity", lambda place: _write_trec(place, topics=200, depth=DEPTH, subtopics=6))


def report_files(runs: int, topics: int) -> Files:
    """So many runs of 1000 documents a topic against one qrels."""
    name = f"report-{runs}x{topics}"
    return _made(name, lambda place: _write_trec(place, topics=topics, depth=DEPTH, runs=runs))


def pool_files() -> Files:
    """129 runs of 50 topics x 1000 documents, the shape of TREC-8's ad hoc track."""
    return _made("pool", lambda place: _write_trec(place, topics=50, depth=DEPTH, runs=129))


def many_l_files(runs: int) -> Files:
    """So many runs of size L against one qrels. They are links to two files, which have other scores."""
    originals = (l_files(), l_tied_files(2))

    def link(place: Path) -> None:
        os.link(originals[0].qrels, place / "qrels.txt")
        for number in range(runs):
            os.link(originals[number % 2].runs[0], place / f"run{number + 1:03}.txt")

    return _made(f"L-x{runs}", link)


def growth_files(lines: int) -> Files:
    """As many lines as asked for, 1000 to a query, like L. Whoever asked removes them: see `remove`."""
    return _made(f"growth-{lines}", lambda place: _write_msmarco(place, lines // DEPTH, seed=lines))


def room_for(lines: int) -> bool:
    """Whether the disk takes a growth file of so many lines and keeps as much free again."""
    folder().mkdir(parents=True, exist_ok=True)
    return shutil.disk_usage(folder()).free > 2 * lines * L_LINE_BYTES


def remove(files: Files) -> None:
    """Delete a set of files."""
    shutil.rmtree(files.qrels.parent)


def _made(name: str, write: Callable[[Path], None]) -> Files:
    """The files called `name`, written first if they are not there. An interrupted making leaves nothing."""
    place = folder() / name
    if not place.exists():
        folder().mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder(), prefix=f".{name}-") as unfinished:
            made = Path(unfinished) / name
            made.mkdir()
            write(made)
            made.rename(place)
    # ranx knows a format by its extension.
    return Files(place / "qrels.txt", tuple(sorted(place.glob("run*.txt"))))


# --- Text as matrices of bytes --------------------------------------------------------------------

REGULAR = (b" ",)
IRREGULAR = (b" ", b"\t", b"  ", b"   ", b"\t\t", b" \t", b"\t  ")


def _digits(values: Integers, width: int, *, keep_zeros: bool = False) -> Bytes:
    """Each number's decimal digits, right-aligned; no leading zeros unless kept."""
    powers = 10 ** np.arange(width - 1, -1, -1)
    quotients = values[:, None] // powers
    digits = (quotients % 10 + ord("0")).astype(np.uint8)
    if not keep_zeros:
        digits[:, :-1][quotients[:, :-1] == 0] = 0
    return digits


def _constant(text: bytes, rows: int) -> Bytes:
    return np.broadcast_to(np.frombuffer(text, np.uint8), (rows, len(text)))


def _table(texts: list[bytes]) -> Bytes:
    """One row per text, padded with zeros to the longest."""
    return np.array(texts, dtype=bytes)[:, None].view(np.uint8)


def _run_lines(
    rng: np.random.Generator,
    query: Bytes,
    document: Bytes,
    rank: Integers,
    score: Integers,
    separators: tuple[bytes, ...],
) -> Bytes:
    """Rows `query Q0 document rank score tag`; scores are given in millionths."""
    rows = len(query)
    choices = _table(list(separators))
    fields = [query, _constant(b"Q0", rows), document, _digits(rank, 4)]
    fields.append(
        np.hstack(
            [
                _digits(score // 1_000_000, 3),
                _constant(b".", rows),
                _digits(score % 1_000_000, 6, keep_zeros=True),
            ]
        )
    )
    columns: list[Bytes] = []
    for field in fields:
        columns += [field, choices[rng.integers(len(choices), size=rows)]]
    return np.hstack([*columns, _constant(b"bench\n", rows)])


def _text(lines: Bytes) -> bytes:
    text: bytes = lines[lines != 0].tobytes()
    return text


# --- Like MS MARCO --------------------------------------------------------------------------------


def _write_msmarco(
    place: Path, queries: int, *, seed: int, separators: tuple[bytes, ...] = REGULAR, tied: int = 1
) -> None:
    """Every query judged and answered, one relevant document each and a second for some."""
    rng = np.random.default_rng(seed)
    # The white space has its own generator: the lines are the same whatever stands between their fields.
    separator_rng = np.random.default_rng(seed)
    query_ids = rng.choice(1_200_000, size=queries, replace=False) + 1
    judged_twice = rng.random(queries) < L_JUDGMENTS / L_QUERIES - 1
    with open(place / "run.txt", "wb") as run, open(place / "qrels.txt", "wb") as qrels:
        for first in range(0, queries, BLOCK_QUERIES):
            ids = query_ids[first : first + BLOCK_QUERIES]
            documents = np.array([rng.choice(MSMARCO_DOCUMENTS, DEPTH + 2, replace=False) for _ in ids])
            retrieved, missed = documents[:, :DEPTH], documents[:, DEPTH:]
            run.write(_text(_msmarco_run(rng, separator_rng, ids, retrieved, separators, tied)))
            for query, found, other, twice in zip(
                ids, retrieved, missed, judged_twice[first : first + BLOCK_QUERIES], strict=True
            ):
                # Ranks of relevant documents are log-uniform; one in seven is not found.
                ranks = np.unique((DEPTH ** rng.random(2)).astype(int) - 1)[: 1 + twice]
                relevant = np.where(rng.random(len(ranks)) < 6 / 7, found[ranks], other[: len(ranks)])
                qrels.write(b"".join(b"%d 0 %d 1\n" % (query, document) for document in relevant))


def _msmarco_run(
    rng: np.random.Generator,
    separator_rng: np.random.Generator,
    ids: Integers,
    retrieved: Integers,
    separators: tuple[bytes, ...],
    tied: int,
) -> Bytes:
    # From about 25 down to about 8, strictly descending; a few neighbours are one number as float32.
    gaps = 1 + rng.exponential(16_000, size=retrieved.shape).astype(np.int64)
    score = np.cumsum(gaps[:, ::-1], axis=1)[:, ::-1] + rng.integers(6_000_000, 10_000_000, size=(len(ids), 1))
    score = np.repeat(score[:, ::tied], tied, axis=1)
    return _run_lines(
        separator_rng,
        _digits(np.repeat(ids, DEPTH), 7),
        _digits(retrieved.ravel(), 7),
        np.tile(np.arange(1, DEPTH + 1), len(ids)),
        score.ravel(),
        separators,
    )


# --- Like a TREC ad hoc track ---------------------------------------------------------------------

COLLECTION = 200_000
CANDIDATES = 2 * DEPTH
JUDGED = 100


def _write_trec(
    place: Path,
    *,
    topics: int,
    depth: int,
    runs: int = 1,
    shuffled: bool = False,
    score_step: int = 1,
    subtopics: int = 0,
) -> None:
    """Systems that see the worth of each topic's candidate documents through noise of their own."""
    rng = np.random.default_rng(2)
    names = _table(list(_docnos(rng)))
    documents = np.array([rng.choice(COLLECTION, CANDIDATES, replace=False) for _ in range(topics)])
    worth = rng.normal(size=documents.shape)
    with open(place / "qrels.txt", "wb") as qrels:
        for topic, candidates, values in zip(range(401, 401 + topics), documents, worth, strict=True):
            pooled = np.argsort(-(values + rng.normal(size=CANDIDATES)))[:JUDGED]
            grades = np.searchsorted([2.2, 3.0], values[pooled] + rng.normal(scale=0.5, size=JUDGED))
            # A topic without a relevant document would be left out by some peers.
            grades[0] = 2
            for document, grade in zip(candidates[pooled], grades, strict=True):
                chosen = rng.choice(subtopics, size=rng.integers(1, 4), replace=False) + 1 if subtopics else [0]
                for subtopic in chosen:
                    qrels.write(b"%d %d %s %d\n" % (topic, subtopic, _text(names[document]), grade))
    for number in range(1, runs + 1):
        score = ((worth + rng.normal(size=worth.shape) + 12) * 1_000_000).astype(np.int64)
        order = np.argsort(-score, axis=1)[:, :depth]
        score = np.take_along_axis(score, order, axis=1) // score_step * score_step
        lines = _run_lines(
            rng,
            _digits(np.repeat(np.arange(401, 401 + topics), depth), 3),
            names[np.take_along_axis(documents, order, axis=1).ravel()],
            np.tile(np.arange(1, depth + 1), topics),
            score.ravel(),
            REGULAR,
        )
        if shuffled:
            lines = rng.permutation(lines)
        (place / f"run{number:02}.txt").write_bytes(_text(lines))


def _docnos(rng: np.random.Generator) -> Iterator[bytes]:
    """Names in the manner of TREC's newswire collections, mostly 10 to 21 bytes."""
    for number, kind in enumerate(rng.integers(5, size=COLLECTION).tolist()):
        day = number % 365
        match kind:
            case 0:
                yield b"FT%d-%d" % (911 + day % 34, number)
            case 1:
                yield b"FBIS%d-%d" % (3 + day % 2, number)
            case 2:
                yield b"LA%02d%02d%02d-%05d" % (1 + day % 12, 1 + day % 28, 89 + day % 2, number % 100_000)
            case 3:
                yield b"NYT_ENG_2005%02d%02d.%d" % (1 + day % 12, 1 + day % 28, number)
            case _:
                yield b"FR94%02d%02d-%d-%05d" % (1 + day % 12, 1 + day % 28, day % 3, number % 100_000)
