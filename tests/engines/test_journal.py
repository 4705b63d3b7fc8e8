"""Journals: what is read back, and what does not belong together."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.data.strings import Strings
from cranfield.engines.answers import Answer
from cranfield.engines.journal import Journal
from cranfield.errors import CranfieldError

WHO = {"engine": "test", "k": 10}
ANSWER = Answer(Strings.from_list([b"d1", "dé 2".encode()]), np.array([0.1, 1e-300]), 3, True)


def begun(path: Path) -> bytes:
    with Journal(path, WHO) as journal:
        for topic in ("q0", "q1"):
            journal.record(topic, ANSWER, 0.25)
    return path.read_bytes()


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False)), st.text())
def test_everything_is_read_back_exactly(scores: list[float], topic: str) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "j")
        names = [b"d%d" % at for at in range(len(scores))]
        with Journal(path, WHO) as journal:
            journal.record(
                topic, Answer(Strings.from_list(names), np.array(scores, dtype=np.float64), len(scores)), None
            )
        with Journal(path, WHO, resume=True) as journal:
            entry = journal.done[topic]
    assert entry.scores.tolist() == scores
    assert entry.documents.tolist() == names
    assert (entry.found, entry.put_in_order, entry.seconds) == (len(scores), False, None)


@given(st.integers(0, 400))
def test_a_journal_that_was_cut_anywhere_is_gone_on_with(lost: int) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "j")
        whole = begun(path)
        path.write_bytes(whole[: max(0, len(whole) - lost)])
        with Journal(path, WHO, resume=True) as journal:
            complete = sum(topic in journal.done for topic in ("q0", "q1"))
            assert complete == max(0, path.read_bytes().count(b"\n") - 1)
            for topic in ("q0", "q1")[complete:]:
                journal.record(topic, ANSWER, 0.25)
        assert path.read_bytes() == whole


def test_it_is_not_begun_anew_by_mistake(tmp_path: Path) -> None:
    before = begun(tmp_path / "j")
    with pytest.raises(
        CranfieldError, match="holds 2 topics of a search that did not end: go on with --resume, or delete"
    ):
        Journal(tmp_path / "j", WHO)
    assert (tmp_path / "j").read_bytes() == before


def test_one_without_topics_leaves_nothing_and_is_begun_anew(tmp_path: Path) -> None:
    with Journal(tmp_path / "j", WHO):
        header = (tmp_path / "j").read_bytes()
    assert not (tmp_path / "j").exists()
    (tmp_path / "j").write_bytes(header)  # as after a process that was killed
    with Journal(tmp_path / "j", {**WHO, "k": 5}) as journal:
        assert journal.done == {}


def test_two_searches_at_once(tmp_path: Path) -> None:
    with (
        Journal(tmp_path / "j", WHO),
        pytest.raises(CranfieldError, match="another search is writing this run"),
    ):
        Journal(tmp_path / "j", WHO)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace(b'"k":10', b'"k":20'), "was begun with k 20, this search has 10"),
        (
            lambda text: text.replace(b'"k":10', b'"topics":"12ab"'),
            "was begun with other topics; with k none, this search has 10: ask for the same, or delete it",
        ),
        (lambda text: b"{}\n" + text, "this is no journal of a search"),
        (lambda text: text.replace(b'"found"', b'"lost"'), "j:2: this line is damaged"),
        # The lengths 2 and 5 become 3 and 5, more than there are bytes; and 7 alone, which is one document of two
        (lambda text: text.replace(b'"AgAAAAUAAAA="', b'"AwAAAAUAAAA="'), "j:2: this line is damaged"),
        (lambda text: text.replace(b'"AgAAAAUAAAA="', b'"BwAAAA=="'), "j:2: this line is damaged"),
        (lambda text: text.replace(b'"scores":"', b'"scores":"*'), "j:2: this line is damaged"),
    ],
)
def test_what_cannot_be_gone_on_with(change: object, message: str, tmp_path: Path) -> None:
    path = tmp_path / "j"
    path.write_bytes(change(begun(path)))  # type: ignore[operator]
    with pytest.raises(CranfieldError, match=re.escape(message)):
        Journal(path, WHO, resume=True)


def test_where_it_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(CranfieldError, match="cannot be written"):
        Journal(tmp_path / "no" / "j", WHO)
