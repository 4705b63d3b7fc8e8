"""Converting, and saying what is lost."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from cranfield.data.qrels import Qrels
from cranfield.errors import DataError, UsageError
from cranfield.formats import read_preferences, read_qrels, read_run
from cranfield.formats.conversion import Conversion, convert, losses

RUN = "q1 Q0 d1 1 0.5 bm25\nq1 Q0 d2 2 0.25 bm25\n"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    (tmp_path / "first.run").write_text(RUN)
    return tmp_path / "first.run"


@pytest.mark.parametrize(
    ("name", "format", "lost"),
    [
        ("a.run", "trec", ()),
        ("a.json", "json", ("tag 'bm25'",)),
        ("a.jsonl.gz", "jsonl", ("tag 'bm25'",)),
        ("a.csv", "csv", ("tag 'bm25'",)),
        ("a.parquet", "parquet", ("tag 'bm25'",)),
    ],
)
def test_runs(run: Path, name: str, format: str, lost: tuple[str, ...]) -> None:
    done = convert(run, run.parent / name)
    assert done == Conversion("run", "trec", format, 2, lost, ())
    assert read_run(run.parent / name).to_dict() == {"q1": {"d1": 0.5, "d2": 0.25}}


def test_ms_marco_has_no_scores(run: Path) -> None:
    done = convert(run, run.parent / "a.tsv", output_format="msmarco")
    assert done.lost == ("scores (the ranking stays)", "tag 'bm25'")
    assert (run.parent / "a.tsv").read_text() == "q1\td1\t1\nq1\td2\t2\n"


def test_from_a_file_object_and_a_format_that_is_named(tmp_path: Path) -> None:
    done = convert(io.StringIO(RUN), tmp_path / "out", kind="run", input_format="trec", output_format="jsonl")
    assert (done.output_format, done.records) == ("jsonl", 2)


def test_judgments_with_iterations_and_probabilities(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("q a d1 1\nq b d2 0\n")
    (tmp_path / "b").write_text("q d1 1 0 0.5\n")
    for name, format, lost, assumed in (
        ("a", "beir", ("iteration column (2 different values)",), ()),
        ("a", "prels", ("iteration column (2 different values)",), ("every document was given the inclusion probability 1",)),
        ("a", "csv", (), ()),
        ("b", "trec", ("sampling method", "inclusion probability"), ()),
        ("b", "prels", (), ()),
        ("b", "parquet", (), ()),
    ):  # fmt: skip
        done = convert(tmp_path / name, tmp_path / "out", output_format=format)
        assert (done.kind, done.lost, done.assumed) == ("qrels", lost, assumed)


def test_a_kind_that_is_not_certain_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"q": {"d": 1}}')
    done = convert(tmp_path / "a.json", tmp_path / "out")
    assert done.assumed == (f"{tmp_path}/a.json was read as qrels (--kind overrules)",)
    assert (tmp_path / "out").read_text() == "q 0 d 1\n"
    assert convert(tmp_path / "a.json", tmp_path / "out", kind="run").assumed == ()
    assert (tmp_path / "out").read_text() == "q Q0 d 1 1.0 a\n"


def test_preferences(tmp_path: Path) -> None:
    (tmp_path / "pairs").write_text("q a b b\nq b a b\n")
    convert(tmp_path / "pairs", tmp_path / "prefs")
    assert (tmp_path / "prefs").read_text() == "q 1 0 a 0\nq 1 0 b 1\nq 2 0 b 1\nq 2 0 a 0\n"
    done = convert(tmp_path / "prefs", tmp_path / "back", kind="preferences", output_format="pairs")
    assert (tmp_path / "back").read_text() == "q a b b\nq b a b\n"
    assert done.assumed == ("groups and subgroups become one group for each pair",)
    assert len(read_preferences(tmp_path / "back")) == 4


def test_preferences_that_are_no_pairs(tmp_path: Path) -> None:
    (tmp_path / "prefs").write_text("q g 0 a 1\nq g 0 b 1\n")
    (tmp_path / "out").write_text("old")
    with pytest.raises(DataError) as error:
        convert(tmp_path / "prefs", tmp_path / "out", output_format="pairs")
    assert str(error.value) == (
        "group 'g', subgroup '0' of query 'q' is not one document preferred to one other, so it cannot be written as "
        "pairs. Write trec instead."
    )
    assert (tmp_path / "out").read_text() == "old"


def test_an_old_file_survives_input_that_is_wrong(run: Path) -> None:
    (run.parent / "out").write_text("old")
    run.write_text(RUN + "q1 Q0 d1 1 0.5 bm25\n")
    with pytest.raises(DataError, match="returned twice"):
        convert(run, run.parent / "out")
    assert (run.parent / "out").read_text() == "old"


def test_a_file_may_be_converted_onto_itself(run: Path) -> None:
    convert(run, run, output_format="jsonl")
    assert read_run(run).to_dict() == {"q1": {"d1": 0.5, "d2": 0.25}}


def test_a_format_that_the_kind_does_not_have(run: Path) -> None:
    with pytest.raises(UsageError, match="unknown run format 'beir'"):
        convert(run, run.parent / "out", output_format="beir")
    assert not (run.parent / "out").exists()


def test_a_constant_iteration_is_nothing_to_lose() -> None:
    assert losses(Qrels.from_tuples([("q", "Q0", "d", 1)]), frozenset()) == ()


@pytest.mark.real_data
def test_real_judgments_through_every_format(real_data: Path, tmp_path: Path) -> None:
    source = real_data / "web09_diversity/qrels.diversity"
    expected = list(read_qrels(source).rows())
    for name in ("a.json", "a.jsonl", "a.csv", "a.tsv", "a.parquet", "a.qrels.gz", "a.qrels.zst"):
        convert(source, tmp_path / name)
        assert list(read_qrels(tmp_path / name).rows()) == expected
