"""Diversity measures beside others, from files and from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import cranfield as cf
from cranfield.errors import DataError, UsageError
from tests.cli.running import run_cranfield

QRELS = "1 a d1 1\n1 b d1 2\n1 b d2 1\n1 c d3 1\n1 0 d4 0\n2 a d1 0\n2 b d2 1\n"
RUN = "1 Q0 d4 1 3 t\n1 Q0 d1 2 2 t\n1 Q0 d9 3 1 t\n1 Q0 d3 4 0.5 t\n2 Q0 d2 1 1 t\n"
INTENTS = "1 a 0.5\n1 b 0.3\n1 c 0.2\n2 b 1\n"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name, text in (("qrels", QRELS), ("run", RUN), ("intents", INTENTS)):
        (tmp_path / name).write_text(text)
    return tmp_path


def test_from_files_and_in_memory_it_is_the_same(files: Path) -> None:
    judged = [(q, s, d, int(g)) for q, s, d, g in (line.split() for line in QRELS.splitlines())]
    run = [(q, d, float(score)) for q, _, d, _, score, _ in (line.split() for line in RUN.splitlines())]
    measures = ["alpha_nDCG@2", "StRecall@2", "AP_IA"]
    expected = {"1": 2 / 3, "2": 1.0}  # a and b of three, b of one
    from_files = cf.evaluate(files / "qrels", [files / "run", str(files / "run")], measures)
    for result in (*from_files.values(), cf.evaluate(judged, run, measures)):
        assert result["StRecall@2"] == pytest.approx(expected)
    assert cf.evaluate(judged, run, measures).per_query == next(iter(from_files.values())).per_query


def test_other_measures_take_the_highest_grade_beside_them(files: Path) -> None:
    # Query 1: d4 0, d1 2, d9 unjudged, d3 1 and d2 1 missed: (1/2 + 2/4)/3. Query 2: d2 is the one relevant: 1.
    result = cf.evaluate(files / "qrels", files / "run", ["AP", "StRecall@1", "NumRel", "P(rel=2)@5"])
    assert result["AP"] == pytest.approx({"1": 1 / 3, "2": 1.0})
    assert result["NumRel"] == {"1": 3, "2": 1}
    assert result["P(rel=2)@5"] == pytest.approx({"1": 1 / 5, "2": 0})
    with pytest.raises(DataError, match=r"'d1' is judged more than once for query '1'.*alpha_nDCG@20.*highest grade"):
        cf.evaluate(files / "qrels", files / "run", "AP")


def test_level_depth_and_judged_only(files: Path) -> None:
    at_level_2 = cf.evaluate(files / "qrels", files / "run", "StRecall", level=2)
    assert at_level_2["StRecall(rel=2)"] == {"1": 1.0, "2": 0.0}  # of query 1 only b, with d1
    assert cf.evaluate(files / "qrels", files / "run", "StRecall", depth=1)["StRecall"] == {"1": 0.0, "2": 1.0}
    condensed = cf.evaluate(files / "qrels", files / "run", "StRecall@3", judged_only=True)
    assert condensed["StRecall(judged_only=True)@3"] == {"1": 1.0, "2": 1.0}  # d4, d1, d3


def test_probabilities_of_intents(files: Path) -> None:
    # Query 1, AP by each alone: a 1/2, b (1/2)/2 as d2 is missed, c 1/4. Query 2: 1.
    expected = {"1": 0.5 * 1 / 2 + 0.3 * 1 / 4 + 0.2 * 1 / 4, "2": 1.0}
    from_file = cf.evaluate(files / "qrels", files / "run", "AP_IA", intents=files / "intents")
    given = {1: {"a": 5, "b": 3, "c": 2}, "2": {"b": 7}}
    from_dict = cf.evaluate(files / "qrels", files / "run", "AP_IA", intents=given)
    assert from_file["AP_IA"] == pytest.approx(expected)
    assert from_dict["AP_IA"] == pytest.approx(expected)
    assert from_file.settings["intents"] == str(files / "intents")


@pytest.mark.parametrize(
    ("qrels", "options", "error", "message"),
    [
        ({"q": {"d": 1}}, {"measures": ["AP", "ERR_IA@5"]}, DataError,
         "qrels: ERR_IA@5 needs judgments by subtopic, and there are none. Subtopics are named in the second column"),
        ([("q", "0", "d", 1)], {"measures": "NRBP"}, DataError,
         "qrels: NRBP needs judgments by subtopic, and there is only '0'."),
        ([("q", "a", "d", 1)], {"measures": "NRBP", "relevance": "qrels_jg"}, UsageError,
         "NRBP cannot be computed from 'qrels_jg': it needs -R qrels"),
        ([("q", "a", "d", 1), ("q", "b", "d", 1)], {"measures": "NRBP", "intents": [1, 1]}, UsageError,
         "intents is list, not a file or {query: {subtopic: probability}}"),
        ({"q": {"d": 1}}, {"measures": "AP", "intents": {"q": {"a": 1}}}, UsageError, "none of the measures looks at subtopics"),
    ],
)  # fmt: skip
def test_wrong_requests_are_refused_before_a_run_is_read(
    qrels: Any, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as caught:
        cf.evaluate(qrels, "there-is-no-such.run", **options)
    assert message in str(caught.value)


def test_from_the_command_line(files: Path) -> None:
    done = run_cranfield(
        "evaluate", "-m", "alpha-nDCG@2", "-m", "D#-nDCG@2", "-q", "--format", "json", "qrels", "run", cwd=files
    )
    assert done.exit_code == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["measures"] == ["alpha_nDCG@2", "Dsharp_nDCG@2"]
    assert result["runs"][0]["per_query"]["2"] == {"alpha_nDCG@2": 1.0, "Dsharp_nDCG@2": 1.0}
    coverage = result["coverage"]["run"]  # 1: d4, d1, d3 of four are judged; 2: d2: (3/4 + 1)/2
    assert (coverage["topics_found"], coverage["judged_at_10"], coverage["topics_without_relevant"]) == (2, 0.875, [])
    done = run_cranfield(
        "evaluate", "-m", "AP_IA", "--intents", "intents", "--format", "trec", "qrels", "run", cwd=files
    )
    assert done.text == "AP_IA                 \tall\t0.6875\n"  # (0.375 + 1) / 2
    done = run_cranfield("evaluate", "-m", "ERR_IA@5", "--intents", "run", "qrels", "run", cwd=files)
    assert (done.exit_code, done.stderr) == (1, "cranfield: run:1: probability 'd4' is not a number above 0\n")
