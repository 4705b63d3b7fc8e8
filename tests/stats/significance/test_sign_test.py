"""The sign test against scipy and the notes."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, given, settings

from cranfield.stats.arguments import ALTERNATIVES, Alternative
from cranfield.stats.significance.sign_test import sign_test
from tests.stats.significance.two_systems import A, B, as_scores, hundredths


def test_the_notes_example() -> None:
    # The notes' five-query example: P(3 or more of 5) = (10 + 5 + 1) / 32; two-sided twice that. The notes print 15/32.
    assert sign_test(A, B, alternative="greater").p == 16 / 32
    assert sign_test(A, B).p == 1
    assert sign_test(B, A, alternative="less").p == 16 / 32


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@settings(max_examples=60)
@given(scores=hundredths(most=200, highest=6))
def test_agrees_with_scipy(alternative: Alternative, scores: tuple[list[int], list[int]]) -> None:
    d = np.subtract(*scores)
    assume(d.any())
    found = sign_test(as_scores(scores[0]), as_scores(scores[1]), alternative=alternative)
    wins, losses = int((d > 0).sum()), int((d < 0).sum())
    expected = scipy.stats.binomtest(wins, wins + losses, alternative=alternative)
    assert found.p == pytest.approx(expected.pvalue, rel=1e-9)
    assert (found.statistic, found.wins, found.losses, found.ties) == (wins, wins, losses, len(d) - wins - losses)
    assert found.effects["share_of_wins"] == pytest.approx(expected.statistic)


def test_ties_are_left_out_and_said() -> None:
    outcome = sign_test([1, 1, 1, 1], [0, 1, 0, 1])
    assert outcome.p == 0.5  # two wins of two: 2 / 4
    assert outcome.notes == ("differences of zero: 2, left out", "p is exact (binomial)")
