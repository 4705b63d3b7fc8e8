"""Topics drawn from a log, with their chances by hand and weights that give the log back; the draws themselves are
tested in tests/evaluation/test_query_draws.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from cranfield.errors import ParameterError, UsageError
from cranfield.formats.topics import read_topics
from cranfield.logs.log import Log
from cranfield.logs.topic_sample import sample_log
from tests.logs.small_world import Page, log_of

ASKED = {"soup": 6, "bread": 3, "tea": 2, "rye": 2, "jam": 2}


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    """Each query as often as ASKED says, by as many people; and a secret that ann alone has."""
    pages = [
        Page(f"{text}{n}", f"u{n}", text, 100 * n + place, ("d",), ("d",) if n == 0 else ())
        for place, (text, times) in enumerate(ASKED.items())
        for n in range(times)
    ]
    pages += [Page(f"s{n}", "ann", "my secret", 9000 + n, ("d",), ()) for n in range(5)]
    return log_of(tmp_path_factory.mktemp("log"), pages)


def test_chances_are_those_in_the_file(log: Log) -> None:
    for by, chance in (
        ("frequency", {t: 2 * n / 15 for t, n in ASKED.items()}),
        ("uniform", dict.fromkeys(ASKED, 2 / 5)),
    ):
        for topic in sample_log(log, 2, by=by).topics.values():
            assert topic.fields["inclusion"] == pytest.approx(chance[topic.fields["text"]], rel=1e-5)


def test_strata_have_a_third_of_the_traffic_each(log: Log) -> None:
    found = sample_log(log, 3, by="stratified", seed=4)
    strata = {topic.fields["stratum"]: topic.fields for topic in found.topics.values()}
    assert {name: fields["inclusion"] for name, fields in strata.items()} == {"head": 1.0, "torso": 0.5, "tail": 0.5}
    weights = {name: fields["asked"] / fields["inclusion"] for name, fields in strata.items()}
    for name, fields in strata.items():
        assert fields["weight"] == pytest.approx(weights[name] / sum(weights.values()), rel=1e-5)


def test_small_strata_leave_their_part_to_others(log: Log) -> None:
    found = sample_log(log, 5, by="stratified")
    assert len(found.topics) == 5
    assert all(topic.fields["inclusion"] == 1 for topic in found.topics.values())
    # All were drawn: weighted as they are asked they are the log.
    for row in found.likeness:
        assert row.weighted == pytest.approx(row.log, abs=1e-9)
    assert found.likeness[1].log == pytest.approx(5 / 15)  # each of the five was clicked once


def test_queries_of_few_people_are_left_out(log: Log) -> None:
    found = sample_log(log, 2)
    assert (found.different, found.left_out, found.left_out_traffic) == (5, 1, 5 / 20)
    everything = sample_log(log, 6, least_users=1)
    assert "my secret" in {topic.fields["text"] for topic in everything.topics.values()}
    with pytest.raises(ParameterError, match="3 topics cannot be drawn from 2 different queries"):
        sample_log(log, 3, least_users=3)


def test_the_same_seed_draws_the_same(log: Log) -> None:
    one, same, other = (sample_log(log, 3, by="uniform", seed=seed).topics.queries() for seed in (5, 5, 6))
    assert one == same
    assert one != other


@pytest.mark.parametrize("name", ["topics.tsv", "topics.jsonl", "topics.toml"])
def test_files_keep_weights_andstrata_of(log: Log, tmp_path: Path, name: str) -> None:
    found = sample_log(log, 3, by="stratified")
    found.write(tmp_path / name)
    there = read_topics(tmp_path / name)
    assert there.queries(["text"]) == found.topics.queries(["text"])
    for topic in found.topics.values():
        fields = there[topic.id].fields
        assert fields["stratum"] == topic.fields["stratum"]
        assert float(fields["weight"]) == topic.fields["weight"]


def test_a_file_that_cannot_hold_weights_is_refused(log: Log, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"topics\.txt: .* ends in \.tsv, \.jsonl or \.toml"):
        sample_log(log, 2).write(tmp_path / "topics.txt")
    assert not (tmp_path / "topics.txt").exists()


def test_mistakes_are_said(log: Log) -> None:
    with pytest.raises(UsageError, match="Did you mean"):
        sample_log(log, 2, by="frequencies")
    with pytest.raises(ParameterError):
        sample_log(log, 0)
