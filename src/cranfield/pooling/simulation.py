"""Orders of judging, replayed over judgments that are there: what each would have found, and known of the systems."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.data.strings import Bools, Floats, Ints, decode
from cranfield.errors import UsageError
from cranfield.evaluation.evaluator import Evaluator
from cranfield.evaluation.parallel import fork_map
from cranfield.formats import read_run
from cranfield.formats.files import progress_within
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.missing.judged_candidates import JudgedCandidates
from cranfield.pooling.missing.left_out import JudgedRuns
from cranfield.pooling.orders import JudgingOrder
from cranfield.pooling.orders.material import Material, TopicTexts
from cranfield.pooling.orders.named import ORDERS, NamedOrder
from cranfield.stats.correlation.system_orders import SystemOrders

TOLERANCE = 1e-12
"""Scores that are no farther apart are equal."""
DEPTH, SEEDS = 100, 5
Texts = Callable[[str, Sequence[str]], TopicTexts]
"""What a topic and its documents say."""


@dataclass(frozen=True, eq=False)
class Simulation:
    """What orders of judging come to after so many judgments of each topic: arrays are orders x seeds x budgets."""

    orders: tuple[str, ...]
    seeds: tuple[int, ...]
    budgets: Ints
    """Judgments per topic; topics with fewer documents have all of them judged."""
    judgments: Ints
    """Judgments of all topics together, for each budget."""
    relevant: Ints
    """Relevant documents found."""
    unjudged: Ints
    """Judgments spent on documents of which nothing is known."""
    tau: Floats
    """Of the order of systems by these judgments and by all; nan with fewer than two systems."""
    tau_ap: Floats
    found: Ints
    """Relevant documents found after each number of judgments per topic, from 1 on: orders x seeds x numbers."""
    all_relevant: int
    """In the judgments, of the topics that are replayed."""
    reachable: int
    """Of these, among the documents that can be asked for: in some run, not below the depth."""
    topics: int
    runs: tuple[str, ...]
    measure: str
    notes: tuple[str, ...] = ()

    def share(self, relevant: Any) -> Any:
        """What share of all relevant documents so many are."""
        return relevant / max(self.all_relevant, 1)


class _Replayed(NamedTuple):
    relevant: Ints
    unjudged: Ints
    tau: Floats
    tau_ap: Floats
    found: Ints


def simulate_orders(
    qrels: Any,
    runs: Sequence[str | os.PathLike[str] | Run],
    orders: Iterable[str] = (),
    *,
    budgets: Iterable[int] = (),
    depth: int | None = DEPTH,
    measure: str = "AP",
    seeds: int = SEEDS,
    seed: int = 0,
    judged_only: bool = False,
    texts: Texts | None = None,
    **options: Any,
) -> Simulation:
    """Replay orders of judging: each asks for documents of the runs, down to a depth, and is told their grades.

    A document that is not in the judgments counts as not relevant, for orders as for measures; with `judged_only` there
    are no such documents to ask for. Orders are named as in `orders.named`; without any these are all that runs (and
    `texts`, if given) allow. Each is replayed with so many seeds, from `seed` on. Systems are put in order by the mean
    of the measure with the judgments that an order has asked for so far, and with all: `tau` is Kendall's (tau_a),
    `tau_ap` AP correlation (tau_ap_a), the truth being the order by all judgments. `options` are those of `Evaluator`.

    >>> qrels = {"q": {"a": 0, "b": 1, "c": 0, "d": 1}}
    >>> runs = [Run.from_dict({"q": {"a": 3, "c": 2, "b": 1}}, name="one"), Run.from_dict({"q": {"b": 2, "d": 1}})]
    >>> found = simulate_orders(qrels, runs, ["rrf"], budgets=[1, 2, 4], seeds=1)
    >>> found.relevant.tolist(), found.judgments.tolist()  # b has 1/63 + 1/61, a 1/61, and then c and d have 1/62
    ([[[1, 1, 2]]], [1, 2, 4])
    """
    if seeds < 1:
        raise UsageError(f"{seeds} seeds: expected 1 or more")
    evaluator = Evaluator(qrels, measure, **options)
    judgments = evaluator.qrels
    assert isinstance(judgments, Qrels)
    in_memory = [run if isinstance(run, Run) else read_run(run, format=evaluator.run_format) for run in runs]
    judged = JudgedCandidates.of(judgments, Candidates.of(in_memory, depth))
    scored = JudgedRuns.of(evaluator, in_memory)
    named = [NamedOrder.parse(order) for order in dict.fromkeys(orders)] or _all_orders(texts is not None)
    replays = _Replays.of(judged, scored, float(evaluator.level), judged_only=judged_only)
    wanted = _budgets(list(budgets), replays.largest)
    # Grades and lists are the same for all: what one process finds out need not be found out by the others.
    materials = {one: replays.materials(one, texts) for one in range(seed, seed + seeds)}
    tasks = [partial(replays.replay, order, several, wanted) for order in named for several in materials.values()]
    told = fork_map([partial(_telling, task, number, len(tasks)) for number, task in enumerate(tasks)])
    columns = [np.array(column).reshape(len(named), seeds, -1) for column in zip(*told, strict=True)]
    relevant, unjudged, tau, tau_ap, found = columns
    return Simulation(
        tuple(order.label for order in named),
        tuple(materials),
        wanted,
        replays.spent(wanted),
        relevant,
        unjudged,
        tau,
        tau_ap,
        found,
        int(np.count_nonzero(judgments.grade[replays.replayed] >= evaluator.level)),
        int(np.count_nonzero(replays.relevant)),
        len(replays.candidates.topic_ids),
        scored.names,
        str(evaluator.measures[0]),
        tuple(_notes(replays, judged)),
    )


def replay(order: JudgingOrder, grades: Sequence[float], budget: int) -> list[int]:
    """The documents that an order asks for, one by one, if it is told these grades.

    >>> from cranfield.pooling.orders.fixed import FixedOrder
    >>> replay(FixedOrder([2, 0, 1]), [0, 1, 0], 2)
    [2, 0]
    """
    asked: list[int] = []
    while len(asked) < budget and (named := order.next()):
        asked.append(named[0])
        order.tell(named[0], grades[named[0]])
    return asked


@dataclass(frozen=True, eq=False)
class _Replays:
    """What is replayed: documents by topic with what is known of them, and systems to be put in order."""

    candidates: Candidates
    grade: Floats
    """Of each candidate; 0 where nothing is known."""
    judgment: Ints
    """The row of each candidate in the judgments; -1 where nothing is known."""
    scored: JudgedRuns
    level: float
    replayed: Bools
    """Which judgments are of topics that are replayed."""

    @classmethod
    def of(cls, judged: JudgedCandidates, scored: JudgedRuns, level: float, *, judged_only: bool) -> _Replays:
        candidates, qrels = judged.candidates, judged.qrels
        if judged_only:
            candidates = candidates.only(judged.judged)
            candidates = candidates.among({candidates.topic_ids[topic] for topic in set(candidates.topic.tolist())})
        code = np.array([qrels.position[topic] for topic in candidates.topic_ids], dtype=np.int32)
        row, found = qrels.table.find(code[candidates.topic], candidates.documents, candidates.hashes)
        judgment = np.full(len(candidates), -1)
        judgment[row] = np.where(qrels.grade[found] < 0, -1, found)
        grade = np.where(judgment < 0, 0.0, qrels.grade[judgment])
        of_topic = np.zeros(len(qrels.query_ids), dtype=np.bool_)
        of_topic[code] = True
        return cls(candidates, grade, judgment, scored, level, of_topic[qrels.query])

    @property
    def relevant(self) -> Bools:
        return (self.judgment >= 0) & (self.grade >= self.level)

    @property
    def largest(self) -> int:
        """How many documents the topic has that has most."""
        return int(np.diff(self.candidates.offset).max(initial=0))

    def spent(self, budgets: Ints) -> Ints:
        """Judgments of all topics together."""
        size = np.diff(self.candidates.offset)
        return np.array([int(np.minimum(size, budget).sum()) for budget in budgets.tolist()], dtype=np.int64)

    def materials(self, seed: int, texts: Texts | None) -> list[Material]:
        """Of each topic."""
        found = []
        for topic in self.candidates.topic_ids:
            material = Material.of(self.candidates, topic, seed=seed, level=self.level)
            if texts is not None:
                names = list(map(decode, material.documents.tolist()))
                material = replace(material, texts=texts(decode(topic), names))
            found.append(material)
        return found

    def replay(self, order: NamedOrder, materials: Sequence[Material], budgets: Ints) -> _Replayed:
        """One order over all topics."""
        most = int(budgets[-1])
        place = np.full(len(self.candidates), most + 1)
        for topic, material in enumerate(materials):
            documents = self.candidates.documents_of(topic)
            asked = replay(order.make(material), self.grade[documents].tolist(), most)
            place[documents.start + np.array(asked, dtype=np.int64)] = np.arange(1, len(asked) + 1)
        found = np.cumsum(np.bincount(place[self.relevant], minlength=most + 2))[1 : most + 1]
        unknown = np.cumsum(np.bincount(place[self.judgment < 0], minlength=most + 2))[1 : most + 1]
        tau, tau_ap = self._agreement([place <= budget for budget in budgets.tolist()])
        return _Replayed(found[budgets - 1], unknown[budgets - 1], tau, tau_ap, found)

    def _agreement(self, asked: Sequence[Bools]) -> tuple[Floats, Floats]:
        """How far systems are in the same order by the judgments that were asked for as by all."""
        measure = self.scored.measures[0]
        if len(self.scored.names) < 2:
            return np.full(len(asked), np.nan), np.full(len(asked), np.nan)
        sign = -1.0 if measure.more_is_better is False else 1.0
        truth = sign * self.scored.means(self.scored.values)[0]
        scores = []
        for known in asked:
            gone = np.ones(len(self.scored.qrels), dtype=np.bool_)
            gone[self.judgment[known & (self.judgment >= 0)]] = False
            scores.append(sign * self.scored.means(self.scored.values_without(np.flatnonzero(gone)))[0])
        both = SystemOrders(np.tile(truth, (len(asked), 1)), np.array(scores), (TOLERANCE, TOLERANCE))
        return both.coefficient("tau_a"), both.coefficient("tau_ap_a")


def _all_orders(with_texts: bool) -> list[NamedOrder]:
    """All but that of a pool, of which there is none."""
    needed = {"", "runs", *(["texts"] if with_texts else [])}
    return [NamedOrder.parse(name) for name, kind in ORDERS.items() if kind.needs in needed and name != "pool"]


def _budgets(given: Sequence[int], largest: int) -> Ints:
    """As given, or 1, 2, 5, 10 and so on to the end."""
    if any(budget < 1 for budget in given):
        raise UsageError(f"a budget of {min(given)}: expected 1 judgment per topic or more")
    steps = given or [step * 10**power for power in range(8) for step in (1, 2, 5)]
    inside = sorted({budget for budget in steps if budget < largest})
    return np.array([*inside, largest] if not given or max(given) >= largest else inside, dtype=np.int64)


def _telling(task: Callable[[], _Replayed], number: int, of: int) -> _Replayed:
    tell = progress_within(0.0, 1.0)
    if tell is not None:
        tell(f"{number} of {of} replays", number / of)
    return task()


def _notes(replays: _Replays, judged: JudgedCandidates) -> list[str]:
    """What should be said about it."""
    said = judged.notes()
    unknown = int(np.count_nonzero(replays.judgment < 0))
    if unknown:
        said.append(
            f"{unknown} of the {len(replays.candidates)} documents that can be asked for have no judgment: they count "
            "as not relevant"
        )
    if len(replays.scored.names) < 2:
        said.append("tau needs two systems or more")
    return said
