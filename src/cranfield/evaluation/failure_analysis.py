"""Which topics fail, what they have in common, and what every run missed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from cranfield.measures import Measure
from cranfield.stats import wording

SCHEMA = "cranfield.failures/1"
UNJUDGED = "unjudged top ranks"
"""The trait whose topics may only look hard."""


@dataclass(frozen=True)
class TopicAcrossRuns:
    """How runs do on one topic, and what is known about it."""

    topic: str
    mean: float
    """Of the measure, over the runs."""
    spread: float | None
    """The standard deviation over the runs: how far these disagree. None where there is one run."""
    worst: float
    worst_run: str | None
    """None where several runs have it."""
    at_worst: int
    """How many runs have it."""
    best: float
    best_run: str | None
    """None where several runs have it."""
    at_best: int
    """How many runs have it: all of them where none is better than another."""
    relevant: int
    """How many documents are relevant."""
    unjudged: float
    """The share of the first documents that are not judged, over all runs."""
    lacking: int
    """How many runs have no documents for it."""
    text: str | None
    """What it asks, where that is known."""
    words: int | None
    hard: bool
    """Whether it is among the hardest quarter."""
    traits: tuple[str, ...]
    """Which of the traits it has."""

    @property
    def best_in_words(self) -> str:
        """Which run is the best, or how many have the same."""
        return self.best_run or f"{self.at_best} tied"


@dataclass(frozen=True)
class Trait:
    """Something that topics may have in common, and whether the hardest have it more often than the others."""

    name: str
    meaning: str
    hard_with: int
    hard: int
    others_with: int
    others: int
    p: float
    """The chance that as many of the hardest topics have it, or more, if these were drawn blindly (Fisher's exact
    test, one-sided)."""
    adjusted: float
    """The same, corrected for the number of traits (Holm)."""
    topics: tuple[str, ...]
    """The hardest topics that have it, the hardest first."""

    @property
    def sentence(self) -> str:
        """The finding in plain words."""
        told = f"{self.name} ({self.meaning}): {self.hard_with} of the {self.hard} hardest topics"
        if self.hard_with + self.others_with in (0, self.hard + self.others):
            return f"{told}, {self.others_with} of the {self.others} others; it tells no topics apart."
        return (
            f"{told}, {self.others_with} of the {self.others} others; by chance as many or more with "
            f"{wording.p_value(self.p)} ({wording.p_value(self.adjusted)} after correction)."
        )


@dataclass(frozen=True)
class MissedDocument:
    """A relevant document that no run has among its first documents."""

    topic: str
    document: str
    grade: float
    best_rank: int | None
    """The best rank that a run gives it; None where no run retrieved it."""
    best_run: str | None
    """None where no run or several have it there."""
    at_best: int
    """How many runs have it there."""

    @property
    def best_in_words(self) -> str:
        """Which run has it there, or how many have."""
        return self.best_run or (f"{self.at_best} tied" if self.at_best else "")


@dataclass(frozen=True)
class MissedOfTopic:
    """The relevant documents of one topic that no run has among its first, the highest grade first."""

    topic: str
    documents: tuple[MissedDocument, ...]
    relevant: int
    """How many relevant documents the topic has."""

    @property
    def nowhere(self) -> int:
        """How many of them no run retrieved at all."""
        return sum(document.best_rank is None for document in self.documents)


@dataclass(frozen=True, eq=False)
class FailureAnalysis:
    """Topics that fail and documents that are missed, over one or several runs."""

    measure: Measure
    runs: tuple[str, ...]
    topics: tuple[TopicAcrossRuns, ...]
    """All that every run has a value for and that have something relevant, the hardest first."""
    left_out: Mapping[str, tuple[str, ...]]
    """Judged topics that are not looked at, by the reason."""
    traits: tuple[Trait, ...]
    missed: tuple[MissedDocument, ...]
    """The highest grade first."""
    relevant_documents: int
    """How many relevant documents the topics have in all."""
    top: int
    """How many of the first documents are looked at for unjudged ones."""
    missed_below: int
    """A document is missed by a run that does not have it among so many of its first."""
    profile: str
    settings: Mapping[str, Any]

    @property
    def hardest(self) -> tuple[TopicAcrossRuns, ...]:
        """The hardest quarter: the topics with the worst means. None where all topics have the same."""
        return tuple(topic for topic in self.topics if topic.hard)

    @property
    def most_disagreed(self) -> tuple[TopicAcrossRuns, ...]:
        """The topics on which runs differ, the widest spread first."""
        differing = [topic for topic in self.topics if topic.spread]
        return tuple(sorted(differing, key=lambda topic: -(topic.spread or 0.0)))

    @property
    def missed_by_topic(self) -> tuple[MissedOfTopic, ...]:
        """The missed documents of each topic, the topic that misses the largest share of its relevant ones first."""
        found: dict[str, list[MissedDocument]] = {}
        for document in self.missed:
            found.setdefault(document.topic, []).append(document)
        relevant = {topic.topic: topic.relevant for topic in self.topics}
        by_topic = [MissedOfTopic(topic, tuple(documents), relevant[topic]) for topic, documents in found.items()]
        return tuple(sorted(by_topic, key=lambda one: (-len(one.documents) / one.relevant, one.topic)))

    def missed_spread(self, most: int) -> tuple[MissedDocument, ...]:
        """So many of the missed documents, from as many topics as possible.

        First one of each topic, the highest grade, in the order of `missed_by_topic`; then a second of each, and so on.
        Documents of a topic stand together.
        """
        topics = self.missed_by_topic
        turns = sorted((turn, at) for at, one in enumerate(topics) for turn in range(len(one.documents)))
        taken = sorted((at, turn) for turn, at in turns[:most])
        return tuple(topics[at].documents[turn] for at, turn in taken)

    @property
    def never_retrieved(self) -> int:
        """How many of the missed documents no run retrieved at all."""
        return sum(document.best_rank is None for document in self.missed)

    @property
    def notes(self) -> list[str]:
        """What is to be said about the topics and what the findings mean."""
        from cranfield.evaluation.coverage import some

        notes = [f"left out: {len(topics)} {why} ({some(topics)})" for why, topics in self.left_out.items()]
        if len(self.runs) == 1:
            notes.append("one run cannot disagree with itself: give several to see where systems differ")
        if self.traits:
            notes.append("what hard topics have in common is not thereby the reason that they are hard")
        if any(trait.name == UNJUDGED and trait.hard_with for trait in self.traits):
            notes.append(
                "documents that are not judged count as not relevant: a topic with many of them may only look hard"
            )
        return notes

    @property
    def missed_sentence(self) -> str:
        """How many relevant documents nobody found."""
        if not self.missed:
            whose = "the run" if len(self.runs) == 1 else f"one or more of {len(self.runs)} runs"
            return f"Each of {self.relevant_documents} relevant documents is in the top {self.missed_below} of {whose}."
        lacks = "The run lacks" if len(self.runs) == 1 else f"None of {len(self.runs)} runs has"
        where = f"{self.never_retrieved} of them are retrieved nowhere"
        if self.never_retrieved in (0, len(self.missed)):
            where = "none of them is retrieved at all" if self.never_retrieved else "all of them are further down"
        return (
            f"{lacks} {len(self.missed)} of {self.relevant_documents} relevant documents in the top "
            f"{self.missed_below}; {where}."
        )

    def to_dict(self) -> dict[str, Any]:
        """The whole as JSON would have it; the layout is documented in docs/json.md."""
        return {
            "schema": SCHEMA,
            "profile": self.profile,
            "settings": dict(self.settings),
            "measure": str(self.measure),
            "runs": list(self.runs),
            "top": self.top,
            "missed_below": self.missed_below,
            "topics": [{**asdict(topic), "traits": list(topic.traits)} for topic in self.topics],
            "left_out": {why: list(topics) for why, topics in self.left_out.items()},
            "traits": [
                {**asdict(trait), "topics": list(trait.topics), "sentence": trait.sentence} for trait in self.traits
            ],
            "relevant_documents": self.relevant_documents,
            "missed": [asdict(document) for document in self.missed],
            "notes": self.notes,
        }

    def __repr__(self) -> str:
        hardest = ", ".join(f"{topic.topic} {topic.mean:.4f}" for topic in self.hardest[:3]) or "none"
        return f"<FailureAnalysis by {self.measure}: hardest topics {hardest}; {len(self.missed)} documents missed>"
