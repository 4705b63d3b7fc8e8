"""How far judgments and run meet: what a score does not say by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from cranfield.errors import CoverageError
from cranfield.evaluation.streaming import RankedRun

DEPTH = 10


class Coverage(NamedTuple):
    """Which topics and documents were judged, and how many scores are tied."""

    judged: int
    """Topics in the qrels."""
    found: int
    """Topics in the qrels and in the run."""
    missing: tuple[str, ...]
    """Topics in the qrels that the run lacks."""
    unjudged: tuple[str, ...]
    """Topics in the run that the qrels lack; they are ignored."""
    without_relevant: tuple[str, ...]
    """Topics in the qrels without a relevant document; they score 0."""
    documents: int
    """Documents retrieved for the topics found."""
    most_documents: int
    """Documents retrieved for the topic that has most."""
    judged_at_10: float
    """The share of the first 10 documents that are judged: the mean over the topics found, as Judged@10 has it."""
    tied_documents: int
    """Documents that share their score with another document of the same topic."""
    tied_topics: int
    missing_means: str = "scored 0"
    """What the profile does with topics the run lacks."""

    @classmethod
    def of(cls, ranked: RankedRun) -> Coverage:
        r = ranked.rankings
        topics = np.array(r.qrels.queries, dtype=object)
        found = r.retrieved > 0
        first = (r.rank <= DEPTH) & (r.grade >= 0)
        judged = np.bincount(r.query[first], minlength=len(topics))[found]
        return cls(
            judged=len(topics),
            found=int(found.sum()),
            missing=tuple(topics[~found]),
            unjudged=ranked.unjudged_queries,
            without_relevant=tuple(topics[r.relevant(None) == 0]),
            documents=int(r.retrieved.sum()),
            most_documents=int(r.retrieved.max(initial=0)),
            judged_at_10=float(np.mean(judged / np.minimum(r.retrieved[found], DEPTH))) if found.any() else 0.0,
            tied_documents=int(r.tied.sum()),
            tied_topics=int(np.count_nonzero(r.tied)),
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "topics_judged": self.judged,
            "topics_found": self.found,
            "topics_missing": list(self.missing),
            "topics_not_judged": list(self.unjudged),
            "topics_without_relevant": list(self.without_relevant),
            "documents": self.documents,
            "most_documents_for_a_topic": self.most_documents,
            "judged_at_10": self.judged_at_10,
            "tied_documents": self.tied_documents,
            "tied_topics": self.tied_topics,
        }

    def require_common_topics(self, queries: Sequence[str], name: str) -> None:
        """An error if the run of this name has none of the judged queries."""
        if not self.found:
            theirs = ", ".join(self.unjudged[:3]) or "none"
            raise CoverageError(
                f"{name}: the run and the judgments have no topic in common (run: {theirs}; "
                f"judgments: {', '.join(queries[:3]) or 'none'}). Are these the right files?"
            )

    @property
    def incomplete(self) -> bool:
        """Whether the topics of judgments and run are not the same."""
        return bool(self.missing or self.unjudged)

    def sentence(self) -> str:
        """All of it in a line.

        >>> Coverage(3, 3, (), (), (), 60, 20, 0.95, 0, 0).sentence()
        '3 of 3 topics; 60 documents, up to 20 a topic; top 10: 95.0% judged; no ties'
        """
        parts = [f"{self.found} of {_counted(self.judged, 'topic')}"]
        if self.missing:
            parts[0] += f", {len(self.missing)} missing ({some(self.missing)}: {self.missing_means})"
        if self.unjudged:
            more = f"{len(self.unjudged)} more in the run, not in these judgments"
            parts[0] += f", {more} ({some(self.unjudged)}: ignored)"
        if self.without_relevant:
            count = len(self.without_relevant)
            parts[0] += f", {count} without a relevant document ({some(self.without_relevant)})"
        parts.append(f"{_counted(self.documents, 'document')}, up to {self.most_documents} a topic")
        parts.append(f"top {DEPTH}: {100 * self.judged_at_10:.1f}% judged")
        tied = f"{self.tied_documents} tied in {_counted(self.tied_topics, 'topic')}"
        parts.append(tied if self.tied_documents else "no ties")
        return "; ".join(parts)


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def some(topics: tuple[str, ...]) -> str:
    """The first three, and whether there are more."""
    return ", ".join(topics[:3]) + (", ..." if len(topics) > 3 else "")
