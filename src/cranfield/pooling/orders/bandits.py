r"""Bandits: each run is an arm of a slot machine that pays out relevant documents.

Losada, Parapar and Barreiro ("Feeling lucky? Multi-armed bandits for ordering judgements in pooling-based evaluation",
SAC 2016; "Multi-armed bandits for adjudicating documents in pooling-based evaluation of information retrieval systems",
Information Processing and Management 53, 2017). Here a judgment counts for every run that returned the document: r_s is
the number of relevant documents, n_s that of all documents that were judged of run s, and t that of all judgments.

Runs get worse further down their lists, so that what they were worth at first says less and less. With a `discount`
below 1 older judgments count less: r_s and n_s are multiplied by it before another is added. For the Bayesian rules
that happens when a judgment is of the run itself, as Losada and others have it; for bounds it happens to all runs at
every judgment, and to t, as Garivier and Moulines have it ("On upper-confidence bound policies for switching bandit
problems", ALT 2011), so that a run that was not asked for long is uncertain again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cranfield.data.strings import Bools, Floats, Ints
from cranfield.pooling.lots import ASKING, TIES
from cranfield.pooling.orders.material import Material
from cranfield.pooling.orders.run_queues import RunAsking, best_of
from cranfield.stats.numbered_random import numbered_words


@dataclass(eq=False)
class Arms:
    """What is known of the runs."""

    relevant: Floats
    judged: Floats
    total: float = 0.0
    """Of all judgments."""

    @classmethod
    def unknown(cls, runs: int) -> Arms:
        return cls(np.zeros(runs), np.zeros(runs))


class Rule(NamedTuple):
    """How a run is chosen: the one with the highest value."""

    value: Callable[[Arms, Floats], Floats]
    """Of each run, from what is known and from a random number for each."""
    all_fade: bool = False
    """Whether a discount is for all runs at every judgment, and not only for those that it is of."""


def thompson(arms: Arms, chance: Floats) -> Floats:
    r"""A draw from what each run may be worth, Beta(1 + r_s, 1 + n_s - r_s).

    >>> thompson(Arms(np.array([0.0]), np.array([0.0])), np.array([0.25])).tolist()  # Beta(1, 1) is uniform
    [0.25]
    """
    from scipy.special import betaincinv

    drawn: Floats = betaincinv(1.0 + arms.relevant, 1.0 + arms.judged - arms.relevant, chance)
    return drawn


def max_mean(arms: Arms, chance: Floats) -> Floats:
    r"""What each run is worth on average, (1 + r_s) / (2 + n_s).

    >>> max_mean(Arms(np.array([1.0, 0.0]), np.array([2.0, 0.0])), np.zeros(2)).tolist()  # 2/4, 1/2
    [0.5, 0.5]
    """
    return (1.0 + arms.relevant) / (2.0 + arms.judged)


def upper_bound(arms: Arms, chance: Floats) -> Floats:
    r"""UCB1: r_s / n_s + √(2 ln t / n_s); what was never judged has no bound (Auer, Cesa-Bianchi and Fischer 2002).

    >>> upper_bound(Arms(np.array([1.0]), np.array([2.0]), total=4.0), np.zeros(1)).round(4)  # 1/2 + √(2 ln 4 / 2)
    array([1.6774])
    """
    mean, known = _means(arms)
    bound = np.full(len(mean), np.inf)
    bound[known] = mean[known] + np.sqrt(2.0 * _exploration(arms, known))
    return bound


def tuned_bound(arms: Arms, chance: Floats) -> Floats:
    r"""UCB1-tuned: the mean + √(ln t / n_s · min(1/4, V)), V = the variance + √(2 ln t / n_s).

    >>> found = tuned_bound(Arms(np.array([1.0]), np.array([4.0]), total=4.0), np.zeros(1))
    >>> found.round(4)  # V = 3/16 + √(2 ln 4 / 4) > 1/4: 1/4 + √(ln 4 / 4 / 4)
    array([0.5444])
    """
    mean, known = _means(arms)
    bound = np.full(len(mean), np.inf)
    exploration = _exploration(arms, known)
    variance = np.maximum(mean[known] - mean[known] ** 2, 0.0) + np.sqrt(2.0 * exploration)
    bound[known] = mean[known] + np.sqrt(exploration * np.minimum(0.25, variance))
    return bound


THOMPSON, MAX_MEAN = Rule(thompson), Rule(max_mean)
UPPER_BOUND, TUNED_BOUND = Rule(upper_bound, all_fade=True), Rule(tuned_bound, all_fade=True)


class Bandit(RunAsking):
    """Asks the run that a rule gives the highest value, for its best document that is not judged; lots decide between
    equals.

    >>> from cranfield import Run
    >>> from cranfield.pooling.candidates import Candidates
    >>> runs = [Run.from_dict({"q": {"a": 2, "b": 1}}), Run.from_dict({"q": {"c": 2, "d": 1}})]
    >>> order = Bandit(Material.of(Candidates.of(runs), b"q"), MAX_MEAN)
    >>> order.tell(0, 0)  # a is not relevant: the first run is worth 1/3, the second 1/2
    >>> order.next(3)
    [2, 3, 1]
    """

    def __init__(self, material: Material, rule: Rule, discount: float = 1.0) -> None:
        super().__init__(material)
        self.arms = Arms.unknown(len(self.queues.head))
        self._rule, self._discount = rule, discount
        self._streams, self._ties = material.run_lots(ASKING), material.run_lots(TIES)

    def choose(self, waiting: Bools, number: int) -> int:
        """The run with the highest value."""
        numbers = np.full(len(waiting), number, dtype=np.uint64)
        words = numbered_words(self._streams, numbers)
        chance = ((words >> np.uint64(11)).astype(np.float64) + 0.5) / 2**53
        equals = best_of(self._rule.value(self.arms, chance), waiting)
        if len(equals) == 1:
            return int(equals[0])
        return int(equals[np.argmin(numbered_words(self._ties, numbers)[equals])])

    def learn(self, document: int, *, relevant: bool) -> None:
        """Every run that returned the document is told."""
        arms, runs, discount = self.arms, self.queues.runs_of(document), self._discount
        fading: slice | Ints = slice(None) if self._rule.all_fade else runs
        arms.judged[fading] *= discount
        arms.relevant[fading] *= discount
        arms.total = arms.total * (discount if self._rule.all_fade else 1.0) + 1.0
        arms.judged[runs] += 1.0
        arms.relevant[runs] += relevant


def _means(arms: Arms) -> tuple[Floats, Bools]:
    """The mean of each run, and of which there is one; what has all but faded is unknown again."""
    known = arms.judged > _FADED
    return np.divide(arms.relevant, arms.judged, out=np.zeros(len(known)), where=known), known


def _exploration(arms: Arms, known: Bools) -> Floats:
    """ln t / n_s of the runs of which something is known."""
    found: Floats = np.log(max(arms.total, 1.0)) / arms.judged[known]
    return found


_FADED = 1e-9
