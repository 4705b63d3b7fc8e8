"""`cranfield judge --terminal`, in a terminal."""

from __future__ import annotations

import json
import signal
import sys
import time
from pathlib import Path

import pytest

from cranfield.data.scale import BINARY, GRADED
from cranfield.formats.judging_events import read_judging_events
from tests.cli.judging.material import arguments, events, judging, said, write_material
from tests.cli.judging.pseudo_terminal import UNHURRIED, PseudoTerminal
from tests.cli.running import run_cranfield

LEAVE = b"\x1b[?1004l\x1b[?2004l\x1b[?25h\x1b[?7h\x1b[0m\x1b[?1049l"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_material(tmp_path)


def begin(terminal: PseudoTerminal) -> None:
    """The first thing that an assessor reads is the scale."""
    terminal.wait("the scale graded")
    terminal.press("x", "done here")


def test_a_pool_from_beginning_to_end(folder: Path) -> None:
    with judging(folder) as terminal:
        terminal.wait("1 of 6 documents cannot be shown")
        begin(terminal)
        rows = terminal.rows
        assert rows[0] == " topic 7 (1 of 2)".ljust(48) + "0 of 5 done here, 0 of 6 in all"
        assert rows[1:4] == ["hot soups", "How is soup kept hot?", "Relevant: pots and fires."]
        assert rows[4] == "── d1 ".ljust(64, "─") + " 3 lines, all ──"
        assert rows[5:8] == ["The title of d1", "", "Soup is kept hot in a thick pot."]
        assert rows[18:20] == [
            " 3  highly relevant  It is about the topic and answers it whole: one could stop…",
            " 2  relevant         It answers a part of the topic, or all of it among much el…",
        ]
        assert rows[23] == " s skip  u unsure  n note  z undo  b back  space page  / words  ? help  q quit"
        assert terminal.screen.buffer[7][0].underscore, "Soup stands out, with another ending than in the topic"
        assert not terminal.screen.buffer[7][5].underscore
        terminal.press("3", "d1: 3 highly relevant, z takes it back")
        assert said(folder) == [("d1", "grade", 3)]
        terminal.press("u", "── evil ──")
        terminal.press("0", "── wide ──")
        assert "2J" not in terminal.text
        terminal.press("1", "cold soup")
        assert "lines 1-13 of 102, space: more" in terminal.text
        terminal.press(" ", "lines 14-26 of 102")
        terminal.press("\x1b[F", "line 100 of a soup")
        terminal.press("2", "Nothing is left to judge")
        terminal.type("q")
        assert terminal.end() == 0
        assert "events.jsonl: 4 of 6 documents are judged; 1 unsure, 1 could not be shown" in terminal.text
        assert terminal.modes == terminal.usual[:4]
        assert LEAVE in terminal.sent
    assert said(folder) == [
        ("d1", "grade", 3), ("d2", "unsure", None), ("evil", "grade", 0), ("wide", "grade", 1), ("long", "grade", 2),
    ]  # fmt: skip
    first, *_ = events(folder)
    assert (first["assessor"], first["input"], first["scale"]) == ("ann", "terminal", GRADED.version)
    # Oracle: printf '["d1",{"text":"Soup is kept hot in a thick pot.","title":"The title of d1"}]\n' | sha256sum
    assert first["document_sha256"] == "508d880bae0d59ae7b5b2837b33eebaadfb5247f6d646bce045b535da80efd9e"
    assert isinstance(first["active_ms"], int)
    assert sorted(each.name for each in folder.iterdir()) == [
        "documents.jsonl",
        "events.jsonl",
        "pool.tsv",
        "topics.jsonl",
    ]


