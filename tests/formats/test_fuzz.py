"""Damaged files: a reader reads them or says in one of its own errors why not, and nothing else."""

from __future__ import annotations

import gzip
import io
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard

from cranfield.errors import CranfieldError, DataError
from cranfield.formats import (
    FORMATS,
    read_preferences,
    read_qrels,
    read_run,
    write_preferences,
    write_qrels,
    write_run,
)
from cranfield.formats.validation import validate

READ: dict[str, Callable[..., Any]] = {"qrels": read_qrels, "run": read_run, "preferences": read_preferences}
WRITE: dict[str, Callable[..., Any]] = {"qrels": write_qrels, "run": write_run, "preferences": write_preferences}

SMALL = {
    "qrels": "q1 0 d1 1\nq1 0 d2 0\nq1 1 d2 -1\nq2 0 d#3 2.5\n# comment\nq10 0 café 1\n" * 1,
    "run": "".join(f"q{at % 3} Q0 doc{at} {at} {20 - at / 7!r} tag\n" for at in range(40)),
    "preferences": "q1 ann 0 d1 2\nq1 ann 0 d2 1\nq1 bob 1 d2 1\nq2 ann 0 d1 0\n",
}
REAL = [
    ("qrels", "trec_eval_test/qrels.test.with-comments"),
    ("qrels", "trec_eval_test/qrels.comment.test"),
    ("qrels", "trec_covid_r1/qrels-rnd1.txt"),
    ("qrels", "web09_diversity/qrels.diversity"),
    ("qrels", "prels/prels.web.1-50.txt"),
    ("run", "trec_eval_test/results.trunc"),
    ("run", "trec_covid_r1/runs/BERT.gz"),
    ("run", "dl19/runs/BM25.top100.txt"),
    ("run", "collections/time/runs/bm25_stem.sal.gz"),
    ("preferences", "trec_eval_test/prefs.comment.test"),
    ("preferences", "prefs_cast19/TREC-CAsT-2019.local.pref"),
]
INSERTS = [
    b"\0", b"\n", b"\r", b"\r\n", b" ", b"\t", b"#", b'"', b",", b"{", b"}", b"[", b"nan", b"-inf", b"1e999", b"\xff\xfe",
    b"\xef\xbb\xbf", "é".encode(), "\u2028".encode(), "\uff11".encode(), b"\x0b\x0c", b"\x85", b"9" * 400, b"\\ud800", b"null",
]  # fmt: skip


def flip_bytes(content: bytes, chance: random.Random) -> bytes:
    damaged = bytearray(content)
    for _ in range(chance.randint(1, 8)):
        damaged[chance.randrange(len(damaged))] = chance.randrange(256)
    return bytes(damaged)


def cut(content: bytes, chance: random.Random) -> bytes:
    begin = chance.randrange(len(content)) if chance.random() < 0.3 else 0
    return content[begin : chance.randrange(begin, len(content)) + 1]


def insert(content: bytes, chance: random.Random) -> bytes:
    for _ in range(chance.randint(1, 5)):
        at = chance.randrange(len(content) + 1)
        content = content[:at] + chance.choice(INSERTS) + content[at:]
    return content


def cut_lines(content: bytes, chance: random.Random) -> bytes:
    lines = content.split(b"\n")
    for _ in range(chance.randint(1, 5)):
        at = chance.randrange(len(lines))
        lines[at] = lines[at][: chance.randint(0, len(lines[at]))]
    return b"\n".join(lines)


def join_lines(content: bytes, chance: random.Random) -> bytes:
    lines = content.split(b"\n")
    for _ in range(chance.randint(1, 5)):
        at = chance.randrange(len(lines))
        lines[at : at + 2] = [chance.choice([b" ", b"", b"\t"]).join(lines[at : at + 2])]
    return b"\n".join(lines)


