"""What of a document and a topic the assessor's browser gets: what one judges by, clean, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from django.utils.html import escape

from cranfield.web.accounts.models import User
from cranfield.web.judging import sides
from cranfield.web.judging.markup import only_markup
from cranfield.web.judging.models import Event, Slot
from cranfield.web.moments import utc
from cranfield.web.projects.models import Document, ScaleVersion, Topic

_TAGS = set(
    re.findall(
        r"\w+",
        """b blockquote br caption code dd div dl dt em h1 h2 h3 h4 h5 h6 hr i li ol p pre q s section small span strong
        sub sup table tbody td tfoot th thead tr u ul""",
    )
)
_STOP_WORDS = set(
    re.findall(
        r"\w+",
        """a an and are as at be by can do does for from has have how i if in into is it its not of on or such than
        that the their then there these they this to was were what when where which who why will with""",
    )
)
_WORD = re.compile(
    r"""\d+(?:[.,]\d+)+ | \w+(?:&\w+)+ | \w+(?:\+\+|\#)(?!\w) | \w\w+ |
    (?<![^\s("“])\w(?=[\s,;:!?)"”]|\.?(?:\s|$))""",
    re.X,
)
"""Words, and what is a word to who writes it: 3.5, R&D, C++; a single letter only where it stands alone."""

_LINE = 100
"""How long a line may be that was broken by hand."""
_OWN_LINE = re.compile(r"^(?:\s{4}|\t|[-*•>|]|\d+[.)]\s)", re.M)
"""What begins a line that means to be one: code, an item of a list."""


def clean_html(text: str) -> str:
    """A text as HTML that can do nothing: of markup only the structure is left, and plain text comes in paragraphs.

    >>> clean_html("if a < b:\\n  stop\\n\\nnext")
    '<p>if a &lt; b:\\n  stop</p><p>next</p>'
    >>> clean_html('<p onclick="steal()">Boil <svg onload=x><script>alert(1)</script>the <b>soup</b>')
    '<p>Boil the <b>soup</b></p>'
    """
    import nh3

    if (html := only_markup(text)) is not None:
        return nh3.clean(html, tags=_TAGS, attributes={}, clean_content_tags={"script", "style"}, link_rel=None)
    paragraphs = re.split(r"\n\s*\n|(?<=[.!?])\n {2,3}(?=\S)", text.replace("\r\n", "\n").strip())
    return "".join(f"<p>{escape(_flowing(paragraph))}</p>" for paragraph in paragraphs)


def _flowing(paragraph: str) -> str:
    """Lines that end where a typewriter's did become one, which fills whatever room there is; verses and code stay.

    >>> _flowing(
    ...     "Leeks stand in the garden until the frost,\\npotatoes lie in the cellar; sweat the leeks\\nin butter."
    ... )
    'Leeks stand in the garden until the frost, potatoes lie in the cellar; sweat the leeks in butter.'
    >>> _flowing("one leek\\ntwo potatoes")
    'one leek\\ntwo potatoes'
    """
    *full, _ = lines = paragraph.split("\n")
    widest = max(map(len, lines))
    if not full or widest > _LINE or _OWN_LINE.search(paragraph):
        return paragraph
    return " ".join(line.strip() for line in lines) if min(map(len, full)) > widest / 2 > _LINE / 5 else paragraph


def shown_item(slot: Slot, decision: Event | None = None) -> dict[str, Any]:
    """An entry of `items`, as `docs/judging/protocol.md` has it."""
    item = slot.item
    left, right = sides.shown(slot)
    return {
        "slot": str(slot.handle),
        "topic": str(item.topic_id),
        "document": shown_document(left),
        "other": shown_document(right) if right is not None else None,
        "standing": shown_answer(decision, slot) if decision is not None else None,
    }


def shown_topics(topics: Iterable[Topic], assessor: User) -> dict[str, dict[str, Any]]:
    """Topics by the keys that items refer to."""
    return {
        str(topic.pk): {
            "name": topic.name,
            "title": topic.title,
            "description": topic.description,
            "narrative": topic.narrative,
            "words": words_to_mark(f"{topic.title} {assessor.highlight}"),
        }
        for topic in topics
    }


def shown_scale(scale: ScaleVersion | None) -> dict[str, Any] | None:
    if scale is None:
        return None
    return {"version": scale.version, "number": scale.number, "grades": scale.content}


def words_to_mark(text: str) -> list[str]:
    """The words of a text that are worth marking in a document, each once.

    >>> words_to_mark("What is the effect of heat on soup, and of soup on heat?")
    ['effect', 'heat', 'soup']
    >>> words_to_mark("Vitamin C, R&D with C++, and the U.S. pH of 3.5")
    ['vitamin', 'c', 'r&d', 'c++', 'ph', '3.5']
    """
    return list(dict.fromkeys(word for word in _WORD.findall(text.casefold()) if word not in _STOP_WORDS))


def shown_document(document: Document) -> dict[str, Any]:
    """What of a document can be seen."""
    return {
        "name": document.name,
        "title": document.title,
        "html": clean_html(document.text),
        "fields": [list(pair) for pair in document.pairs],
        "image": document.image,
        "sha256": document.sha256,
    }


def shown_answer(event: Event, slot: Slot | None = None) -> dict[str, Any]:
    """An answer that stands; of a pair, with the sides that the slot has on screen."""
    return {
        "uuid": str(event.uuid),
        "action": event.action,
        "grade": event.grade,
        "preferred": event.preferred if slot is None else sides.turned(slot.handle, event.preferred),
        "reason": event.reason,
        "time": utc(event.time),
        "scale": event.scale.version,
    }
