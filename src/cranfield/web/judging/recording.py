"""What becomes of answers: each is an event, written once however often it is sent, and settles a slot if it counts."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import IntegrityError, InterfaceError, OperationalError
from django.utils import timezone

from cranfield.errors import DataError
from cranfield.web.accounts.models import User
from cranfield.web.judging import settling, sides
from cranfield.web.judging.answers import DECISIONS, Answer
from cranfield.web.judging.models import Event, Slot
from cranfield.web.judging.standing import standing
from cranfield.web.judging.writing import writing
from cranfield.web.projects.models import Item, Project, ScaleVersion

_TOLERANCE = timedelta(minutes=5)
"""By how much a clock may be wrong."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an answer: `recorded`, `late` (kept, but does not count) or `refused` (not kept)."""

    uuid: str
    status: str
    message: str = ""


def record(project: Project, assessor: User, answers: Iterable[object]) -> list[Outcome]:
    """Write answers as they came from the browser, each in a transaction of its own; what became of each."""
    recorder = _Recorder(project, assessor)
    return [recorder.outcome(content) for content in answers]


class _Recorder:
    """Writes the answers of one assessor."""

    def __init__(self, project: Project, assessor: User) -> None:
        self._project, self._assessor = project, assessor
        self._scales = {scale.version: scale for scale in project.scales.all()}
        self._newest = project.current_scale

    def outcome(self, content: object) -> Outcome:
        """Read an answer and write it, whole or not at all."""
        uuid = str(content.get("uuid") or "") if isinstance(content, dict) else ""
        try:
            answer = Answer.read(content)
            try:
                return self._written(answer)
            except IntegrityError:
                if Event.objects.filter(uuid=answer.uuid).exists():
                    raise DataError(_used_before(uuid)) from None
                return self._written(answer)  # somebody was at the same document in the same moment
        except DataError as error:
            return Outcome(uuid, "refused", str(error))
        except (InterfaceError, OperationalError):  # the database is not there, and will be
            raise
        except Exception:
            # It would fail again, and those that wait behind it in the browser with it.
            _log.exception("project %s: an answer of user %s could not be kept", self._project.pk, self._assessor.pk)
            return Outcome(uuid, "refused", "the server failed on it; its log says why. Tell the manager")

    def _written(self, answer: Answer) -> Outcome:
        with writing():
            return self._record(answer)

    def _record(self, answer: Answer) -> Outcome:
        """In a transaction: look whether it was written before, and if it was not, write it."""
        slots = settling.slots_beside(answer.slot, self._project)
        if not slots:
            raise DataError(f"slot is {answer.slot}, and there is none such in this project")
        item = slots[0].item
        events = list(Event.objects.filter(item=item, assessor=self._assessor))
        for event in events:
            if event.uuid == answer.uuid:
                return self._same_again(event, answer)
        scale = self._scale(item, answer)
        now = timezone.now()
        stand = standing(events)
        withdrawn = self._withdrawn(stand, answer)
        slot = self._slot(slots, answer, now) if withdrawn is None else withdrawn.slot
        decisions = [event for event in stand if slot and _decides(event, slot)]
        superseded = withdrawn or (decisions[-1] if decisions and answer.action in DECISIONS else None)
        # What is taken back may be in a slot that went to somebody else when it was asked for again.
        if slot is not None and slot.assessor_id == self._assessor.pk and answer.action != "note":
            slot.assessor = self._assessor
            before = decisions[-1].action if decisions else None
            left = [event.action for event in decisions if event != withdrawn]
            left += [answer.action] if answer.action in DECISIONS else []
            settling.settle(self._project, slot, before, left[-1] if left else None, now)
        time, shown_at = _times(self._project, answer, now)
        event = Event(
            uuid=answer.uuid,
            project=self._project,
            slot=slot,
            item=item,
            assessor=self._assessor,
            action=answer.action,
            grade=answer.grade,
            preferred=sides.turned(answer.slot, answer.preferred),
            reason=answer.reason,
            scale=scale,
            document_sha256=answer.document_sha256 or sides.of(answer.slot, item)[0].sha256,
            shown_at=shown_at,
            time=time,
            wrong_time=None if time == answer.time else answer.time,
            received_at=now,
            active_ms=answer.active_ms,
            supersedes=superseded,
        )
        event.save(force_insert=True)
        return self._outcome(event)

    def _same_again(self, before: Event, answer: Answer) -> Outcome:
        preferred = sides.turned(answer.slot, answer.preferred)
        said = (answer.action, answer.grade, preferred, answer.reason)
        if (before.action, before.grade, before.preferred, before.reason) != said:
            raise DataError(_used_before(str(answer.uuid)))
        return self._outcome(before)

    def _scale(self, item: Item, answer: Answer) -> ScaleVersion:
        scale = self._scales.get(answer.scale)
        if scale is None:
            raise DataError(f"scale is {answer.scale!r:.80}, which this project never had; load the page again")
        if answer.action == "grade" and item.other_id is not None and not answer.preferred:
            raise DataError("preferred is empty; of a pair one says left, right or same")
        if answer.action == "grade" and item.other_id is None:
            values = [grade["value"] for grade in scale.content]
            if answer.grade not in values or answer.preferred:
                expected = ", ".join(f"{value:g}" for value in values)
                raise DataError(f"grade is {answer.preferred or answer.grade!r}; the scale has {expected}")
        return scale

    def _slot(self, slots: list[Slot], answer: Answer, now: datetime) -> Slot | None:
        """The slot that an answer counts in: the one it names, or else another of the same item that can be had."""
        if self._project.closed_at is not None:
            return None
        named = next(slot for slot in slots if slot.handle == answer.slot)
        own = [slot for slot in slots if slot.assessor_id == self._assessor.pk and slot.repeat_of_id is None]
        if named.assessor_id == self._assessor.pk:
            return named
        if own or answer.action == "note":
            return own[0] if own else None
        return settling.claim_free(self._project, [named, *slots], self._assessor, now)

    def _withdrawn(self, stand: list[Event], answer: Answer) -> Event | None:
        """What an answer takes back: it has to be the assessor's own, and stand."""
        if answer.action != "withdraw":
            return None
        if self._project.closed_at is not None:
            raise DataError("nothing can be taken back any more: the project was closed")
        for event in stand:
            if event.uuid == answer.supersedes:
                return event
        raise DataError(f"supersedes is {answer.supersedes}, which is no answer of yours to this document that stands")

    def _outcome(self, event: Event) -> Outcome:
        uuid = str(event.uuid)
        if event.slot is None:
            closed = self._project.closed_at is not None and event.received_at >= self._project.closed_at
            why = (
                "the project was closed" if closed else "the time for it was over, and others have judged the document"
            )
            return Outcome(uuid, "late", f"kept, but it does not count: {why}")
        said = []
        if event.action == "grade" and self._newest is not None and event.scale_id != self._newest.pk:
            said.append("recorded by the scale that was on screen; it has changed since")
        if event.wrong_time is not None:
            said.append(
                f"the clock of this computer says {event.wrong_time:%Y-%m-%d %H:%M} UTC, which cannot be: set it"
            )
        return Outcome(uuid, "recorded", ". ".join(said))


def _times(project: Project, answer: Answer, now: datetime) -> tuple[datetime, datetime | None]:
    """When an answer was given and its document shown, by the clock of the browser if that can be: an answer may have
    waited there for days, but is neither of the future, nor older than its project."""
    if project.created_at - _TOLERANCE <= answer.time <= now + _TOLERANCE:
        shown = answer.shown_at
        return answer.time, None if shown is None else min(shown, answer.time)
    looked_at = None if answer.shown_at is None else answer.time - answer.shown_at
    if looked_at is None or not timedelta() <= looked_at <= now - project.created_at:
        return now, None
    return now, now - looked_at


def _decides(event: Event, slot: Slot) -> bool:
    """Whether an event settles a slot: what was said before the slot was asked for again does so no longer."""
    asked_before = slot.asked_again_at is None or event.received_at >= slot.asked_again_at
    return event.slot_id == slot.pk and event.action in DECISIONS and asked_before


def _used_before(uuid: str) -> str:
    return f"uuid is {uuid}, which another answer has already; every answer has one of its own"
