"""The orders of the topics of a pool, and which documents are next after what has been judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from cranfield.data.strings import encode
from cranfield.errors import UsageError
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.orders import JudgingOrder
from cranfield.pooling.orders.hand_picked import HandPicked
from cranfield.pooling.orders.material import Material
from cranfield.pooling.orders.named import NamedOrder
from cranfield.pooling.term_matrix import TermMatrix

Told = Mapping[str, Sequence[tuple[str, float | None]]]
"""What was said for each topic, document by document in the order of judging; None: skipped or unsure."""


@dataclass(frozen=True, eq=False)
class PoolOrders:
    """Makes the order of each topic's documents; called with a topic and its documents, as a judging session does.

    >>> orders = PoolOrders(NamedOrder.parse("pool"), picked={"q1": ["d9"]})
    >>> orders("q1", ["d1", "d2", "d9"]).next(3)
    [2, 0, 1]
    """

    order: NamedOrder
    candidates: Candidates = field(default_factory=lambda: Candidates.of([]))
    """What the runs returned."""
    terms: TermMatrix | None = None
    queries: Mapping[str, str] = field(default_factory=dict)
    """What each topic asks."""
    picked: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Documents that come first."""
    seed: int = 0
    level: float = 1.0

    def __post_init__(self) -> None:
        if self.order.kind.needs == "runs" and not self.candidates.runs:
            raise UsageError(f"the order {self.order.label} asks runs which documents are next: name their files")
        if self.order.kind.needs == "texts" and self.terms is None:
            raise UsageError(f"the order {self.order.label} reads the documents: name them with --collection")

    def __call__(self, topic: str, documents: Sequence[str]) -> JudgingOrder:
        if self.order.kind.needs == "texts" and not self.queries.get(topic, "").strip():
            raise UsageError(
                f"the order {self.order.label} begins with what a topic asks, and nothing is known of topic {topic}: "
                "name the topics with --topics"
            )
        texts = self.terms.of_topic(documents, self.queries.get(topic, "")) if self.terms is not None else None
        given = {"seed": self.seed, "level": self.level, "texts": texts}
        order = self.order.make(Material.among(self.candidates, encode(topic), documents, **given))
        place = {name: number for number, name in enumerate(documents)}
        picked = [place[name] for name in self.picked.get(topic, ()) if name in place]
        return HandPicked(picked, order) if picked else order


class NextDocument(NamedTuple):
    """A document to judge."""

    topic: str
    place: int
    """From 1."""
    document: str


def next_documents(
    work: Mapping[str, Sequence[str]], told: Told, orders: PoolOrders, count: int = 10
) -> list[NextDocument]:
    """The next documents of each topic: the orders are made anew, and told all that has been said.

    >>> orders = PoolOrders(NamedOrder.parse("pool"))
    >>> next_documents({"q1": ["d1", "d2", "d3"]}, {"q1": [("d2", 1)]}, orders, count=1)
    [NextDocument(topic='q1', place=1, document='d1')]
    """
    found = []
    for topic, documents in work.items():
        place = {name: number for number, name in enumerate(documents)}
        known = [(place[name], grade) for name, grade in told.get(topic, ()) if name in place]
        if len(known) == len(documents):
            continue
        order = orders(topic, documents)
        for number, grade in known:
            order.tell(number, grade)
        numbered = enumerate(order.next(count), 1)
        found += [NextDocument(topic, at, documents[number]) for at, number in numbered]
    return found


def not_in_pool(work: Mapping[str, Sequence[str]], told: Told) -> int:
    """How many judgments are of documents that are not to be judged."""
    return sum(name not in set(work.get(topic, ())) for topic, several in told.items() for name, _ in several)


def in_no_run(work: Mapping[str, Sequence[str]], candidates: Candidates) -> int:
    """How many documents no run returned for their topic."""
    lost = 0
    for topic, documents in work.items():
        alone = candidates.among({encode(topic)})
        lost += len(set(map(encode, documents)).difference(alone.documents.tolist()))
    return lost
