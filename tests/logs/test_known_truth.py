"""What is inferred from a simulated log is nearer to the truth behind it than raw clicks are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.data.strings import Bools, Floats
from cranfield.logs.clicks import ClickDeviation, click_deviation
from cranfield.logs.evidence import evidence
from cranfield.logs.log import Log
from cranfield.logs.preferences import infer_preferences
from cranfield.logs.simulating import Simulated, simulate
from cranfield.logs.simulation.settings import Settings
from cranfield.stats.correlation.rank_correlation import tau_b

Truth = dict[tuple[str, str], float]


def position_biased(folder: Path, seed: int, sessions: int, shuffled: float = 0.0) -> Simulated:
    """Users look at rank r with the chance 1/r. Pages are those of three systems that order documents at random, but
    always in the same way: where a document stands says nothing of what it is worth."""
    rng = np.random.default_rng(seed)
    grades = rng.choice(4, p=[0.4, 0.3, 0.2, 0.1], size=(10, 12))
    judged = {f"t{t}": {f"t{t}-d{d}": int(grade) for d, grade in enumerate(row)} for t, row in enumerate(grades)}
    runs = [
        Run.from_dict({t: {d: float(rng.random()) for d in documents} for t, documents in judged.items()}, name=f"{n}")
        for n in range(3)
    ]
    settings = Settings(sessions=sessions, days=1, seed=seed, shuffled=shuffled)
    return simulate(runs, Qrels.from_dict(judged), folder, users="pbm", settings=settings)


def tau(found: ClickDeviation, value: Floats, truth: Truth) -> float:
    """Within a query, on average over queries, with how attractive documents are."""
    worth = np.array([truth[key] for key in zip(found.text, found.document, strict=True)])
    known = ~np.isnan(found.coec)
    queries: list[Bools] = [known & (found.text == text) for text in sorted(set(found.text))]
    return float(np.mean([tau_b(value[rows], worth[rows]).value for rows in queries if rows.sum() > 2]))


def test_deviation_and_coec_order_documents_better_than_click_through(tmp_path: Path) -> None:
    made = position_biased(tmp_path / "log", seed=1, sessions=10_000)
    truth, found = made.truth.attractiveness(), click_deviation(Log(tmp_path / "log"))
    raw = tau(found, found.clicked / found.shown, truth)
    assert tau(found, found.deviation, truth) > raw + 0.02
    assert tau(found, found.coec, truth) > raw + 0.1


@pytest.mark.slow
def test_the_same_whatever_the_seed(tmp_path: Path) -> None:
    """COEC each time; CD, which is small at low ranks whatever a document is worth, on average."""
    gains = []
    for seed in range(2, 10):
        made = position_biased(tmp_path / str(seed), seed, 20_000)
        truth, found = made.truth.attractiveness(), click_deviation(Log(tmp_path / str(seed)))
        raw = tau(found, found.clicked / found.shown, truth)
        gains.append((tau(found, found.deviation, truth) - raw, tau(found, found.coec, truth) - raw))
    by_deviation, by_coec = np.array(gains).T
    assert by_deviation.mean() > 0.02
    assert (by_coec > 0).all()
    assert by_coec.mean() > 0.08


@pytest.mark.parametrize("rule", ["skip-above", "last-skip-above", "skip-previous", "skip-next"])
def test_preferences_foretell_the_truth_better_than_clicks(rule: str, shuffled: Simulated, log: Log) -> None:
    """Of the documents that a rule tells apart for certain, which of two is more attractive."""
    truth, counted = shuffled.truth.attractiveness(), click_deviation(log)
    clicks = dict(zip(zip(counted.text, counted.document, strict=True), counted.clicked.tolist(), strict=True))
    found = infer_preferences(log, rule)
    pairs = [
        ((text, preferred), (text, other))
        for text, preferred, other in zip(
            *(column[found.certain] for column in (found.text, found.preferred, found.other)), strict=True
        )
    ]
    right = np.mean([truth[better] > truth[worse] for better, worse in pairs])
    by_clicks = np.mean([(truth[one] > truth[two]) == (clicks[one] > clicks[two]) for one, two in pairs])
    assert len(pairs) > 80
    assert right > 0.93
    assert right > by_clicks


def test_a_click_model_that_knows_its_users_is_nearer_than_coec(shuffled: Simulated, log: Log) -> None:
    truth, found = shuffled.truth.attractiveness(), click_deviation(log)
    said = evidence(log, "pbm", enough=1)
    value = dict(zip(zip(said.text, said.document, strict=True), said.value.tolist(), strict=True))
    by_model = np.array([value[key] for key in zip(found.text, found.document, strict=True)])
    assert tau(found, by_model, truth) > tau(found, found.coec, truth)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("shuffled") / "log"


@pytest.fixture(scope="module")
def shuffled(folder: Path) -> Simulated:
    """A third of pages are in random order, so that documents stand above each other both ways."""
    return position_biased(folder, seed=1, sessions=10_000, shuffled=0.3)


@pytest.fixture
def log(folder: Path, shuffled: Simulated) -> Log:
    return Log(folder)
