"""What an import works out once is what its tables come to."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet
import pytest

from cranfield.logs.behaviour import behaviour
from cranfield.logs.clicks import click_deviation, clicks_by_rank
from cranfield.logs.log import Log, Part
from cranfield.logs.overview import overview
from cranfield.logs.reformulation_graph import reformulation_graph
from cranfield.logs.shared_names import SharedNames
from cranfield.logs.simulating import simulate
from cranfield.logs.simulation.settings import Settings
from cranfield.logs.tables import SCHEMA, SUMMARIES
from tests.logs.made_up import collection
from tests.logs.making import event, make_log, query, shown

DAY = 86_400
SHOP = {"session_id": "s1", "application": "shop"}
ROWS = [
    query("q1", "soup", 0, **SHOP),
    *shown("q1", ["a", "b"], 0, **SHOP),
    event("click", "q1", "b", 2, 20, **SHOP),
    query("q2", "soup bowl", 60, session_id="s1", application="help"),
    query("q3", "soup bowl", 120, session_id="s1", application="help"),
    query("q4", "tea", DAY, query_response_hit_ids=[], **SHOP),
    event("purchase", "q4", "z", None, DAY + 30, **SHOP),
    query("q5", "soup", 8 * DAY, session_id="s2", application="shop"),
    *shown("q5", ["a"], 8 * DAY, session_id="s2", application="shop"),
    query("q6", "soup", 8 * DAY + 1, session_id="s3", application="shop", client_id=None),
    *(query(f"b{number}", "spam", 9 * DAY + number, session_id="s9", client_id="bot") for number in range(40)),
]
"""One session goes over midnight and over two applications; one query has no results, one no user; and there is a bot."""


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    return make_log(tmp_path_factory.mktemp("log"), ROWS)


def rows(log: Log, name: str) -> list[tuple[Any, ...]]:
    """Without the numbers of texts, sessions and documents, in whose place are names."""
    found = log.opened(name)
    for number, names in (("text_number", "texts"), ("document_number", "documents")):
        if number in found.columns:
            found = found.join(log.opened(names), number).drop(number)
    if "session_number" in found.columns:
        found = found.drop("session_number")
    return sorted((tuple(row.values()) for row in log.run(found).to_pylist()), key=repr)


def test_summaries_counted_by_hand(log: Log) -> None:
    # day, queries, sessions, users, clicks, without a click, without results, known
    assert rows(log, "traffic") == [
        ("2026-03-01", 3, 1, 1, 1, 2, 0, 1),
        ("2026-03-02", 1, 1, 1, 0, 1, 1, 1),
        ("2026-03-09", 2, 2, 1, 0, 2, 0, 1),
        (None, 6, 3, 1, 1, 5, 1, 3),
    ]
    begin = 1_772_323_200_000
    assert rows(log, "sessions") == [
        (1, begin + 8000 * DAY, 0),
        (1, begin + 8000 * DAY + 1000, 0),
        (4, begin, 1000 * (DAY + 30)),
    ]
    # times, in the first half of the days (the first of three), people, users, clicked, without results
    assert rows(log, "asked") == [
        (1, 0, 1, 1, 0, 1, "tea"),
        (2, 2, 1, 1, 0, 0, "soup bowl"),
        (3, 1, 2, 1, 1, 0, "soup"),
    ]
    # words, next words, pause, whether the soonest of its session, whether with a word in common
    assert rows(log, "changes") == [
        ("soup bowl", "tea", 1000 * DAY - 120_000, True, False),
        ("soup", "soup bowl", 60_000, True, True),
    ]
    assert rows(log, "returns") == [(0, 0, 1), (0, 1, 1)]  # the one user came in the first week, and in the second
    assert rows(log, "ranks") == [(1, 2, 0), (2, 1, 1)]
    assert rows(log, "pairs") == [(1, 1, 1.0, "soup", "b"), (2, 0, 0.0, "soup", "a")]


def test_one_of_the_same_changes_of_a_session_is_the_soonest(tmp_path: Path) -> None:
    said = [(0, "soup"), (60, "hot soup"), (70, "soup"), (100, "hot soup"), (300, "soup")]
    changed = make_log(tmp_path, [query(f"q{at}", text, at) for at, text in said])
    assert rows(changed, "changes") == [
        ("hot soup", "soup", 10_000, True, True),
        ("hot soup", "soup", 200_000, False, True),
        ("soup", "hot soup", 30_000, True, True),
        ("soup", "hot soup", 60_000, False, True),
    ]
    counted = {minutes: reformulation_graph(changed, minutes=minutes).edges for minutes in (0.25, 0.75, 5)}
    assert {minutes: [edge[:4] for edge in edges] for minutes, edges in counted.items()} == {
        0.25: [("hot soup", "soup", 1, 1)],
        0.75: [("hot soup", "soup", 1, 1), ("soup", "hot soup", 1, 1)],
        5: [("hot soup", "soup", 2, 1), ("soup", "hot soup", 2, 1)],
    }


def test_what_is_written_has_the_types_of_the_schema(log: Log) -> None:
    kinds = {"VARCHAR": "string", "INTEGER": "int32", "BIGINT": "int64", "DOUBLE": "double", "BOOLEAN": "bool"}
    for name, columns in SCHEMA.items():
        for file in (Path(log.path) / log.record.tables / name).glob("*/*.parquet"):
            schema = pyarrow.parquet.read_schema(file)
            found = [(column.name, str(column.type)) for column in schema]
            assert found == [(column.name, kinds[column.kind]) for column in columns], file


ANALYSES: dict[str, Callable[[Log], Any]] = {
    "overview": overview,
    "behaviour": behaviour,
    "reformulations": reformulation_graph,
    "clicks by rank": clicks_by_rank,
    "click deviation": lambda log: click_deviation(log, enough=1),
}


def plain(value: Any) -> Any:
    """What can be compared."""
    if isinstance(value, SharedNames):
        return value.column.tolist()
    if isinstance(value, np.ndarray):
        return [pytest.approx(one, nan_ok=True) if isinstance(one, float) else one for one in value.tolist()]
    if dataclasses.is_dataclass(value):
        return [plain(getattr(value, field.name)) for field in dataclasses.fields(value)]
    if isinstance(value, tuple):
        return [plain(one) for one in value]
    return pytest.approx(value) if isinstance(value, float) else value


@pytest.mark.parametrize("name", ANALYSES)
def test_a_part_that_is_everything_says_what_summaries_say(log: Log, name: str, tmp_path: Path) -> None:
    runs, qrels = collection()
    simulate(runs, qrels, tmp_path / "made", settings=Settings(sessions=300, days=9, phrasings=3))
    for path in (log.path, tmp_path / "made"):
        whole, part = (ANALYSES[name](Log(path, part)) for part in (Part(), Part(since="0001-01-01")))
        assert plain(whole) == plain(part)


def test_parts_are_of_their_own_rows(log: Log) -> None:
    total = overview(Log(log.path, Part(application="help"))).total
    assert (total.queries, total.sessions) == (2, 1)
    assert overview(Log(log.path, Part(bots=True))).total.queries == 46
    assert Log(log.path, Part(until="2026-03-02")).days == ["2026-03-01", "2026-03-02"]


def test_every_summary_is_made(log: Log) -> None:
    assert {place.name for place in (Path(log.path) / log.record.tables).iterdir()} == set(SCHEMA)
    assert set(SUMMARIES) < set(SCHEMA)
