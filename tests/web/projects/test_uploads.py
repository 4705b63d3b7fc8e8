"""Files that people upload."""

from __future__ import annotations

import gzip
import io
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import override_settings

from cranfield.errors import DataError
from cranfield.formats.documents import iter_documents
from cranfield.web.projects.sources import Sources
from cranfield.web.projects.uploads import unpacked


def test_packed_and_plain() -> None:
    for content in (b"q1 d1\n", gzip.compress(b"q1 d1\n")):
        with unpacked(SimpleUploadedFile("pool.txt", content)) as path:
            assert path.read_bytes() == b"q1 d1\n"
        assert not path.exists()


def test_errors_name_the_file_as_it_was_called() -> None:
    upload = SimpleUploadedFile("docs.jsonl", b'{"id": "d1", "text": "x"}\n{"id": \n')
    with pytest.raises(DataError, match=r"^docs.jsonl:2: ") as caught, Sources() as sources:
        list(iter_documents(sources.place("", upload)))  # type: ignore[arg-type]
    assert "/" not in str(caught.value)


@override_settings(UPLOAD_MAX_SIZE=3 * 2**20)
def test_what_unpacks_to_too_much_is_refused() -> None:
    bomb = gzip.compress(b"q1 d1\n" * 2**20)
    assert len(bomb) < 50_000
    with (
        pytest.raises(DataError, match=r"^pool.gz: unpacked, it has more than 3 MiB"),
        unpacked(SimpleUploadedFile("pool.gz", bomb)),
    ):
        pytest.fail("it was unpacked")


def test_archives_and_damaged_files_are_refused() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.txt", "soup")
    for content, said in (
        (packed.getvalue(), "docs: this is no text"),
        (gzip.compress(b"q1 d1\n" * 1000)[:-20], "docs: the compressed data is damaged"),
        (b"", "docs: the file is empty"),
    ):
        with pytest.raises(DataError, match=said), unpacked(SimpleUploadedFile("docs", content)):
            pytest.fail("it was taken")


@pytest.mark.parametrize("name", ["packed", "plain", "file"])
def test_a_file_may_be_called_anything(name: str) -> None:
    with unpacked(SimpleUploadedFile(name, b"q1 d1\n")) as path:
        assert (path.name, path.read_bytes()) == (name, b"q1 d1\n")
    with pytest.raises(DataError, match=f"^{name}: the file is empty"), unpacked(SimpleUploadedFile(name, b"")):
        pytest.fail("it was unpacked")
