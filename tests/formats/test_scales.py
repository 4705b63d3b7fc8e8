"""Scales in TOML."""

from __future__ import annotations

from pathlib import Path

import pytest

from cranfield.data.scale import BINARY, GRADED
from cranfield.errors import FormatError, UsageError
from cranfield.formats.scales import parse_scale, read_scale

MINE = """\
version = 1
name = "mine"

[[grades]]
value = 1
name = "yes"
definition = "It
 says so."
key = "y"

[[grades]]
value = 0
name = "no"
""".replace('"It\n says so."', '"It   says so."')


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "guide.md").write_text("# How\nRead it.\n")
    file = tmp_path / "scale.toml"
    file.write_text(f'guideline_file = "guide.md"\n{MINE}')
    scale = read_scale(file)
    assert (scale.name, scale.guideline) == ("mine", "# How\nRead it.\n")
    found = [(grade.value, grade.name, grade.definition, grade.key) for grade in scale.grades]
    assert found == [(1, "yes", "It says so.", "y"), (0, "no", "", "0")]
    (tmp_path / "guide.md").write_text("# How\nRead it twice.\n")
    assert read_scale(file).version != scale.version


def test_those_that_need_no_file() -> None:
    assert read_scale("binary") is BINARY
    assert read_scale("graded") is GRADED


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("version = 1", "version = 2"), r"s.toml:1: version: is 2; expected version = 1"),
        (("version = 1", ""), r"s.toml: version: is None; expected version = 1"),
        (('name = "no"', 'nam = "no"'), r"s.toml:12: grades.nam: there is no such key. Did you mean name\?"),
        (("value = 0", "value = -2"), r"s.toml:10: grades: value is -2; a negative grade"),
        (("value = 0", ""), r"s.toml:10: grades: there is no value = ...; expected a number"),
        (('key = "y"', 'key = "q"'), r"s.toml:4: grades: key is 'q', which ends the judging"),
        (('key = "y"', "key = 7"), r"s.toml:8: grades.key: is 7; expected a text"),
        (("value = 0", "value = 1"), "s.toml: the scale 'mine' has two grades with the value 1"),
        (("[[grades]]", "[grades]"), "s.toml:10: this is no TOML|s.toml:4: grades: expected tables"),
        (('name = "mine"', 'guideline = "a"\nguideline_file = "b"'), "s.toml:3: guideline_file: there is a guideline"),
        (('name = "mine"', 'guideline_file = "no.md"'), r"s.toml:2: guideline_file: no.md: cannot be read: No such"),
        (('name = "mine"', "name = "), "s.toml:2: this is no TOML"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(change: tuple[str, str], words: str) -> None:
    with pytest.raises(FormatError, match=words):
        parse_scale(MINE.replace(*change), "s.toml")


def test_no_such_file_or_scale(tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match=r"graed: there is no such file, and no scale of that name. Did you mean graded\?"
    ):
        read_scale("graed")
    (tmp_path / "latin.toml").write_bytes(b"name = 'caf\xe9'")
    with pytest.raises(FormatError, match="this is no text in UTF-8"):
        read_scale(tmp_path / "latin.toml")
    with pytest.raises(UsageError, match="cannot be read"):
        read_scale(tmp_path)
