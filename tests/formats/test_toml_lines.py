"""The lines of keys, counted by hand."""

from __future__ import annotations

import pytest

from cranfield.formats.toml_lines import TomlLines, dotted

TEXT = '''name = "soup"
"a key" = 1
systems.inline = {engine = "bm25"}

[systems.bm25]  # the first
  k1 = 1.2
text = """
k1 = "no key"
[no.table]
"""
b = 0.75
parts = [
  {engine = "bm25"},
]

[[systems.hybrid.parts]]
engine = "dense"
'''


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        (["name"], 1),
        (["a key"], 2),
        (["systems", "inline", "engine"], 3),
        (["systems", "bm25"], 5),
        (["systems", "bm25", "k1"], 6),
        (["systems", "bm25", "b"], 11),
        (["systems", "bm25", "no such"], 5),
        (["systems", "hybrid", "parts", "engine"], 17),
        (["no", "table"], None),
    ],
)
def test_lines(keys: list[str], line: int | None) -> None:
    assert TomlLines(TEXT).of(*keys) == line


def test_keys_as_one_writes_them() -> None:
    assert dotted(["systems", "a b", "k1"]) == 'systems."a b".k1'
