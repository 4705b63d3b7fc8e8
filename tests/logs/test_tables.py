"""The page about importing has the schema as it is."""

from __future__ import annotations

import re
from pathlib import Path

from cranfield.logs.staging.columns import TARGETS
from cranfield.logs.staging.reading import DROPPABLE, FORMATS
from cranfield.logs.tables import RECORDS, SCHEMA

PAGE = (Path(__file__).parent.parent.parent / "docs" / "logs" / "importing.md").read_text()


def rows(heading: str) -> list[tuple[str, ...]]:
    """The cells of the first table below a heading."""
    table = re.split(r"\|(?:---\|)+\n", PAGE[PAGE.index(heading) :])[1].split("\n\n")[0]
    return [tuple(cell.strip(" `") for cell in row.strip("|").split("|")) for row in table.splitlines()]


def test_the_page_has_the_columns_of_each_table() -> None:
    for name, columns in SCHEMA.items():
        assert rows(f"### {name}\n") == [(column.name, column.kind, column.meaning) for column in columns]


def test_the_page_has_what_columns_can_be_mapped_to() -> None:
    assert rows("| name | what it says |") == [(name, target.meaning) for name, target in TARGETS.items()]
    assert {target.record for target in TARGETS.values()} == {column.name for column in RECORDS} - {"line"}


def test_the_page_names_all_formats_and_what_can_be_dropped() -> None:
    assert {name for name, _ in rows("| `--from` | what it is |")} == {*FORMATS, "opensearch"}
    dropped = PAGE[PAGE.index("left out with `--drop`") :].split("\n- ")[0]
    assert set(DROPPABLE) <= set(re.findall(r"`(\w+)`", dropped))
