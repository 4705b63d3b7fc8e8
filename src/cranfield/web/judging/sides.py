"""On which side of the screen each document of a pair is.

Some people tend to the left. So for every second slot, and thereby for some assessors and not for others, and perhaps
not in the same way when a pair comes again, sides are changed: what follows from the handle of the slot, which is
random and never changes. In the database left is always the item's `document` and right is `other`.
"""

from __future__ import annotations

from uuid import UUID

from cranfield.web.judging.models import Slot
from cranfield.web.projects.models import Document, Item

_OTHER_SIDE = {"left": "right", "right": "left"}


def shown(slot: Slot) -> tuple[Document, Document | None]:
    """What is to the left and to the right; a document that is alone has nothing beside it."""
    return of(slot.handle, slot.item)


def of(handle: UUID, item: Item) -> tuple[Document, Document | None]:
    """The same by the handle of a slot, which may be any that the item has or had."""
    if item.other is not None and _changed(handle):
        return item.other, item.document
    return item.document, item.other


def turned(handle: UUID, side: str) -> str:
    """A side of the item as the side on screen, and the other way round; `same` stays the same.

    >>> [turned(UUID(int=number), "left") for number in (6, 7)]
    ['left', 'right']
    >>> turned(UUID(int=7), "same")
    'same'
    """
    return _OTHER_SIDE.get(side, side) if _changed(handle) else side


def _changed(handle: UUID) -> bool:
    return handle.int % 2 == 1
