"""One step of fitting click models to a log: FOLDER SAMPLE REPEATS. SAMPLE pages are gone through in Python.

Prints how many pages the log has and how many different ones, and the seconds to reduce it; then for each model the
name, the seconds to make these ready, of a step, and of a page in Python, and whether both ways agree. In the end the
most memory in bytes.
"""

import resource
import sys
from collections.abc import Callable
from time import perf_counter

import numpy as np
from click_model_loops import LOOPS, Result

from cranfield.logs.log import Log
from cranfield.logs.models import MODELS
from cranfield.logs.models.fitting import ClickModel, usual_prior
from cranfield.logs.models.pages import Pages
from cranfield.logs.models.reading import read_pages

LEAST_SECONDS = 2.0


def main(folder: str, sample: int, repeats: int) -> None:
    begin = perf_counter()
    pages = read_pages(Log(folder)).training
    print(int(pages.views.sum()), len(pages.views), perf_counter() - begin, sep="\t")
    few = _some(pages, sample)
    in_python = list(zip(few.pair.tolist(), few.clicked.tolist(), strict=True))
    prior = usual_prior(pages)
    for name, loop in LOOPS.items():
        model = MODELS[name].begin(pages, prior)
        ready = _shortest(repeats, model.counts, pages)
        step = _shortest(repeats, model.step, model.counts(pages), prior)
        slow = _shortest(repeats, loop, in_python, model, prior) / len(in_python)
        same = _agree(loop(in_python, model, prior), model.step(model.counts(few), prior).model)
        print(name, ready, step, slow, same, sep="\t")
    print(1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def _some(pages: Pages, sample: int) -> Pages:
    """Pages drawn from all, each by itself."""
    rows = np.random.default_rng(0).choice(len(pages.views), sample, p=pages.views / pages.views.sum())
    return Pages(pages.pair[rows], pages.clicked[rows], np.ones(sample), pages.pairs)


def _shortest(repeats: int, work: Callable[..., object], *arguments: object) -> float:
    """The seconds that it takes when nothing else runs: the best of so many times, and of two seconds at least."""
    found = list[float]()
    while len(found) < repeats or sum(found) < LEAST_SECONDS:
        begin = perf_counter()
        work(*arguments)
        found.append(perf_counter() - begin)
    return min(found)


def _agree(loop: Result, model: ClickModel) -> bool:
    """Whether the loop and a step give the same parameters."""
    attracts, others, satisfies = loop
    own = getattr(model, "chance", None)
    pairs = [
        (list(attracts.values()), model.attractiveness[list(attracts)]),
        (others, [model.continuation] if own is None else own),
        (list(satisfies.values()), model.satisfied[list(satisfies)] if satisfies else []),
    ]
    return all(np.allclose(one, other) for one, other in pairs)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
