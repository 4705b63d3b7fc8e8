"""Reading documents from what a test writes down."""

from __future__ import annotations

import io
from typing import Any

import pytest

from cranfield.data.documents import Document
from cranfield.errors import CranfieldError
from cranfield.formats.documents import iter_documents


def read(content: str | bytes, name: str = "f", **options: Any) -> list[Document]:
    """All documents of a file with this content."""
    stream = io.BytesIO(content.encode() if isinstance(content, str) else content)
    stream.name = name
    return list(iter_documents(stream, **options))


def fields(content: str | bytes, **options: Any) -> dict[str, Any]:
    """The fields of the only document in it."""
    (document,) = read(content, **options)
    return dict(document.fields)


def message(content: str | bytes, **options: Any) -> str:
    """What reading it ends in."""
    with pytest.raises(CranfieldError) as caught:
        read(content, **options)
    return str(caught.value)
