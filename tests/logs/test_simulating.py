"""Simulated logs do what their rules say, are the same each time, and are what an import of the same would be."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.errors import CoverageError, ParameterError, UsageError
from cranfield.logs import simulating
from cranfield.logs.importing import Ways, import_files
from cranfield.logs.log import Log, Part
from cranfield.logs.propensities import randomised_propensities
from cranfield.logs.settling import Rules
from cranfield.logs.simulating import simulate
from cranfield.logs.simulation.settings import Settings
from cranfield.logs.simulation.truth import read_truth
from cranfield.logs.simulation.users import USERS, Behaviour, behave, user_model
from cranfield.logs.tables import TABLES
from tests.logs.made_up import collection, simulated

PAGES, RANKS = 20_000, 6


def read_by(name: str, **parameters: float) -> tuple[Behaviour, np.ndarray, np.ndarray]:
    """Many pages, read by users of a model; how attractive and satisfying their documents are."""
    rng = np.random.default_rng(7)
    attracts, satisfies = rng.uniform(0.2, 0.8, (2, PAGES, RANKS))
    return (
        behave(user_model(name, **parameters), attracts, satisfies, rng.random((3, PAGES, RANKS))),
        attracts,
        satisfies,
    )


def close(share: float, expected: float, number: float) -> bool:
    """Within five standard errors."""
    return abs(share - expected) <= 5 * math.sqrt(expected * (1 - expected) / number) + 1e-12


@pytest.mark.parametrize("name", USERS)
def test_users_click_what_they_look_at_by_its_attractiveness(name: str) -> None:
    done, attracts, satisfies = read_by(name)
    assert not (done.clicked & ~done.looked).any()
    assert not (done.satisfied & ~done.clicked).any()
    assert done.looked[:, 0].all()
    assert close(done.clicked.sum() / done.looked.sum(), attracts[done.looked].mean(), done.looked.sum())
    assert close(done.satisfied.sum() / done.clicked.sum(), satisfies[done.clicked].mean(), done.clicked.sum())


def test_position_based_users_look_by_rank_alone() -> None:
    done, _, _ = read_by("pbm", decay=0.7)
    for at in range(RANKS):
        assert close(done.looked[:, at].mean(), (at + 1) ** -0.7, PAGES)
        if at:
            after = done.clicked[:, at - 1]
            assert close(done.looked[after, at].mean(), (at + 1) ** -0.7, after.sum())


def test_cascade_users_stop_at_the_first_click() -> None:
    done, _, _ = read_by("cascade")
    assert done.clicked.sum(axis=1).max() == 1
    for looked, clicked in zip(done.looked[:500].tolist(), done.clicked[:500].tolist(), strict=True):
        reach = clicked.index(True) + 1 if True in clicked else RANKS
        assert looked == [at < reach for at in range(RANKS)]


def test_dependent_click_users_go_on_after_clicks_by_rank() -> None:
    done, _, _ = read_by("dcm", goes_on=0.4)
    for at in range(RANKS - 1):
        clicked, skipped = done.clicked[:, at], done.looked[:, at] & ~done.clicked[:, at]
        assert close(done.looked[clicked, at + 1].mean(), 0.4 ** (1 / (at + 1)), clicked.sum())
        assert done.looked[skipped, at + 1].all()


def test_dynamic_bayesian_users_go_on_until_satisfied() -> None:
    done, _, _ = read_by("dbn", goes_on=0.8)
    for at in range(RANKS - 1):
        assert not done.looked[done.satisfied[:, at], at + 1].any()
        reading = done.looked[:, at] & ~done.satisfied[:, at]
        assert close(done.looked[reading, at + 1].mean(), 0.8, reading.sum())


def test_browsing_users_look_by_the_distance_to_the_last_click() -> None:
    done, _, _ = read_by("ubm", decay=1.0)
    third = done.looked[:, 2]
    none, first, second = ~done.clicked[:, :2].any(axis=1), done.clicked[:, 0] & ~done.clicked[:, 1], done.clicked[:, 1]
    for rows, distance in ((none, 3), (first, 2), (second, 1)):
        assert close(third[rows].mean(), 1 / distance, rows.sum())


def test_the_same_arguments_give_the_same_log(tmp_path: Path) -> None:
    for name, seed in (("one", 1), ("same", 1), ("other", 2)):
        simulated(tmp_path / name, sessions=300, seed=seed, days=3)
    files = {name: sorted((tmp_path / name).rglob("*.*")) for name in ("one", "same", "other")}
    content = {name: [file.read_bytes() for file in found if file.is_file()] for name, found in files.items()}
    assert content["one"] == content["same"]
    assert content["one"] != content["other"]


OTHERS = {"session_id", "user_id", "query_number", "session_number", "user_number"}
"""Columns in which an import calls things otherwise."""


def test_an_import_of_the_same_gives_the_same_tables(tmp_path: Path) -> None:
    """Users and sessions are hashed by an import, queries numbered in the order of their names, the number of results is not in UBI, and after a purchase an import takes
    the time until the next event for a stay."""
    runs, qrels = collection()
    texts = {f"t{topic}": f"Hot  SOUP number {topic}" for topic in range(5)}
    made = simulate(
        *(runs, qrels, tmp_path / "made"),
        texts=texts,
        settings=Settings(sessions=400, phrasings=3, shuffled=0.2, days=2),
        ubi=tmp_path / "made.ndjson",
    )
    found = import_files([tmp_path / "made.ndjson"], tmp_path / "imported", Ways(salt="pepper"), Rules())
    assert found.record.rows == made.record.rows
    assert found.added[0].rejected == {}
    assert not any(count for what, count in found.record.notes.items())
    logs = Log(tmp_path / "made"), Log(tmp_path / "imported")
    for name, ignored in (("queries", {"results"}), ("impressions", set()), ("events", {"dwell_ms"})):
        tables = [log.run(getattr(log, name)) for log in logs]
        assert tables[0].schema == tables[1].schema
        columns = [column.name for column in TABLES[name] if column.name not in {*OTHERS, *ignored}]
        rows = [sorted(map(repr, table.select(columns).to_pylist())) for table in tables]
        assert rows[0] == rows[1]
    people = [log.run(log.queries).select(["query_id", "session_id", "user_id"]).to_pylist() for log in logs]
    for who in ("session_id", "user_id"):
        pairs = {row["query_id"]: row[who] for row in people[0]}
        hashed = {(pairs[row["query_id"]], row[who]) for row in people[1]}
        assert len(hashed) == len({one for one, _ in hashed}) == len({other for _, other in hashed})


def test_the_truth_is_what_happened(tmp_path: Path) -> None:
    made = simulated(tmp_path / "log", users=user_model("pbm", decay=1.0), sessions=4000, spread=0.02, days=2)
    truth = read_truth(tmp_path / "log")
    assert (truth.model, truth.parameters) == ("pbm", {"decay": 1.0})
    assert truth.looked == pytest.approx(made.truth.looked, abs=1e-6)
    pages = made.record.rows["queries"]
    assert all(close(share, 1 / rank, pages) for rank, share in enumerate(truth.looked.tolist(), 1))
    _, qrels = collection()
    usual = {0: 0.1, 1: 0.4, 2: 0.7, 3: 0.9}
    for row in truth.documents.to_pylist():
        assert row["grade"] == qrels[row["topic"]][row["document_id"]]
        assert row["attractiveness"] == pytest.approx(usual[row["grade"]], abs=0.02)
    log = Log(tmp_path / "log")
    first = log.run(log.impressions.filter(log.impressions["rank"] == 1)).to_pylist()  # everybody looks at it
    worth = truth.attractiveness()
    expected = sum(worth[row["text"], row["document_id"]] for row in first) / len(first)
    assert close(sum(row["clicks"] for row in first) / len(first), expected, len(first))


def test_topics_are_asked_for_by_their_place(tmp_path: Path) -> None:
    simulated(tmp_path / "log", sessions=5000, habit=0, skew=1.0, days=1)
    log = Log(tmp_path / "log")
    first = log.run(log.queries).to_pandas().sort_values("time_ms").drop_duplicates("session_id")
    shares = first.text.value_counts(normalize=True)
    weights = [1 / place for place in range(1, 6)]
    for place, weight in enumerate(weights):
        assert close(shares[f"t{place}"], weight / sum(weights), len(first))


def test_every_row_is_of_its_day_and_every_id_is_there_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulating, "_AT_ONCE", 37)
    made = simulated(tmp_path / "log", sessions=500, days=3, start="2026-02-27")
    log = Log(tmp_path / "log")
    queries = log.run(log.queries).to_pandas()
    assert len(queries) == queries.query_id.nunique() == made.record.rows["queries"]
    assert queries.session_id.nunique() == 500
    days = queries.time_ms.astype("datetime64[ms]").dt.strftime("%Y-%m-%d")
    assert (days == queries.day).all()
    assert {"2026-02-27", "2026-02-28", "2026-03-01"} <= set(days)
    assert Log(tmp_path / "log", Part(since="2026-02-28")).record.rows == made.record.rows
    assert made.record.sources[0].read == made.record.rows["queries"] + made.record.rows["events"]
    events = log.run(log.events).to_pandas()
    clicks, purchases = (events[events.action == action] for action in ("click", "purchase"))
    assert len(clicks) == queries.clicks.sum()
    assert purchases.value.notna().all()
    assert clicks.value.isna().all()
    assert (log.run(log.impressions).to_pandas().groupby("query_id").clicks.sum().sum()) == len(clicks)


def test_who_is_satisfied_stays_longer_and_asks_no_more(tmp_path: Path) -> None:
    log = simulated(tmp_path / "log", sessions=2000, days=2, purchase=1.0, reformulation=1.0, queries_per_session=3)
    tables = Log(tmp_path / "log")
    events = tables.run(tables.events).to_pandas()
    bought = set(map(tuple, events[events.action == "purchase"][["query_id", "document_id"]].to_numpy()))
    clicks = events[events.action == "click"]
    happy = np.array([pair in bought for pair in map(tuple, clicks[["query_id", "document_id"]].to_numpy())])
    assert clicks.dwell_ms[happy].median() == pytest.approx(90_000, rel=0.1)
    assert clicks.dwell_ms[~happy].median() == pytest.approx(12_000, rel=0.1)
    queries = tables.run(tables.queries).to_pandas()
    ended = {query for query, _ in bought}
    queries["happy"] = queries.query_id.isin(ended)
    for _, session in queries.sort_values("time_ms").groupby("session_id"):
        assert session.happy.tolist() == [False] * (len(session) - 1) + [session.happy.iloc[-1]]
        assert session.happy.iloc[-1] or len(session) == 3
    assert log.record.rows["queries"] == len(queries)


def test_pages_in_random_order_show_how_far_people_look(tmp_path: Path) -> None:
    simulated(tmp_path / "log", users="pbm", sessions=6000, shuffled=1.0, days=1)
    found = randomised_propensities(Log(tmp_path / "log", Part(application="shuffled")))
    assert found.rank.tolist() == list(range(1, 11))
    truth = 1 / found.rank
    assert found.propensity[0] == 1
    error = (np.log(found.propensity) - np.log(truth))[1:] / (
        np.log(found.interval.upper / found.propensity)[1:] / 1.96
    )
    assert np.abs(error).max() < 4  # standard errors


def test_topics_without_results_have_pages_without_documents(tmp_path: Path) -> None:
    runs, qrels = collection(topics=2)
    nothing = Run.from_dict({"t0": runs[0]["t0"]}, name="half")
    made = simulate([runs[0], nothing], qrels, tmp_path / "log", settings=Settings(sessions=400, days=1))
    log = Log(tmp_path / "log")
    queries = log.run(log.queries).to_pandas()
    empty = queries[(queries.application == "half") & (queries.text == "t1")]
    assert len(empty) > 10
    assert (empty.shown == 0).all()
    assert (empty.results == 0).all()
    assert made.record.rows["impressions"] == queries.shown.sum()


def test_topics_without_judgments_are_not_asked_for(tmp_path: Path) -> None:
    runs, qrels = collection(topics=3)
    judged = Qrels.from_dict({"t1": qrels["t1"]})
    simulate(runs, judged, tmp_path / "log", settings=Settings(sessions=50, days=1))
    log = Log(tmp_path / "log")
    assert set(log.run(log.queries.text).to_pylist()) == {"t1"}


def test_a_log_without_any_click_can_be_asked(tmp_path: Path) -> None:
    simulated(tmp_path / "log", sessions=1, attractiveness={0: 0.0}, spread=0, days=1, seed=3)
    log = Log(tmp_path / "log")
    assert isinstance(log.run(log.events), pa.Table)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"sessions": 0}, "sessions=0: expected 1 or more"),
        ({"shuffled": 1.5}, r"shuffled=1\.5: expected a share from 0 to 1"),
        ({"start": "March"}, "start='March': expected a day such as 2026-03-02"),
        ({"attractiveness": {0: 2.0}}, "expected a chance from 0 to 1 for each grade"),
    ],
)
def test_impossible_settings_are_refused(wrong: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Settings(**wrong)  # type: ignore[arg-type]


def test_impossible_users_are_refused() -> None:
    with pytest.raises(ParameterError, match=r"there is no user model 'dbm'\. Did you mean [^?]*\? There are: pbm"):
        user_model("dbm")
    with pytest.raises(ParameterError, match="user model pbm: parameters goes_on: it has decay"):
        user_model("pbm", goes_on=0.5)
    with pytest.raises(ParameterError, match="goes_on=2: expected a chance from 0 to 1"):
        user_model("dbn", goes_on=2)


def test_what_cannot_be_simulated_is_refused(tmp_path: Path) -> None:
    runs, qrels = collection()
    with pytest.raises(UsageError, match="at least one run"):
        simulate([], qrels, tmp_path / "log")
    with pytest.raises(CoverageError, match="judges no topic of the runs"):
        simulate(runs, Qrels.from_dict({"x": {"d": 1}}), tmp_path / "log")
    with pytest.raises(CoverageError, match="no topic of those that have a text"):
        simulate(runs, qrels, tmp_path / "log", texts={"x": "y"})
    (tmp_path / "log").mkdir()
    (tmp_path / "log" / "mine").touch()
    with pytest.raises(UsageError, match="there already"):
        simulate(runs, qrels, tmp_path / "log", settings=Settings(sessions=1))
    with pytest.raises(UsageError, match="only of a simulated log is the truth known"):
        read_truth(tmp_path / "log")


def test_nothing_is_imported_into_a_simulated_log(tmp_path: Path) -> None:
    simulated(tmp_path / "log", sessions=10, days=1)
    (tmp_path / "more.ndjson").write_text(json.dumps({"user_query": "soup", "timestamp": 1772323200000}))
    with pytest.raises(UsageError, match="made up, nothing can be added"):
        import_files([tmp_path / "more.ndjson"], tmp_path / "log", Ways(), Rules())


def test_everything_takes_its_time(tmp_path: Path) -> None:
    """A click comes after the stay at the click above and at least half a second of looking, a purchase at the end of a
    stay, and the next query at least two seconds after everything."""
    simulated(tmp_path / "log", sessions=1000, days=1, attractiveness={0: 0.8}, purchase=1.0, reformulation=1.0)
    log = Log(tmp_path / "log")
    events = log.run(log.events).to_pandas().sort_values(["query_id", "action", "rank"])
    ends = dict[str, int]()
    clicks = events[events.action == "click"]
    for query, time, stay in zip(clicks.query_id, clicks.time_ms, clicks.dwell_ms, strict=True):
        assert time >= ends.get(query, 0) + 500
        ends[query] = int(time + stay)
    assert len(ends) < len(clicks)
    stays = {(row.query_id, row.document_id): int(row.time_ms + row.dwell_ms) for row in clicks.itertuples()}
    for row in events[events.action == "purchase"].itertuples():
        assert row.time_ms == stays[row.query_id, row.document_id]
    queries = log.run(log.queries).to_pandas().sort_values(["session_id", "time_ms"])
    before = queries.shift(1)
    again = queries[queries.session_id == before.session_id]
    for query, earlier in zip(again.itertuples(), before.loc[again.index].itertuples(), strict=True):
        assert query.time_ms >= ends.get(earlier.query_id, earlier.time_ms) + 2000
