"""Features for learning to rank, in the files of LETOR, Microsoft, Yahoo and SVMlight."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cranfield.data.features import Features
from cranfield.errors import DataError
from cranfield.formats import read_qrels
from cranfield.formats.letor import read_features, write_features

# Lines as the files of these sets have them.
LETOR_4 = (
    "2 qid:10032 1:0.056537 2:0.000000 46:0.076923 #docid = GX029-35-5894638 inc = 0.0119881192468859 prob = 0.139842\n"
    "0 qid:10032 1:0.279152 2:0.000000 46:1.000000 #docid = GX030-77-6315042 inc = 1 prob = 0.341364\n"
    "1 qid:10033 1:0.5 #docid = GX030-77-6315042 inc = 1 prob = 0.341364\n"
)
YAHOO = "1 qid:1 10:0.89028 11:0.75088 \n0 qid:1 10:0.1\n0 qid:2 700:1\n"


def test_letor_names_its_documents() -> None:
    features = read_features(io.StringIO(LETOR_4), name="mq2007")
    assert [(row.query, row.document, row.grade) for row in features.rows()] == [
        ("10032", "GX029-35-5894638", 2),
        ("10032", "GX030-77-6315042", 0),
        ("10033", "GX030-77-6315042", 1),
    ]
    assert next(features.rows()).features == {1: 0.056537, 2: 0.0, 46: 0.076923}
    assert features.matrix().shape == (3, 46)
    assert features.matrix(50)[1, [0, 1, 45, 49]].tolist() == [0.279152, 0, 1, 0]
    assert repr(features) == "<Features mq2007: 3 documents, features up to 46>"
    assert features.qrels().to_dict() == read_qrels(io.StringIO(LETOR_4)).to_dict()
    assert features.qrels()["10032"] == {"GX029-35-5894638": 2, "GX030-77-6315042": 0}


def test_documents_without_names_go_by_their_place() -> None:
    features = read_features(io.StringIO(YAHOO))
    assert features.qrels().to_dict() == {"1": {"1.1": 1, "1.2": 0}, "2": {"2.1": 0}}
    assert read_qrels(io.StringIO(YAHOO)).to_dict() == features.qrels().to_dict()
    assert features.offset.tolist() == [0, 2, 3, 4]
    assert features.number.tolist() == [10, 11, 10, 700]


def test_comments_and_blank_lines() -> None:
    features = read_features(
        io.StringIO(
            "# made by hand\n\n3 qid:a 1:1 # d1\n2.5 qid:a # docid:d2 other words\n1 qid:a 2:-1e-3 # two words\n"
        )
    )
    assert features.qrels()["a"] == {"d1": 3, "d2": 2.5, "a.3": 1}
    assert features.value.tolist() == [1.0, -0.001]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("2", "expected a grade and qid:query, found nothing behind '2'"),
        ("2 1:0.5", "expected a grade and qid:query, found '1:0.5' behind '2'"),
        ("2 qid: 1:0.5", "qid: names no query"),
        ("good qid:1 1:0.5", "grade 'good' is not a number"),
        ("2 qid:1 1:0.5 x", "expected feature:value, found 'x'"),
        ("2 qid:1 one:0.5", "expected feature:value, found 'one:0.5'"),
        ("2 qid:1 1:nan", "the value of feature 1, 'nan', is not a finite number"),
        ("2 qid:1 1:", "the value of feature 1, '', is not a finite number"),
        ("2 qid:1 3:1 2:1", "feature 2 stands behind feature 3; they must rise"),
        ("2 qid:1 3:1 3:1", "feature 3 stands behind feature 3; they must rise"),
        ("2 qid:1 " + "9" * 5000 + ":1", "expected feature:value, found '999"),
    ],
)
def test_malformed_lines_are_named(line: str, reason: str) -> None:
    file = io.StringIO(f"1 qid:1 1:0.5\n\n{line}\n1 qid:1 1:0.5\n")
    file.name = "f"
    with pytest.raises(DataError) as error:
        read_features(file)
    assert str(error.value).startswith(f"f:3: {reason}")


def test_what_cannot_be_had() -> None:
    with pytest.raises(DataError, match="the file has no records"):
        read_features(io.StringIO("# nothing\n"))
    with pytest.raises(DataError, match="document 'd' is judged twice for query '1'"):
        read_features(io.StringIO("1 qid:1 # d\n2 qid:1 # d\n")).qrels()
    with pytest.raises(DataError, match="there is a feature 700, so 600 columns are too few"):
        read_features(io.StringIO(YAHOO)).matrix(600)
    with pytest.raises(DataError, match="feature 0 has no column; they are counted from 1"):
        read_features(io.StringIO("1 qid:1 0:1\n")).matrix()


words = st.from_regex(r"[A-Za-z0-9:._-]{1,8}", fullmatch=True)
finite = st.floats(allow_nan=False, allow_infinity=False)
rows = st.tuples(
    words, st.one_of(st.none(), words), finite, st.dictionaries(st.integers(0, 999_999_999), finite, max_size=5)
)


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(rows, min_size=1, max_size=8))
def test_round_trip(tmp_path: Path, given_rows: list[tuple[str, str | None, float, dict[int, float]]]) -> None:
    written = Features.from_rows(given_rows)
    write_features(written, tmp_path / "f.letor.gz")
    back = read_features(tmp_path / "f.letor.gz")
    for column in ("grade", "offset", "number", "value"):
        assert np.array_equal(getattr(back, column), getattr(written, column))
    assert back.query.tolist() == written.query.tolist()
    assert back.given_document.tolist() == written.given_document.tolist()
    assert [row.features for row in back.rows()] == [row[3] for row in given_rows]


def test_features_read_as_scikit_learn_reads_them(tmp_path: Path) -> None:
    """Oracle: sklearn.datasets.load_svmlight_file."""
    datasets = pytest.importorskip("sklearn.datasets")
    (tmp_path / "f").write_text(LETOR_4)
    matrix, grades, queries = datasets.load_svmlight_file(str(tmp_path / "f"), query_id=True)
    features = read_features(tmp_path / "f")
    assert np.array_equal(features.matrix(), matrix.toarray())
    assert features.grade.tolist() == grades.tolist()
    assert [int(query) for query in features.query.tolist()] == queries.tolist()
