"""Files that say how likely subtopics are meant."""

from __future__ import annotations

import io

import pytest

from cranfield.errors import DataError
from cranfield.formats.intents import read_intents


def test_what_follows_the_probability_is_ignored() -> None:
    assert read_intents(io.StringIO("# NTCIR\n101\t1\t0.7\tinf\n101 2 3e-1\n\n")) == {"101": {"1": 0.7, "2": 0.3}}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "q a\n",
            "file object:1: expected 3 fields (query subtopic probability), found 2. Is the probability missing?",
        ),
        ("q a 1\nq b 0\n", "file object:2: probability '0' is not a number above 0"),
        ("q a 1\n\nq b half\n", "file object:3: probability 'half' is not a number above 0"),
        ("q a 1\nq a 2\n", "file object:2: subtopic 'a' of query 'q' has a probability already"),
        ("# nothing\n", "file object: the file has no records; expected lines of query subtopic probability"),
    ],
)
def test_wrong_files(text: str, message: str) -> None:
    with pytest.raises(DataError) as caught:
        read_intents(io.StringIO(text))
    assert message in str(caught.value)
