"""Cranfield, CISI, CACM and TIME: exact counts, first and last documents, and what is odd about them.

The counts are those of `grep -c '^\\.I'` and of `tar tzf`; the texts are read off the files.
"""

from __future__ import annotations

import io
import tarfile
from collections import Counter
from pathlib import Path

import pytest

from cranfield.data.documents import Document
from cranfield.formats.documents import iter_documents

pytestmark = pytest.mark.real_data


@pytest.fixture
def collections(real_data: Path) -> Path:
    return real_data / "collections"


def field_counts(documents: list[Document]) -> Counter[str]:
    return Counter(name for document in documents for name in document.fields)


def test_cranfield(collections: Path) -> None:
    documents = list(iter_documents(collections / "cranfield/cran.all.1400"))
    assert [document.id for document in documents] == [str(number) for number in range(1, 1401)]
    assert documents[0].fields["title"] == (
        "experimental investigation of the aerodynamics of a\nwing in a slipstream ."
    )
    assert documents[0].fields["source"] == "j. ae. scs. 25, 1958, 324."
    assert "\r" not in documents[0].text()
    without = [document.id for document in documents if "text" not in document.fields]
    assert without == ["471", "995"]  # whose .W is followed by the next .I


def test_cisi(collections: Path) -> None:
    documents = list(iter_documents(collections / "cisi/CISI.ALL"))
    assert [document.id for document in documents] == [str(number) for number in range(1, 1461)]
    assert documents[0].fields["author"] == "Comaromi, J.P."
    assert documents[0].fields["references"][:2] == [[1, 5, 1], [92, 1, 1]]
    counts = field_counts(documents)
    assert (counts["title"], counts["text"], counts["source"], counts["keywords"]) == (1460, 1460, 24, 1)


def test_cacm(collections: Path) -> None:
    documents = list(iter_documents(collections / "cacm/cacm.tar.gz"))
    assert [document.id for document in documents] == [f"CACM-{number:04}" for number in range(1, 3205)]
    assert field_counts(documents) == {"text": 3204}
    assert (
        documents[0]
        .text()
        .startswith(
            "Preliminary Report-International Algebraic Language\nCACM December, 1958\nPerlis, A. J.\nSamelson,K."
        )
    )


def test_time(collections: Path) -> None:
    documents = list(iter_documents(collections / "time/time_docs_423.tar.gz"))
    assert sorted(int(document.id) for document in documents) == list(range(1, 424))
    assert documents[0].id == "350"
    assert documents[0].text().startswith("*TEXT 470 09/20/63 PAGE 034\n\nSOUTH VIET NAM BIRTH AT GENEVA")


def test_an_unpacked_archive_holds_the_same_documents(collections: Path, tmp_path: Path) -> None:
    packed = collections / "cacm/cacm.tar.gz"
    with tarfile.open(packed) as archive:
        archive.extractall(tmp_path, filter="data")
    assert list(iter_documents(tmp_path)) == list(iter_documents(packed))


def test_through_a_pipe(collections: Path) -> None:
    content = (collections / "time/time_docs_423.tar.gz").read_bytes()
    assert len(list(iter_documents(io.BytesIO(content)))) == 423