def test_everything_else_that_keys_do(folder: Path) -> None:
    with judging(folder) as terminal:
        begin(terminal)
        terminal.press("?", "take back the last thing you did")
        terminal.press("q", "done here")  # any key leaves the page, and this one no more than that
        terminal.press("t", "# narrative")
        terminal.press("\r", "done here")
        terminal.press("n", "note:")
        terminal.press("half of it\x7f\x7f!", "half of !")
        terminal.press("\r", "d1: noted")
        terminal.press("j", "note: half of !")
        terminal.press("s", "why skip it?")
        terminal.press("\x1b", lambda: "why skip" not in terminal.text)
        terminal.press("s", "why skip it?")
        terminal.press("too long\r", "d1: skipped, z takes it back")
        terminal.press("z", "d1: taken back")
        terminal.press("2", "d1: 2 relevant")
        terminal.press("b", "you said: 2 relevant; note: half of !; f goes forward")
        terminal.press("3", "d1: 3 highly relevant")
        assert "── d2 ──" in terminal.text
        terminal.press("b", "you said: 3 highly relevant")
        terminal.press("f", "── d2 ──")
        terminal.press("f", "there is nothing after this one")
        terminal.press("/", "words to highlight")
        terminal.press("about\r", lambda: terminal.screen.buffer[7][8].underscore)
        terminal.press("w", "3 highly relevant   2 relevant   1 marginal   0 not relevant")
        terminal.press("x", "x does nothing; grades are 3, 2, 1, 0, and ? helps")
        terminal.type("q")
        assert terminal.end() == 0
    found = events(folder)
    assert [(one["action"], one["grade"], one["reason"]) for one in found] == [
        ("note", None, "half of !"), ("skip", None, "too long"), ("withdraw", None, None), ("grade", 2, None),
        ("grade", 3, None),
    ]  # fmt: skip
    assert found[2]["supersedes"] == found[1]["event"]
    assert found[4]["supersedes"] == found[3]["event"]


def test_it_goes_on_where_it_stopped_and_others_begin_anew(folder: Path) -> None:
    with judging(folder) as terminal:
        begin(terminal)
        terminal.press("1", "d1: 1 marginal")
        terminal.type("q")
        terminal.end()
    with judging(folder) as terminal:
        terminal.press("x", "── d2 ──")  # the page before says what cannot be shown
        assert "1 of 5 done here, 1 of 6 in all" in terminal.text
        terminal.press("z", "d1: taken back")
        terminal.press("2", "d1: 2 relevant")
        terminal.type("q")
        terminal.end()
    with judging(folder, "--assessor", "bob", "--topic", "10") as terminal:
        begin(terminal)
        assert "0 of 1 done here, 0 of 1 in all" in terminal.text
        terminal.type("q")
        terminal.end()
    record = read_judging_events(folder / "events.jsonl").record
    assert [(one.assessor, one.document, one.grade) for one in record.decisions()] == [("ann", "d1", 2)]


def test_what_documents_hold_never_reaches_the_terminal(folder: Path) -> None:
    write_material(folder, {"7": ["evil"]})
    with judging(folder) as terminal:
        begin(terminal)
        assert "Before ␛[2J␛]0;stolen␇\ufffd31m after gnol" in terminal.text
        assert terminal.rows[0].startswith(" topic 7")
        for sequence in (b"\x1b[2J", b"\x1b]", b"\x07", b"\xc2\x9b", "\u202e".encode()):
            assert sequence not in terminal.sent


@pytest.mark.slow
def test_wide_characters_keep_to_their_lines(folder: Path) -> None:
    write_material(folder, {"7": ["wide"]})
    with judging(folder) as terminal:
        begin(terminal)
        text = "スープ" * 40
        assert [row.replace(" ", "") for row in terminal.rows[7:10]] == [text[:40], text[40:80], text[80:]]
        assert terminal.rows[17] == "─" * 80


@pytest.mark.parametrize("keys", ["0" * 200, "0321u0" * 40, "0s\r" * 20], ids=["held down", "pasted", "skips"])
def test_keys_that_come_at_once_judge_one_document(folder: Path, keys: str) -> None:
    with judging(folder) as terminal:
        begin(terminal)
        terminal.press("\x1b[200~3333\x1b[201~", "what is pasted judges nothing")
        time.sleep(UNHURRIED)
        terminal.press(keys, "came faster than anybody reads, and does nothing")
        terminal.press("x", "x does nothing")
        assert "── d2 ──" in terminal.text
        terminal.press("1", "d2: 1 marginal")
        terminal.type("q")
        terminal.end()
    assert said(folder) == [("d1", "grade", 0), ("d2", "grade", 1)]


def test_another_collection_by_mistake_leaves_nothing_behind(folder: Path) -> None:
    """The pool does not say which collection it is of."""
    first, *_ = (folder / "documents.jsonl").read_text().splitlines(keepends=True)
    (folder / "other.jsonl").write_text(first)
    with judging(folder, "--collection", "other.jsonl") as terminal:
        terminal.wait("5 of 6 documents cannot be shown")
        assert "d2 (topic 7) and 4 more: the document is not in the collection." in terminal.text
        terminal.type("q")
        assert terminal.end() == 0
        assert "0 of 6 documents are judged; 5 could not be shown" in terminal.text
    assert said(folder) == []


