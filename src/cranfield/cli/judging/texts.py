"""What can be read while one judges: the document, the topic, the scale, and what the keys do."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import groupby

from cranfield.cli.judging.screen import BOLD, DIM, PLAIN, Piece
from cranfield.data.documents import Document
from cranfield.data.scale import Scale
from cranfield.data.topics import TEXT_FIELDS, Topic
from cranfield.pooling.judging_session import Item, JudgingSession, Progress

LONGEST = 1_000_000
"""Characters of a document that are shown; what is longer says that it goes on."""
_BODIES = ("text", "body", "contents", "abstract")

HELP = """\
Press the key of a grade, and the next document comes. Every judgment is on the disk at once.

  s         skip this document; you are asked why
  u         unsure: you have read it and cannot say
  n         a note on this document, which does not judge it
  z         take back the last thing you did; again, the one before it
  b  f      back to what you judged before, and forward again
  space  -  a page on, a page back; also j k, arrows, page keys, home, end
  /         other words to highlight than those of the topic
  t         the topic, all of it
  g         the grades with their definitions, and the guideline
  w         more room for the document, and less again
  q         quit; the same command goes on where you stopped

A grade for a document that you went back to replaces the one it had.

The time that you take is counted while you are at work: not after Ctrl-Z, nor when no key has been pressed for two \
minutes, nor while another window is in front, where the terminal tells that.
"""


def paragraphs(document: Document) -> list[Piece]:
    """What a document says: its title, its texts, and the rest of its fields with their names."""
    pieces: list[Piece] = []
    room = LONGEST
    texts = {
        name: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
        for name, value in document.fields.items()
    }
    for name, text in texts.items():
        if not text.strip() or (name == "title" and _is_begun_with(text, texts)):
            continue
        shown = text[:room]
        room -= len(shown)
        if name == "title":
            pieces.append((shown, BOLD))
        elif name in _BODIES or "\n" in text.strip():
            pieces += [*([("", PLAIN)] if pieces else []), (shown, PLAIN)]
        else:
            pieces.append((f"{name}: {shown}", PLAIN))
        if len(shown) < len(text):
            pieces.append((f"(cut here: {len(text) - len(shown):,} more characters of {name} are not shown)", DIM))
            break
    return pieces or [("(this document is empty)", DIM)]


def _is_begun_with(title: str, texts: Mapping[str, str]) -> bool:
    """Whether a text begins with the words of the title, which then need not be read twice."""
    words = title.split()
    return any(texts.get(name, "").split(maxsplit=len(words))[: len(words)] == words for name in _BODIES)


def beyond_title(topic: Topic) -> list[str]:
    """What a topic says beyond its title."""
    texts = [value for name in TEXT_FIELDS if isinstance(value := topic.fields.get(name), str)]
    return [text for text in texts if " ".join(text.split()) not in ("", topic.query())]


def topic_text(topic: Topic) -> str:
    """All that a topic says."""
    return "\n\n".join(f"# {name}\n{value}" for name, value in topic.fields.items() if isinstance(value, str))


def scale_text(scale: Scale) -> str:
    """The grades of a scale with their keys and definitions, and how to judge."""
    grades = "\n".join(f"  {grade.key}  {grade.name}: {grade.definition}" for grade in scale.grades)
    return f"# The grades, by the key that gives them\n{grades}\n\n{_beyond_grades(scale)}"


def _beyond_grades(scale: Scale) -> str:
    """The guideline without tables that say no more than the grades do."""
    blocks = groupby(scale.guideline.splitlines(), lambda line: line.lstrip().startswith("|"))
    kept = [
        "\n".join(lines) for is_table, block in blocks if not (_only_grades(lines := list(block), scale) and is_table)
    ]
    return "\n".join(kept).replace("\n\n\n", "\n\n")


def _only_grades(table: list[str], scale: Scale) -> bool:
    rows = [{cell.strip() for cell in line.strip().strip("|").split("|")} for line in table[2:]]
    known = [{f"{one.value:g}", one.key, one.name, one.definition} for one in scale.grades]
    return all(any(row <= grade for grade in known) for row in rows)


def absent_text(absent: Mapping[Item, str], total: int) -> str:
    """Before judging begins: what cannot be shown, so that the wrong collection is found out."""
    if not absent:
        return ""
    item, reason = next(iter(absent.items()))
    more = f" and {len(absent) - 1:,} more" if len(absent) > 1 else ""
    return (
        f"# {len(absent):,} of {total:,} documents cannot be shown\n"
        f"{item.document} (topic {item.topic}){more}: {reason}. Nothing is written of them, and they "
        f"stay open. If these are the wrong documents or topics, q quits.\n\n"
    )


def said_before(session: JudgingSession) -> str:
    """What the assessor has said before of the document that is shown."""
    parts = [f"note: {note}" for note in session.notes]
    standing = session.standing
    if standing is not None:
        grade = None if standing.grade is None else session.scale.by_value.get(standing.grade)
        name = standing.action if standing.grade is None else f"{standing.grade:g}{f' {grade.name}' if grade else ''}"
        why = f" ({standing.reason})" if standing.reason else ""
        parts = [f"you said: {name}{why}", *parts, "f goes forward"]
    return "; ".join(parts)


def end_text(done: Progress) -> str:
    """When nothing is left."""
    return (
        f"# Nothing is left to judge\n\n{in_words(done)}.\n\nb goes back to the last ones, z takes back the last thing "
        f"you did, q quits."
    )


def in_words(done: Progress) -> str:
    """How far it has come; only what has a grade is called judged.

    >>> in_words(Progress(1400, graded=8, unsure=1, absent=2))
    '8 of 1,400 documents are judged; 1 unsure, 2 could not be shown'
    """
    others = ((done.unsure, "unsure"), (done.skipped, "skipped"), (done.absent, "could not be shown"))
    said = ", ".join(f"{count:,} {what}" for count, what in others if count)
    return f"{done.graded:,} of {done.total:,} documents are judged{f'; {said}' if said else ''}"
