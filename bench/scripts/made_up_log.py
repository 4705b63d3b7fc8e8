"""A simulated log: FOLDER SESSIONS [TOPICS PHRASINGS]. Prints how many rows it has, the seconds it took, and the most
memory in bytes."""

import resource
import sys
from time import perf_counter

import numpy as np

from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.logs.simulating import simulate
from cranfield.logs.simulation.settings import Settings

TOPICS, PHRASINGS = 1000, 1
DOCUMENTS, SYSTEMS = 30, 4
SHARES = (0.55, 0.25, 0.15, 0.05)
"""Of documents of the grades 0 to 3."""


def collection(topics: int) -> tuple[list[Run], Qrels]:
    """Topics with documents of all grades, and systems that see these through noise."""
    random = np.random.default_rng(0)
    grades = random.choice(len(SHARES), p=SHARES, size=(topics, DOCUMENTS))
    judged = {
        f"topic {topic}": {f"d{topic}-{number}": grade for number, grade in enumerate(row)}
        for topic, row in enumerate(grades.tolist())
    }
    runs = [
        Run.from_dict(
            {
                topic: {name: grade + random.normal(0, 3) for name, grade in row.items()}
                for topic, row in judged.items()
            },
            name=f"system-{system}",
        )
        for system in range(SYSTEMS)
    ]
    return runs, Qrels.from_dict(judged)


def main(folder: str, sessions: int, topics: int = TOPICS, phrasings: int = PHRASINGS) -> None:
    runs, qrels = collection(topics)
    # The number is the last word, which none of the few phrasings leaves out: no two topics are put in the same way.
    texts = {topic: f"small red {topic}" for topic in runs[0].queries} if phrasings > 1 else None
    settings = Settings(sessions=sessions, shuffled=0.05, phrasings=phrasings)
    begin = perf_counter()
    made = simulate(runs, qrels, folder, users="dbn", texts=texts, settings=settings)
    seconds = perf_counter() - begin
    print(sum(made.record.rows.values()), seconds, 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, sep="\t")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
