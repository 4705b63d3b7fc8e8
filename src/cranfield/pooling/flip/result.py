"""What is known about two runs whatever the unjudged documents are, and what would settle it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from cranfield.data.pool import OUTRIGHT, Pool
from cranfield.data.strings import decode
from cranfield.errors import UsageError, did_you_mean
from cranfield.evaluation.result import Evaluation
from cranfield.measures.registry import Measure
from cranfield.pooling.flip.bounds import ROUNDING, DifferenceBounds
from cranfield.pooling.flip.chances import Chances, Evidence
from cranfield.pooling.flip.expected import Outlook
from cranfield.pooling.flip.importance import Importance
from cranfield.pooling.flip.ways.case import Case
from cranfield.stats.interval import Interval

if TYPE_CHECKING:
    from cranfield.pooling.flip.order import FlipOrder

SCHEMA = "cranfield.flip/1"
Verdict = Literal["better", "worse", "equal", "open"]


class OpenDocument(NamedTuple):
    """An unjudged document, and what it could do."""

    topic: str
    document: str
    first_rank: int | None
    second_rank: int | None
    effect: float
    """On the difference over all topics, if it has the best grade and nothing else changes."""
    chance: float
    """The estimated chance that its grade is above 0."""
    expected: float
    """The effect times what it is expected to be worth."""


class TopicBounds(NamedTuple):
    """What is known of a topic."""

    topic: str
    first: float
    second: float
    difference: float
    low: float
    high: float
    how: str
    unjudged: int
    verdict: Verdict


@dataclass(frozen=True, eq=False, repr=False)
class Flip:
    """Whether one run is better than another whatever the unjudged documents are: see `cranfield.flip`."""

    case: Case
    names: tuple[str, str]
    bounds: DifferenceBounds
    interval: Interval | None
    """Of topics and unjudged documents together."""
    importance: Importance
    chances: Chances
    runs_say: Evidence
    outlook: Outlook | None
    evaluation: Evaluation
    sha256: Sequence[str | None]
    """Of the files of the two runs."""
    settings: dict[str, Any]

    # Over all topics

    @property
    def measure(self) -> Measure:
        return self.case.measure

    @property
    def topics(self) -> tuple[str, ...]:
        return self.case.both.topics

    @cached_property
    def means(self) -> tuple[float, float]:
        """The values of the two runs as judged."""
        first, second = (self.measure.aggregate(values) for values in self.case.values)
        return first, second

    @property
    def difference(self) -> float:
        return self.means[0] - self.means[1]

    @property
    def mean_low(self) -> float:
        """The least that the difference could be."""
        return min(self.bounds.mean_low, self.difference)

    @property
    def mean_high(self) -> float:
        return max(self.bounds.mean_high, self.difference)

    @property
    def how(self) -> str:
        """`exact` if some grades reach both ends, `outer` if none go beyond them."""
        return "exact" if all(self.bounds.mean_exact) else "outer"

    @property
    def verdict(self) -> Verdict:
        """Whether the first run is `better`, `worse` or `equal` for certain, or that is `open`."""
        return self._verdict(self.mean_low, self.mean_high)

    @property
    def certain(self) -> bool:
        return self.verdict != "open"

    @property
    def settled(self) -> bool:
        """Whether no judgment is needed: it is certain which run is better, and that the interval leaves out 0."""
        if self.verdict == "equal" or self.interval is None:
            return self.certain
        return self.interval.lower > 0 or self.interval.upper < 0

    def _verdict(self, low: float, high: float) -> Verdict:
        if low > ROUNDING or high < -ROUNDING:
            return "better" if (low > 0) == self.measure.more_is_better else "worse"
        return "equal" if max(high, -low) <= ROUNDING else "open"

    @property
    def unjudged(self) -> int:
        """How many documents one of the runs returned and nobody judged."""
        return len(self.case.both.open)

    # Topic by topic

    @cached_property
    def by_topic(self) -> tuple[TopicBounds, ...]:
        first, second = self.case.values
        columns = zip(
            self.topics,
            first.tolist(),
            second.tolist(),
            self.case.difference.tolist(),
            self.bounds.low.tolist(),
            self.bounds.high.tolist(),
            self.bounds.exact.tolist(),
            self.case.both.open_count.tolist(),
            strict=True,
        )
        return tuple(
            TopicBounds(topic, a, b, d, low, high, "exact" if exact else "outer", count, self._verdict(low, high))
            for topic, a, b, d, low, high, exact, count in columns
        )

    def topics_with(self, verdict: Verdict) -> int:
        """On how many topics this is the verdict."""
        return sum(one.verdict == verdict for one in self.by_topic)

    # Documents

    @cached_property
    def documents(self) -> tuple[OpenDocument, ...]:
        """The unjudged documents that can matter, those to judge first at the beginning."""
        return tuple(self.iter_documents())

    def iter_documents(self) -> Iterator[OpenDocument]:
        both, importance = self.case.both, self.importance
        place = importance.order
        rows = both.open[place]
        share = self._share_of_topic
        columns = zip(
            both.topic[rows].tolist(),
            both.documents.take(rows).tolist(),
            both.first[rows].tolist(),
            both.second[rows].tolist(),
            (importance.effect[place] * share).tolist(),
            importance.chance[place].tolist(),
            (importance.expected[place] * share).tolist(),
            strict=True,
        )
        for topic, document, first, second, effect, chance, expected in columns:
            yield OpenDocument(
                self.topics[topic], decode(document), first or None, second or None, effect, chance, expected
            )

    @property
    def _share_of_topic(self) -> float:
        """How much of the difference of a topic there is in that over all."""
        return 1.0 if self.measure.definition.aggregate == "sum" else 1.0 / len(self.topics)

    def order(self, topic: str) -> FlipOrder:
        """The order of one topic's documents, which listens to what is judged: see `order.py`."""
        from cranfield.pooling.flip.order import FlipOrder

        if topic not in self.topics:
            raise UsageError(f"there is no topic {topic!r}{did_you_mean(topic, self.topics)}")
        return FlipOrder.of(self.case, self.topics.index(topic), self.settings["order"], self.runs_say)

    def pool(self, most: int | None = None) -> Pool:
        """The documents that matter most (or all that can), to be judged in this order within each topic."""
        both = self.case.both
        rows = both.open[self.importance.order[:most]]
        rows = rows[np.argsort(both.topic[rows], kind="stable")]
        there, topic = np.unique(both.topic[rows], return_inverse=True)
        return Pool(
            tuple(both.topic_ids[number] for number in there.tolist()),
            topic.astype(np.int32),
            both.documents.take(rows).compact(),
            np.ones(len(rows), dtype=np.bool_),
            np.full(len(rows), OUTRIGHT, dtype=np.int32),
            np.zeros(len(rows), dtype=np.int64),
            recipe=(self._recipe(most),),
        ).checked()

    def _recipe(self, most: int | None) -> dict[str, Any]:
        parameters = {"measure": str(self.measure), "most": most, **self.settings}
        seed = parameters.pop("seed")
        runs = sorted(zip(self.names, self.sha256, strict=True))
        return {
            "strategy": "flip",
            "parameters": {name: value for name, value in parameters.items() if value is not None},
            "seed": seed,
            "order": "strategy",
            "runs": [{"name": name, "sha256": sha256} for name, sha256 in runs],
            "added": [],
        }

    # In words and as JSON

    def sentences(self) -> list[str]:
        """The verdict in words."""
        from cranfield.pooling.flip.wording import sentences

        return sentences(self)

    def to_dict(self, *, by_topic: bool = True, most: int | None = None) -> dict[str, Any]:
        """The whole as JSON would have it; the layout is documented in docs/json.md."""
        first, second = self.means
        whole: dict[str, Any] = {
            "schema": SCHEMA,
            "runs": list(self.names),
            "measure": str(self.measure),
            "topics": len(self.topics),
            "unjudged_documents": self.unjudged,
            "settings": dict(self.settings),
            "verdict": self.verdict,
            "mean": {
                "first": first,
                "second": second,
                "difference": self.difference,
                "low": _finite(self.mean_low),
                "high": _finite(self.mean_high),
                "how": self.how,
            },
            "interval": self.interval
            and {
                "lower": self.interval.lower,
                "upper": self.interval.upper,
                "level": self.interval.level,
                "method": self.interval.method,
            },
            "estimated_from": self.chances.judged,
            "expected": self.outlook
            and {
                "first_ahead": self.outlook.better,
                "until_certain": self.outlook.certain.to_dict(),
                "until_interval_excludes_zero": self.outlook.significant and self.outlook.significant.to_dict(),
            },
            "sentences": self.sentences(),
            "documents": [one._asdict() for one in self.documents[:most]],
        }
        if by_topic:
            whole["per_query"] = {
                one.topic: {name: _finite(value) for name, value in one._asdict().items() if name != "topic"}
                for one in self.by_topic
            }
        return whole

    def __repr__(self) -> str:
        return "\n".join(self.sentences())


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not np.isfinite(value) else value
