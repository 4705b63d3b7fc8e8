"""One run of several."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from cranfield.data.frames import as_run
from cranfield.data.run import Run
from cranfield.data.strings import Codes, Floats, Numbered, Strings, concatenate
from cranfield.engines.fusion.evidence import Asked
from cranfield.engines.fusion.lists import SideBySide
from cranfield.engines.fusion.methods import METHODS, Method, parse_method
from cranfield.engines.fusion.normalisations import NORMALISATIONS
from cranfield.errors import CoverageError, ParameterError, UsageError, did_you_mean
from cranfield.evaluation.inputs import is_file
from cranfield.evaluation.named_runs import named_runs
from cranfield.formats import read_run
from cranfield.measures.parameters import CUTOFF, Number


def fuse(
    runs: Any,
    method: str = "RRF",
    *,
    normalisation: str | None = None,
    weights: Sequence[float] | Mapping[str, float] | None = None,
    depth: int | None = None,
    input_depth: int | None = None,
    name: str | None = None,
    run_format: str | None = None,
) -> Run:
    """Make one run of several: files, runs in memory, or a dict of them by name.

    `method` is one of `METHODS`, with parameters in brackets (`RRF(k=10)`). Methods that use scores make them
    comparable first, by `normalisation` (one of `NORMALISATIONS`; min-max unless said). `weights` are those of the
    runs, in their order or by name. `depth` is how many documents of each topic are kept, `input_depth` how many of
    each list are looked at. A run that lacks a topic adds nothing there. The order of the runs does not matter.

    >>> first, second = {"q1": {"d1": 9, "d2": 8}}, {"q1": {"d2": 0.7, "d3": 0.2}}
    >>> fuse([first, second])["q1"]  # d2 is second and first: 1/62 + 1/61
    {'d2': 0.03252247488101534, 'd1': 0.01639344262295082, 'd3': 0.016129032258064516}
    """
    chosen, parameters = parse_method(method)
    normalise = NORMALISATIONS[_normalisation(chosen, normalisation)].apply
    named = {
        key: read_run(run, format=run_format) if is_file(run) else as_run(run) for key, run in named_runs(runs).items()
    }
    several = list(named.values())
    _check_topics(named)
    weighing = _weights(chosen, weights, list(named))
    keep = None if depth is None else CUTOFF.accept(depth, "the depth of a fused run")
    look = None if input_depth is None else CUTOFF.accept(input_depth, "the depth to which runs are looked at")
    table = SideBySide(several, look)

    def ranked(topics: slice) -> tuple[Codes, Strings, Floats]:
        lists = table.lists(topics)
        scores = chosen.function(Asked(lists, normalise(lists), weighing), **parameters)
        ends = np.cumsum(lists.candidates_of_topic).tolist()
        order = np.concatenate(
            [begin + np.argsort(-scores[begin:end]) for begin, end in zip([0, *ends], ends, strict=False)]
        )
        # Topics stay where they are; ties are put in order by the run.
        code = (lists.topic + topics.start).astype(np.int32)
        return code, lists.documents.take(order).compact(), scores[order]

    pieces = table.pieces()
    if len(pieces) == 1:
        made = [ranked(pieces[0])]
    else:
        with ThreadPoolExecutor(os.cpu_count()) as threads:  # work on arrays goes on side by side
            made = list(threads.map(ranked, pieces))
    code, documents, scores = zip(*made, strict=True)
    title = name or f"{chosen.name}-{'-'.join(named)}"
    fused = Run(
        Numbered(table.topics, np.concatenate(code)), concatenate(documents), np.concatenate(scores), name=title
    )
    return fused if keep is None else fused.first(keep)


def fusion_notes(runs: Mapping[str, Run]) -> list[str]:
    """What one should know of runs that are fused: topics that some of them lack, and lists of different lengths."""
    topics = {topic for run in runs.values() for topic in run.query_ids}
    lacking = {name: len(topics) - len(run.query_ids) for name, run in runs.items()}
    notes = [
        f"{name} has nothing for {count} of {len(topics)} topics and adds nothing there"
        for name, count in lacking.items()
        if count
    ]
    longest = {name: int(np.diff(run.offset).max(initial=0)) for name, run in runs.items()}
    if max(longest.values()) >= 2 * min(longest.values()):
        lengths = ", ".join(f"{name} {length}" for name, length in longest.items())
        notes.append(f"the longest lists have very different lengths: {lengths}")
    return notes


def _normalisation(method: Method, asked: str | None) -> str:
    if asked is None:
        return "min-max" if method.uses_scores else "none"
    if asked not in NORMALISATIONS:
        there = f"{did_you_mean(asked, NORMALISATIONS)} There are: {', '.join(NORMALISATIONS)}"
        raise UsageError(f"unknown normalisation {asked!r}{there}")
    if not method.uses_scores and asked != "none":
        raise UsageError(f"{method.name} looks at ranks alone: a normalisation of scores ({asked}) changes nothing")
    return asked


def _check_topics(runs: Mapping[str, Run]) -> None:
    if len(runs) < 2:
        raise UsageError(f"fusion takes two or more runs, found {len(runs)}")
    for name, run in runs.items():
        if not len(run):
            raise CoverageError(f"{name}: there is nothing in it to fuse")
    times = Counter(topic for run in runs.values() for topic in run.query_ids)
    if max(times.values()) < 2:
        examples = "; ".join(f"{name}: {', '.join(run.queries[:3])}, ..." for name, run in list(runs.items())[:3])
        raise CoverageError(f"no topic is in more than one run, so there is nothing to fuse. Topics of {examples}")


def _weights(
    method: Method, given: Sequence[float] | Mapping[str, float] | None, names: Sequence[str]
) -> Floats | None:
    if given is None:
        return None
    if not method.takes_weights:
        takers = ", ".join(other.name for other in METHODS.values() if other.takes_weights)
        raise UsageError(f"{method.name} takes no weights; these do: {takers}")
    if isinstance(given, Mapping):
        for name in given:
            if name not in names:
                raise UsageError(f"there is a weight for {name!r}, and no run of that name{did_you_mean(name, names)}")
        given = [given.get(name, 1.0) for name in names]
    if len(given) != len(names):
        raise UsageError(f"there are {len(given)} weights for {len(names)} runs ({', '.join(names)})")
    values = [
        Number(0, 1e12).accept(weight, f"the weight of {name}") for name, weight in zip(names, given, strict=True)
    ]
    if not any(values):
        raise ParameterError("all weights are 0: nothing would be left to rank by")
    return np.array(values, dtype=np.float64)