def test_another_size_of_the_window(folder: Path) -> None:
    with judging(folder) as terminal:
        begin(terminal)
        terminal.resize(100, 30)
        terminal.wait(lambda: terminal.rows[29].startswith(" s skip"))
        assert terminal.rows[0].endswith("0 of 5 done here, 0 of 6 in all")
        assert len(terminal.rows[0]) == 99
        terminal.resize(30, 10)
        terminal.wait("the window is too small")
        terminal.resize(40, 14)
        terminal.wait(lambda: terminal.rows[13].startswith(" s u n z"))
        assert terminal.rows[0] == " topic 7 (1 of 2)              0/5  0/6"


@pytest.mark.parametrize(("end", "code"), [("\x03", 130), (signal.SIGTERM, 143)], ids=["Ctrl-C", "TERM"])
def test_whatever_ends_it_leaves_the_terminal_as_it_was(folder: Path, end: str | signal.Signals, code: int) -> None:
    with judging(folder) as terminal:
        begin(terminal)
        terminal.press("3", "d1: 3")
        terminal.send(end) if isinstance(end, signal.Signals) else terminal.type(end)
        assert terminal.end() == code
        assert terminal.modes == terminal.usual[:4]
        assert terminal.sent.count(LEAVE) == 1
        assert "1 of 6 documents are judged" in terminal.text
    assert said(folder) == [("d1", "grade", 3)]


def test_a_window_that_is_closed(folder: Path) -> None:
    with judging(folder) as terminal:
        begin(terminal)
        terminal.press("3", "d1: 3")
        terminal.hang_up()
        assert terminal.end() in (1, 129)
    assert said(folder) == [("d1", "grade", 3)]


def test_the_second_judge_of_a_file_is_told_who_is_there(folder: Path) -> None:
    with judging(folder) as first:
        begin(first)
        with judging(folder, "--assessor", "bob") as second:
            assert second.end() == 2
            assert f"`cranfield judge --assessor ann` (process {first.pid} on" in second.text
        first.press("3", "d1: 3")


def test_a_file_that_is_taken_away_is_said_and_nothing_is_taken_for_judged(folder: Path) -> None:
    with judging(folder) as terminal:
        begin(terminal)
        (folder / "events.jsonl").rename(folder / "away")
        terminal.press("3", "judgment is not written: quit, put the file in order, and go\non\n")
        terminal.press("x", "── d1 ──")
        (folder / "away").rename(folder / "events.jsonl")
        terminal.press("3", "d1: 3 highly relevant")
    assert said(folder) == [("d1", "grade", 3)]


@pytest.mark.slow
def test_a_torn_line_is_set_aside_and_said(folder: Path) -> None:
    (folder / "events.jsonl").write_bytes(b'{"event": "0')
    with judging(folder) as terminal:
        begin(terminal)
        terminal.press("3", "d1: 3")
        terminal.type("q")
        terminal.end()
        assert b"its last line was not whole, and is now in events.jsonl.torn" in terminal.sent
    assert said(folder) == [("d1", "grade", 3)]
    assert (folder / "events.jsonl.torn").read_bytes() == b'{"event": "0\n'


SCRIPT = """
from cranfield.cli.judging.terminal import Terminal
with Terminal(lambda: None, lambda: None) as terminal:
    terminal.show(["here"])
    raise ZeroDivisionError
"""


def test_an_error_of_ours_leaves_the_terminal_as_it_was() -> None:
    with PseudoTerminal("-c", SCRIPT, program=[sys.executable]) as terminal:
        assert terminal.end() == 1
        assert terminal.modes == terminal.usual[:4]
        assert terminal.sent.index(LEAVE) < terminal.sent.index(b"ZeroDivisionError")


def test_a_workspace_has_what_is_needed(folder: Path) -> None:
    (folder / "cranfield.toml").write_text(
        'version = 1\ncollection = "documents.jsonl"\ntopics = "topics.jsonl"\nscale = "binary"\n'
    )
    with PseudoTerminal("judge", "--terminal", "pool.tsv", "--assessor", "ann", cwd=folder) as terminal:
        terminal.wait("the scale binary")
        terminal.press("x", "done here")
        terminal.press("1", "d1: 1 relevant")
        terminal.type("q")
        terminal.end()
        assert "judgments/pool.ann.events.jsonl" in terminal.text
    (line,) = (folder / "judgments" / "pool.ann.events.jsonl").read_text().splitlines()
    assert json.loads(line)["scale"] == BINARY.version


