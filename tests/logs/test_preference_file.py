"""Inferred preferences as files."""

from __future__ import annotations

from pathlib import Path

import pytest

from cranfield.data.topics import Topic, Topics
from cranfield.errors import DataError
from cranfield.evaluation.evaluate import evaluate
from cranfield.formats import read_preferences
from cranfield.logs.preference_file import COLUMNS, topic_preferences
from cranfield.logs.preferences import InferredPreferences, infer_preferences
from tests.logs.test_preferences import lists


@pytest.fixture(scope="module")
def inferred(tmp_path_factory: pytest.TempPathFactory) -> InferredPreferences:
    """b over a is certain: 9 of 12 chances to 1 of 10. c is always below both, and clicked once."""
    seen = ((9, "abc", "b"), (2, "abc", "a"), (1, "abc", "ac"), (9, "bac", "b"), (1, "bac", "a"))
    return infer_preferences(lists(tmp_path_factory.mktemp("log"), *seen))


def test_the_file_is_read_as_preferences_and_keeps_the_votes(inferred: InferredPreferences, tmp_path: Path) -> None:
    found = topic_preferences(inferred, Topics([Topic("7", {"title": "dinner"})]))
    expected = [("7", "1", "0", "b", 1), ("7", "1", "0", "a", 0)]
    for form in ("tsv", "trec", "pairs"):
        found.write(tmp_path / form, form)
        assert list(read_preferences(tmp_path / form).rows()) == expected
    header, better, worse = ((tmp_path / "tsv").read_text().splitlines())[:3]
    assert tuple(header.split("\t")) == COLUMNS
    assert better.split("\t")[:7] == ["7", "1", "0", "b", "1", "9", "12"]
    assert worse.split("\t")[:7] == ["7", "1", "0", "a", "0", "1", "10"]
    # As in test_preferences: .2350 to .8308.
    assert [float(cell) for cell in better.split("\t")[7:]] == pytest.approx([0.2350, 0.8308], abs=1e-4)
    assert [float(cell) for cell in worse.split("\t")[7:]] == pytest.approx([-0.8308, -0.2350], abs=1e-4)


def test_preference_measures_take_them(inferred: InferredPreferences, tmp_path: Path) -> None:
    """With all: b over a, and c over b, which it was skipped for once: a run of c, a, b agrees with the second."""
    found = topic_preferences(inferred, uncertain=True)
    found.write(tmp_path / "prefs.tsv")
    said = {(better, worse) for better, worse in zip(inferred.preferred, inferred.other, strict=True)}
    assert said == {("b", "a"), ("c", "b")}
    run = {"q1": {"c": 3.0, "a": 2.0, "b": 1.0}}
    result = evaluate(str(tmp_path / "prefs.tsv"), run, "prefs_simp", relevance="prefs")
    assert result.mean == {"prefs_simp": 0.5}


def test_nothing_is_certain(tmp_path: Path) -> None:
    found = infer_preferences(lists(tmp_path, (3, "ab", "b")))
    with pytest.raises(
        DataError, match="of 1 preferences none is certain: 1 are between documents always shown in one order"
    ):
        topic_preferences(found)
    assert len(topic_preferences(found, uncertain=True)) == 1
