"""The screen while one judges, for windows of any size and texts of any kind."""

from __future__ import annotations

import re
from dataclasses import replace

import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.cli.judging.safe_text import width
from cranfield.cli.judging.screen import SMALLEST, View, draw, draw_text, to_terminal
from cranfield.cli.judging.texts import LONGEST, absent_text, beyond_title, paragraphs, scale_text
from cranfield.data.documents import Document
from cranfield.data.scale import GRADED, Grade, Scale
from cranfield.data.topics import Topic
from cranfield.pooling.judging_session import Item, Progress
from cranfield.pooling.query_words import finding

VIEW = View(
    GRADED, "12", "hot soup", ["How is soup kept hot?", "Relevant: pots."], "kitchen/d1",
    paragraphs(Document("d1", {"title": "Soups", "year": 1962, "text": "Boil water.\n" * 30})),
    Progress(10, graded=3), Progress(100, graded=40, unsure=2), 2, 9, words=finding(["soup"]),
)  # fmt: skip


def text_of(view: View, columns: int = 80, rows: int = 24) -> list[str]:
    return ["".join(text for text, _ in row).rstrip() for row in draw(view, columns, rows).rows]


def test_what_is_where() -> None:
    rows = text_of(VIEW)
    assert len(rows) == 24
    assert rows[0] == " topic 12 (2 of 9)                          3 of 10 done here, 42 of 100 in all"
    assert rows[1:4] == ["hot soup", "How is soup kept hot?", "Relevant: pots."]
    assert rows[4].startswith("── kitchen/d1 ──")
    assert rows[4].endswith(" lines 1-12 of 34, space: more ──")
    assert rows[5:9] == ["Soups", "year: 1962", "", "Boil water."]
    assert rows[18].startswith(" 3  highly relevant  It is about the topic")
    assert rows[21].startswith(" 0  not relevant     Nothing in it")
    assert rows[23].endswith("? help  q quit")


def test_words_stand_out_and_the_end_is_said() -> None:
    screen = draw(replace(VIEW, first=999), 80, 24)
    assert ", end ──" in "".join(text for text, _ in screen.rows[4])
    assert screen.last == 34 - 12
    assert draw(VIEW, 80, 24).rows[5] == [("Soups", "1;4")]


def test_a_topic_that_says_much_is_cut_and_says_so() -> None:
    rows = text_of(replace(VIEW, need=["long " * 200]))
    assert rows[5].endswith(" … (t: all)")
    assert rows[6].startswith("── kitchen/d1")


def test_more_room_for_the_document() -> None:
    rows = text_of(replace(VIEW, wide=True))
    assert rows[1] == "hot soup"
    assert rows[2].startswith("── kitchen")
    assert rows[21] == "3 highly relevant   2 relevant   1 marginal   0 not relevant"


def test_many_grades_leave_room_for_the_document() -> None:
    scale = Scale(
        "long", tuple(Grade(value, f"grade {value}", "x " * 50, "abcdefghijklmn".upper()[value]) for value in range(14))
    )
    screen = draw(replace(VIEW, scale=scale), 80, 24)
    assert len(screen.rows) == 24
    assert screen.page >= 10


def test_a_line_that_is_typed_shows_its_end() -> None:
    row = text_of(replace(VIEW, prompt="note:", typed="x" * 200 + "end"))[22]
    assert row.startswith("note: xxx")
    assert row.endswith("xend")
    narrow = text_of(replace(VIEW, prompt="words to highlight (enter alone: those of the topic):", typed="ab"), 40, 14)
    assert narrow[12].endswith("… ab")


def test_a_window_that_is_too_small_says_so() -> None:
    columns, rows = SMALLEST
    for size in ((columns - 1, rows), (columns, rows - 1), (1, 1), (10, 3)):
        assert "the" in text_of(VIEW, *size)[0] or size[0] < 3
        assert len(text_of(VIEW, *size)) == size[1]
    assert "done" not in text_of(VIEW, columns, rows)[0]
    assert "3/10" in text_of(VIEW, columns, rows)[0]


ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=[]), max_size=300) | st.sampled_from(
    ["スープ" * 50, "e\u0301" * 100, "שלום עולם " * 20, "\x1b[2J\x1b[31m\x9b0m", "\u0301first", "🍲" * 90, "a\tb\n" * 9]
)


