"""Logistic regression."""

from __future__ import annotations

import numpy as np

from cranfield.stats.logistic import fit_logistic


def test_with_a_ridge() -> None:
    # Oracle: scikit-learn's LogisticRegression, whose C is one over the ridge.
    from sklearn.linear_model import LogisticRegression

    random = np.random.default_rng(3)
    features = random.normal(size=(80, 3))
    outcome = (random.uniform(size=80) < 1 / (1 + np.exp(-features[:, 0]))).astype(float)
    model = LogisticRegression(C=1.0, tol=1e-10, max_iter=1000).fit(features, outcome)
    found = fit_logistic(features, outcome, ridge=1.0)
    np.testing.assert_allclose(found, [*model.intercept_, *model.coef_[0]], atol=1e-5)


def test_rows_that_stand_for_several_trials() -> None:
    # Oracle: the same trials, each in a row of its own.
    features = np.array([[0.0], [1.0], [2.0]])
    successes, trials = np.array([4.0, 2.0, 1.0]), np.array([5.0, 5.0, 6.0])
    rows = np.repeat(features, trials.astype(int), axis=0)
    outcome = np.concatenate([[1.0] * int(x) + [0.0] * int(n - x) for x, n in zip(successes, trials, strict=True)])
    np.testing.assert_allclose(fit_logistic(features, successes, trials), fit_logistic(rows, outcome), atol=1e-9)
