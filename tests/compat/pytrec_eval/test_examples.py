"""The examples of pytrec_eval's documentation run under the compat module, and print what they print under their own.

Oracle: pytrec_eval-terrier (version in requirements/test.txt), and what its README says that it prints.
"""

from __future__ import annotations

import json
import random
import shutil
from importlib import resources
from pathlib import Path

import pytest

from tests.compat.pytrec_eval import scripts


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """Judgments and runs of the demonstration, and a run with ties, unjudged and missing topics in random order."""
    with resources.as_file(resources.files("cranfield.cli") / "small_example") as folder:
        for file in folder.iterdir():
            shutil.copy(file, tmp_path)
    queries = dict.fromkeys(line.split()[0] for line in (tmp_path / "qrels.txt").read_text().splitlines())
    lines = [line.split() for line in (tmp_path / "keyword.run").read_text().splitlines()]
    odd = [f"{q} Q0 {document} {rank} {round(float(score))} odd" for q, _, document, rank, score, _ in lines]
    odd = [line for line in odd if not line.startswith(list(queries)[1])] + ["nobody-judged Q0 d1 1 1.0 odd"]
    random.Random(0).shuffle(odd)
    (tmp_path / "odd.run").write_text("\n".join(odd) + "\n")
    return {name: str(tmp_path / name) for name in ("qrels.txt", "keyword.run", "semantic.run", "odd.run")}


def printed(
    script: str, arguments: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> str:
    monkeypatch.setattr("sys.argv", ["script.py", *arguments])
    exec(compile(script, "script.py", "exec"), {"__name__": "__main__"})
    return capsys.readouterr().out


ARGUMENTS: list[tuple[str, list[str]]] = [
    ("SIMPLE", []),
    ("SIMPLE_CUT", []),
    ("TREC_EVAL", ["qrels.txt", "keyword.run"]),
    ("TREC_EVAL", ["qrels.txt", "odd.run"]),
    ("SIGNIFICANCE", ["qrels.txt", "keyword.run", "semantic.run", "--measure", "map"]),
    ("SIGNIFICANCE", ["qrels.txt", "odd.run", "semantic.run", "--measure=ndcg"]),
    ("ONE_QUERY_AT_A_TIME", []),
    ("WORKING_WITH_DICTS", ["qrels.txt", "semantic.run"]),
    ("WORKING_WITH_DICTS", ["qrels.txt", "odd.run"]),
]


@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")
@pytest.mark.parametrize(
    ("name", "arguments"), ARGUMENTS, ids=lambda value: value if isinstance(value, str) else "-".join(value)
)
def test_one_line_changes(
    name: str,
    arguments: list[str],
    files: dict[str, str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    script = getattr(scripts, name)
    changed = script.replace(scripts.IMPORT, scripts.INSTEAD)
    assert [line for line in changed.splitlines() if line not in script.splitlines()] == [scripts.INSTEAD]
    paths = [files.get(argument, argument) for argument in arguments]
    theirs = printed(script, paths, capsys, monkeypatch)
    ours = printed(changed, paths, capsys, monkeypatch)
    assert theirs
    assert ours == theirs


def test_what_the_readme_says(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    ours = printed(scripts.SIMPLE.replace(scripts.IMPORT, scripts.INSTEAD), [], capsys, monkeypatch)
    assert json.loads(ours) == {
        "q1": {"map": 0.3333333333333333, "ndcg": 0.5},
        "q2": {"map": 0.5833333333333333, "ndcg": 0.6934264036172708},
    }


def test_its_own_tests() -> None:
    # pytrec_eval's unit tests: 0.5 at rank 3 (1/log2(4)), 0.6309 at rank 2 (1/log2(3)), and so on.
    from cranfield.compat import pytrec_eval

    qrel = {"q1": {"d1": 0, "d2": 1, "d3": 0}, "q2": {"d2": 1, "d3": 1}, "q10": {}}
    at_three = {"d1": 1.0, "d2": 0.0, "d3": 1.5}
    evaluator = pytrec_eval.RelevanceEvaluator(qrel, {"map", "ndcg"})
    for ranking, ndcg in (
        (at_three, 0.5),
        ({**at_three, "d2": 2.0}, 1.0),
        ({"d1": 4.0, "d2": 2.0, "d3": 1.5}, 0.63093),
    ):
        assert evaluator.evaluate({"q1": ranking, "q2": {}})["q1"]["ndcg"] == pytest.approx(ndcg, abs=1e-5)
    assert evaluator.evaluate({"q1": {}, "q2": at_three})["q2"]["ndcg"] == pytest.approx(0.9197207891481876)
    judged = pytrec_eval.RelevanceEvaluator(qrel, {"map", "ndcg"}, judged_docs_only_flag=True)
    results = judged.evaluate({"q1": {}, "q2": at_three, "q10": {"d1": 1.0}})
    assert results["q2"]["ndcg"] == 1.0
    assert "q10" not in results

    evaluator = pytrec_eval.RelevanceEvaluator(qrel, {"ndcg_cut.1,2,3,1000"})
    for _ in range(2):  # its issue 38: the second time cutoffs were missing
        cut = evaluator.evaluate({"q1": at_three, "q2": {}})["q1"]
        assert cut == {"ndcg_cut_1": 0.0, "ndcg_cut_2": 0.0, "ndcg_cut_3": 0.5, "ndcg_cut_1000": 0.5}

    names = ["ndcg_cut", "ndcg_cut.1,4", "ndcg_cut_20,4", "ndcg_cut_15", "recall.1000", "P"]
    evaluator = pytrec_eval.RelevanceEvaluator(qrel, names)
    cutoffs = [f"ndcg_cut_{k}" for k in (1, 4, 15, 20)]
    defaults = [f"P_{k}" for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)]
    assert list(evaluator.evaluate({"q1": at_three})["q1"]) == [*defaults, "recall_1000", *cutoffs]
