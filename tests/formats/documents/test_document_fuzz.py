"""Damaged files of documents: they are read, or one of our own errors says why not, and nothing else happens."""

from __future__ import annotations

import gzip
import io
import random
from pathlib import Path

import pytest

from cranfield.data.documents import Document
from cranfield.errors import DataError
from cranfield.formats.documents import FORMATS, iter_documents
from tests.formats.documents.test_document_round_trips import (
    as_csv,
    as_json,
    as_parquet,
    as_smart,
    as_tar_of_trec,
    as_trec,
    as_tsv,
    as_zip_of_smart,
)
from tests.formats.documents.test_folders_and_archives import tar
from tests.formats.test_fuzz import DAMAGE, failure

SMALL = [Document(f"d{at}", {"title": f"Tïtle {at}", "text": f'Some <text> & "words" {at}\nmore'}) for at in range(12)]
ONE_LINE = [
    Document(name, {field: text.replace("\n", " ") for field, text in fields.items()}) for name, fields in SMALL
]


def as_tar_of_texts(documents: list[Document]) -> bytes:
    return tar({f"{'é' * 60}/{document.id}.txt": document.text() for document in documents})


WRITE = [as_tar_of_texts, as_json, as_trec, as_smart, as_csv, as_tsv, as_parquet, as_tar_of_trec, as_zip_of_smart]
REAL = ["cranfield/cran.all.1400", "cisi/CISI.ALL", "cacm/cacm.tar.gz", "time/time_docs_423.tar.gz"]


def check(content: bytes, format: str | None = None) -> None:
    """Reading may fail, but only in our own way, in a line that is not too long."""
    problem = failure(
        lambda: [document.text().encode() for document in iter_documents(io.BytesIO(content), format=format)]
    )
    if problem is not None:
        assert isinstance(problem, DataError), problem
        assert "\n" not in str(problem)
        assert len(str(problem)) < 1500


@pytest.mark.parametrize("write", WRITE)
def test_small_files_of_every_format(write: object) -> None:
    assert callable(write)
    chance = random.Random(f"{write}".split()[1])
    content = write(ONE_LINE)
    for _ in range(60):
        check(chance.choice(DAMAGE)(content, chance))


@pytest.mark.slow
@pytest.mark.parametrize("write", WRITE)
def test_many_damages_of_every_format_read_as_any(write: object) -> None:
    assert callable(write)
    chance = random.Random(f"{write}".split()[1])
    content = write(ONE_LINE)
    for _ in range(1500):
        damaged = content
        for _ in range(chance.randint(1, 3)):
            damaged = chance.choice(DAMAGE)(damaged, chance) or b"x"
        check(damaged, chance.choice([None, *FORMATS]))


@pytest.mark.slow
@pytest.mark.real_data
@pytest.mark.parametrize("file", REAL)
def test_real_files(real_data: Path, file: str) -> None:
    chance = random.Random(file)
    packed = (real_data / "collections" / file).read_bytes()
    content = gzip.decompress(packed) if file.endswith(".gz") else packed
    for _ in range(150):
        begin = 0 if chance.random() < 0.5 else chance.randrange(len(content))
        piece = content[begin : begin + chance.choice([600, 30_000, 300_000])]
        for _ in range(chance.randint(1, 3)):
            piece = chance.choice(DAMAGE)(piece, chance) or b"x"
        check(piece, chance.choice([None, None, *FORMATS]))


@pytest.mark.slow
def test_noise() -> None:
    chance = random.Random(0)
    for _ in range(3000):
        content = chance.randbytes(chance.randint(0, 200))
        if chance.random() < 0.7:
            content = bytes(chance.choice(b'.I T1\n\t<DOC></>{}"id":,&;') for _ in range(chance.randint(0, 200)))
        check(content, chance.choice([None, *FORMATS]))
