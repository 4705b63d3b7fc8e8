"""Which values are tried next: all points of a grid, or what Optuna proposes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cranfield.errors import MissingExtraError, UsageError
from cranfield.experiments.parameter_space import Choice, ParameterSpace, Values

METHODS = ("tpe", "random", "grid")
"""Optuna's tree-structured Parzen estimator; values at random, also by Optuna; every point of a grid."""

Score = Callable[[Values], float]


def explore(space: ParameterSpace, score: Score, *, method: str, trials: int, seed: int, more_is_better: bool) -> None:
    """Have values scored one after the other; whoever scores them remembers."""
    if trials < 1:
        raise UsageError(f"{trials} trials are none: expected 1 or more")
    if method == "grid":
        for values in space.grid(trials):
            score(values)
        return
    optuna = _optuna()
    samplers = {"tpe": optuna.samplers.TPESampler, "random": optuna.samplers.RandomSampler}
    study = optuna.create_study(
        direction="maximize" if more_is_better else "minimize", sampler=samplers[method](seed=seed)
    )
    study.optimize(lambda trial: score(_proposed(trial, space)), n_trials=trials)


def usual_method(space: ParameterSpace, trials: int) -> str:
    """A grid where every point of it can be tried, and Optuna otherwise."""
    return "grid" if space.is_finite and len(space.grid(trials)) <= trials else "tpe"


def _proposed(trial: Any, space: ParameterSpace) -> Values:
    values: dict[str, Any] = {}
    for parameter in space:
        if isinstance(parameter, Choice):
            values[parameter.name] = trial.suggest_categorical(parameter.name, parameter.values)
        elif parameter.whole:
            step = int(parameter.step or 1)
            low, high = int(parameter.low), int(parameter.high)
            values[parameter.name] = trial.suggest_int(parameter.name, low, high, step=step, log=parameter.logarithmic)
        else:
            values[parameter.name] = trial.suggest_float(
                parameter.name, parameter.low, parameter.high, step=parameter.step, log=parameter.logarithmic
            )
    return values


def _optuna() -> Any:
    try:
        import optuna
    except ImportError:
        raise MissingExtraError("tuning by trial and error (a grid, --method grid, does without)", "tune") from None
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    return optuna
