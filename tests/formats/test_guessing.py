"""What kind of thing a file holds."""

from __future__ import annotations

import io

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cranfield.errors import DataError
from cranfield.formats.files import Source, open_source
from cranfield.formats.guessing import Guess, guess_kind


def guess(content: bytes) -> Guess:
    with open_source(io.BytesIO(content)) as source:
        return guess_kind(source)


@pytest.mark.parametrize(
    ("content", "kind", "sure"),
    [
        (b"q Q0 d 1 0.5 tag\n", "run", True),
        (b"q BM25 d 1 0.5 tag more\n", "run", True),
        (b"q Q0 d 1 0.5\n", "run", True),  # the tag is missing
        (b"q Q0 d 1 high tag\n", "run", True),
        (b"q x d 1 high tag\n", "run", False),
        (b"q d 1\n", "run", True),  # MS MARCO
        (b"q 0 d 1\n", "qrels", True),
        (b"q Q0 d 1\n", "qrels", True),
        (b"q 0 d high\n", "qrels", False),
        (b"q 0 d high\nq 0 e 1\nq 0 f 1\n", "qrels", True),
        (b"q d 1 0 0.5\n", "qrels", True),  # prels
        (b"q g 0 d 1\n", "preferences", True),
        (b"q a b a\n", "preferences", True),
        (b"qid,docno,label\n", "qrels", True),
        (b"qid,docno,score\n", "run", False),
        (b"qid\tdocno\trank\tscore\n", "run", True),
        (b"query-id\tcorpus-id\tscore\n", "qrels", True),
        (b"qid,jg,jsg,docno,level\n", "preferences", True),
        (b'{"qid": 1, "docno": "d", "label": 1}', "qrels", True),
        (b'[{"qid": 1, "docno": "d", "score": 1}]', "run", False),
        (b'{"q": {"d": 1, "e": 0}}', "qrels", False),
        (b'{"q": {"d": 1.5, "e": 0}}', "run", False),
        (b'{"q": {"d": -1, "e": 0}}', "run", False),
    ],
)
def test_kinds(content: bytes, kind: str, sure: bool) -> None:
    assert guess(content) == Guess(kind, sure)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "file object: the file is empty"),
        (b"\0\1\2", "file object: this is not a text file, and no known binary format"),
        (
            b"one\n",
            "file object: this is neither qrels nor a run nor preferences in any format known here. --kind says which "
            "of them it should be; the error then says what is wrong.",
        ),
    ],
)
def test_no_kind(content: bytes, message: str) -> None:
    with pytest.raises(DataError) as error:
        guess(content)
    assert str(error.value) == message


def test_parquet(tmp_path: object) -> None:
    file = io.BytesIO()
    pq.write_table(pa.table({"qid": ["q"], "docno": ["d"], "label": [1]}), file)
    path = f"{tmp_path}/f"
    with open(path, "wb") as out:
        out.write(file.getvalue())
    with open_source(path) as source:
        assert guess_kind(source) == Guess("qrels")
    with pytest.raises(DataError, match="say what this Parquet file holds: --kind qrels, run or preferences"):
        guess_kind(Source("f", io.BufferedReader(io.BytesIO(file.getvalue()))))
