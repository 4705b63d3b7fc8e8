"""How alike two measures, two sets of judgments or two sets of topics order systems, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cranfield.data.strings import Floats, Ints
from cranfield.errors import DataError, UsageError, did_you_mean
from cranfield.stats.arguments import whole, within
from cranfield.stats.chunks import chunks
from cranfield.stats.correlation.correlation_interval import fisher_interval, jackknife_interval, why_no_fisher_interval
from cranfield.stats.correlation.rank_biased_overlap import check
from cranfield.stats.correlation.system_orders import COEFFICIENTS, SystemOrders
from cranfield.stats.correlation.system_scores import SystemScores, require_same_systems
from cranfield.stats.interval import Interval
from cranfield.stats.many_systems.score_matrix import FEW_SYSTEMS
from cranfield.stats.random_stream import RandomStream
from cranfield.stats.significance.differences import FEW_TOPICS

DEFAULT_COEFFICIENTS = ("tau_b", "tau_ap_b", "spearman", "pearson", "rbo")
ALL_TIED = "all systems are tied by one of the two"
TOP_ONLY = "rbo looks at the top of these two lists, and other systems would make other lists"
RESAMPLES = 2_000

_ALSO_CALLED = {"tau": "tau_b", "kendall": "tau_b", "tau_ap": "tau_ap_b", "rho": "spearman", "r": "pearson"}
_FISHER = {"pearson": "pearson", "spearman": "spearman", "tau_a": "tau", "tau_b": "tau"}
_ROWS_IN_MEMORY = 16
"""How many numbers a sample needs at once for each of its systems, roughly."""


@dataclass(frozen=True)
class SystemCorrelation:
    """How alike two orders of systems are, by one coefficient."""

    coefficient: str
    value: float
    """From -1 to 1, rbo from 0 to 1; nan where it is not defined."""
    systems: int
    interval: Interval | None
    undefined: str | None = None
    """Why there is no value, if there is none."""
    no_interval: str | None = None
    """Why there is no interval, if there is a value and no interval."""


def correlate_systems(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    coefficients: str | Iterable[str] = DEFAULT_COEFFICIENTS,
    *,
    topics: tuple[Sequence[Hashable], Sequence[Hashable]] | None = None,
    p: float = 0.9,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> dict[str, SystemCorrelation]:
    r"""How alike two ways to score systems put them in order, with intervals.

    `first` and `second` have the scores of the same systems, higher being better: topics x systems, or one score for
    each system. Coefficients: `tau_a`, `tau_b` (Kendall), `tau_ap_a` (AP correlation, the first order being the truth),
    `tau_ap_b`, `spearman`, `pearson`, and `rbo`, rank-biased overlap with persistence `p`; each has a function of its
    own in `cranfield.stats`.

    With topics x systems, systems are ordered by their means, and the interval comes from the bootstrap over topics:

    .. math:: r \pm z_{\alpha / 2} \, s^*

    where s* is the standard deviation of the coefficient over `resamples` samples of topics, drawn with replacement.
    The same topics are drawn for both: row i of both is one topic, or `topics` has the names of the topics of each
    (what only one of them has is drawn on its own). The interval is about what as many topics as these give on
    average. That is not what infinitely many would give: chance puts systems that are nearly equal in any order, so
    the fewer topics, the lower the coefficient tends to be.

    With one score for each system, the systems are taken for a random sample: Fisher's z for Pearson, Spearman and
    Kendall (`fisher_interval`), the jackknife for AP correlation. rbo then has no interval.

    Not defined for fewer than two systems; `tau_b`, `tau_ap_b`, `spearman` and `pearson` neither where all systems are
    tied by one of the two. Samples in which a coefficient is not defined are left out.

    B. Efron, R. J. Tibshirani. An introduction to the bootstrap. 1993.

    >>> AP = {"a": [0.5, 0.6, 0.4], "b": [0.3, 0.5, 0.2], "c": [0.1, 0.3, 0.3]}  # three systems, three topics
    >>> RR = {"a": [1.0, 1.0, 0.5], "b": [1.0, 0.5, 1.0], "c": [0.2, 0.5, 0.2]}
    >>> AP, RR = (np.transpose(list(scores.values())) for scores in (AP, RR))
    >>> tau = correlate_systems(AP, RR)["tau_b"]  # a, b, c by AP; by RR a and b are tied: 2 / (√3 √2)
    >>> round(tau.value, 4)
    0.8165
    >>> tau.interval.method
    'bootstrap over topics, 2,000 samples'
    """
    wanted = coefficient_names([coefficients] if isinstance(coefficients, str) else coefficients)
    check(p, "b")
    within("level", level, 0, 1)
    whole("resamples", resamples, 2)
    whole("seed", seed, 0)
    pair = _Pair(SystemScores.of("first", first), SystemScores.of("second", second), topics)
    found = {}
    for name, value in pair.values(wanted, p).items():
        if pair.systems < 2:
            found[name] = SystemCorrelation(name, math.nan, pair.systems, None, FEW_SYSTEMS)
        elif math.isnan(value):
            found[name] = SystemCorrelation(name, value, pair.systems, None, ALL_TIED)
        else:
            found[name] = SystemCorrelation(name, value, pair.systems, None)
    defined = [name for name in wanted if found[name].undefined is None]
    spread = pair.bootstrap(defined, p, resamples, seed) if pair.by_topic else {}
    for name in defined:
        value = found[name].value
        if pair.by_topic:
            interval, reason = _around(value, spread[name], level, resamples, lowest=0.0 if name == "rbo" else -1.0)
        else:
            interval, reason = pair.interval_over_systems(name, value, p, level)
        found[name] = SystemCorrelation(name, value, pair.systems, interval, None, reason)
    return found


def coefficient_names(given: Iterable[str]) -> tuple[str, ...]:
    """The names of coefficients, from any names they go by.

    >>> coefficient_names(["kendall", "tau-ap"])
    ('tau_b', 'tau_ap_b')
    """
    names = []
    for one in given:
        folded = one.lower().replace("-", "_")
        name = _ALSO_CALLED.get(folded, folded)
        if name not in COEFFICIENTS:
            hint = did_you_mean(one, [*COEFFICIENTS, *_ALSO_CALLED])
            raise UsageError(f"unknown coefficient {one!r}{hint} There are: {', '.join(COEFFICIENTS)}")
        names.append(name)
    if not names:
        raise UsageError("no coefficient is named")
    return tuple(dict.fromkeys(names))


class _Pair:
    """Two tables of scores of the same systems, in an order that does not depend on how they were given."""

    def __init__(
        self, one: SystemScores, other: SystemScores, topics: tuple[Sequence[Hashable], Sequence[Hashable]] | None
    ) -> None:
        require_same_systems(one, other)
        self.systems = one.systems
        self.tolerance = one.tolerance, other.tolerance
        self.by_topic = one.by_topic and other.by_topic
        first, second = (of.table if self.by_topic else of.means[np.newaxis] for of in (one, other))
        both, only_first, only_second = _matched(first, second, topics if self.by_topic else None)
        self.topics = len(first), len(second)
        # Systems in the order of their own scores, then topics by the scores of the systems.
        columns = _order(np.vstack([np.sort(part, axis=0) for part in (first, second)]).T)
        rows = _order(np.hstack([part[:, columns] for part in both]))
        self._both = [part[:, columns][rows] for part in both]
        self._only = [part[:, columns][_order(part[:, columns])] for part in (only_first, only_second)]

    def values(self, wanted: Sequence[str], p: float) -> dict[str, float]:
        return {name: float(of[0]) for name, of in self._coefficients(self._means(), wanted, p).items()}

    def _means(self) -> tuple[Floats, Floats]:
        """The mean score of each system, by the first and by the second table, as one sample."""
        whole_first, whole_second = (
            (both.sum(axis=0) + only.sum(axis=0))[np.newaxis] / n
            for both, only, n in zip(self._both, self._only, self.topics, strict=True)
        )
        return whole_first, whole_second

    def _coefficients(self, means: tuple[Floats, Floats], wanted: Sequence[str], p: float) -> dict[str, Floats]:
        orders = SystemOrders(*means, self.tolerance, p=p)
        return {name: orders.coefficient(name) for name in wanted}

    def bootstrap(self, wanted: Sequence[str], p: float, resamples: int, seed: int) -> dict[str, Floats]:
        """The coefficients in samples of topics; none where there are too few topics to sample."""
        found = {name: np.full(resamples, np.nan) for name in wanted}
        if min(self.topics) < 2 or not wanted:
            return found
        stream = RandomStream(seed)
        for part in chunks(resamples, _ROWS_IN_MEMORY * max(self.systems, *self.topics)):
            size = part.stop - part.start
            drawn = stream.draws(size, len(self._both[0])) if len(self._both[0]) else np.zeros((size, 0))
            means = []
            for both, only, n in zip(self._both, self._only, self.topics, strict=True):
                total = drawn @ both
                if len(only):
                    total = total + stream.draws(size, len(only)) @ only
                means.append(total / n)
            for name, values in self._coefficients((means[0], means[1]), wanted, p).items():
                found[name][part] = values
        return found

    def interval_over_systems(
        self, name: str, value: float, p: float, level: float
    ) -> tuple[Interval | None, str | None]:
        if name == "rbo":
            return None, TOP_ONLY
        if name in _FISHER:
            interval = fisher_interval(value, self.systems, coefficient=_FISHER[name], level=level)
            return interval, None if interval else why_no_fisher_interval(_FISHER[name], self.systems)
        kept = np.array([np.delete(np.arange(self.systems), left_out) for left_out in range(self.systems)])
        first, second = (mean[0][kept] for mean in self._means())
        interval = jackknife_interval(value, self._coefficients((first, second), [name], p)[name], level)
        return interval, None if interval else "the jackknife needs three systems, and not all others tied"


def _around(
    value: float, samples: Floats, level: float, resamples: int, *, lowest: float
) -> tuple[Interval | None, str | None]:
    """The value and so many standard deviations of the samples to either side."""
    from scipy.special import ndtri

    samples = samples[~np.isnan(samples)]
    if len(samples) < 2:
        return None, FEW_TOPICS
    reach = float(ndtri((1 + level) / 2)) * float(samples.std(ddof=1))
    method = f"bootstrap over topics, {resamples:,} samples"
    if len(samples) < resamples:
        method += f" ({resamples - len(samples):,} of them tied: left out)"
    return Interval(max(value - reach, lowest), min(value + reach, 1.0), level, method), None


def _matched(
    first: Floats, second: Floats, topics: tuple[Sequence[Hashable], Sequence[Hashable]] | None
) -> tuple[tuple[Floats, Floats], Floats, Floats]:
    """The rows of the topics that both have, those that only the first has, and those that only the second has."""
    if topics is None:
        if len(first) != len(second):
            raise DataError(
                f"first has {len(first)} topics and second has {len(second)}: expected the same topics, or their names "
                "in topics"
            )
        return (first, second), first[:0], second[:0]
    places = []
    for name, table, names in zip(("first", "second"), (first, second), topics, strict=True):
        place = {topic: row for row, topic in enumerate(names)}
        if len(place) != len(table) or len(names) != len(table):
            raise DataError(f"topics of {name}: expected {len(table)} different names, found {len(place)}")
        places.append(place)
    one, other = places
    common = [topic for topic in one if topic in other]
    alone = [
        [row for topic, row in mine.items() if topic not in theirs] for mine, theirs in ((one, other), (other, one))
    ]
    both = first[[one[topic] for topic in common]], second[[other[topic] for topic in common]]
    return both, first[alone[0]], second[alone[1]]


def _order(rows: Floats) -> Ints:
    """Of rows by their first numbers, then by their second, and so on."""
    return np.lexsort(rows.T[::-1]) if rows.shape[1] else np.arange(len(rows))
