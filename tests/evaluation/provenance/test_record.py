"""What results say about where they come from. Hashes: oracles are hashlib on bytes written here, and `sha256sum`."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import pickle
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.errors import DataError, UsageError
from cranfield.evaluation.provenance import fingerprints
from cranfield.evaluation.provenance.fingerprints import of_content
from cranfield.evaluation.zscores import read_reference, standardise

QRELS = b"q1 0 d1 1\nq1 0 d2 0\nq2 0 d3 2\n"
RUN = b"q1 Q0 d2 1 2.5 mine\nq1 Q0 d1 2 1.5 mine\nq2 Q0 d3 1 1.0 mine\n"
QRELS_DICT = {"q1": {"d1": 1, "d2": 0}, "q2": {"d3": 2}}
RUN_DICT = {"q1": {"d2": 2.5, "d1": 1.5}, "q2": {"d3": 1.0}}
# The same as docs/provenance.md describes it: judgments sorted, a run in ranking order and tagged `run`.
RUN_TEXT = RUN.replace(b"mine", b"run")


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qrels.txt").write_bytes(QRELS)
    (tmp_path / "a.run").write_bytes(RUN)
    return tmp_path


def hashes(result: Any) -> list[tuple[str, str | None, int | None, str]]:
    return [(one.role, one.sha256, one.bytes, one.hash_of) for one in result.provenance.inputs]


AS_FILES = [("qrels", sha256(QRELS), len(QRELS), "bytes"), ("run", sha256(RUN), len(RUN), "bytes")]


@pytest.mark.parametrize("asked", [False, True], ids=["when it is looked at", "while it is read"])
def test_files_have_the_hash_that_sha256sum_prints(folder: Path, asked: bool) -> None:
    result = cf.evaluate(folder / "qrels.txt", folder / "a.run", "RR", provenance=asked)
    assert hashes(result) == AS_FILES
    if shutil.which("sha256sum"):
        printed = subprocess.run(
            ["sha256sum", folder / "qrels.txt", folder / "a.run"], capture_output=True, text=True, check=True
        ).stdout
        assert [line.split()[0] for line in printed.splitlines()] == [one.sha256 for one in result.provenance.inputs]


def test_of_a_packed_file_the_bytes_on_the_disk_are_hashed(folder: Path) -> None:
    packed = gzip.compress(RUN)
    (folder / "a.run.gz").write_bytes(packed)
    result = cf.evaluate(folder / "qrels.txt", folder / "a.run.gz", "RR", provenance=True)
    assert hashes(result)[1] == ("run", sha256(packed), len(packed), "bytes")


def test_streams_are_hashed_while_they_are_read(folder: Path) -> None:
    packed = gzip.compress(RUN)
    for content in (RUN, packed):
        result = cf.evaluate(io.BytesIO(QRELS), io.BytesIO(content), "RR", provenance=True)
        assert hashes(result) == [AS_FILES[0], ("run", sha256(content), len(content), "bytes")]
    with (folder / "a.run").open("rb") as file:
        file.readline()
        rest = cf.evaluate(folder / "qrels.txt", file, "RR", provenance=True)
    assert hashes(rest)[1][1] == sha256(RUN.partition(b"\n")[2])


def test_a_named_pipe_is_read_and_hashed_once(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    writer = threading.Thread(target=(folder / "pipe").write_bytes, args=(RUN,))
    writer.start()
    result = cf.evaluate(folder / "qrels.txt", folder / "pipe", "RR", provenance=True)
    writer.join()
    assert hashes(result) == AS_FILES


def test_what_a_reader_has_no_use_for_is_hashed_too() -> None:
    # After the frame of a gzip file there may be zeros, which are padding.
    content = gzip.compress(RUN) + bytes(200_000)
    result = cf.evaluate(QRELS_DICT, io.BytesIO(content), "RR", provenance=True)
    assert hashes(result)[1] == ("run", sha256(content), len(content), "bytes")


@pytest.mark.parametrize(
    "run",
    [
        RUN_DICT,
        [("q2", "d3", 1.0), ("q1", "d1", 1.5), ("q1", "d2", 2.5)],
        cf.Run.from_dict(RUN_DICT, name="other", tag="other"),
        pandas.DataFrame({"qid": ["q1", "q1", "q2"], "docno": ["d1", "d2", "d3"], "score": [1.5, 2.5, 1.0]}),
        polars.DataFrame({"qid": ["q1", "q1", "q2"], "docno": ["d1", "d2", "d3"], "score": [1.5, 2.5, 1.0]}),
        cf.read_run(io.BytesIO(RUN)),
    ],
    ids=["dict", "tuples", "Run", "pandas", "polars", "a file that was read"],
)
def test_data_in_memory_has_the_same_hash_in_every_shape(run: Any) -> None:
    result = cf.evaluate(cf.Qrels.from_dict(QRELS_DICT), run, "RR", provenance=True)
    assert hashes(result) == [
        ("qrels", sha256(QRELS), len(QRELS), "content"),
        ("run", sha256(RUN_TEXT), len(RUN_TEXT), "content"),
    ]


def test_data_in_memory_and_streams_are_hashed_only_if_that_is_asked_for() -> None:
    result = cf.evaluate(QRELS_DICT, io.BytesIO(RUN), "RR")
    assert hashes(result) == [("qrels", None, None, "content"), ("run", None, None, "bytes")]


def test_everything_that_was_read_is_named(folder: Path) -> None:
    (folder / "subtopics.txt").write_bytes(b"q1 a d1 1\nq1 b d2 1\n")
    (folder / "intents.txt").write_bytes(b"q1 a 0.5\nq1 b 0.5\n")
    (folder / "costs.txt").write_bytes(b"d1 3\nd2 4\nd3 5\n")
    (folder / "means.txt").write_bytes(b"q1 alpha_nDCG@5 0.5 0.25\n")
    result = cf.evaluate(
        folder / "subtopics.txt",
        folder / "a.run",
        ["alpha_nDCG@5", "TBG"],
        intents=folder / "intents.txt",
        costs=folder / "costs.txt",
        default_cost=2,
    )
    result = standardise(result, read_reference(folder / "means.txt"))
    assert {one.role: Path(one.name).name for one in result.provenance.inputs} == {
        "costs": "costs.txt",
        "qrels": "subtopics.txt",
        "intents": "intents.txt",
        "run": "a.run",
        "reference": "means.txt",
    }
    for one in result.provenance.inputs:
        assert one.sha256 == sha256(Path(one.name).read_bytes())
    in_memory = cf.evaluate(
        [("q1", "a", "d1", 1), ("q1", "b", "d2", 1)],
        RUN_DICT,
        "alpha_nDCG@5",
        intents={"q1": {"b": 0.5, "a": 0.5}},
        provenance=True,
    )
    assert dict(row[:2] for row in hashes(in_memory))["intents"] == sha256(b"q1 a 0.5\nq1 b 0.5\n")


def test_preferences_and_assessors(folder: Path) -> None:
    (folder / "prefs.txt").write_bytes(b"q1 d1 d2 d1\n")
    for judgments, relevance in (("prefs.txt", "prefs"), ("qrels.txt", "qrels_jg"), ("qrels.txt", "qrels_prefs")):
        measure = "AP_avgjg" if relevance == "qrels_jg" else "prefs_simp"
        result = cf.evaluate(folder / judgments, folder / "a.run", measure, relevance=relevance)
        assert [one[1] for one in hashes(result)] == [sha256((folder / judgments).read_bytes()), sha256(RUN)]


def test_several_runs_name_the_judgments_once(folder: Path) -> None:
    (folder / "b.run").write_bytes(RUN + b"q9 Q0 d1 1 1 mine\n")
    result = cf.evaluate(folder / "qrels.txt", {"old": folder / "a.run", "new": folder / "b.run"}, "RR")
    assert [(one.role, one.run) for one in result.provenance.inputs] == [
        ("qrels", None),
        ("run", "old"),
        ("run", "new"),
    ]
    # q9 is not judged: in the run, and not counted.
    topics = {name: (one.judged, one.in_run, one.counted) for name, one in result.provenance.topics.items()}
    assert topics == {"old": (2, 2, 2), "new": (2, 3, 2)}
    assert result["new"].provenance.inputs[1].run == "new"
    assert result["new"].renamed("newest").provenance.inputs[1].run == "newest"


def test_topics_that_do_not_count(folder: Path) -> None:
    (folder / "a.run").write_bytes(RUN.partition(b"q2")[0])
    for profile, counted in (("cranfield", 2), ("trec_eval-9", 1)):
        result = cf.evaluate(folder / "qrels.txt", folder / "a.run", "RR", profile=profile)
        (topics,) = result.provenance.topics.values()
        assert (topics.judged, topics.in_run, topics.counted) == (2, 1, counted)


def test_the_rest_of_the_record(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")  # Wikipedia: 01:46:40 UTC on 9 September 2001
    result = cf.evaluate(
        folder / "qrels.txt", [folder / "a.run"], ["map", "P.5"], level=2, depth=7, provenance=True, run_format="trec"
    )
    record = result.to_dict()["provenance"]
    assert record["time"] == "2001-09-09T01:46:40Z"
    assert record["measures"] == ["AP(rel=2)", "P(rel=2)@5"]
    assert record["settings"] == result.to_dict()["settings"]
    assert record["settings"]["level"] == 2
    assert record["settings"]["depth"] == 7
    assert record["cranfield"] == cf.__version__
    assert record["python"] == ".".join(map(str, sys.version_info[:3]))
    assert record["numpy"] == np.__version__
    assert record["profile"] == cf.measures.profiles.PROFILES["cranfield"].to_dict()
    assert [one.get("format") for one in record["inputs"]] == [None, "trec"]


def test_a_time_that_is_none(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = cf.evaluate(folder / "qrels.txt", folder / "a.run", "RR")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    with pytest.raises(UsageError, match="SOURCE_DATE_EPOCH is 'yesterday'; expected a number of seconds since 1970"):
        _ = result.provenance


def test_what_is_written_down_has_it_only_if_asked(folder: Path) -> None:
    runs = [folder / "a.run"]
    assert "provenance" not in cf.evaluate(folder / "qrels.txt", runs, "RR").to_dict()
    assert "provenance" in cf.evaluate(folder / "qrels.txt", runs, "RR", provenance=True).to_dict()
    asked = cf.compare(folder / "qrels.txt", {"old": RUN_DICT}, folder / "a.run", "RR", provenance=True).to_dict()
    assert [one["sha256"] for one in asked["provenance"]["inputs"]] == [sha256(QRELS), sha256(RUN_TEXT), sha256(RUN)]
    assert "provenance" not in cf.compare(folder / "qrels.txt", {"old": RUN_DICT}, folder / "a.run", "RR").to_dict()


def test_the_best_possible_ranking_comes_from_the_judgments(folder: Path) -> None:
    assert hashes(cf.best_possible(folder / "qrels.txt", "RR")) == AS_FILES[:1]


def test_a_file_that_changed_is_not_hashed_as_what_was_evaluated(folder: Path) -> None:
    result = cf.evaluate(folder / "qrels.txt", folder / "a.run", "RR")
    status = (folder / "a.run").stat()
    (folder / "a.run").write_bytes(RUN.replace(b"2.5", b"0.5"))
    os.utime(folder / "a.run", ns=(status.st_atime_ns, status.st_mtime_ns + 1))
    with pytest.raises(DataError, match=r"a\.run: the file has changed since it was read for evaluation\. With prov"):
        _ = result.provenance
    (folder / "a.run").unlink()
    with pytest.raises(DataError, match=r"a\.run: cannot be hashed: No such file or directory\. With provenance=True"):
        _ = result.provenance


def test_a_file_that_is_replaced_while_it_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def replaced(path: str) -> Any:
        (folder / "new").write_bytes(RUN)
        os.replace(folder / "new", folder / "a.run")
        return of_file(path)

    of_file = fingerprints.of_file
    evaluator = cf.Evaluator(folder / "qrels.txt", "RR", provenance=True)
    monkeypatch.setattr(fingerprints, "of_file", replaced)
    with pytest.raises(DataError, match="the file has changed since it was read"):
        evaluator(folder / "a.run")


def test_a_hash_is_taken_once(folder: Path) -> None:
    result = cf.evaluate(folder / "qrels.txt", folder / "a.run", "RR", provenance=True)
    (folder / "a.run").unlink()
    assert hashes(result) == AS_FILES


@pytest.mark.parametrize("cores", [1, 2])
def test_a_large_file_is_hashed_beside_the_evaluation(
    folder: Path, monkeypatch: pytest.MonkeyPatch, cores: int
) -> None:
    monkeypatch.setattr(fingerprints, "LARGE", 1)
    monkeypatch.setattr("cranfield.evaluation.parallel.cores", lambda: cores)
    assert hashes(cf.evaluate(folder / "qrels.txt", folder / "a.run", "RR", provenance=True)) == AS_FILES
    (folder / "bad.run").write_bytes(b"q1 Q0 d1 1 nonsense mine\n" * 3)
    with pytest.raises(DataError, match="nonsense"):
        cf.evaluate(folder / "qrels.txt", folder / "bad.run", "RR", provenance=True)


def test_several_files_are_hashed_where_they_are_read(folder: Path) -> None:
    runs = []
    for number in range(5):
        runs.append(folder / f"{number}.run")
        runs[-1].write_bytes(RUN + b"q2 Q0 d9 2 0.%d mine\n" % number)
    result = cf.evaluate(folder / "qrels.txt", runs, "RR", provenance=True)
    assert [one[1] for one in hashes(result)[1:]] == [sha256(path.read_bytes()) for path in runs]


def test_results_can_be_stored(folder: Path) -> None:
    result = cf.evaluate(folder / "qrels.txt", folder / "a.run", "RR")
    assert hashes(pickle.loads(pickle.dumps(result))) == AS_FILES


def test_a_dataframe_with_a_column_that_is_called_name() -> None:
    run = pandas.DataFrame({"qid": ["q1"], "docno": ["d1"], "score": [1.0], "name": ["x"]})
    _, source = cf.evaluate(QRELS_DICT, run, "RR", provenance=True).provenance.inputs
    assert (source.name, source.run) == ("run", "run")


@given(
    st.dictionaries(
        st.sampled_from(["q1", "q2"]),
        st.dictionaries(st.sampled_from("abcd"), st.floats(-9, 9), min_size=1),
        min_size=1,
    )
)
def test_a_dict_and_the_file_written_from_it_have_the_same_content(
    tmp_path_factory: pytest.TempPathFactory, run: dict[str, dict[str, float]]
) -> None:
    path = tmp_path_factory.mktemp("run") / "x.run.gz"
    cf.write_run(cf.Run.from_dict(run, tag="any"), path)
    assert of_content(cf.read_run(path)) == of_content(cf.Run.from_dict(run))
