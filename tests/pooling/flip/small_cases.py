"""Two short lists of judged and unjudged documents, and every completion of their grades there is."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

import cranfield as cf
from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.data.strings import Floats
from cranfield.measures import Measure
from cranfield.measures.holes.scale import Scale
from cranfield.pooling.flip.side_by_side import SideBySide
from cranfield.pooling.flip.ways.case import Case

MOST_COMPLETIONS = 1100


class Two(NamedTuple):
    """Two lists of documents, and what was judged, also of documents in neither."""

    first: tuple[str, ...]
    second: tuple[str, ...]
    judged: dict[str, int]

    @property
    def open(self) -> list[str]:
        """Returned by one of the two, and not judged: a negative grade says so too."""
        return [name for name in dict.fromkeys((*self.first, *self.second)) if self.judged.get(name, -1) < 0]

    def runs(self) -> tuple[Run, Run]:
        first, second = (Run.from_dict({"q": scores(names)} if names else {}) for names in (self.first, self.second))
        return first, second

    def case(self, measure: Measure) -> Case:
        qrels = Qrels.from_dict({"q": self.judged})
        return Case(SideBySide.of(qrels, *self.runs()), measure, Scale.of(qrels))

    def grades(self, measure: Measure) -> list[float]:
        """Those that an open document may have: those that occur, 1 if none does, up to gmax where that matters."""
        occur: list[float] = sorted({0, *(grade for grade in self.judged.values() if grade > 0)})
        occur = occur if len(occur) > 1 else [0, 1]
        gmax = measure.parameters.get("gmax")
        if gmax is None or not measure.looks_at("gmax"):
            return occur
        return [*(grade for grade in occur if grade < gmax), gmax]

    def fits(self, measure: Measure) -> bool:
        """Whether its grades are right for the measure, and there are not too many completions."""
        check = measure.definition.check
        fine = check is None or check(Qrels.from_dict({"q": self.judged}), measure.parameters) is None
        return fine and len(self.grades(measure)) ** len(self.open) <= MOST_COMPLETIONS


def scores(names: tuple[str, ...]) -> dict[str, float]:
    return {name: -float(place) for place, name in enumerate(names)}


@st.composite
def twos(draw: st.DrawFn, highest: int = 3, judged: int = 5, unjudged: int = 5) -> Two:
    """Lists of so many judged and unjudged documents at most, with grades up to the highest at most."""
    top = draw(st.integers(1, highest))
    names = [f"d{number}" for number in range(draw(st.integers(0, judged)))]
    grades = {name: draw(st.integers(0, top)) for name in names}
    more = [f"x{number}" for number in range(draw(st.integers(1, unjudged)))]
    missed = {f"m{number}": draw(st.integers(-1, top)) for number in range(draw(st.integers(0, 2)))}
    negative = {more[0]: -1} if draw(st.booleans()) else {}
    lists = [
        tuple(draw(st.permutations(names + more)))[: draw(st.integers(0, len(names) + len(more)))] for _ in range(2)
    ]
    return Two(lists[0], lists[1], {"other": 0, **grades, **missed, **negative})


def differences(two: Two, measure: Measure) -> Floats:
    """The difference for every completion: as many topics, in judgments that lack nothing, by the public function."""
    fillings = product(two.grades(measure), repeat=len(two.open))
    judged = {
        f"q{number:05}": two.judged | dict(zip(two.open, filling, strict=True))
        for number, filling in enumerate(fillings)
    }
    topics = list(judged)
    judged["~"] = {"a": 0}  # a topic that every run has
    evaluator = cf.Evaluator(judged, [measure])
    values = []
    for names in (two.first, two.second):
        lists = dict.fromkeys(topics, scores(names)) if names else {}
        values.append(np.asarray(evaluator({**lists, "~": {"a": 1}}).columns[measure])[:-1])
    difference: Floats = values[0] - values[1]
    return difference
