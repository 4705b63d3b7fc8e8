"""Judgments and runs that drawings have trouble with, and what is inside a drawing."""

from __future__ import annotations

from typing import Any

import numpy as np

from cranfield.report.export import specification

Qrels = dict[str, dict[str, int]]
Runs = dict[str, dict[str, dict[str, float]]]

ODD_NAMES = (
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(1)>",
    'quo"te',
    "back\\slash",
    "x.y[0]['a']",
    "__proto__",
    "constructor",
    r"\textbf{a}_%$&#~^{}",
    "ünïcødé 日本",
    "datum.value + 1",
    "L" + "o" * 150 + "ng",
    "caf\udce9",
)
"""Names that HTML, LaTeX, JavaScript or Vega would take for something else."""


def made_up(systems: int, topics: int, *, documents: int = 30, seed: int = 0) -> tuple[Qrels, Runs]:
    """Judgments at random, and runs that know something of them."""
    random = np.random.default_rng(seed)
    names = [f"d{number}" for number in range(documents)]
    qrels: Qrels = {}
    for number in range(topics):
        grades = dict(zip(names, random.integers(0, 3, documents).tolist(), strict=True))
        qrels[f"t{number:03}"] = {name: grades[name] for name in names[: documents // 2]}
    runs: Runs = {}
    for number in range(systems):
        skill = random.uniform(0, 2)
        runs[f"system-{number:03}"] = {
            topic: {name: float(skill * judged.get(name, 0) + random.normal()) for name in names}
            for topic, judged in qrels.items()
        }
    return qrels, runs


def odd() -> tuple[Qrels, Runs]:
    """Runs and topics with all odd names."""
    qrels, runs = made_up(len(ODD_NAMES), len(ODD_NAMES))
    topics = dict(zip(qrels, ODD_NAMES, strict=True))
    renamed = {
        name: {topics[topic]: scores for topic, scores in run.items()}
        for name, run in zip(ODD_NAMES, runs.values(), strict=True)
    }
    return {topics[topic]: judged for topic, judged in qrels.items()}, renamed


def tables(chart: Any) -> list[list[dict[str, Any]]]:
    """The data of a chart, of all its layers and panels."""
    return list(specification(chart)["datasets"].values())


def rows(chart: Any, *fields: str) -> list[dict[str, Any]]:
    """The rows of all data that has these fields."""
    return [row for table in tables(chart) for row in table if all(field in row for field in fields)]


def words(chart: Any) -> str:
    """What stands above a chart."""
    title = specification(chart)["title"]
    return " ".join([*title["text"], *title.get("subtitle", [])])