def repeat_lines(content: bytes, chance: random.Random) -> bytes:
    lines = content.split(b"\n")
    for _ in range(chance.randint(1, 3)):
        lines.insert(chance.randrange(len(lines)), chance.choice(lines))
    return b"\n".join(lines)


def shuffle_lines(content: bytes, chance: random.Random) -> bytes:
    lines = content.split(b"\n")
    chance.shuffle(lines)
    return b"\n".join(lines)


def pack_and_damage(content: bytes, chance: random.Random) -> bytes:
    packed = gzip.compress(content) if chance.random() < 0.5 else zstandard.compress(content)
    return chance.choice([flip_bytes, cut])(packed, chance)


DAMAGE = [flip_bytes, cut, insert, cut_lines, join_lines, repeat_lines, shuffle_lines, pack_and_damage]


def failure(call: Callable[..., Any], *arguments: Any, **options: Any) -> CranfieldError | None:
    """The error of ours that a call raised; any other goes on its way and fails the test."""
    try:
        call(*arguments, **options)
    except CranfieldError as error:
        return error
    return None


def check(kind: str, content: bytes, format: str | None = None) -> None:
    """Reading may fail, but only in our own way; validation never fails, and agrees with reading."""
    problem = failure(READ[kind], io.BytesIO(content), format=format)
    if problem is not None:
        assert isinstance(problem, DataError)
        assert "\n" not in str(problem)
        assert len(str(problem)) < 1000
    report = validate(io.BytesIO(content), kind=kind, format=format)
    assert bool(report.errors) == (problem is not None), (report, problem)
    if format is None:
        validate(io.BytesIO(content))


@pytest.mark.parametrize(("kind", "format"), [(kind, format) for kind, names in FORMATS.items() for format in names])
def test_small_files_of_every_format(kind: str, format: str, tmp_path: Path) -> None:
    chance = random.Random(f"{kind} {format}")
    text = SMALL[kind]
    if format == "pairs":
        text = "q1 a b a\nq1 b a a\nq2 c d d\n"
    if format in ("letor", "prels", "beir", "quepid", "opensearch"):
        text = text.replace(" 1 d2 -1", " 0 d4 -1")
    WRITE[kind](READ[kind](io.StringIO(text)), tmp_path / "f", format=format)
    content = (tmp_path / "f").read_bytes()
    check(kind, content, format)
    for _ in range(60):
        check(kind, chance.choice(DAMAGE)(content, chance), format)


@pytest.mark.slow
@pytest.mark.real_data
@pytest.mark.parametrize(("kind", "file"), REAL)
def test_real_files(real_data: Path, kind: str, file: str) -> None:
    chance = random.Random(file)
    content = (real_data / file).read_bytes()
    if file.endswith(".gz"):
        content = gzip.decompress(content)
    lines = content.splitlines(keepends=True)
    for _ in range(150):
        begin = chance.randrange(len(lines))
        piece = b"".join(lines[begin : begin + chance.choice([3, 50, 2000])])
        for _ in range(chance.randint(1, 3)):
            piece = chance.choice(DAMAGE)(piece, chance) or b"x"
        check(kind, piece)


@pytest.mark.slow
@pytest.mark.real_data
@pytest.mark.parametrize("format", [name for name in FORMATS["run"] if name != "trec"])
def test_real_runs_in_every_format(real_data: Path, tmp_path: Path, format: str) -> None:
    chance = random.Random(format)
    write_run(read_run(real_data / "dl19/runs/BM25.top100.txt"), tmp_path / "f", format=format)
    content = (tmp_path / "f").read_bytes()
    for _ in range(150):
        check("run", chance.choice(DAMAGE)(content, chance), format)


@pytest.mark.slow
def test_noise() -> None:
    chance = random.Random(0)
    for _ in range(3000):
        content = chance.randbytes(chance.randint(0, 200))
        if chance.random() < 0.5:
            content = bytes(chance.choice(b'q 01.d\n\t#{}":,') for _ in range(chance.randint(0, 200)))
        for kind in FORMATS:
            check(kind, content)
