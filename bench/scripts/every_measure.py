"""Time every measure on a run in memory: QRELS RUN REPEATS.

Prints for each measure its name, the seconds of the measure alone, and those of the whole call that ranks the run,
looks up its documents and computes the measure. Measures that need more than plain judgments get it made up from them:
subtopics and strata from the number of the judgment, one assessor, preferences from grades.
"""

import sys
from time import perf_counter
from typing import Any

import numpy as np

import cranfield as cf
from cranfield.data.strings import Strings
from cranfield.measures import REGISTRY
from cranfield.measures.registry import Definition, Measure

DOCUMENTS = 10_000_000
SUBTOPICS = STRATA = 3
RELEVANCE = {"groups": "qrels_jg", "preferences": "qrels_prefs"}


class Stopwatch:
    """The seconds spent in `Measure.compute`."""

    def __init__(self) -> None:
        self.seconds = 0.0
        compute = Measure.compute

        def timed(measure: Measure, data: Any) -> Any:
            start = perf_counter()
            value = compute(measure, data)
            self.seconds += perf_counter() - start
            return value

        Measure.compute = timed  # type: ignore[method-assign]


def main() -> None:
    """Every measure in turn, then all again; the best of each counts."""
    qrels_path, run_path, repeats = sys.argv[1:]
    plain, run = cf.read_qrels(qrels_path), cf.read_run(run_path)
    judged = {"qrels": plain, "subtopics": with_subtopics(plain)}
    sampled = with_strata(plain)
    evaluators = {}
    for definition in REGISTRY.values():
        measure = usual(definition)
        kind = RELEVANCE.get(definition.needs, "qrels")
        fitting = judged.get(definition.needs, plain)
        try:
            evaluators[measure] = cf.Evaluator(fitting, measure, relevance=kind)
        except cf.errors.DataError:
            evaluators[measure] = cf.Evaluator(sampled, measure, relevance=kind)
    stopwatch = Stopwatch()
    alone = dict.fromkeys(evaluators, float("inf"))
    whole = dict.fromkeys(evaluators, float("inf"))
    for _ in range(int(repeats)):
        for measure, evaluator in evaluators.items():
            stopwatch.seconds = 0.0
            start = perf_counter()
            evaluator(run)
            whole[measure] = min(whole[measure], perf_counter() - start)
            alone[measure] = min(alone[measure], stopwatch.seconds)
    for measure in evaluators:
        print(f"{measure}\t{alone[measure]:.9f}\t{whole[measure]:.9f}")


def usual(definition: Definition) -> Measure:
    """The measure as it is usually asked for: at 10 where it needs a cutoff, with what it cannot do without."""
    measure = Measure(definition.name)
    if definition.at_needed:
        measure = measure @ (10 if 10 in definition.defaults_at else definition.defaults_at[0])
    needed = {"documents": DOCUMENTS}
    return measure(**{name: needed[name] for name in definition.required})


def _numbered(qrels: cf.Qrels, kinds: int) -> Strings:
    names = Strings.from_list([b"%d" % kind for kind in range(1, kinds + 1)])
    return names.take(np.arange(len(qrels)) % kinds)


def _queries(qrels: cf.Qrels) -> Strings:
    return Strings.from_list(qrels.query_ids).take(qrels.query)


def with_subtopics(qrels: cf.Qrels) -> cf.Qrels:
    """Each document is judged for one of three subtopics."""
    return cf.Qrels(_queries(qrels), qrels.documents, qrels.grade, _numbered(qrels, SUBTOPICS))


def with_strata(qrels: cf.Qrels) -> cf.Qrels:
    """Each document is in one of three strata, all of them judged."""
    return cf.Qrels(_queries(qrels), qrels.documents, qrels.grade, stratum=_numbered(qrels, STRATA))


main()
