"""Runs and judgments that reports are made of in tests."""

from __future__ import annotations

import random
from importlib import resources
from pathlib import Path
from typing import Any

DEMO = Path(str(resources.files("cranfield.cli") / "small_example"))
QRELS, KEYWORD, SEMANTIC = DEMO / "qrels.txt", DEMO / "keyword.run", DEMO / "semantic.run"

SCRIPT = "<script>window.harm=1</script>\"'&%_#$\\{}~^|"
IMAGE = "</script><img src=x onerror=window.harm=2>"


def judgments(topics: int = 6, documents: int = 8) -> dict[str, dict[str, int]]:
    return {f"q{i}": {f"d{j}": (j * 7 + i) % 3 for j in range(documents)} for i in range(1, topics + 1)}


def ranking(seed: int, topics: int = 6, documents: int = 12) -> dict[str, dict[str, float]]:
    chance = random.Random(seed)
    return {f"q{i}": {f"d{j}": chance.random() for j in range(documents)} for i in range(1, topics + 1)}


def runs(number: int, **size: int) -> dict[str, Any]:
    return {f"run{seed}": ranking(seed, **size) for seed in range(1, number + 1)}