@given(
    ANY_TEXT, ANY_TEXT, st.integers(SMALLEST[0], 100), st.integers(SMALLEST[1], 40), st.integers(0, 400), st.booleans()
)
def test_every_row_fits_whatever_it_says(one: str, other: str, columns: int, rows: int, first: int, wide: bool) -> None:
    view = replace(
        VIEW, title=one, need=[other], topic=one, document=other, first=first, wide=wide, message=one, lines={},
        paragraphs=paragraphs(Document("d", {"title": one, "text": other, "year": 7})),
    )  # fmt: skip
    for drawn in (view, replace(view, prompt="note:", typed=one)):
        screen = draw(drawn, columns, rows)
        assert len(screen.rows) == rows
        sent = list(to_terminal(screen.rows))
        assert all(width(re.sub(r"\x1b\[[0-9;]*m", "", row)) <= columns for row in sent)
        assert re.sub(r"\x1b\[[0-9;]*m", "", "".join(sent)).isprintable()


@pytest.mark.parametrize(
    "text", ["スープ" * 60, "e\u0301" * 300, "שלום עולם " * 40, "\u0301" * 5 + "x" * 200, "🍲 " * 90]
)
def test_a_terminal_shows_each_row_in_its_place(text: str) -> None:
    """Oracle: pyte, a terminal that knows widths by itself."""
    view = replace(VIEW, paragraphs=[(text, "")], document=text, lines={})
    terminal = pyte.Screen(80, 24)
    stream = pyte.Stream(terminal)
    for number, row in enumerate(to_terminal(draw(view, 80, 24).rows), 1):
        stream.feed(f"\x1b[{number};1H{row}")
    shown = terminal.display
    assert shown[0].rstrip().endswith("42 of 100 in all")
    assert shown[4].rstrip().endswith("──")
    assert shown[17] == "─" * 80
    assert shown[23].rstrip().endswith("q quit")


def test_a_text_to_read_has_pages() -> None:
    screen = draw_text("help", "\n".join(f"line {number}" for number in range(50)), "any key", 0, 80, 24)
    rows = ["".join(text for text, _ in row).rstrip() for row in screen.rows]
    assert (rows[0], rows[1], rows[22], rows[23]) == (" help", "line 0", "line 21", " space: more   any key")
    assert (screen.page, screen.last) == (22, 28)


def test_colour_is_left_out_where_it_is_not_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[0;1;4;33mSoups" in list(to_terminal(draw(VIEW, 80, 24).rows))[5]
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[0;1;4mSoups" in list(to_terminal(draw(VIEW, 80, 24).rows))[5]


def test_what_a_document_says() -> None:
    assert paragraphs(Document("d", {})) == [("(this document is empty)", "2")]
    assert paragraphs(Document("d", {"text": " "})) == [("(this document is empty)", "2")]
    assert paragraphs(Document("d", {"tags": ["a", "b"], "text": "x"})) == [
        ('tags: ["a", "b"]', ""),
        ("", ""),
        ("x", ""),
    ]
    *_, (shown, _), (said, _) = paragraphs(Document("d", {"text": "x" * (LONGEST + 5)}))
    assert len(shown) == LONGEST
    assert said == "(cut here: 5 more characters of text are not shown)"


def test_a_title_that_the_text_begins_with_is_read_once() -> None:
    text = "Read a file\nby rows. Then more."
    assert paragraphs(Document("d", {"title": "Read a  file", "text": text})) == [(text, "")]
    for title in ("Read a fil", "Read more", text + " And more."):
        assert paragraphs(Document("d", {"title": title, "text": text}))[0] == (title, "1")


TABLE = "| grade | name |\n|---|---|\n| 1 | yes |\n| 0 | no |"


def test_a_scale_says_each_grade_once() -> None:
    grades = (Grade(1, "yes", "Of use."), Grade(0, "no", "Of none."))
    said = "# The grades, by the key that gives them\n  1  yes: Of use.\n  0  no: Of none.\n\n"
    assert scale_text(Scale("s", grades, f"# How\n\n{TABLE}\n\nRead.")) == f"{said}# How\n\nRead."
    more = f"{TABLE}\n| 0 | but this |"
    assert scale_text(Scale("s", grades, more)) == said + more


def test_what_cannot_be_shown_is_said() -> None:
    absent = {Item("7", "d1"): "not there", Item("7", "d2"): "not there"}
    assert absent_text({}, 9) == ""
    assert absent_text(absent, 9).startswith(
        "# 2 of 9 documents cannot be shown\nd1 (topic 7) and 1 more: not there. Nothing is written of them"
    )


def test_what_a_topic_says_beyond_its_title() -> None:
    topic = Topic("1", {"title": "hot  soup", "description": "How?", "query": "hot soup", "narrative": ""})
    assert beyond_title(topic) == ["How?"]