@pytest.mark.parametrize(
    ("more", "words", "code"),
    [
        (["--collection", "other.jsonl"], "none of its 6 documents", 1),
        (["--assessor", "ann bee"], "--assessor 'ann bee': expected a name without white space", 2),
    ],
)
def test_what_does_not_fit_is_said_before_anything_is_shown(
    folder: Path, more: list[str], words: str, code: int
) -> None:
    (folder / "other.jsonl").write_text('{"id": "x", "title": "y", "text": "z"}\n')
    with judging(folder, *more) as terminal:
        assert terminal.end() == code
        assert words in terminal.text.replace("\n", "")
        assert LEAVE not in terminal.sent
    assert not (folder / "events.jsonl").exists()


def test_no_terminal_no_judging(folder: Path) -> None:
    done = run_cranfield(*arguments(), cwd=folder)
    assert (done.exit_code, done.stdout) == (2, b"")
    assert done.stderr == (
        "cranfield: judging needs a terminal, and standard input is none (a pipe, or a file); over ssh, `ssh -t` gives "
        "one\n"
    )
    done = run_cranfield("judge", "pool.tsv", cwd=folder)
    assert done.exit_code == 2
    assert "pool.tsv is a file: judge it with --terminal, or name a workspace" in done.stderr


@pytest.mark.slow
def test_ctrl_z_gives_the_terminal_back_until_one_returns(folder: Path) -> None:
    with PseudoTerminal("--norc", "--noprofile", "-i", program=["/bin/bash"], cwd=folder) as shell:
        shell.wait("bash")
        words = " ".join([sys.executable, "-m", "cranfield", *map(str, arguments())])
        shell.press(f"{words}\r", "the scale graded")
        shell.press("x", "done here")
        shell.press("\x1a", "Stopped")
        shell.press("echo $((6 * 7))\r", "42")
        shell.press("fg\r", "done here")
        shell.press("3", "d1: 3 highly relevant")
        shell.press("q", "1 of 6 documents are judged; 1 could not be shown")
        shell.press("echo $((6 * 9))\r", "54")
        shell.type("exit\r")
        shell.end()
    (graded,) = events(folder)
    assert graded["grade"] == 3


@pytest.mark.slow
def test_killed_again_and_again_nothing_is_lost(tmp_path: Path) -> None:
    """An event that the screen has answered is on the disk, whenever the kill comes; the next sitting goes on there."""
    count = 24
    write_material(tmp_path, {"7": ["d1", "d2", "evil", "wide", "long"]})
    names = [f"n{number:02d}" for number in range(count)]
    documents = "".join(json.dumps({"id": name, "text": f"soup {name}"}) + "\n" for name in names)
    write_material(tmp_path, {"7": names})
    (tmp_path / "documents.jsonl").write_text(documents)
    answered: dict[str, int] = {}
    sittings = 0
    while len(answered) < count:
        sittings += 1
        with judging(tmp_path) as terminal:
            terminal.wait(lambda: "the scale" in terminal.text or "done here" in terminal.text)
            if "the scale" in terminal.text:
                terminal.press("x", "done here")
            left = names[len(answered) :]
            assert f"── {left[0]} ──" in terminal.text, "it goes on behind what was answered"
            for name in left[: 1 + sittings % 5]:
                grade = int(name[1:]) % 4
                terminal.press(str(grade), f"{name}: {grade} ")
                answered[name] = grade
            time.sleep(UNHURRIED)
            terminal.type("uuuuuuuu"[: sittings % 3])  # keys whose answer nobody waits for
            time.sleep(0.001 * (sittings % 7))
            terminal.send(signal.SIGKILL)
            assert terminal.end() == -signal.SIGKILL
        record = read_judging_events(tmp_path / "events.jsonl").record
        found = {one.document: one for one in record.decisions()}
        assert {name: found[name].grade for name in answered} == answered
        for name in names[len(answered) :]:  # what was not waited for is there whole, or not at all
            if name in found:
                assert found[name].action == "unsure"
                answered[name] = None  # type: ignore[assignment]
    assert sittings > 5
