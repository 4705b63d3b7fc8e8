"""What an answer does to its slot: done, open again, or done and another slot opened for somebody else."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from cranfield.errors import DataError
from cranfield.web.accounts.models import User
from cranfield.web.judging.mixing_in import cancel_repeat, plan_repeat
from cranfield.web.judging.models import Slot
from cranfield.web.judging.slots import PERSONAL, has_lapsed, lease_end
from cranfield.web.projects.models import Project


def slots_beside(handle: UUID, project: Project) -> list[Slot]:
    """All slots of the item that one of them belongs to, locked: answers to an item come one after the other."""
    return list(
        Slot.objects.select_for_update(of=("self",), no_key=True)
        .select_related("item")
        .filter(item__slots__handle=handle, item__project=project)
        .order_by("number")
    )


def claim_free(project: Project, slots: Sequence[Slot], assessor: User, now: datetime) -> Slot | None:
    """The first of some locked slots that nobody has, now the assessor's."""
    for slot in slots:
        if has_lapsed(slot, now) and slot.done_at is None and slot.number < PERSONAL:
            slot.assessor, slot.leased_at, slot.leased_until = assessor, now, lease_end(project, now)
            slot.save(update_fields=("assessor", "leased_at", "leased_until"))
            return slot
    return None


def settle(project: Project, slot: Slot, before: str | None, after: str | None, now: datetime) -> None:
    """Bring a locked slot from what stood in it to what stands now: grade, unsure, skip or None."""
    assert slot.assessor is not None
    if before == "skip" and after != "skip":
        _remove_replacement(slot, now)
    if after is None:
        slot.done_at, slot.leased_until = None, lease_end(project, now)
    elif before is None:
        slot.done_at = now
    slot.save(update_fields=("done_at", "leased_until"))
    if after == "skip" and before != "skip":
        _add_replacement(slot)
    if after in {"grade", "unsure"}:
        if before not in {"grade", "unsure"}:
            plan_repeat(project, slot.assessor, slot)
    else:
        cancel_repeat(slot)


def _add_replacement(slot: Slot) -> None:
    if slot.number < PERSONAL:
        numbers = slot.item.slots.filter(number__lt=PERSONAL).values_list("number", flat=True)
        Slot.objects.create(item=slot.item, number=max(numbers) + 1, replaces=slot)


def _remove_replacement(slot: Slot, now: datetime) -> None:
    replacement = Slot.objects.select_for_update().filter(replaces=slot).first()
    if replacement is None:
        return
    if not has_lapsed(replacement, now) or replacement.done_at is not None or replacement.events.exists():
        raise DataError("the skip cannot be taken back: somebody else judges the document now")
    replacement.delete()
