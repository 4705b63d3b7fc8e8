"""What assessors of a pairwise project prefer, as the library reads it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from cranfield.errors import UsageError, did_you_mean
from cranfield.web.judging.answers import DECISIONS
from cranfield.web.judging.events import counted
from cranfield.web.judging.models import Event
from cranfield.web.moments import utc
from cranfield.web.projects.models import Project

if TYPE_CHECKING:
    from cranfield.data.judge_labels import JudgeLabels
    from cranfield.data.preferences import Preferences

RULES = {
    "each": "every preference of every assessor, as it was given",
    "majority": "one preference for a pair: what most of its assessors say, and none where as many say something else",
}
"""How the preferences of several assessors on one pair become preferences to evaluate with."""


@dataclass(frozen=True, slots=True)
class PreferenceEvent:
    """One thing that an assessor did about a pair of documents: a `cranfield.data.judging.JudgingEvent` of two."""

    event: str
    time: str
    assessor: str
    topic: str
    left: str
    right: str
    action: str
    preferred: str
    """`left`, `right` or `same`; empty where the action gives no preference."""
    reason: str
    scale: str
    seen_left_sha256: str
    """Of the document that was on the left of the screen: sides are changed by lot."""
    shown_at: str | None
    active_ms: int | None
    supersedes: str | None
    counts: bool
    """Whether preferences come from it: it was in time, and the pair was not one shown again, or of gold."""

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def preference_events(project: Project, *, everything: bool = False) -> Iterator[PreferenceEvent]:
    """The events that preferences come from, in their order; with `everything`, all that ever came in."""
    names = project.pseudonyms
    counting = set(counted(project).filter(item__other__isnull=False).values_list("number", flat=True))
    events = Event.objects.filter(project=project, item__other__isnull=False).order_by("number")
    rows = events.select_related("item__topic", "item__document", "item__other", "scale", "supersedes")
    for event in rows.defer(
        *(f"item__{side}__{field}" for side in ("document", "other") for field in ("text", "fields"))
    ):
        if not everything and event.number not in counting:
            continue
        assert event.item.other is not None
        yield PreferenceEvent(
            event=str(event.uuid),
            time=utc(event.time),
            assessor=names.get(event.assessor_id, f"assessor-{event.assessor_id}"),
            topic=event.item.topic.name,
            left=event.item.document.name,
            right=event.item.other.name,
            action=event.action,
            preferred=event.preferred,
            reason=event.reason,
            scale=event.scale.version,
            seen_left_sha256=event.document_sha256,
            shown_at=utc(event.shown_at) if event.shown_at is not None else None,
            active_ms=event.active_ms,
            supersedes=str(event.supersedes.uuid) if event.supersedes is not None else None,
            counts=event.number in counting,
        )


def standing_preferences(project: Project) -> list[PreferenceEvent]:
    """What each assessor says of each pair now: `left`, `right` or `same`; by topic, pair and assessor."""
    events = list(preference_events(project))
    withdrawn = {event.supersedes for event in events if event.action == "withdraw"}
    last: dict[tuple[str, str, str, str], PreferenceEvent] = {}
    for event in events:
        if event.action in DECISIONS and event.event not in withdrawn:
            last[event.topic, event.left, event.right, event.assessor] = event
    return [last[place] for place in sorted(last) if last[place].action == "grade"]


def preferences(project: Project, rule: str = "each") -> Preferences:
    """Preferences that `evaluate(..., relevance="prefs")` takes, and that are written as TREC or as pairs.

    Each is a judgment group of its own: the preferences of one assessor may contradict each other, which a group may
    not. Who finds both the same prefers none, which gives no row.
    """
    from cranfield.data.preferences import Preferences

    if rule not in RULES:
        raise UsageError(f"unknown rule {rule!r}{did_you_mean(rule, RULES)} There are: {', '.join(RULES)}")
    rows: list[tuple[str, str, str, str, int]] = []
    groups = Counter[str]()
    for topic, left, right, preferred in _decided(standing_preferences(project), rule):
        if preferred in ("left", "right"):
            groups[topic] += 1
            rows.append((topic, str(groups[topic]), "0", left, int(preferred == "left")))
            rows.append((topic, str(groups[topic]), "0", right, int(preferred == "right")))
    return Preferences.from_tuples(rows, name="preferences")


def pair_labels(project: Project) -> JudgeLabels:
    """What each assessor says of each pair, left, right or same, as labels whose agreement can be measured."""
    from cranfield.data.judge_labels import JudgeLabels

    rows = [
        (event.topic, event.assessor, f"{event.left} / {event.right}", event.preferred)
        for event in standing_preferences(project)
    ]
    return JudgeLabels.from_tuples(rows, name="preferences")


def _decided(events: list[PreferenceEvent], rule: str) -> Iterator[tuple[str, str, str, str]]:
    """Topic, left, right and what is preferred, for each preference that counts."""
    if rule == "each":
        yield from ((event.topic, event.left, event.right, event.preferred) for event in events)
        return
    votes: dict[tuple[str, str, str], Counter[str]] = {}
    for event in events:
        votes.setdefault((event.topic, event.left, event.right), Counter())[event.preferred] += 1
    for (topic, left, right), counts in votes.items():
        (preferred, most), *others = counts.most_common()
        if all(count < most for _, count in others):
            yield topic, left, right, preferred
