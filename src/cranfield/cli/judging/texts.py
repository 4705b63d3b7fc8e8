"""What can be read while one judges: the document, the topic, the scale, and what the keys do."""

from __future__ import annotations

import json

from cranfield.cli.judging.screen import BOLD, DIM, PLAIN, Piece
from cranfield.data.documents import Document
from cranfield.data.scale import Scale
from cranfield.data.topics import TEXT_FIELDS, Topic
from cranfield.pooling.judging_session import JudgingSession, Progress

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
    for name, value in document.fields.items():
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
        if not text.strip():
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
    return f"# The grades, by the key that gives them\n{grades}\n\n{scale.guideline}"


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
        f"# All {done.total:,} documents are judged\n\n{done.graded:,} have a grade, of {done.unsure:,} you are "
        f"unsure, {done.skipped:,} are skipped.\n\nb goes back to the last ones, z takes back the last thing you did, "
        f"q quits."
    )
