"""Runs in a folder, and a workspace, from which pools are made."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import cranfield as cf
from tests.cli.running import run_cranfield
from tests.pooling.made_runs import noisy_runs


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    runs, worth = noisy_runs(runs=3, topics=2, documents=60, depth=20, seed=1)
    for run in runs:
        cf.write_run(run, tmp_path / f"{run.name}.run")
    grades = {
        f"t{topic}": {f"d{at}": int(value > 0.5) for at, value in enumerate(row)} for topic, row in enumerate(worth)
    }
    cf.write_qrels(cf.Qrels.from_dict(grades), tmp_path / "all.qrels")
    return tmp_path


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace of a system that was searched."""
    texts = {"d1": "soup soup", "d2": "cold soup of many vegetables and herbs", "d3": "hot soup of many vegetables"}
    lines = [json.dumps({"_id": name, "text": text}) for name, text in texts.items()]
    (tmp_path / "docs.jsonl").write_text("\n".join(lines) + "\n")
    (tmp_path / "topics.tsv").write_text("t0\tsoup\nt1\tsoup\n")
    (tmp_path / "cranfield.toml").write_text(
        'version = 1\ncollection = "docs.jsonl"\ntopics = "topics.tsv"\n[systems.bm25]\nengine = "bm25"\n'
    )
    assert run_cranfield("search", "bm25", cwd=tmp_path).exit_code == 0
    monkeypatch.chdir(tmp_path)
    return tmp_path
