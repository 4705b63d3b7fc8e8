"""Judging in a terminal: what each key does."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace

from cranfield.cli.judging.in_front import Page, Prompt, step_of
from cranfield.cli.judging.keys import Key
from cranfield.cli.judging.screen import Screen, View, draw, draw_text, to_terminal
from cranfield.cli.judging.terminal import Terminal
from cranfield.cli.judging.texts import (
    HELP,
    absent_text,
    beyond_title,
    end_text,
    paragraphs,
    said_before,
    scale_text,
    topic_text,
)
from cranfield.data.documents import Document
from cranfield.data.judging import JudgingEvent, document_hash, utc_now
from cranfield.data.topics import Topic
from cranfield.errors import UsageError
from cranfield.formats.judging_events import JudgingFile
from cranfield.pooling.active_time import ActiveTime
from cranfield.pooling.judging_session import Item, JudgingSession, Seen
from cranfield.pooling.query_words import finding, query_words

QUIET = 0.15
"""Seconds that a document has been on the screen, without such a key, before one judges it: keys that come faster are
held down or pasted."""
_QUIT = Key("character", "q")


class Judging:
    """One sitting of an assessor."""

    def __init__(
        self,
        session: JudgingSession,
        file: JudgingFile,
        topics: Mapping[str, Topic],
        documents: Mapping[str, Document],
    ) -> None:
        self.session, self.file, self.topics, self.documents = session, file, topics, documents
        self._terminal = Terminal(self._pause, self._resume)
        self._numbers = {topic: number for number, topic in enumerate(session.work, 1)}
        self._watch = ActiveTime()
        self._words: list[str] = []
        self._message = ""
        self._prompt: Prompt | None = None
        self._page: Page | None = None
        self._wide = False
        self._quiet_since: tuple[float, int] | None = None
        """When, and after how many reads, the document came to the screen or a key came too fast; None until drawn."""
        self._first = 0
        self._shown_at = utc_now()
        self._view: View | None = None
        self._commands: dict[str, Callable[[], None]] = {
            **{grade.key: self._grade(grade.value) for grade in session.scale.grades},
            "u": self._unsure,
            "s": self._ask_skip,
            "n": self._ask_note,
            "z": self._undo,
            "b": self._back,
            "f": self._forward,
            "/": self._ask_words,
            "t": self._show_topic,
            "g": self._show_guideline,
            "w": self._widen,
            "?": self._show_help,
        }

    def run(self) -> int | None:
        """Judge until the end; gives the signal that ended it, if one did."""
        with self._terminal:
            self._open_first()
            self._show()
            self._draw()
            for key in self._terminal.pressed():
                if not self._answer(key):
                    return None
                self._draw()
            return self._terminal.ended_by

    def _answer(self, key: Key) -> bool:
        """What a key does; False if it ends the judging."""
        if key.name in ("focus-out", "focus-in"):
            (self._pause if key.name == "focus-out" else self._resume)()
            return True
        if key.name in ("resize", "redraw"):
            return True
        self._watch.sign(time.monotonic())
        self._message = ""
        if self._prompt is not None:
            self._type(key, self._prompt)
        elif self._page is not None and not (self._page.begins and key == _QUIT):
            self._leaf(key, self._page)
        elif key == _QUIT:
            return False
        elif key.name == "paste":
            self._message = "what is pasted judges nothing"
        elif self._is_too_fast(key):
            self._quiet_since = None
            self._message = f"{key.text} came faster than anybody reads, and does nothing"
        else:
            self._press(key)
        return True

    def _is_too_fast(self, key: Key) -> bool:
        """Whether a key that judges comes before anybody can have seen the document."""
        judges = key.text in self.session.scale.by_key or key.text in ("u", "s", "z")
        if not judges or self._quiet_since is None:
            return judges
        since, reads = self._quiet_since
        return reads == self._terminal.reads or time.monotonic() - since < QUIET

    def _press(self, key: Key) -> None:
        if key.name == "character" and key.text in self._commands:
            if self.session.item is None and key.text not in ("b", "z", "?", "g"):
                self._message = "nothing is left to judge: b goes back to the last ones, q quits"
            else:
                self._commands[key.text]()
        elif (step := step_of(key, self._screen.page)) is not None:
            self._first = min(max(self._first + step, 0), self._screen.last)
        elif key.name == "character":
            shown = key.text if key.text.isprintable() else "that key"
            grades = ", ".join(grade.key for grade in self.session.scale.grades)
            self._message = f"{shown} does nothing; grades are {grades}, and ? helps"

    def _grade(self, value: float) -> Callable[[], None]:
        grade = self.session.scale.grade(value)
        return lambda: self._do(self.session.grade(value, self._seen()), f"{grade.value:g} {grade.name}")

    def _unsure(self) -> None:
        self._do(self.session.unsure(self._seen()), "unsure")

    def _ask_skip(self) -> None:
        skip = self.session.skip
        self._ask("why skip it? (enter alone: no reason)", lambda why: self._do(skip(why, self._seen()), "skipped"))

    def _ask_note(self) -> None:
        def note(text: str) -> None:
            if text.strip():
                self._do(self.session.note(text, self._seen()), "noted")

        self._ask("note:", note)

    def _ask_words(self) -> None:
        def highlight(text: str) -> None:
            self._words = query_words(text)
            self._renew()

        self._ask("words to highlight (enter alone: those of the topic):", highlight)

    def _undo(self) -> None:
        event = self.session.undo()
        if event is None:
            self._message = "there is nothing to take back"
        else:
            self._do(event, "taken back")

    def _do(self, event: JudgingEvent, said: str) -> None:
        """Write an event down, and go on; what cannot be written down has not happened."""
        try:
            self.file.append(event)
        except UsageError as error:
            self._open(Page("this was not written down", str(error)))
            return
        self.session.apply(event)
        again = ", z takes it back" if event.action not in ("withdraw", "note") else ""
        self._message = f"{event.document}: {said}{again}"
        if event.action == "note":
            self._renew()
        else:
            self._show()

    def _back(self) -> None:
        if self.session.back():
            self._show()
        else:
            self._message = "there is nothing before this one"

    def _forward(self) -> None:
        if self.session.forward():
            self._show()
        else:
            self._message = "there is nothing after this one until it is judged"

    def _show(self) -> None:
        """Another document is on the screen from now on."""
        self._first, self._shown_at, self._quiet_since = 0, utc_now(), None
        self._watch.begin(time.monotonic())
        self._renew()

    def _renew(self) -> None:
        item = self.session.item
        self._view = None if item is None else self._view_of(item)

    def _view_of(self, item: Item) -> View:
        topic = self.topics[item.topic]
        return View(
            self.session.scale,
            item.topic,
            topic.query(),
            beyond_title(topic),
            item.document,
            paragraphs(self.documents[item.document]),
            self.session.progress(item.topic),
            self.session.progress(),
            self._numbers[item.topic],
            len(self._numbers),
            said=said_before(self.session),
            words=finding(self._words or query_words(topic.query())),
        )

    def _seen(self) -> Seen:
        assert self.session.item is not None
        document = self.documents[self.session.item.document]
        return Seen(document_hash(document), self._shown_at, self._watch.milliseconds(time.monotonic()))

    def _draw(self) -> None:
        columns, rows = self._terminal.size()
        self._screen = self._drawn(columns, rows)
        if self._quiet_since is None:
            self._quiet_since = time.monotonic(), self._terminal.reads
        self._terminal.show(to_terminal(self._screen.rows))

    def _drawn(self, columns: int, rows: int) -> Screen:
        if self._page is not None:
            page = self._page
            foot = f"{'q: quit   ' if page.begins else ''}any other key: on to the document"
            return draw_text(page.title, page.text, foot, page.first, columns, rows)
        if self._view is None:
            foot = self._message or "b back  z undo  q quit"
            return draw_text("done", end_text(self.session.progress()), foot, 0, columns, rows)
        prompt = self._prompt
        view = replace(
            self._view,
            message=self._message,
            prompt=prompt.label if prompt else "",
            typed=prompt.typed if prompt else "",
            first=self._first,
            wide=self._wide,
        )
        return draw(view, columns, rows, rule="─" if self._terminal.encoding == "utf-8" else "-")

    def _show_topic(self) -> None:
        assert self.session.item is not None
        self._open(Page(f"topic {self.session.item.topic}", topic_text(self.topics[self.session.item.topic])))

    def _open_first(self) -> None:
        """What there is to know before the first document: the scale, for who is new, and what cannot be shown."""
        session = self.session
        is_new = not any(event.assessor == session.assessor for event in session.record.events)
        text = absent_text(session.left_open, session.progress().total) + (scale_text(session.scale) if is_new else "")
        if text:
            self._open(Page(f"the scale {session.scale.name}" if is_new else "before you go on", text, begins=True))

    def _show_guideline(self) -> None:
        self._open(Page(f"the scale {self.session.scale.name}", scale_text(self.session.scale)))

    def _show_help(self) -> None:
        self._open(Page("help", HELP))

    def _widen(self) -> None:
        self._wide = not self._wide

    def _open(self, page: Page) -> None:
        self._page = page

    def _leaf(self, key: Key, page: Page) -> None:
        """A key while a text is in front of the document."""
        self._page = page.after(key, self._screen.page, self._screen.last)
        if self._page is None and page.begins:  # only now is the document seen
            self._show()

    def _ask(self, label: str, done: Callable[[str], None]) -> None:
        self._prompt = Prompt(label, done)

    def _type(self, key: Key, prompt: Prompt) -> None:
        """A key while a line of text is asked for."""
        self._prompt = prompt.after(key)
        if key.name == "enter":
            prompt.done(prompt.typed)

    def _pause(self) -> None:
        self._watch.pause(time.monotonic())

    def _resume(self) -> None:
        self._watch.resume(time.monotonic())
