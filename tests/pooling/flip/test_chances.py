"""How likely documents are relevant."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.pooling.flip.chances import Chances, Evidence, estimate
from cranfield.pooling.flip.side_by_side import SideBySide
from cranfield.stats.random_stream import RandomStream


def test_evidence() -> None:
    # Ranks of x: 2 and 1, and 4 in the other run; of y: none, 2, and none.
    names = {"q": {"a": 2.0, "x": 1.0}}, {"q": {"x": 2.0, "y": 1.0}}, {"q": {"b": 4.0, "c": 3.0, "d": 2.0, "x": 1.0}}
    runs = [Run.from_dict(one) for one in names]
    both = SideBySide.of(Qrels.from_dict({"q": {"a": 1, "m": 0}}), *runs[:2])
    found = Evidence.of(both, runs[2:])
    a, m, x, y = range(4)
    assert np.exp(found.best[[a, x, y]]).tolist() == pytest.approx([1, 1, 2])
    assert np.isnan(found.best[m])
    expected = (1 / np.log2(3) + 1 / np.log2(2) + 1 / np.log2(5)) / 3
    assert found.support[[m, x]].tolist() == pytest.approx([0, expected])


def test_nothing_judged_says_nothing() -> None:
    run = Run.from_dict({"q": {"x": 2, "y": 1}})
    both = SideBySide.of(Qrels.from_dict({"q": {"m": 0}}), run, run)
    found = estimate(both, Evidence.of(both), [1.0])
    assert found.judged == 0
    assert found.relevant.tolist() == pytest.approx([0.5, 0.5])


def test_topics_with_many_relevant_documents_have_more() -> None:
    qrels = {f"q{topic}": {f"d{rank}": int(topic < 5) for rank in range(10)} for topic in range(10)}
    run = Run.from_dict({topic: {f"d{rank}": -rank for rank in range(11)} for topic in qrels})
    both = SideBySide.of(Qrels.from_dict(qrels), run, run)
    chances = estimate(both, Evidence.of(both), [1.0]).relevant
    assert chances[:5].min() > 0.8
    assert chances[5:].max() < 0.2


def test_draws() -> None:
    chances = Chances(np.array([0.0, 1.0] * 5000), np.array([1.0, 3.0]), np.array([0.25, 0.75]), 0)
    drawn = chances.draw(RandomStream(1)).reshape(-1, 2)
    assert (drawn[:, 0] == 0).all()
    assert np.mean(drawn[:, 1] == 1) == pytest.approx(0.25, abs=0.02)  # 5000 draws: s = .006
    assert np.isin(drawn[:, 1], (1, 3)).all()
    assert chances.expected(np.array([0.5, 1.0]))[:2].tolist() == [0, 0.875]  # .25 · .5 + .75 · 1
