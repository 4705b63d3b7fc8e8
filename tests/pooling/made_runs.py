"""Runs for tests of pools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from hypothesis import strategies as st

from cranfield.data.run import Run
from cranfield.data.strings import Floats

RESULTS = st.dictionaries(
    st.sampled_from(["1", "2", "10"]),
    st.dictionaries(st.sampled_from([f"doc-{n}" for n in range(9)]), st.integers(0, 5), min_size=1),
    min_size=1,
)
"""What a run returned: `{topic: {document: score}}`."""


def run_of(lists: Mapping[str, Sequence[str]], name: str) -> Run:
    """A run from its lists, best document first."""
    return Run.from_dict(
        {topic: {each: -at for at, each in enumerate(docs)} for topic, docs in lists.items()}, name=name
    )


def noisy_runs(runs: int, topics: int, documents: int, depth: int, seed: int) -> tuple[list[Run], Floats]:
    """Runs that see through noise which documents are worth something, and what each is worth (topic by document)."""
    rng = np.random.default_rng(seed)
    worth = rng.normal(size=(topics, documents))
    made = []
    for number in range(runs):
        order = np.argsort(-(worth + rng.normal(size=worth.shape)), axis=1)[:, :depth]
        lists = {f"t{topic}": [f"d{document}" for document in order[topic].tolist()] for topic in range(topics)}
        made.append(run_of(lists, f"run-{number}"))
    return made, worth
