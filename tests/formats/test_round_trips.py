"""Every format gives back what was written to it, packed or not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cranfield.data.preferences import Preferences
from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.data.strings import Strings, decode
from cranfield.formats import (
    FORMATS,
    read_preferences,
    read_qrels,
    read_run,
    write_preferences,
    write_qrels,
    write_run,
)

READ: dict[str, Callable[..., Any]] = {"qrels": read_qrels, "run": read_run, "preferences": read_preferences}
WRITE: dict[str, Callable[..., Any]] = {"qrels": write_qrels, "run": write_run, "preferences": write_preferences}
WITHOUT_ITERATION = ("letor", "prels", "beir", "quepid", "opensearch")
WITHOUT_SAMPLE = ("letor", "trec", "beir", "quepid", "quepid-book", "label-studio", "opensearch")
BETWEEN_WHITE_SPACE = {"letor", "trec", "strata", "prels", "msmarco", "pairs"}

# Any bytes but white space, NUL, and what would make a comment or a byte-order mark of the first field.
dark = st.binary(min_size=1, max_size=12).map(
    lambda text: decode(b"".join(text.split()).replace(b"\0", b"0").lstrip(b"#\xef(\x1f") or b"x")
)
# Any text at all, line ends, delimiters and quotes included, and bytes that are not UTF-8.
awkward = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6),
    st.text(st.sampled_from('",;\t\n\r #{}[]'), min_size=1, max_size=4),
    st.binary(min_size=1, max_size=4).map(decode),
)
scores = st.floats(allow_nan=False, allow_infinity=False)
grades = st.one_of(st.integers(-128, 5), st.integers(-(10**12), 10**12), scores)


def identifiers(format: str) -> st.SearchStrategy[str]:
    return dark if format in BETWEEN_WHITE_SPACE else awkward


@st.composite
def some_qrels(draw: st.DrawFn, format: str) -> Qrels:
    ids = identifiers(format)
    iterated = format not in WITHOUT_ITERATION and draw(st.booleans())
    rows = draw(st.dictionaries(st.tuples(ids, ids if iterated else st.just("0"), ids), grades, min_size=1, max_size=8))
    columns = [Strings.from_list([key[at].encode("utf-8", "surrogateescape") for key in rows]) for at in range(3)]
    grade = np.array(list(rows.values()), dtype=np.float64)
    iteration = columns[1] if iterated else None
    stratum = method = chance = None
    if format == "strata" or (format not in ("prels", *WITHOUT_SAMPLE) and draw(st.booleans())):
        names = st.integers(0, 20).map(str) if format == "strata" else ids
        stratum = Strings.from_list([draw(names).encode("utf-8", "surrogateescape") for _ in rows])
    if format == "prels" or (format not in ("strata", *WITHOUT_SAMPLE) and draw(st.booleans())):
        chance = np.array([draw(st.floats(0, 1, exclude_min=True)) for _ in rows])
        method = Strings.from_list([b"%d" % draw(st.integers(0, 2)) for _ in rows])
    return Qrels(columns[0], columns[2], grade, iteration, stratum=stratum, method=method, probability=chance)


@st.composite
def some_run(draw: st.DrawFn, format: str) -> Run:
    ids = identifiers(format)
    return Run.from_dict(
        draw(st.dictionaries(ids, st.dictionaries(ids, scores, min_size=1, max_size=6), min_size=1, max_size=4))
    )


@st.composite
def some_preferences(draw: st.DrawFn, format: str) -> Preferences:
    ids = identifiers(format)
    if format != "pairs":
        keys = st.tuples(ids, ids, ids, ids)
        rows = draw(st.dictionaries(keys, grades, min_size=1, max_size=8))
        return Preferences.from_tuples([(*key, level) for key, level in rows.items()])
    pairs = draw(
        st.lists(st.tuples(ids, st.lists(ids, min_size=2, max_size=2, unique=True), st.booleans()), min_size=1)
    )
    count: dict[str, int] = {}
    rows_of_pairs: list[tuple[str, str, str, str, int]] = []
    for query, (one, other), first in pairs:
        count[query] = count.get(query, 0) + 1
        group = str(count[query])
        rows_of_pairs += [(query, group, "0", one, int(first)), (query, group, "0", other, int(not first))]
    return Preferences.from_tuples(rows_of_pairs)


def contents(thing: Any, format: str) -> Any:
    """All that the format can hold."""
    if isinstance(thing, Run) and format == "msmarco":
        return [(query, document, rank) for query, document, rank, _ in thing.rows()]
    if isinstance(thing, Qrels):
        rows = list(thing.rows()) if format not in WITHOUT_ITERATION else [(q, d, g) for q, _, d, g in thing.rows()]
        if len(thing.iteration_ids) == 1:  # says nothing, so it may become another constant
            rows = [(q, d, g) for q, *_, d, g in rows]
        sampled = (thing.stratum, thing.method, thing.probability)
        return rows, [None if column is None else column.tolist() for column in sampled]
    return list(thing.rows())


@pytest.mark.parametrize("packing", ["", ".gz", ".zst"])
@pytest.mark.parametrize(("kind", "format"), [(kind, format) for kind, names in FORMATS.items() for format in names])
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_round_trip(tmp_path: Path, kind: str, format: str, packing: str, data: st.DataObject) -> None:
    make: Any = {"qrels": some_qrels, "run": some_run, "preferences": some_preferences}[kind]
    thing = data.draw(make(format))
    path = tmp_path / f"file{packing}"
    WRITE[kind](thing, path, format=format)
    back = READ[kind](path, format=format)
    assert contents(back, format) == contents(thing, format)
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]
    # The format is also found without being named, but for text in quotes or braces that looks like another one.
    if format in ("parquet", "json", "jsonl", "csv", "tsv", "beir"):
        assert contents(READ[kind](path), format) == contents(thing, format)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_format_to_any_other(tmp_path: Path, data: st.DataObject) -> None:
    """What is between white space in one format is the same in all."""
    run = data.draw(some_run("trec"))
    for format in ("jsonl", "trec", "csv", "parquet", "json", "tsv"):
        write_run(run, tmp_path / "run", format=format)
        again = read_run(tmp_path / "run", format=format)
        assert list(again.rows()) == list(run.rows())
        run = again
