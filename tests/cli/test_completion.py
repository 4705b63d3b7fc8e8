"""What a shell is told when somebody presses the tabulator."""

from __future__ import annotations

import pytest

from tests.cli.running import run_cranfield


def completed(line: str) -> list[str]:
    """What click answers to bash for the last word of a line: `type,value`."""
    words = line.split(" ")
    environment = {"_CRANFIELD_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    return run_cranfield(environment=environment).text.splitlines()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script(shell: str) -> None:
    done = run_cranfield("completion", shell)
    assert done.exit_code == 0
    assert "_CRANFIELD_COMPLETE" in done.text


@pytest.mark.parametrize(
    ("line", "answers"),
    [
        ("cranfield eva", ["plain,evaluate"]),
        ("cranfield measures nD", ["plain,nDCG", "plain,nDCGrel"]),
        ("cranfield measures ND", ["plain,nDCG", "plain,nDCGrel"]),
        ("cranfield measures ndcg_c", ["plain,ndcg_cut"]),
        ("cranfield measures all_", ["plain,all_trec", "plain,all_prefs"]),
        ("cranfield validate go", ["file,go"]),
        ("cranfield validate --qrels go", ["file,go"]),
        ("cranfield convert a.run b", ["file,b"]),
        ("cranfield validate --input-format js", ["plain,json", "plain,jsonl"]),
        ("cranfield convert --output-format par", ["plain,parquet"]),
    ],
)
def test_answers(line: str, answers: list[str]) -> None:
    assert completed(line) == answers
