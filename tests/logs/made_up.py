"""A small collection to simulate logs with: what its documents are worth is known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.logs.simulating import Simulated, simulate
from cranfield.logs.simulation.settings import Settings


def collection(topics: int = 5, documents: int = 12, systems: int = 3, seed: int = 1) -> tuple[list[Run], Qrels]:
    """Topics whose documents have all grades, and systems that see these through noise."""
    rng = np.random.default_rng(seed)
    grades = rng.choice(4, p=[0.4, 0.3, 0.2, 0.1], size=(topics, documents))
    names = [[f"t{topic}-d{document}" for document in range(documents)] for topic in range(topics)]
    qrels = {f"t{topic}": dict(zip(names[topic], grades[topic].tolist(), strict=True)) for topic in range(topics)}
    runs = [
        Run.from_dict(
            {
                topic: {document: grade + rng.normal(0, 3) for document, grade in judged.items()}
                for topic, judged in qrels.items()
            },
            name=f"system-{number}",
        )
        for number in range(systems)
    ]
    return runs, Qrels.from_dict(qrels)


def simulated(folder: Path, users: Any = "dbn", topics: int = 5, **settings: Any) -> Simulated:
    """A log in a folder of this name."""
    return simulate(*collection(topics), folder, users=users, settings=Settings(**settings))
